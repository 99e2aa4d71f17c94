import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import openapiTS, { astToString } from 'openapi-typescript';
import { startServer } from '../support/api-server.ts';
import { KNOWN } from '../support/fake-dataset.ts';
import { ROOT, run } from '../support/run.ts';

/** What a user would write against the generated types. Wrong names or types would not compile. */
const CLIENT = `
import createClient from 'openapi-fetch';
import type { paths } from './api.ts';

const client = createClient<paths>({ baseUrl: process.argv[2]! });

const near = await client.GET('/api/v1/sunlight/near', { params: { query: { lat: 35.6812, lon: 139.7671 } } });
const building: string = near.data!.data.buildings[0]!.building_id;
const full = await client.GET('/api/v1/sunlight/building/{building_id}/full', {
  params: { path: { building_id: building } },
});
const hours: number = full.data!.data.faces[0]!.floors.top.months[11]!.direct_sun_hours;
const usage: string | null = full.data!.data.usage;
const table = await client.GET('/api/v1/kaigo/municipality/{municipality_code}/{service_code}', {
  params: { path: { municipality_code: '131016', service_code: '510' }, query: { sort: 'cost', page: 1 } },
});
const missing = await client.GET('/api/v1/sunlight/building/{building_id}', {
  params: { path: { building_id: '13101-bldg-9999' } },
});
const title: string = missing.error!.title;
// @ts-expect-error there is no such parameter
await client.GET('/api/v1/sunlight/near', { params: { query: { lat: 1, lng: 2 } } });
console.log(JSON.stringify({ building, hours, usage, rows: table.data!.data.facilities.length, title }));
`;

test('a client generated from openapi.json compiles and works', async (t) => {
  const { url } = await startServer(t);
  const below = join(ROOT, 'node_modules', '.cache');
  mkdirSync(below, { recursive: true });
  const folder = mkdtempSync(join(below, 'generated-client-')); // below node_modules, where openapi-fetch is found
  t.after(() => rmSync(folder, { recursive: true, force: true }));

  writeFileSync(join(folder, 'api.ts'), astToString(await openapiTS(new URL(`${url}/openapi.json`))));
  writeFileSync(join(folder, 'client.ts'), CLIENT);
  const options = {
    strict: true,
    skipLibCheck: true,
    target: 'esnext',
    module: 'nodenext',
    types: ['node'],
  };
  const config = { compilerOptions: { ...options, rewriteRelativeImportExtensions: true }, files: ['client.ts'] };
  writeFileSync(join(folder, 'tsconfig.json'), JSON.stringify(config));
  writeFileSync(join(folder, 'package.json'), '{ "type": "module" }');

  // Node strips types outside node_modules only; the compiler does it here.
  const tsc = await run(process.execPath, [join(ROOT, 'node_modules/typescript/bin/tsc'), '-p', folder]);
  assert.equal(tsc.code, 0, tsc.stdout);
  const ended = await run(process.execPath, [join(folder, 'client.js'), url]);
  assert.equal(ended.code, 0, ended.stderr);
  const { building, hours, usage, rows, title } = JSON.parse(ended.stdout);
  assert.equal(building, KNOWN.building);
  assert.equal(typeof hours, 'number');
  assert.equal(usage, null);
  assert.equal(rows, 1);
  assert.equal(title, 'Not found');
});
