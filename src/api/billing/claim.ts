import type { Redis } from 'ioredis';
import { RedisGone, type SharedRedis } from '../../http/redis.ts';

/**
 * The record of a payment in use. It is written before the payment is settled and kept longer than the authorization is
 * valid. So no payment buys two answers.
 */
export interface Claim {
  /** A hash of the payment and of the request that it pays for. */
  purpose: string;
  /**
   * `settling`: a server is taking the payment. `open`: the result is unknown, or the client left before its answer;
   * the same request may use the payment again. `spent`: the answer was given.
   */
  state: 'settling' | 'open' | 'spent';
  /** A random ID of the attempt. */
  holder: string;
  /** After this time a `settling` claim counts as open, because its server must have died. Milliseconds since 1970. */
  until: number;
  /** The transaction of the payment; null while it is not known. */
  transaction: string | null;
}

/** The state of a payment for the request that brings it. */
export type Standing =
  /** The payment is new. */
  | 'new'
  /** It belongs to this request. Its result or answer is open. */
  | 'open'
  /** Another copy of this request is being answered now. */
  | 'busy'
  | 'spent'
  /** It belongs to another request. */
  | 'elsewhere';

/** The state of a payment with this claim, for a request with this purpose. */
export function standingOf(claim: Claim | null, purpose: string, nowMs: number): Standing {
  if (claim === null) return 'new';
  // It pays for another request.
  if (claim.purpose !== purpose) return 'elsewhere';
  // After `until` the server that was settling it must have died.
  if (claim.state === 'settling') return nowMs < claim.until ? 'busy' : 'open';
  // 'open' or 'spent'.
  return claim.state;
}

/**
 * Stores claims. A claim can be replaced only while it is unchanged (compare and swap), so two servers cannot both get
 * it.
 */
export interface PaymentClaims {
  /**
   * The claim of a payment; null when it has none.
   * @throws ClaimsUnavailable when the store cannot be reached
   */
  read(id: string): Promise<Claim | null>;
  /**
   * Replaces `before` (null: no claim) by `after` (null: no claim). False when the stored claim is not `before`. Claims
   * are kept for `CLAIM_SECONDS` after their last change.
   * @throws ClaimsUnavailable when it is unknown whether the claim was replaced
   */
  swap(id: string, before: Claim | null, after: Claim | null): Promise<boolean>;
  /**
   * Counts the claims that are neither spent nor removed.
   * @throws ClaimsUnavailable when the store cannot be reached
   */
  pending(): Promise<PendingClaims>;
}

/** Numbers of claims that are neither spent nor removed, by `Claim.state`. */
interface PendingClaims {
  settling: number;
  open: number;
}

/** The time from which on a claim counts as open, milliseconds since 1970; null for a spent claim or none. */
function opensAt(claim: Claim | null, nowMs: number): number | null {
  if (claim === null || claim.state === 'spent') return null;
  return claim.state === 'settling' ? claim.until : nowMs;
}

/** The store of claims cannot be reached, so nothing can be sold. */
export class ClaimsUnavailable extends Error {}

/** How long a claim is kept: a day longer than any authorization is valid, seconds. */
export const CLAIM_SECONDS = 48 * 3600;

/** Claims in the memory of this process, for a single server. */
export function memoryClaims(now: () => number): PaymentClaims {
  const claims = new Map<string, { claim: Claim; expires: number }>();
  /** For each claim that is not spent, the time from which on it counts as open: it may be used again. */
  const openTimes = new Map<string, number>();

  /** Replaces the claim of a payment; null removes it. */
  function put(id: string, claim: Claim | null): void {
    // Delete and set, to keep the map in order of expiry.
    claims.delete(id);
    openTimes.delete(id);
    if (claim !== null) claims.set(id, { claim, expires: now() + CLAIM_SECONDS * 1000 });
    const openFrom = opensAt(claim, now());
    if (openFrom !== null) openTimes.set(id, openFrom);
  }

  /** Removes the expired claims, which come first. */
  function forgetOld(): void {
    for (const [oldest, { expires }] of claims) {
      if (expires > now()) break;
      put(oldest, null);
    }
  }

  return {
    async read(id) {
      return claims.get(id)?.claim ?? null;
    },
    async swap(id, before, after) {
      // `before` comes from `read`, so an unchanged claim is the same object.
      if ((claims.get(id)?.claim ?? null) !== before) return false;
      put(id, after);
      forgetOld();
      return true;
    },
    async pending() {
      forgetOld();
      const open = [...openTimes.values()].filter((openFrom) => openFrom <= now()).length;
      return { settling: openTimes.size - open, open };
    },
  };
}

const PREFIX = 'hidamari:payment:';
/** A sorted set: IDs of the pending claims, by the time when they count as open. */
const PENDING = 'hidamari:payments:pending';

/**
 * Replaces a claim only if it is still the expected one. Redis runs a script without interruption. KEYS: the claim, the
 * pending claims. ARGV: the expected claim and the new one (empty: none), the seconds to keep it, its ID, and the time
 * when it counts as open (empty: it is not pending).
 */
const SWAP = `
local stored = redis.call('GET', KEYS[1]) or ''
if stored ~= ARGV[1] then return 0 end
if ARGV[2] == '' then redis.call('DEL', KEYS[1]) else redis.call('SET', KEYS[1], ARGV[2], 'EX', ARGV[3]) end
if ARGV[5] == '' then
  redis.call('ZREM', KEYS[2], ARGV[4])
else
  redis.call('ZADD', KEYS[2], ARGV[5], ARGV[4])
  redis.call('EXPIRE', KEYS[2], ARGV[3])
end
return 1`;

/**
 * Removes expired claims from the pending ones, then counts all and the open ones. ARGV: claims that count as open
 * before this time have expired; the present time.
 */
const COUNT = `
redis.call('ZREMRANGEBYSCORE', KEYS[1], '-inf', ARGV[1])
return {redis.call('ZCARD', KEYS[1]), redis.call('ZCOUNT', KEYS[1], '-inf', ARGV[2])}`;

/** A claim as it is stored; empty for none. */
const claimText = (claim: Claim | null): string => (claim === null ? '' : JSON.stringify(claim));

/**
 * Claims in a Redis shared by several servers. While Redis is down nothing can be sold.
 * @param now milliseconds since 1970
 */
export function redisClaims(redis: SharedRedis, now: () => number): PaymentClaims {
  /** Runs a command; an outage of Redis becomes `ClaimsUnavailable`. */
  async function ask<T>(command: (connection: Redis) => Promise<T>): Promise<T> {
    try {
      return await redis.run(command);
    } catch (error) {
      throw error instanceof RedisGone ? new ClaimsUnavailable(error.message) : error;
    }
  }
  return {
    async read(id) {
      const value = await ask((connection) => connection.get(PREFIX + id));
      return value === null ? null : (JSON.parse(value) as Claim);
    },
    async swap(id, before, after) {
      // The time from which the new claim counts as open; empty when it is not pending.
      const openFrom = opensAt(after, now()) ?? '';
      const values = [claimText(before), claimText(after), CLAIM_SECONDS, id, openFrom];
      const swapped = await ask((connection) => connection.eval(SWAP, 2, PREFIX + id, PENDING, ...values));
      return swapped === 1;
    },
    // A claim is settling until it is taken or refused. After a time it counts as open: nobody knows whether money moved.
    async pending() {
      const expiredBefore = now() - CLAIM_SECONDS * 1000;
      const counts = await ask((connection) => connection.eval(COUNT, 1, PENDING, expiredBefore, now()));
      const [all, open] = counts as [number, number];
      return { settling: all - open, open };
    },
  };
}
