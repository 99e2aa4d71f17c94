import { randomBytes } from 'node:crypto';
import { mkdir, rm } from 'node:fs/promises';
import { join } from 'node:path';

/** The largest object that is read into memory, unless less is asked for: a manifest of all Japan has some 10 MB. */
export const MOST_READ = 2 ** 26;
/** The largest object that is copied, unless less is asked for: a city model. */
export const MOST_COPIED = 2 ** 34;

/**
 * Named objects that several machines share. A name is a path with `/` that leads nowhere else
 * (`nameComplaint`), or the operation fails; an object is there whole or not at all.
 */
export interface ObjectStore {
  /** For messages; without secrets. */
  readonly address: string;
  has(name: string): Promise<boolean>;
  /** The bytes of a small object, or null when there is none. An object of more than `most` bytes (`MOST_READ`) is an error and is not read. */
  read(name: string, most?: number): Promise<Buffer | null>;
  /**
   * Copies an object to a file, which is there whole or not at all. False when there is no such object. One of more than `most`
   * bytes (`MOST_COPIED`) is an error, and is not copied.
   */
  get(name: string, path: string, most?: number): Promise<boolean>;
  /** Stores a file, unless an object of the same bytes is there; one of other bytes is replaced. @param mediaType for a store that serves it */
  put(name: string, path: string, mediaType?: string): Promise<void>;
  /** Removes an object, if it is there. */
  remove(name: string): Promise<void>;
  /** Names of the objects directly in a folder, and of the folders in it with a slash at the end, in order. */
  list(folder: string): Promise<string[]>;
}

/** The store could not be reached, or refused; the message names the object and says which. */
export class StoreError extends Error {
  override name = 'StoreError';
}

/** An object has more bytes than are expected of it. */
export class TooLargeError extends StoreError {
  override name = 'TooLargeError';
}

/** Stores what `write` writes into a file, which lies in `folder` for as long as that takes. */
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
