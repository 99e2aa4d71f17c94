import { hash, randomBytes, timingSafeEqual } from 'node:crypto';

/** The kinds of client. */
export interface Client {
  /** What requests are counted by: the address (IPv6: its /64), or the ID of the key. */
  key: string;
  class: ClientClass;
  /** Requests a minute, where the client has a limit of its own. */
  limit?: number;
  /** Most cost units a day; absent: no limit. */
  dailyUnits?: number;
}

/** `key`: with a key that works. */
export type ClientClass = 'anonymous' | 'key';

/** Credentials that do not verify: why, and the challenge of the answer. */
export interface BadCredentials {
  detail: string;
  challenge: string;
}

/**
 * A key as the key file holds it: not the key itself but its SHA-256. A key has 256 random bits, so that there is
 * nothing to guess and a slow hash, as passwords need, would only make requests slow.
 */
export interface ApiKey {
  /** The first part of the key, `hida_` and eight characters: it says which key it is and opens nothing. */
  id: string;
  /** Whose it is, for people. */
  name: string;
  /** Of the whole key, hexadecimal. */
  sha256: string;
  /** Moments as RFC 3339 in UTC; null: never. */
  created: string;
  expires: string | null;
  revoked: string | null;
  /** Requests a minute; null: as many as everyone. */
  limit: number | null;
  /** Cost units a day, to its end in Japan; null: as many as the limit lets through. */
  daily_units: number | null;
}

/** What the person who adds a key decides. */
export type KeyWishes = Pick<ApiKey, 'name' | 'expires' | 'limit'> & Partial<Pick<ApiKey, 'daily_units'>>;

/** Whether a key works, and if not why. */
export type KeyState = 'valid' | 'revoked' | 'expired';

/** `hida_`, eight characters that name the key, and 256 bits in base64url. */
const KEY = /^(hida_[a-z2-7]{8})_[\w-]{43}$/;

const BASE32 = 'abcdefghijklmnopqrstuvwxyz234567';

/** Makes a key. The secret is in `key` and nowhere else. */
export function makeKey(wishes: KeyWishes, now: Date): { key: string; record: ApiKey } {
  const id = `hida_${Array.from(randomBytes(8), (byte) => BASE32[byte % 32]).join('')}`;
  const key = `${id}_${randomBytes(32).toString('base64url')}`;
  const { name, expires, limit, daily_units = null } = wishes;
  const sha256 = hash('sha256', key);
  const record = { id, name, sha256, created: moment(now), expires, revoked: null, limit, daily_units };
  return { key, record };
}

/** The ID in a key; null when it is not written like one. */
export function idOfKey(key: string): string | null {
  return KEY.exec(key)?.[1] ?? null;
}

/** Whether `key` is the one behind the record. The time it takes says nothing about how much of it is right. */
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
