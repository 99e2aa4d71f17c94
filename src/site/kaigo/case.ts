import {
  AIDS,
  CASE_PARAMETERS,
  type Case,
  COPAYMENTS,
  INCOMES,
  isLowIncome,
  LEVELS,
  type Level,
  ROOMS,
  type Room,
  STANDARD_CASE,
  SUPPORT_LEVELS,
} from '../../contract/kaigo-cost.ts';
import { OPEN_DAYS } from '../../contract/kaigo-facility.ts';
import type { Facility } from '../../contract/operations/kaigo-facility.ts';
import type { Parameter } from '../../contract/parameter.ts';
import { Type } from '../../contract/schema.ts';
import type { RowFilter } from '../../dataset/kaigo.ts';
import { KANJI_NUMBER, kanjiNumber } from '../../geo/chome.ts';
import { type Fragment, type Html, html, isolated, selectField, unbroken } from '../markup.ts';
import type { Texts } from '../texts/texts.ts';
import { type Crumb, inQuery, type KaigoAsk, type PageAsk, pageLink, textsOf, withQuery } from '../view.ts';
import { HOMES } from './services.ts';

/** A query parameter with some words as values. It is a fact about a person, so it is private. */
const wordParameter = (
  name: string,
  options: readonly (string | number)[],
  description: string,
  example: string,
): Parameter => ({
  ...inQuery(name, Type.Enum(options.map(String), { type: 'string' }), description, example),
  isPrivate: true,
});

/**
 * The parameters of the case in the query of a page. They are those of operations, but care and support levels share one
 * field, and “any room” and “no aid” have words, because a form field always has a value.
 */
export const CASE_FIELDS: readonly Parameter[] = [
  wordParameter('care_level', LEVELS, 'Care level or support level.', '4'),
  ...CASE_PARAMETERS.filter(({ name }) => name === 'copayment' || name === 'income'),
  wordParameter('room', ['any', ...ROOMS], 'Kind of room.', 'unit'),
  wordParameter('aid', ['none', ...AIDS], 'Who helps to pay.', 'social_welfare'),
  wordParameter('partner', ['none', ...LEVELS], 'Level of a partner in the same home.', 'support_1'),
];

/** The case in a query. Absent facts are those of the standard case. */
export function caseIn(query: URLSearchParams): Case {
  const level = (name: string): Level | null => LEVELS.find((one) => String(one) === query.get(name)) ?? null;
  const aid = AIDS.find((one) => one === query.get('aid')) ?? null;
  const income = INCOMES.find((one) => one === query.get('income')) ?? STANDARD_CASE.income;
  // Public assistance determines income and copayment, whatever the form had before.
  const isAssisted = aid === 'public_assistance';
  return {
    careLevel: level('care_level') ?? STANDARD_CASE.careLevel,
    // One of `COPAYMENTS`: the parameter allows no other value.
    copaymentPercent: isAssisted ? 10 : Number(query.get('copayment') ?? STANDARD_CASE.copaymentPercent),
    income: isAssisted ? '1' : income,
    room: ROOMS.find((one) => one === query.get('room')) ?? null,
    aid,
    partnerLevel: level('partner'),
  };
}

/** True when the query has facts about a person. */
export const hasCase = (query: URLSearchParams): boolean => CASE_FIELDS.some(({ name }) => query.has(name));

/** The part of the query about the case, for links. */
export const caseQuery = (query: URLSearchParams): [string, string][] =>
  CASE_FIELDS.flatMap(({ name }) =>
    query
      .getAll(name)
      .slice(0, 1)
      .map((value): [string, string] => [name, value]),
  );

/** The case in a query as parameters of the API, where care and support levels have two names and absent facts none. */
export function caseInApi(query: URLSearchParams): [string, string][] {
  if (!hasCase(query)) return [];
  const { careLevel, copaymentPercent, income, room, aid, partnerLevel } = caseIn(query);
  const level = (who: '' | 'partner_', one: Level): [string, string] =>
    typeof one === 'number'
      ? [`${who}care_level`, String(one)]
      : [`${who}support_level`, String(SUPPORT_LEVELS.indexOf(one) + 1)];
  return [
    level('', careLevel),
    ['copayment', String(copaymentPercent)],
    ['income', income],
    ...(room === null ? [] : [['room', room] as [string, string]]),
    ...(aid === null ? [] : [['aid', aid] as [string, string]]),
    ...(partnerLevel === null ? [] : [level('partner_', partnerLevel)]),
  ];
}

/**
 * A link to a page of the care half for the case of this page.
 * @param filters names and values of filters of that page
 */
export const caseLink = (ask: PageAsk, path: string, filters: [string, string][] = []): string =>
  withQuery(pageLink(ask, path), [...caseQuery(ask.query), ...filters]);

/** True when the query has a kind of room that is not in the prices of a service. */
const hasOtherRoom = ({ query, dataset }: PageAsk, service: string): boolean => {
  const { room } = caseIn(query);
  return room !== null && !dataset.kaigo?.rooms(service).includes(room);
};

/** The query, without its kind of room when that is not in the prices of a service. */
export function queryWithoutOtherRoom(ask: PageAsk, service: string): URLSearchParams {
  return hasOtherRoom(ask, service)
    ? new URLSearchParams([...ask.query].filter(([name]) => name !== 'room'))
    : ask.query;
}

/** Says that the requested kind of room is not in the prices of a service; null when it is, and without a requested one. */
export function otherRoomNote(ask: KaigoAsk, service: string): Fragment {
  if (!hasOtherRoom(ask, service)) return null;
  const { care, frame } = textsOf(ask);
  const rooms = ask.kaigo.rooms(service).map((room) => care.roomNames[room] ?? room);
  const reason = rooms.length === 0 ? care.noRooms : care.otherRooms(frame.list(rooms));
  return html`<p class="unknown" role="alert">${frame.sentences(reason, care.anyRoom)}</p>`;
}

/**
 * The path of the table of a service in a municipality, for the case of this page.
 * @param filters names and values of filters of the table
 */
export const tablePath = (ask: PageAsk, code: string, service: string, filters: [string, string][] = []): string =>
  withQuery(`/kaigo/${code}/${service}/`, [...caseQuery(queryWithoutOtherRoom(ask, service)), ...filters]);

/** The first link on the way to a page of the care half. */
export const careCrumb = (ask: PageAsk): Crumb => ({
  name: textsOf(ask).frame.kaigo,
  path: withQuery('/kaigo/', caseQuery(ask.query)),
});

/** Values in hidden fields of a form. */
export const hidden = (values: readonly [string, string][]): Html[] =>
  values.map(([name, value]) => html`<input type="hidden" name="${name}" value="${value}">`);

/** Why a case is not possible for any service, in the language of the page; null when it is possible. */
export function caseFaultText(ask: KaigoAsk): string | null {
  const { care } = textsOf(ask);
  const fault = ask.kaigo.caseFault(caseIn(ask.query), null);
  if (fault === null) return null;
  if (fault.kind === 'relief-income') return care.faultRelief;
  return fault.kind === 'assistance-income' ? care.faultAssistance : care.faultCopayment;
}

/** The kinds of room that any of these facilities may have: elsewhere the price does not depend on a room. */
export const roomsAt = (kaigo: KaigoAsk['kaigo'], facilities: readonly Facility[]): Room[] =>
  ROOMS.filter((room) =>
    facilities.some(({ services }) => services.some((one) => kaigo.rooms(one.service_code).includes(room))),
  );

/** The case in words. */
export function caseText({ care, frame }: Texts, careCase: Case): string {
  const { careLevel, copaymentPercent, income, room, partnerLevel } = careCase;
  const words = [care.incomeNames[income], ...(room === null ? [] : [care.roomNames[room]])];
  const levels = [careLevel, ...(partnerLevel === null ? [] : [partnerLevel])].map(care.careLevelOption);
  return care.caseStated(frame.list(levels), copaymentPercent, frame.list(words));
}

/** Income stage 1: people on public assistance, among others. */
const LOWEST_INCOME = '1';

/** The case in words; for low incomes also a note about what they have to apply for. */
export function caseLine(ask: PageAsk, careCase: Case): Html {
  const texts = textsOf(ask);
  const { care } = texts;
  const { income, aid, partnerLevel } = careCase;
  const help = aid === null ? care.socialWelfareRelief : (care.aidStated[aid] ?? '');
  const applyNote = isLowIncome(income)
    ? html`<p class="note">${care.limitsGranted} ${help}${income === LOWEST_INCOME && aid === null ? ` ${care.publicAssistance}` : null}</p>`
    : null;
  return html`<p class="note">${unbroken(caseText(texts, careCase))}${partnerLevel === null ? null : ` ${care.coupleStated}`}</p>${applyNote}`;
}

/** Parts of a form besides the case. */
interface CaseFormParts {
  /** The possible rooms. */
  rooms?: readonly Room[];
  /** Fields before the case. */
  first?: Fragment;
  /** Fields after the case. */
  more?: Fragment;
  /** The text of the button. */
  submit?: string;
  /** True: the reader has to change something. */
  isOpen?: boolean;
  /** True: the page has no results yet, so the form is its content. */
  isMainContent?: boolean;
}

/**
 * The case as a form that works without scripts; null in an export. Beside results it is folded, so that a phone shows the
 * results on its first screen. On a page without results (`isMainContent`) only its rare fields are folded.
 */
export function caseForm(
  ask: PageAsk,
  action: string,
  careCase: Case,
  { rooms: possibleRooms = ROOMS, first, more, submit, isOpen = false, isMainContent = false }: CaseFormParts = {},
): Fragment {
  if (ask.isStatic) return null;
  const { care } = textsOf(ask);
  const levels = LEVELS.map((level) => [level, care.careLevelOption(level)] as const);
  const partners = [['none', care.nobody] as const, ...levels];
  const aids = ['none', ...AIDS].map((aid) => [aid, care.aidNames[aid] ?? aid] as const);
  const shares = COPAYMENTS.map((percent) => [percent, care.copaymentOption(percent)] as const);
  const incomes = INCOMES.map((income) => [income, care.incomeNames[income]] as const);
  const rooms = ['any', ...possibleRooms].map((room) => [room, care.roomNames[room] ?? room] as const);
  const { income, room, aid, partnerLevel } = careCase;
  const isStandard = income === STANDARD_CASE.income && room === null && aid === null && partnerLevel === null;
  const rest = html`${selectField('income', care.income, incomes, income, 'whole')}
${possibleRooms.length === 0 ? null : selectField('room', care.room, rooms, room ?? 'any')}
${selectField('partner', care.partner, partners, partnerLevel ?? 'none')}
${selectField('aid', care.aid, aids, aid ?? 'none', 'whole')}`;
  const form = html`<form class="picker no-print" method="get" action="${action}" aria-label="${care.caseHeading}">
${first}${selectField('care_level', care.careLevel, levels, careCase.careLevel)}
${selectField('copayment', care.copayment, shares, careCase.copaymentPercent)}
${isMainContent ? html`<details class="whole"${isStandard ? null : html` open`}><summary>${care.moreOfCase}</summary><div class="picker">${rest}</div></details>` : rest}
${more}<button>${submit ?? care.apply}</button></form>`;
  if (isMainContent) return form;
  return html`<details class="no-print"${isOpen ? html` open` : null}><summary>${care.changeCase}</summary>${form}</details>`;
}

/** A number as people write it (`writtenNumber`). An invalid one stays in the form with a message. */
const NUMBER = Type.String({ maxLength: 30 });

/** The affordable sum: a fact about a person. */
const MAX_YEN_FIELD: Parameter = {
  ...inQuery('max_yen', NUMBER, 'Most to pay a month, yen.', '120000'),
  isPrivate: true,
};

/** The filters in the query of a table. */
export const FILTER_FIELDS: readonly Parameter[] = [
  MAX_YEN_FIELD,
  inQuery('min_capacity', NUMBER, 'Fewest places.', '30'),
  inQuery('open_on', Type.Enum(['any', ...OPEN_DAYS], { type: 'string' }), 'Kind of day.', 'saturday'),
  inQuery('name', Type.String({ maxLength: 50 }), 'Part of the name.', 'ホーム'),
  inQuery('has', Type.Enum(['published_fees'], { type: 'string' }), 'Published fees only.', 'published_fees'),
];

/** Radii around a place, metres. */
export const RADII = [500, 1000, 2000, 3000] as const;

/** A parameter for a latitude or longitude. The place of a visitor is private. */
const position = (name: string, least: number, most: number, example: string): Parameter => ({
  ...inQuery(name, Type.Number({ minimum: least, maximum: most }), 'A place in Japan, degrees.', example),
  isPrivate: true,
});

/** Orders of the homes around a place, the usual one first. */
export const NEAR_SORTS = ['distance', 'cost'] as const;

/** Parameters of the page of homes around a place, besides the case. */
export const NEAR_FIELDS: readonly Parameter[] = [
  { ...inQuery('q', Type.String({ maxLength: 100 }), 'The place, by name or address.', '$town_name'), isPrivate: true },
  position('lat', 20, 46, '35.6937884'),
  position('lon', 122, 154, '139.7679135'),
  inQuery('r', Type.Enum([...RADII.map(String)], { type: 'string' }), 'Radius, metres.', '2000'),
  inQuery('service', Type.Enum(['homes', ...HOMES], { type: 'string' }), 'The service; homes: every home.', '510'),
  MAX_YEN_FIELD,
  inQuery('sort', Type.Enum([...NEAR_SORTS], { type: 'string' }), 'The order; homes without a cost come last.', 'cost'),
];

/** The part of the query about the search for homes around a place; empty when there was none. */
export const searchQuery = (query: URLSearchParams): [string, string][] => {
  const values = NEAR_FIELDS.map(({ name }): [string, string] => [name, query.get(name) ?? '']).filter(
    ([, one]) => one,
  );
  const names = values.map(([name]) => name);
  return names.includes('q') || (names.includes('lat') && names.includes('lon')) ? values : [];
};

/** The parameters of the results from which a visitor comes to a home: a search around a place, or the filters of a table. */
export const RESULT_FIELDS: readonly Parameter[] = [
  ...NEAR_FIELDS,
  ...FILTER_FIELDS.filter(({ name }) => name !== MAX_YEN_FIELD.name),
];

/** Their names. A sheet for a visit does not print the most that its visitor would pay. */
export const RESULT_FIELD_NAMES = RESULT_FIELDS.map(({ name }) => name);

/**
 * The part of the query about the results from which the visitor came. The pages of homes take it along, so that they
 * have a link back to these results.
 */
export const resultsQuery = (query: URLSearchParams): [string, string][] => {
  const search = searchQuery(query);
  return search.length > 0 ? search : filterQuery(query);
};

/** The part of the query about the case and about the results from which the visitor came. */
export const caseAndResults = (query: URLSearchParams): [string, string][] => [
  ...caseQuery(query),
  ...resultsQuery(query),
];

/** The path of a page of a home for the case, with the way back to these results. */
export const homePath = ({ query }: PageAsk, id: string, page: '' | 'visit/' = ''): string =>
  withQuery(`/kaigo/facility/${id}/${page}`, caseAndResults(query));

/** The links on the way to a page of homes: the care half, and the results of the search from which the visitor came. */
export function crumbsFromSearch(ask: PageAsk): Crumb[] {
  const { care } = textsOf(ask);
  const search = searchQuery(ask.query);
  if (search.length === 0) return [careCrumb(ask)];
  const { maxYen } = filterIn(ask.query);
  const name = care.backToResults(ask.query.get('q'), maxYen === null ? null : care.yen(maxYen));
  return [careCrumb(ask), { name, path: withQuery('/kaigo/near/', [...search, ...caseQuery(ask.query)]) }];
}

/** The filters in the query. */
export function filterIn(query: URLSearchParams): RowFilter {
  const number = (name: string): number | null => writtenNumber(query.get(name) ?? '') ?? null;
  return {
    maxYen: plausibleSum(number('max_yen')),
    minCapacity: number('min_capacity'),
    openOn: OPEN_DAYS.find((day) => day === query.get('open_on')) ?? null,
    has: query.get('has') === 'published_fees' ? ['published_fees'] : [],
    name: query.get('name') || null,
    // Pages do not filter by quality; only the operation does.
    atLeast: [],
    atMost: [],
  };
}

/** Least sum that filters. A smaller one is a slip, such as 15 for 15万: no home costs so little. */
const LEAST_YEN = 1000;

/** A sum for the filter; null when there is none or it is a slip. */
const plausibleSum = (yen: number | null): number | null => (yen !== null && yen < LEAST_YEN ? null : yen);

/** Messages about invalid numbers in the query, beside the form that keeps them; null when all are valid. */
export function wrongNumbers(ask: PageAsk): Fragment {
  const { care } = textsOf(ask);
  const sum = ask.query.get('max_yen') ?? '';
  const places = ask.query.get('min_capacity') ?? '';
  // Undefined: not a number; null: the field is empty.
  const yen = writtenNumber(sum);
  const isWrongSum = yen === undefined || (yen !== null && yen < LEAST_YEN);
  const lines = [
    isWrongSum ? care.wrongSum(sum) : null,
    writtenNumber(places) === undefined ? care.wrongPlaces(places) : null,
  ];
  const messages = lines.flatMap((line) => (line === null ? [] : html`<p class="unknown" role="alert">${line}</p>`));
  return messages.length === 0 ? null : messages;
}

/** The part of the query about the filters, for links; without empty values. */
export const filterQuery = (query: URLSearchParams): [string, string][] =>
  FILTER_FIELDS.flatMap(({ name }) =>
    query
      .getAll(name)
      .slice(0, 1)
      .filter(Boolean)
      .map((value): [string, string] => [name, value]),
  );

/**
 * The filters in words, each behind its name; null when there is none. With a limit of the cost, a second line says
 * which figure and kind of room it is compared with.
 */
export function filterLine(ask: PageAsk): Fragment {
  const { care, frame } = textsOf(ask);
  const { maxYen, minCapacity, openOn, name, has } = filterIn(ask.query);
  const chosen = [
    [care.maxYen, maxYen && care.yen(maxYen)],
    [care.minCapacity, minCapacity && care.people(minCapacity)],
    [care.openOn, openOn && care.dayNames[openOn]],
    [care.namePart, name],
  ] as const;
  const words = chosen.flatMap(([label, value]) => (value ? frame.labelled(label, value) : []));
  if (has.length > 0) words.push(care.publishedFeesOnly);
  const isOnAssistance = caseIn(ask.query).aid === 'public_assistance';
  const roomNote = maxYen === null ? null : html`<br>${care.roomWithin('low', isOnAssistance)}`;
  return words.length === 0 ? null : html`<p class="note">${isolated(frame.list(words), [name ?? ''])}${roomNote}</p>`;
}

/** The filters as fields of a form. */
export function filterFields(ask: PageAsk): Html {
  const { care } = textsOf(ask);
  const { openOn, name, has } = filterIn(ask.query);
  const days = ['any', ...OPEN_DAYS].map((day) => [day, care.dayNames[day] ?? day] as const);
  return html`<label>${care.maxYen}<input name="max_yen" size="8" maxlength="30" placeholder="${care.sumExample}" value="${ask.query.get('max_yen') ?? ''}"></label>
<label>${care.minCapacity}<input name="min_capacity" inputmode="numeric" size="4" maxlength="30" value="${ask.query.get('min_capacity') ?? ''}"></label>
${selectField('open_on', care.openOn, days, openOn)}
<label>${care.namePart}<input name="name" maxlength="50" size="10" value="${name ?? ''}"></label>
<label class="whole"><span><input type="checkbox" name="has" value="published_fees"${has.includes('published_fees') ? html` checked` : null}> ${care.publishedFeesOnly}</span></label>`;
}

/** Words before and after a sum a month that do not change it: 月15万円以内. */
const SUM_WORDS = { before: '月|約', after: '以下|以内|まで|くらい|ぐらい|程度' } as const;
/** What a written number may have besides its digits. */
const BESIDE_DIGITS = new RegExp(`[\\s,、，_]|円|¥|\\\\|yen|以上|人|${SUM_WORDS.before}|${SUM_WORDS.after}`, 'g');

const IN_KANJI = new RegExp(`${KANJI_NUMBER}(?=[万千])`, 'g');

const DECIMAL = '\\d+(?:\\.\\d+)?';
const BELOW_TEN_THOUSAND = `(?:(?:${DECIMAL}|${KANJI_NUMBER})千)?(?:\\d[\\d,]*)?`;

/**
 * A sum a month in a search, in the forms of `writtenNumber`: 15万, 12.5万円以内, 15万5千円. It has 万, because a plain number
 * can be of an address; one in kanji also has a word behind it, because 四万十 and 八万 are places. 15万円以上 is not the most
 * to pay.
 */
export const SUM_IN_SEARCH = new RegExp(
  `(?:(?:^|[\\sでにの、])(?:${SUM_WORDS.before})*)?(?<![\\d.])(${DECIMAL}万${BELOW_TEN_THOUSAND}|` +
    `${KANJI_NUMBER}万${BELOW_TEN_THOUSAND}(?=円|${SUM_WORDS.after}))(?!\\d|千|,\\d|円?以上)円?(?:${SUM_WORDS.after})*[での]?`,
);

const WRITTEN_NUMBER = new RegExp(`^(?:(${DECIMAL})万)?(?:(${DECIMAL})千)?(\\d+)?$|^(${DECIMAL})k$`);

/** Limit of the digits of a sum or a number of places. */
const MOST_DIGITS = 9;

/**
 * A number as people write it: 150,000, 15万, 十五万, 1万5千, １５００００円, 15.5万, 150k, 月15万円以内; spaces do not
 * matter.
 * Undefined when it is not a number; null when it is empty.
 */
function writtenNumber(text: string): number | null | undefined {
  const plain = text
    .normalize('NFKC')
    .toLowerCase()
    .replace(BESIDE_DIGITS, '')
    .replace(IN_KANJI, (digits) => String(kanjiNumber(digits)));
  if (plain === '') return null;
  const [, tenThousands, thousands, ones, kilos] = WRITTEN_NUMBER.exec(plain) ?? [];
  const allParts = [
    [tenThousands, 10_000],
    [thousands, 1000],
    [ones, 1],
    [kilos, 1000],
  ] as const;
  const parts = allParts.filter(([digits]) => digits !== undefined);
  const value = Math.round(parts.reduce((sum, [digits, times]) => sum + Number(digits) * times, 0));
  return parts.length === 0 || String(value).length > MOST_DIGITS ? undefined : value;
}
