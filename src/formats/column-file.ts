import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { zstdCompressSync, zstdDecompressSync } from 'node:zlib';
import { DamageError } from './checked-file.ts';

/**
 * A file of named typed arrays with some JSON. Grid squares and results are stored in it.
 *
 * "HIDACOL1" · u32 length of the JSON · JSON {kind, meta, packing, columns} · padding to 8 · columns · SHA-256
 *
 * Numbers are little-endian. Every column starts at a multiple of 8, so that it is used in place. With the packing
 * `zstd` the columns are compressed together, and this layout is that of the decompressed columns. The SHA-256 covers
 * everything before it.
 */
export interface ColumnFile<Meta> {
  meta: Meta;
  columns: Record<string, Column>;
}

const TYPES = { u8: Uint8Array, u16: Uint16Array, u32: Uint32Array, u64: BigUint64Array, f64: Float64Array } as const;
type TypeName = keyof typeof TYPES;
/** A column: numbers of one type. */
export type Column = Uint8Array | Uint16Array | Uint32Array | BigUint64Array | Float64Array;

/** A column file that is damaged, cut short or of another kind. */
export class ColumnFileError extends DamageError {
  override name = 'ColumnFileError';
}

const MAGIC = 'HIDACOL1';
const HEAD_BYTES = 12;
const DIGEST_BYTES = 32;
/** Smallest chunk that zlib decompresses at a time, bytes. */
const LEAST_CHUNK = 64;
/** The next multiple of 8. */
const roundedUp = (bytes: number): number => (bytes + 7) & ~7;

/** `zstd` for files that are kept; `plain` for files that are soon read again or do not compress. */
type Packing = 'plain' | 'zstd';

/** The JSON before the columns. */
interface Header {
  kind: string;
  meta: unknown;
  packing: Packing;
  /** Offset in bytes from the start of the first column. */
  columns: Record<string, { type: TypeName; length: number; offset: number }>;
}

/**
 * Makes the bytes of a column file.
 * @param kind names the content; `decodeColumns` compares it
 */
export function encodeColumns<Meta>(
  kind: string,
  { meta, columns }: ColumnFile<Meta>,
  packing: Packing = 'plain',
): Uint8Array {
  const header: Header = { kind, meta, packing, columns: {} };
  let size = 0;
  for (const [name, column] of Object.entries(columns)) {
    header.columns[name] = { type: typeOf(column), length: column.length, offset: size };
    size += roundedUp(column.byteLength);
  }
  const plain = new Uint8Array(size);
  for (const [name, column] of Object.entries(columns)) plain.set(bytesOf(column), header.columns[name].offset);
  const packed = packing === 'zstd' ? zstdCompressSync(plain) : plain;

  const json = Buffer.from(JSON.stringify(header));
  const start = roundedUp(HEAD_BYTES + json.length);
  const bytes = Buffer.alloc(start + packed.length + DIGEST_BYTES);
  bytes.write(MAGIC, 'latin1');
  bytes.writeUInt32LE(json.length, MAGIC.length);
  json.copy(bytes, HEAD_BYTES);
  bytes.set(packed, start);
  digestOf(bytes).copy(bytes, bytes.length - DIGEST_BYTES);
  return bytes;
}

/**
 * Checks that the bytes are an unchanged column file, and returns them.
 * @throws ColumnFileError with `name` in its message
 */
export function checkColumns(bytes: Uint8Array, name: string): Buffer {
  const whole = bufferOf(bytes);
  if (whole.length < HEAD_BYTES + DIGEST_BYTES || whole.toString('latin1', 0, MAGIC.length) !== MAGIC) {
    throw new ColumnFileError(`${name}: not a file of columns (${whole.length} bytes)`);
  }
  if (!digestOf(whole).equals(whole.subarray(whole.length - DIGEST_BYTES))) {
    throw new ColumnFileError(`${name}: damaged: its checksum does not match its ${whole.length} bytes`);
  }
  return whole;
}

/**
 * Reads a column file. The columns are views of `bytes`, or of the decompressed bytes.
 * @param name for messages
 * @param isChecked true: the caller has checked the bytes, so their checksum is not compared again
 * @throws ColumnFileError when the checksum, the kind or the layout is not what was written
 */
export function decodeColumns<Meta>(
  kind: string,
  bytes: Uint8Array,
  name: string,
  { isChecked = false }: { isChecked?: boolean } = {},
): ColumnFile<Meta> {
  const alignedBytes = aligned8(bytes);
  const whole = isChecked ? bufferOf(alignedBytes) : checkColumns(alignedBytes, name);
  const jsonBytes = whole.readUInt32LE(MAGIC.length);
  const header: Header = JSON.parse(whole.toString('utf8', HEAD_BYTES, HEAD_BYTES + jsonBytes));
  if (header.kind !== kind) throw new ColumnFileError(`${name}: holds ${header.kind}, expected ${kind}`);
  const packed = whole.subarray(roundedUp(HEAD_BYTES + jsonBytes), whole.length - DIGEST_BYTES);
  const plain = header.packing === 'zstd' ? unpackedColumns(packed, header) : packed;
  const columns: Record<string, Column> = {};
  for (const [column, { type, length, offset }] of Object.entries(header.columns)) {
    columns[column] = new TYPES[type](plain.buffer as ArrayBuffer, plain.byteOffset + offset, length);
  }
  return { meta: header.meta as Meta, columns };
}

/** Decompresses all columns in one piece: several pieces would be copied once more to join them. */
function unpackedColumns(packed: Uint8Array, { columns }: Header): Uint8Array {
  const ends = Object.values(columns).map(
    ({ type, length, offset }) => offset + length * TYPES[type].BYTES_PER_ELEMENT,
  );
  const length = roundedUp(Math.max(0, ...ends));
  return aligned8(zstdDecompressSync(packed, { chunkSize: Math.max(LEAST_CHUNK, length) }));
}

/** The SHA-256 that ends a column file, as hex. It identifies the content. */
export const contentDigest = (bytes: Uint8Array): string =>
  Buffer.from(bytes.subarray(bytes.length - DIGEST_BYTES)).toString('hex');

/**
 * Reads a column file from disk.
 * @throws ColumnFileError, or the system's error when it cannot be read
 */
export async function readColumnFile<Meta>(kind: string, path: string): Promise<ColumnFile<Meta>> {
  return decodeColumns(kind, await readFile(path), path);
}

/** The same memory as a Buffer. */
const bufferOf = (bytes: Uint8Array): Buffer => Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);

/** The bytes, aligned to 8 as typed arrays need it. Copies them when they are not. */
function aligned8(bytes: Uint8Array): Uint8Array {
  return bytes.byteOffset % 8 === 0 ? bytes : new Uint8Array(bytes);
}

/** The SHA-256 of everything before the digest at the end. */
function digestOf(bytes: Buffer): Buffer {
  return createHash('sha256')
    .update(bytes.subarray(0, bytes.length - DIGEST_BYTES))
    .digest();
}

/** The name of the type of a column. */
function typeOf(column: Column): TypeName {
  for (const [name, type] of Object.entries(TYPES)) if (column instanceof type) return name as TypeName;
  throw new TypeError(`no column type for ${(column as object).constructor.name}`);
}

/** The bytes of a column. */
const bytesOf = (column: Column): Uint8Array => new Uint8Array(column.buffer, column.byteOffset, column.byteLength);

/**
 * One text for each row, in UTF-8: row i lies between `offsets[i]` and `offsets[i + 1]`. An empty text stands for null.
 */
export interface TextColumn {
  offsets: Uint32Array;
  bytes: Uint8Array;
}

const decoder = new TextDecoder();
const encoder = new TextEncoder();

/** True when the row has a text. */
export const hasText = ({ offsets }: TextColumn, row: number): boolean => offsets[row] !== offsets[row + 1];

/** The text of a row, or null. */
export function textAt(column: TextColumn, row: number): string | null {
  const [from, to] = [column.offsets[row], column.offsets[row + 1]];
  return from === to ? null : decoder.decode(column.bytes.subarray(from, to));
}

/** The first row with this text; −1 when there is none. */
export function rowOf({ offsets, bytes }: TextColumn, text: string): number {
  const textBytes = encoder.encode(text);
  for (let row = 0; row + 1 < offsets.length; row++) {
    const from = offsets[row];
    if (offsets[row + 1] - from !== textBytes.length) continue;
    // IDs differ more at their ends, so compare backwards.
    let rest = textBytes.length;
    while (rest > 0 && bytes[from + rest - 1] === textBytes[rest - 1]) rest--;
    if (rest === 0) return row;
  }
  return -1;
}

/** Makes a column of texts. */
export function textColumn(texts: readonly (string | null)[]): TextColumn {
  const whole = texts.join('');
  const bytes = encoder.encode(whole);
  // In ASCII each text has as many bytes as characters.
  const isAscii = bytes.length === whole.length;
  const sizeOf = (text: string): number => (isAscii ? text.length : Buffer.byteLength(text));
  const offsets = new Uint32Array(texts.length + 1);
  for (const [i, text] of texts.entries()) {
    offsets[i + 1] = offsets[i] + (text === null ? 0 : sizeOf(text));
  }
  // The sizes differ when one text ends with half of a surrogate pair and the next begins with the other half: joined,
  // they are a character. Each is then encoded by itself.
  if (offsets[texts.length] !== bytes.length) return textColumn(texts.map((text) => text?.toWellFormed() ?? null));
  return { offsets, bytes };
}
