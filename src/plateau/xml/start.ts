import { XmlError } from './error.ts';
import type { XmlWindow } from './window.ts';

/**
 * What the first bytes of a file say: null when they can be XML in UTF-8, else what was found, for the error.
 */
function notXml(start: Uint8Array): string | null {
  if (start.length === 0) return 'the file is empty';
  const begins = (...bytes: number[]) => bytes.every((byte, i) => start[i] === byte);
  if (begins(0xff, 0xfe) || begins(0x3c, 0x00)) return 'found UTF-16 (little-endian)';
  if (begins(0xfe, 0xff) || begins(0x00, 0x3c)) return 'found UTF-16 (big-endian)';
  if (begins(0x1f, 0x8b)) return 'found gzip';
  if (begins(0x50, 0x4b, 0x03, 0x04)) return 'found a zip without the ending .zip';
  let i = begins(0xef, 0xbb, 0xbf) ? 3 : 0;
  while (i < start.length && isSpace(start[i]!)) i++;
  if (i === start.length || start[i] === 0x3c) return null;
  const printable = start.subarray(i, i + 24).every((byte) => byte >= 0x20 && byte < 0x7f);
  return printable
    ? `found "${Buffer.from(start.subarray(i, i + 24)).toString('latin1')}"`
    : 'found no "<" at the start';
}

/** Encodings whose files can be read as UTF-8. */
const UTF8_NAMES: readonly string[] = ['utf-8', 'utf8', 'us-ascii', 'ascii'];
const DECLARATION_END = Buffer.from('?>');

/**
 * Looks at the first bytes and the XML declaration, and passes over a byte order mark. False: more bytes are needed
 * (never when `final`). Throws `XmlError` for what is no XML or is not in UTF-8.
 */
export function readStart(window: XmlWindow, final: boolean): boolean {
  const begin = window.bytes.subarray(window.pos, window.end);
  if (begin.length < 32 && !final) return false;
  const found = notXml(begin);
  if (found !== null) throw new XmlError(0, `${found}; expected CityGML, which is XML in UTF-8`);
  const from = begin[0] === 0xef ? 3 : 0;
  if (begin.toString('latin1', from, from + 5) === '<?xml') {
    const close = begin.indexOf(DECLARATION_END);
    if (close === -1 && !final && begin.length < 1000) return false;
    const declaration = begin.toString('latin1', from, close === -1 ? begin.length : close);
    const encoding = /\sencoding\s*=\s*["']([^"']*)["']/.exec(declaration)?.[1]?.toLowerCase() ?? 'utf-8';
    if (!UTF8_NAMES.includes(encoding)) {
      throw new XmlError(from, `the encoding is declared as ${encoding}; expected UTF-8: convert the file`);
    }
  }
  window.pos += from;
  return true;
}

export const isSpace = (byte: number): boolean => byte === 0x20 || byte === 0x0a || byte === 0x0d || byte === 0x09;

/** Letters, `_`, `:` and whatever is not ASCII (XML 1.0 §2.3, without its list of symbols). */
export const isNameStart = (byte: number): boolean =>
  (byte >= 0x61 && byte <= 0x7a) || (byte >= 0x41 && byte <= 0x5a) || byte === 0x5f || byte === 0x3a || byte >= 0x80;
