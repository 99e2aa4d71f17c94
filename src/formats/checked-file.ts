import { closeSync, createReadStream, fstatSync, openSync, readSync } from 'node:fs';
import { crc32 } from 'node:zlib';

/**
 * Files of which every byte is checked before it is used. A CRC-32 is kept of each block of `BLOCK_BYTES`; a block is
 * read with `pread` and compared, and what was compared is kept in a cache. Nothing is mapped into memory, so a damaged or
 * truncated file is an error of the read that meets it and never ends the process.
 */
export const BLOCK_BYTES = 2048;

/** What was read is not what was written. */
export class DamageError extends Error {
  override name = 'DamageError';
}

/** A file does not hold what was written: a block differs from its checksum, or cannot be read. */
export class DamagedFileError extends DamageError {
  override name = 'DamagedFileError';
  readonly path: string;
  constructor(path: string, problem: string, options?: ErrorOptions) {
    super(`${path}: ${problem}`, options);
    this.path = path;
  }
}

/** The machine has no file handle or no memory free at present; the file itself may be whole. */
export class ShortageError extends Error {
  override name = 'ShortageError';
}

const OF_SHORTAGE: ReadonlySet<unknown> = new Set(['EMFILE', 'ENFILE', 'ENOMEM', 'EAGAIN']);

/** The error itself, or a `ShortageError` where it or what caused it is one of the machine. */
export function asShortage(error: unknown): unknown {
  for (let cause = error; cause instanceof Error; cause = cause.cause) {
    if (OF_SHORTAGE.has((cause as NodeJS.ErrnoException).code))
      return new ShortageError(cause.message, { cause: error });
  }
  return error;
}

/** The number of blocks of a file, the last one mostly not full. */
export const blockCount = (bytes: number): number => Math.ceil(bytes / BLOCK_BYTES);

/** Gathers the checksums of the blocks of a file whose bytes come in order, in pieces of any size. */
export class BlockChecksums {
  readonly #done: number[] = [];
  #crc = 0;
  #filled = 0;

  add(bytes: Uint8Array): void {
    for (let at = 0; at < bytes.length; ) {
      const end = Math.min(bytes.length, at + BLOCK_BYTES - this.#filled);
      this.#crc = crc32(bytes.subarray(at, end), this.#crc);
      this.#filled += end - at;
      at = end;
      if (this.#filled === BLOCK_BYTES) this.#next();
    }
  }

  finish(): Uint32Array {
    if (this.#filled > 0) this.#next();
    return Uint32Array.from(this.#done);
  }

  #next(): void {
    this.#done.push(this.#crc);
    this.#crc = 0;
    this.#filled = 0;
  }
}

/**
 * Blocks that were read and found right, of any number of files. Each block has one slot, its number modulo the number of
 * slots: neighbours in a file are neighbours in memory, and consecutive blocks are one view.
 */
export class BlockCache {
  readonly #slots: number;
  readonly #memory: ArrayBuffer;
  /** The number of the block that lies in each slot, and one more; 0: none. */
  readonly #holds: Float64Array;
  /** Whether a caller reads its memory at present. */
  lent = false;

  /** @param bytes of memory at most; it is taken as it is needed. */
  constructor(bytes: number) {
    this.#slots = Math.max(1, Math.floor(bytes / BLOCK_BYTES));
    this.#memory = new ArrayBuffer(this.#slots * BLOCK_BYTES);
    this.#holds = new Float64Array(this.#slots);
  }

  /** Whether the slots of some blocks lie side by side. */
  fits(first: number, count: number): boolean {
    return (first % this.#slots) + count <= this.#slots;
  }

  /** A view of bytes that begin at a distance from the slot of a block. */
  view(first: number, start: number, length: number): Uint8Array {
    // Not `subarray`, which takes three times as long.
    return new Uint8Array(this.#memory, (first % this.#slots) * BLOCK_BYTES + start, length);
  }

  holds(first: number, count: number): boolean {
    const slot = first % this.#slots;
    for (let i = 0; i < count; i++) if (this.#holds[slot + i] !== first + i + 1) return false;
    return true;
  }

  /** Records that the slots of some blocks hold these blocks, or (`held` false) nothing. */
  mark(first: number, count: number, held: boolean): void {
    const slot = first % this.#slots;
    for (let i = 0; i < count; i++) this.#holds[slot + i] = held ? first + i + 1 : 0;
  }
}

/** The numbers of a file's blocks among those of all files that share a cache. */
interface SharedCache {
  cache: BlockCache;
  /** Number of its first block. */
  first: number;
}

/** Blocks of a file that is opened by itself are kept in as much memory as this. */
const OWN_CACHE_BYTES = 1 << 20;
/** How much of a stream is read at a time. */
const STREAM_BYTES = 128 * BLOCK_BYTES;

/** A file open for reading, each block of it checked before it is used. */
export class CheckedFile {
  readonly path: string;
  readonly size: number;
  readonly #file: number;
  readonly #checksums: Uint32Array;
  readonly #cache: BlockCache;
  readonly #first: number;

  /**
   * @param checksums of its blocks
   * @throws DamagedFileError when the file has another size; the system's error when it cannot be opened.
   */
  constructor(path: string, size: number, checksums: Uint32Array, shared?: SharedCache) {
    this.path = path;
    this.size = size;
    this.#checksums = checksums;
    this.#cache = shared?.cache ?? new BlockCache(Math.min(OWN_CACHE_BYTES, size + BLOCK_BYTES));
    this.#first = shared?.first ?? 0;
    if (checksums.length !== blockCount(size)) {
      throw new DamagedFileError(path, `${checksums.length} checksums for ${size} bytes`);
    }
    this.#file = openSync(path, 'r');
    const found = fstatSync(this.#file).size;
    if (found === size) return;
    closeSync(this.#file);
    throw new DamagedFileError(path, `has ${found} bytes, expected ${size}`);
  }

  /** Opens a file as it is now: its checksums are those of its present bytes. Throws the system's error. */
  static async asItIs(path: string): Promise<CheckedFile> {
    const checksums = new BlockChecksums();
    let size = 0;
    for await (const chunk of createReadStream(path, { highWaterMark: STREAM_BYTES })) {
      checksums.add(chunk);
      size += chunk.length;
    }
    return new CheckedFile(path, size, checksums.finish());
  }

  close(): void {
    closeSync(this.#file);
  }

  /** A copy of the bytes from one offset to another. Throws as `use`. */
  read(from: number, to: number): Buffer {
    return this.use(from, to, (bytes) => Buffer.from(bytes));
  }

  /** All its bytes, which the cache does not take. Throws as `use`. */
  whole(): Buffer {
    const bytes = Buffer.allocUnsafe(this.size);
    this.#load(0, blockCount(this.size), bytes);
    return bytes;
  }

  /**
   * Lends the bytes from one offset to another to a function, which must not keep them or read from a
   * file of the same cache.
   * @throws DamagedFileError when they are not what was written; `RangeError` for bytes outside the file.
   */
  use<T>(from: number, to: number, look: (bytes: Uint8Array) => T): T {
    if (!(from >= 0 && from <= to && to <= this.size)) {
      throw new RangeError(`${this.path}: bytes ${from} to ${to} of ${this.size}`);
    }
    const cache = this.#cache;
    if (cache.lent) throw new Error(`${this.path}: read while bytes of the same cache are being looked at`);
    cache.lent = true;
    try {
      return look(this.#checked(from, to));
    } finally {
      cache.lent = false;
    }
  }

  /** The bytes from one offset to another, in pieces that the receiver owns. Throws as `use`. */
  async *stream(from = 0, to = this.size): AsyncGenerator<Buffer> {
    for (let at = from; at < to; ) {
      const end = Math.min(to, at - (at % BLOCK_BYTES) + STREAM_BYTES);
      const blocks = Math.ceil((end - (at - (at % BLOCK_BYTES))) / BLOCK_BYTES);
      const bytes = Buffer.allocUnsafe(blocks * BLOCK_BYTES);
      const first = Math.floor(at / BLOCK_BYTES);
      this.#load(first, blocks, bytes);
      yield bytes.subarray(at - first * BLOCK_BYTES, end - first * BLOCK_BYTES);
      at = end;
      // Others get their turn: a file of gigabytes is checked at some hundred megabytes a second.
      await new Promise((resolve) => setImmediate(resolve));
    }
  }

  #checked(from: number, to: number): Uint8Array {
    const first = Math.floor(from / BLOCK_BYTES);
    const count = Math.ceil(to / BLOCK_BYTES) - first;
    const start = from - first * BLOCK_BYTES;
    const number = this.#first + first;
    const cache = this.#cache;
    if (!cache.fits(number, count)) {
      const bytes = Buffer.allocUnsafe(count * BLOCK_BYTES);
      this.#load(first, count, bytes);
      return bytes.subarray(start, start + to - from);
    }
    if (!cache.holds(number, count)) {
      cache.mark(number, count, false);
      this.#load(first, count, cache.view(number, 0, count * BLOCK_BYTES));
      cache.mark(number, count, true);
    }
    return cache.view(number, start, to - from);
  }

  /** Reads blocks and compares each with its checksum. */
  #load(first: number, count: number, into: Uint8Array): void {
    const start = first * BLOCK_BYTES;
    const length = Math.min(this.size - start, count * BLOCK_BYTES);
    let done = 0;
    try {
      while (done < length) {
        const read = readSync(this.#file, into, done, length - done, start + done);
        if (read === 0) break;
        done += read;
      }
    } catch (error) {
      throw new DamagedFileError(this.path, `cannot be read: ${(error as Error).message}`, { cause: error });
    }
    if (done < length)
      throw new DamagedFileError(this.path, `ends at byte ${start + done}, expected ${this.size} bytes`);
    for (let block = 0; block < count; block++) {
      const from = block * BLOCK_BYTES;
      const found = crc32(into.subarray(from, Math.min(from + BLOCK_BYTES, length)));
      if (found !== this.#checksums[first + block]) {
        throw new DamagedFileError(this.path, `damaged in bytes ${start + from} to ${start + from + BLOCK_BYTES - 1}`);
      }
    }
  }
}
