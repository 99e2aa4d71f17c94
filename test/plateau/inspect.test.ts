import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { after, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { censusFiles, readingsFile } from '../../samples/census.ts';
import { kaigoFiles } from '../../samples/kaigo.ts';
import { ROOT } from '../support/run.ts';
import { writeZip } from '../support/write-zip.ts';

const MAIN = fileURLToPath(new URL('../../src/cli/main.js', import.meta.url));
const GOLDEN = fileURLToPath(new URL('../golden/plateau/', import.meta.url));
/** Kinds of table in the made sample. */
const KINDS = ['office_list', 'postal_names', 'shapefile', 'table'];
const root = mkdtempSync(join(tmpdir(), 'hidamari-inspect-'));
after(() => rmSync(root, { recursive: true, force: true }));

const inspect = (...parameters: string[]) =>
  new Promise<{ code: number; out: string; err: string }>((resolve) => {
    execFile(process.execPath, [MAIN, 'inspect', ...parameters], (error, out, err) =>
      resolve({ code: error === null ? 0 : Number(error.code), out, err }),
    );
  });

test('inspect: counts of a zip as JSON', async () => {
  const zip = join(root, 'city.zip');
  const golden = (name: string) => readFileSync(`${GOLDEN}${name}.gml`);
  writeZip(zip, [
    { name: 'udx/bldg/53394611_bldg_6697_op.gml', data: golden('lod1-shapes') },
    { name: 'udx/bldg/53394612_bldg_6697_op.gml', data: golden('values') },
    { name: 'udx/bldg/53394613_bldg_6697_op.gml', data: golden('awkward-xml') },
    { name: 'udx/dem/533946_dem_6697_op.gml', data: '<a/>' },
    { name: 'r2ka13101.prj', data: 'x' },
  ]);
  const { code, out } = await inspect('--json', zip);
  assert.equal(code, 0);
  const found = JSON.parse(out);
  assert.deepEqual(found.building_files[2], {
    name: `${zip}/udx/bldg/53394613_bldg_6697_op.gml`,
    bytes: golden('awkward-xml').length,
    error: null,
    contents: {
      citygml_version: '2.0',
      uro_versions: ['3.2'],
      epsg: [6697],
      lods: { lod0: 0, lod1: 1, lod2: 0, lod3: 0 },
      buildings: 1,
      left_out: 1,
      other_objects: { 'grp:CityObjectGroup': 1 },
    },
  });
  const { bounds, ...total } = found.total;
  assert.deepEqual(total, {
    buildings: 23,
    with_id: 19,
    without_id: 4,
    with_measured_height: 5,
    with_storeys: 3,
    with_usage: 2,
    with_date: 3,
    from_lod: { lod0: 0, lod1: 23, lod2: 0 },
    with_several_prisms: 2,
    with_inner_rings: 1,
    prisms: 25,
    vertices: 104,
    usages: { 411: 2 },
  });
  assert.deepEqual([bounds.south, bounds.west, bounds.low_m, bounds.high_m], [35.68, 139.76, 1, 60]);
  const issues = Object.fromEntries(
    found.issues.map((issue: { kind: string; count: number }) => [issue.kind, issue.count]),
  );
  assert.deepEqual(issues, { tops_differ: 3, roof_open: 1, bad_value: 7, bad_id: 1, several_ids: 1, no_geometry: 1 });
  assert.deepEqual(
    found.other_files.map(({ name, kind }: { name: string; kind: string }) => [name.slice(zip.length + 1), kind]),
    [
      ['r2ka13101.prj', 'shapefile'],
      ['udx/dem/533946_dem_6697_op.gml', 'terrain'],
    ],
  );
});

test('inspect: a table for people; a file that cannot be read is said and makes the command fail', async () => {
  writeFileSync(join(root, 'good.gml'), readFileSync(`${GOLDEN}lod2-only.gml`));
  writeFileSync(join(root, 'bad.gml'), 'nothing of the sort');
  const { code, out } = await inspect(join(root, 'good.gml'), join(root, 'bad.gml'));
  assert.equal(code, 1);
  assert.match(out, /good\.gml +7\.6 kB +2\.0 +2\.0 +EPSG:6697 +0 +0 +4 +0 +4 +0\n/);
  assert.match(out, /bad\.gml: byte 0: found "nothing of the sort"; expected CityGML/);
  assert.match(out, /with a building ID +4 +100\.0 %/);
  assert.match(out, /1 × unresolved_reference: .*\n +13101-bldg-4 \(.*good\.gml, byte \d+\): no surface #gone/);
});

test('inspect: each shapefile of a zip is counted by itself', async () => {
  const { code, out } = await inspect('--json', join(ROOT, 'samples/real/census.zip'));
  assert.equal(code, 0);
  const tables: { records: number; about: { towns: string } }[] = JSON.parse(out).tables;
  assert.deepEqual(
    tables.map(({ records, about }) => [records, about.towns]),
    [
      [61, '60'],
      [44, '43'],
      [1, '1'],
      [2, '2'],
    ],
  );
});

test('inspect: a missing path is one line', async () => {
  const { code, out, err } = await inspect(join(root, 'nowhere'));
  assert.deepEqual([code, out], [1, '']);
  assert.match(err, /^hidamari: .*nowhere: no such file or folder\n$/);
});

test('inspect: a damaged zip and a link to nothing in a folder hide nothing else', async () => {
  const folder = join(root, 'mixed');
  mkdirSync(folder);
  writeFileSync(join(folder, '53394611_bldg_6697_op.gml'), readFileSync(`${GOLDEN}values.gml`));
  writeFileSync(join(folder, 'cut.zip'), 'PK');
  symlinkSync(join(root, 'nowhere'), join(folder, 'link.gml'));
  symlinkSync('loop.gml', join(folder, 'loop.gml'));
  const { code, out } = await inspect('--json', folder);
  const found = JSON.parse(out);
  assert.equal(code, 1);
  assert.equal(found.building_files.length, 1);
  assert.match(found.not_opened[0].error, /cut\.zip: not a readable zip/);
  assert.match(found.not_opened[1].error, /link\.gml: no such file or folder/);
  assert.match(found.not_opened[2].error, /loop\.gml: a symbolic link that leads back to itself; remove it/);
});

test('inspect: office lists, census areas and postal names with what they lack; a file of no known kind ends with 1', async () => {
  const folder = join(root, 'tables');
  for (const files of [kaigoFiles(), censusFiles()]) {
    for (const [name, bytes] of files) {
      mkdirSync(dirname(join(folder, name)), { recursive: true });
      writeFileSync(join(folder, name), bytes);
    }
  }
  writeFileSync(join(folder, '13TOKYO.CSV'), readingsFile());
  const { code, out } = await inspect('--json', folder);
  assert.equal(code, 0, out);
  assert.doesNotMatch(out, /"[a-z]+[A-Z]\w*":/, 'members have the spelling of the answers of the API');
  const { tables } = JSON.parse(out) as { tables: { kind: string; records: number; about: Record<string, string> }[] };
  assert.deepEqual([...new Set(tables.map(({ kind }) => kind))].sort(), KINDS);
  for (const { kind, records } of tables) assert.ok(records > 0, kind);
  assert.ok(tables.some(({ about }) => about.service === '510'));

  const strange = join(root, 'notes.txt');
  writeFileSync(strange, 'text');
  const unknown = await inspect(strange);
  assert.equal(unknown.code, 1);
  assert.match(unknown.out, /notes\.txt: no published file that is known/);
  const empty = join(root, 'empty.csv');
  writeFileSync(empty, '');
  assert.match((await inspect(empty)).out, /empty\.csv: is empty: expected a line with the names of its columns/);
  const dataset = join(root, 'dataset');
  mkdirSync(dataset);
  for (const name of ['manifest.json', 'sunlight.index']) writeFileSync(join(dataset, name), '{}');
  const others = await inspect(dataset);
  assert.equal(others.code, 1);
  assert.match(others.out, /dataset: no published file that is known.*hidamari verify and diff/);
});
