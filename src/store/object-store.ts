import { randomBytes } from 'node:crypto';
import { mkdir, rm } from 'node:fs/promises';
import { join } from 'node:path';

/** Named objects that several machines share. A name is a path with `/`; an object is there whole or not at all. */
export interface ObjectStore {
  /** For messages; without secrets. */
  readonly address: string;
  has(name: string): Promise<boolean>;
  /** The bytes of a small object, or null when there is none. */
  read(name: string): Promise<Buffer | null>;
  /** Copies an object to a file, which is there whole or not at all. False when there is no such object. */
  get(name: string, path: string): Promise<boolean>;
  /** Stores a file, unless an object of the same bytes is there; one of other bytes is replaced. */
  put(name: string, path: string): Promise<void>;
  /** Removes an object, if it is there. */
  remove(name: string): Promise<void>;
  /** Names of the objects directly in a folder, and of the folders in it with a slash at the end, in order. */
  list(folder: string): Promise<string[]>;
}

/** The store could not be reached, or refused; the message names the object and says which. */
export class StoreError extends Error {
  override name = 'StoreError';
}

/** Stores what `write` writes into a file, which lies in `folder` for as long as that takes. */
export async function putMade(
  store: ObjectStore,
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
