import assert from 'node:assert/strict';
import { connect } from 'node:net';
import { test } from 'node:test';
import { setTimeout as delay } from 'node:timers/promises';
import type { Metrics } from '../../src/api/metrics.ts';
import { rawExchange, startServer } from '../support/api-server.ts';
import { KNOWN } from '../support/fake-dataset.ts';

const PATH = `/api/v1/sunlight/building/${KNOWN.building}`;

/** Status lines of the answers on a connection, in order. */
const statuses = (answer: string) => [...answer.matchAll(/HTTP\/1\.1 (\d{3}) /g)].map(([, status]) => Number(status));

const GARBAGE: [string, string | Buffer][] = [
  ['not HTTP at all', 'hello\r\n\r\n'],
  ['an unknown method', 'FOO / HTTP/1.1\r\nHost: x\r\n\r\n'],
  ['a lower-case method', 'get / HTTP/1.1\r\nHost: x\r\n\r\n'],
  ['a version that is none', 'GET / HTTP/x\r\nHost: x\r\n\r\n'],
  ['HTTP/2 preface', 'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n'],
  ['TLS', Buffer.from('16030100f1010000ed0303', 'hex')],
  ['a NUL in the URL', 'GET /\0 HTTP/1.1\r\nHost: x\r\n\r\n'],
  ['a NUL in a header', 'GET / HTTP/1.1\r\nHost: x\r\nX: \0\r\n\r\n'],
  ['a header without colon', 'GET / HTTP/1.1\r\nHost x\r\n\r\n'],
  ['a blank before the colon', 'GET / HTTP/1.1\r\nHost : x\r\n\r\n'],
  ['a folded header', 'GET / HTTP/1.1\r\nHost: x\r\n y\r\n\r\n'],
  ['an overlong URL', `GET /${'a'.repeat(20_000)} HTTP/1.1\r\nHost: x\r\n\r\n`],
  ['an overlong header', `GET / HTTP/1.1\r\nHost: x\r\nX: ${'a'.repeat(20_000)}\r\n\r\n`],
  ['two lengths', 'POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\nab'],
  [
    'length and chunks',
    'POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 1\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n',
  ],
  ['a negative length', 'POST / HTTP/1.1\r\nHost: x\r\nContent-Length: -1\r\n\r\n'],
];
for (const [what, bytes] of GARBAGE) {
  test(`${what} is 400, costs nothing and ends the connection`, async (t) => {
    const { port } = await startServer(t);
    const answer = await rawExchange(port, bytes);
    assert.deepEqual(statuses(answer), [400]);
    assert.match(answer, /^X-Cost-Units: 0\r$/m);
    assert.match(answer, /^Content-Type: application\/problem\+json\r$/m);
    const problem = JSON.parse(answer.slice(answer.indexOf('\r\n\r\n') + 4));
    assert.equal(problem.status, 400);
    assert.match(problem.type, /\/problems\/invalid-parameter\/$/);
  });
}

test('raw Japanese in a URL: the answer shows how curl encodes it', async (t) => {
  const { port } = await startServer(t);
  for (const target of ['/api/v1/search?q=神田', '/api/v1/神田', '/search/?q=神田']) {
    const answer = await rawExchange(port, `GET ${target} HTTP/1.1\r\nHost: x\r\n\r\n`);
    assert.deepEqual(statuses(answer), [400]);
    assert.match(answer, /curl -G --data-urlencode 'q=/);
  }
});

/** Odd but right, or wrong in a way that has a documented answer. */
const ODD: [string, string, number][] = [
  ['an absolute URL', `GET http://anything${PATH} HTTP/1.1\r\nHost: x\r\n`, 200],
  [
    'an escaped letter in the path',
    `GET ${PATH.replace('near', '%6Eear').replace('b', '%62')} HTTP/1.1\r\nHost: x\r\n`,
    200,
  ],
  ['HTTP/1.0', `GET ${PATH} HTTP/1.0\r\n`, 200],
  ['no Host', `GET ${PATH} HTTP/1.1\r\n`, 400],
  ['no Host for a page', 'GET /healthz HTTP/1.1\r\n', 400],
  ['two hosts', `GET ${PATH} HTTP/1.1\r\nHost: x\r\nhost: x\r\n`, 400],
  ['two hosts in HTTP/1.0', `GET ${PATH} HTTP/1.0\r\nHost: x\r\nHost: y\r\n`, 400],
  ['OPTIONS *', 'OPTIONS * HTTP/1.1\r\nHost: x\r\n', 204],
  ['an unknown expectation', `GET ${PATH} HTTP/1.1\r\nHost: x\r\nExpect: wonders\r\n`, 200],
  ['a body with GET', `GET ${PATH} HTTP/1.1\r\nHost: x\r\nContent-Length: 2\r\nContent-Type: ;;;\r\n`, 200],
  ['an upgrade', `GET ${PATH} HTTP/1.1\r\nHost: x\r\nUpgrade: h2c\r\n`, 200],
  ['a method of WebDAV', `PROPFIND ${PATH} HTTP/1.1\r\nHost: x\r\n`, 405],
  ['POST with a strange type', `POST ${PATH} HTTP/1.1\r\nHost: x\r\nContent-Length: 2\r\nContent-Type: ;;;\r\n`, 405],
  ['a slash at the end', `GET ${PATH}/ HTTP/1.1\r\nHost: x\r\n`, 404],
  ['a double slash', 'GET //api/v1/sunlight/near HTTP/1.1\r\nHost: x\r\n', 404],
  ['a path out of the root', 'GET /bulk/../../etc/passwd HTTP/1.1\r\nHost: x\r\n', 404],
  ['an escaped slash', `GET /api/v1/sunlight/building/13101%2Fbldg HTTP/1.1\r\nHost: x\r\n`, 400],
  ['an escaped NUL', `GET ${PATH}%00 HTTP/1.1\r\nHost: x\r\n`, 400],
  ['broken escapes', `GET ${PATH}%zz HTTP/1.1\r\nHost: x\r\n`, 400],
  ['escapes that are not UTF-8', `GET ${PATH}%ff HTTP/1.1\r\nHost: x\r\n`, 400],
  ['raw bytes in the path', `GET ${PATH}日 HTTP/1.1\r\nHost: x\r\n`, 400],
  ['a long value', `GET /api/v1/sunlight/building/${'1'.repeat(8000)} HTTP/1.1\r\nHost: x\r\n`, 400],
  ['a fragment', `GET ${PATH}#top HTTP/1.1\r\nHost: x\r\n`, 200],
  ['semicolons', 'GET /api/v1/sunlight/near;lat=35.5 HTTP/1.1\r\nHost: x\r\n', 404],
  ['two keys', `GET ${PATH} HTTP/1.1\r\nHost: x\r\nAuthorization: a\r\nAuthorization: b\r\n`, 401],
];
for (const [what, head, status] of ODD) {
  test(`${what}: ${status}`, async (t) => {
    const { port, log } = await startServer(t);
    const body = head.includes('Content-Length: 2') ? '{}' : '';
    const answer = await rawExchange(port, `${head}Connection: close\r\n\r\n${body}`);
    assert.deepEqual(statuses(answer), [status]);
    assert.match(answer, /^X-Request-Id: \S+\r$/m);
    assert.deepEqual(
      log.filter(({ level }) => level === 50),
      [],
    );
    if (status >= 400) assert.equal(JSON.parse(answer.slice(answer.indexOf('\r\n\r\n') + 4)).status, status);
  });
}

test('pipelined requests are answered in order, and garbage after them ends the connection', async (t) => {
  const { port } = await startServer(t);
  const request = (path: string, id: string) => `GET ${path} HTTP/1.1\r\nHost: x\r\nX-Request-Id: ${id}\r\n\r\n`;
  const burst = [request(PATH, 'one'), request('/nowhere', 'two'), request('/healthz', 'three')].join('');
  const answer = await rawExchange(port, `${burst}GET ${PATH} HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n`);
  assert.deepEqual(statuses(answer), [200, 404, 200, 200]);
  const ids = [...answer.matchAll(/^X-Request-Id: (\w+)\r$/gm)].map(([, id]) => id);
  assert.deepEqual(ids.slice(0, 3), ['one', 'two', 'three']);
  const broken = await rawExchange(port, `${burst}%%%\r\n\r\n`);
  for (const status of statuses(broken)) assert.ok([200, 404, 400].includes(status));
});

test('a request ID of the client is kept when it is harmless and replaced when it is not', async (t) => {
  const { url } = await startServer(t);
  const idFor = async (id: string) =>
    (await fetch(`${url}/healthz`, { headers: { 'x-request-id': id } })).headers.get('x-request-id')!;
  assert.equal(await idFor('abc.DEF_1-2'), 'abc.DEF_1-2');
  for (const id of ['a b', 'x'.repeat(65), '"quoted"', '<b>']) assert.notEqual(await idFor(id), id);
  assert.notEqual(await idFor(''), await idFor(''));
});

test('slow, silent and half-open connections are ended, and the server goes on', async (t) => {
  const { port, url } = await startServer(t, { patienceMs: 300 });
  const silent = rawExchange(port, '');
  const halfHead = rawExchange(port, `GET ${PATH} HTTP/1.1\r\nHost: x\r\n`);
  const halfBody = rawExchange(port, `POST ${PATH} HTTP/1.1\r\nHost: x\r\nContent-Length: 100\r\n\r\nab`);
  const kept = rawExchange(port, `GET ${PATH} HTTP/1.1\r\nHost: x\r\n\r\n`);
  for (const answer of [await silent, await halfHead]) assert.ok([undefined, 400].includes(statuses(answer)[0]));
  assert.deepEqual(statuses(await halfBody), [405]);
  assert.deepEqual(statuses(await kept), [200]);
  assert.equal((await fetch(url + PATH)).status, 200);
});

const CHUNKED = 'Host: x\r\nTransfer-Encoding: chunked\r\n\r\n';
for (const [what, bytes] of [
  ['that stops', `GET ${PATH} HTTP/1.1\r\nHost: x\r\nContent-Length: 1000000\r\n\r\nabc`],
  ['whose chunks stop', `GET ${PATH} HTTP/1.1\r\n${CHUNKED}5\r\nab`],
  ['whose chunks are none', `GET ${PATH} HTTP/1.1\r\n${CHUNKED}zz\r\n`],
]) {
  test(`a body ${what}: one answer, and the connection is closed without another`, async (t) => {
    const { port } = await startServer(t, { patienceMs: 300 });
    const answer = await rawExchange(port, bytes!);
    assert.deepEqual(statuses(answer), [200]);
    assert.ok(answer.endsWith('}}'), answer.slice(-50));
  });
}

test('garbage behind requests that are still being answered does not cost them their answers', async (t) => {
  const { port, dataset } = await startServer(t, { offered: new Set(['sunlight-point']) });
  const { promise, resolve } = Promise.withResolvers<void>();
  dataset.pointReady = promise;
  const slow = 'GET /api/v1/sunlight/point?lat=35.6&lon=139.7&height_m=3 HTTP/1.1\r\nHost: x\r\n\r\n';
  const quick = `GET ${PATH} HTTP/1.1\r\nHost: x\r\n\r\n`;
  const answer = rawExchange(port, `${slow}${slow}${quick}%%%\r\n\r\n%%%\r\n\r\n`);
  setTimeout(resolve, 100);
  assert.deepEqual(statuses(await answer), [200, 200, 200]);
});

test('a connection that is ended counts once, however much garbage comes over it', async (t) => {
  let broken = 0;
  const metrics = { began() {}, ended() {}, countBroken: () => broken++ } as unknown as Metrics;
  const { port, dataset } = await startServer(t, { offered: new Set(['sunlight-point']), metrics });
  const { promise, resolve } = Promise.withResolvers<void>();
  dataset.pointReady = promise;
  const socket = connect(port, '127.0.0.1');
  socket.write('GET /api/v1/sunlight/point?lat=35.6&lon=139.7&height_m=3 HTTP/1.1\r\nHost: x\r\n\r\n');
  for (let i = 0; i < 4; i++) {
    await delay(20); // in packets of their own
    socket.write('%%%\r\n\r\n');
  }
  await delay(20);
  resolve();
  await new Promise((closed) => socket.resume().on('close', closed));
  assert.equal(broken, 1);
});

test('CONNECT is 405 with Allow and ends the connection', async (t) => {
  const { port, url } = await startServer(t);
  for (const target of ['example.org:443', '/api/v1/sunlight/near']) {
    const answer = await rawExchange(port, `CONNECT ${target} HTTP/1.1\r\nHost: x\r\n\r\nGET / HTTP/1.1\r\n\r\n`);
    assert.deepEqual(statuses(answer), [405]);
    assert.match(answer, /^Allow: GET, HEAD, OPTIONS\r$/m);
    const problem = JSON.parse(answer.slice(answer.indexOf('\r\n\r\n') + 4));
    assert.deepEqual([problem.status, problem.type], [405, `${url}/problems/method-not-allowed/`]);
  }
});

test('a client that drips bytes for ever is ended too', async (t) => {
  const { port } = await startServer(t, { patienceMs: 300 });
  const socket = connect(port, '127.0.0.1');
  socket.on('error', () => {});
  socket.write(`GET ${PATH} HTTP/1.1\r\n`);
  const drip = setInterval(() => socket.write('X: y\r\n'), 50);
  await new Promise((resolve) => socket.on('close', resolve));
  clearInterval(drip);
});
