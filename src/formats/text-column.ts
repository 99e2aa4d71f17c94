/** A text per row, UTF-8 laid end to end: row i lies between `offsets[i]` and `offsets[i + 1]`. Empty stands for null. */
export interface TextColumn {
  offsets: Uint32Array;
  bytes: Uint8Array;
}

const decoder = new TextDecoder();
const encoder = new TextEncoder();

/** The text of a row, or null. */
export function textAt(column: TextColumn, row: number): string | null {
  const [from, to] = [column.offsets[row], column.offsets[row + 1]];
  return from === to ? null : decoder.decode(column.bytes.subarray(from, to));
}

/** Lays texts end to end. */
export function textColumn(texts: Iterable<string | null>): TextColumn {
  const parts: Uint8Array[] = [];
  const offsets = [0];
  let end = 0;
  for (const text of texts) {
    const part = encoder.encode(text ?? '');
    parts.push(part);
    end += part.length;
    offsets.push(end);
  }
  const bytes = new Uint8Array(end);
  for (const [i, part] of parts.entries()) bytes.set(part, offsets[i]);
  return { offsets: Uint32Array.from(offsets), bytes };
}
