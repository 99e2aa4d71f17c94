import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { type TestContext, test } from 'node:test';
import { setTimeout as delay } from 'node:timers/promises';
import { SteadyLoad } from '../../bench/serving/steady.ts';

/** A server that gives every request the same status; its port. */
async function answering(t: TestContext, status: number): Promise<number> {
  const server = createServer((_, response) => response.writeHead(status, { 'Content-Length': 2 }).end('{}'));
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  t.after(() => {
    server.closeAllConnections();
    server.close();
  });
  return (server.address() as AddressInfo).port;
}

test('a bad answer ends what is measured while the work goes on, and nothing else', async (t) => {
  const load = new SteadyLoad(await answering(t, 500), ['/'], 1000);
  await assert.rejects(
    load.beside(() => delay(100)),
    /500/,
  );
});

test('what is due after the work is not asked for', async (t) => {
  const load = new SteadyLoad(await answering(t, 200), ['/'], 100);
  const begin = performance.now();
  let workedMs = Number.NaN;
  await load.beside(async () => {
    await delay(35);
    workedMs = performance.now() - begin;
  });
  assert.ok(load.times.length > 0 && load.times.length <= workedMs / 10 + 2, `${load.times.length} in ${workedMs} ms`);
});

test('a rate of nothing is refused', () => {
  for (const rate of [0, -1, Number.NaN]) assert.throws(() => new SteadyLoad(1, ['/'], rate), RangeError);
});
