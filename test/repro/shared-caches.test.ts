import assert from 'node:assert/strict';
import { join } from 'node:path';
import { test } from 'node:test';
import { pino } from 'pino';
import { addKey, KeyRing } from '../../src/api/keys.ts';
import { MemoryRateLimiter } from '../../src/http/rate-limiter.ts';
import { startServer } from '../support/api-server.ts';
import { KNOWN } from '../support/fake-dataset.ts';
import { tempFolder } from '../support/temp-folder.ts';

const PATHS = [
  `/api/v1/sunlight/building/${KNOWN.building}`,
  '/api/v1/sunlight/near?lat=35.5&lon=139.7',
  '/sunlight/',
  '/sunlight/towns.json',
];

async function startWithKey(t: Parameters<typeof startServer>[0] & Parameters<typeof tempFolder>[0]) {
  const path = join(tempFolder(t), 'keys.json');
  const { key } = await addKey(path, { name: 'City office', limit: 300, expires: null }, new Date());
  const keys = await KeyRing.open(path, Date.now, pino({ level: 'silent' }));
  t.after(() => keys.close());
  const server = await startServer(t, {
    keys,
    limiters: {
      api: new MemoryRateLimiter(100),
      pages: new MemoryRateLimiter(3),
      tiles: new MemoryRateLimiter(100),
      newResults: new MemoryRateLimiter(100),
    },
  });
  return { ...server, key };
}

test('what a shared cache may keep says nothing of the client that asked', async (t) => {
  const { url } = await startWithKey(t);
  for (const path of PATHS) {
    const first = await fetch(url + path);
    assert.equal(first.status, 200, path);
    const tag = first.headers.get('etag');
    const again = await fetch(url + path, { method: 'HEAD', headers: tag === null ? {} : { 'if-none-match': tag } });
    for (const { headers } of [first, again]) {
      assert.match(headers.get('cache-control') ?? '', /^public, /, path);
      assert.equal(headers.get('ratelimit'), null, path);
      assert.equal(headers.get('ratelimit-policy'), null, path);
    }
  }
});

test('the answer to a request with Authorization is for its client alone, and says what is left', async (t) => {
  const { url, key } = await startWithKey(t);
  const headers = { authorization: `Bearer ${key}` };
  for (const path of PATHS) {
    const answer = await fetch(url + path, { headers });
    assert.equal(answer.status, 200, path);
    assert.match(answer.headers.get('cache-control') ?? '', /^private, max-age=300,/, path);
    if (path.startsWith('/api/')) assert.match(answer.headers.get('ratelimit') ?? '', /^"key";r=29\d;/);
    const unchanged = await fetch(url + path, {
      headers: { ...headers, 'if-none-match': '*' },
    });
    assert.match(unchanged.headers.get('cache-control') ?? '', /^private, /, path);
    assert.doesNotMatch(answer.headers.get('cache-control') ?? '', /public/);
  }
});

test('pages look at no keys: neither does a key open more of them, nor is one refused for a wrong one', async (t) => {
  const { url, key, log } = await startWithKey(t);
  const statuses: number[] = [];
  for (const token of [key, key, key, key, 'hida_wrong']) {
    const { status } = await fetch(`${url}/sunlight/`, { headers: { authorization: `Bearer ${token}` } });
    statuses.push(status);
  }
  assert.deepEqual(statuses, [200, 200, 200, 429, 429]);
  const classes = log.filter(({ msg }) => msg === 'request').map(({ client_class }) => client_class);
  assert.deepEqual([...new Set(classes)], ['anonymous']);
});
