/**
 * A strong ETag. Dataset, request and coding determine the bytes of an answer. So they identify it as well as a hash of
 * the body, and are the same on every server.
 * @param dataset in characters that a tag may have
 * @param request also in such characters: checked identifiers and numbers
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

/** RFC 9110, 5.6.1 and 8.8.3: tags separated by commas; list members may be empty. */
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
  const [first, last] = [match[1], match[2]];
  if (first === '' && last === '') return null;
  if (first === '') {
    const length = Math.min(Number(last), size);
    return length === 0 ? 'unsatisfiable' : { start: size - length, end: size - 1 };
  }
  const start = Number(first);
  const end = last === '' ? size - 1 : Math.min(Number(last), size - 1);
  if (last !== '' && Number(last) < start) return null;
  return start >= size ? 'unsatisfiable' : { start, end };
}
