import { isUtf8 } from 'node:buffer';
import { isSpace } from './characters.ts';
import { XmlError } from './handler.ts';
import type { XmlWindow } from './window.ts';

/** What the first bytes of a file are instead of XML in UTF-8, in words; null when they can be XML. */
function notXml(start: Uint8Array): string | null {
  if (start.length === 0) return 'the file is empty';
  const begins = (...bytes: number[]) => bytes.every((byte, i) => start[i] === byte);
  if (begins(0xff, 0xfe) || begins(0x3c, 0x00)) return 'found UTF-16 (little-endian)';
  if (begins(0xfe, 0xff) || begins(0x00, 0x3c)) return 'found UTF-16 (big-endian)';
  if (begins(0x1f, 0x8b)) return 'found gzip';
  if (begins(0x50, 0x4b, 0x03, 0x04)) return 'found a zip without the ending .zip';
  let i = begins(0xef, 0xbb, 0xbf) ? 3 : 0;
  while (i < start.length && isSpace(start[i])) i++;
  if (i === start.length || start[i] === 0x3c) return null;
  const printable = start.subarray(i, i + 24).every((byte) => byte >= 0x20 && byte < 0x7f);
  return printable
    ? `found "${Buffer.from(start.subarray(i, i + 24)).toString('latin1')}"`
    : 'found no "<" at the start';
}

/** Encodings whose files can be read as UTF-8. */
const UTF8_NAMES: readonly string[] = ['utf-8', 'utf8', 'us-ascii', 'ascii'];
/** The first bytes that are needed to tell XML from other files. */
const LEAST_BYTES = 32;
/** A declaration that does not end within these bytes is read as far as it goes. */
const LONGEST_DECLARATION = 1000;
const DECLARATION_END = Buffer.from('?>');

/**
 * Checks the first bytes and the XML declaration, and skips a byte order mark. Returns false when it needs more bytes
 * (never when `isLast`).
 * @throws XmlError for a file that is not XML or not in UTF-8
 */
export function readStart(window: XmlWindow, { isLast }: { isLast: boolean }): boolean {
  const begin = window.bytes.subarray(window.pos, window.end);
  if (begin.length < LEAST_BYTES && !isLast) return false;
  const problem = notXml(begin);
  if (problem !== null) throw new XmlError(0, `${problem}; expected CityGML, which is XML in UTF-8`);
  const from = begin[0] === 0xef ? 3 : 0;
  if (begin.toString('latin1', from, from + 5) === '<?xml') {
    const close = begin.indexOf(DECLARATION_END);
    if (close === -1 && !isLast && begin.length < LONGEST_DECLARATION) return false;
    const declaration = begin.toString('latin1', from, close === -1 ? begin.length : close);
    const encoding = /\sencoding\s*=\s*["']([^"']*)["']/.exec(declaration)?.[1]?.toLowerCase() ?? 'utf-8';
    if (!UTF8_NAMES.includes(encoding)) {
      throw new XmlError(from, `the encoding is declared as ${encoding}; expected UTF-8: convert the file`);
    }
  }
  window.pos += from;
  return true;
}

/** Finds the first byte that is not UTF-8 in a stream that may be split inside a character. */
export class Utf8Check {
  /** The first bytes of a character whose rest is in the next chunk. */
  #unfinished: Uint8Array = new Uint8Array(0);

  /**
   * Checks the next chunk. Returns -1 when it is UTF-8, else the offset of the first byte that is not (0 for a
   * character that an earlier chunk began).
   */
  next(chunk: Uint8Array): number {
    let start = 0;
    if (this.#unfinished.length > 0) {
      const need = lengthOfCharacter(this.#unfinished[0]) - this.#unfinished.length;
      const head = Buffer.concat([this.#unfinished, chunk.subarray(0, need)]);
      if (chunk.length < need) {
        this.#unfinished = head;
        return couldContinue(head) ? -1 : 0;
      }
      if (!isUtf8(head)) return 0;
      start = need;
    }
    const end = chunk.length - unfinishedAtEnd(chunk, start);
    this.#unfinished = new Uint8Array(chunk.subarray(end));
    if (isUtf8(chunk.subarray(start, end))) return couldContinue(this.#unfinished) ? -1 : end;
    return firstBad(chunk, start, end);
  }
}

/** The length of a character in bytes, by its first byte (RFC 3629); 1 for ASCII and for bytes that cannot be first. */
function lengthOfCharacter(first: number): number {
  if (first >= 0xc2 && first < 0xe0) return 2;
  if (first >= 0xe0 && first < 0xf0) return 3;
  return first >= 0xf0 && first < 0xf5 ? 4 : 1;
}

/** The number of bytes at the end that belong to an incomplete character, which begins at `from` or later. */
function unfinishedAtEnd(bytes: Uint8Array, from: number): number {
  for (let back = 1; back <= 3 && bytes.length - back >= from; back++) {
    const byte = bytes[bytes.length - back];
    // A byte 10xxxxxx continues a character.
    if ((byte & 0xc0) === 0x80) continue;
    return lengthOfCharacter(byte) > back ? back : 0;
  }
  return 0;
}

/**
 * True when all bytes after the first are continuation bytes. `isUtf8` checks the rest when the character is complete.
 */
function couldContinue(head: Uint8Array): boolean {
  for (let i = 1; i < head.length; i++) if ((head[i] & 0xc0) !== 0x80) return false;
  return true;
}

/** The offset of the first character that is not UTF-8, in bytes that contain one. */
function firstBad(bytes: Uint8Array, from: number, to: number): number {
  // All bytes before `good` are UTF-8. The bad character begins before `end`.
  let good = from;
  let end = to;
  // Binary search, cutting where a character starts: up to there, UTF-8 is valid on its own.
  for (;;) {
    let cut = good + ((end - good) >> 1);
    while (cut > good && (bytes[cut] & 0xc0) === 0x80) cut--;
    if (cut === good) break;
    if (isUtf8(bytes.subarray(good, cut))) good = cut;
    else end = cut;
  }
  // The search stops at most a few characters before the bad one.
  while (good < to) {
    const next = good + lengthOfCharacter(bytes[good]);
    if (next > to || !isUtf8(bytes.subarray(good, next))) return good;
    good = next;
  }
  return good;
}
