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
import { assertDocumented } from '../support/documented.ts';
import { table } from '../support/reference-markdown.ts';
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

/** A row for each type of values, in the order of its first column. @param columns name and type */
const columnTable = (columns: readonly (readonly [name: string, type: string])[]): string =>
  table(
    ['type', 'columns'],
    [...Map.groupBy(columns, ([, type]) => type)].map(([type, ofType]) => [
      type,
      [...new Set(ofType.map(([name]) => `\`${name}\``))].join(' '),
    ]),
  );

test('the documentation lists every column of the bulk file of sunlight with its type', () => {
  const columns = SUNLIGHT_COLUMNS.map((column) => {
    if (!('numbers' in column)) return [column.name, column.type.toString().replaceAll('"', '')] as const;
    const [, what, floor] = /^(.*_minutes)_[nesw]+(_\w+)?$/.exec(column.name)!; // `!`: all columns of lists are named so
    return [`${what}_<face>${floor === undefined ? '' : '_<floor>'}`, 'FLOAT[]'] as const;
  });
  assertDocumented('docs/bulk.md', 'columns', columnTable(columns));
});

test('the documentation lists every column of the bulk file of care facilities with its type', () => {
  const columns = KAIGO_COLUMNS.flatMap((column) => {
    if ('numbers' in column) return [];
    const name = column.name.replace(/^.*_(percentile|known)_(prefecture|japan)$/, '<figure>_$1_<place>');
    return [[name, column.type.toString()] as const];
  });
  assertDocumented('docs/bulk.md', 'care columns', columnTable(columns));
});

test('the SQL examples run and find something', async (t) => {
  const folder = await bulkFolder(t);
  const database = await DuckDBInstance.create(':memory:');
  const connection = await database.connect();
  try {
    assert.ok(examples('sql').length >= 4);
    for (const sql of examples('sql')) {
      const there = sql.replaceAll(/'([\w*?]+\.parquet)'/g, (_, name) => `'${join(folder, name)}'`);
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
