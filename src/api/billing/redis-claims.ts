import type { Redis } from 'ioredis';
import { RedisGone, type SharedRedis } from '../redis.ts';
import { CLAIM_SECONDS, type Claim, ClaimsUnavailable, type PaymentClaims } from './claim.ts';

const PREFIX = 'hidamari:payment:';

/** Replaces a value (empty: none) only while it is what the caller has read; in Redis nothing comes in between. */
const SWAP = `
local there = redis.call('GET', KEYS[1]) or ''
if there ~= ARGV[1] then return 0 end
if ARGV[2] == '' then redis.call('DEL', KEYS[1]) else redis.call('SET', KEYS[1], ARGV[2], 'EX', ARGV[3]) end
return 1`;

/** Claims that several servers share. While Redis is away nothing can be sold. */
export function redisClaims(redis: SharedRedis): PaymentClaims {
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
      return (await ask((connection) => connection.eval(SWAP, 1, PREFIX + id, old!, next!, CLAIM_SECONDS))) === 1;
    },
  };
}
