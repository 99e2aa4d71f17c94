import assert from 'node:assert/strict';
import { Readable } from 'node:stream';
import { it } from 'node:test';
import { METHOD } from '../support/agents.ts';
import { rawExchange, startServer } from '../support/api-server.ts';

const BODY = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/list', params: {} });
const headOf = (length: number): string =>
  [
    ...['POST /mcp HTTP/1.1', 'Host: localhost', 'Connection: close', 'Content-Type: application/json'],
    ...['Accept: application/json, text/event-stream', `Content-Length: ${length}`, '', ''],
  ].join('\r\n');

// Before, 64 calls with bodies that never came kept all places forever: every other call got 503.
it('calls whose bodies do not come take no place, and are ended in time', async (test) => {
  const { port } = await startServer(test, { mcp: { version: '0.0.0', method: METHOD }, patienceMs: 2500 });
  const unfinished = Array.from({ length: 70 }, () => rawExchange(port, `${headOf(BODY.length)}{`));
  const answer = await rawExchange(port, headOf(BODY.length) + BODY);
  assert.match(answer, /^HTTP\/1\.1 200 OK/);
  assert.match(answer, /"tools":/);
  assert.deepEqual(new Set(await Promise.all(unfinished)), new Set(['']));
});

it('a call longer than it may be is refused, whether it says so or not', async (test) => {
  const { port } = await startServer(test, { mcp: { version: '0.0.0', method: METHOD } });
  const long = 'x'.repeat(70_000);
  const piece = `${long.length.toString(16)}\r\n${long}\r\n`;
  const chunked = headOf(0).replace('Content-Length: 0', 'Transfer-Encoding: chunked');
  for (const bytes of [headOf(1e9), chunked + piece]) {
    assert.match(await rawExchange(port, bytes), /^HTTP\/1\.1 413 /);
  }
});

// Before, they were never answered, because a request without a body has no `end` event.
it('calls without a body are answered at once', { timeout: 30_000 }, async (test) => {
  const { port } = await startServer(test, { mcp: { version: '0.0.0', method: METHOD } });
  const head = headOf(0).split('\r\n').slice(1);
  head.splice(head.indexOf('Content-Length: 0'), 1);
  const answers = ['GET', 'HEAD', 'POST', 'DELETE'].map((method) =>
    rawExchange(port, [`${method} /mcp HTTP/1.1`, ...head].join('\r\n')),
  );
  const statuses = (await Promise.all(answers)).map((answer) => answer.slice(9, 12));
  assert.deepEqual(statuses, ['405', '405', '400', '405']);
});

it('a call that comes byte by byte is put together', async (test) => {
  const { url } = await startServer(test, { mcp: { version: '0.0.0', method: METHOD } });
  const headers = { 'content-type': 'application/json', accept: 'application/json, text/event-stream' };
  const body = Readable.from(Array.from(BODY.padEnd(300), (byte) => Buffer.from(byte)));
  const answer = await fetch(`${url}/mcp`, { method: 'POST', headers, body, duplex: 'half' } as RequestInit);
  assert.match(await answer.text(), /"tools":/);
});

// Before, the connection stayed open until it had been silent for the patience of the server.
it('a call that wants its connection closed gets it closed after the answer', { timeout: 30_000 }, async (test) => {
  const { port } = await startServer(test, { mcp: { version: '0.0.0', method: METHOD }, patienceMs: 600_000 });
  for (const version of ['HTTP/1.1', 'HTTP/1.0']) {
    const answer = await rawExchange(port, headOf(BODY.length).replace('HTTP/1.1', version) + BODY);
    assert.match(answer, /^HTTP\/1\.1 200 OK/);
    assert.match(answer, /"tools":/);
  }
});
