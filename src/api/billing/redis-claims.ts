import type { Redis } from 'ioredis';
import { RedisGone, type SharedRedis } from '../../http/redis.ts';
import { CLAIM_SECONDS, type Claim, ClaimsUnavailable, openFrom, type PaymentClaims } from './claim.ts';

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
