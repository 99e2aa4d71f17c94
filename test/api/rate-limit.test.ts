import assert from 'node:assert/strict';
import { request } from 'node:http';
import { test } from 'node:test';
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

test('everything under /api/ counts; answers that no other client may be given say what is left; pages do not count', async (t) => {
  const { url } = await startServer(t, { limiter: new MemoryRateLimiter(20) });
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

test('twenty-one at once: twenty pass', async (t) => {
  const { url } = await startServer(t, { limiter: new MemoryRateLimiter(20) });
  const statuses = await Promise.all(Array.from({ length: 21 }, async () => (await fetch(url + PATH)).status));
  assert.equal(statuses.filter((status) => status === 200).length, 20);
  assert.equal(statuses.filter((status) => status === 429).length, 1);
});

test('X-Forwarded-For makes a client only when it comes from a named proxy', async (t) => {
  const send = async (port: number, forwarded: string): Promise<number> =>
    new Promise((resolve, reject) => {
      const headers = { 'x-forwarded-for': forwarded };
      const sent = request({ port, host: '127.0.0.1', path: PATH, headers, agent: false }, (response) => {
        response.resume();
        resolve(response.statusCode!);
      });
      sent.on('error', reject).end();
    });
  const open = await startServer(t, { limiter: new MemoryRateLimiter(1) });
  assert.deepEqual([await send(open.port, '198.51.100.1'), await send(open.port, '198.51.100.2')], [200, 429]);
  const behind = await startServer(t, { limiter: new MemoryRateLimiter(1), proxies: ['127.0.0.0/8'] });
  assert.deepEqual([await send(behind.port, '198.51.100.1'), await send(behind.port, '198.51.100.2')], [200, 200]);
  assert.equal(await send(behind.port, '9.9.9.9, 198.51.100.1'), 429);
  assert.deepEqual(
    [
      await send(behind.port, '2001:db8::1'),
      await send(behind.port, '2001:db8::2'),
      await send(behind.port, '2001:db8:0:1::1'),
    ],
    [200, 429, 200],
  );
});
