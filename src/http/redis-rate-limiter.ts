import { RecentRequests, requestsPerInstant, WINDOW_MS } from './client-table.ts';
import { type Counted, MemoryRateLimiter, type Quota, quotaOf, type RateLimiter } from './rate-limiter.ts';
import type { SharedRedis } from './redis.ts';

const PREFIX = 'hidamari:recent:';

/**
 * The algorithm of the memory limiter, with the clock of Redis. Each key is a list: instants, oldest first, then the
 * number of requests of the last instant. ARGV: the window; then for each key its limit and the requests that an
 * instant represents. Returns whether the request is allowed; then for each key the number of requests of the last
 * instant, and the age of each instant in milliseconds.
 */
const TAKE = `
local time = redis.call('TIME')
local now = time[1] * 1000 + math.floor(time[2] / 1000)
local window = tonumber(ARGV[1])
local allowed = 1
local kept, last = {}, {}
for k = 1, #KEYS do
  local limit, per = tonumber(ARGV[2 * k]), tonumber(ARGV[2 * k + 1])
  local list = redis.call('LRANGE', KEYS[k], 0, -1)
  last[k] = tonumber(list[#list] or 0)
  kept[k] = {}
  for i = 1, #list - 1 do
    local at = tonumber(list[i])
    if at <= now and now - at < window then table.insert(kept[k], at) end
  end
  if #kept[k] > 0 and (#kept[k] - 1) * per + last[k] >= limit then allowed = 0 end
end
local answer = {allowed}
for k = 1, #KEYS do
  local per = tonumber(ARGV[2 * k + 1])
  if allowed == 1 then
    if #kept[k] > 0 and last[k] < per then
      kept[k][#kept[k]] = now
      last[k] = last[k] + 1
    else
      table.insert(kept[k], now)
      last[k] = 1
    end
    redis.call('DEL', KEYS[k])
    redis.call('RPUSH', KEYS[k], unpack(kept[k]))
    redis.call('RPUSH', KEYS[k], last[k])
    redis.call('PEXPIRE', KEYS[k], window)
  end
  local one = {last[k]}
  for _, at in ipairs(kept[k]) do table.insert(one, now - at) end
  table.insert(answer, one)
end
return answer`;

/**
 * Counts in a Redis shared by several servers. Its results are also kept here: when Redis goes down, this server
 * continues from them, and no client gets a fresh limit. The networks of a client are chosen here, so that a flood of
 * addresses cannot fill Redis.
 */
export function redisRateLimiter(redis: SharedRedis, limit: number): RateLimiter {
  const here = new MemoryRateLimiter(limit);
  return {
    take(client, own = limit) {
      if (!redis.up) return here.take(client, own);
      const counted = here.countedFor(client, own);
      const keys = counted.map(({ network }) => PREFIX + network.name);
      const limits = counted.flatMap((one) => [one.limit, requestsPerInstant(one.limit)]);
      return redis
        .run((connection) => connection.eval(TAKE, keys.length, ...keys, WINDOW_MS, ...limits))
        .then(
          (answer) => {
            const [allowed, ...ages] = answer as [number, ...number[][]];
            for (const [i, { network }] of counted.entries()) {
              const [ofLast, ...rest] = ages[i] as [number, ...number[]];
              here.takeOver(
                network,
                (now) =>
                  new RecentRequests(
                    rest.map((age) => now - age),
                    ofLast,
                  ),
              );
            }
            return quotaFrom(allowed === 1, own, counted, ages);
          },
          () => here.take(client, own),
        );
    },
  };
}

function quotaFrom(allowed: boolean, own: number, counted: readonly Counted[], ages: number[][]): Quota {
  const left = counted.map(({ limit }, i) => {
    const [ofLast, ...rest] = ages[i] as [number, ...number[]];
    const count = rest.length === 0 ? 0 : (rest.length - 1) * requestsPerInstant(limit) + ofLast;
    return { remaining: limit - count, freeInMs: rest.length === 0 ? WINDOW_MS : WINDOW_MS - rest[0] };
  });
  return quotaOf(allowed, own, left);
}
