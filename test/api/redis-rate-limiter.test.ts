import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setTimeout as delay } from 'node:timers/promises';
import { Redis } from 'ioredis';
import { pino } from 'pino';
import type { Quota, RateLimiter } from '../../src/http/rate-limiter.ts';
import { SharedRedis } from '../../src/http/redis.ts';
import { redisRateLimiter } from '../../src/http/redis-rate-limiter.ts';
import { startServer } from '../support/api-server.ts';
import { KNOWN } from '../support/fake-dataset.ts';
import { freePort, RedisServer, skipWithoutRedis } from '../support/redis-server.ts';

const PATH = `/api/v1/sunlight/building/${KNOWN.building}`;
const KEY = 'hidamari:limit:a';

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

  await t.test('the window is that of Redis, to the second', async (t) => {
    const server = await RedisServer.start(t);
    const { limiter } = await connect(t, server.url);
    const own = ownConnection(t, server);
    assert.equal((await limiter.take('a')).resetSeconds, 60);
    assert.ok((await own.pttl(KEY)) < 60_000);
    for (const left of [1, 1000, 1001, 30_500, 59_999]) {
      await own.pexpire(KEY, left + 5000);
      const before = await own.pttl(KEY);
      const { resetSeconds } = await limiter.take('a');
      const after = await own.pttl(KEY);
      assert.ok(resetSeconds <= Math.ceil((before + 1) / 1000), `${resetSeconds} s with ${before} ms left`);
      assert.ok(resetSeconds >= Math.ceil((after + 1) / 1000), `${resetSeconds} s with ${after} ms left`);
    }
    await takeMany([limiter], 20);
    assert.equal((await limiter.take('a')).allowed, false);
    await own.pexpire(KEY, 1);
    while ((await own.exists(KEY)) === 1) await delay(1);
    assert.deepEqual(await limiter.take('a'), { allowed: true, limit: 20, remaining: 19, resetSeconds: 60 });
    // A count without an end, as after a restore, would shut a client out for ever.
    await own.persist(KEY);
    await limiter.take('a');
    assert.ok((await own.pttl(KEY)) > 0);
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
    assert.equal(await own.get(KEY), '1');
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
    const server = await RedisServer.start(t, port);
    await until(() => redis.up);
    assert.deepEqual(lines, [GONE, THERE]);
    assert.equal((await limiter.take('b')).remaining, 19);
    assert.equal(await ownConnection(t, server).get('hidamari:limit:b'), '1');
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

  await t.test('over HTTP: two servers, one limit', async (t) => {
    const redisServer = await RedisServer.start(t);
    const one = await connect(t, redisServer.url);
    const other = await connect(t, redisServer.url);
    const servers = [await startServer(t, { limiter: one.limiter }), await startServer(t, { limiter: other.limiter })];
    const statuses = await Promise.all(
      Array.from({ length: 22 }, async (_, i) => (await fetch(servers[i % 2]!.url + PATH)).status),
    );
    assert.equal(statuses.filter((status) => status === 200).length, 20);
    for (const { url } of servers) {
      const refused = await fetch(url + PATH);
      assert.equal(refused.status, 429);
      assert.equal(refused.headers.get('ratelimit'), `"default";r=0;t=${refused.headers.get('retry-after')}`);
    }
    redisServer.pause();
    for (const { url } of servers) assert.equal((await fetch(url + PATH)).status, 429);
    redisServer.resume();
  });
});
