import { mkdtempSync, rmSync, statSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { setImmediate } from 'node:timers/promises';
import { type Database, open, type Transaction } from 'lmdb';

/**
 * LMDB files that are written once and then only read: one file, keys in order. Keys and values are plain bytes.
 * The same entries give the same file, byte for byte.
 */
export type LmdbFile = Database<Buffer, Uint8Array>;

/** Address space set aside while writing; neither memory nor disk. LMDB needs to know the most a file can hold. */
const MOST_BYTES = 2 ** 40;
/**
 * Page size, fixed so that the file does not depend on the machine. With values of about 0.7 kB, 8 KiB pages
 * leave 5 % unused where 4 KiB leave 14 %.
 */
const PAGE_BYTES = 8192;
/**
 * LMDB holds every page of a transaction in memory until it ends: in one transaction the store of a city would take
 * as much memory as disk. The number decides where pages are copied on write, and thus the bytes of the file.
 */
const BYTES_PER_TRANSACTION = 8 << 20;

const COMMON = {
  encoding: 'binary',
  keyEncoding: 'binary',
  noSubdir: true,
  maxDbs: 1,
  overlappingSync: false,
} as const;

/** A key that does not come after the one before. */
export class KeyOrderError extends Error {
  override name = 'KeyOrderError';
}

/**
 * Writes a new file from entries in ascending order of their keys. The lock file that LMDB makes beside it is
 * removed. Throws `KeyOrderError` for keys out of order, and LMDB's error when the disk is full.
 */
export async function writeLmdbFile(path: string, entries: Iterable<readonly [Buffer, Uint8Array]>): Promise<void> {
  const file: LmdbFile = open(path, { ...COMMON, mapSize: MOST_BYTES, pageSize: PAGE_BYTES });
  try {
    const source = entries[Symbol.iterator]();
    let last: Buffer | null = null;
    const putSome = (): boolean => {
      for (let bytes = 0; bytes < BYTES_PER_TRANSACTION; ) {
        const next = source.next();
        if (next.done) return false;
        const [key, value] = next.value;
        if (last && Buffer.compare(last, key) >= 0) {
          throw new KeyOrderError(`${path}: key ${readable(key)} comes after ${readable(last)}: keys must ascend`);
        }
        file.putSync(key, value as Buffer, { append: true });
        last = key;
        bytes += key.length + value.length;
      }
      return true;
    };
    while (file.transactionSync(putSome)) await setImmediate(); // What else the thread has to do gets its turn.
  } finally {
    await file.close();
    rmSync(`${path}-lock`, { force: true });
  }
}

/**
 * Opens a file for reading without touching its folder, which may be read-only and open in many processes:
 * LMDB puts its lock file beside the path it is given, so it is given a link in a folder of its own under the
 * system's temporary folder. That folder is gone as soon as the file is open.
 */
export function openLmdbFile(path: string): LmdbFile {
  const bytes = statSync(path).size;
  const folder = mkdtempSync(join(tmpdir(), 'hidamari-'));
  try {
    const link = join(folder, 'store.mdb');
    symlinkSync(resolve(path), link);
    return open<Buffer, Uint8Array>(link, { ...COMMON, readOnly: true, mapSize: bytes });
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** A view of a file, to read by until the file is closed. */
export interface Reading {
  transaction: Transaction;
}

/**
 * Begins to read. Without a view of its own, lmdb-js begins one, and sets a timer to end it, in every turn of the event
 * loop, which costs more than a look-up; a file that never changes needs only one.
 */
export function beginReading(file: LmdbFile): Reading {
  return { transaction: file.useReadTransaction() };
}

/** lmdb-js takes the options here as in its other readers, but its types do not say so. */
type FileWithOptions = LmdbFile & { getBinaryFast(key: Buffer, options: Reading): Buffer | undefined };

/** The longest key that LMDB takes with pages of this size, bytes; of longer ones lmdb-js makes an error. */
const LONGEST_KEY = 4026;

/**
 * The value at a key, good until the next one is read. lmdb-js copies it into a large buffer that it uses again, and
 * of which only the property `length` is set right: `subarray` without an end would run to the end of that buffer.
 */
export function valueAt(file: LmdbFile, key: Buffer, reading: Reading): Uint8Array | undefined {
  if (key.length > LONGEST_KEY) return undefined;
  const shared = (file as FileWithOptions).getBinaryFast(key, reading);
  return shared?.subarray(0, shared.length);
}

const readable = (key: Buffer): string => JSON.stringify(key.toString('latin1'));
