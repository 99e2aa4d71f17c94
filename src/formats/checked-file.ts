import { closeSync, createReadStream, fstatSync, openSync, readSync } from 'node:fs';
import { crc32 } from 'node:zlib';

/**
 * Files whose bytes are all checked before use. Each block of `BLOCK_BYTES` has a CRC-32. A block is read with `pread`
 * and compared with its checksum; checked blocks stay in a cache. No file is mapped into memory. So a damaged or
 * truncated file causes an error at the read and never ends the process.
 */
export const BLOCK_BYTES = 2048;

/** The bytes read are not the bytes that were written. */
export class DamageError extends Error {
  override name = 'DamageError';
}

/** A file is damaged: a block does not match its checksum or cannot be read. */
export class DamagedFileError extends DamageError {
  override name = 'DamagedFileError';
  readonly path: string;
  constructor(path: string, problem: string, options?: ErrorOptions) {
    super(`${path}: ${problem}`, options);
    this.path = path;
  }
}

/** The machine has no free file handle or memory at present. The file itself may be sound. */
export class ShortageError extends Error {
  override name = 'ShortageError';
}

/** Codes of the system's errors that mean a shortage. */
const SHORTAGE_CODES: ReadonlySet<unknown> = new Set(['EMFILE', 'ENFILE', 'ENOMEM', 'EAGAIN']);

/**
 * Returns a `ShortageError` when the error or one of its causes is a shortage of the machine; otherwise the error
 * itself.
 */
export function asShortage(error: unknown): unknown {
  for (let cause = error; cause instanceof Error; cause = cause.cause) {
    if (SHORTAGE_CODES.has((cause as NodeJS.ErrnoException).code))
      return new ShortageError(cause.message, { cause: error });
  }
  return error;
}

/** The number of blocks of a file. The last one is usually not full. */
export const blockCount = (bytes: number): number => Math.ceil(bytes / BLOCK_BYTES);

/** Computes the checksums of the blocks of a file. The bytes come in order, in pieces of any size. */
export class BlockChecksums {
  readonly #crcs: number[] = [];
  #crc = 0;
  #filled = 0;

  /** Adds the next bytes of the file. */
  add(bytes: Uint8Array): void {
    for (let at = 0; at < bytes.length; ) {
      const end = Math.min(bytes.length, at + BLOCK_BYTES - this.#filled);
      this.#crc = crc32(bytes.subarray(at, end), this.#crc);
      this.#filled += end - at;
      at = end;
      if (this.#filled === BLOCK_BYTES) this.#endBlock();
    }
  }

  /** The checksums of all blocks, the last of which may not be full. */
  finish(): Uint32Array {
    if (this.#filled > 0) this.#endBlock();
    return Uint32Array.from(this.#crcs);
  }

  /** Keeps the checksum of the block and begins the next one. */
  #endBlock(): void {
    this.#crcs.push(this.#crc);
    this.#crc = 0;
    this.#filled = 0;
  }
}

/**
 * Keeps checked blocks of any number of files. The slot of a block is its number modulo the number of slots. So blocks
 * that follow each other in a file do so in memory too, and one view covers them.
 */
export class BlockCache {
  readonly #slots: number;
  readonly #memory: ArrayBuffer;
  /** For each slot: the number of its block plus one; 0 when it is empty. */
  readonly #blockPlusOne: Float64Array;
  /** True while a caller reads the memory of the cache. */
  lent = false;

  /** @param bytes most memory; the system gives it when it is first used */
  constructor(bytes: number) {
    this.#slots = Math.max(1, Math.floor(bytes / BLOCK_BYTES));
    this.#memory = new ArrayBuffer(this.#slots * BLOCK_BYTES);
    this.#blockPlusOne = new Float64Array(this.#slots);
  }

  /** True when the slots of these blocks lie side by side, without a wrap to the first slot. */
  fits(first: number, count: number): boolean {
    return (first % this.#slots) + count <= this.#slots;
  }

  /** A view of `length` bytes that begins `start` bytes after the slot of the block `first`. */
  view(first: number, start: number, length: number): Uint8Array {
    // `subarray` takes three times as long.
    return new Uint8Array(this.#memory, (first % this.#slots) * BLOCK_BYTES + start, length);
  }

  /** True when all these blocks are in the cache. They must fit (`fits`), so that their slots do not wrap to the first. */
  holds(first: number, count: number): boolean {
    const slot = first % this.#slots;
    // A slot has the number of its block plus one, because 0 stands for an empty slot.
    for (let i = 0; i < count; i++) if (this.#blockPlusOne[slot + i] !== first + i + 1) return false;
    return true;
  }

  /** Records that the slots of these blocks hold them. */
  setHeld(first: number, count: number): void {
    const slot = first % this.#slots;
    for (let i = 0; i < count; i++) this.#blockPlusOne[slot + i] = first + i + 1;
  }

  /** Records that the slots of these blocks hold nothing. */
  setEmpty(first: number, count: number): void {
    const slot = first % this.#slots;
    this.#blockPlusOne.fill(0, slot, slot + count);
  }
}

/** A cache for the blocks of several files, and the number at which this file's blocks begin in it. */
interface SharedCache {
  cache: BlockCache;
  /** Number of the file's first block. */
  first: number;
}

/** Size of the cache of a file that shares none. */
const PRIVATE_CACHE_BYTES = 1 << 20;
/** Bytes that a stream reads at a time. */
const STREAM_BYTES = 128 * BLOCK_BYTES;

/** A file open for reading. Each block is checked before use. */
export class CheckedFile {
  readonly path: string;
  readonly size: number;
  readonly #file: number;
  readonly #checksums: Uint32Array;
  readonly #cache: BlockCache;
  /** Number of its first block in the cache. */
  readonly #first: number;

  /**
   * @param checksums of its blocks
   * @throws DamagedFileError when the file has another size; the system's error when it cannot be opened
   */
  constructor(path: string, size: number, checksums: Uint32Array, shared?: SharedCache) {
    this.path = path;
    this.size = size;
    this.#checksums = checksums;
    this.#cache = shared?.cache ?? new BlockCache(Math.min(PRIVATE_CACHE_BYTES, size + BLOCK_BYTES));
    this.#first = shared?.first ?? 0;
    if (checksums.length !== blockCount(size)) {
      throw new DamagedFileError(path, `${checksums.length} checksums for ${size} bytes`);
    }
    this.#file = openSync(path, 'r');
    const actualSize = fstatSync(this.#file).size;
    if (actualSize !== size) {
      closeSync(this.#file);
      throw new DamagedFileError(path, `has ${actualSize} bytes, expected ${size}`);
    }
  }

  /**
   * Opens a file without stored checksums: they are computed from its present bytes.
   * @throws Error of the system when it cannot be read
   */
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

  /**
   * A copy of the bytes from one offset to another.
   * @throws DamagedFileError when they are not what was written; RangeError for bytes outside the file
   */
  read(from: number, to: number): Buffer {
    return this.use(from, to, (bytes) => Buffer.from(bytes));
  }

  /**
   * All bytes of the file. They do not go into the cache.
   * @throws DamagedFileError when they are not what was written
   */
  whole(): Buffer {
    const bytes = Buffer.allocUnsafe(this.size);
    this.#load(0, blockCount(this.size), bytes);
    return bytes;
  }

  /**
   * Lends the bytes from one offset to another to a function. The function must not keep them, and must not read a file
   * of the same cache.
   * @throws DamagedFileError when they are not what was written; `RangeError` for bytes outside the file
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

  /**
   * The bytes from one offset to another, in pieces that the caller owns.
   * @throws DamagedFileError when they are not what was written; RangeError for bytes outside the file
   */
  async *stream(from = 0, to = this.size): AsyncGenerator<Buffer> {
    for (let at = from; at < to; ) {
      // Whole blocks are read, because a checksum is of a block.
      const firstBlock = Math.floor(at / BLOCK_BYTES);
      const blocksStart = firstBlock * BLOCK_BYTES;
      const end = Math.min(to, blocksStart + STREAM_BYTES);
      const count = Math.ceil((end - blocksStart) / BLOCK_BYTES);
      const bytes = Buffer.allocUnsafe(count * BLOCK_BYTES);
      this.#load(firstBlock, count, bytes);
      yield bytes.subarray(at - blocksStart, end - blocksStart);
      at = end;
      // Let other work run: a check of gigabytes takes seconds.
      await new Promise((resolve) => setImmediate(resolve));
    }
  }

  /**
   * Checked bytes: a view of the cache, which first gets the blocks that it lacks. Bytes whose blocks do not fit in the
   * cache side by side get their own memory.
   */
  #checked(from: number, to: number): Uint8Array {
    const firstBlock = Math.floor(from / BLOCK_BYTES);
    const count = Math.ceil(to / BLOCK_BYTES) - firstBlock;
    const start = from - firstBlock * BLOCK_BYTES;
    // Several files may share the cache, which numbers the blocks of all.
    const number = this.#first + firstBlock;
    const cache = this.#cache;
    if (!cache.fits(number, count)) {
      const bytes = Buffer.allocUnsafe(count * BLOCK_BYTES);
      this.#load(firstBlock, count, bytes);
      return bytes.subarray(start, start + to - from);
    }
    if (!cache.holds(number, count)) {
      // Until the load succeeds, the slots hold nothing that may be used.
      cache.setEmpty(number, count);
      this.#load(firstBlock, count, cache.view(number, 0, count * BLOCK_BYTES));
      cache.setHeld(number, count);
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
      const crc = crc32(into.subarray(from, Math.min(from + BLOCK_BYTES, length)));
      if (crc !== this.#checksums[first + block]) {
        throw new DamagedFileError(this.path, `damaged in bytes ${start + from} to ${start + from + BLOCK_BYTES - 1}`);
      }
    }
  }
}
