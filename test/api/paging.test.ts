import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Dataset } from '../../src/dataset/dataset.ts';
import { startServer } from '../support/api-server.ts';
import { FakeDataset, KNOWN } from '../support/fake-dataset.ts';

const TOWN = `/api/v1/sunlight/town/${KNOWN.town}/buildings`;

interface Page {
  data: { page: number; page_count: number };
  meta: { dataset_id: string };
}

/** Servers of one site with a data folder of these datasets, serving the first of them. */
async function site(t: Parameters<typeof startServer>[0], ids: string[], keepMs = 60_000) {
  const all = ids.map((id) => new FakeDataset(id));
  let served = 0;
  const opened: string[] = [];
  const server = await startServer(t, {
    open: async () => ({ dataset: all[served++] ?? null, refused: [] }),
    keep: {
      keepMs,
      has: async (id) => all.some(({ manifest }) => manifest.dataset_id === id),
      async open(id): Promise<Dataset | null> {
        opened.push(id);
        return all.find(({ manifest }) => manifest.dataset_id === id) ?? null;
      },
    },
  });
  return { ...server, all, opened };
}

const nextOf = (response: Response): string | null =>
  /<([^>]*)>; rel="next"/.exec(response.headers.get('link') ?? '')?.[1] ?? null;

test('a list is read page by page from one dataset, though the server moves on in between', async (t) => {
  const { url, service, all } = await site(t, ['old', 'fresh']);
  let next: string | null = url + TOWN;
  const seen: [number, string][] = [];
  while (next !== null) {
    const response: Response = await fetch(next);
    assert.equal(response.status, 200);
    const { data, meta } = (await response.json()) as Page;
    seen.push([data.page, meta.dataset_id]);
    next = nextOf(response);
    if (data.page === 1) await service.datasets.swap();
  }
  assert.deepEqual(
    seen,
    seen.map((_, i) => [i + 1, 'old']),
  );
  assert.ok(seen.length >= 3, `${seen.length} pages`);
  assert.equal(
    ((await (await fetch(url + TOWN)).json()) as Page).meta.dataset_id,
    'fresh',
    'who names none gets the newest',
  );
  assert.equal(all[0]!.closed, false);
});

test('links keep the query as it came; the last page has none to follow, one page alone none at all', async (t) => {
  const { url } = await site(t, ['one']);
  const second = await fetch(`${url}${TOWN}?page=2`);
  assert.equal(
    second.headers.get('link'),
    `<${url}${TOWN}?page=1&dataset_id=one>; rel="prev", <${url}${TOWN}?page=3&dataset_id=one>; rel="next"`,
  );
  const last = ((await second.json()) as Page).data.page_count;
  const end = await fetch(`${url}${TOWN}?page=${last}`, { headers: { 'accept-encoding': 'br' } });
  assert.match(end.headers.get('link')!, /rel="prev"$/);
  // From the kept, compressed body too.
  const again = await fetch(`${url}${TOWN}?page=${last}`, { headers: { 'accept-encoding': 'br' } });
  assert.equal(again.headers.get('link'), end.headers.get('link'));
  const table = await fetch(`${url}/api/v1/kaigo/municipality/${KNOWN.municipality}/510`);
  assert.deepEqual([table.status, table.headers.get('link')], [200, null]);
});

test('a server that has not moved yet opens the dataset of the page before from its data folder, once', async (t) => {
  const { url, opened } = await site(t, ['old', 'fresh']);
  const ask = () => fetch(`${url}${TOWN}?page=2&dataset_id=fresh`);
  const answers = await Promise.all([ask(), ask(), ask()]);
  for (const answer of answers) {
    assert.equal(answer.status, 200);
    assert.equal(((await answer.json()) as Page).meta.dataset_id, 'fresh');
  }
  assert.deepEqual(opened, ['fresh']);
  const near = await fetch(`${url}/api/v1/sunlight/near?lat=35.69&lon=139.76&dataset_id=fresh`);
  assert.equal(((await near.json()) as Page).meta.dataset_id, 'fresh');
});

test('a page of a list for people goes on in its dataset, or says that the data was replaced', async (t) => {
  const { url, service, all } = await site(t, ['old', 'fresh']);
  const page = `/en/sunlight/town/${KNOWN.town}/`;
  const text = async (path: string): Promise<string> =>
    (await fetch(url + path, { headers: { accept: 'text/html' } })).text();
  const next = /href="([^"]*page=2[^"]*)"/.exec(await text(page))?.[1]?.replaceAll('&amp;', '&') ?? '';
  assert.equal(next, `${page}?page=2&dataset_id=old`);
  await service.datasets.swap();
  const second = await text(next);
  assert.match(second, /page=1&amp;dataset_id=old/);
  assert.ok(!second.includes('while you read this list'));
  const [old] = all.splice(0, 1);
  await service.datasets.stepBack(old!, 'a test');
  for (let i = 0; i < 2; i++) {
    const gone = await fetch(url + next, { headers: { accept: 'text/html' } });
    assert.equal(gone.status, 200);
    const said = await gone.text();
    assert.match(said, /while you read this list[^<]*<a href="[^"]*\/">Start again/);
    assert.match(said, /page=1&amp;dataset_id=fresh/);
  }
});

test('a dataset that is gone is a problem that says what to do; nothing is opened for it', async (t) => {
  const { url, opened } = await site(t, ['only']);
  const gone = await fetch(`${url}${TOWN}?dataset_id=gone`);
  assert.equal(gone.status, 404);
  const { detail } = (await gone.json()) as { detail: string };
  assert.match(detail, /Dataset "gone" is no longer here\. only is: begin again at the first page/);
  assert.equal((await fetch(`${url}${TOWN}?dataset_id=another`)).status, 404);
  assert.deepEqual(opened, []);
  assert.equal((await fetch(`${url}${TOWN}?dataset_id=../x`)).status, 400);
  assert.equal((await fetch(`${url}/api/v1/sunlight/building/${KNOWN.building}?dataset_id=only`)).status, 400);
});

test('an old dataset closes when nobody has named it for its time, and when four others have come', async (t) => {
  const { service, all } = await site(t, ['a', 'b', 'c', 'd', 'e', 'f'], 300);
  for (let i = 0; i < 4; i++) await service.datasets.swap();
  assert.equal(all[0]!.closed, false);
  await service.datasets.swap();
  await new Promise(setImmediate);
  assert.deepEqual(
    all.map(({ closed }) => closed),
    [true, false, false, false, false, false],
  );
  await new Promise((resolve) => setTimeout(resolve, 500));
  assert.deepEqual(
    all.map(({ closed }) => closed),
    [true, true, true, true, true, false],
  );
});

test('what a CDN may keep, and what it may be told to forget together', async (t) => {
  const { url } = await startServer(t, { purgeTags: { header: 'Cache-Tag', separator: ',' } });
  const answer = await fetch(url + TOWN);
  assert.equal(
    answer.headers.get('cache-control'),
    'public, max-age=300, stale-while-revalidate=300, stale-if-error=86400',
  );
  const tags = 'hidamari,hidamari-sunlight-town-buildings,hidamari-fake-1';
  assert.equal(answer.headers.get('cache-tag'), tags);
  const headers = { 'if-none-match': answer.headers.get('etag')! };
  const same = await fetch(url + TOWN, { headers });
  assert.deepEqual([same.status, same.headers.get('cache-tag')], [304, tags]);
  const absent = await fetch(`${url}${TOWN}?page=999`);
  assert.deepEqual([absent.headers.get('cache-control'), absent.headers.get('cache-tag')], ['no-store', null]);
});
