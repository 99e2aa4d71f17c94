import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { TOKYO_CONTRACT } from '../../src/contract/contract.ts';
import { operationId } from '../../src/contract/openapi.ts';
import { examplesOf } from '../../src/contract/operation.ts';
import { fillPath } from '../../src/contract/parameter.ts';
import { MemoryRateLimiter } from '../../src/http/rate-limiter.ts';
import { type ApiServer, startServer } from '../support/api-server.ts';
import { ContractProxy } from '../support/contract-proxy.ts';
import { FakeDataset, KNOWN } from '../support/fake-dataset.ts';

const { operations: OPERATIONS } = TOKYO_CONTRACT;

const API = OPERATIONS.filter(({ path }) => path.startsWith('/api/'));

/** Parameters that fit their patterns and name nothing that exists. */
const UNKNOWN: Record<string, string> = {
  building_id: '13101-bldg-9999',
  town_code: '131239999',
  ward_code: '13123',
  facility_id: '9999999999',
  municipality_code: '011002',
  prefecture_code: '47',
};

describe('every status of every operation', () => {
  let server: ApiServer;
  let proxy: ContractProxy;
  const cleanups: (() => void | Promise<void>)[] = [];
  const suite = { after: (cleanup: () => void | Promise<void>) => void cleanups.push(cleanup) } as never;

  before(async () => {
    server = await startServer(suite, { offered: new Set(['sunlight-point']) });
    server.dataset.addBulk(Buffer.alloc(5000, 7));
    proxy = await ContractProxy.start(suite, server.url);
  });
  after(async () => {
    for (const cleanup of cleanups.reverse()) await cleanup();
  });

  const get = (path: string, headers: Record<string, string> = {}, method = 'GET') =>
    fetch(proxy.url + path, { headers, method });

  for (const operation of OPERATIONS.filter(({ id }) => id !== 'bulk-file')) {
    for (const example of examplesOf(operation)) {
      const path = fillPath(operation.path, example);
      test(`${operation.id}: ${path}`, async () => {
        const response = await get(path);
        assert.equal(response.status, 200);
        assert.equal(response.headers.get('x-cost-units'), String(operation.costUnits));
        assert.equal(response.headers.get('etag') === null, operation.cache === 'no-store');
        const isPrivate = operation.parameters.some((one) => one.isPrivate && example[one.name] !== undefined);
        if (isPrivate) assert.equal(response.headers.get('cache-control'), 'private, no-store');
        const body = await response.text();
        if (operation.answer.form === 'envelope') {
          const { meta } = JSON.parse(body);
          assert.equal(meta.cost_units, operation.costUnits);
          assert.equal(meta.schema_url, `${server.url}/schemas/${operation.id}.json`);
        }
        const head = await get(path, {}, 'HEAD');
        assert.equal(head.status, 200);
        assert.equal(await head.text(), '');
        assert.equal(head.headers.get('etag'), response.headers.get('etag'));
        assert.equal(head.headers.get('x-cost-units'), '0');
        const options = await get(path, {}, 'OPTIONS');
        assert.equal(options.status, 204);
        assert.equal(options.headers.get('allow'), 'GET, HEAD, OPTIONS');
        const post = await get(path, {}, 'POST');
        assert.equal(post.status, 405);
        assert.equal(post.headers.get('allow'), 'GET, HEAD, OPTIONS');
        if (operation.cache === 'no-store') return;
        const again = await get(path, { 'if-none-match': response.headers.get('etag')! });
        assert.equal(again.status, 304);
      });
    }
  }

  for (const operation of API) {
    const target = () => fillPath(operation.path, examplesOf(operation)[0]!);

    test(`${operation.id}: 400, 401 and 404`, async () => {
      assert.equal((await get(`${target()}${target().includes('?') ? '&' : '?'}bogus=1`)).status, 400);
      const refused = await get(target(), { authorization: 'Bearer nonsense' });
      assert.equal(refused.status, 401);
      assert.equal(refused.headers.get('www-authenticate'), 'Bearer');
      const inPath = operation.parameters.filter((parameter) => parameter.in === 'path');
      if (inPath.length === 0) return;
      const asked = operation.parameters.filter((parameter) => parameter.in === 'path' || parameter.required);
      const values = Object.fromEntries(asked.map(({ name, example }) => [name, UNKNOWN[name] ?? example]));
      assert.equal((await get(fillPath(operation.path, values))).status, 404);
    });

    test(`${operation.id}: 429 comes before everything`, async (t) => {
      const limited = await startServer(t, { limiters: { api: new MemoryRateLimiter(1) } });
      const front = await ContractProxy.start(t, limited.url);
      await fetch(`${front.url}/api/nowhere`, { method: 'POST' });
      const refused = await fetch(front.url + target(), { headers: { authorization: 'Bearer x' } });
      assert.equal(refused.status, 429);
      assert.equal(refused.headers.get('ratelimit-policy'), '"default";q=1;w=60');
      assert.deepEqual(front.breaches, []);
    });

    test(`${operation.id}: 503 without its half, after 400`, async (t) => {
      const dataset = new FakeDataset();
      dataset.sunlight = null;
      dataset.kaigo = null;
      dataset.search = null;
      const empty = await startServer(t, { dataset, offered: new Set(['sunlight-point']) });
      const front = await ContractProxy.start(t, empty.url);
      const response = await fetch(front.url + target());
      assert.equal(response.status, 503);
      assert.match(response.headers.get('retry-after')!, /^\d+$/);
      assert.equal((await fetch(`${front.url + target()}?bogus`)).status, 400);
      assert.deepEqual(front.breaches, []);
    });

    test(`${operation.id}: 500 leaks nothing`, async (t) => {
      const faulty = await startServer(t, { offered: new Set(['sunlight-point']) });
      const front = await ContractProxy.start(t, faulty.url);
      const fail = () => {
        throw new Error('a secret of the store');
      };
      const half = faulty.dataset[operation.section as 'sunlight' | 'kaigo' | 'search'] as unknown as Record<
        string,
        unknown
      >;
      for (const name of Object.keys(half)) half[name] = fail;
      faulty.dataset.compute = fail;
      const response = await fetch(front.url + target());
      assert.equal(response.status, 500);
      const text = await response.text();
      assert.doesNotMatch(text, /secret/);
      const id = response.headers.get('x-request-id');
      const entry = faulty.log.find((line) => line.request_id === id && line.msg === 'request failed');
      assert.match(JSON.stringify(entry), /a secret of the store/);
      assert.deepEqual(front.breaches, []);
    });
  }

  test('several buildings: those that are there, each once and in the order asked, and those that are not', async () => {
    const [known, other] = [KNOWN.building, '13101-bldg-9999'];
    const path = (ids: string) => `/api/v1/sunlight/buildings?ids=${ids}`;
    const one = await get(path(`${other},${known},${known}`));
    const { data, meta } = (await one.json()) as { data: Record<string, unknown>; meta: { cost_units: number } };
    assert.deepEqual([data.count, data.not_found], [1, [other]]);
    const single = (await (await get(`/api/v1/sunlight/building/${known}`)).json()) as { data: unknown };
    assert.deepEqual(data.buildings, [single.data]);
    assert.deepEqual([one.headers.get('x-cost-units'), meta.cost_units], ['1', 1]);
    const none = await get(path(other));
    assert.deepEqual([none.status, none.headers.get('x-cost-units')], [200, '0']);
    const most = Array.from({ length: 50 }, (_, i) => `13101-bldg-${i}`).join();
    assert.equal((await get(path(most))).status, 200);
    for (const wrong of [`${most},${known}`, '', `${known},`, 'x']) assert.equal((await get(path(wrong))).status, 400);
  });

  test('point is 501 while it is off, after 400 and before 503', async (t) => {
    const dataset = new FakeDataset();
    dataset.sunlight = null;
    const off = await startServer(t, { dataset });
    const front = await ContractProxy.start(t, off.url);
    const path = '/api/v1/sunlight/point?lat=35.6&lon=139.7';
    assert.equal((await fetch(front.url + path)).status, 400);
    assert.equal((await fetch(`${front.url + path}&height_m=3`)).status, 501);
    assert.deepEqual(front.breaches, []);
  });

  test('the page past the last is 404, the last is not', async () => {
    const path = `/api/v1/sunlight/town/${KNOWN.town}/buildings?page=`;
    assert.equal(((await (await get(`${path}3`)).json()) as { data: { buildings: [] } }).data.buildings.length, 1);
    for (const page of ['4', '9007199254740991', '99999999999999999999'])
      assert.equal((await get(path + page)).status, 404);
    for (const page of ['0', '-1', '1.0', '9'.repeat(400)]) assert.equal((await get(path + page)).status, 400);
  });

  test('a 404 names the one thing that is not there', async () => {
    const causes: [string, string][] = [
      ['sunlight/building/13101-bldg-404', 'There is no building 13101-bldg-404 in this dataset.'],
      ['sunlight/town/13101002002/buildings', 'There is no town 13101002002 in this dataset.'],
      [`sunlight/town/${KNOWN.town}/buildings?page=4`, 'The list of town 13101001001 has 3 pages: there is no page 4.'],
      ['sunlight/bulk/13123', 'This dataset has no buildings of ward 13123.'],
      ['kaigo/facility/9999999999', 'There is no facility 9999999999 in this dataset.'],
      ['kaigo/municipality/011002/510', 'There is no municipality 011002 in this dataset.'],
      [
        `kaigo/municipality/${KNOWN.municipality}/510?page=2`,
        'The list of municipality 131016 has one page: there is no page 2.',
      ],
      ['kaigo/bulk/47', 'This dataset has no facilities of prefecture 47.'],
    ];
    for (const [path, cause] of causes) {
      const response = await get(`/api/v1/${path}`);
      assert.equal(response.status, 404);
      assert.equal(((await response.json()) as { detail: string }).detail, cause);
    }
  });

  test('what was sent is repeated in short', async () => {
    const long = '9'.repeat(15_000);
    for (const path of [
      `/api/v1/sunlight/building/13101-bldg-${long}`,
      `/api/v1/sunlight/building/13101-bldg-${long}/`,
      `/api/v1/${long}`,
      `/${long}`,
      `/api/v1/%ff${long}`,
      `/schemas/${long}.json`,
      `/api/v1/kaigo/facility/${long}`,
      `/api/v1/sunlight/near?lat=${long}&lon=${long}&r=${long.slice(0, 100)}`.slice(0, 15_000),
      `/api/v1/sunlight/near?${long}`,
      `/api/v1/sunlight/near?lat=%ff${long}`,
      `/api/v1/sunlight/near?%ff${long}=`,
      `/bulk/${long}/sunlight/13101.parquet`,
    ]) {
      const response = await get(path);
      assert.ok([400, 401, 404].includes(response.status), path.slice(0, 50));
      const { instance, ...rest } = (await response.json()) as { instance: string };
      assert.ok(instance.length <= 1000 && JSON.stringify(rest).length < 1000, path.slice(0, 50));
    }
  });

  test('`errors` and `detail` have the first ten violations, `detail` how many more there are', async () => {
    const names = Array.from({ length: 2000 }, (_, i) => `x${i}`);
    const response = await get(`/api/v1/sunlight/near?lat=35.6&lon=139.7&${names.join('&')}`);
    const { detail, errors } = (await response.json()) as { detail: string; errors: { parameter: string }[] };
    assert.deepEqual(
      errors.map(({ parameter }) => parameter),
      names.slice(0, 10),
    );
    assert.match(detail, /"x9" is not .* 1990 more things are wrong\.$/);
    assert.ok(detail.length < 1000);
  });

  test('pages that do not exist are 404, and pages ask for no credentials', async () => {
    for (const path of ['/nowhere', '/schemas/nope.json', '/problems/nope/', '/problems/__proto__/']) {
      assert.equal((await get(path)).status, 404, path);
    }
    assert.equal((await get('/sunlight/towns.json', { authorization: 'Bearer x' })).status, 200);
    assert.equal((await get('/sunlight/towns.json?utm_source=x')).status, 200);
  });

  test('the address of a problem opens as a page for people and for programs', async () => {
    const { type } = (await (await get('/api/v1/nowhere')).json()) as { type: string };
    assert.equal(type, `${server.url}/problems/not-found/`);
    assert.match(await (await fetch(type)).text(), /<h1>見つかりません<\/h1>/);
    const page = (await (await fetch(`${type}index.json`)).json()) as { data: { type: string } };
    assert.equal(page.data.type, type);
  });

  test('every URL on the landing page works', async () => {
    const { data } = (await (await get('/index.json')).json()) as { data: { urls: { url: string }[] } };
    for (const path of ['/api/v1/sunlight/', '/api/v1/kaigo/', '/api/v1/search', '/openapi.json']) {
      assert.ok(
        data.urls.some(({ url }) => url.startsWith(server.url + path)),
        path,
      );
    }
    for (const { url } of data.urls) assert.equal((await get(url.slice(server.url.length))).status, 200, url);
    assert.equal(data.urls.at(-1)!.url, `${server.url}/pricing/`);
  });

  test('nothing has broken the contract, and all that GET can answer here was seen', () => {
    assert.deepEqual(proxy.breaches, []);
    for (const operation of API) {
      const expected = operation.cache === 'no-store' ? [200, 400, 401] : [200, 304, 400, 401];
      for (const status of expected) assert.ok(proxy.seen.has(`${operationId(operation)} ${status}`), operation.id);
    }
  });
});
