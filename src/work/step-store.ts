import { createHash, createHmac, type Hash, type Hmac, type KeyObject } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { appendFile, rename, rm, stat, truncate } from 'node:fs/promises';
import { fileDigest } from '../formats/files.ts';
import { type ObjectStore, putMade } from '../store/object-store.ts';
import { contentOf } from './steps.ts';

const SEAL_BYTES = 32;
/** Limit of a task, list or reason that is read into memory, bytes. */
const MOST_READ = 2 ** 26;

/**
 * The objects that builds and workers share. Each ends with a seal of 32 bytes: a digest over its name and its content,
 * so that a damaged or exchanged object is recognized. With a key (HMAC-SHA-256) only its owners can make a seal;
 * without one (SHA-256) everybody who can write to the store can. Objects that are named after their content need no
 * seal (`contentOf`). A damaged object is removed, reported, and then counts as absent. Results with a key are in a
 * folder named after it, so that builds with other keys do not remove each other's.
 */
export class StepStore {
  readonly address: string;
  readonly #store: ObjectStore;
  readonly #key: KeyObject | null;
  readonly #folder: string;
  readonly #remark: (message: string) => void;
  #damaged = 0;

  /** @param remark called for each damaged object */
  constructor(store: ObjectStore, key: KeyObject | null, remark: (message: string) => void = () => {}) {
    this.#store = store;
    this.#key = key;
    this.#remark = remark;
    this.#folder =
      key === null ? '' : `keyed/${createHmac('sha256', key).update(KEY_NAME).digest('hex').slice(0, 16)}/`;
    this.address = store.address;
  }

  /** How many objects were damaged. */
  get damaged(): number {
    return this.#damaged;
  }

  /** True when the object exists; its content is not checked. */
  has(name: string): Promise<boolean> {
    return this.#store.has(this.#pathOf(name));
  }

  /** The bytes of a small object; null when there is no undamaged one. */
  async read(name: string): Promise<Buffer | null> {
    const bytes = await this.#store.read(this.#pathOf(name), MOST_READ);
    if (bytes === null) return null;
    const end = bytes.length - SEAL_BYTES;
    if (end >= 0 && this.#sealing(name).update(bytes.subarray(0, end)).digest().equals(bytes.subarray(end)))
      return bytes.subarray(0, end);
    await this.#removeDamaged(name);
    return null;
  }

  /** Copies an object to a file, which is complete or absent. False when there is no undamaged object. */
  async get(name: string, path: string): Promise<boolean> {
    const sealed = `${path}.sealed`;
    try {
      if (!(await this.#store.get(this.#pathOf(name), sealed))) return false;
      if (await this.#unseal(name, sealed)) {
        await rename(sealed, path);
        return true;
      }
    } finally {
      await rm(sealed, { force: true });
    }
    await this.#removeDamaged(name);
    return false;
  }

  /** Stores a file of the caller, with a seal added. */
  async put(name: string, path: string): Promise<void> {
    if (contentOf(name) === null) await appendFile(path, await this.#sealOf(name, path));
    await this.#store.put(this.#pathOf(name), path);
  }

  /** Stores the file that `write` writes. The file is in `folder` until it is stored. */
  putMade(name: string, folder: string, write: (path: string) => Promise<void>): Promise<void> {
    return putMade({ put: (_, path) => this.put(name, path) }, name, folder, write);
  }

  /** Removes an object, if it is there. */
  remove(name: string): Promise<void> {
    return this.#store.remove(this.#pathOf(name));
  }

  /** The path of an object in the store. Builds with any key share the objects that are named after their content. */
  #pathOf(name: string): string {
    return contentOf(name) === null ? this.#folder + name : name;
  }

  /** Removes the seal from a file, if its object has one. True when the content is that of the object. */
  async #unseal(name: string, path: string): Promise<boolean> {
    // An object that is named after its content has no seal.
    const content = contentOf(name);
    if (content !== null) return (await fileDigest(path)).sha256 === content;
    const end = (await stat(path)).size - SEAL_BYTES;
    if (end < 0) return false;
    const seal: Buffer[] = [];
    for await (const chunk of createReadStream(path, { start: end })) seal.push(chunk);
    await truncate(path, end);
    return (await this.#sealOf(name, path)).equals(Buffer.concat(seal));
  }

  /** The seal (a digest) of an object whose content is in a file. */
  async #sealOf(name: string, path: string): Promise<Buffer> {
    const sealing = this.#sealing(name);
    for await (const chunk of createReadStream(path, { highWaterMark: 1 << 20 })) sealing.update(chunk);
    return sealing.digest();
  }

  /** A digest that has taken the name of an object; with the content it becomes the seal. */
  #sealing(name: string): Hash | Hmac {
    // A name has no line break, so name and content cannot be confused.
    const sealing = this.#key === null ? createHash('sha256') : createHmac('sha256', this.#key);
    return sealing.update(`${name}\n`);
  }

  /** Removes a damaged object, counts it and reports it. */
  async #removeDamaged(name: string): Promise<void> {
    await this.remove(name);
    this.#damaged++;
    const count = `damaged objects so far: ${this.#damaged}`;
    this.#remark(`${this.address}/${this.#pathOf(name)}: is not as it was stored: removed, and made again (${count})`);
  }
}

/** The text from which the name of a key is made. No object has this name. */
const KEY_NAME = 'the name of this key';
