import { hash, randomBytes, timingSafeEqual } from 'node:crypto';

/** The sender of a request. */
export interface Client {
  /** The name under which requests are counted: the address (IPv6: its /64) or the ID of the key. */
  key: string;
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

/** The values to choose for a new key. */
export type KeyWishes = Pick<ApiKey, 'name' | 'expires' | 'limit'> & Partial<Pick<ApiKey, 'daily_units'>>;

/** The state of a key. */
export type KeyState = 'valid' | 'revoked' | 'expired';

/** `hida_`, the eight characters of the name, and 256 bits in base64url. */
const KEY = /^(hida_[a-z2-7]{8})_[\w-]{43}$/;

const BASE32 = 'abcdefghijklmnopqrstuvwxyz234567';

/** Makes a key. Only `key` contains the secret. */
export function makeKey(wishes: KeyWishes, now: Date): { key: string; record: ApiKey } {
  const id = `hida_${Array.from(randomBytes(8), (byte) => BASE32[byte % 32]).join('')}`;
  const key = `${id}_${randomBytes(32).toString('base64url')}`;
  const { name, expires, limit, daily_units = null } = wishes;
  const sha256 = hash('sha256', key);
  const record = { id, name, sha256, created: moment(now), expires, revoked: null, limit, daily_units };
  return { key, record };
}

/** The ID in a key; null when the text does not have the form of a key. */
export function idOfKey(key: string): string | null {
  return KEY.exec(key)?.[1] ?? null;
}

/** True when the record belongs to `key`. Compares in constant time. */
export function isKeyOf(key: string, { sha256 }: ApiKey): boolean {
  return timingSafeEqual(hash('sha256', key, 'buffer'), Buffer.from(sha256, 'hex'));
}

export function stateOf({ expires, revoked }: ApiKey, nowMs: number): KeyState {
  if (revoked !== null) return 'revoked';
  return expires !== null && Date.parse(expires) <= nowMs ? 'expired' : 'valid';
}

/** RFC 3339 in UTC, to the second. */
export function moment(date: Date): string {
  return date.toISOString().replace(/\.\d{3}Z$/, 'Z');
}
