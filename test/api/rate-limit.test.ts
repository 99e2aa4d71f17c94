import assert from 'node:assert/strict';
import { test } from 'node:test';
import { randomFrom } from '../../samples/random.ts';
import { MemoryRateLimiter } from '../../src/http/rate-limiter.ts';
import { startServer } from '../support/api-server.ts';
import { KNOWN } from '../support/fake-dataset.ts';

const PATH = `/api/v1/sunlight/building/${KNOWN.building}`;

test('exactly as many requests as allowed, then 429 until the oldest has left the window', () => {
  let now = 0;
  const limiter = new MemoryRateLimiter(20, () => now);
  for (let i = 1; i <= 20; i++) {
    now = i * 100;
    assert.deepEqual(limiter.take('a'), {
      allowed: true,
      limit: 20,
      remaining: 20 - i,
      resetSeconds: i === 1 ? 60 : Math.ceil(60 - (i - 1) / 10),
    });
  }
  assert.deepEqual(limiter.take('a'), { allowed: false, limit: 20, remaining: 0, resetSeconds: 59 });
  assert.equal(limiter.take('b').remaining, 19);
  now = 60_099;
  assert.deepEqual(limiter.take('a'), { allowed: false, limit: 20, remaining: 0, resetSeconds: 1 });
  now = 60_100;
  assert.deepEqual(limiter.take('a'), { allowed: true, limit: 20, remaining: 0, resetSeconds: 1 });
  assert.equal(limiter.take('a').allowed, false);
});

test('waiting for as long as Retry-After says is enough', () => {
  for (const late of [1, 499, 500, 999, 1000, 30_000, 59_999]) {
    let now = 0;
    const limiter = new MemoryRateLimiter(1, () => now);
    limiter.take('a');
    now = late;
    const { allowed, resetSeconds } = limiter.take('a');
    assert.equal(allowed, false);
    assert.equal(resetSeconds, Math.ceil((60_000 - late) / 1000));
    now += resetSeconds * 1000;
    assert.equal(limiter.take('a').allowed, true);
  }
});

/** A /64 as `countedName` names it. */
const address = (network: number): string =>
  `2001:db8:${(network >>> 16).toString(16)}:${(network & 0xffff).toString(16)}::/64`;

test('a million IPv6 networks: memory has a bound, and nobody gets more for coming from many', () => {
  const limiter = new MemoryRateLimiter(20, () => 1000);
  const before = process.memoryUsage().heapUsed;
  let allowed = 0;
  for (let i = 0; i < 1_000_000; i++) if (limiter.take(address(i)).allowed) allowed++;
  // The clients, and three kinds of networks.
  assert.ok(limiter.size <= 100_000 + 3 * 20_000 + 1, `${limiter.size} kept`);
  const grown = (process.memoryUsage().heapUsed - before) / 1e6;
  assert.ok(grown < 150, `${grown.toFixed(0)} MB`);
  // A home (a /56) has four times the limit of a /64: of its 256 networks, each asking once, 80 pass.
  assert.equal(allowed, Math.floor(1_000_000 / 256) * 80 + (1_000_000 % 256));
  assert.equal(limiter.take(address(7)).allowed, false, 'the home has had its share');
});

test('a full table forgets nobody: newcomers are counted with their networks', () => {
  let now = 1000;
  const limiter = new MemoryRateLimiter(20, () => now);
  const ipv4 = (i: number): string => `${10 + (i >>> 24)}.${(i >>> 16) & 255}.${(i >>> 8) & 255}.${i & 255}`;
  for (let i = 0; i < 100_000; i++) limiter.take(ipv4(i));
  assert.equal(limiter.size, 100_000);
  // A /24 that is new has four times the limit of an address, whatever its addresses are.
  let allowed = 0;
  for (let i = 0; i < 200; i++) if (limiter.take(`203.0.113.${i}`).allowed) allowed++;
  assert.equal(allowed, 80);
  // Those that were there before still have what is left of their own.
  assert.equal(limiter.take(ipv4(5)).remaining, 18);
  // When the flood is over there is room again.
  now += 130_000;
  limiter.take('198.51.100.1');
  assert.ok(limiter.size < 5, `${limiter.size} kept`);
});

test('no 60 seconds hold more than the limit, whenever they begin', () => {
  for (const limit of [1, 7, 20, 33, 100, 1000]) {
    const seed = 20_261_122 + limit;
    const random = randomFrom(seed);
    let now = 0;
    const limiter = new MemoryRateLimiter(limit, () => now);
    const passed: number[] = [];
    for (let i = 0; i < limit * 40; i++) {
      now += random() < 0.02 ? random() * 70_000 : (random() * 60_000) / limit;
      const { allowed, remaining } = limiter.take('a');
      if (allowed) passed.push(now);
      const inWindow = passed.filter((at) => now - at < 60_000).length;
      assert.ok(inWindow <= limit, `${inWindow} of ${limit}, seed ${seed}`);
      assert.ok(remaining <= limit - inWindow, `it says ${remaining} are left of ${limit}, seed ${seed}`);
      if (limit <= 32) assert.equal(remaining, limit - inWindow, `seed ${seed}`);
    }
    assert.ok(passed.length > limit * 2, `${passed.length} passed`);
  }
});

test('a clock that goes on while a request is counted: nobody is forgotten when the generations change', () => {
  let now = 1000;
  const limiter = new MemoryRateLimiter(20, () => (now += 0.001));
  const passed: number[] = [];
  for (let i = 0; i < 600; i++) {
    if (limiter.take('192.0.2.1').allowed) passed.push(now);
    now += passed.length < 20 && passed.length % 7 === 6 ? 4000 : 250;
  }
  assert.ok(passed.length > 40, `${passed.length} passed`);
  for (const [i, first] of passed.entries()) {
    const last = passed[i + 20] ?? Number.POSITIVE_INFINITY;
    assert.ok(last - first >= 60_000 - 1, `21 in ${last - first} ms`);
  }
});

test('the preflight of a browser, which carries no key, does not count', async (t) => {
  const { url } = await startServer(t, { limiters: { api: new MemoryRateLimiter(1) } });
  const preflight = { method: 'OPTIONS', headers: { 'access-control-request-method': 'GET' } };
  for (let i = 0; i < 3; i++) assert.equal((await fetch(url + PATH, preflight)).status, 204);
  assert.equal((await fetch(url + PATH)).status, 200);
  assert.equal((await fetch(url + PATH, preflight)).status, 204);
  assert.equal((await fetch(url + PATH)).status, 429);
});

test('everything under /api/ counts; answers that no other client may be given say what is left; pages do not count', async (t) => {
  const { url } = await startServer(t, { limiters: { api: new MemoryRateLimiter(20) } });
  const requests: [string, RequestInit, number][] = [
    [PATH, {}, 200],
    [PATH, { method: 'HEAD' }, 200],
    [PATH, { method: 'OPTIONS' }, 204],
    [PATH, { method: 'POST' }, 405],
    ['/api/nowhere', {}, 404],
    ['/api/v1/sunlight/near', {}, 400],
    ['/api/v1/sunlight/building/%zz', {}, 400],
    [PATH, { headers: { authorization: 'Bearer x' } }, 401],
  ];
  for (const [i, [path, init, status]] of requests.entries()) {
    const response = await fetch(url + path, init);
    assert.equal(response.status, status);
    if (response.headers.get('cache-control')?.startsWith('public')) continue;
    assert.match(response.headers.get('ratelimit')!, new RegExp(`^"default";r=${19 - i};t=(60|59|58)$`));
    assert.equal(response.headers.get('ratelimit-policy'), '"default";q=20;w=60');
  }
  for (const path of ['/healthz', '/sunlight/towns.json', '/nowhere', '/openapi.json']) {
    assert.equal((await fetch(url + path)).headers.get('ratelimit'), null);
  }
  for (let i = requests.length; i < 20; i++) assert.equal((await fetch(url + PATH)).status, 200);
  const refused = await fetch(url + PATH);
  assert.equal(refused.status, 429);
  assert.match(refused.headers.get('ratelimit')!, /^"default";r=0;t=\d+$/);
  assert.equal(refused.headers.get('retry-after'), refused.headers.get('ratelimit')!.split('t=')[1]);
  assert.equal((await fetch(`${url}/sunlight/towns.json`)).status, 200);
});
