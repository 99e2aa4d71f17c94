import { type Count, quotaOf, type RateLimiter, WINDOW_SECONDS, WindowCounter } from './rate-limiter.ts';
import type { SharedRedis } from './redis.ts';

const PREFIX = 'hidamari:limit:';

/**
 * The same fixed window as in memory, by the clock of Redis. A key lives on in the millisecond of its expiry, so it is
 * set to expire one earlier: the window is as long as it says, and a client that waits as told finds a new one.
 */
const COUNT = `
local requests = redis.call('INCR', KEYS[1])
local left = redis.call('PTTL', KEYS[1])
if left < 0 then
  left = ARGV[1] - 1
  redis.call('PEXPIRE', KEYS[1], left)
end
return {requests, left + 1}`;

/**
 * Counts in a Redis that several servers share. Each count is also kept here: when Redis goes, this server goes on
 * from what it knows, and nobody gets a new window by it.
 */
export function redisRateLimiter(redis: SharedRedis, limit: number): RateLimiter {
  const windows = new WindowCounter();
  return {
    take(client, own = limit) {
      if (!redis.up) return quotaOf(windows.count(client), own);
      return redis
        .run((connection) => connection.eval(COUNT, 1, PREFIX + client, WINDOW_SECONDS * 1000))
        .then(
          (answer) => {
            const [requests, resetMs] = answer as [number, number];
            const count: Count = { requests, resetMs };
            windows.set(client, count);
            return quotaOf(count, own);
          },
          () => quotaOf(windows.count(client), own),
        );
    },
  };
}
