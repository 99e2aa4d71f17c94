import assert from 'node:assert/strict';
import { connect } from 'node:net';
import { networkInterfaces } from 'node:os';
import { test } from 'node:test';
import { MemoryRateLimiter, type RateLimiter } from '../../src/http/rate-limiter.ts';
import { rawExchange, startServer } from '../support/api-server.ts';
import { KNOWN } from '../support/fake-dataset.ts';

const PATH = `/api/v1/sunlight/building/${KNOWN.building}`;
const CLOSE = 'Connection: close\r\n\r\n';

const statuses = (answer: string) => [...answer.matchAll(/HTTP\/1\.1 (\d{3}) /g)].map(([, status]) => Number(status));

/** A limiter that lets all pass and notes whom it was asked about. */
function witness(): { limiter: RateLimiter; seen: string[] } {
  const seen: string[] = [];
  const take = (client: string) => {
    seen.push(client);
    return { allowed: true, limit: 20, remaining: 19, resetSeconds: 60 };
  };
  return { limiter: { take }, seen };
}

test('X-Forwarded-For of a named proxy is read through all its lines; of anybody else it is not', async (t) => {
  const { limiter, seen } = witness();
  const lines = ['1.1.1.1', '198.51.100.1', '10.0.0.9, 10.0.0.8'].map((line) => `X-Forwarded-For: ${line}\r\n`);
  for (const proxies of [['127.0.0.1', '10.0.0.0/8'], []]) {
    const { port } = await startServer(t, { limiters: { api: limiter }, proxies });
    const answer = await rawExchange(port, `GET ${PATH} HTTP/1.1\r\nHost: x\r\n${lines.join('')}${CLOSE}`);
    assert.deepEqual(statuses(answer), [200]);
  }
  assert.deepEqual(seen, ['198.51.100.1', '127.0.0.1']);
});

test('headers that look like an address but are not X-Forwarded-For count for nothing', async (t) => {
  const { limiter, seen } = witness();
  const { port } = await startServer(t, { limiters: { api: limiter }, proxies: ['127.0.0.1'] });
  const names = ['Forwarded: for=198.51.100.1', 'X-Real-IP: 198.51.100.1', 'True-Client-IP: 198.51.100.1'];
  for (const line of names) await rawExchange(port, `GET ${PATH} HTTP/1.1\r\nHost: x\r\n${line}\r\n${CLOSE}`);
  assert.deepEqual(seen, ['127.0.0.1', '127.0.0.1', '127.0.0.1']);
});

const hasIPv6 = Object.values(networkInterfaces()).some((list) => list?.some(({ address }) => address === '::1'));

test('a dual-stack socket: IPv4 is itself, IPv6 its /64', { skip: hasIPv6 ? false : 'no IPv6 here' }, async (t) => {
  const { limiter, seen } = witness();
  const { port } = await startServer(t, { limiters: { api: limiter }, host: '::' });
  for (const host of ['127.0.0.1', '[::1]']) assert.equal((await fetch(`http://${host}:${port}${PATH}`)).status, 200);
  assert.deepEqual(seen, ['127.0.0.1', '0:0:0:0::/64']);
});

test('pipelined requests are counted one by one and answered in order', async (t) => {
  const { port } = await startServer(t, { limiters: { api: new MemoryRateLimiter(20) } });
  const path = '/api/v1/sunlight/near';
  const one = `GET ${path} HTTP/1.1\r\nHost: x\r\n\r\n`;
  const answer = await rawExchange(port, `${one.repeat(24)}GET ${path} HTTP/1.1\r\nHost: x\r\n${CLOSE}`);
  assert.deepEqual(statuses(answer), [...Array(20).fill(400), ...Array(5).fill(429)]);
  const left = [...answer.matchAll(/^RateLimit: "default";r=(\d+);/gm)].map(([, r]) => Number(r));
  assert.deepEqual(left, [...Array.from({ length: 20 }, (_, i) => 19 - i), 0, 0, 0, 0, 0]);
});

test('pipelined requests keep their order when counting takes a moment', async (t) => {
  const inner = new MemoryRateLimiter(3);
  let calls = 0;
  const limiter: RateLimiter = {
    take: (client) => new Promise((resolve) => setTimeout(() => resolve(inner.take(client)), calls++ % 2 ? 0 : 20)),
  };
  const { port } = await startServer(t, { limiters: { api: limiter } });
  const ids = ['a', 'b', 'c', 'd', 'e'];
  const burst = ids.map(
    (id) =>
      `GET ${PATH} HTTP/1.1\r\nHost: x\r\nX-Request-Id: ${id}\r\n${id === 'e' ? 'Connection: close\r\n' : ''}\r\n`,
  );
  const answer = await rawExchange(port, burst.join(''));
  assert.deepEqual(
    [...answer.matchAll(/^X-Request-Id: (\w)\r$/gm)].map(([, id]) => id),
    ids,
  );
  assert.equal(statuses(answer).filter((status) => status === 200).length, 3);
});

test('headers are read to the last; more than Node takes are refused, not left out', async (t) => {
  const { port } = await startServer(t);
  const head = (count: number) => `GET ${PATH} HTTP/1.1\r\nHost: x\r\n${'a:\r\n'.repeat(count)}`;
  assert.deepEqual(statuses(await rawExchange(port, `${head(900)}${CLOSE}`)), [200]);
  assert.deepEqual(statuses(await rawExchange(port, `${head(900)}Authorization: Bearer x\r\n${CLOSE}`)), [401]);
  for (const count of [1100, 4000]) {
    assert.deepEqual(statuses(await rawExchange(port, `${head(count)}Authorization: Bearer x\r\n${CLOSE}`)), [400]);
  }
});

test('a body with GET is no second request', async (t) => {
  const { port } = await startServer(t);
  const inside = 'GET /healthz HTTP/1.1\r\nHost: x\r\n\r\n';
  const withLength = `GET ${PATH} HTTP/1.1\r\nHost: x\r\nContent-Length: ${inside.length}\r\n\r\n${inside}`;
  const chunked = `GET ${PATH} HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n${inside.length.toString(16)}\r\n${inside}\r\n0\r\n\r\n`;
  for (const bytes of [withLength, chunked]) {
    const answer = await rawExchange(port, `${bytes}GET /nowhere HTTP/1.1\r\nHost: x\r\n${CLOSE}`);
    assert.deepEqual(statuses(answer), [200, 404]);
  }
});

test('Expect: 100-continue is answered, whether the body follows or not', async (t) => {
  const { port } = await startServer(t, { patienceMs: 300 });
  for (const [method, status] of [
    ['GET', 200],
    ['POST', 405],
  ] as const) {
    const head = `${method} ${PATH} HTTP/1.1\r\nHost: x\r\nContent-Length: 2\r\nExpect: 100-continue\r\n`;
    for (const bytes of [`${head}${CLOSE}{}`, `${head}\r\n`]) {
      const final = statuses(await rawExchange(port, bytes)).filter((one) => one >= 200);
      assert.equal(final[0], status);
    }
  }
});

/** Targets that want to be something else than they are, and the status. */
const TARGETS: [string, number][] = [
  ['/%2e%2e/%2e%2e/etc/passwd', 404],
  ['/api/v1/%2e%2e/%2e%2e/healthz', 404],
  ['/bulk/%2e%2e%2f%2e%2e%2fetc/sunlight/passwd.parquet', 401],
  ['/bulk/x/sunlight/..%2f..%2f13101.parquet', 401],
  ['/problems/..%2f..%2fopenapi.json/', 404],
  ['/schemas/__proto__.json', 404],
  ['/problems/constructor/', 404],
  ['//', 404],
  ['//evil.example/%2e%2e', 404],
  ['http://evil.example//healthz', 404],
  ['http://evil.example', 200],
  ['http://evil.example?x=1', 200],
  ['https://user:password@evil.example/healthz', 200],
  [`${PATH}%00.json`, 400],
  [`${PATH}%c0%af`, 400],
  [`${PATH}%ed%a0%80`, 400],
  [`${PATH}?%00=1`, 400],
  [`${PATH}?a=${'b'.repeat(8000)}`, 400],
  [`${PATH}?${'a&'.repeat(4000)}`, 400],
  ['/api/v1/sunlight/near?lat=NaN&lon=1e3&r=１００', 400],
  ['/api', 404],
  ['/api/', 404],
  ['/API/v1/sunlight/near', 404],
];
test('targets that want to be something else get nothing but their status', async (t) => {
  const { port, log } = await startServer(t);
  for (const [target, status] of TARGETS) {
    const answer = await rawExchange(port, `GET ${target} HTTP/1.1\r\nHost: x\r\n${CLOSE}`);
    assert.deepEqual(statuses(answer), [status], target.slice(0, 70));
    if (status < 400) continue;
    const problem = JSON.parse(answer.slice(answer.indexOf('\r\n\r\n') + 4));
    assert.equal(problem.status, status);
    assert.match(answer, /^X-Cost-Units: 0\r$/m);
  }
  assert.deepEqual(
    log.filter(({ level }) => (level as number) >= 50),
    [],
  );
});

test('CONNECT is no way through: the connection ends', async (t) => {
  const { port, url } = await startServer(t);
  const answer = await rawExchange(port, 'CONNECT evil.example:443 HTTP/1.1\r\nHost: evil.example:443\r\n\r\n');
  assert.ok(
    statuses(answer).every((status) => status >= 400),
    answer,
  );
  assert.equal((await fetch(url + PATH)).status, 200);
});

test('HTTP/1.0 ends after one answer unless it asks to stay', async (t) => {
  const { port } = await startServer(t, { patienceMs: 300 });
  assert.deepEqual(statuses(await rawExchange(port, `GET ${PATH} HTTP/1.0\r\n\r\n`)), [200]);
  const stays = `GET ${PATH} HTTP/1.0\r\nConnection: keep-alive\r\n\r\n`;
  assert.deepEqual(statuses(await rawExchange(port, stays + stays)), [200, 200]);
});

test('a client that has said all it has to say still gets its answer', async (t) => {
  const { port } = await startServer(t);
  const halfOpen = (bytes: string) =>
    new Promise<string>((resolve) => {
      let text = '';
      const socket = connect({ port, host: '127.0.0.1', allowHalfOpen: true }, () => socket.end(bytes));
      socket.on('data', (chunk) => (text += chunk));
      socket.on('error', () => {});
      socket.on('close', () => resolve(text));
    });
  assert.deepEqual(statuses(await halfOpen(`GET ${PATH} HTTP/1.1\r\nHost: x\r\n\r\n`)), [200]);
  for (const part of [
    '',
    'GET',
    `GET ${PATH} HTTP/1.1\r\nHost: x\r\n`,
    `POST ${PATH} HTTP/1.1\r\nContent-Length: 9\r\n\r\nab`,
  ]) {
    assert.ok(statuses(await halfOpen(part)).every((status) => status === 400 || status === 405));
  }
});

test('connections that are reset at every point leave the server as it was', async (t) => {
  const { port, url, log } = await startServer(t);
  const bytes = `GET ${PATH} HTTP/1.1\r\nHost: x\r\n\r\n`;
  for (let cut = 0; cut <= bytes.length; cut += 7) {
    await new Promise<void>((resolve) => {
      const socket = connect(port, '127.0.0.1', () =>
        socket.write(bytes.slice(0, cut), () => socket.resetAndDestroy()),
      );
      socket.on('error', () => {});
      socket.on('close', () => resolve());
    });
  }
  assert.equal((await fetch(url + PATH)).status, 200);
  assert.deepEqual(
    log.filter(({ level }) => (level as number) >= 40),
    [],
  );
});

test('many slow clients at once do not keep others waiting', async (t) => {
  const { port, url } = await startServer(t, { patienceMs: 1000 });
  const slow = Array.from({ length: 200 }, () => rawExchange(port, `GET ${PATH} HTTP/1.1\r\nHost: x\r\nX-Slow: `));
  for (let i = 0; i < 5; i++) assert.equal((await fetch(url + PATH)).status, 200);
  for (const answer of await Promise.all(slow)) assert.ok(statuses(answer).every((status) => status === 400));
});

test('a request that never ends arriving does not keep the server from closing', async (t) => {
  const { app, port } = await startServer(t, { patienceMs: 200 });
  const slow = connect(port, '127.0.0.1', () => slow.write(`GET ${PATH} HTTP/1.1\r\nHost: x\r\nX-Slow: `));
  const dripping = setInterval(() => slow.write('.'), 20);
  slow.on('error', () => {});
  const ended = new Promise<void>((resolve) => slow.on('close', () => resolve()));
  await new Promise((resolve) => slow.once('connect', resolve));
  await app.close();
  await ended;
  clearInterval(dripping);
});
