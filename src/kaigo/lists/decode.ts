import type { Findings } from '../findings.ts';
import { linesOf, type Separator, separatorOf } from './csv.ts';

/** A text in pieces, which can be read several times: a national list is too large for one text. */
export type TextPieces = Iterable<string>;

/** Bytes that are decoded at a time. */
const PIECE_BYTES = 1 << 20;

/** Longest line of a table, bytes: published ones have some hundreds, the longest 4,000. */
const LONGEST_LINE = 1 << 20;

/** The bytes are not a table. The message names file and line. */
export class TableError extends Error {
  override name = 'TableError';
}

/**
 * The text of a published table: UTF-8, UTF-16 with a byte order mark, or Shift_JIS (as spreadsheets write it). All but
 * UTF-8 with a mark is noted. Bytes that cannot be read stand as U+FFFD, noted with their line.
 * @throws TableError when a line has more than 1 MiB
 */
export function decodeTable(bytes: Uint8Array, file: string, findings: Findings): TextPieces {
  const at = { file, line: 0 };
  checkLines(bytes, file);
  if ((bytes[0] === 0xff && bytes[1] === 0xfe) || (bytes[0] === 0xfe && bytes[1] === 0xff)) {
    findings.note('file_utf16', at);
    return textIn(bytes[0] === 0xff ? 'utf-16le' : 'utf-16be', bytes);
  }
  const isMarked = bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf;
  if (isValid('utf-8', bytes)) {
    if (!isMarked) findings.note('file_without_bom', at);
    return textIn('utf-8', bytes);
  }
  if (!isMarked && isValid('shift_jis', bytes)) {
    findings.note('file_shift_jis', at);
    return textIn('shift_jis', bytes);
  }
  // Neither encoding reads all bytes.
  const text = isMarked ? textIn('utf-8', bytes) : likelierText(bytes);
  let number = 0;
  for (const line of linesOf(text)) {
    number++;
    if (line.includes('\ufffd')) findings.note('file_bytes', { file, line: number }, line.slice(0, 80));
  }
  return text;
}

/** The separator of a table. Another one than a comma is noted. */
export function notedSeparator(text: TextPieces, file: string, findings: Findings): Separator {
  const separator = separatorOf(text);
  if (separator !== ',') findings.note('file_separator', { file, line: 0 }, separator === ';' ? 'semicolons' : 'tabs');
  return separator;
}

/** The bytes as text. Invalid bytes become U+FFFD. */
function textIn(encoding: string, bytes: Uint8Array): TextPieces {
  return { [Symbol.iterator]: () => pieces(encoding, bytes) };
}

/**
 * The bytes as text, piece by piece.
 * @throws TypeError with `fatal`, when bytes are invalid in the encoding
 */
function* pieces(encoding: string, bytes: Uint8Array, { fatal = false } = {}): Generator<string> {
  const decoder = new TextDecoder(encoding, { fatal });
  for (let at = 0; at < bytes.length; at += PIECE_BYTES) {
    yield decoder.decode(bytes.subarray(at, at + PIECE_BYTES), { stream: true });
  }
  yield decoder.decode();
}

/** True when all bytes belong to the encoding. */
function isValid(encoding: string, bytes: Uint8Array): boolean {
  try {
    for (const _ of pieces(encoding, bytes, { fatal: true }));
    return true;
  } catch {
    return false;
  }
}

/** The text in UTF-8 or in Shift_JIS, whichever has fewer invalid characters. */
function likelierText(bytes: Uint8Array): TextPieces {
  const [utf8, shiftJis] = [textIn('utf-8', bytes), textIn('shift_jis', bytes)];
  return invalidCharacters(utf8) <= invalidCharacters(shiftJis) ? utf8 : shiftJis;
}

/** The number of characters that could not be decoded. */
function invalidCharacters(text: TextPieces): number {
  let count = 0;
  for (const piece of text) count += piece.split('\ufffd').length - 1;
  return count;
}

const LF = 0x0a;
const CR = 0x0d;

/**
 * Checks the length of lines before they become text. Lines end in LF, or in CR alone.
 * @throws TableError for a line that is too long for a table
 */
function checkLines(bytes: Uint8Array, file: string): void {
  const end = bytes.includes(LF) ? LF : CR;
  let line = 1;
  for (let from = 0; from < bytes.length; line++) {
    const endAt = bytes.indexOf(end, from);
    const to = endAt === -1 ? bytes.length : endAt;
    if (to - from > LONGEST_LINE) {
      throw new TableError(`${file}, line ${line}: a line of ${to - from} bytes; expected a CSV table. Get it again`);
    }
    from = to + 1;
  }
}
