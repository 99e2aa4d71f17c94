import type { Room } from '../../contract/kaigo-cost.ts';
import type { FileLine, Findings } from '../findings.ts';
import { SERVICES, serviceOf } from '../services.ts';
import { plain, tidy } from '../text.ts';
import {
  type FieldSource,
  type MappedRow,
  type MappedTable,
  readField,
  type TableKind,
  type TableMapping,
  type WantedColumns,
} from './mapped-table.ts';

/** The additions that an office has filed for a service (介護給付費算定に係る体制等に関する届出). */
export interface Filing extends FileLine {
  facility_id: string;
  service_code: string;
  /** Names of additions of the fee table. */
  additions: readonly string[];
  /** Name of the treatment improvement rate, or `none`; null when the list does not say. */
  treatment: string | null;
}

/** The columns of the filed additions of an office. */
export interface FilingMapping extends TableMapping {
  schema: 'hidamari-filings/1';
  fields: Record<'facility_id' | 'service_code', FieldSource> &
    Partial<Record<'treatment' | 'starts_on' | 'ends_on', FieldSource>>;
  /** Each gives the names of additions, separated by spaces; `none` means no addition. */
  additions: readonly FieldSource[];
  /**
   * The columns of a list that has a row for each addition: one says which addition, the other what the office has filed
   * for it. The first has the names that are columns elsewhere, so the `column` of additions and treatment is looked for
   * there.
   */
  addition_rows?: { name: string; value: string };
}

/** The names of additions in a text; empty for `none`. */
export const additionsIn = (text: string): string[] => text.split(/\s+/).filter((id) => id !== '' && id !== 'none');

/** A row of a list: an office, and the services of which one is meant. */
export interface FiledRow extends Omit<Filing, 'service_code'> {
  /** Usually one. Several where the list names a family of services, such as 特定施設入居者生活介護. */
  service_codes: readonly string[];
  /** The name of the addition in a list with a row for each; else null. */
  subject: string | null;
  /** First and last day in force, YYYY-MM-DD; null where the list does not say. */
  starts_on: string | null;
  ends_on: string | null;
}

/** Names of the form of the filing that differ from those of the lists, with the codes of bills. */
const NAMES_OF_FORM: readonly [code: string, name: string, services: string][] = [
  ['33', '特定施設入居者生活介護', '331 332 334 335 336 337'],
  ['36', '地域密着型特定施設入居者生活介護', '361 362 364'],
  ['51', '介護福祉施設サービス', '510'],
  ['52', '介護保健施設サービス', '520'],
  ['55', '介護医療院サービス', '550'],
  ['54', '地域密着型介護老人福祉施設', '540'],
  ['77', '看護小規模多機能型居宅介護', '770'],
];

/** A number or letter of the form before a word: 51 介護福祉施設サービス, 2：加算Ⅰ, A 加算Ⅰロ. The form has 1 for なし. */
const BEHIND_NUMBER = '^(?:\\d{1,2}\\s*[:：.．]?\\s*(?=\\D)|[A-ZＡ-Ｚ]\\s*[:：.．\\s]\\s*)?(.+)$';

/** Words for services: official and short names, names and codes of the form ({@link NAMES_OF_FORM}), and codes of bills. */
function serviceWords(): Record<string, string> {
  return Object.fromEntries([
    ...SERVICES.flatMap(({ service_code: code, name, short_name: short }) => [
      [name, code],
      [code, code],
      ...(short === null ? [] : [[short, code]]),
      // Bills have two digits: 51 is service 510, but 33 is several services (331, 332, …).
      ...(code.endsWith('0') ? [[code.slice(0, 2), code]] : []),
    ]),
    ...NAMES_OF_FORM.flatMap(([code, name, services]) => [
      [code, services],
      [name, services],
    ]),
  ]);
}

/** Preventive services (介護予防サービス), by name or code of bills. The fee table has no additions for them. */
const PREVENTIVE = /^(\d\w\W*)?介護予防|^(24|25|26|2B|35|37|38|39|46|6\d|74|75)(?!\d)/;

/** Words for yes and no in lists of filed additions. */
const YES = ['あり', '有', '有り', '○', '〇', '◯', '●', '届出あり'];
const NO = ['なし', '無', '無し', '×', '-', '届出なし'];

/**
 * The mapping of a list that has a column for each addition, named as in the notice (夜勤職員配置加算(Ⅰ)イ), or for
 * each family of additions (看護体制加算: Ⅰロ・Ⅱロ).
 * @param additions of the fee table
 * @param rates the names of the treatment improvement rates
 */
export function builtInFilings(
  additions: readonly { id: string; label: string; rooms?: readonly Room[] }[],
  rates: readonly string[],
): FilingMapping {
  const labels = new Map(additions.map(({ id, label }) => [label, id]));
  return {
    schema: 'hidamari-filings/1',
    about: 'a column for each addition',
    isBuiltIn: true,
    fields: {
      facility_id: { column: ['事業所番号', '介護保険事業所番号', '介護保険事業者番号'] },
      service_code: {
        column: ['サービス種類', 'サービスの種類', '提供サービス', 'サービス種別', 'サービス名', 'サービス'],
        pattern: BEHIND_NUMBER,
        values: serviceWords(),
      },
      // The word あり is not in it, because it names no rate.
      treatment: {
        column: ['介護職員等処遇改善加算', '処遇改善加算'],
        pattern: BEHIND_NUMBER,
        values: Object.fromEntries([...rates.flatMap(rateLabels), ...NO.map((word) => [word, 'none'])]),
      },
      starts_on: { column: ['適用年月日', '適用開始年月日', '適用開始日', '算定開始年月日', '異動年月日'] },
      ends_on: { column: ['適用終了年月日', '適用終了日', '算定終了年月日'] },
    },
    additions: additionColumns(labels, new Map(additions.map(({ id, rooms = [] }) => [id, rooms]))),
  };
}

/** A level in the name of an addition: (Ⅰ), (Ⅰ)イ. */
const LEVEL = /\([ⅠⅡⅢⅣ]\)[イロハ]?$/;

/** What may follow a level: イ is for small homes, ロ for large ones, or the like. */
const KANA = /(?<=\))[イロハ]$/;

/** The names of a column of additions, and the meanings of its cells. */
interface AdditionColumn {
  column: string | string[];
  cells: Cell[];
}

/** The ID of each addition by its label. */
type Labels = ReadonlyMap<string, string>;

/**
 * The columns of additions: for one addition, for one level (Ⅰ) of an addition, or for a whole family of additions.
 * @param roomsOf the kinds of room of each addition; none: it is for all
 */
function additionColumns(labels: Labels, roomsOf: ReadonlyMap<string, readonly Room[]>): FieldSource[] {
  const columns = [...singleColumns(labels), ...levelColumns(labels), ...familyColumns(labels, roomsOf)];
  return columns.map(({ column, cells }) => ({ column, pattern: BEHIND_NUMBER, values: Object.fromEntries(cells) }));
}

/** The additions with a level. */
const leveled = (labels: Labels): [label: string, id: string][] => [...labels].filter(([label]) => LEVEL.test(label));

/** A label without its level: 看護体制加算 of 看護体制加算(Ⅰ)ロ. */
const familyOf = (label: string): string => label.replace(LEVEL, '');

/** The columns 看護体制加算(Ⅰ)ロ, also without brackets: yes or no. */
function singleColumns(labels: Labels): AdditionColumn[] {
  // 夜勤職員配置加算 is an addition of one service, and a family of another. Its column is one of `familyColumns`.
  const families = new Set(leveled(labels).map(([label]) => familyOf(label)));
  return [...labels]
    .filter(([label]) => !families.has(label))
    .map(([label, id]) => ({ column: [label, withoutBrackets(label)], cells: yesOrNo(id) }));
}

/**
 * The columns of additions that differ only by イ, ロ or ハ: for 看護体制加算(Ⅰ)イ and 看護体制加算(Ⅰ)ロ the column
 * 看護体制加算(Ⅰ), also without brackets. Its cells say イ or ロ, the level with it (Ⅰイ, Ⅰロ), or no.
 */
function levelColumns(labels: Labels): AdditionColumn[] {
  const withKana = leveled(labels).filter(([label]) => KANA.test(label));
  const additionsByColumn = Map.groupBy(withKana, ([label]) => label.replace(KANA, ''));
  return [...additionsByColumn].map(([column, additions]) => {
    const family = familyOf(column);
    const levels = additions.map(([label, id]) => ({ level: label.slice(family.length), id }));
    const kanaCells = additions.map(([label, id]): Cell => [label.slice(column.length), id]);
    // A yes does not tell which of the additions is meant.
    const noCells = yesOrNo(undefined);
    return { column: [column, withoutBrackets(column)], cells: [...levelCells(levels), ...kanaCells, ...noCells] };
  });
}

/**
 * The columns 看護体制加算: one level or two (Ⅰロ, 加算Ⅰロ, Ⅰロ・Ⅱロ), or no; or yes where it is clear which levels are meant.
 */
function familyColumns(labels: Labels, roomsOf: ReadonlyMap<string, readonly Room[]>): AdditionColumn[] {
  const families = Map.groupBy(leveled(labels), ([label]) => familyOf(label));
  return [...families].map(([column, members]) => {
    const levels = members.map(([label, id]) => ({ level: label.slice(column.length), id }));
    const ids = levels.map(({ id }) => id);
    const rooms = ids.map((id) => roomsOf.get(id) ?? []);
    const eachHasRooms = rooms.every((roomsOfLevel) => roomsOfLevel.length > 0);
    const noRoomHasTwo = new Set(rooms.flat()).size === rooms.flat().length;
    // A yes means all levels if each is for other rooms (日常生活継続支援加算): only one of them counts at a home.
    const yes = labels.get(column) ?? (eachHasRooms && noRoomHasTwo ? ids.join(' ') : undefined);
    return { column, cells: [...levelCells(levels), ...yesOrNo(yes)] };
  });
}

/** A text of a cell, and the IDs of the additions that it means, separated by spaces; or `none`. */
type Cell = [text: string, ids: string];

const withoutBrackets = (text: string): string => text.replace(/[()]/g, '');

/**
 * The cells of a column that says yes or no.
 * @param id the addition that a yes means; undefined where a yes does not tell which level is meant, and is not read
 */
const yesOrNo = (id: string | undefined): Cell[] => [
  ...(id === undefined ? [] : YES.map((word): Cell => [word, id])),
  ...NO.map((word): Cell => [word, 'none']),
];

/** The ways to write a level: (Ⅰ)ロ, Ⅰロ, (Ⅰ)・ロ, Ⅰ・ロ, each also behind 加算. */
const levelTexts = (level: string): string[] =>
  [level, level.replace(KANA, '・$&')]
    .flatMap((text) => [text, withoutBrackets(text)])
    .flatMap((text) => [text, `加算${text}`]);

/** The cells that name a level of a family of additions. */
const levelCells = (levels: readonly { level: string; id: string }[]): Cell[] =>
  levels.flatMap(({ level, id }) => levelTexts(level).map((text): Cell => [text, id]));

export const FILED_ADDITIONS: TableKind<FilingMapping, FiledRow> = {
  schema: 'hidamari-filings/1',
  docs: 'docs/registers.md',
  columnsOf,
  fault: 'filing_row',
  rowOf: filingOf,
};

/**
 * The columns of office, service and what the office has filed: additions, and the rate of treatment improvement
 * (処遇改善加算).
 * - A list with a row for each office has a column for each addition and one for the rate. At least one column of an
 *   addition must be there (`anyOf`).
 * - A list with a row for each addition of an office has two columns: the name of the addition, and its value. The rate
 *   is a row, too.
 */
function columnsOf({ fields, additions, addition_rows: additionRows }: FilingMapping): WantedColumns {
  const required = [fields.facility_id, fields.service_code];
  const sources = Object.entries(fields);
  if (additionRows === undefined) {
    const sourcesOfAdditions = additions.map((source) => ['additions', source] as const);
    return { required, anyOf: additions, sources: [...sources, ...sourcesOfAdditions] };
  }
  const { name, value } = additionRows;
  const columns = Object.entries({ name, value }).map(([field, column]) => [field, { column }] as const);
  return {
    required: [...required, ...columns.map(([, source]) => source)],
    sources: [...sources.filter(([field]) => field !== 'treatment'), ...columns],
  };
}

/**
 * How lists write a treatment rate: I-ro is Ⅰロ or (Ⅰ)ロ, with or without 加算 before it. In comparisons ({@link plain})
 * Ⅰ is I.
 */
function rateLabels(rate: string): [label: string, rate: string][] {
  const [level = '', kind] = rate.split('-');
  const end = { i: 'イ', ro: 'ロ' }[kind ?? ''] ?? '';
  return ['', '加算'].flatMap((before) => [
    [`${before}${level}${end}`, rate],
    [`${before}(${level})${end}`, rate],
  ]);
}

/**
 * A row about one addition as a row with a column for it: `name` 看護体制加算, `value` Ⅰロ becomes a column 看護体制加算 with the cell
 * Ⅰロ. All other cells are empty.
 */
function asColumn(row: MappedRow, { name, value }: NonNullable<FilingMapping['addition_rows']>): MappedRow {
  const addition = tidy(row.cell({ column: name }));
  const isNamed = ({ column = [] }: FieldSource) =>
    [column].flat().some((columnName) => plain(columnName) === plain(addition));
  return {
    ...row,
    cell: (source) => (isNamed(source) ? row.cell({ column: value }) : ''),
    // The cell that cannot be read is in the column `value` of the table.
    unreadable: (field, form, _source, text) => `${addition}, ${row.unreadable(field, form, { column: value }, text)}`,
  };
}

/** What may stand between the additions in a cell. The name of one may have such a sign too. */
const BETWEEN_ADDITIONS = [/[、,;/]/, /・/, /\s+/];

/**
 * The meanings of a cell: of its text, or of each of several texts in it (看護体制加算(Ⅰ)ロ、夜勤職員配置加算(Ⅲ)ロ).
 * @returns `others`: the texts that cannot be read
 */
function wordsInCell(
  source: FieldSource,
  cell: string,
  separators: readonly RegExp[] = BETWEEN_ADDITIONS,
): { texts: string[]; others: string[] } {
  const whole = readField('text', source, cell);
  if (typeof whole === 'object') return { texts: [String(whole.value)], others: [] };
  if (whole === 'blank') return { texts: [], others: [] };
  const [separator, ...rest] = separators;
  if (separator === undefined) return { texts: [], others: [cell] };
  const parts = cell
    .normalize('NFKC')
    .split(separator)
    .map((part) => wordsInCell(source, part, rest));
  const texts = parts.flatMap((part) => part.texts);
  return texts.length === 0 ? { texts, others: [cell] } : { texts, others: parts.flatMap((part) => part.others) };
}

/** True when the service of a row has no code in the mapping, because it is a preventive one (予防). */
const isPreventive = (office: MappedRow, service: FieldSource): boolean =>
  readField('text', service, office.cell(service)) === 'unreadable' && PREVENTIVE.test(plain(office.cell(service)));

/**
 * The filing of a row. Null, and noted, for a row of a preventive service; without an office, a service or a value that
 * can be read; or about one addition whose cell is empty.
 */
function filingOf(row: MappedRow, mapping: FilingMapping, findings: Findings): FiledRow | null {
  const { fields, additions, addition_rows: additionRows } = mapping;
  const place = { file: row.file, line: row.line };
  if (isPreventive(row, fields.service_code)) {
    findings.note('filing_preventive', place, tidy(row.cell(fields.service_code)));
    return null;
  }
  let unreadable = 0;
  const noteUnreadable = (message: string): void => {
    unreadable++;
    findings.note('filing_value', place, message);
  };
  const textOf = (from: MappedRow, source: FieldSource, name: string, form: 'text' | 'office' | 'day'): string => {
    const result = readField(form, source, from.cell(source));
    if (result === 'unreadable') noteUnreadable(from.unreadable(name, form, source));
    return typeof result === 'string' ? '' : String(result.value);
  };
  const facilityId = textOf(row, fields.facility_id, 'facility_id', 'office');
  const serviceText = textOf(row, fields.service_code, 'service_code', 'text');
  const services = serviceText.split(' ').filter((code) => serviceOf(code) !== undefined);
  const leaveOut = (problem: string): null => {
    findings.note('filing_row', place, `office ${facilityId || 'none'}, ${problem}`);
    return null;
  };
  if (facilityId === '' || services.length === 0) return leaveOut(`service ${serviceText || 'none'}`);
  // Some lists have a column for each addition, others a row.
  const filed = additionRows === undefined ? row : asColumn(row, additionRows);
  const additionIds = additions.flatMap((source) => {
    const { texts, others } = wordsInCell(source, filed.cell(source));
    for (const other of others) noteUnreadable(filed.unreadable('the addition', 'text', source, other));
    return texts.flatMap(additionsIn);
  });
  // The office may charge additions that cannot be read, so the row does not mean that it charges none.
  if (additionIds.length === 0 && unreadable > 0) return leaveOut('no addition that can be read');
  const treatment = fields.treatment === undefined ? '' : textOf(filed, fields.treatment, 'treatment', 'text');
  const isEmpty = [fields.treatment ?? {}, ...additions].every((source) => filed.cell(source).trim() === '');
  const subject = additionRows === undefined ? null : tidy(row.cell({ column: additionRows.name }));
  // An empty row about one addition says nothing. One with a column for each addition says that the office has none.
  if (subject !== null && isEmpty) return leaveOut(`addition ${subject || 'none'} is not in the mapping, or empty`);
  const dayOf = (name: 'starts_on' | 'ends_on'): string | null => {
    const source = fields[name];
    return source === undefined ? null : textOf(row, source, name, 'day') || null;
  };
  return {
    ...place,
    facility_id: facilityId,
    service_codes: services,
    additions: [...new Set(additionIds)],
    treatment: treatment === '' ? null : treatment,
    subject,
    starts_on: dayOf('starts_on'),
    ends_on: dayOf('ends_on'),
  };
}

/** A row whose service is determined. */
type ServiceRow = FiledRow & { service_code: string };

/**
 * The filings by office and service. Rows of one office and service are put together: a list may have a row for each
 * addition. Of several rows with dates, those in force that began last count. Of the services that a row may mean, the
 * one counts that the office has.
 * @param offices the rows of the office lists
 * @param asOf YYYY-MM-DD, the day of the estimates
 */
export function joinFilings(
  tables: readonly MappedTable<FiledRow>[],
  offices: readonly { facilityId: string; serviceCode: string }[],
  asOf: string,
  findings: Findings,
): Map<string, Filing> {
  const filingByService = new Map<string, Filing>();
  const rows = tables.flatMap((table) => table.rows);
  // The offices of a country are many: without rows their set is not made.
  const offered = new Set(rows.length === 0 ? [] : offices.map((one) => one.facilityId + one.serviceCode));
  const serviceRows = rows.map((row): ServiceRow => {
    const offeredCode = row.service_codes.find((code) => offered.has(row.facility_id + code));
    return { ...row, service_code: offeredCode ?? row.service_codes[0] ?? '' };
  });
  for (const row of rowsInForce(serviceRows, asOf, findings)) {
    const { file, line, facility_id, service_code, additions, treatment } = row;
    const key = facility_id + service_code;
    const earlier = filingByService.get(key);
    if (earlier === undefined) {
      filingByService.set(key, { file, line, facility_id, service_code, additions, treatment });
      continue;
    }
    findings.note('filing_joined', row, `${facility_id}, service ${service_code}`);
    filingByService.set(key, {
      ...earlier,
      additions: [...new Set([...earlier.additions, ...additions])],
      treatment: earlier.treatment ?? treatment,
    });
  }
  return filingByService;
}

/** The rows in force on a day: of each office, service and addition those that began last. The others are noted. */
function rowsInForce(rows: readonly ServiceRow[], asOf: string, findings: Findings): ServiceRow[] {
  const startOf = ({ starts_on }: ServiceRow): string => starts_on ?? '';
  const keyOf = (row: ServiceRow): string => `${row.facility_id}${row.service_code}${plain(row.subject ?? '')}`;
  const isInForce = (row: ServiceRow): boolean => startOf(row) <= asOf && (row.ends_on ?? asOf) >= asOf;
  const lastStarts = new Map<string, string>();
  for (const row of rows.filter(isInForce)) {
    const last = lastStarts.get(keyOf(row)) ?? '';
    if (startOf(row) >= last) lastStarts.set(keyOf(row), startOf(row));
  }
  return rows.filter((row) => {
    const isLast = startOf(row) === lastStarts.get(keyOf(row));
    if (!isInForce(row)) {
      findings.note('filing_not_in_force', row, `${row.facility_id}, ${startOf(row)} to ${row.ends_on ?? ''}`);
    } else if (!isLast) findings.note('filing_superseded', row, `${row.facility_id}, from ${startOf(row) || 'no day'}`);
    return isInForce(row) && isLast;
  });
}
