import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import {
  chmodSync,
  cpSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import fc from 'fast-check';
import { openDataset, openNewest } from '../../src/dataset/open.ts';
import { writeSunlight } from '../../src/dataset/sunlight-writer.ts';
import { verifyDataset } from '../../src/dataset/verify.ts';
import { listFiles } from '../../src/formats/files.ts';
import { canonicalJson, DatasetError, datasetId, readManifest } from '../../src/snapshot/manifest.ts';
import { publishDataset, removeLeftovers, startDraft } from '../../src/snapshot/publish.ts';
import { tempFolder } from '../support/temp-folder.ts';
import { bulkWriter, CREDIT, draftManifest, encoded, publishRecords, town } from './support/dataset.ts';
import { records } from './support/records.ts';

const TOWNS = [town('13101001001', '丸の内一丁目', null), town('131010020', '大手町', null)];
const RECORDS = fc
  .sample(records, { numRuns: 40, seed: 11 })
  .map((record, i) => ({ ...record, buildingId: `1310${1 + (i % 2)}-bldg-${i}`, townCode: TOWNS[i % 2]!.townCode }));
const [OLD, NEW] = ['2026-01-01T00:00:00Z', '2026-02-01T00:00:00Z'];

/** Every file of a dataset with its content. */
async function contents(folder: string): Promise<Map<string, string>> {
  const names = await listFiles(folder);
  return new Map(names.map((name) => [name, readFileSync(join(folder, name), 'latin1')]));
}

test('the same input gives the same bytes', async (t) => {
  const [one, other] = [tempFolder(t), tempFolder(t)];
  const first = await contents(await publishRecords(one, RECORDS, TOWNS));
  const second = await contents(await publishRecords(other, RECORDS.toReversed(), TOWNS.toReversed()));
  assert.deepEqual([...first.keys()], [...second.keys()]);
  for (const [name, content] of first) assert.ok(content === second.get(name), `${name} differs`);
  assert.deepEqual(
    [...first.keys()],
    [
      'blocks.crc32',
      'bulk/sunlight/13101.parquet',
      'bulk/sunlight/13102.parquet',
      'manifest.json',
      'sunlight.store',
      'town-sun.json',
      'towns.json',
    ],
  );
});

test('a dataset that is open has nothing written into it, and many may open it', async (t) => {
  const folder = await publishRecords(tempFolder(t), RECORDS, TOWNS);
  const before = await contents(folder);
  chmodSync(folder, 0o555);
  const opened = await Promise.all([openDataset(folder), openDataset(folder)]);
  for (const dataset of opened) assert.ok(dataset.sunlight!.summary(RECORDS[0]!.buildingId));
  const program = `import { openDataset } from ${JSON.stringify(new URL('../../src/dataset/open.ts', import.meta.url))};
    const { sunlight, close } = await openDataset(${JSON.stringify(folder)});
    console.log(sunlight.summary(${JSON.stringify(RECORDS[0]!.buildingId)}).toJSON().building_id);
    await close();`;
  const output = execFileSync(process.execPath, ['--input-type=module', '--eval', program], { encoding: 'utf8' });
  assert.equal(output.trim(), RECORDS[0]!.buildingId);
  assert.deepEqual(await contents(folder), before);
  await opened[0].close();
  assert.ok(opened[1].sunlight!.summary(RECORDS[0]!.buildingId));
  await opened[1].close();
  chmodSync(folder, 0o755);
  assert.deepEqual(await contents(folder), before);
});

test('the newest complete dataset is opened', async (t) => {
  const data = tempFolder(t);
  await publishRecords(data, RECORDS, TOWNS, draftManifest('bbbb', NEW));
  await publishRecords(data, RECORDS, TOWNS, draftManifest('cccc', OLD));
  const { dataset, refused } = await openNewest(data);
  t.after(() => dataset!.close());
  assert.equal(dataset!.manifest.dataset_id, 'bbbb');
  assert.deepEqual(refused, []);
  assert.equal((await openNewest(data, { unless: 'bbbb' })).dataset, null);
  const older = await openNewest(data, { unless: 'cccc' });
  t.after(() => older.dataset!.close());
  assert.equal(older.dataset!.manifest.dataset_id, 'bbbb');
});

test('a dataset folder may be named itself', async (t) => {
  const { dataset } = await openNewest(await publishRecords(tempFolder(t), RECORDS, TOWNS));
  t.after(() => dataset!.close());
  assert.equal(dataset!.manifest.dataset_id, CREDIT.dataset_id);
});

for (const [what, damage, complaint] of [
  [
    'a file cut short',
    (f: string) => truncateSync(join(f, 'sunlight.store'), 8192),
    /sunlight\.store: has 8192 bytes, the/,
  ],
  ['a missing file', (f: string) => rmSync(join(f, 'towns.json')), /towns\.json: is missing/],
  ['no manifest', (f: string) => rmSync(join(f, 'manifest.json')), /no manifest\.json: not a finished dataset/],
  ['half a manifest', (f: string) => truncateSync(join(f, 'manifest.json'), 100), /manifest\.json: damaged: /],
  [
    'another schema',
    (f: string) => edit(f, { schema_version: 1 }),
    /schema_version is 1, this program reads \d+: build/,
  ],
  ['a manifest without files', (f: string) => edit(f, { files: undefined }), /damaged: files is no object/],
  ['a file outside', (f: string) => edit(f, { files: { '../x': ZERO_FILE } }), /a file outside the dataset: \.\.\/x/],
] as const) {
  test(`${what} is refused by name, and the dataset before it is opened`, async (t) => {
    const data = tempFolder(t);
    await publishRecords(data, RECORDS, TOWNS, draftManifest('aaaa', OLD));
    damage(await publishRecords(data, RECORDS, TOWNS, draftManifest('bbbb', NEW)));
    const { dataset, refused } = await openNewest(data);
    t.after(() => dataset!.close());
    assert.equal(dataset!.manifest.dataset_id, 'aaaa');
    assert.equal(refused.length, 1);
    assert.match(refused[0]!, complaint);
    assert.ok(refused[0]!.includes(join(data, 'bbbb')));
    await assert.rejects(openDataset(join(data, 'bbbb')), DatasetError);
  });
}

const ZERO_FILE = { bytes: 0, sha256: '0'.repeat(64) };

function edit(folder: string, members: object): void {
  const path = join(folder, 'manifest.json');
  writeFileSync(path, JSON.stringify({ ...JSON.parse(readFileSync(path, 'utf8')), ...members }));
}

test('a draft is never opened, a new build has one of its own, and what was left is removed', async (t) => {
  const data = tempFolder(t);
  const whole = await publishRecords(data, RECORDS, TOWNS);
  cpSync(whole, await startDraft(data), { recursive: true });
  rmSync(whole, { recursive: true });
  assert.equal((await openNewest(data)).dataset, null);
  assert.deepEqual(readdirSync(await startDraft(data)), []);
  await removeLeftovers(data);
  assert.deepEqual(readdirSync(data), []);
});

test('a whole dataset stays when it is built again; a damaged one is replaced', async (t) => {
  const data = tempFolder(t);
  const folder = await publishRecords(data, RECORDS, TOWNS);
  const inode = statSync(folder).ino;
  assert.equal(await publishRecords(data, RECORDS, TOWNS), folder);
  assert.equal(statSync(folder).ino, inode);
  truncateSync(join(folder, 'sunlight.store'), 100);
  await publishRecords(data, RECORDS, TOWNS);
  assert.notEqual(statSync(folder).ino, inode);
  assert.deepEqual((await verifyDataset(folder)).differences, []);
  assert.deepEqual(readdirSync(data), [CREDIT.dataset_id]);
});

test('rows of a file that was not written are a mistake', async (t) => {
  const data = tempFolder(t);
  const draft = await startDraft(data);
  await assert.rejects(
    publishDataset(data, draft, draftManifest('ffff'), { rows: { 'bulk/x.parquet': 1 } }),
    /bulk\/x\.parquet/,
  );
});

test('verify finds every single damaged byte', async (t) => {
  const folder = await publishRecords(tempFolder(t), RECORDS, TOWNS);
  assert.deepEqual((await verifyDataset(folder)).differences, []);
  const names = Object.keys((await readManifest(folder)).files);
  await fc.assert(
    fc.asyncProperty(fc.constantFrom(...names), fc.nat(), fc.integer({ min: 1, max: 255 }), async (name, at, flip) => {
      const path = join(folder, name);
      const bytes = readFileSync(path);
      const place = at % bytes.length;
      bytes[place]! ^= flip;
      writeFileSync(path, bytes);
      const { differences } = await verifyDataset(folder);
      bytes[place]! ^= flip;
      writeFileSync(path, bytes);
      assert.equal(differences.length, 1);
      assert.ok(differences[0]!.startsWith(`${name}: its SHA-256 is `));
    }),
    { numRuns: 40 },
  );
});

test('verify finds a summary and a cell that are not what the record says', async (t) => {
  const data = tempFolder(t);
  const draft = await startDraft(data);
  const rows = await writeSunlight(draft, encoded(RECORDS), TOWNS, bulkWriter(draft, RECORDS));
  const other = await startDraft(data);
  const renamed = TOWNS.map((one) => ({ ...one, name: '大手町' }));
  await writeSunlight(other, encoded(RECORDS), renamed, async () => 0);
  cpSync(join(other, 'sunlight.store'), join(draft, 'sunlight.store'));
  const folder = await publishDataset(data, draft, draftManifest('aaaa'), { rows });
  const { differences } = await verifyDataset(folder);
  const wrong = RECORDS.find(({ townCode }) => townCode === TOWNS[0]!.townCode)!.buildingId;
  const right = RECORDS.find(({ townCode }) => townCode === TOWNS[1]!.townCode)!.buildingId;
  assert.ok(differences.includes(`sunlight.store: ${wrong}: its summary is not that of its record`));
  assert.ok(!differences.some((line) => line.includes(right)));
  const held = await verifyDataset(await publishRecords(data, RECORDS, TOWNS, draftManifest('bbbb')));
  assert.deepEqual(held.differences, []);
});

test('verify tells missing, cut and strange files, and counts what it decoded', async (t) => {
  const folder = await publishRecords(tempFolder(t), RECORDS, TOWNS);
  assert.deepEqual((await verifyDataset(folder)).checked, {
    ...(await verifyDataset(folder)).checked,
    buildings: RECORDS.length,
    rows: RECORDS.length,
    towns: 2,
  });
  rmSync(join(folder, 'towns.json'));
  truncateSync(join(folder, 'sunlight.store'), 10);
  mkdirSync(join(folder, 'more'));
  writeFileSync(join(folder, 'more', 'x'), '');
  const { differences } = await verifyDataset(folder);
  assert.deepEqual(
    differences.map((line) => line.replace(/says \d+/, 'says N')),
    ['sunlight.store: has 10 bytes, the manifest says N', 'towns.json: is missing', 'more/x: is not in the manifest'],
  );
});

test('the ID of a dataset depends on inputs, settings and program, and not on the order of keys', () => {
  const of = {
    programVersion: '1.0.0',
    inputs: [{ label: 'a.gml', sha256: '00' }],
    settings: { a: 1, b: { c: 2, d: 3 } },
  };
  const id = datasetId(of);
  assert.match(id, /^[0-9a-f]{16}$/);
  assert.equal(datasetId({ settings: { b: { d: 3, c: 2 }, a: 1 }, inputs: of.inputs, programVersion: '1.0.0' }), id);
  for (const changed of [
    { ...of, programVersion: '1.0.1' },
    { ...of, inputs: [{ label: 'a.gml', sha256: '01' }] },
    { ...of, settings: { ...of.settings, a: 2 } },
  ]) {
    assert.notEqual(datasetId(changed), id);
  }
  assert.equal(canonicalJson({ b: [{ d: 1, c: null }], a: 'x' }), '{"a":"x","b":[{"c":null,"d":1}]}');
});
