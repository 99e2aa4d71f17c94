import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Parameter } from '../../src/contract/parameter.ts';
import { commonValues, filled, TOKYO } from '../../src/contract/place.ts';
import { MemoryRateLimiter } from '../../src/http/rate-limiter.ts';
import { COMPARISON_TWINS, siteRoutes, TWINS } from '../../src/site/pages.ts';
import { startServer } from '../support/api-server.ts';
import { KNOWN } from '../support/fake-dataset.ts';

/** The pages, in Japanese. */
const PAGES = siteRoutes(null).filter(({ id }) => id.endsWith('-page-ja'));
/** Those beside which stand answers of operations. */
const WITH_ANSWERS = [...TWINS.map(({ path }) => `${path}index.json`), ...COMPARISON_TWINS.map(({ path }) => path)];

/** Kept from search engines by robots.txt: what it shows is one person's question. */
const UNLISTED = ['/search/'];

test('every page without parameters in its path stands in the sitemap, in both languages', async (t) => {
  const { url } = await startServer(t);
  const listed = new Set(
    [...(await (await fetch(`${url}/sitemap.xml`)).text()).matchAll(/<loc>([^<]+)<\/loc>/g)].map(([, loc]) => loc),
  );
  const fixed = PAGES.map(({ path }) => path).filter((path) => !path.includes('{') && !UNLISTED.includes(path));
  assert.ok(fixed.length >= 13);
  for (const path of [...fixed, '/problems/not-found/', '/problems/rate-limited/']) {
    for (const language of ['', '/en']) assert.ok(listed.has(url + language + path), language + path);
  }
  const robots = await (await fetch(`${url}/robots.txt`)).text();
  for (const path of UNLISTED) assert.ok(robots.includes(`Disallow: ${path}`) && !listed.has(url + path), path);
});

test('the twin of the search page is the answer of the search, with its cost, and nobody keeps it', async (t) => {
  const { url } = await startServer(t);
  const [twin, api] = await Promise.all(
    ['/search/index.json?q=Kanda', '/api/v1/search?q=Kanda'].map((path) => fetch(url + path)),
  );
  assert.deepEqual(await twin?.json(), await api?.json());
  assert.equal(twin?.headers.get('x-cost-units'), '1');
  assert.equal(twin?.headers.get('cache-control'), 'private, no-store');
  assert.equal((await fetch(`${url}/search/index.json`)).status, 400);
});

/** What the pages that compare are asked for. */
const COMPARED: Readonly<Record<string, string>> = {
  '/compare/': `?b=${KNOWN.building},13101-bldg-999999`,
  '/kaigo/compare/': `?f=${KNOWN.facility}&care_level=4`,
};

/** What other pages must be asked for. */
const QUERIES: Readonly<Record<string, string>> = {
  '/search/': '?q=Kanda',
  '/kaigo/near/': '?lat=35.6937&lon=139.7679',
};

test('the twin of a comparison is the answers of its parts, costs what they cost together, and names what is not there', async (t) => {
  const { url } = await startServer(t, { limiters: { api: new MemoryRateLimiter(10, () => 0) } });
  const own = [`sunlight/building/${KNOWN.building}/full`, `kaigo/facility/${KNOWN.facility}?care_level=4`];
  for (const [i, [path, query]] of Object.entries(COMPARED).entries()) {
    const [twin, api] = await Promise.all(
      [`${path}index.json${query}`, `/api/v1/${own[i]}`].map((at) => fetch(url + at)),
    );
    const { data, meta } = (await twin!.json()) as { data: { parts: object[] }; meta: { cost_units: number } };
    const answer = (await api!.json()) as { meta: { cost_units: number } };
    assert.deepEqual(data.parts[0], { entry: query.slice(3).split(/[,&]/)[0], answer });
    assert.equal(meta.cost_units, answer.meta.cost_units);
    assert.equal(twin!.headers.get('x-cost-units'), String(meta.cost_units));
    assert.equal(twin!.headers.get('cache-control'), 'private, no-store');
    const linked = /href="([^"]*index\.json\?[^"]*)"/.exec(
      await (await fetch(`${url}${path}${query}&room=any`)).text(),
    )?.[1];
    assert.equal((await fetch(url + linked!.replaceAll('&amp;', '&'))).status, 200, linked);
    if (i === 0) assert.match(JSON.stringify(data.parts[1]), /"problem":\{"status":404,.*13101-bldg-999999/);
  }
  const status = async (path: string): Promise<number> => (await fetch(url + path)).status;
  const wrong = ['', '?b=nonsense', '?b=1,2,3,4,5', `?b=${KNOWN.building}&colour=red`];
  assert.deepEqual(
    await Promise.all(wrong.map((query) => status(`/compare/index.json${query}`))),
    [400, 400, 400, 400],
  );
  assert.equal(await status(`/compare/index.json${COMPARED['/compare/']}`), 429, 'they count as calls');
});

/** The path of a page with the examples of its parameters, in Tokyo. */
const exampleOf = (path: string, parameters: readonly Parameter[]): string =>
  path.replace(/\{(\w+)\}/g, (_, name) => {
    const { example = '' } = parameters.find((one) => one.name === name) ?? {};
    return filled(example, commonValues(TOKYO));
  });

test('every page has its twin, in both languages: the answer of an operation, or what the page says', async (t) => {
  const { url } = await startServer(t);
  type Twin = { data: { title: string; text: string }; meta: object };
  const { meta: everywhere } = (await (await fetch(`${url}/sunlight/towns.json`)).json()) as Twin;
  for (const { path, parameters } of PAGES) {
    const at = exampleOf(path, parameters);
    const query = QUERIES[path] ?? COMPARED[path] ?? '';
    for (const language of ['', '/en']) {
      const answer = await fetch(`${url}${language}${at}index.json${query}`);
      const what = `${language}${at}: ${answer.status}`;
      assert.equal(answer.headers.get('content-type'), 'application/json', what);
      assert.ok(answer.status === 200 || path.includes('{'), what);
      const { data, meta } = (await answer.json()) as Twin;
      if (answer.status === 200 && !(path in COMPARED))
        assert.deepEqual(Object.keys(meta), Object.keys(everywhere), what);
      if (WITH_ANSWERS.includes(`${path}index.json`)) continue;
      const page = await (await fetch(`${url}${language}${at}`)).text();
      assert.ok(page.includes(`<title>${data.title}`) && data.text.length > 60 && !/<\w/.test(data.text), what);
    }
  }
});

test('without pages those of problems and prices, the two lists and the interface stay; all else is a problem', async (t) => {
  const { url } = await startServer(t, { hasPages: false });
  const status = async (path: string): Promise<number> => (await fetch(url + path)).status;
  const stay = ['/problems/not-found/', '/en/problems/not-found/', '/problems/not-found/index.json', '/index.json'];
  for (const path of ['/pricing/', '/en/pricing/', '/pricing/index.json']) assert.equal(await status(path), 200, path);
  for (const path of [...stay, '/sunlight/towns.json', '/kaigo/municipalities.json', '/openapi.json'])
    assert.equal(await status(path), 200, path);
  const gone = PAGES.filter(({ staysWithoutPages }) => !staysWithoutPages).map(({ path, parameters }) =>
    exampleOf(path, parameters),
  );
  for (const path of [
    ...gone,
    ...gone.map((one) => `/en${one}`),
    '/sunlight/index.json',
    '/about/index.json',
    '/sitemap.xml',
  ]) {
    const answer = await fetch(url + path);
    assert.equal(answer.status, 404, path);
    assert.equal(answer.headers.get('content-type'), 'application/problem+json', path);
  }
});
