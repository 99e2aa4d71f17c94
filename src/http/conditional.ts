/**
 * A strong ETag. Dataset, request and coding determine the bytes of an answer. So they identify it as well as a hash of
 * the body, and are the same on every server. They must have only characters that a tag may have.
 * @param dataset identifies dataset, site and program
 * @param request identifies the route and its values
 * @param coding content coding of the body
 */
export function entityTag(dataset: string, request: string, coding: string): string {
  return `"${dataset}/${request}/${coding}"`;
}

/**
 * True when If-None-Match contains the strong tag (RFC 9110, 13.1.2). The header is a list of tags, compared weakly, or
 * `*`, which always matches. A malformed header does not match.
 */
export function matchesTag(header: string, tag: string): boolean {
  if (header.trim() === '*') return true;
  if (!TAG_LIST.test(header)) return false;
  return [...header.matchAll(/"[^"]*"/g)].some(([opaque]) => opaque === tag);
}

/** A list of tags separated by commas; members may be empty (RFC 9110, 5.6.1 and 8.8.3). */
const TAG_LIST = /^[\s,]*(?:W\/)?"[^"]*"(?:\s*,[\s,]*(?:W\/)?"[^"]*")*[\s,]*$/;

/** First and last byte, inclusive. */
interface ByteRange {
  start: number;
  end: number;
}

const ONE_RANGE = /^bytes=(\d*)-(\d*)$/i;

/**
 * The bytes that a Range header requests (RFC 9110, 14.2). Null: the whole file. This is also the result for a
 * malformed header, another unit or several ranges, which a server may ignore. `unsatisfiable`: 416.
 */
export function byteRange(header: string | undefined, size: number): ByteRange | 'unsatisfiable' | null {
  const match = ONE_RANGE.exec(header?.replaceAll(' ', '') ?? '');
  if (match === null) return null;
  const [, first, last] = match;
  if (first === '' && last === '') return null;
  if (first === '') {
    // `bytes=-500` requests the last 500 bytes.
    const length = Math.min(Number(last), size);
    return length === 0 ? 'unsatisfiable' : { start: size - length, end: size - 1 };
  }
  const start = Number(first);
  const end = last === '' ? Infinity : Number(last);
  // Malformed.
  if (end < start) return null;
  return start < size ? { start, end: Math.min(end, size - 1) } : 'unsatisfiable';
}
