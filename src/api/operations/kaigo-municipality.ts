import { kaigoMunicipality as row } from '../../contract/operations/kaigo-municipality.ts';
import type { ValuesOf } from '../../contract/parameter.ts';
import type { KaigoAnswers } from '../../dataset/kaigo.ts';
import type { TableWishes } from '../../dataset/kaigo-table.ts';
import { implement } from './implementation.ts';
import { caseOf } from './kaigo-case.ts';
import { absentPage, PAGE_SIZE } from './lists.ts';

export const kaigoMunicipality = implement(row, {
  find: ({ municipality_code, service_code, sort, page, ...values }, kaigo) =>
    kaigo.municipality(municipality_code, service_code, sort, page, PAGE_SIZE, wishesOf(values, service_code, kaigo)),
  absent({ municipality_code, service_code, page, ...values }, kaigo) {
    const wishes = wishesOf(values, service_code, kaigo);
    const pages = kaigo.municipalityPages(municipality_code, service_code, PAGE_SIZE, wishes);
    return absentPage(`municipality ${municipality_code}`, pages, page);
  },
});

type Values = Omit<ValuesOf<typeof row.parameters>, 'municipality_code' | 'service_code' | 'sort' | 'page'>;

/** The case and the filters that a request states. */
function wishesOf(values: Values, service: string, kaigo: KaigoAnswers): TableWishes {
  const { max_yen, min_capacity, open_on, has, name } = values;
  return {
    case: caseOf(values, kaigo, [service]),
    filter: {
      maxYen: max_yen ?? null,
      minCapacity: min_capacity ?? null,
      openOn: open_on ?? null,
      has: has ?? [],
      name: name ?? null,
    },
  };
}
