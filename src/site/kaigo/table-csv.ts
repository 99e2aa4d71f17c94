import { type CostEstimate, leftToPay } from '../../contract/kaigo-cost.ts';
import { QUALITY_NAMES } from '../../contract/kaigo-quality.ts';
import { type ComparisonRow, kaigoMunicipality, SORTS } from '../../contract/operations/kaigo-municipality.ts';
import { absent, found, refused } from '../../contract/outcome.ts';
import { routeOf } from '../route.ts';
import { care as texts } from '../texts/care.ts';
import { CASE_FIELDS, caseIn, FILTER_FIELDS, filterIn } from './case.ts';
import { basisOf, monthlyOf } from './money.ts';

const care = texts.ja;

/** A column: its title, and its value for a row. */
type Column = readonly [string, (row: ComparisonRow) => string | number | null];

/** Excel reads digits as a number and drops leading zeros; a formula keeps them. */
const code = (text: string | null): string | null => (text === null ? null : `="${text}"`);

/** Three columns with a range of yen. */
const yenColumns = (title: string, rangeOf: (estimate: CostEstimate) => CostEstimate['monthly_yen']): Column[] =>
  (
    [
      ['低', 'low'],
      ['標準的', 'typical'],
      ['高', 'high'],
    ] as const
  ).map(([name, end]) => [`${title} ${name}（円）`, ({ cost_estimate }) => rangeOf(cost_estimate)?.[end] ?? null]);

const COLUMNS: readonly Column[] = [
  ['事業所番号', ({ facility_id }) => code(facility_id)],
  ['事業所名', ({ name }) => words(name)],
  ['住所', ({ address }) => words(address)],
  ['緯度', ({ lat }) => lat],
  ['経度', ({ lon }) => lon],
  ['定員', ({ capacity }) => capacity],
  ['利用者数', ({ users }) => users],
  ['開設日', ({ opened_on }) => opened_on],
  ['個室数', ({ rooms }) => rooms?.private ?? null],
  ['多床室数', ({ rooms }) => rooms?.shared ?? null],
  ['居室の型', ({ rooms }) => wordFor(care.roomKinds, rooms?.kind)],
  ['介護職員数', ({ staffing }) => staffing?.care_staff ?? null],
  ['看護職員数', ({ staffing }) => staffing?.nurses ?? null],
  ['介護職員1人当たり利用者数', ({ staffing }) => staffing?.users_per_care_staff ?? null],
  ['職員数の数え方', ({ staffing }) => wordFor(care.staffBasis, staffing?.basis)],
  ['利用者数の数え方', ({ staffing }) => wordFor(care.usersFrom, staffing?.users_from)],
  ...yenColumns('月額の目安', ({ monthly_yen }) => monthly_yen),
  ...yenColumns('軽減・払い戻し後', monthlyOf),
  [
    '目安の期間',
    ({ cost_estimate: { scenario } }) => (scenario.visits ? `${scenario.visits}回` : `${scenario.days}日`),
  ],
  ['目安の部屋', ({ cost_estimate }) => wordFor(care.roomNames, cost_estimate.room)],
  ['目安の根拠', ({ cost_estimate }) => wordFor(care.basis, basisOf([cost_estimate]))],
  ['食費の根拠', ({ cost_estimate }) => wordFor(care.feeOrigin, cost_estimate.basis?.food)],
  ['居住費の根拠', ({ cost_estimate }) => wordFor(care.feeOrigin, cost_estimate.basis?.room)],
  ['目安の確からしさ', ({ cost_estimate }) => wordFor(care.confidence, cost_estimate.confidence)],
  [
    '目安に含まないもの',
    ({ cost_estimate }) => cost_estimate.excludes.map((name) => wordFor(care.excludeNames, name)).join('、'),
  ],
  ['料金表', ({ cost_estimate }) => cost_estimate.price_list],
  ['法人番号', ({ corporation }) => code(corporation.corporate_number)],
  ['法人名', ({ corporation }) => words(corporation.name)],
  ...QUALITY_NAMES.flatMap((name): Column[] => [
    [care.qualityNames[name] ?? name, ({ quality }) => quality?.[name]?.value ?? null],
    [
      `${care.qualityNames[name] ?? name} 都道府県での位置（%）`,
      ({ quality }) => quality?.[name]?.prefecture.percentile ?? null,
    ],
    [
      `${care.qualityNames[name] ?? name} 全国での位置（%）`,
      ({ quality }) => quality?.[name]?.japan.percentile ?? null,
    ],
  ]),
];

/** With a partner the order is by what both pay. */
const COLUMNS_OF_COUPLE = [...COLUMNS, ...yenColumns('おふたりの軽減・払い戻し後', leftToPay)];

/** The text for a value of the answers. */
const wordFor = (words: Readonly<Record<string, string>>, word: string | null | undefined): string | null =>
  word == null ? null : (words[word] ?? word);

/** A text that begins like a formula, also with full-width signs, would be run: an apostrophe keeps it text. */
function words(text: string | null): string | null {
  return text !== null && /^\s*[=+\-@＝＋－＠\t\r\n]/.test(text) ? `'${text}` : text;
}

/** Rows as a table for Excel: byte order mark, CRLF, quotes where needed. Empty means unknown. */
function tableCsv(rows: readonly ComparisonRow[], columns: readonly Column[]): string {
  const cell = (value: string | number | null): string => {
    const text = value === null ? '' : String(value);
    return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
  };
  const lines = [columns.map(([title]) => title), ...rows.map((row) => columns.map(([, value]) => value(row)))];
  return `\ufeff${lines.map((line) => line.map(cell).join(',')).join('\r\n')}\r\n`;
}

const [municipalityCode, serviceCode, sort] = kaigoMunicipality.parameters;

/** A whole comparison table for a case, with the filters of its page, to download. */
export const careTableCsv = routeOf({
  id: 'care-table-csv',
  path: '/kaigo/{municipality_code}/{service_code}/table.csv',
  kind: 'page',
  section: 'kaigo',
  parameters: [municipalityCode, serviceCode, sort, ...CASE_FIELDS, ...FILTER_FIELDS],
  answer: { form: 'other', mediaType: 'text/csv; charset=utf-8' },
  fileName: ({ municipality_code, service_code }) => `kaigo-${municipality_code}-${service_code}.csv`,
  find({ municipality_code, service_code, sort: order, ...choices }, { dataset }) {
    // The case and the filters are read from a query, as on the page.
    const query = new URLSearchParams(
      Object.entries(choices).map(([name, value]): [string, string] => [name, String(value)]),
    );
    const careCase = caseIn(query);
    const kaigo = dataset.kaigo;
    if (kaigo === null) return absent();
    if (kaigo.caseFault(careCase, String(service_code)) !== null)
      return refused('invalid-parameter', 'This case is not possible here. The page of the table says why.');
    const inOrder = SORTS.find((one) => one === order) ?? 'id';
    const asked = { case: careCase, filter: filterIn(query) };
    const rows = kaigo.rows(String(municipality_code), String(service_code), inOrder, asked);
    return rows === null
      ? absent()
      : found(tableCsv(rows, careCase.partnerLevel === null ? COLUMNS : COLUMNS_OF_COUPLE));
  },
});
