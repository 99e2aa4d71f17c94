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
