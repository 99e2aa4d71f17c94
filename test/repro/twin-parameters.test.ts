import assert from 'node:assert/strict';
import { it } from 'node:test';
import { startServer } from '../support/api-server.ts';
import { KNOWN } from '../support/fake-dataset.ts';

it('a twin that refuses a name of the query lists all names that it takes', async (t) => {
  const { url } = await startServer(t);
  const refusal = async (path: string): Promise<string> =>
    ((await (await fetch(url + path)).json()) as { detail: string }).detail;
  const { building, facility } = KNOWN;
  assert.match(await refusal(`/compare/index.json?b=${building}&plus=x`), /"plus" is not .*; it takes b\./);
  assert.match(await refusal(`/compare/index.json?b=${building}:2&plus=x`), /; it takes b, face, storeys, /);
  assert.match(await refusal(`/kaigo/compare/index.json?f=${facility}&plus=x`), /; it takes f, care_level, /);
  assert.match(await refusal(`/sunlight/building/${building}/index.json?storeys=3`), /; it takes floor\./);
  assert.match(await refusal(`/sunlight/building/${building}/index.json?floor=2&plus=x`), /; it takes floor, face, /);
  assert.match(await refusal(`/api/v1/sunlight/building/${building}/full?plus=x`), /; it takes none\./);
});

it('the link to the JSON of a page leads to its language and its part of a list; without an answer there is none', async (t) => {
  const { url } = await startServer(t);
  const linkOn = async (path: string): Promise<string | undefined> => {
    const text = await (await fetch(url + path, { headers: { accept: 'text/html' } })).text();
    const [, link] = /<a href="([^"]+)">(?:This page as JSON|このページのJSON)</.exec(text) ?? [];
    return link?.replaceAll('&amp;', '&');
  };
  for (const [page, twin] of [
    ['/about/', '/about/index.json'],
    ['/en/about/', '/en/about/index.json'],
    [`/en/sunlight/town/${KNOWN.town}/?page=2`, `/en/sunlight/town/${KNOWN.town}/index.json?page=2`],
    ['/sunlight/?sort=annual_hours', '/sunlight/index.json'],
  ] as const) {
    assert.equal(await linkOn(page), twin);
    assert.equal((await fetch(url + twin)).status, 200);
  }
  const town = await (await fetch(`${url}/sunlight/town/${KNOWN.town}/`, { headers: { accept: 'text/html' } })).text();
  assert.doesNotMatch(town, /page=1/, 'no link has what nobody chose');
  for (const page of ['/compare/', '/kaigo/compare/', '/kaigo/near/'])
    assert.equal(await linkOn(page), undefined, page);
});
