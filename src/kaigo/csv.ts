import { parse } from 'csv-parse/sync';

/** One record of a table with the line it begins on. */
export interface CsvRecord {
  line: number;
  /** Null where the quoting is broken. */
  values: string[] | null;
  /** True when quotes stand where none belong, and the record read as it stands has as many values as the header. */
  strayQuotes: boolean;
}

/** A quoted value may hold line breaks, but a quote that is never closed must not swallow the file. */
const MOST_LINES = 10;
const CHUNK = 1000;

/**
 * The records of a comma-separated table (RFC 4180; any line ending). A record with broken quoting is read as it
 * stands when that gives as many values as the header has; else it is given as null and costs its own line only.
 * Empty lines are given as a record without values (`[]`), but for those at the end.
 */
export function* csvRecords(text: string): Generator<CsvRecord> {
  const lines = text.split(text.includes('\n') ? /\r?\n/ : '\r');
  while (lines.length > 0 && lines.at(-1)!.trim() === '') lines.pop();
  let chunk: { line: number; text: string }[] = [];
  let columns: number | null = null;
  for (let i = 0; i < lines.length; ) {
    const record = recordAt(lines, i, columns);
    columns ??= parsedOne(record.text)?.length ?? 0;
    chunk.push({ line: i + 1, text: record.text });
    i += record.lines;
    if (chunk.length === CHUNK) {
      yield* parsed(chunk, columns);
      chunk = [];
    }
  }
  yield* parsed(chunk, columns);
}

/** Whether a record has a value for each column of the header; empty ones behind them do no harm. */
export function fitsHeader(values: readonly string[], columns: number): boolean {
  return values.length >= columns && values.slice(columns).every((extra) => extra.trim() === '');
}

/**
 * The lines from `from` on that make one record: usually one; more while a quote is open and does close.
 * @param columns of the header; null while it is read
 */
function recordAt(lines: readonly string[], from: number, columns: number | null): { text: string; lines: number } {
  let quotes = quotesIn(lines[from]!);
  if (quotes % 2 === 0) return { text: lines[from]!, lines: 1 };
  for (let to = from + 1; to < Math.min(lines.length, from + MOST_LINES); to++) {
    quotes += quotesIn(lines[to]!);
    if (quotes % 2 !== 0) continue;
    const text = lines.slice(from, to + 1).join('\n');
    // Two stray quotes on two lines look like one value with a line break; then the later line starts a row of its own.
    const width = parsedOne(text)?.length;
    if (width !== undefined && width === (columns ?? width)) return { text, lines: to - from + 1 };
    break;
  }
  return { text: lines[from]!, lines: 1 };
}

function quotesIn(line: string): number {
  let count = 0;
  for (let at = line.indexOf('"'); at >= 0; at = line.indexOf('"', at + 1)) count++;
  return count;
}

const OPTIONS = { relax_column_count: true, skip_empty_lines: false };

function* parsed(chunk: { line: number; text: string }[], columns: number | null): Generator<CsvRecord> {
  const full = chunk.filter(({ text }) => text.trim() !== '');
  let all: string[][] | null = null;
  try {
    all = parse(full.map(({ text }) => text).join('\n'), OPTIONS) as string[][];
  } catch {
    // One of them is broken; which one is seen below.
  }
  const whole = all !== null && all.length === full.length ? all : null;
  let next = 0;
  for (const { line, text } of chunk) {
    if (text.trim() === '') yield { line, values: [], strayQuotes: false };
    else {
      const values = whole === null ? parsedOne(text) : whole[next++]!;
      if (values !== null) yield { line, values, strayQuotes: false };
      else {
        const asItStands = parsedOne(text, { ...OPTIONS, relax_quotes: true });
        const strayQuotes = asItStands !== null && asItStands.length === columns;
        yield { line, values: strayQuotes ? asItStands : null, strayQuotes };
      }
    }
  }
}

function parsedOne(text: string, options: object = OPTIONS): string[] | null {
  try {
    const records = parse(text, options) as string[][];
    return records.length === 1 ? records[0]! : null;
  } catch {
    return null;
  }
}
