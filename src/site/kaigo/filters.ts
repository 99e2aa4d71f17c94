import type { Parameter } from '../../contract/parameter.ts';
import { Type } from '../../contract/schema.ts';
import { NO_FILTER, type RowFilter } from '../../dataset/kaigo-table.ts';
import { type Html, html } from '../markup.ts';
import { inQuery, type PageAsk, textsOf } from '../view.ts';

const DAYS = ['weekday', 'saturday', 'sunday', 'holiday'] as const;

/** A number, or nothing where the field of the form is empty. */
const NUMBER = Type.String({ pattern: '^\\d{0,9}$' });

/** The filters in the query of a table. */
export const FILTER_FIELDS: readonly Parameter[] = [
  { ...inQuery('max_yen', NUMBER, 'Most to pay a month, yen.', '120000'), isPrivate: true },
  inQuery('min_capacity', NUMBER, 'Fewest places.', '30'),
  inQuery('open_on', Type.Enum(['any', ...DAYS], { type: 'string' }), 'Kind of day.', 'saturday'),
  inQuery('name', Type.String({ maxLength: 50 }), 'Part of the name.', 'ホーム'),
];

/** The filters that the query states. */
export function filterIn(query: URLSearchParams): RowFilter {
  const number = (name: string): number | null => (query.get(name) ? Number(query.get(name)) : null);
  return {
    ...NO_FILTER,
    maxYen: number('max_yen'),
    minCapacity: number('min_capacity'),
    openOn: DAYS.find((day) => day === query.get('open_on')) ?? null,
    name: query.get('name') || null,
  };
}

/** What of the query belongs to the filters, for links. */
export const filterQuery = (query: URLSearchParams): [string, string][] =>
  FILTER_FIELDS.flatMap(({ name }) =>
    query
      .getAll(name)
      .slice(0, 1)
      .filter(Boolean)
      .map((value): [string, string] => [name, value]),
  );

/** The filters as fields of a form. */
export function filterFields(ask: PageAsk): Html {
  const { care } = textsOf(ask);
  const { maxYen, minCapacity, openOn, name } = filterIn(ask.query);
  const isUsed = filterQuery(ask.query).some(([, value]) => value !== 'any');
  return html`<details${isUsed ? html` open` : null}><summary>${care.filters}</summary><div class="picker"><label>${care.maxYen}<input name="max_yen" inputmode="numeric" pattern="[0-9]*" size="8" value="${maxYen ?? ''}"></label>
<label>${care.minCapacity}<input name="min_capacity" inputmode="numeric" pattern="[0-9]*" size="4" value="${minCapacity ?? ''}"></label>
<label>${care.openOn}<select name="open_on">${['any', ...DAYS].map((day) => html`<option value="${day}"${day === openOn ? html` selected` : null}>${care.dayNames[day]}</option>`)}</select></label>
<label>${care.namePart}<input name="name" maxlength="50" size="10" value="${name ?? ''}"></label></div></details>`;
}
