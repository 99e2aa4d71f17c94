import assert from 'node:assert/strict';
import { once } from 'node:events';
import { type AddressInfo, createServer, type Socket } from 'node:net';
import { type TestContext, test } from 'node:test';
import { setTimeout as delay } from 'node:timers/promises';
import { gzipSync } from 'node:zlib';
import { CLIENT_DEFAULTS, Client } from '../../src/fetch/client.ts';
import { ask } from '../../src/http/ask.ts';
import { S3Store } from '../../src/http/s3-store.ts';

const BODY = Buffer.alloc(64 * 1024, 'x');

/** Sends an answer and then closes the connection; returns its address. */
function closing(t: TestContext, body: Buffer, ...headers: string[]): Promise<URL> {
  const head = ['HTTP/1.1 200 OK', `Content-Length: ${body.length}`, 'Connection: close', ...headers, '', ''];
  return serving(t, head.join('\r\n'), (socket) => socket.end(body));
}

/** Sends only a head; returns its address. */
async function serving(t: TestContext, head: string, then = (_: Socket): unknown => null): Promise<URL> {
  const server = createServer((socket) => {
    socket.on('error', () => {}).once('data', () => socket.write(head) && then(socket));
  }).listen(0, '127.0.0.1');
  t.after(() => server.close());
  await once(server, 'listening');
  return new URL(`http://127.0.0.1:${(server.address() as AddressInfo).port}`);
}

// `fetch` ended the process by an event that nobody can catch: coordinator and workers of a build, and servers with
// data in a store.
test('a connection that is closed behind an answer which waits to be read ends nothing', async (t) => {
  const endpoint = await closing(t, BODY);
  const keys = { accessKey: 'a', secretKey: 'b' };
  const store = new S3Store({ endpoint, region: 'x', bucket: 'b', prefix: '', urlStyle: 'path', ...keys });
  const client = new Client({ ...CLIENT_DEFAULTS, userAgent: 'test' });
  const answers = [(await store.get('name', 1000))?.response, await client.get(endpoint.href, [endpoint.host])];
  await delay(50);
  for (const answer of answers) assert.equal(await answer?.text(), BODY.toString());
});

test('an answer that is packed unasked is unpacked, up to the bytes that it may have', async (t) => {
  const { href: url, host } = await closing(t, gzipSync(BODY), 'Content-Encoding: gzip');
  const client = new Client({ ...CLIENT_DEFAULTS, userAgent: 'test' });
  assert.deepEqual((await client.whole(url, [host], BODY.length)).body, BODY);
  await assert.rejects(client.whole(url, [host], BODY.length - 1), /more than the 65535 bytes/);
});

// Before, the client waited forever.
test('a server that turns to another protocol unasked gives no answer', { timeout: 30_000 }, async (t) => {
  const { href: url } = await serving(
    t,
    'HTTP/1.1 101 Switching Protocols\r\nConnection: upgrade\r\nUpgrade: x\r\n\r\n',
  );
  await assert.rejects(ask(url, { signal: new AbortController().signal }), /status 101, but no other protocol/);
});
