import assert from 'node:assert/strict';
import { execFileSync, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { Agent, type IncomingMessage, request } from 'node:http';
import { connect, type Socket } from 'node:net';
import { test } from 'node:test';
import type { Metrics } from '../../src/api/metrics.ts';
import { startServer } from '../support/api-server.ts';
import { KNOWN } from '../support/fake-dataset.ts';
import { serveCity, smallDataset } from '../support/served-city.ts';
import { tempFolder } from '../support/temp-folder.ts';

const HOUSE = '/api/v1/sunlight/building/13101-bldg-1';
const skip = spawnSync('prlimit', ['--version']).error ? 'there is no prlimit here' : false;

// Before, when the process had no free descriptors, a file that could not be opened was taken for damaged. An attacker
// could open many connections and make the server switch to an older dataset.
test('a process that may open no more files: 503, and the dataset is not taken to be damaged', { skip }, async (t) => {
  const data = await smallDataset(tempFolder(t));
  const server = await serveCity(t, ['--data', data, '--rate-limit', 'off'], 'ignore');
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  t.after(() => agent.destroy());
  /** All on one connection, because there is no descriptor for another. */
  const get = async (path: string): Promise<[number | undefined, string]> => {
    const sent = request(server.url + path, { agent }).end();
    const [answer] = (await once(sent, 'response')) as [IncomingMessage];
    let text = '';
    for await (const chunk of answer.setEncoding('latin1')) text += chunk;
    return [answer.statusCode, text];
  };
  const offer = JSON.parse((await get('/api/v1/sunlight/bulk/13101'))[1]) as { data: { url: string } };
  const download = offer.data.url.slice(server.url.length);
  const pid = String(server.child.pid);
  const setLimit = (files: number): void => void execFileSync('prlimit', ['--pid', pid, `--nofile=${files}:4096`]);
  setLimit(4096);
  assert.equal((await get(download))[0], 200);
  setLimit(3);
  const [status, text] = await get(download);
  assert.equal(status, 503);
  assert.match(text, /short of files or memory/);
  assert.equal((await get(HOUSE))[0], 200, 'what is open is answered');
  setLimit(4096);
  assert.equal((await get(download))[0], 200);
  assert.deepEqual(
    [await server.metric('hidamari_dataset_damaged'), await server.metric('hidamari_damaged_reads_total')],
    [0, 0],
  );
});

// Before, idle connections used all descriptors of the process until they timed out: no other client could connect.
test('connections without a request make room for others, those that were asked on longest ago first', async (t) => {
  let closed = 0;
  const metrics = { began() {}, ended() {}, madeRoom: () => closed++ } as unknown as Metrics;
  const { port, url } = await startServer(t, { mostConnections: 20, metrics });
  const path = `/api/v1/sunlight/building/${KNOWN.building}`;
  const open = async (): Promise<Socket> => {
    const socket = connect(port, '127.0.0.1').on('error', () => {});
    await once(socket, 'connect');
    return socket;
  };
  const kept = await open();
  const all: Socket[] = [];
  t.after(() => [kept, ...all].forEach((socket) => void socket.destroy()));
  for (let i = 0; i < 100; i++) {
    all.push(await open());
    if (i % 10 !== 0) continue;
    kept.write(`GET ${path} HTTP/1.1\r\nHost: x\r\n\r\n`);
    assert.match(String((await once(kept, 'data'))[0]), /^HTTP\/1\.1 200 /);
  }
  assert.equal((await fetch(url + path)).status, 200);
  assert.equal(closed, 1 + 100 + 1 - 20);
});
