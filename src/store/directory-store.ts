import { randomBytes } from 'node:crypto';
import { copyFile, readdir, readFile, rename, rm, rmdir, stat } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { fileDigest, makeFolder, syncToDisk } from '../formats/files.ts';
import { nameComplaint } from '../http/object-name.ts';
import { checkSize, MOST_COPIED, MOST_READ, type ObjectStore, StoreError } from './object-store.ts';

/** A folder that every machine sees under the same path. Names of unfinished files begin with a dot. */
export class DirectoryStore implements ObjectStore {
  readonly address: string;

  constructor(folder: string) {
    this.address = folder;
  }

  async has(name: string): Promise<boolean> {
    return (await this.#bytes(name)) !== null;
  }

  async read(name: string, most = MOST_READ): Promise<Buffer | null> {
    const bytes = await this.#bytes(name);
    if (bytes === null) return null;
    checkSize(this.#path(name), bytes, most);
    return readFile(this.#path(name)).catch(nullIfMissing);
  }

  async get(name: string, path: string, most = MOST_COPIED): Promise<boolean> {
    const bytes = await this.#bytes(name);
    if (bytes === null) return false;
    checkSize(this.#path(name), bytes, most);
    return (await copyWhole(this.#path(name), path).catch(nullIfMissing)) !== null;
  }

  async put(name: string, path: string): Promise<void> {
    const place = this.#path(name);
    const bytes = await this.#bytes(name);
    if (bytes !== null && bytes === (await stat(path)).size) {
      const [there, here] = await Promise.all([fileDigest(place), fileDigest(path)]);
      if (there.sha256 === here.sha256) return;
    }
    await copyWhole(path, place);
  }

  async list(folder: string): Promise<string[]> {
    const entries = (await readdir(this.#path(folder), { withFileTypes: true }).catch(nullIfMissing)) ?? [];
    const seen = entries.filter(({ name }) => !name.startsWith('.'));
    return seen.map((entry) => (entry.isDirectory() ? `${entry.name}/` : entry.name)).sort();
  }

  /** Also removes the folders that are then empty. */
  async remove(name: string): Promise<void> {
    await rm(this.#path(name), { force: true });
    const folders = name.split('/').slice(0, -1);
    for (; folders.length > 0; folders.pop()) {
      if (!(await rmdir(this.#path(folders.join('/'))).then(() => true, isGone))) return;
    }
  }

  /** @throws StoreError for a name that could lead out of the folder */
  #path(name: string): string {
    const complaint = nameComplaint(name);
    if (complaint !== null) throw new StoreError(`${this.address}: ${complaint}`);
    return join(this.address, ...name.split('/'));
  }

  /** Null also for what is not a file: reading a named pipe would never end. */
  async #bytes(name: string): Promise<number | null> {
    const found = await stat(this.#path(name)).catch(nullIfMissing);
    return found?.isFile() ? found.size : null;
  }
}

async function copyWhole(from: string, to: string): Promise<true> {
  await makeFolder(dirname(to));
  const half = join(dirname(to), `.${randomBytes(6).toString('hex')}`);
  try {
    await copyFile(from, half);
    await syncToDisk(half);
    await rename(half, to);
  } catch (error) {
    await rm(half, { force: true });
    throw error;
  }
  return true;
}

/** After a failed `rmdir`: true when the folder is already gone, false when it is not empty. Throws other errors. */
function isGone(error: NodeJS.ErrnoException): boolean {
  if (error.code === 'ENOTEMPTY' || error.code === 'EEXIST') return false;
  return nullIfMissing(error) === null;
}

function nullIfMissing(error: NodeJS.ErrnoException): null {
  if (error.code === 'ENOENT' || error.code === 'ENOTDIR') return null;
  throw error;
}
