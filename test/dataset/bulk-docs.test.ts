import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { readFileSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { DuckDBInstance } from '@duckdb/node-api';
import fc from 'fast-check';
import { SUNLIGHT_COLUMNS, writeSunlightBulk } from '../../src/export/sunlight-bulk.ts';
import { FACES, FLOOR_CLASSES } from '../../src/sunlight/result.ts';
import { tempFolder } from '../support/temp-folder.ts';
import { CREDIT, encoded } from './support/dataset.ts';
import { records } from './support/records.ts';

const DOCS = readFileSync(new URL('../../docs/bulk.md', import.meta.url), 'utf8');

/** The examples in one language. */
const examples = (language: string): string[] =>
  [...DOCS.matchAll(new RegExp(`^\`\`\`${language}\n(.*?)^\`\`\``, 'gms'))].map(([, code]) => code!);

/** A folder with the file that the examples read. */
async function bulkFolder(t: Parameters<typeof tempFolder>[0]): Promise<string> {
  const folder = tempFolder(t);
  const all = fc
    .sample(records, { numRuns: 80, seed: 9 })
    .map((record, i) => ({ ...record, buildingId: `13101-bldg-${i}` }));
  const box = { south: 20, west: 122, north: 46, east: 154 };
  await writeSunlightBulk(join(folder, '13101.parquet'), encoded(all), () => '丸の内一丁目', box, CREDIT);
  return folder;
}

test('the documentation lists every column of the bulk file, in order, with its type', () => {
  const listed = [...DOCS.matchAll(/^\| `([^`]+)` \| (.+?) \|/gm)].flatMap(([, name, type]) =>
    (name!.includes('<floor>') ? FLOOR_CLASSES : ['']).flatMap((floor) =>
      (name!.includes('<face>') ? FACES : ['']).map((face) => [
        name!.replace('<floor>', floor).replace('<face>', face.toLowerCase()),
        type,
      ]),
    ),
  );
  assert.deepEqual(
    listed,
    SUNLIGHT_COLUMNS.map((column) => [
      column.name,
      'numbers' in column ? 'FLOAT[]' : column.type.toString().replaceAll('"', ''),
    ]),
  );
});

test('the SQL examples run and find something', async (t) => {
  const folder = await bulkFolder(t);
  const database = await DuckDBInstance.create(':memory:');
  const connection = await database.connect();
  try {
    assert.ok(examples('sql').length >= 4);
    for (const sql of examples('sql')) {
      const there = sql.replaceAll(/'([\w*]+\.parquet)'/g, (_, name) => `'${join(folder, name)}'`);
      const rows = (await connection.runAndReadAll(there)).getRows();
      assert.ok(rows.length > 0, sql);
    }
  } finally {
    connection.closeSync();
    database.closeSync();
  }
});

test('the JavaScript example runs', async (t) => {
  const folder = await bulkFolder(t);
  symlinkSync(fileURLToPath(new URL('../../node_modules', import.meta.url)), join(folder, 'node_modules'));
  const [code] = examples('js');
  const output = execFileSync(process.execPath, ['--input-type=module', '--eval', code!], {
    cwd: folder,
    encoding: 'utf8',
  });
  assert.match(output, /building_id: '13101-bldg-0'/);
});
