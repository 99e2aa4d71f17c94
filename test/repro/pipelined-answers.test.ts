import assert from 'node:assert/strict';
import type { AddressInfo } from 'node:net';
import { test } from 'node:test';
import { type Connections, HttpServer, nodeHttp } from '../../src/http/http-server.ts';
import { rawExchange, startServer } from '../support/api-server.ts';

// A page is made after the bytes behind it on the connection have been read.
const PAGE = 'GET /en/docs/ HTTP/1.1\r\nHost: localhost\r\n\r\n';

/** Splits the answers on a connection by their heads; returns the rest when no complete one is left. */
function answersIn(bytes: string): { statuses: number[]; left: string } {
  const statuses: number[] = [];
  let left = bytes;
  for (;;) {
    const [, status, head] = /^HTTP\/1\.1 (\d{3}) [^\r]*\r\n(.*?)\r\n\r\n/s.exec(left) ?? [];
    if (status === undefined || head === undefined) return { statuses, left };
    const length = Number(/^content-length: (\d+)$/im.exec(head)?.[1] ?? 0);
    statuses.push(Number(status));
    left = left.slice(left.indexOf('\r\n\r\n') + 4 + length);
  }
}

// Before, all requests that arrived in one piece were answered in one turn of the event loop: all other clients waited
// for 300 answers.
test('of requests that are sent at once on one connection each turn of the event loop takes one', async (t) => {
  let turn = 0;
  const count = (): void => {
    turn++;
    next = setImmediate(count);
  };
  let next = setImmediate(count);
  const inTurn = new Map<number, number>();
  const create = (connections: Connections) =>
    nodeHttp.createServer(
      connections.inTurn((_request, response) => {
        inTurn.set(turn, (inTurn.get(turn) ?? 0) + 1);
        response.end('x');
      }),
    );
  const app = new HttpServer(create, 1000);
  await app.listen({ host: '127.0.0.1', port: 0 });
  t.after(async () => {
    clearImmediate(next);
    await app.close();
  });
  const { port } = app.server.address() as AddressInfo;
  const ask = 'GET / HTTP/1.1\r\nHost: localhost\r\n\r\n';
  const last = ask.replace('Host', 'Connection: close\r\nHost');
  await rawExchange(port, ask.repeat(99) + last, 'latin1');
  const counts = [...inTurn.values()];
  assert.equal(
    counts.reduce((sum, one) => sum + one, 0),
    100,
  );
  assert.ok(Math.max(...counts) <= 2, `one turn took ${Math.max(...counts)}`);
});

// Before, when an answer had to wait for the one before it, "100 Continue" was sent between its head and its body. A
// client took it for the beginning of the body, and the end of the body for the beginning of the next answer.
test('an answer that waits for another has nothing between head and body, whatever is expected', async (t) => {
  const { port } = await startServer(t);
  const next = 'GET /openapi.json HTTP/1.1\r\nHost: localhost\r\nExpect: 100-continue\r\n\r\n';
  assert.deepEqual(answersIn(await rawExchange(port, PAGE + next, 'latin1')), { statuses: [200, 200], left: '' });
});

// Before, the refusal of the tunnel came first, and a client took it for the answer to its earlier request.
test('CONNECT behind a request that is not answered yet is not refused in its place', async (t) => {
  const { port, log } = await startServer(t);
  const { statuses, left } = answersIn(
    await rawExchange(port, `${PAGE}CONNECT localhost:443 HTTP/1.1\r\nHost: localhost:443\r\n\r\n`, 'latin1'),
  );
  assert.deepEqual({ statuses, left }, { statuses: [200], left: '' });
  assert.ok(
    log.some(({ code, status }) => code === 'CONNECT' && status === 405),
    'the refusal is in the log',
  );
});

// Before, the connection was closed at once: the first request was complete but got no answer.
for (const [what, body] of [
  ['in a coding that there is not', 'Transfer-Encoding: gzip\r\n\r\n5\r\nhello\r\n0\r\n\r\n'],
  ['with a chunk of no length', 'Transfer-Encoding: chunked\r\n\r\nzz\r\nhello\r\n0\r\n\r\n'],
] as const) {
  for (const path of ['/openapi.json', '/mcp']) {
    test(`a body ${what} for ${path}, behind a request that is not answered yet, takes no answer away`, async (t) => {
      const { port } = await startServer(t);
      const broken = `POST ${path} HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n${body}`;
      const { statuses, left } = answersIn(await rawExchange(port, PAGE + PAGE + broken, 'latin1'));
      assert.deepEqual([statuses.slice(0, 2), left], [[200, 200], '']);
    });
  }
}
