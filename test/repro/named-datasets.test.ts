import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { setTimeout as delay } from 'node:timers/promises';
import { startServer } from '../support/api-server.ts';
import { FakeDataset, KNOWN } from '../support/fake-dataset.ts';

const TOWN = `/api/v1/sunlight/town/${KNOWN.town}/buildings`;

/** A server whose data folder holds these datasets, serving the last of them. */
async function site(t: TestContext, ids: readonly string[]) {
  const opened: string[] = [];
  const { url } = await startServer(t, {
    open: async () => ({ dataset: new FakeDataset(ids.at(-1)), refused: [] }),
    keep: {
      keepMs: 60_000,
      has: async (id) => ids.includes(id),
      async open(id) {
        opened.push(id);
        return ids.includes(id) ? new FakeDataset(id) : null;
      },
    },
    proxies: ['127.0.0.1'],
  });
  /** The status of a page of a list for a client with an address. */
  const status = async (address: string, id: string): Promise<number> => {
    const answer = await fetch(`${url}${TOWN}?dataset_id=${id}`, { headers: { 'x-forwarded-for': address } });
    await answer.text();
    return answer.status;
  };
  return { url, status, opened };
}

// The server kept the last two, and opened one per second: half of the requests of the other client got 503.
test('a client that names one dataset after another takes none from a client that goes on with its own', async (t) => {
  const { status, opened } = await site(t, ['pinned', 'a', 'b', 'c', 'd', 'served']);
  const pinned: number[] = [];
  pinned.push(await status('198.51.100.1', 'pinned'));
  // The server opened one per second.
  for (const id of ['a', 'b', 'c']) {
    await delay(1050);
    await status('203.0.113.9', id);
  }
  pinned.push(await status('198.51.100.1', 'pinned'));
  assert.deepEqual([...new Set(pinned)], [200]);
  assert.ok(opened.length <= 3, `opened: ${opened.join()}`);
});

test('a client that names one dataset after another leaves room for others that come later', async (t) => {
  const { status } = await site(t, ['x', 'y', 'a', 'b', 'c', 'd', 'served']);
  for (let i = 0; i < 20; i++) await status('203.0.113.9', ['a', 'b', 'c', 'd'][i % 4]!);
  assert.equal(await status('198.51.100.1', 'x'), 200);
  assert.equal(await status('198.51.100.2', 'y'), 200);
});

test('a dataset that is not there is 404 however often one is asked for, and nothing is opened for it', async (t) => {
  const { status, opened } = await site(t, ['served']);
  for (let i = 0; i < 20; i++) assert.equal(await status('203.0.113.9', `gone-${i}`), 404);
  assert.deepEqual(opened, []);
});

test('when all are in use, another one is refused with the time to come back', async (t) => {
  const ids = ['a', 'b', 'c', 'd', 'e'];
  const { url, status } = await site(t, [...ids, 'served']);
  for (const [i, id] of ids.slice(0, 4).entries()) assert.equal(await status(`198.51.100.${i}`, id), 200);
  const refused = await fetch(`${url}${TOWN}?dataset_id=e`, { headers: { 'x-forwarded-for': '203.0.113.9' } });
  assert.equal(refused.status, 503);
  assert.ok(Number(refused.headers.get('retry-after')) > 0);
  for (const [i, id] of ids.slice(0, 4).entries()) assert.equal(await status(`198.51.100.${i}`, id), 200);
});
