import { unwatchFile, watchFile } from 'node:fs';
import type { Logger } from 'pino';
import { type ApiKey, idOfKey, isKeyOf, type KeyState, stateOf } from './api-key.ts';
import { readKeyFile } from './key-file.ts';

/** How often the key file is checked. Polling works on every file system and when the file is replaced. */
const LOOK_MS = 1000;

/** The keys of the key file. The file is read again when it changes. */
export class KeyRing {
  #keys = new Map<string, ApiKey>();
  readonly #path: string;
  readonly #now: () => number;
  readonly #log: Logger;

  private constructor(path: string, now: () => number, log: Logger) {
    this.#path = path;
    this.#now = now;
    this.#log = log;
  }

  /**
   * Reads the key file, and checks every second whether it has changed.
   * @param now milliseconds since 1970
   * @throws KeyFileError when there is a file that cannot be read
   */
  static async open(path: string, now: () => number, log: Logger): Promise<KeyRing> {
    const ring = new KeyRing(path, now, log);
    ring.#take(await readKeyFile(path));
    watchFile(path, { interval: LOOK_MS, persistent: false }, ring.#onChange);
    return ring;
  }

  /** Number of valid keys. */
  get size(): number {
    return [...this.#keys.values()].filter((key) => stateOf(key, this.#now()) === 'valid').length;
  }

  /** Finds the key that a client sent. `unknown` also for a text that does not have the form of a key. */
  verify(key: string): { state: KeyState; record: ApiKey } | 'unknown' {
    const id = idOfKey(key);
    const record = id === null ? undefined : this.#keys.get(id);
    if (record === undefined || !isKeyOf(key, record)) return 'unknown';
    return { state: stateOf(record, this.#now()), record };
  }

  /** Reads the file again. When this fails, logs an error and keeps the keys. */
  async reload(): Promise<void> {
    try {
      this.#take(await readKeyFile(this.#path));
    } catch (error) {
      this.#log.error({ reason: (error as Error).message }, 'keys stay as they were');
    }
  }

  close(): void {
    unwatchFile(this.#path, this.#onChange);
  }

  readonly #onChange = (): void => void this.reload();

  #take(keys: readonly ApiKey[]): void {
    this.#keys = new Map(keys.map((key) => [key.id, key]));
    this.#log.info({ file: this.#path, valid: this.size, all: keys.length }, 'keys read');
  }
}
