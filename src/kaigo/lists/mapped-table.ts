import { type FindingKind, Findings, type Place } from '../findings.ts';
import { isDash, plain, tidy, webAddress, withoutControls } from '../text.ts';
import { day, decimalNumber, type Typed, wholeNumber } from '../values.ts';
import { csvRecords, fitsHeader, MOST_TITLES, separatorOf } from './csv.ts';
import { decodeTable, notedSeparator } from './decode.ts';

/** The source of one field of a table; docs/details-mapping.md explains it. */
export interface FieldSource {
  column?: string | string[];
  value?: string;
  default?: string;
  pattern?: string;
  values?: Record<string, string>;
  times?: number;
  min?: number;
  max?: number;
}

/** Who publishes a table, and the day of its data, YYYY-MM-DD. */
export interface TableCredit {
  name: string;
  url: string;
  attribution: string;
  date?: string;
}

/** The members that the mappings of all kinds of tables have. */
export interface TableMapping {
  about?: string;
  /** Name of the sheet of a workbook; the first without it. */
  sheet?: string;
  credit?: TableCredit;
  /** Comes with the program: its columns are names that a table may have. */
  isBuiltIn?: true;
}

/** How a field is read. */
export type FieldForm = 'text' | 'word' | 'day' | 'whole' | 'decimal' | 'address';

/**
 * Reads the value of a field: pattern, words and default of the mapping, then the form of the field.
 * @param published the text of the cell
 * @param words the words that the field may have; absent: any
 */
export function readField(
  form: FieldForm,
  source: FieldSource,
  published: string,
  words?: readonly string[],
): Typed<string | number> {
  let text = source.value ?? tidy(published);
  const isWord = (word: string): boolean => plain(word) === plain(text);
  if (isDash(text) && !Object.keys(source.values ?? {}).some(isWord)) text = '';
  if (text !== '' && source.pattern !== undefined) {
    const match = new RegExp(source.pattern, 'u').exec(text);
    if (match === null) return 'unreadable';
    text = match[1] ?? match[0];
  }
  if (text !== '' && source.values !== undefined) {
    const spelling = plain(text);
    const [, word] = Object.entries(source.values).find(([one]) => plain(one) === spelling) ?? [];
    // A column of numbers may also have words, such as なし.
    if (word === undefined && !isNumber(form)) return 'unreadable';
    text = word ?? text;
  }
  if (text === '') text = source.default ?? '';
  if (text === '') return 'blank';
  if (form === 'day') {
    const date = day(text);
    return typeof date === 'string' ? date : { value: date.value.day };
  }
  if (isNumber(form)) return numberOf(form, source, text);
  if (form === 'address') {
    const address = webAddress(text);
    return address === null ? 'unreadable' : { value: address };
  }
  return words === undefined || words.includes(text) ? { value: text } : 'unreadable';
}

/** The forms that hold numbers. */
type NumberForm = Extract<FieldForm, 'whole' | 'decimal'>;
const isNumber = (form: FieldForm): form is NumberForm => form === 'whole' || form === 'decimal';

/** The number of a text in the unit of its field; unreadable beyond the bounds of the source. */
function numberOf(form: NumberForm, { times = 1, min = 0, max = Infinity }: FieldSource, text: string): Typed<number> {
  const number = form === 'whole' && times === 1 ? wholeNumber(text) : decimalNumber(text);
  if (typeof number === 'string') return number;
  const product = number.value * times;
  const value = form === 'whole' ? Math.round(product) : product;
  return value >= min && value <= max ? { value } : 'unreadable';
}

/** The position of each column by its name in one spelling. The first of two columns with one name counts. */
type ColumnPlaces = ReadonlyMap<string, number>;

/** A unit behind the name of a column. */
const UNIT = /\((円|円\/月|円・月|月額|月額・?円|税込|人|名|[千万]円)\)$/;

/** The positions of columns by their names, and by their names without units. */
function columnPlaces(header: readonly string[]): Map<string, number> {
  const places = new Map<string, number>();
  const names = header.map(plain);
  for (const spellings of [names, names.map((name) => name.replace(UNIT, ''))]) {
    spellings.forEach((name, i) => {
      if (!places.has(name)) places.set(name, i);
    });
  }
  return places;
}

/**
 * The names of columns on two lines: 家賃 above 最低 and 最高 makes 家賃最低 and 家賃最高. A cell of the upper line that is empty
 * belongs to the one at its left. An empty name stands for a column that has one name only.
 */
function namesOfTwoLines(upper: readonly string[], lower: readonly string[]): string[] {
  let upperName = '';
  return lower.map((cell, i) => {
    upperName = plain(upper[i] ?? '') || upperName;
    const lowerName = plain(cell);
    return lowerName === '' || lowerName === upperName ? '' : upperName + lowerName;
  });
}

/** The positions of columns by both names together, by the upper one and by the lower one. */
function placesOfTwoLines(upper: readonly string[], lower: readonly string[]): ColumnPlaces {
  const places = columnPlaces(upper);
  const upperWithoutUnits = upper.map((name) => plain(name).replace(UNIT, ''));
  for (const names of [namesOfTwoLines(upper, lower), namesOfTwoLines(upperWithoutUnits, lower), lower]) {
    for (const [name, place] of columnPlaces(names)) {
      if (name !== '' && !places.has(name)) places.set(name, place);
    }
  }
  return places;
}

/** The position of the column of a source, or undefined. */
function columnOf(source: FieldSource | undefined, at: ColumnPlaces): number | undefined {
  for (const name of [source?.column ?? []].flat()) {
    const place = at.get(plain(name));
    if (place !== undefined) return place;
  }
  return undefined;
}

/** A row of a table whose columns a mapping names. */
export interface MappedRow extends Place {
  /** The text in the column of a source; empty when the table has no such column. */
  cell(source: FieldSource): string;
  /** For messages about a value that cannot be read: column, value, and what the field expects. */
  unreadable(field: string, form: FieldForm, source: FieldSource): string;
}

/** What a field of each form expects, in words. */
const EXPECTED: Readonly<Record<FieldForm, string>> = {
  text: 'a word of its mapping',
  word: 'a word of its mapping',
  day: 'a day',
  whole: 'a whole number',
  decimal: 'a number',
  address: 'a web address',
};

/** A table in which a mapping does not find its columns. */
export class MappedTableError extends Error {
  override name = 'MappedTableError';
}

/** A mapping that is not valid; the message lists its faults and their places. */
export class MappingError extends Error {
  override name = 'MappingError';
}

/** How the reader of one kind of tables reads them. */
interface RowReader<Row> {
  /** The columns that every table has. */
  required: readonly FieldSource[];
  /** The sources of the mapping by field. Those without a column are noted. */
  sources: readonly [field: string, source: FieldSource][];
  /** Counts rows that cannot be read. */
  fault: FindingKind;
  /** Makes what is kept of a row; null when the row is noted with `fault` and left out. */
  rowOf(row: MappedRow): Row | null;
}

/** A table that was read. Every row is kept, or counted in the findings. */
export interface MappedTable<Row> {
  file: string;
  /** Null when its mapping has none. */
  credit: TableCredit | null;
  /** Rows that are not blank. */
  rowsRead: number;
  rows: Row[];
}

/** The names of the columns, in one line or two. */
interface Header {
  line: number;
  /** Number of columns. */
  width: number;
  /** One name for each column. */
  names: readonly string[];
  at: ColumnPlaces;
}

/**
 * Reads a table below the names of its columns. The header is the first line with all required columns, together with
 * the next line if that has only names. Rows that cannot be read are noted with `fault`, empty ones as `row_blank`.
 * @throws MappedTableError when no line has the required columns
 */
export function readMappedTable<Row>(
  bytes: Uint8Array,
  file: string,
  { credit = null, isBuiltIn }: Omit<TableMapping, 'credit'> & { credit?: TableCredit | null },
  { required, sources, fault, rowOf }: RowReader<Row>,
  findings: Findings,
): MappedTable<Row> {
  const text = decodeTable(bytes, file, findings);
  const records = csvRecords(text, notedSeparator(text, file, findings), MOST_TITLES);
  const { header, firstRecord } = findHeader(records, required, file);
  for (let line = 1; line < header.line; line++) findings.note('file_titles', { file, line });
  if (isBuiltIn) noteUnreadColumns(header, sources, file, findings);
  else noteColumnFaults(header, sources, file, findings);
  const table: MappedTable<Row> = { file, credit, rowsRead: 0, rows: [] };
  const recordsBelow = function* () {
    if (firstRecord !== undefined) yield firstRecord;
    yield* records;
  };
  for (const { line, values, strayQuotes } of recordsBelow()) {
    const place = { file, line };
    if (strayQuotes) findings.note('row_stray_quotes', place);
    if (values?.every((value) => value.trim() === '')) {
      findings.note('row_blank', place);
      continue;
    }
    table.rowsRead++;
    if (values === null) findings.note(fault, place, 'broken quoting');
    else if (!fitsHeader(values, header.width)) {
      findings.note(fault, place, `${values.length} values where the header has ${header.width}`);
    } else {
      const cell = (source: FieldSource) => {
        const i = columnOf(source, header.at) ?? -1;
        const text = withoutControls(values[i] ?? '');
        return isBuiltIn ? withUnit(text, header.names[i] ?? '') : text;
      };
      const unreadable = (field: string, form: FieldForm, source: FieldSource) => {
        const column = header.names[columnOf(source, header.at) ?? -1] ?? 'value';
        const expected = field === 'facility_id' ? 'an office number' : EXPECTED[form];
        return `${column}: ${tidy(cell(source))}; expected ${expected} (${field})`;
      };
      const row = rowOf({ ...place, cell, unreadable });
      if (row !== null) table.rows.push(row);
    }
  }
  return table;
}

/** A number below 家賃(千円) with its unit. A mapping of the user has `times` for it. */
function withUnit(text: string, column: string): string {
  const [, unit = ''] = /\(([千万]円)\)$/.exec(column) ?? [];
  return unit !== '' && /^[\d,.]+$/.test(plain(text)) ? text + unit : text;
}

/** Notes the columns that no field of a built-in mapping reads. */
function noteUnreadColumns(
  { line, names, at }: Header,
  sources: RowReader<unknown>['sources'],
  file: string,
  findings: Findings,
) {
  const columnsRead = new Set(sources.map(([, source]) => columnOf(source, at)));
  for (const [i, name] of names.entries()) {
    if (name !== '' && !columnsRead.has(i)) findings.note('column_extra', { file, line }, `${name}, column ${i + 1}`);
  }
}

/** Notes the columns of a mapping that the table lacks or has twice. */
function noteColumnFaults(
  { line, names, at }: Header,
  sources: RowReader<unknown>['sources'],
  file: string,
  findings: Findings,
): void {
  for (const [field, source] of sources) {
    const column = columnOf(source, at);
    if (column === undefined) {
      if (source.value === undefined) {
        findings.note('detail_column', { file, line }, `${field} (${[source.column].flat().join(', ')})`);
      }
      continue;
    }
    for (const [i, name] of names.entries()) {
      if (i === column || name !== names[column]) continue;
      findings.note('column_extra', { file, line }, `${name}, column ${i + 1} as column ${column + 1}`);
    }
  }
}

/**
 * True when a table has all required columns.
 * @param some columns of which it must have one too; empty: none is needed
 */
export function hasColumns(
  bytes: Uint8Array,
  file: string,
  required: readonly FieldSource[],
  some: readonly FieldSource[] = [],
): boolean {
  const text = decodeTable(bytes, file, new Findings());
  const records = csvRecords(text, separatorOf(text), MOST_TITLES);
  try {
    const { at } = findHeader(records, required, file).header;
    return some.length === 0 || some.some((source) => columnOf(source, at) !== undefined);
  } catch (error) {
    if (error instanceof MappedTableError) return false;
    throw error;
  }
}

type Records = ReturnType<typeof csvRecords>;
type CsvRecord = Records extends Generator<infer One> ? One : never;

/**
 * Reads the lines up to the header.
 * @returns `firstRecord`: the record below the header, if it was read too
 * @throws MappedTableError when none of the first lines has the required columns
 */
function findHeader(
  records: Records,
  required: readonly FieldSource[],
  file: string,
): { header: Header; firstRecord: CsvRecord | undefined } {
  // A source with a fixed value needs no column.
  const needed = required.filter(({ value }) => value === undefined);
  for (let titles = 0; titles < MOST_TITLES; titles++) {
    const { value: record } = records.next();
    if (!record) break;
    const values = record.values ?? [];
    const at = columnPlaces(values);
    const places = needed.map((source) => columnOf(source, at));
    if (places.includes(undefined)) continue;
    const { value: next } = records.next();
    const upper = { line: record.line, width: values.length, names: values.map(plain), at };
    if (!next?.values || !isSecondLine(next.values, values, places as number[])) {
      return { header: upper, firstRecord: next ?? undefined };
    }
    const names = namesOfTwoLines(values, next.values).map((name, i) => name || plain(values[i] ?? ''));
    return { header: { ...upper, names, at: placesOfTwoLines(values, next.values) }, firstRecord: undefined };
  }
  const expectedNames = needed.map(({ column = '' }) => [column].flat().join(' or '));
  throw new MappedTableError(
    `${file}: none of its first ${MOST_TITLES} lines names the columns ${expectedNames.join(', ')}`,
  );
}

/**
 * True when a line has only names of columns: no number, and in the required columns nothing or the same name once
 * more.
 */
function isSecondLine(values: readonly string[], upper: readonly string[], places: readonly number[]): boolean {
  const isEmptyOrSame = (i: number) => ['', plain(upper[i] ?? '')].includes(plain(values[i] ?? ''));
  const hasName = values.some((_, i) => !isEmptyOrSame(i));
  return hasName && places.every(isEmptyOrSame) && values.every((value) => typeof decimalNumber(value) === 'string');
}
