import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { readFileSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { DuckDBInstance } from '@duckdb/node-api';
import fc from 'fast-check';
import { KAIGO_COLUMNS } from '../../src/export/kaigo-bulk.ts';
import { SUNLIGHT_COLUMNS, writeSunlightBulk } from '../../src/export/sunlight-bulk.ts';
import { DIRECTIONS } from '../../src/geo/compass.ts';
import { FLOOR_CLASSES } from '../../src/sunlight/result.ts';
import { assertDocumented } from '../support/documented.ts';
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

/** The known values of a column stand in the metadata of the file. */
const KNOWN_VALUES = / Known values: .*?; new ones may come\./;

/** The columns of lists, each a row for all faces and floors. */
const LISTS = [
  '| `direct_sun_minutes_<face>_<floor>` | FLOAT[] | Minutes of direct sun on the 15th of each month, January to December: mean of the receptors of the face on that floor; to 0.6; null: no such face. |',
  '| `unshaded_minutes_<face>` | FLOAT[] | The same with no obstacle but the wall itself; null: no such face. |',
];

test('the documentation lists every column of the bulk file, in order, with its type', () => {
  const plain = SUNLIGHT_COLUMNS.flatMap((column) =>
    'numbers' in column
      ? []
      : `| \`${column.name}\` | ${column.type.toString().replaceAll('"', '')} | ${column.description.replace(KNOWN_VALUES, '')} |`,
  );
  assertDocumented(
    'docs/bulk.md',
    'columns',
    ['| column | type | meaning |', '|---|---|---|', ...plain, ...LISTS].join('\n'),
  );
  const lists = LISTS.flatMap((row) => {
    const name = /`(.*?)`/.exec(row)?.[1] ?? '';
    return (name.includes('<floor>') ? FLOOR_CLASSES : ['']).flatMap((floor) =>
      DIRECTIONS.map((face) => name.replace('<floor>', floor).replace('<face>', face.toLowerCase())),
    );
  });
  assert.deepEqual(
    lists,
    SUNLIGHT_COLUMNS.slice(plain.length).map(({ name }) => name),
  );
});

test('the documentation lists every column of the bulk file of care facilities, in order, with its type', () => {
  const rows = KAIGO_COLUMNS.flatMap((column) => {
    if ('numbers' in column) return [];
    const name = column.name.replace(/^.*_(percentile|known)_(prefecture|japan)$/, '<figure>_$1_<place>');
    return `| \`${name}\` | ${column.type.toString()} | ${column.description.replace(KNOWN_VALUES, '')} |`;
  });
  const head = ['| column | type | meaning |', '|---|---|---|'];
  assertDocumented('docs/bulk.md', 'care columns', [...head, ...new Set(rows)].join('\n'));
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
