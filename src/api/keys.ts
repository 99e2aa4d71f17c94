import { hash, randomBytes, timingSafeEqual } from 'node:crypto';
import { statSync, unwatchFile, watchFile } from 'node:fs';
import { chown, open, readFile, realpath, rename, rm, stat } from 'node:fs/promises';
import { setTimeout as delay } from 'node:timers/promises';
import type { Logger } from 'pino';
import Type, { type Static } from 'typebox';
import { Errors } from 'typebox/value';
import { FileLock } from '../formats/file-lock.ts';
import { isMissing } from '../formats/files.ts';

/** The sender of a request. */
export interface Client {
  /** The name under which requests are counted: the address (IPv6: its /64) or the ID of the key. */
  countedAs: string;
  class: ClientClass;
  /** Requests a minute, when the client has its own limit. */
  limit?: number;
  /** Most cost units a day; absent: no limit. */
  dailyUnits?: number;
}

/** `key`: a client with a valid key. */
export type ClientClass = 'anonymous' | 'key';

/** Invalid credentials: the fault, and the challenge of the 401. */
export interface BadCredentials {
  detail: string;
  challenge: string;
}

/**
 * A key in the key file. The file has only its SHA-256. A key has 256 random bits and cannot be guessed, so it needs no
 * slow hash as passwords do.
 */
export interface ApiKey {
  /** The first part of the key: `hida_` and eight characters. It names the key and is not secret. */
  id: string;
  /** The owner, for people. */
  name: string;
  /** SHA-256 of the whole key, hexadecimal. */
  sha256: string;
  /** RFC 3339 in UTC; null: never. */
  created: string;
  expires: string | null;
  revoked: string | null;
  /** Requests a minute; null: the default limit. */
  limit: number | null;
  /** Cost units a day (Japan time); null: no limit. */
  daily_units: number | null;
}

/** The values that the operator chooses for a new key. */
type KeyOptions = Pick<ApiKey, 'name' | 'expires' | 'limit'> & Partial<Pick<ApiKey, 'daily_units'>>;

/** The state of a key. */
export type KeyState = 'valid' | 'revoked' | 'expired';

/** `hida_`, the eight characters of the name, and 256 bits in base64url. */
const KEY = /^(hida_[a-z2-7]{8})_[\w-]{43}$/;

const BASE32 = 'abcdefghijklmnopqrstuvwxyz234567';

/** Makes a key and its record for the key file. Only `key` contains the secret. */
function makeKey(options: KeyOptions, now: Date): { key: string; record: ApiKey } {
  const letters = Array.from(randomBytes(8), (byte) => BASE32[byte % BASE32.length]);
  const id = `hida_${letters.join('')}`;
  const key = `${id}_${randomBytes(32).toString('base64url')}`;
  const { name, expires, limit, daily_units = null } = options;
  const sha256 = hash('sha256', key);
  const record = { id, name, sha256, created: moment(now), expires, revoked: null, limit, daily_units };
  return { key, record };
}

/** The ID in a key; null when the text does not have the form of a key. */
function idOfKey(key: string): string | null {
  return KEY.exec(key)?.[1] ?? null;
}

/** True when the record belongs to `key`. Compares in constant time. */
function isKeyOf(key: string, { sha256 }: ApiKey): boolean {
  return timingSafeEqual(hash('sha256', key, 'buffer'), Buffer.from(sha256, 'hex'));
}

/** The state of a key at a time, milliseconds since 1970. */
export function stateOf({ expires, revoked }: ApiKey, nowMs: number): KeyState {
  if (revoked !== null) return 'revoked';
  return expires !== null && Date.parse(expires) <= nowMs ? 'expired' : 'valid';
}

/** A time in RFC 3339 in UTC, to the second. */
export function moment(date: Date): string {
  return date.toISOString().replace(/\.\d{3}Z$/, 'Z');
}

/** How often the key file is checked. Polling works on every file system and when the file is replaced. */
const POLL_MS = 1000;

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
   * @throws Error with a line for people when there is a file that cannot be read
   */
  static async open(path: string, now: () => number, log: Logger): Promise<KeyRing> {
    const ring = new KeyRing(path, now, log);
    ring.#setKeys(await readKeyFile(path));
    watchFile(path, { interval: POLL_MS, persistent: false }, ring.#onChange);
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
      this.#setKeys(await readKeyFile(this.#path));
    } catch (error) {
      this.#log.error({ reason: (error as Error).message }, 'keys stay as they were');
    }
  }

  /** Checks the file no more. */
  close(): void {
    unwatchFile(this.#path, this.#onChange);
  }

  readonly #onChange = (): void => void this.reload();

  /** Replaces the keys by those that were read. */
  #setKeys(keys: readonly ApiKey[]): void {
    this.#keys = new Map(keys.map((key) => [key.id, key]));
    this.#log.info({ file: this.#path, valid: this.size, all: keys.length }, 'keys read');
  }
}

const Moment = Type.String({ pattern: '^\\d{4}-\\d\\d-\\d\\dT\\d\\d:\\d\\d:\\d\\dZ$' });

const KeyFile = Type.Object({
  keys: Type.Array(
    Type.Object({
      id: Type.String({ pattern: '^hida_[a-z2-7]{8}$' }),
      name: Type.String(),
      sha256: Type.String({ pattern: '^[0-9a-f]{64}$' }),
      created: Moment,
      expires: Type.Union([Moment, Type.Null()]),
      revoked: Type.Union([Moment, Type.Null()]),
      limit: Type.Union([Type.Integer({ minimum: 1 }), Type.Null()]),
      // Files of earlier versions do not have it.
      daily_units: Type.Optional(Type.Union([Type.Integer({ minimum: 1 }), Type.Null()])),
    }),
  ),
});

/**
 * The keys in a file; empty when there is no file yet.
 * @throws Error with a line for people when it cannot be read or is not a key file
 */
export async function readKeyFile(path: string): Promise<ApiKey[]> {
  let text: string;
  try {
    text = await readFile(path, 'utf8');
  } catch (error) {
    if (isMissing(error)) return [];
    throw new Error(`${path}: the key file cannot be read: ${(error as Error).message}`);
  }
  return parseKeys(path, text).keys.map((key) => ({ ...key, daily_units: key.daily_units ?? null }));
}

/**
 * The content of a key file.
 * @throws Error with a line for people when it is not a key file
 */
function parseKeys(path: string, text: string): Static<typeof KeyFile> {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    // The parser's message would show the content, which may be secret.
    throw new Error(`${path}: not a key file: it is not JSON; hidamari keys add makes one`);
  }
  const [violation] = Errors(KeyFile, value);
  if (violation === undefined) return value as Static<typeof KeyFile>;
  throw new Error(`${path}: not a key file: ${violation.instancePath || 'the whole'} ${violation.message}`);
}

/**
 * Adds a key.
 * @returns the key itself, which is stored nowhere
 * @throws Error with a line for people when a valid key has this name already, or the file cannot be written
 */
export async function addKey(path: string, options: KeyOptions, now: Date): Promise<{ key: string; record: ApiKey }> {
  return await changeKeys(path, (keys) => {
    const namesake = keys.find((key) => key.name === options.name && stateOf(key, now.getTime()) === 'valid');
    if (namesake !== undefined) {
      throw new Error(`${namesake.id} has the name "${options.name}" already; choose another, or revoke it first`);
    }
    let made = makeKey(options, now);
    // The eight letters of the ID are random: very rarely, another key has them already.
    while (keys.some(({ id }) => id === made.record.id)) made = makeKey(options, now);
    keys.push(made.record);
    return made;
  });
}

/**
 * Revokes a key. Its record stays.
 * @throws Error with a line for people when there is no such key, or it is revoked already, or the file cannot be
 * written
 */
export async function revokeKey(path: string, idOrName: string, now: Date): Promise<ApiKey> {
  return await changeKeys(path, (keys) => {
    // Revoked and expired keys may have the same name.
    const matches = keys.filter(({ id, name }) => id === idOrName || name === idOrName);
    if (matches.length === 0) throw new Error(`${path} has no key "${idOrName}"; \`hidamari keys list\` shows all`);
    const notRevoked = matches.filter(({ revoked }) => revoked === null);
    const record = notRevoked.find((key) => stateOf(key, now.getTime()) === 'valid') ?? notRevoked.at(0);
    if (record === undefined) throw new Error(`${matches[0].id} was revoked at ${matches[0].revoked} already`);
    record.revoked = moment(now);
    return record;
  });
}

/**
 * Reads, changes and writes the file under a lock. Readers see the old or the new file, never a part.
 * @param named the file, or a symbolic link to it, which stays: a server may read the file by its own name
 */
async function changeKeys<T>(named: string, change: (keys: ApiKey[]) => T): Promise<T> {
  const path = await realpath(named).catch(() => named);
  const unlock = await lock(`${path}.lock`);
  try {
    const keys = await readKeyFile(path);
    const result = change(keys);
    await replaceFile(path, `${JSON.stringify({ keys }, null, 2)}\n`);
    return result;
  } finally {
    await unlock();
  }
}

/**
 * Writes a file that only its owner may read, under another name first, so that no reader sees a part of it.
 * @throws Error with a line for people when it cannot be written
 */
async function replaceFile(path: string, text: string): Promise<void> {
  const draft = `${path}.new`;
  const owner = await stat(path).catch(() => null);
  try {
    // An interrupted run may have left it with other permissions.
    await rm(draft, { force: true });
    const file = await open(draft, 'wx', 0o600);
    try {
      await file.writeFile(text);
      await file.sync();
    } finally {
      await file.close();
    }
    // When root changes the file, it must still belong to the user of the server.
    if (owner !== null && process.getuid?.() === 0) await chown(draft, owner.uid, owner.gid);
    await rename(draft, path);
  } catch (error) {
    await rm(draft, { force: true });
    throw new Error(`${path}: cannot be written: ${(error as Error).message}`);
  }
}

/** How long one holder of the lock may keep it. */
const LOCK_PATIENCE_MS = 5000;
/** Pause between two attempts to take the lock. */
const LOCK_RETRY_MS = 20;
/** How long an attempt blocks this process. It is short, because this process may hold the lock itself. */
const LOCK_BLOCKING_MS = 1;

/**
 * Takes a lock, and waits while others hold it.
 * @param path of the lock file
 * @returns the function that releases the lock
 * @throws Error with a line for people when one holder keeps it for `LOCK_PATIENCE_MS`, or it cannot be written
 */
async function lock(path: string): Promise<() => Promise<void>> {
  let holder: string | null = null;
  let deadline = 0;
  while (true) {
    const presentHolder = holderOf(path);
    // The wait begins again with each new holder.
    if (presentHolder !== holder) {
      holder = presentHolder;
      deadline = performance.now() + LOCK_PATIENCE_MS;
    }
    const fileLock = tryLock(path);
    if (fileLock !== null) {
      return async () => {
        await rm(path, { force: true });
        fileLock.release();
      };
    }
    if (performance.now() > deadline) throw new Error(`${path}: another \`hidamari keys\` command holds it`);
    await delay(LOCK_RETRY_MS);
  }
}

/**
 * The lock; null when another holds it.
 * @throws Error with a line for people when the file cannot be written
 */
function tryLock(path: string): FileLock | null {
  try {
    return FileLock.take(path, LOCK_BLOCKING_MS);
  } catch (error) {
    throw new Error(`${path}: cannot be written: ${(error as Error).message}`);
  }
}

/** Identifies the holder of the lock: each holder creates and removes the file. */
function holderOf(path: string): string {
  const file = statSync(path, { bigint: true, throwIfNoEntry: false });
  return file === undefined ? 'none' : `${file.ino} ${file.ctimeNs}`;
}
