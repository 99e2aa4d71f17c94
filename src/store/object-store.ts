import { randomBytes } from 'node:crypto';
import { copyFile, mkdir, readdir, readFile, rename, rm, rmdir, stat } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { fileDigest, makeFolder, nullIfMissing, syncToDisk } from '../formats/files.ts';
import { nameComplaint } from '../http/s3-store.ts';

/** Default limit for an object that is read into memory. A manifest of all Japan has about 10 MB. */
export const MOST_READ = 2 ** 26;
/** Default limit for an object that is copied: a city model. */
export const MOST_COPIED = 2 ** 34;

/**
 * Named objects that several machines share. A name is a path with `/` that cannot lead out of the store
 * (`nameComplaint`); otherwise the operation fails. An object is complete or absent.
 */
export interface ObjectStore {
  /** For messages; has no secrets. */
  readonly address: string;
  /** True when there is an object with this name. */
  has(name: string): Promise<boolean>;
  /**
   * The bytes of a small object; null when there is none. An object of more than `most` bytes (`MOST_READ`) is an error
   * and is not read.
   */
  read(name: string, most?: number): Promise<Buffer | null>;
  /**
   * Copies an object to a file, which is complete or absent. False when there is no such object. An object of more than
   * `most` bytes (`MOST_COPIED`) is an error and is not copied.
   */
  get(name: string, path: string, most?: number): Promise<boolean>;
  /**
   * Stores a file, unless the object already has the same bytes. An object with other bytes is replaced.
   * @param served for a store that serves it to browsers
   */
  put(name: string, path: string, served?: Served): Promise<void>;
  /** Removes an object, if it exists. */
  remove(name: string): Promise<void>;
  /** Names of the objects in a folder (not deeper), and of its folders with a slash at the end, in order. */
  list(folder: string): Promise<string[]>;
}

/** The headers with which a store serves an object. */
export interface Served {
  mediaType: string;
  cacheControl: string;
  /** `gzip` when the stored bytes are compressed. */
  coding: 'gzip' | null;
}

/** The store could not be reached, or refused the request. The message names the object and the cause. */
export class StoreError extends Error {
  override name = 'StoreError';
}

/** An object is larger than expected. */
export class TooLargeError extends StoreError {
  override name = 'TooLargeError';
}

/** Stores the file that `write` writes. The file is in `folder` until it is stored. */
export async function putMade(
  store: Pick<ObjectStore, 'put'>,
  name: string,
  folder: string,
  write: (path: string) => Promise<void>,
): Promise<void> {
  await mkdir(folder, { recursive: true });
  const path = join(folder, randomBytes(8).toString('hex'));
  try {
    await write(path);
    await store.put(name, path);
  } finally {
    await rm(path, { force: true });
  }
}

/**
 * Checks the size of an object.
 * @param address of the object, for the message
 * @throws TooLargeError when it has more than `most` bytes
 */
export function checkSize(address: string, bytes: number, most: number): void {
  if (bytes > most) throw tooLarge(address, String(bytes), most);
}

/**
 * The error for an object that is too large.
 * @param bytes its size in words, which may be a lower bound
 */
export const tooLarge = (address: string, bytes: string, most: number): TooLargeError =>
  new TooLargeError(`${address}: has ${bytes} bytes; at most ${most} are read`);

/** A folder that every machine sees under the same path. Names of unfinished files begin with a dot. */
export class DirectoryStore implements ObjectStore {
  readonly address: string;

  constructor(folder: string) {
    this.address = folder;
  }

  async has(name: string): Promise<boolean> {
    return (await this.#sizeOf(name)) !== null;
  }

  async read(name: string, most = MOST_READ): Promise<Buffer | null> {
    const bytes = await this.#sizeOf(name);
    if (bytes === null) return null;
    checkSize(this.#path(name), bytes, most);
    return readFile(this.#path(name)).catch(nullIfAbsent);
  }

  async get(name: string, path: string, most = MOST_COPIED): Promise<boolean> {
    const bytes = await this.#sizeOf(name);
    if (bytes === null) return false;
    checkSize(this.#path(name), bytes, most);
    const isCopied = await copyWhole(this.#path(name), path).then(() => true, nullIfAbsent);
    return isCopied ?? false;
  }

  /** Copies the file, unless the object already has the same bytes. */
  async put(name: string, path: string): Promise<void> {
    const target = this.#path(name);
    const bytes = await this.#sizeOf(name);
    if (bytes !== null && bytes === (await stat(path)).size) {
      const [stored, sent] = await Promise.all([fileDigest(target), fileDigest(path)]);
      if (stored.sha256 === sent.sha256) return;
    }
    await copyWhole(path, target);
  }

  async list(folder: string): Promise<string[]> {
    const entries = (await readdir(this.#path(folder), { withFileTypes: true }).catch(nullIfAbsent)) ?? [];
    // A name with a dot is of a file that is being copied.
    const complete = entries.filter(({ name }) => !name.startsWith('.'));
    return complete.map((entry) => (entry.isDirectory() ? `${entry.name}/` : entry.name)).sort();
  }

  /** Removes an object, and the folders that are then empty. */
  async remove(name: string): Promise<void> {
    await rm(this.#path(name), { force: true });
    const folders = name.split('/').slice(0, -1);
    for (; folders.length > 0; folders.pop()) {
      // A folder that is not empty stays, and so do those above it.
      const isRemoved = await rmdir(this.#path(folders.join('/'))).then(() => true, isGone);
      if (!isRemoved) return;
    }
  }

  /** @throws StoreError for a name that could lead out of the folder */
  #path(name: string): string {
    const complaint = nameComplaint(name);
    if (complaint !== null) throw new StoreError(`${this.address}: ${complaint}`);
    return join(this.address, ...name.split('/'));
  }

  /** The size of a file. Null also for anything but a file: reading a named pipe would never end. */
  async #sizeOf(name: string): Promise<number | null> {
    const status = await stat(this.#path(name)).catch(nullIfAbsent);
    return status?.isFile() ? status.size : null;
  }
}

/** Copies a file. The copy is complete or absent. */
async function copyWhole(from: string, to: string): Promise<void> {
  // Another process may remove the folder of `to`, empty at first, while this one copies into it: then once more.
  await copyOnce(from, to).catch((error: NodeJS.ErrnoException) => {
    if (error.code !== 'ENOENT') throw error;
    return copyOnce(from, to);
  });
}

/** Copies a file under a name that begins with a dot, then renames it. */
async function copyOnce(from: string, to: string): Promise<void> {
  makeFolder(dirname(to));
  const unfinished = join(dirname(to), `.${randomBytes(6).toString('hex')}`);
  try {
    await copyFile(from, unfinished);
    await syncToDisk(unfinished);
    await rename(unfinished, to);
  } catch (error) {
    await rm(unfinished, { force: true });
    throw error;
  }
}

/**
 * After a failed `rmdir`: true when the folder is already gone, false when it is not empty.
 * @throws the error itself when it has another cause
 */
function isGone(error: NodeJS.ErrnoException): boolean {
  if (error.code === 'ENOTEMPTY' || error.code === 'EEXIST') return false;
  return nullIfAbsent(error) === null;
}

/**
 * For `catch`: null when there is no such file.
 * @throws the error itself when it has another cause
 */
function nullIfAbsent(error: NodeJS.ErrnoException): null {
  return error.code === 'ENOTDIR' ? null : nullIfMissing(error);
}
