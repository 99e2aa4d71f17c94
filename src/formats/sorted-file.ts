import { closeSync, openSync } from 'node:fs';
import { setImmediate } from 'node:timers/promises';
import { type CheckedFile, DamagedFileError } from './checked-file.ts';
import { GatheredOutput } from './files.ts';

/**
 * An immutable file of keys and values, both plain bytes, in ascending order of the keys. It is a sorted string table,
 * as in Bigtable and LevelDB, without levels or deletions.
 *
 * values, end to end · leaves · directory · tail
 *
 * A leaf indexes `LEAF_ENTRIES` entries. It has the offset of the first value (f64). Then each entry has, as LEB128
 * numbers: the bytes that its key shares with the previous key, the number of further key bytes, these bytes, and the
 * length of the value. The directory has for each leaf its offset (f64), the length of its first key (u16) and this
 * key; it stays in memory. The tail has the offset of the directory (f64), the number of leaves (u32) and of entries
 * (f64), and "HIDASORT". All numbers are little-endian.
 *
 * The file has no checksums: it is read through a `CheckedFile`. The same entries give the same bytes.
 */
const LEAF_ENTRIES = 64;
/** A leaf begins with the offset of its first value. */
const OFFSET_BYTES = 8;
const TAIL_BYTES = 28;
const MAGIC = 'HIDASORT';
/** Bytes to write before other work gets a turn. Also the size of a buffer of finished leaves. */
const PIECE_BYTES = 1 << 20;

/**
 * Writes a new file from entries in ascending order of their keys. Other work of the thread gets turns meanwhile.
 * @throws RangeError for keys out of order; the system's error when the disk is full
 */
export async function writeSortedFile(
  path: string,
  entries: Iterable<readonly [key: Uint8Array, value: Uint8Array]>,
): Promise<void> {
  const writer = new Writer(path);
  try {
    let written = 0;
    for (const [key, value] of entries) {
      writer.add(key, value);
      if (writer.size - written < PIECE_BYTES) continue;
      written = writer.size;
      await setImmediate();
    }
    writer.finish();
  } finally {
    writer.close();
  }
}

/** Writes the values at once, and keeps the leaves and the directory until the end. */
class Writer {
  readonly #path: string;
  readonly #file: number;
  readonly #out: GatheredOutput;
  #entries = 0;
  /** Finished leaves in large buffers. A small buffer for each leaf would keep a whole pool of Node.js in memory. */
  readonly #leaves: { bytes: Buffer; filled: number }[] = [];
  /** For each leaf its length and its first key (one character for each byte). */
  readonly #directory: { length: number; first: string }[] = [];
  /** The bytes of the current leaf, the offset of its first value, and its first key. */
  #leaf: number[] = [];
  #leafStart = 0;
  #leafFirst = '';
  #lastKey: Buffer | null = null;

  constructor(path: string) {
    this.#path = path;
    this.#file = openSync(path, 'w');
    this.#out = new GatheredOutput(this.#file);
  }

  /** Bytes added so far. */
  get size(): number {
    return this.#out.size;
  }

  /**
   * Adds an entry: the value to the file, and to the leaf how many bytes the key has in common with the key before, how
   * many follow, those bytes, and the length of the value.
   * @throws RangeError when the key is not above the previous one
   */
  add(key: Uint8Array, value: Uint8Array): void {
    const last = this.#lastKey;
    if (last && Buffer.compare(last, key) >= 0) {
      throw new RangeError(`${this.#path}: key ${keyText(key)} comes after ${keyText(last)}: keys must ascend`);
    }
    if (this.#entries % LEAF_ENTRIES === 0) this.#beginLeaf(key);
    const shared = last === null || this.#leaf.length === 0 ? 0 : sharedBytes(last, key);
    pushNumber(this.#leaf, shared);
    pushNumber(this.#leaf, key.length - shared);
    for (let i = shared; i < key.length; i++) this.#leaf.push(key[i] as number);
    pushNumber(this.#leaf, value.length);
    this.#lastKey = Buffer.from(key);
    this.#entries++;
    this.#out.add(value);
  }

  /**
   * Writes leaves, directory and tail. The directory has, for each leaf, its offset and its first key. The tail has the
   * offset of the directory, the numbers of leaves and of entries, and the magic word.
   */
  finish(): void {
    this.#endLeaf();
    let leafOffset = this.size;
    for (const { bytes, filled } of this.#leaves) this.#out.add(bytes.subarray(0, filled));
    const directoryOffset = this.size;
    const tail = Buffer.alloc(TAIL_BYTES);
    tail.writeDoubleLE(directoryOffset, 0);
    tail.writeUInt32LE(this.#directory.length, 8);
    tail.writeDoubleLE(this.#entries, 12);
    tail.write(MAGIC, 20, 'latin1');
    for (const { length, first } of this.#directory) {
      const head = Buffer.alloc(10);
      head.writeDoubleLE(leafOffset, 0);
      head.writeUInt16LE(first.length, 8);
      this.#out.add(head);
      this.#out.add(Buffer.from(first, 'latin1'));
      leafOffset += length;
    }
    this.#out.add(tail);
    this.#out.flush();
  }

  close(): void {
    closeSync(this.#file);
  }

  /** Begins a leaf with this first key. It is kept as latin1: a character for each byte, in the order of the bytes. */
  #beginLeaf(key: Uint8Array): void {
    this.#endLeaf();
    this.#leafStart = this.size;
    this.#leafFirst = Buffer.from(key).toString('latin1');
  }

  /** Puts the current leaf, if it has entries, behind the others: the offset of its first value, then its bytes. */
  #endLeaf(): void {
    if (this.#leaf.length === 0) return;
    const length = OFFSET_BYTES + this.#leaf.length;
    let piece = this.#leaves.at(-1);
    if (piece === undefined || piece.filled + length > piece.bytes.length) {
      piece = { bytes: Buffer.allocUnsafeSlow(Math.max(PIECE_BYTES, length)), filled: 0 };
      this.#leaves.push(piece);
    }
    piece.bytes.writeDoubleLE(this.#leafStart, piece.filled);
    piece.bytes.set(this.#leaf, piece.filled + OFFSET_BYTES);
    piece.filled += length;
    this.#directory.push({ length, first: this.#leafFirst });
    this.#leaf = [];
  }
}

/** The position of a value in the file. */
interface ByteRange {
  from: number;
  to: number;
}

/** A sorted file open for reading. */
export class SortedFile {
  readonly count: number;
  readonly #file: CheckedFile;
  /** Where each leaf begins; the last number is the end of the last leaf. */
  readonly #leaves: Float64Array;
  /** The first keys of the leaves, end to end. `#keyAt` has their positions. */
  readonly #keys: Buffer;
  readonly #keyAt: Uint32Array;

  /**
   * Reads the directory. The caller owns and closes the file.
   * @throws DamagedFileError when the file is damaged
   */
  constructor(file: CheckedFile) {
    this.#file = file;
    if (file.size < TAIL_BYTES) throw new DamagedFileError(file.path, `not a sorted file: ${file.size} bytes`);
    const tail = file.read(file.size - TAIL_BYTES, file.size);
    if (tail.toString('latin1', 20) !== MAGIC) throw new DamagedFileError(file.path, 'not a sorted file');
    const start = tail.readDoubleLE(0);
    const leaves = tail.readUInt32LE(8);
    this.count = tail.readDoubleLE(12);
    const directory = file.read(start, file.size - TAIL_BYTES);
    this.#leaves = new Float64Array(leaves + 1);
    this.#keyAt = new Uint32Array(leaves + 1);
    this.#keys = Buffer.alloc(directory.length - 10 * leaves);
    let at = 0;
    for (let leaf = 0; leaf < leaves; leaf++) {
      this.#leaves[leaf] = directory.readDoubleLE(at);
      const end = at + 10 + directory.readUInt16LE(at + 8);
      const key = this.#keyAt[leaf] as number;
      this.#keyAt[leaf + 1] = key + directory.copy(this.#keys, key, at + 10, end);
      at = end;
    }
    this.#leaves[leaves] = start;
  }

  /**
   * A copy of the value of a key.
   * @throws DamagedFileError when the file is damaged
   */
  get(key: Uint8Array): Buffer | undefined {
    const range = this.#find(key);
    return range && this.#file.read(range.from, range.to);
  }

  /**
   * Calls a function with the value of a key. The function must not keep the value or read this file.
   * @throws DamagedFileError when the file is damaged
   */
  use<T>(key: Uint8Array, look: (value: Uint8Array) => T): T | undefined {
    const range = this.#find(key);
    return range && this.#file.use(range.from, range.to, look);
  }

  /**
   * Copies of the entries from key `start` up to, but without, key `end`, in order.
   * @throws DamagedFileError when the file is damaged
   */
  *range(start: Uint8Array, end: Uint8Array): Generator<[key: Buffer, value: Buffer]> {
    for (const { key, from, to } of this.#entriesBetween(start, end)) yield [key, this.#file.read(from, to)];
  }

  /**
   * Copies of the keys from `start` up to, but without, `end`, in order.
   * @throws DamagedFileError when the file is damaged
   */
  *keys(start: Uint8Array, end: Uint8Array): Generator<Buffer> {
    for (const { key } of this.#entriesBetween(start, end)) yield key;
  }

  /** The entries from key `start` up to, but without, key `end`, in order. */
  *#entriesBetween(start: Uint8Array, end: Uint8Array): Generator<ByteRange & { key: Buffer }> {
    // -1: `start` is before the first key. The last number of `#leaves` is no leaf, but the end of the last one.
    for (let leaf = Math.max(0, this.#leafOf(start)); leaf < this.#leaves.length - 1; leaf++) {
      for (const entry of this.#entries(leaf)) {
        if (Buffer.compare(entry.key, end) >= 0) return;
        if (Buffer.compare(entry.key, start) >= 0) yield entry;
      }
    }
  }

  /** The keys of a leaf, and where their values are. */
  *#entries(leaf: number): Generator<ByteRange & { key: Buffer }> {
    const bytes = this.#file.read(this.#leaves[leaf] as number, this.#leaves[leaf + 1] as number);
    // First the offset of the first value. Then for each entry: the number of key bytes shared with the entry before, the
    // number and the bytes of the rest of the key, and the length of the value.
    let from = bytes.readDoubleLE(0);
    const cursor = { bytes, at: OFFSET_BYTES };
    let key = Buffer.alloc(0);
    while (cursor.at < bytes.length) {
      const shared = readNumber(cursor);
      const more = readNumber(cursor);
      key = Buffer.concat([key.subarray(0, shared), bytes.subarray(cursor.at, cursor.at + more)]);
      cursor.at += more;
      const to = from + readNumber(cursor);
      yield { key, from, to };
      from = to;
    }
  }

  /** Where the value of a key is; undefined when the file does not have the key. */
  #find(key: Uint8Array): ByteRange | undefined {
    const leaf = this.#leafOf(key);
    if (leaf < 0) return undefined;
    const [from, to] = [this.#leaves[leaf] as number, this.#leaves[leaf + 1] as number];
    return this.#file.use(from, to, (bytes) => findInLeaf(bytes, key));
  }

  /** The last leaf whose first key is not above this key, or −1. The last of `#leaves` is the end of the file. */
  #leafOf(key: Uint8Array): number {
    let [low, high] = [0, this.#leaves.length - 1];
    while (low < high) {
      const middle = (low + high) >> 1;
      if (this.#firstKeyIsAbove(middle, key)) high = middle;
      else low = middle + 1;
    }
    return low - 1;
  }

  /** True when the first key of a leaf comes after `key` in the order of bytes. */
  #firstKeyIsAbove(leaf: number, key: Uint8Array): boolean {
    const keys = this.#keys;
    const start = this.#keyAt[leaf] as number;
    const length = (this.#keyAt[leaf + 1] as number) - start;
    for (let i = 0; i < length; i++) {
      if (i === key.length) return true;
      const difference = (keys[start + i] as number) - (key[i] as number);
      if (difference !== 0) return difference > 0;
    }
    return false;
  }
}

/**
 * Finds the value of a key without building the keys of the leaf, whose layout is at `LEAF_ENTRIES`. The entries before
 * the key are passed one by one; `common` counts the first bytes that the last of them has in common with the key. An
 * entry that shares more bytes with its predecessor is below the key too. An entry that shares fewer is above it. With
 * the key `car`, after the entry `cab` (common 2), `cabin` shares three bytes with `cab` and is below; `cow` shares one
 * and is above, so there is no `car`.
 */
function findInLeaf(bytes: Uint8Array, key: Uint8Array): ByteRange | undefined {
  const numbers = { bytes, at: OFFSET_BYTES };
  const length = bytes.length;
  const keyLength = key.length;
  let from = new DataView(bytes.buffer, bytes.byteOffset).getFloat64(0, true);
  let common = 0;
  while (numbers.at < length) {
    const shared = readNumber(numbers);
    const furtherBytes = readNumber(numbers);
    let at = numbers.at;
    const end = at + furtherBytes;
    if (shared < common) return undefined;
    if (shared === common) {
      while (at < end && common < keyLength && bytes[at] === key[common]) {
        at++;
        common++;
      }
      if (at === end && common === keyLength) {
        numbers.at = end;
        return { from, to: from + readNumber(numbers) };
      }
      if (common === keyLength || (at < end && (bytes[at] as number) > (key[common] as number))) return undefined;
    }
    numbers.at = end;
    from += readNumber(numbers);
  }
  return undefined;
}

/**
 * Reads the next number of a leaf (LEB128: seven bits in each byte, the lowest first; the highest bit says that another
 * byte follows). In a damaged leaf it may be cut off: a byte behind the end is undefined and ends it.
 */
function readNumber(from: { bytes: Uint8Array; at: number }): number {
  const first = from.bytes[from.at++] as number;
  if (!(first > 0x7f)) return first;
  let value = first & 0x7f;
  for (let scale = 128; ; scale *= 128) {
    const byte = from.bytes[from.at++] as number;
    value += (byte & 0x7f) * scale;
    if (!(byte > 0x7f)) return value;
  }
}

/** Appends a number to a leaf (LEB128). */
function pushNumber(to: number[], value: number): void {
  let rest = value;
  for (; rest > 0x7f; rest = Math.floor(rest / 128)) to.push((rest & 0x7f) | 0x80);
  to.push(rest);
}

/** The number of bytes with which both keys begin. */
function sharedBytes(a: Uint8Array, b: Uint8Array): number {
  const most = Math.min(a.length, b.length);
  let shared = 0;
  while (shared < most && a[shared] === b[shared]) shared++;
  return shared;
}

/** A key for messages. */
const keyText = (key: Uint8Array): string => JSON.stringify(Buffer.from(key).toString('latin1'));
