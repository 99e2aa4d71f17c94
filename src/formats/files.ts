import { createHash } from 'node:crypto';
import { createReadStream, existsSync, mkdirSync, statSync, writeSync } from 'node:fs';
import { open, readdir, rename, rm, statfs } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';

/** Compares texts by code units: the same order on every machine and in every locale. */
export function byCodeUnits(a: string, b: string): number {
  if (a === b) return 0;
  return a < b ? -1 : 1;
}

/** True for the error of the system that there is no such file or folder. */
export const isMissing = (error: unknown): boolean => (error as NodeJS.ErrnoException | undefined)?.code === 'ENOENT';

/** True when an error says that the disk, or the user's share of it, is full. */
export const isDiskFull = (error: unknown): boolean =>
  ['ENOSPC', 'EDQUOT'].includes((error as NodeJS.ErrnoException).code ?? '');

/**
 * For `catch`: null for a missing file.
 * @throws the error itself when it has another cause
 */
export function nullIfMissing(error: unknown): null {
  if (isMissing(error)) return null;
  throw error;
}

/**
 * Makes a folder and the missing folders above it, one after another: with `recursive`, Node.js reports a read-only file
 * system as a missing folder, and below /proc it never ends.
 * @param mode the permissions of folders that are made
 * @returns the first folder that was made
 * @throws Error with the path, the reason of the system, its code, and what to do
 */
export function makeFolder(path: string, mode = 0o777): string | undefined {
  const missing: string[] = [];
  for (let folder = resolve(path); !existsSync(folder); folder = dirname(folder)) missing.unshift(folder);
  try {
    for (const folder of missing) makeUnlessMade(folder, mode);
    // An existing file gives the reason of the system here.
    if (missing.length === 0 && !statSync(path).isDirectory()) mkdirSync(path);
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    const text = `${path}: this folder cannot be made: ${message}; make it, or name another one`;
    throw Object.assign(new Error(text, { cause: error }), { code });
  }
  return missing[0];
}

/** Makes a folder, unless another process makes it at this moment. */
function makeUnlessMade(path: string, mode: number): void {
  try {
    mkdirSync(path, { mode });
  } catch (error) {
    if (!statSync(path, { throwIfNoEntry: false })?.isDirectory()) throw error;
  }
}

/** The relative paths, with `/`, of all files below a folder, in order of code units. */
export async function listFiles(folder: string): Promise<string[]> {
  const names: string[] = [];
  const walk = async (below: string): Promise<void> => {
    for (const entry of await readdir(join(folder, below), { withFileTypes: true })) {
      const name = below === '' ? entry.name : `${below}/${entry.name}`;
      if (entry.isDirectory()) await walk(name);
      else names.push(name);
    }
  };
  await walk('');
  return names.sort();
}

/** Free bytes for this user on the disk of a folder. */
export async function freeBytes(folder: string): Promise<number> {
  const { bavail, bsize } = await statfs(folder);
  return bavail * bsize;
}

/** Size and SHA-256 (hexadecimal) of a file, read as a stream. */
export async function fileDigest(path: string): Promise<{ bytes: number; sha256: string }> {
  const hash = createHash('sha256');
  let bytes = 0;
  for await (const chunk of createReadStream(path, { highWaterMark: 1 << 20 })) {
    hash.update(chunk);
    bytes += chunk.length;
  }
  return { bytes, sha256: hash.digest('hex') };
}

/** Waits until a file, or the entries of a folder, are safely on disk. */
export async function syncToDisk(path: string): Promise<void> {
  const file = await open(path, 'r');
  try {
    await file.sync();
  } finally {
    await file.close();
  }
}

/** Writes a file so that it exists complete or not at all, even when the process is killed. */
export async function writeWhole(path: string, bytes: Uint8Array | string): Promise<void> {
  const unfinished = `${path}.half`;
  try {
    const file = await open(unfinished, 'w');
    try {
      await file.writeFile(bytes);
    } finally {
      await file.close();
    }
    await rename(unfinished, path);
  } catch (error) {
    await rm(unfinished, { force: true });
    throw error;
  }
}

/** Bytes that are collected before they are written to disk. */
const BUFFER_BYTES = 1 << 20;

/**
 * Appends bytes to an open file, a megabyte at a time.
 * @throws Error of the system, for example when the disk is full
 */
export class GatheredOutput {
  readonly #file: number;
  readonly #buffer = Buffer.allocUnsafeSlow(BUFFER_BYTES);
  #filled = 0;
  /** Bytes added so far. */
  size = 0;

  /** @param file open for writing at its current position. The caller owns and closes it. */
  constructor(file: number) {
    this.#file = file;
  }

  /** Adds bytes to the buffer, which is written first when they do not fit. More than a buffer is written directly. */
  add(bytes: Uint8Array): void {
    this.size += bytes.length;
    if (this.#filled + bytes.length > BUFFER_BYTES) this.flush();
    if (bytes.length > BUFFER_BYTES) this.#write(bytes, bytes.length);
    else {
      this.#buffer.set(bytes, this.#filled);
      this.#filled += bytes.length;
    }
  }

  /** Writes the bytes that are still in memory. */
  flush(): void {
    this.#write(this.#buffer, this.#filled);
    this.#filled = 0;
  }

  #write(bytes: Uint8Array, length: number): void {
    for (let done = 0; done < length; ) done += writeSync(this.#file, bytes, done, length - done);
  }
}
