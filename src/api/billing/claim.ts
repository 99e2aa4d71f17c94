import type { Redis } from 'ioredis';
import { RedisGone, type SharedRedis } from '../../http/redis.ts';

/**
 * A payment that this service, or another server of it, has laid its hands on. It is written before the payment is
 * settled and outlives the payment's authorization, so that no payment buys two answers.
 */
export interface Claim {
  /** The payment as it was sent and what it was sent for: a claim serves nothing else. */
  purpose: string;
  /**
   * `settling`: a server is at it. `open`: the outcome is unknown, or the client went away before its answer; the same
   * request may come back for it. `spent`: the answer is given.
   */
  state: 'settling' | 'open' | 'spent';
  /** Of the server that is at it; makes every attempt a claim of its own. */
  holder: string;
  /** When a `settling` claim is open again, since its server must have died; milliseconds since 1970. */
  until: number;
  /** The transaction that has settled the payment; null while that is not known. */
  transaction: string | null;
}

/** What a claim means for a request that brings its payment. */
export type Standing =
  /** The payment is new. */
  | 'new'
  /** It is this request's own, and its outcome or its delivery is open. */
  | 'open'
  /** Another copy of this request is being answered. */
  | 'busy'
  | 'spent'
  /** It was used for another request. */
  | 'elsewhere';

export function standingOf(claim: Claim | null, purpose: string, nowMs: number): Standing {
  if (claim === null) return 'new';
  if (claim.purpose !== purpose) return 'elsewhere';
  if (claim.state === 'settling') return nowMs < claim.until ? 'busy' : 'open';
  return claim.state;
}

/**
 * Where claims are kept. One operation changes them, and only when no other has changed them since they were read:
 * two servers cannot both get a claim.
 */
export interface PaymentClaims {
  /** @throws ClaimsUnavailable */
  read(id: string): Promise<Claim | null>;
  /**
   * Replaces `before` (null: nothing is there) by `after` (null: take it away). False when `before` is not what is
   * there. Claims are kept for `CLAIM_SECONDS` from their last change.
   * @throws ClaimsUnavailable when it may or may not have been done.
   */
  swap(id: string, before: Claim | null, after: Claim | null): Promise<boolean>;
  /**
   * How many have not come to their end.
   * @throws ClaimsUnavailable
   */
  pending(): Promise<PendingClaims>;
}

/** Claims that are neither spent nor given back. */
interface PendingClaims {
  /** A server is at it. */
  settling: number;
  /** The outcome is unknown, or the answer has not been given. */
  open: number;
}

/** From when on a claim counts as open, milliseconds since 1970; null for one that has come to its end. */
function openFrom(claim: Claim | null, nowMs: number): number | null {
  if (claim === null || claim.state === 'spent') return null;
  return claim.state === 'settling' ? claim.until : nowMs;
}

/** The store of claims cannot be asked: nothing can be sold until it can. */
export class ClaimsUnavailable extends Error {}

/** How long a claim is kept: a day longer than any authorization can be valid. Seconds. */
export const CLAIM_SECONDS = 48 * 3600;

/** Claims in the memory of this process: for a single server. */
export function memoryClaims(now: () => number): PaymentClaims {
  const claims = new Map<string, { claim: Claim; expires: number }>();
  /** From when on each of those that have not come to their end is open. */
  const pending = new Map<string, number>();

  function put(id: string, claim: Claim | null): void {
    // Removed and added again, so that the order of the map is that of expiry.
    claims.delete(id);
    pending.delete(id);
    if (claim !== null) claims.set(id, { claim, expires: now() + CLAIM_SECONDS * 1000 });
    const from = openFrom(claim, now());
    if (from !== null) pending.set(id, from);
  }

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
      if (claims.get(id)?.claim !== (before ?? undefined)) return false;
      put(id, after);
      forgetOld();
      return true;
    },
    async pending() {
      forgetOld();
      const open = [...pending.values()].filter((from) => from <= now()).length;
      return { settling: pending.size - open, open };
    },
  };
}

const PREFIX = 'hidamari:payment:';
/** IDs of the claims that have not come to their end, by when they count as open. */
const PENDING = 'hidamari:payments:pending';

/**
 * Replaces a value (empty: none) only while it is what the caller has read, and puts the ID on the list of the pending
 * (empty: takes it off); in Redis nothing comes in between.
 */
const SWAP = `
local there = redis.call('GET', KEYS[1]) or ''
if there ~= ARGV[1] then return 0 end
if ARGV[2] == '' then redis.call('DEL', KEYS[1]) else redis.call('SET', KEYS[1], ARGV[2], 'EX', ARGV[3]) end
if ARGV[5] == '' then
  redis.call('ZREM', KEYS[2], ARGV[4])
else
  redis.call('ZADD', KEYS[2], ARGV[5], ARGV[4])
  redis.call('EXPIRE', KEYS[2], ARGV[3])
end
return 1`;

/** Counts the pending and the open among them, once those are off the list that Redis has forgotten. */
const COUNT = `
redis.call('ZREMRANGEBYSCORE', KEYS[1], '-inf', ARGV[1])
return {redis.call('ZCARD', KEYS[1]), redis.call('ZCOUNT', KEYS[1], '-inf', ARGV[2])}`;

/**
 * Claims that several servers share. While Redis is away nothing can be sold.
 * @param now milliseconds since 1970.
 */
export function redisClaims(redis: SharedRedis, now: () => number): PaymentClaims {
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
      const [old, next] = [before, after].map((claim) => (claim === null ? '' : JSON.stringify(claim)));
      const open = openFrom(after, now()) ?? '';
      const swapped = await ask((connection) =>
        connection.eval(SWAP, 2, PREFIX + id, PENDING, old, next, CLAIM_SECONDS, id, open),
      );
      return swapped === 1;
    },
    async pending() {
      const forgotten = now() - CLAIM_SECONDS * 1000;
      const counts = await ask((connection) => connection.eval(COUNT, 1, PENDING, forgotten, now()));
      const [all, open] = counts as [number, number];
      return { settling: all - open, open };
    },
  };
}
