/** First and last byte, inclusive. */
interface ByteRange {
  start: number;
  end: number;
}

const ONE_RANGE = /^bytes=(\d*)-(\d*)$/i;

/**
 * The bytes that a Range header asks for (RFC 9110, 14.2). Null: the whole file, as for a header that is malformed,
 * in another unit or asks for several ranges, all of which a server may ignore. `unsatisfiable`: 416.
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
