/**
 * What the first bytes of a file say: null when they can be XML in UTF-8, else what was found, for the error.
 */
export function notXml(start: Uint8Array): string | null {
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

/** Encoding named in `<?xml … encoding="…"?>`, in lower case; null when it names none. */
export function declaredEncoding(declaration: string): string | null {
  return /\sencoding\s*=\s*["']([^"']*)["']/.exec(declaration)?.[1]?.toLowerCase() ?? null;
}

/** Encodings whose files can be read as UTF-8. */
export const UTF8_NAMES: readonly string[] = ['utf-8', 'utf8', 'us-ascii', 'ascii'];

export const isSpace = (byte: number): boolean => byte === 0x20 || byte === 0x0a || byte === 0x0d || byte === 0x09;

/** Letters, `_`, `:` and whatever is not ASCII (XML 1.0 §2.3, without its list of symbols). */
export const isNameStart = (byte: number): boolean =>
  (byte >= 0x61 && byte <= 0x7a) || (byte >= 0x41 && byte <= 0x5a) || byte === 0x5f || byte === 0x3a || byte >= 0x80;
