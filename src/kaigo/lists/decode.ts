import type { Findings } from '../findings.ts';
import { linesOf, type Separator, separatorOf } from './csv.ts';

/** A text in pieces, which can be gone through again and again: a national list is too large to be held as one. */
export type TextPieces = Iterable<string>;

/** Bytes that are decoded at a time. */
const PIECE = 1 << 20;

/** Longest line of a table, bytes: published ones have some hundreds, the longest 4,000. */
const LONGEST_LINE = 1 << 20;

/** The bytes are not a table. The message names file and line. */
export class TableError extends Error {
  override name = 'TableError';
}

/**
 * The text of a published table. UTF-8 with or without a byte order mark, UTF-16 with one, or Shift_JIS (as
 * spreadsheets write it), which is noted. Bytes that are neither stand as U+FFFD, which is noted with their line.
 * @throws TableError when a line has more than 1 MiB
 */
export function decodeTable(bytes: Uint8Array, file: string, findings: Findings): TextPieces {
  const at = { file, line: 0 };
  checkLines(bytes, file);
  if ((bytes[0] === 0xff && bytes[1] === 0xfe) || (bytes[0] === 0xfe && bytes[1] === 0xff)) {
    findings.note('file_utf16', at);
    return decoded(bytes[0] === 0xff ? 'utf-16le' : 'utf-16be', bytes);
  }
  const marked = bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf;
  if (isWhole('utf-8', bytes)) {
    if (!marked) findings.note('file_without_bom', at);
    return decoded('utf-8', bytes);
  }
  if (!marked && isWhole('shift_jis', bytes)) {
    findings.note('file_shift_jis', at);
    return decoded('shift_jis', bytes);
  }
  const best = marked ? decoded('utf-8', bytes) : fewestLost(bytes);
  let number = 0;
  for (const line of linesOf(best)) {
    number++;
    if (line.includes('\ufffd')) findings.note('file_bytes', { file, line: number }, line.slice(0, 80));
  }
  return best;
}

/** The separator of a table. Another one than a comma is noted. */
export function notedSeparator(text: TextPieces, file: string, findings: Findings): Separator {
  const separator = separatorOf(text);
  if (separator !== ',') findings.note('file_separator', { file, line: 0 }, separator === ';' ? 'semicolons' : 'tabs');
  return separator;
}

/** The bytes as text. Invalid bytes become U+FFFD. */
function decoded(encoding: string, bytes: Uint8Array): TextPieces {
  return { [Symbol.iterator]: () => pieces(encoding, bytes) };
}

function* pieces(encoding: string, bytes: Uint8Array, { fatal = false } = {}): Generator<string> {
  const decoder = new TextDecoder(encoding, { fatal });
  for (let at = 0; at < bytes.length; at += PIECE) {
    yield decoder.decode(bytes.subarray(at, at + PIECE), { stream: true });
  }
  yield decoder.decode();
}

/** True when all bytes belong to the encoding. */
function isWhole(encoding: string, bytes: Uint8Array): boolean {
  try {
    for (const _ of pieces(encoding, bytes, { fatal: true }));
    return true;
  } catch {
    return false;
  }
}

/** The text in that of the two encodings in which fewer characters are lost. */
function fewestLost(bytes: Uint8Array): TextPieces {
  const [utf8, japanese] = ['utf-8', 'shift_jis'].map((encoding) => decoded(encoding, bytes)) as [
    TextPieces,
    TextPieces,
  ];
  return lost(utf8) <= lost(japanese) ? utf8 : japanese;
}

/** How many characters could not be read. */
function lost(text: TextPieces): number {
  let count = 0;
  for (const piece of text) count += piece.split('\ufffd').length - 1;
  return count;
}

const LF = 0x0a;
const CR = 0x0d;

/** Refuses a line that no table has, before any of it becomes text. Lines end in LF, or in CR alone. */
function checkLines(bytes: Uint8Array, file: string): void {
  const end = bytes.includes(LF) ? LF : CR;
  let line = 1;
  for (let from = 0; from < bytes.length; line++) {
    const found = bytes.indexOf(end, from);
    const to = found === -1 ? bytes.length : found;
    if (to - from > LONGEST_LINE) {
      throw new TableError(`${file}, line ${line}: a line of ${to - from} bytes; expected a CSV table. Get it again`);
    }
    from = to + 1;
  }
}
