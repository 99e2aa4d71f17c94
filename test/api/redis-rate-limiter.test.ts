import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setTimeout as delay } from 'node:timers/promises';
import { Redis } from 'ioredis';
import { pino } from 'pino';
import { countedName } from '../../src/http/client-address.ts';
import { type Quota, type RateLimiter, redisRateLimiter } from '../../src/http/rate-limiter.ts';
import { SharedRedis } from '../../src/http/redis.ts';
import { freePort } from '../support/free-port.ts';
import { RedisServer, skipWithoutRedis } from '../support/redis-server.ts';

const KEY = 'hidamari:recent:a';

interface After {
  after(fn: () => void): unknown;
}

/** A connection as a server has it, with the lines of its log. */
async function connect(t: After, url: string) {
  const lines: string[] = [];
  const log = pino({ level: 'info' }, { write: (line) => void lines.push(JSON.parse(line).msg) });
  const redis = await SharedRedis.connect(url, log);
  t.after(() => redis.close());
  return { redis, lines, limiter: redisRateLimiter(redis, 20) };
}

/** A connection of the test itself, to look and to turn. */
function ownConnection(t: After, { url }: RedisServer): Redis {
  const redis = new Redis(url);
  t.after(() => redis.disconnect());
  return redis;
}

async function takeMany(limiters: RateLimiter[], times: number): Promise<Quota[]> {
  return Promise.all(Array.from({ length: times }, (_, i) => limiters[i % limiters.length]!.take('a')));
}

const until = async (holds: () => boolean): Promise<void> => {
  while (!holds()) await delay(10);
};

const GONE = 'redis is gone: this server counts alone';
const THERE = 'redis is there: servers count together';

test('limits in Redis', { skip: skipWithoutRedis, concurrency: false }, async (t) => {
  await t.test('three servers together let exactly twenty pass, one after the other and at once', async (t) => {
    const server = await RedisServer.start(t);
    const limiters = [await connect(t, server.url), await connect(t, server.url), await connect(t, server.url)].map(
      ({ limiter }) => limiter,
    );
    for (let i = 1; i <= 20; i++) {
      const { allowed, remaining, limit } = await limiters[i % 3]!.take('one by one');
      assert.deepEqual({ allowed, remaining, limit }, { allowed: true, remaining: 20 - i, limit: 20 });
    }
    for (const limiter of limiters) {
      const { allowed, remaining } = await limiter.take('one by one');
      assert.deepEqual({ allowed, remaining }, { allowed: false, remaining: 0 });
    }
    const quotas = await takeMany(limiters, 50);
    assert.equal(quotas.filter(({ allowed }) => allowed).length, 20);
    assert.equal((await limiters[0]!.take('with more of its own', 300)).remaining, 299);
  });

  await t.test('the window is that of Redis and slides: no 60 seconds hold more than the limit', async (t) => {
    const server = await RedisServer.start(t);
    const { limiter } = await connect(t, server.url);
    const own = ownConnection(t, server);
    assert.equal((await limiter.take('a')).resetSeconds, 60);
    assert.ok((await own.pttl(KEY)) <= 60_000);
    const now = async (): Promise<number> => {
      const [seconds, microseconds] = (await own.time()) as unknown as [number, number];
      return Number(seconds) * 1000 + Math.floor(Number(microseconds) / 1000);
    };
    /** As if the requests had come so many milliseconds ago; behind them, how many the last stands for. */
    const cameAgo = async (...ages: number[]): Promise<void> => {
      const at = await now();
      await own.del(KEY);
      await own.rpush(KEY, ...ages.map((age) => at - age), 1);
    };
    await cameAgo(...Array(20).fill(30_000));
    const refused = await limiter.take('a');
    assert.deepEqual([refused.allowed, refused.resetSeconds], [false, 30]);
    await cameAgo(60_000, ...Array(19).fill(100));
    assert.deepEqual(await limiter.take('a'), { allowed: true, limit: 20, remaining: 0, resetSeconds: 60 });
    assert.equal((await limiter.take('a')).allowed, false);
    // The clock of Redis was set back: what seems to come from the future does not count.
    await cameAgo(...Array(20).fill(-3_600_000));
    assert.equal((await limiter.take('a')).remaining, 19);
  });

  await t.test('a home with 256 networks has four times the limit of one, and high limits hold too', async (t) => {
    const server = await RedisServer.start(t);
    const { limiter } = await connect(t, server.url);
    let allowed = 0;
    for (let i = 0; i < 120; i++) {
      const { allowed: one } = await limiter.take(countedName(`2001:db8:0:${(0x100 + (i % 40)).toString(16)}::1`));
      if (one) allowed++;
    }
    assert.equal(allowed, 80);
    const quotas = await Promise.all(Array.from({ length: 350 }, () => limiter.take('b', 300)));
    assert.equal(quotas.filter((quota) => quota.allowed).length, 300);
  });

  await t.test('a Redis that hangs: counting goes on here at once, from where it was', async (t) => {
    const server = await RedisServer.start(t);
    const { limiter, redis, lines } = await connect(t, server.url);
    await takeMany([limiter], 15);
    server.pause();
    // Those on their way wait for the bound, all together; every later one does not wait at all.
    const underWay = await takeMany([limiter], 3);
    assert.deepEqual(
      underWay.map(({ remaining }) => remaining),
      [4, 3, 2],
    );
    assert.equal(redis.up, false);
    for (const remaining of [1, 0]) {
      const quota = limiter.take('a');
      assert.ok(!(quota instanceof Promise));
      assert.deepEqual([quota.allowed, quota.remaining], [true, remaining]);
    }
    assert.equal((limiter.take('a') as Quota).allowed, false);
    assert.equal(redis.failures, 3);
    await delay(1500); // long enough for attempts to reconnect, which must not be logged
    assert.deepEqual(lines, [THERE, GONE]);
    server.resume();
    await until(() => redis.up);
    assert.deepEqual(lines, [THERE, GONE, THERE]);
    assert.ok(limiter.take('a') instanceof Promise);
  });

  await t.test('a Redis that dies and comes back', async (t) => {
    const server = await RedisServer.start(t);
    const { limiter, redis, lines } = await connect(t, server.url);
    const own = ownConnection(t, server);
    own.on('error', () => {});
    await takeMany([limiter], 5);
    await server.kill();
    await until(() => !redis.up);
    assert.equal((limiter.take('a') as Quota).remaining, 14);
    await server.start();
    await until(() => redis.up);
    // Its memory is gone with it.
    assert.equal((await limiter.take('a')).remaining, 19);
    assert.equal(await own.llen(KEY), 2);
    assert.deepEqual(lines, [THERE, GONE, THERE]);
  });

  await t.test('a Redis that dies with commands under way', async (t) => {
    const server = await RedisServer.start(t);
    const { limiter } = await connect(t, server.url);
    server.pause();
    const pending = takeMany([limiter], 25);
    await server.kill();
    assert.equal((await pending).filter(({ allowed }) => allowed).length, 20);
  });

  await t.test('a Redis that is not there at the start is warned of, and used when it comes', async (t) => {
    const port = await freePort();
    const { limiter, redis, lines } = await connect(t, `redis://127.0.0.1:${port}`);
    assert.deepEqual(lines, [GONE]);
    const quotas = await takeMany([limiter], 21);
    assert.equal(quotas.filter(({ allowed }) => allowed).length, 20);
    const server = await RedisServer.start(t, { port });
    await until(() => redis.up);
    assert.deepEqual(lines, [GONE, THERE]);
    assert.equal((await limiter.take('b')).remaining, 19);
    assert.equal(await ownConnection(t, server).exists('hidamari:recent:b'), 1);
  });

  await t.test('a Redis that takes no writes, or not from us, counts as gone', async (t) => {
    const server = await RedisServer.start(t);
    const own = ownConnection(t, server);
    const { limiter, redis, lines } = await connect(t, server.url);
    await own.config('SET', 'min-replicas-to-write', '1');
    assert.equal((await limiter.take('a')).remaining, 19);
    assert.equal((await limiter.take('a')).remaining, 18);
    await delay(1200); // some attempts
    assert.deepEqual([redis.up, ...lines], [false, THERE, GONE]);
    await own.config('SET', 'min-replicas-to-write', '0');
    await until(() => redis.up);
    await own.config('SET', 'requirepass', 'a password');
    const stranger = await connect(t, server.url);
    assert.deepEqual(stranger.lines, [GONE]);
    const friend = await connect(t, `redis://:a%20password@127.0.0.1:${server.port}`);
    assert.deepEqual(friend.lines, [THERE]);
  });
});
