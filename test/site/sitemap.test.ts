import assert from 'node:assert/strict';
import { test } from 'node:test';
import { PAGE_ROUTES } from '../../src/site/routes.ts';
import { startServer } from '../support/api-server.ts';

/** Kept from search engines by robots.txt: what it shows is one person's question. */
const UNLISTED = ['/search/'];

test('every page without parameters in its path stands in the sitemap, in both languages', async (t) => {
  const { url } = await startServer(t);
  const listed = new Set(
    [...(await (await fetch(`${url}/sitemap.xml`)).text()).matchAll(/<loc>([^<]+)<\/loc>/g)].map(([, loc]) => loc),
  );
  const fixed = PAGE_ROUTES.map(({ path }) => path).filter((path) => !path.includes('{') && !UNLISTED.includes(path));
  assert.ok(fixed.length >= 13);
  for (const path of fixed) {
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
