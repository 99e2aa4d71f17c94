import assert from 'node:assert/strict';
import { once } from 'node:events';
import { connect } from 'node:net';
import { test } from 'node:test';
import { setTimeout as delay } from 'node:timers/promises';
import type { Computer, Reservation } from '../../src/compute/computer.ts';
import { Abandoned, ThreadEnded, TooLate } from '../../src/compute/pool.ts';
import { MemoryRateLimiter } from '../../src/http/rate-limiter.ts';
import { openShop, richPayer } from '../billing/shop.ts';
import { startServer } from '../support/api-server.ts';
import { KNOWN } from '../support/fake-dataset.ts';

const FLOOR = `/api/v1/sunlight/building/${KNOWN.building}/floor/2`;

/** A computer that computes when the test calls it, and records its requests. */
class SlowComputer implements Computer {
  places = 0;
  free = 2;
  readonly asked: { finish(json: string): void; fail(error: Error): void; signal: AbortSignal; waitedMs: number }[] =
    [];

  forget(): void {}

  reserve(): Reservation | null {
    if (this.places >= this.free) return null;
    this.places++;
    let isLeft = false;
    const leave = (): void => {
      if (!isLeft) this.places--;
      isLeft = true;
    };
    return {
      compute: (_demand, signal, waitedMs) =>
        new Promise((resolve, reject) => {
          const finish = (json: string): void => resolve(Buffer.from(json));
          this.asked.push({ finish, fail: reject, signal, waitedMs });
          signal.addEventListener('abort', () => reject(new Abandoned('gone')));
        }),
      leave,
    };
  }
}

const turn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

test('an answer that takes longer than a connection may be silent is given all the same', async (t) => {
  const computer = new SlowComputer();
  const { url } = await startServer(t, { computer, patienceMs: 300 });
  const pending = fetch(url + FLOOR);
  while (computer.asked.length === 0) await turn();
  await new Promise((resolve) => setTimeout(resolve, 1000));
  computer.asked[0]?.finish('{"floor":2}');
  const answer = await pending;
  assert.equal(answer.status, 200);
  assert.deepEqual(((await answer.json()) as { data: unknown }).data, { floor: 2 });
  assert.equal(computer.places, 0);
});

test('the order of refusals: no such floor 404, no place 503 with Retry-After, too late 503', async (t) => {
  const computer = new SlowComputer();
  computer.free = 1;
  const { url } = await startServer(t, { computer });
  const missing = await fetch(`${url}/api/v1/sunlight/building/${KNOWN.building}/floor/10`);
  assert.equal(missing.status, 404);
  assert.match(((await missing.json()) as { detail: string }).detail, /has 9 storeys: there is no floor 10/);
  const first = fetch(url + FLOOR);
  while (computer.asked.length === 0) await turn();
  const refused = await fetch(`${url}/api/v1/sunlight/building/${KNOWN.building}/floor/3`);
  assert.equal(refused.status, 503);
  assert.ok(Number(refused.headers.get('retry-after')) > 0);
  assert.equal((await fetch(`${url}/api/v1/sunlight/building/${KNOWN.building}`)).status, 200);
  computer.asked[0]?.fail(new TooLate('late'));
  const late = await first;
  assert.equal(late.status, 503);
  assert.ok(Number(late.headers.get('retry-after')) > 0);
  assert.equal(computer.places, 0);
});

test('when its thread ends, a request gets 503 with Retry-After, the log says why, and the next is computed', async (t) => {
  const computer = new SlowComputer();
  const { url, log } = await startServer(t, { computer });
  const broken = fetch(url + FLOOR);
  while (computer.asked.length === 0) await turn();
  computer.asked[0]?.fail(new ThreadEnded('out of memory'));
  const answer = await broken;
  assert.equal(answer.status, 503);
  assert.ok(Number(answer.headers.get('retry-after')) > 0);
  assert.ok(log.some(({ msg, reason }) => msg === 'a computing thread has ended' && reason === 'out of memory'));
  const next = fetch(url + FLOOR);
  while (computer.asked.length === 1) await turn();
  computer.asked[1]?.finish('{"floor":2}');
  assert.equal((await next).status, 200);
});

test('a floor past the top is 404 with the number of storeys, however far past it is', async (t) => {
  const { url } = await startServer(t);
  for (const floor of [10, 309, 1000]) {
    const answer = await fetch(`${url}/api/v1/sunlight/building/${KNOWN.building}/floor/${floor}`);
    assert.equal(answer.status, 404);
    assert.match(
      ((await answer.json()) as { detail: string }).detail,
      new RegExp(`has 9 storeys: .* no floor ${floor}`),
    );
  }
});

test('when the client goes, its computation is given up', async (t) => {
  const computer = new SlowComputer();
  const { port } = await startServer(t, { computer });
  const socket = connect(port, '127.0.0.1');
  socket.write(`GET ${FLOOR} HTTP/1.1\r\nHost: x\r\n\r\n`);
  while (computer.asked.length === 0) await turn();
  const { signal } = computer.asked[0]!;
  const aborted = once(signal, 'abort');
  socket.destroy();
  await aborted;
  while (computer.places > 0) await turn();
});

test("when an agent's connection goes, its computation is given up", async (t) => {
  const computer = new SlowComputer();
  const { port } = await startServer(t, { computer, mcp: { version: '1', method: '' } });
  const params = { name: 'building_sun', arguments: { building_id: KNOWN.building, floor: 2 } };
  const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params });
  const socket = connect(port, '127.0.0.1');
  socket.write(
    'POST /mcp HTTP/1.1\r\nHost: localhost\r\nAccept: application/json, text/event-stream\r\n' +
      `Content-Type: application/json\r\nContent-Length: ${Buffer.byteLength(body)}\r\n\r\n${body}`,
  );
  while (computer.asked.length === 0) await turn();
  const aborted = once(computer.asked[0]!.signal, 'abort');
  socket.destroy();
  await aborted;
  while (computer.places > 0) await turn();
});

test('HEAD computes nothing, and a second request for the same is answered from what was computed', async (t) => {
  const { url, dataset } = await startServer(t);
  const head = await fetch(url + FLOOR, { method: 'HEAD' });
  assert.deepEqual([head.status, head.headers.get('x-cost-units'), dataset.pointsAsked], [200, '0', 0]);
  const [first, second] = [await (await fetch(url + FLOOR)).text(), await (await fetch(url + FLOOR)).text()];
  assert.equal(first, second);
  assert.equal(dataset.pointsAsked, 1);
});

test('an unpaid call never computes: 404 and 503 come before 402, that before the computation', async (t) => {
  const computer = new SlowComputer();
  const { url } = await openShop(t, { computer });
  const status = async (path: string): Promise<number> => (await fetch(url + path)).status;
  for (const floor of [10, 1001]) {
    assert.equal(await status(`/api/v1/sunlight/building/${KNOWN.building}/floor/${floor}`), 404);
  }
  for (let i = 0; i < 5; i++) assert.equal(await status(FLOOR), 402);
  assert.equal(await status(`${FLOOR}?interval=true`), 402);
  assert.equal(computer.places, 0, 'who does not pay leaves the line');
  computer.free = 0;
  assert.equal(await status(FLOOR), 503);
  assert.equal(computer.asked.length, 0);
});

test('an unpaid comparison never computes; what is refused while it is computed is not charged', async (t) => {
  const computer = new SlowComputer();
  const shop = await openShop(t, { computer });
  const compared = `${shop.url}/compare/index.json?b=${KNOWN.building}:2,${KNOWN.building}:3`;
  const unpaid = await fetch(compared);
  assert.equal(unpaid.status, 402);
  assert.deepEqual([computer.places, computer.asked.length], [0, 0]);
  computer.free = 0;
  const payer = richPayer(shop);
  const before = shop.ledger.balance(payer.account.address);
  assert.equal((await payer.buy(compared)).status, 503);
  assert.equal(shop.ledger.balance(payer.account.address), before);
});

const FLATS = [2, 3, 4, 5].map((floor) => `${KNOWN.building}:${floor}`).join(',');

/** Resolves when the computer has this number of requests at once. */
async function askedFor(computer: SlowComputer, count: number): Promise<SlowComputer['asked']> {
  for (let i = 0; i < 2000 && computer.asked.length < count; i++) await turn();
  assert.equal(computer.asked.length, count);
  return computer.asked;
}

// Before, each part began after the one before, with its own deadline: four parts took 31.7 s instead of at most 10.
test('parts of one answer are computed side by side by one deadline; one that is late ends them all with 503', async (t) => {
  const computer = new SlowComputer();
  computer.free = 4;
  const { url } = await startServer(t, { computer });
  const pending = fetch(`${url}/compare/index.json?b=${FLATS}`);
  const asked = await askedFor(computer, 4);
  asked[0]?.finish('{"floor":2}');
  asked[2]?.fail(new TooLate('late'));
  const answer = await pending;
  assert.equal(answer.status, 503);
  assert.ok(Number(answer.headers.get('retry-after')) > 0);
  assert.deepEqual(
    asked.map(({ signal }) => signal.aborted),
    [true, true, true, true],
  );
});

test('a page that compares says which flats were not computed in time, with 503; it counts once for the limit of pages', async (t) => {
  const computer = new SlowComputer();
  computer.free = 4;
  const newResults = new MemoryRateLimiter(1);
  const { url } = await startServer(t, { computer, limiters: { newResults } });
  const flats = [1, 2, 3].map((floor) => `${KNOWN.building}:${floor}`).join(',');
  const pending = fetch(`${url}/en/compare/?b=${flats}`, { headers: { accept: 'text/html' } });
  for (const { fail } of await askedFor(computer, 3)) fail(new TooLate('late'));
  const answer = await pending;
  assert.equal(answer.status, 503);
  assert.equal(answer.headers.get('retry-after'), '5');
  assert.equal((await answer.text()).match(/The server is busy, so/g)?.length, 2);
});

test('a comparison on a date over the limit of computed pages names that limit', async (t) => {
  const newResults = new MemoryRateLimiter(0);
  const { url } = await startServer(t, { computer: new SlowComputer(), limiters: { newResults } });
  const path = `/en/compare/?b=${KNOWN.building}&date=2026-06-21`;
  const text = await (await fetch(url + path, { headers: { accept: 'text/html' } })).text();
  assert.match(text, /the limit of 120 calculated pages a minute/);
  assert.doesNotMatch(text, /The server is busy/);
});

test('what a page asks for after something else has only what is left of the deadline', async (t) => {
  const computer = new SlowComputer();
  const { url, dataset } = await startServer(t, { computer });
  const begun = performance.now();
  const pending = fetch(`${url}/sunlight/building/${KNOWN.building}/?floor=2`);
  const [floor] = await askedFor(computer, 1);
  assert.ok((floor?.waitedMs ?? -1) >= 0);
  await delay(20);
  const demand = {
    kind: 'floor',
    buildingId: KNOWN.building,
    floor: 2,
    month: 12,
    receptors: true,
    interval: true,
  } as const;
  floor?.finish(JSON.stringify(await dataset.compute(demand)));
  const [, sky] = await askedFor(computer, 2);
  const waited = sky?.waitedMs ?? -1;
  assert.ok(waited >= 19 && waited <= performance.now() - begun, `${waited} ms`);
  sky?.fail(new TooLate('late'));
  await pending;
});

test('a 3D page costs as much as one that is computed, and counts as one: what is kept does not', async (t) => {
  const { url } = await startServer(t, {
    limiters: { newResults: new MemoryRateLimiter(2), pages: new MemoryRateLimiter(100) },
  });
  const page = `/sunlight/building/${KNOWN.building}/3d/`;
  const statuses: number[] = [];
  for (const path of [page, `/en${page}index.json`, page, `${page}?clock=800`, `/en${page}`])
    statuses.push((await fetch(url + path)).status);
  assert.deepEqual(statuses, [200, 200, 200, 429, 429]);
  const refused = await fetch(`${url}${page}?clock=810`);
  assert.ok(Number(refused.headers.get('retry-after')) > 0);
});
