import { parse } from 'csv-parse/sync';
import { tidy, withoutControls } from '../text.ts';

/**
 * The lines of a text in pieces that are cut anywhere, without their line ends: LF or CRLF, or CR in a text without LF.
 * The rest after the last line end is a line too, even if empty.
 * @param pieces are read twice.
 */
export function* linesOf(pieces: Iterable<string>): Generator<string> {
  const end = someHas(pieces, '\n') ? '\n' : '\r';
  let rest = '';
  for (const piece of pieces) {
    rest += piece;
    if (!piece.includes(end)) continue;
    const lines = rest.split(end);
    rest = lines.pop() ?? '';
    for (const line of lines) yield end === '\n' && line.endsWith('\r') ? line.slice(0, -1) : line;
  }
  yield rest;
}

/** The lines without the blank ones at the end. */
export function* withoutBlankEnd(lines: Iterable<string>): Generator<string> {
  let blankLines: string[] = [];
  for (const line of lines) {
    if (line.trim() === '') blankLines.push(line);
    else {
      yield* blankLines;
      blankLines = [];
      yield line;
    }
  }
}

/** True when a piece contains a text of one character. */
function someHas(pieces: Iterable<string>, text: string): boolean {
  for (const piece of pieces) if (piece.includes(text)) return true;
  return false;
}

/** One record of a table with the line it begins on. */
interface CsvRecord {
  line: number;
  /** Null when the quoting is broken. */
  values: string[] | null;
  /** True when quotes are at wrong positions, but the record read literally has as many values as the header. */
  strayQuotes: boolean;
}

/** Limit of the lines of a record: a quoted value may hold line breaks, but an open quote must not swallow the file. */
const MOST_LINES = 10;
/** Records that are parsed together. */
const CHUNK = 1000;

/** What may stand between the values of a table. */
const SEPARATORS = [',', '\t', ';'] as const;
export type Separator = (typeof SEPARATORS)[number];

/** Limit of the title lines above the line with the names of the columns. */
export const MOST_TITLE_LINES = 30;

/** The separator of a table: the most frequent of commas, tabs and semicolons in its first lines, titles and names of columns. */
export function separatorOf(pieces: Iterable<string>): Separator {
  const firstLines = linesOf(pieces).take(MOST_TITLE_LINES).toArray().join('\n');
  const count = (separator: Separator) => firstLines.split(separator).length;
  return SEPARATORS.reduce((best, separator) => (count(separator) > count(best) ? separator : best));
}

/**
 * The records of a table with separated values (RFC 4180; any line ending). A record with broken quoting is read
 * literally if that gives as many values as the header has. Otherwise its values are null, and only its own line is
 * lost. Empty lines are records without values (`[]`), except those at the end.
 * @param pieces of the text, cut anywhere; `linesOf` reads them twice, and only one is in memory at a time
 * @param titleLines the number of first lines that may have fewer columns than the table
 */
export function* csvRecords(
  pieces: Iterable<string>,
  separator: Separator = ',',
  titleLines = 0,
): Generator<CsvRecord> {
  const lines = withoutBlankEnd(linesOf(pieces));
  /** The next lines, up to the limit of a record. */
  const ahead: string[] = [];
  let line = 1;
  let chunk: { line: number; text: string }[] = [];
  let columns: number | null = null;
  while (true) {
    for (let next = lines.next(); !next.done; next = lines.next()) {
      ahead.push(next.value);
      if (ahead.length === MOST_LINES) break;
    }
    if (ahead.length === 0) break;
    const record = recordAt(ahead, columns, separator, line <= titleLines);
    if (columns === null || line <= titleLines) {
      columns = Math.max(columns ?? 0, valuesOf(record.text, separator)?.length ?? 0);
    }
    chunk.push({ line, text: record.text });
    ahead.splice(0, record.lines);
    line += record.lines;
    if (chunk.length === CHUNK) {
      yield* recordsIn(chunk, columns, separator);
      chunk = [];
    }
  }
  yield* recordsIn(chunk, columns, separator);
}

/** Limits of the columns in a message, and of the letters of each. */
const MOST_NAMED = 8;
const MOST_LETTERS = 40;

/**
 * The first cells of the fullest of a table's first lines, where the names of its columns probably are; empty for an
 * empty table.
 */
export function probableColumns(pieces: Iterable<string>, separator: Separator): string[] {
  let fullest: string[] = [];
  // Any of these lines may be a title, so the reader must accept each with any number of columns.
  for (const { values } of csvRecords(pieces, separator, MOST_TITLE_LINES).take(MOST_TITLE_LINES)) {
    const filled = (values ?? []).filter((cell) => cell.trim() !== '');
    if (filled.length > fullest.length) fullest = filled;
  }
  return fullest.slice(0, MOST_NAMED).map((name) => withoutControls(tidy(name)).slice(0, MOST_LETTERS));
}

/** Whether a record has a value for each column of the header; empty ones behind them do no harm. */
export function fitsHeader(values: readonly string[], columns: number): boolean {
  return values.length >= columns && values.slice(columns).every((extra) => extra.trim() === '');
}

/**
 * The lines of the first record: usually one; more while a quote is open and is closed later.
 * @param lines at least one, up to the limit of a record
 * @param columns of the header; null while it is read
 * @param mayPrecedeHeader true in the first lines, where the header may still follow and have more columns
 */
function recordAt(
  lines: readonly string[],
  columns: number | null,
  separator: Separator,
  mayPrecedeHeader: boolean,
): { text: string; lines: number } {
  const [first] = lines as [string, ...string[]];
  let quotes = quotesIn(first);
  if (quotes % 2 === 0) return { text: first, lines: 1 };
  for (let last = 1; last < lines.length; last++) {
    quotes += quotesIn(lines[last]);
    if (quotes % 2 !== 0) continue;
    const text = lines.slice(0, last + 1).join('\n');
    // Two stray quotes on two lines look like one value with a line break. Then the later line is a record of its own.
    const width = valuesOf(text, separator)?.length;
    const fits =
      width !== undefined && (columns === null || width === columns || (mayPrecedeHeader && width > columns));
    if (fits) return { text, lines: last + 1 };
    break;
  }
  return { text: first, lines: 1 };
}

/** The number of quotes in a line. */
function quotesIn(line: string): number {
  let count = 0;
  for (let at = line.indexOf('"'); at >= 0; at = line.indexOf('"', at + 1)) count++;
  return count;
}

const OPTIONS = { relax_column_count: true, skip_empty_lines: false };

/**
 * Parses lines to records. A line with a broken quote is read again with its quotes as ordinary characters. It counts
 * when it then has the expected number of columns; otherwise its values are null.
 * @param columns of the header; null while it is read: then no broken quote can be repaired
 */
function* recordsIn(
  chunk: { line: number; text: string }[],
  columns: number | null,
  separator: Separator,
): Generator<CsvRecord> {
  // Only records with quotes, which are few, need a parser.
  const withQuotes = chunk.filter(({ text }) => text.includes('"'));
  let result: string[][] | null = null;
  try {
    result = parse(withQuotes.map(({ text }) => text).join('\n'), { ...OPTIONS, delimiter: separator }) as string[][];
  } catch {
    // The quoting of a record is broken. Each record is parsed by itself below.
  }
  const parsedRecords = result !== null && result.length === withQuotes.length ? result : null;
  let next = 0;
  for (const { line, text } of chunk) {
    if (text.trim() === '') yield { line, values: [], strayQuotes: false };
    else if (!text.includes('"')) yield { line, values: text.split(separator), strayQuotes: false };
    else {
      const values = parsedRecords === null ? valuesOf(text, separator) : parsedRecords[next++];
      if (values !== null) yield { line, values, strayQuotes: false };
      else {
        const literal = valuesOf(text, separator, { relax_quotes: true });
        const strayQuotes = literal !== null && literal.length === columns;
        yield { line, values: strayQuotes ? literal : null, strayQuotes };
      }
    }
  }
}

/** The values of one record; null when its quoting is broken or when it is not exactly one record. */
function valuesOf(text: string, separator: Separator, otherOptions: object = {}): string[] | null {
  try {
    const records = parse(text, { ...OPTIONS, ...otherOptions, delimiter: separator }) as string[][];
    return records.length === 1 ? records[0] : null;
  } catch {
    return null;
  }
}
