import { type FileLine, type FindingKind, Findings } from '../findings.ts';
import { isDash, plain, tidy, webAddress, withoutControls, withoutFootnote } from '../text.ts';
import { day, decimalNumber, type Typed, wholeNumber } from '../values.ts';
import { csvRecords, fitsHeader, MOST_TITLE_LINES, separatorOf } from './csv.ts';
import { decodeTable, notedSeparator } from './decode.ts';
import { officeNumberIn } from './office-list.ts';

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
export type FieldForm = 'text' | 'word' | 'office' | 'day' | 'whole' | 'decimal' | 'address';

/**
 * Reads the value of a field: first by the pattern, words and default of the mapping, then by the form of the field.
 * @param published the text of the cell
 * @param words the words that the field may have; absent: any
 */
export function readField(
  form: FieldForm,
  source: FieldSource,
  published: string,
  words?: readonly string[],
): Typed<string | number> {
  const text = mappedText(form, source, published);
  if (text === null) return 'unreadable';
  if (text === '') return 'blank';
  if (form === 'day') {
    const date = day(text);
    return typeof date === 'string' ? date : { value: date.value.day };
  }
  if (isNumber(form)) return numberOf(form, source, text);
  if (form === 'office') {
    const number = officeNumberIn(text);
    return number === null ? 'unreadable' : { value: number };
  }
  if (form === 'address') {
    const address = webAddress(text);
    return address === null ? 'unreadable' : { value: address };
  }
  return words === undefined || words.includes(text) ? { value: text } : 'unreadable';
}

/** The text that a mapping makes of a cell; empty when it has no value, null when the pattern or the words do not fit it. */
function mappedText(form: FieldForm, source: FieldSource, published: string): string | null {
  const { pattern, values = {} } = source;
  let text = withoutMarks(source.value ?? tidy(published), values);
  if (text !== '' && pattern !== undefined) {
    const match = new RegExp(pattern, 'u').exec(text);
    if (match === null) return null;
    text = match[1] ?? match[0];
  }
  if (text !== '' && source.values !== undefined) {
    const word = wordFor(text, values);
    // A column of numbers may also have words, such as なし.
    if (word === undefined && !isNumber(form)) return null;
    text = word ?? text;
  }
  return text === '' ? (source.default ?? '') : text;
}

/** What `values` gives for a text in any spelling; undefined when it has no such text. */
function wordFor(text: string, values: Record<string, string>): string | undefined {
  const spelling = plain(text);
  return Object.entries(values).find(([one]) => plain(one) === spelling)?.[1];
}

/** A text without its footnote mark; empty for a dash. A text in `values` stays, because the mapping gives it a meaning. */
function withoutMarks(text: string, values: Record<string, string>): string {
  if (wordFor(text, values) !== undefined) return text;
  const unmarked = withoutFootnote(text);
  return isDash(unmarked) && wordFor(unmarked, values) === undefined ? '' : unmarked;
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

/** The numbers of the columns with a name (in the spelling of `plain`), from the left. */
type ColumnsByName = ReadonlyMap<string, readonly number[]>;

/** A unit in the name of a column. */
const UNIT = /\((円|円\/月|円・月|月額|月額・?円|税込|人|名|[千万]円)\)/g;

/**
 * The parts of the name of each column, from the lines of a header; none for a column without a name. The name of a group
 * also counts for the empty cells at its right:
 *
 *     家賃 |      | 食費 →  家賃, 最低 | 家賃, 最高 | 食費
 *     最低 | 最高 |
 */
function nameParts(lines: readonly (readonly string[])[]): string[][] {
  const columns: string[][] = [];
  // The names that count in a column, one for each line. An empty cell leaves the name that is at its left.
  const names = lines.map(() => '');
  const width = Math.max(...lines.map((line) => line.length));
  for (let column = 0; column < width; column++) {
    const cells = lines.map((line) => plain(line[column] ?? ''));
    for (const [i, cell] of cells.entries()) {
      if (cell === '') continue;
      // A new group begins: what is at the left of the lines below belongs to the group before.
      names.fill('', i);
      names[i] = cell;
    }
    // Below the last of its cells with a text, the column takes no name from the group at its left, as 食費 takes no 最高.
    const lowest = cells.findLastIndex((cell) => cell !== '');
    // A merged cell may have its name on each of its lines.
    columns.push(names.slice(0, lowest + 1).filter((part, i) => part !== '' && part !== names[i - 1]));
  }
  return columns;
}

/** The name of a column without one: that of the next named column at its left, with a number. */
function nameAfterLeft(columns: readonly string[][], column: number): string[] {
  const left = columns.findLastIndex((parts, i) => i < column && parts.length > 0);
  return left < 0 ? [] : [`${columns[left]?.join('')}${column - left + 1}`];
}

/**
 * The columns by their names: the whole name, or else adjacent parts of it; each also without units. A part that
 * several columns share names none of them: 最低 may be of rents and of deposits.
 * @param columns the parts of the name of each column, one for each line of the header ({@link nameParts})
 */
function columnsByName(columns: readonly string[][]): ColumnsByName {
  const withoutUnits = columns.map((parts) => parts.map((part) => part.replace(UNIT, '')));
  /** Every run of adjacent parts as one name. */
  const runsOf = (parts: readonly string[]): string[] => {
    const runs: string[] = [];
    for (let first = 0; first < parts.length; first++) {
      for (let end = first + 1; end <= parts.length; end++) runs.push(parts.slice(first, end).join(''));
    }
    return runs;
  };
  const byName = new Map<string, readonly number[]>();
  /** Adds the names of columns, except those that more than `mostColumns` columns have. */
  const add = (namesOf: (parts: readonly string[]) => string[], mostColumns: number) => {
    for (const spelling of [columns, withoutUnits]) {
      const names = spelling.flatMap((parts, i) => [...new Set(namesOf(parts))].map((name) => ({ name, i })));
      for (const [name, columnsOfName] of Map.groupBy(names, (one) => one.name)) {
        const numbers = columnsOfName.map(({ i }) => i);
        if (!byName.has(name) && numbers.length <= mostColumns) byName.set(name, numbers);
      }
    }
  };
  // Columns may share a whole name: the first is read. A part counts only if one column has it.
  add((parts) => [parts.join('')], Infinity);
  add(runsOf, 1);
  return byName;
}

/**
 * The columns of a source. A source may have several names: the first that the table has counts. Several columns may
 * have this name: the first of them is read. Empty when the table has none of the names.
 */
function columnsNamed(source: FieldSource, byName: ColumnsByName): readonly number[] {
  for (const name of [source.column ?? []].flat()) {
    const columns = byName.get(plain(name));
    if (columns !== undefined) return columns;
  }
  return [];
}

/** The column of a source, or undefined. */
const columnOf = (source: FieldSource, byName: ColumnsByName): number | undefined => columnsNamed(source, byName)[0];

/** A row of a table whose columns a mapping names. */
export interface MappedRow extends FileLine {
  /** The text in the column of a source; empty when the table has no such column. */
  cell(source: FieldSource): string;
  /**
   * For messages about a value that cannot be read: column, value, and what the field expects.
   * @param text the value; without it, the whole cell
   */
  unreadable(field: string, form: FieldForm, source: FieldSource, text?: string): string;
}

/** What a field of each form expects, in words. */
const EXPECTED: Readonly<Record<FieldForm, string>> = {
  text: 'a word of its mapping',
  word: 'a word of its mapping',
  office: 'an office number',
  day: 'a day',
  whole: 'a whole number',
  decimal: 'a number',
  address: 'a web address',
};

/** A table in which its mapping does not find the columns, or a mapping with faults. The message lists them. */
export class MappedTableError extends Error {
  override name = 'MappedTableError';
}

/** The columns that a mapping looks for. */
export interface WantedColumns {
  /** The columns that every table has. */
  required: readonly FieldSource[];
  /** Every table has at least one of these; absent: none is needed. */
  anyOf?: readonly FieldSource[];
  /** The sources of the mapping by field. Those without a column are noted. */
  sources: readonly (readonly [field: string, source: FieldSource])[];
}

/** A kind of table: details, registers of homes, or lists of filed additions. */
export interface TableKind<Mapping extends TableMapping, Row> {
  /** The `schema` of its mappings. */
  schema: string;
  /** The document that explains its mappings. */
  docs: string;
  columnsOf(mapping: Mapping): WantedColumns;
  /** Counts rows that cannot be read. */
  fault: FindingKind;
  /** Makes what is kept of a row; null when the row is noted with `fault` and left out. */
  rowOf(row: MappedRow, mapping: Mapping, findings: Findings): Row | null;
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

/** The names of the columns, on one line or several. */
interface Header {
  /** Its first line. */
  line: number;
  /** Number of columns. */
  width: number;
  /** One name for each column. */
  names: readonly string[];
  byName: ColumnsByName;
  /** Columns without a name. They are named after the column at their left: 所在地 and 所在地2. */
  unnamed: ReadonlySet<number>;
}

/**
 * Reads a table below the names of its columns ({@link findHeader}). Rows that cannot be read are noted with `fault`,
 * empty ones as `row_blank`.
 * @throws MappedTableError when no line has the required columns
 */
export function readMappedTable<Mapping extends TableMapping, Row>(
  { columnsOf, fault, rowOf }: TableKind<Mapping, Row>,
  bytes: Uint8Array,
  file: string,
  mapping: Mapping,
  findings: Findings,
): MappedTable<Row> {
  const columns = columnsOf(mapping);
  const { credit = null, isBuiltIn } = mapping;
  const text = decodeTable(bytes, file, findings);
  const { header, rows } = findHeader(
    csvRecords(text, notedSeparator(text, file, findings), MOST_TITLE_LINES),
    columns,
    file,
  );
  for (let line = 1; line < header.line; line++) findings.note('file_titles', { file, line });
  // A column that has no name and is not read is noted at its first value.
  const unreadUnnamed = noteColumns(header, columns.sources, isBuiltIn === true, file, findings);
  const table: MappedTable<Row> = { file, credit, rowsRead: 0, rows: [] };
  for (const { line, values, strayQuotes } of rows) {
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
      noteUnread(unreadUnnamed, values, place, findings);
      const row = rowOf(mappedRow(header, values, place, isBuiltIn === true), mapping, findings);
      if (row !== null) table.rows.push(row);
    }
  }
  return table;
}

/** Notes columns without a name at their first value, and takes them out of the set. */
function noteUnread(unreadUnnamed: Set<number>, values: readonly string[], place: FileLine, findings: Findings): void {
  for (const i of unreadUnnamed) {
    const value = tidy(values[i] ?? '');
    if (value === '') continue;
    unreadUnnamed.delete(i);
    findings.note('column_extra', place, `column ${i + 1} without a name: ${value}`);
  }
}

/**
 * A row with its values by the names of their columns.
 * @param isBuiltIn true for a mapping of the program, which cannot know the unit of a table: then the name of a column
 *   tells the unit
 */
function mappedRow(
  { names, byName }: Header,
  values: readonly string[],
  place: FileLine,
  isBuiltIn: boolean,
): MappedRow {
  const cell = (source: FieldSource): string => {
    const column = columnOf(source, byName);
    if (column === undefined) return '';
    const text = withoutControls(values[column] ?? '');
    return isBuiltIn ? withUnit(text, names[column] ?? '') : text;
  };
  const unreadable: MappedRow['unreadable'] = (field, form, source, text = cell(source)) => {
    const column = columnOf(source, byName);
    const name = column === undefined ? 'value' : names[column];
    return `${name}: ${tidy(text)}; expected ${EXPECTED[form]} (${field})`;
  };
  return { ...place, cell, unreadable };
}

/** A number below 家賃(千円) with its unit. A mapping of the user has `times` for it. */
function withUnit(text: string, column: string): string {
  const [, unit = ''] = /\(([千万]円)\)/.exec(column) ?? [];
  return unit !== '' && /^[\d,.]+([~〜～-][\d,.]+)?$/.test(plain(text)) ? text + unit : text;
}

/**
 * Notes the columns that no field reads, and the columns of a mapping of the user that the table lacks.
 * @returns the columns without a name that no field reads. They may be empty, so `noteUnread` notes them at a value
 */
function noteColumns(
  { line, names, byName, unnamed }: Header,
  sources: WantedColumns['sources'],
  isBuiltIn: boolean,
  file: string,
  findings: Findings,
): Set<number> {
  const columnsRead = new Set(sources.map(([, source]) => columnOf(source, byName)));
  for (const [field, source] of sources) {
    if (!isBuiltIn && source.value === undefined && columnOf(source, byName) === undefined) {
      findings.note('detail_column', { file, line }, `${field} (${[source.column].flat().join(', ')})`);
    }
  }
  for (const [i, name] of names.entries()) {
    if (unnamed.has(i) || columnsRead.has(i)) continue;
    // Of several columns with one name only the first is read. A later one is noted with the number of the first.
    const sameName = sources.map(([, source]) => columnsNamed(source, byName)).find((columns) => columns.includes(i));
    const asFirst = sameName === undefined ? '' : ` as column ${sameName[0] + 1}`;
    findings.note('column_extra', { file, line }, `${name}, column ${i + 1}${asFirst}`);
  }
  return unnamed.difference(columnsRead);
}

/** The message about a table without the columns that its mapping needs; null when it has them. */
export function lackedColumns(bytes: Uint8Array, file: string, columns: WantedColumns): string | null {
  const text = decodeTable(bytes, file, new Findings());
  try {
    const { byName } = findHeader(csvRecords(text, separatorOf(text), MOST_TITLE_LINES), columns, file).header;
    const hasOne = columns.anyOf?.some((source) => columnOf(source, byName) !== undefined) ?? true;
    return hasOne ? null : `${file}: names none of the columns of which the mapping needs one`;
  } catch (error) {
    if (error instanceof MappedTableError) return error.message;
    throw error;
  }
}

type Records = ReturnType<typeof csvRecords>;
type CsvRecord = Records extends Generator<infer One> ? One : never;

/** Two sequences, one after the other. */
function* chained<T>(first: Iterable<T>, second: Iterable<T>): Generator<T> {
  yield* first;
  yield* second;
}

/** Limit of the lines of a header. */
const MOST_HEADER_LINES = 4;

/**
 * Finds the header: the first line that has all required columns, alone or together with lines above it. It may lie below
 * titles. More lines above and below it belong to the header when more columns of the mapping are found with them, and
 * lines below it also when they have only names of columns.
 * @returns `rows`: the records below the header
 * @throws MappedTableError when none of the first lines has the required columns
 */
function findHeader(
  records: Records,
  { required, anyOf = [], sources }: WantedColumns,
  file: string,
): { header: Header; rows: Iterable<CsvRecord> } {
  // A source with a fixed value needs no column.
  const needed = required.filter(({ value }) => value === undefined);
  const wanted = [...needed, ...anyOf, ...sources.map(([, source]) => source)];
  const firstRecords: CsvRecord[] = [];
  while (firstRecords.length < MOST_TITLE_LINES + MOST_HEADER_LINES) {
    const { value } = records.next();
    if (!value) break;
    firstRecords.push(value);
  }
  // The lines from `first` to before `end` are tried as the header: 1; then 2, 1 to 2; then 3, 2 to 3, 1 to 3; and so on.
  for (let end = 1; end <= Math.min(MOST_TITLE_LINES, firstRecords.length); end++) {
    for (let first = end - 1; first >= Math.max(0, end - MOST_HEADER_LINES); first--) {
      const lines = headerLines(firstRecords, first, end);
      if (columnsFound(needed, lines.header) < needed.length) continue;
      const best = withNamesBelow(withLinesAround(lines, firstRecords, wanted), firstRecords, needed);
      return { header: best.header, rows: chained(firstRecords.slice(best.end), records) };
    }
  }
  const headers = firstRecords.slice(0, MOST_TITLE_LINES).map((record) => headerIn([record]));
  throw new MappedTableError(`${file}: ${lackOf(needed, headers)}`);
}

/** The lines from `first` to before `end` (indexes of records), and the header that they make together. */
interface HeaderLines {
  first: number;
  end: number;
  header: Header;
}

const headerLines = (records: readonly CsvRecord[], first: number, end: number): HeaderLines => ({
  first,
  end,
  header: headerIn(records.slice(first, end)),
});

/**
 * A header with the lines above and below it with which most of the wanted columns are found. Of equally good ones, the
 * one with the fewest lines; of these, the one with most lines above.
 */
function withLinesAround(
  lines: HeaderLines,
  records: readonly CsvRecord[],
  wanted: readonly FieldSource[],
): HeaderLines {
  const { first, end } = lines;
  let best = lines;
  for (let added = 1; end - first + added <= MOST_HEADER_LINES; added++) {
    for (let above = Math.min(first, added); above >= 0; above--) {
      const below = added - above;
      if (end + below > records.length) continue;
      // A line with a number is data. In the header another value of it, such as Ⅰロ, would count as the end of the name
      // of its column, 看護体制加算Ⅰロ.
      if (records.slice(end, end + below).some(({ values }) => values?.some(isNumeral))) continue;
      const longer = headerLines(records, first - above, end + below);
      if (columnsFound(wanted, longer.header) > columnsFound(wanted, best.header)) best = longer;
    }
  }
  return best;
}

/** A header with the lines directly below it that have only names of columns, such as those of a merged cell. */
function withNamesBelow(
  lines: HeaderLines,
  records: readonly CsvRecord[],
  needed: readonly FieldSource[],
): HeaderLines {
  // Further lines change the names of these columns, but not their numbers.
  const neededColumns = needed.flatMap((source) => columnOf(source, lines.header.byName) ?? []);
  let best = lines;
  while (isLineOfNames(records[best.end]?.values ?? [], best.header.names, neededColumns))
    best = headerLines(records, best.first, best.end + 1);
  return best;
}

/** The header that lines of a table make together. */
function headerIn(records: readonly CsvRecord[]): Header {
  const published = nameParts(records.map(({ values }) => values ?? []));
  // A column without a name is called after the one at its left: 所在地2.
  const columns = published.map((parts, i) => (parts.length === 0 ? nameAfterLeft(published, i) : parts));
  const names = columns.map((parts) => parts.join(''));
  const unnamed = new Set(published.flatMap((parts, i) => (parts.length === 0 ? [i] : [])));
  return { line: records[0]?.line ?? 0, width: columns.length, names, byName: columnsByName(columns), unnamed };
}

/** How many sources find their column in a header. */
const columnsFound = (sources: readonly FieldSource[], { byName }: Header): number =>
  sources.filter((source) => columnOf(source, byName) !== undefined).length;

/** Why none of these lines is the header: what the nearest one lacks, and what it has. */
function lackOf(needed: readonly FieldSource[], lines: Header[]): string {
  const namesOf = (sources: readonly FieldSource[]): string =>
    sources.map(({ column = '' }) => [column].flat().join(' or ')).join(', ');
  const [nearest] = lines.toSorted(
    (a, b) => columnsFound(needed, b) - columnsFound(needed, a) || b.names.length - a.names.length,
  );
  const lacking = needed.filter((source) => nearest === undefined || columnOf(source, nearest.byName) === undefined);
  const found =
    nearest === undefined
      ? 'it is empty'
      : `line ${nearest.line} lacks ${namesOf(lacking)} and has ${nearest.names.join(', ')}`;
  return `none of its first ${MOST_TITLE_LINES} lines names the columns ${namesOf(needed)}: ${found}`;
}

const isNumeral = (text: string): boolean => typeof decimalNumber(text) === 'object';

/**
 * True when a line below a header has only names of columns: at least one new name, no number, and in the required columns
 * nothing new. A cell is not new when it is empty, or repeats the end of the name above it, as merged cells do.
 */
function isLineOfNames(values: readonly string[], names: readonly string[], required: readonly number[]): boolean {
  // `endsWith` is true for an empty cell.
  const isNew = (i: number): boolean => !(names[i] ?? '').endsWith(plain(values[i] ?? ''));
  return values.some((_, i) => isNew(i)) && !required.some(isNew) && !values.some(isNumeral);
}
