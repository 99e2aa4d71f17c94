import type { FindingKind, Findings, Place } from '../findings.ts';
import { plain, tidy, webAddress, withoutControls } from '../text.ts';
import { day, decimalNumber, type Typed, wholeNumber } from '../values.ts';
import { csvRecords, fitsHeader } from './csv.ts';
import { decodeTable, notedSeparator } from './decode.ts';

/** Where one field of a table comes from; docs/details-mapping.md explains it. */
export interface FieldSource {
  column?: string | string[];
  value?: string;
  default?: string;
  pattern?: string;
  values?: Record<string, string>;
  min?: number;
  max?: number;
}

/** How a field is read. */
export type FieldForm = 'text' | 'word' | 'day' | 'whole' | 'decimal' | 'address';

/** The value of a field from what its column holds: pattern, words and default of the mapping, then its own form. @param words that it may hold */
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
    if (word === undefined) return 'unreadable';
    text = word;
  }
  if (text === '') text = source.default ?? '';
  if (text === '') return 'blank';
  if (form === 'day') {
    const typed = day(text);
    return typeof typed === 'string' ? typed : { value: typed.value.day };
  }
  if (form === 'whole' || form === 'decimal') {
    const typed = form === 'whole' ? wholeNumber(text) : decimalNumber(text);
    if (typeof typed === 'string') return typed;
    const possible = typed.value >= (source.min ?? 0) && typed.value <= (source.max ?? Infinity);
    return possible ? typed : 'unreadable';
  }
  if (form === 'address') {
    const address = webAddress(text);
    return address === null ? 'unreadable' : { value: address };
  }
  return words === undefined || words.includes(text) ? { value: text } : 'unreadable';
}

/** Where each column stands, by its name in one spelling; of two with one name the first. */
export type ColumnPlaces = ReadonlyMap<string, number>;

export function columnPlaces(header: readonly string[]): ColumnPlaces {
  const at = new Map<string, number>();
  header.forEach((cell, i) => {
    if (!at.has(plain(cell))) at.set(plain(cell), i);
  });
  return at;
}

/** Where the column of a source stands, or undefined. */
export function columnOf(source: FieldSource | undefined, at: ColumnPlaces): number | undefined {
  for (const name of [source?.column ?? []].flat()) {
    const place = at.get(plain(name));
    if (place !== undefined) return place;
  }
  return undefined;
}

/** Rows at the beginning of a table that may be titles: the names of the columns stand below them. */
const MOST_TITLES = 30;

/** A row of a table whose columns a mapping names. */
export interface MappedRow extends Place {
  /** What the column of a source holds; empty where the table lacks it. */
  cell(source: FieldSource): string;
}

/** A table in which a mapping does not find its columns. */
class MappedTableError extends Error {
  override name = 'MappedTableError';
}

/**
 * The rows of a table below the line that names its columns: the first in which every one of `required` is found. Rows that cannot be read
 * are noted with `fault`, empty ones as `row_blank`.
 * @param columns all sources of the mapping: those that the table lacks are noted
 * @throws MappedTableError when no line names the required columns
 */
export function* mappedRows(
  bytes: Uint8Array,
  file: string,
  {
    required,
    columns,
    fault,
  }: { required: readonly FieldSource[]; columns: readonly FieldSource[]; fault: FindingKind },
  findings: Findings,
): Generator<MappedRow> {
  const text = decodeTable(bytes, file, findings);
  let at: ColumnPlaces | null = null;
  let [width, titles] = [0, 0];
  for (const { line, values } of csvRecords(text, notedSeparator(text, file, findings))) {
    const place = { file, line };
    if (at === null) {
      const places = columnPlaces(values ?? []);
      if (required.every((source) => source.value !== undefined || columnOf(source, places) !== undefined)) {
        [at, width] = [places, values?.length ?? 0];
        for (const source of columns) {
          if (source.value === undefined && columnOf(source, places) === undefined) {
            findings.note('detail_column', place, [source.column ?? ''].flat().join(', '));
          }
        }
      } else if (++titles === MOST_TITLES) break;
      continue;
    }
    if (values?.every((value) => value.trim() === '')) {
      findings.note('row_blank', place);
      continue;
    }
    if (values === null || !fitsHeader(values, width)) {
      findings.note(fault, place, values === null ? 'broken quoting' : `${values.length} values, ${width} columns`);
      continue;
    }
    const known = at;
    yield { ...place, cell: (source) => withoutControls(values[columnOf(source, known) ?? -1] ?? '') };
  }
  if (at === null) {
    const names = required.flatMap(({ column }) => (column === undefined ? [] : [[column].flat().join(' or ')]));
    throw new MappedTableError(`${file}: none of its first ${MOST_TITLES} lines names the columns ${names.join(', ')}`);
  }
}
