import assert from 'node:assert/strict';
import { once } from 'node:events';
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { connect, type Socket } from 'node:net';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { setTimeout as delay } from 'node:timers/promises';
import { gzipSync } from 'node:zlib';
import { MemorySlots } from '../../src/http/slots.ts';
import { bulkFile, DatasetFiles, describeFile } from '../../src/snapshot/dataset-files.ts';
import type { Manifest } from '../../src/snapshot/manifest.ts';
import { type ApiServer, type ServerChoices, startServer } from '../support/api-server.ts';
import { FakeDataset, KNOWN } from '../support/fake-dataset.ts';
import { tempFolder } from '../support/temp-folder.ts';

/** More bytes than the system buffers for a connection that nobody reads. */
const LARGE = 24 << 20;

/** A server with one large bulk file. Returns the path of its URL, and the number of times the file is open. */
async function withBulk(t: TestContext, choices: ServerChoices = {}) {
  const server = await startServer(t, { proxies: ['127.0.0.1'], ...choices });
  server.dataset.addBulk(Buffer.alloc(LARGE, 'x'));
  const file = server.dataset.sunlight!.bulk(KNOWN.ward)!;
  const files = { open: 0, most: 0 };
  const { open } = file;
  file.open = async () => {
    const opened = await open();
    files.most = Math.max(files.most, ++files.open);
    return {
      read: (from, to) => opened.read(from, to),
      stream: (from, to) => opened.stream(from, to),
      close: () => {
        files.open--;
        opened.close();
      },
    };
  };
  const offer = (await (await fetch(`${server.url}/api/v1/sunlight/bulk/${KNOWN.ward}`)).json()) as {
    data: { url: string };
  };
  return { ...server, path: offer.data.url.slice(server.url.length), files };
}

/** Sends a request on its own connection and reads only the head of the answer. */
async function begin(
  t: TestContext,
  { port }: ApiServer,
  path: string,
  address: string,
  times = 1,
): Promise<[Socket, string]> {
  const socket = connect(port, '127.0.0.1').on('error', () => {});
  t.after(() => socket.destroy());
  socket.write(`GET ${path} HTTP/1.1\r\nHost: localhost\r\nX-Forwarded-For: ${address}\r\n\r\n`.repeat(times));
  const [chunk] = (await once(socket, 'data')) as [Buffer];
  socket.pause();
  return [socket, chunk.toString('latin1')];
}

const statusOf = (head: string): string => head.slice(9, 12);

/** Waits for a condition, at most ten seconds. */
async function until(holds: () => boolean): Promise<void> {
  for (let i = 0; i < 200 && !holds(); i++) await delay(50);
}

// Before, each download read, hashed and held the whole table: 5.8 MB in a dataset of 1.8 million buildings.
test('downloads share the table of checksums that was read when the dataset was opened', async (t) => {
  const folder = tempFolder(t);
  mkdirSync(join(folder, 'bulk'));
  const content = Buffer.alloc(100_000, 'bulk');
  writeFileSync(join(folder, 'bulk', '13.parquet'), content);
  const { blocks, ...described } = await describeFile(join(folder, 'bulk', '13.parquet'));
  writeFileSync(join(folder, 'blocks.crc32'), new Uint8Array(blocks.buffer));
  const { blocks: _, ...table } = await describeFile(join(folder, 'blocks.crc32'));
  const { manifest } = new FakeDataset();
  const files = { 'bulk/13.parquet': described, 'blocks.crc32': table };
  const opened = await DatasetFiles.open(folder, { ...manifest, files } as Manifest);
  rmSync(join(folder, 'blocks.crc32'));
  const file = await bulkFile(opened, 'bulk/13.parquet')!.open();
  // The download continues after the dataset is closed.
  opened.close();
  const pieces: Buffer[] = [];
  for await (const piece of file.stream()) pieces.push(piece);
  assert.deepEqual(Buffer.concat(pieces), content);
  assert.deepEqual(file.read(99_999, 100_000), content.subarray(99_999));
  file.close();
});

test('requests that are sent at once on one connection are handled one after another', async (t) => {
  const server = await withBulk(t, { downloads: new MemorySlots({ most: 1000, mostOfClient: 1000 }) });
  const [socket, head] = await begin(t, server, server.path, '198.51.100.1', 250);
  assert.equal(statusOf(head), '200');
  await delay(200);
  assert.deepEqual(server.files, { open: 1, most: 1 });
  let bytes = head.length;
  socket.on('data', (chunk: Buffer) => (bytes += chunk.length)).resume();
  await until(() => bytes > 3 * LARGE);
  assert.ok(bytes > 3 * LARGE, `${bytes} bytes`);
  socket.destroy();
  await until(() => server.files.open === 0);
  assert.deepEqual(server.files, { open: 0, most: 1 });
});

test('every request of a pipeline is answered, in order, though some answers take their time', async (t) => {
  const { port, dataset } = await startServer(t, { offered: new Set(['sunlight-point']) });
  const socket = connect(port, '127.0.0.1');
  t.after(() => socket.destroy());
  const begun: number[] = [];
  dataset.pointReady = delay(20);
  const ask = (i: number): string =>
    `GET /api/v1/sunlight/point?lat=35.6&lon=139.7&height_m=${i + 1} HTTP/1.1\r\nHost: localhost\r\nX-Request-Id: n-${i}\r\n\r\n`;
  socket.write(Array.from({ length: 200 }, (_, i) => ask(i)).join(''));
  let text = '';
  socket.setEncoding('latin1').on('data', (chunk: string) => (text += chunk));
  await until(() => text.split('HTTP/1.1 200').length === 201);
  for (const [, i] of text.matchAll(/X-Request-Id: n-(\d+)/g)) begun.push(Number(i));
  assert.deepEqual(
    begun,
    Array.from({ length: 200 }, (_, i) => i),
  );
});

test('a client has so many downloads, all clients together so many; HEAD and short ranges need no slot', async (t) => {
  const server = await withBulk(t, { downloads: new MemorySlots({ most: 3, mostOfClient: 2 }) });
  const sockets: Socket[] = [];
  const ask = async (address: string): Promise<string> => {
    const [socket, head] = await begin(t, server, server.path, address);
    sockets.push(socket);
    return head;
  };
  for (let i = 0; i < 2; i++) assert.equal(statusOf(await ask('198.51.100.1')), '200');
  const third = await ask('198.51.100.1');
  assert.equal(statusOf(third), '429');
  assert.match(third, /\r\nRetry-After: \d+\r\n/);
  assert.equal(statusOf(await ask('198.51.100.2')), '200');
  const late = await ask('198.51.100.3');
  assert.equal(statusOf(late), '503');
  assert.match(late, /\r\nRetry-After: \d+\r\n/);
  const head = await fetch(server.url + server.path, { method: 'HEAD' });
  assert.deepEqual([head.status, head.headers.get('content-length')], [200, String(LARGE)]);
  const range = await fetch(server.url + server.path, { headers: { range: 'bytes=7-7' } });
  assert.deepEqual([range.status, await range.text()], [206, 'x']);
  assert.equal(server.files.open, 3);
  sockets[0]!.destroy();
  await until(() => server.files.open === 2);
  assert.equal(statusOf(await ask('198.51.100.3')), '200');
});

test('a reader that takes nothing gives its slot back, though it has asked for more', async (t) => {
  const server = await withBulk(t, { patienceMs: 300 });
  await begin(t, server, server.path, '198.51.100.1', 2);
  assert.equal(server.files.open, 1);
  await until(() => server.files.open === 0);
  assert.equal(server.files.open, 0);
});

test('so does a reader that takes a little now and then', async (t) => {
  const server = await withBulk(t, { patienceMs: 300 });
  const [socket] = await begin(t, server, server.path, '198.51.100.1');
  const timer = setInterval(() => socket.read(1000), 50);
  t.after(() => clearInterval(timer));
  await until(() => server.files.open === 0);
  assert.equal(server.files.open, 0);
});

// Before, a thousand slow readers of tiles took 200 MB, because the server unpacked the tiles for them.
test('a tile that is unpacked for a client takes a slot while it is long and not yet sent', async (t) => {
  const packed = gzipSync(Buffer.alloc(LARGE));
  const dataset = new FakeDataset('5f3cee3282240949');
  dataset.map = {
    bounds: [139, 35, 140, 36],
    leastZoom: 0,
    mostZoom: 15,
    about: {},
    tile: () => packed,
    whole: () => null,
  };
  const downloads = new MemorySlots({ most: 3, mostOfClient: 2 });
  const server = await startServer(t, { dataset, downloads, proxies: ['127.0.0.1'] });
  const path = `/tiles/${dataset.manifest.dataset_id}/14/14549/6451.mvt`;
  const statuses: string[] = [];
  const sockets: Socket[] = [];
  for (const address of ['198.51.100.1', '198.51.100.1', '198.51.100.1', '198.51.100.2', '198.51.100.3']) {
    const [socket, head] = await begin(t, server, path, address);
    sockets.push(socket);
    statuses.push(statusOf(head));
  }
  assert.deepEqual(statuses, ['200', '200', '429', '200', '503']);
  const gzipped = await fetch(server.url + path, { headers: { 'accept-encoding': 'gzip' } });
  assert.equal(gzipped.status, 200, 'as it is kept it takes none');
  assert.equal((await gzipped.arrayBuffer()).byteLength, LARGE);
  assert.equal((await fetch(server.url + path, { method: 'HEAD' })).status, 200);
  for (const socket of sockets) socket.destroy();
  const freed = async (): Promise<boolean> => {
    const [socket, head] = await begin(t, server, path, '198.51.100.1');
    socket.destroy();
    return statusOf(head) === '200';
  };
  for (let i = 0; i < 100 && !(await freed()); i++) await delay(50);
  assert.ok(await freed(), 'a slot is given back when its client has gone');
});

// Before, Node.js did not tell the answer when the connection accepted more bytes: the download stopped after its first
// pieces.
test('a download goes on to its end though a request for a tunnel comes behind it', async (t) => {
  const server = await withBulk(t);
  const socket = connect(server.port, '127.0.0.1');
  t.after(() => socket.destroy());
  socket.write(`GET ${server.path} HTTP/1.1\r\nHost: localhost\r\n\r\n`);
  socket.write('CONNECT localhost:443 HTTP/1.1\r\nHost: localhost:443\r\n\r\n');
  let bytes = 0;
  socket.on('data', (chunk: Buffer) => (bytes += chunk.length));
  await until(() => bytes > LARGE);
  assert.ok(bytes > LARGE, `${bytes} bytes`);
  await until(() => server.files.open === 0);
  assert.equal(server.files.open, 0);
});
