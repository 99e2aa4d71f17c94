import { randomBytes } from 'node:crypto';
import { mkdir, rm } from 'node:fs/promises';
import { join } from 'node:path';

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

/** @throws TooLargeError */
export function checkSize(place: string, bytes: number, most: number): void {
  if (bytes > most) throw tooLarge(place, String(bytes), most);
}

export const tooLarge = (place: string, bytes: string, most: number): TooLargeError =>
  new TooLargeError(`${place}: has ${bytes} bytes; at most ${most} are read`);
