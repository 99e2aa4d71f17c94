import { type FindingKind, Findings, type Place } from '../findings.ts';
import { plain, tidy, webAddress, withoutControls } from '../text.ts';
import { day, decimalNumber, type Typed, wholeNumber } from '../values.ts';
import { csvRecords, fitsHeader, separatorOf } from './csv.ts';
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
  if (text !== '' && source.pattern !== undefined) {
    const match = new RegExp(source.pattern, 'u').exec(text);
    if (match === null) return 'unreadable';
    text = match[1] ?? match[0];
  }
  if (text !== '' && source.values !== undefined) {
    const typed = plain(text);
    const [, word] = Object.entries(source.values).find(([one]) => plain(one) === typed) ?? [];
    // A column of numbers may also have words, such as なし.
    if (word === undefined && !isNumber(form)) return 'unreadable';
    text = word ?? text;
  }
  if (text === '') text = source.default ?? '';
  if (text === '') return 'blank';
  if (form === 'day') {
    const typed = day(text);
    return typeof typed === 'string' ? typed : { value: typed.value.day };
  }
  if (isNumber(form)) return numberOf(form, source, text);
  if (form === 'address') {
    const address = webAddress(text);
    return address === null ? 'unreadable' : { value: address };
  }
  return words === undefined || words.includes(text) ? { value: text } : 'unreadable';
}

type NumberForm = Extract<FieldForm, 'whole' | 'decimal'>;
const isNumber = (form: FieldForm): form is NumberForm => form === 'whole' || form === 'decimal';

function numberOf(form: NumberForm, { times = 1, min = 0, max = Infinity }: FieldSource, text: string): Typed<number> {
  const typed = form === 'whole' && times === 1 ? wholeNumber(text) : decimalNumber(text);
  if (typeof typed === 'string') return typed;
  const product = typed.value * times;
  const value = form === 'whole' ? Math.round(product) : product;
  return value >= min && value <= max ? { value } : 'unreadable';
}

/** The position of each column by its name in one spelling. The first of two columns with one name counts. */
export type ColumnPlaces = ReadonlyMap<string, number>;

/** A unit behind the name of a column. Thousands of yen are another unit than yen. */
const UNIT = /\((円|円\/月|円・月|月額|月額・?円|人|名)\)$/;

export function columnPlaces(header: readonly string[]): Map<string, number> {
  const at = new Map<string, number>();
  const names = header.map(plain);
  for (const all of [names, names.map((name) => name.replace(UNIT, ''))]) {
    all.forEach((name, i) => {
      if (!at.has(name)) at.set(name, i);
    });
  }
  return at;
}

/**
 * The positions of columns whose names take two lines: 家賃 above 最低 and 最高 makes 家賃, 最低, 最高, 家賃最低 and 家賃最高. A cell of
 * the upper line that is empty belongs to the one at its left.
 */
function placesOfTwoLines(upper: readonly string[], lower: readonly string[]): ColumnPlaces {
  let above = '';
  const both = lower.map((cell, i) => {
    above = plain(upper[i] ?? '') || above;
    return plain(cell) === '' || plain(cell) === above ? '' : above + plain(cell);
  });
  const at = columnPlaces(upper);
  for (const names of [both, lower]) {
    for (const [name, place] of columnPlaces(names)) if (name !== '' && !at.has(name)) at.set(name, place);
  }
  return at;
}

/** The position of the column of a source, or undefined. */
export function columnOf(source: FieldSource | undefined, at: ColumnPlaces): number | undefined {
  for (const name of [source?.column ?? []].flat()) {
    const place = at.get(plain(name));
    if (place !== undefined) return place;
  }
  return undefined;
}

/** Limit of the title lines above the names of the columns. */
const MOST_TITLES = 30;

/** A row of a table whose columns a mapping names. */
export interface MappedRow extends Place {
  /** The text in the column of a source; empty when the table has no such column. */
  cell(source: FieldSource): string;
}

/** A table in which a mapping does not find its columns. */
export class MappedTableError extends Error {
  override name = 'MappedTableError';
}

/** A mapping that is not valid; the message lists its faults and their places. */
export class MappingError extends Error {
  override name = 'MappingError';
}

/** What a reader wants of a table. */
interface Wanted {
  /** The columns that every table has. */
  required: readonly FieldSource[];
  /** All sources of the mapping. Those without a column are noted. */
  columns: readonly FieldSource[];
  /** Counts rows that cannot be read. */
  fault: FindingKind;
}

/** The names of the columns, in one line or two. */
interface Header {
  line: number;
  values: readonly string[];
  at: ColumnPlaces;
}

/**
 * The rows of a table below the names of its columns. The header is the first line with all required columns, together
 * with the next line if that has only names. Rows that cannot be read are noted with `fault`, empty ones as
 * `row_blank`.
 * @throws MappedTableError when no line has the required columns
 */
export function* mappedRows(bytes: Uint8Array, file: string, wanted: Wanted, findings: Findings): Generator<MappedRow> {
  const text = decodeTable(bytes, file, findings);
  const records = csvRecords(text, notedSeparator(text, file, findings, MOST_TITLES), MOST_TITLES);
  const { header, first } = findHeader(records, wanted.required, file);
  for (const source of wanted.columns) {
    if (source.value === undefined && columnOf(source, header.at) === undefined) {
      findings.note('detail_column', { file, line: header.line }, [source.column ?? ''].flat().join(', '));
    }
  }
  const width = header.values.length;
  const below = function* () {
    if (first !== undefined) yield first;
    yield* records;
  };
  for (const { line, values } of below()) {
    const place = { file, line };
    if (values?.every((value) => value.trim() === '')) findings.note('row_blank', place);
    else if (values === null || !fitsHeader(values, width)) {
      findings.note(
        wanted.fault,
        place,
        values === null ? 'broken quoting' : `${values.length} values, ${width} columns`,
      );
    } else yield { ...place, cell: (source) => withoutControls(values[columnOf(source, header.at) ?? -1] ?? '') };
  }
}

/** True when a table has all required columns, and one of `some` if there are any. */
export function hasColumns(
  bytes: Uint8Array,
  file: string,
  required: readonly FieldSource[],
  some: readonly FieldSource[] = [],
): boolean {
  const text = decodeTable(bytes, file, new Findings());
  const records = csvRecords(text, separatorOf(text, MOST_TITLES), MOST_TITLES);
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

/** Reads the lines up to the header. `first` is the row after it, if it was read too. */
function findHeader(
  records: Records,
  required: readonly FieldSource[],
  file: string,
): { header: Header; first: CsvRecord | undefined } {
  const needed = required.filter(({ value }) => value === undefined);
  for (let titles = 0; titles < MOST_TITLES; titles++) {
    const { value: record } = records.next();
    if (!record) break;
    const values = record.values ?? [];
    const at = columnPlaces(values);
    const places = needed.map((source) => columnOf(source, at));
    if (places.includes(undefined)) continue;
    const { value: next } = records.next();
    const header = { line: record.line, values, at };
    const isNames = next?.values && isSecondLine(next.values, values, places as number[]);
    return isNames
      ? { header: { ...header, at: placesOfTwoLines(values, next.values ?? []) }, first: undefined }
      : { header, first: next ?? undefined };
  }
  const names = needed.map(({ column = '' }) => [column].flat().join(' or '));
  throw new MappedTableError(`${file}: none of its first ${MOST_TITLES} lines names the columns ${names.join(', ')}`);
}

/** Whether a line has only names of columns: no number, and in the required columns nothing or the same name once more. */
function isSecondLine(values: readonly string[], upper: readonly string[], places: readonly number[]): boolean {
  const isEmptyOrSame = (i: number) => ['', plain(upper[i] ?? '')].includes(plain(values[i] ?? ''));
  const hasName = values.some((_, i) => !isEmptyOrSame(i));
  return hasName && places.every(isEmptyOrSame) && values.every((value) => typeof decimalNumber(value) === 'string');
}
