import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, truncateSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { findAllInputs, findInputs, InputError, kindOfName, openInput, readInput } from '../../src/pipeline/inputs.ts';
import { writeZip } from '../support/write-zip.ts';

const root = mkdtempSync(join(tmpdir(), 'hidamari-inputs-'));
after(() => rmSync(root, { recursive: true, force: true }));

/** Writes files under a new folder and gives its path. */
function folder(name: string, files: Record<string, string>): string {
  const path = join(root, name);
  mkdirSync(path, { recursive: true });
  for (const [file, text] of Object.entries(files)) {
    mkdirSync(join(path, file, '..'), { recursive: true });
    writeFileSync(join(path, file), text);
  }
  return path;
}

const PUBLISHED = {
  'udx/bldg/53394611_bldg_6697_op.gml': '<a/>',
  'udx/bldg/53394600_bldg_6697_op.gml': '<b/>',
  'udx/bldg/53394600_bldg_6697_appearance/roof.jpg': 'jpg',
  'udx/dem/533946_dem_6697_op.gml': '<dem/>',
  'udx/tran/533946_tran_6697_op.gml': '<tran/>',
  'codelists/Building_usage.xml': '<x/>',
  'metadata/udx13100_2020_bldg_op.xml': '<x/>',
};

test('kinds of published files, by name', () => {
  const KINDS: [string, string][] = [
    ['udx/bldg/53394611_bldg_6697_op.gml', 'buildings'],
    ['53394611_bldg_6697_2_op.GML', 'buildings'],
    ['uro20_lod2_53392633_bldg_6697_2_op.gml', 'buildings'],
    ['town.gml', 'buildings'],
    ['udx/bldg/town.gml', 'buildings'],
    ['523965_dem_6697_05_op.gml', 'terrain'],
    ['udx/tran/533946_tran_6697_op.gml', 'city_objects'],
    ['udx/ubld/x.gml', 'city_objects'],
    ['codelists/Building_usage.xml', 'code_list'],
    ['r2ka13101.shp', 'shapefile'],
    ['r2ka13101.DBF', 'shapefile'],
    ['jigyosho_510.csv', 'office_list'],
    ['jigyosho_510_all_20251231.csv', 'office_list'],
    ['13TOKYO.CSV', 'postal_names'],
    ['KEN_ALL.CSV', 'postal_names'],
    ['details.csv', 'table'],
    ['city.zip', 'zip'],
    ['udx/bldg/53394611_bldg_6697_op.gml.gz', 'packed'],
    ['__MACOSX/udx/bldg/._53394611_bldg_6697_op.gml', 'other'],
    ['readme.md', 'other'],
  ];
  for (const [name, kind] of KINDS) assert.equal(kindOfName(name), kind, name);
});

test('the order of files does not depend on the names of their folders', async () => {
  const paths = [folder('before/a', { 'rails.geojson': '{}' }), folder('before/b', { 'parks.geojson': '{}' })];
  const renamed = [folder('after/b', { 'rails.geojson': '{}' }), folder('after/a', { 'parks.geojson': '{}' })];
  for (const given of [paths, renamed, paths.toReversed()]) {
    const labels = (await findAllInputs(given)).map(({ label }) => label);
    assert.deepEqual(labels, ['parks.geojson', 'rails.geojson']);
  }
});

test('a folder is walked; what is not wanted is passed over and said', async () => {
  const path = folder('published', PUBLISHED);
  const { inputs, passedOver } = await findInputs([path], ['buildings']);
  assert.deepEqual(
    inputs.map(({ label, size, kind }) => [label, size, kind]),
    [
      ['udx/bldg/53394600_bldg_6697_op.gml', 4, 'buildings'],
      ['udx/bldg/53394611_bldg_6697_op.gml', 4, 'buildings'],
    ],
  );
  assert.deepEqual(
    passedOver.map(({ name, kind }) => [name.slice(path.length + 1), kind]),
    [
      ['codelists/Building_usage.xml', 'code_list'],
      ['metadata/udx13100_2020_bldg_op.xml', 'other'],
      ['udx/bldg/53394600_bldg_6697_appearance/roof.jpg', 'other'],
      ['udx/dem/533946_dem_6697_op.gml', 'terrain'],
      ['udx/tran/533946_tran_6697_op.gml', 'city_objects'],
    ],
  );
  assert.equal((await readInput(inputs[1]!)).toString(), '<a/>');
});

for (const zip64 of [false, true]) {
  test(`a zip is read without unpacking${zip64 ? ' (zip64)' : ''}`, async () => {
    const big = `<!-- ${'0123456789'.repeat(100_000)} -->`;
    const files = { ...PUBLISHED, 'udx/bldg/53394622_bldg_6697_op.gml': big };
    const path = join(root, `city-${zip64}.zip`);
    writeZip(
      path,
      Object.entries(files).map(([name, data], i) => ({ name: `13100_東京/${name}`, data, stored: i % 2 === 0 })),
      { zip64 },
    );
    const { inputs, passedOver } = await findInputs([path], ['buildings']);
    assert.deepEqual(
      inputs.map(({ label }) => label.slice(9 + 'udx/bldg/'.length)),
      ['53394600_bldg_6697_op.gml', '53394611_bldg_6697_op.gml', '53394622_bldg_6697_op.gml'],
    );
    assert.equal(passedOver.length, 5);
    // An input is plain data: it can go to a worker thread and be opened there.
    const copy = structuredClone(inputs[2]!);
    assert.equal((await readInput(copy)).toString(), big);
    assert.equal(copy.size, big.length);
    for (const input of inputs) assert.equal((await readInput(input)).length, input.size);
  });
}

test('a zip in a folder is read, a zip in a zip and what is packed otherwise is not, names in Shift_JIS are told', async () => {
  const path = folder('mixed', { 'a_bldg.gml': '<a/>', 'b_bldg.gml.gz': 'x' });
  const inner = join(root, 'inner.zip');
  writeZip(inner, [{ name: 'x.gml', data: '<x/>' }]);
  writeZip(join(path, 'city.zip'), [
    // 東京.gml in Shift_JIS, without the UTF-8 flag.
    { name: Uint8Array.from([0x93, 0x8c, 0x8b, 0x9e, ...Buffer.from('.gml')]), data: '<b/>' },
    { name: 'inner.zip', data: readFileSync(inner) },
    { name: 'udx/', data: '', stored: true },
  ]);
  const { inputs, passedOver } = await findInputs([path], ['buildings']);
  assert.deepEqual(
    inputs.map(({ name }) => name.slice(path.length + 1)),
    ['a_bldg.gml', 'city.zip/東京.gml'],
  );
  assert.deepEqual(
    passedOver.map(({ kind, reason }) => [kind, reason]),
    [
      ['packed', 'only zips are opened: unpack it'],
      ['zip', 'a zip inside a zip is not opened: unpack the outer one'],
    ],
  );
});

test('the same file by two paths, and links in a circle, are read once', async () => {
  const path = folder('circle', { 'udx/town.gml': '<a/>' });
  symlinkSync(path, join(path, 'udx', 'again'));
  const { inputs } = await findInputs([path, join(path, 'udx', 'town.gml'), join(path, '.')], ['buildings']);
  assert.equal(inputs.length, 1);
});

test('a file named outright is what was asked for, unless its name says otherwise', async () => {
  const path = folder('named', {
    'city.xml': '<a/>',
    'offices.csv': 'a',
    '523965_dem_6697_op.gml': '<a/>',
    'b.gml': '<b/>',
  });
  const one = async (file: string, ...wanted: Parameters<typeof findInputs>[1]) =>
    (await findInputs([join(path, file)], wanted)).inputs.map(({ kind }) => kind);
  assert.deepEqual(await one('city.xml', 'buildings'), ['buildings']);
  assert.deepEqual(await one('offices.csv', 'office_list'), ['office_list']);
  const both = await findInputs([join(path, 'b.gml'), join(path, '523965_dem_6697_op.gml')], ['buildings']);
  assert.equal(both.inputs.length, 1);
  assert.equal(both.passedOver[0]?.kind, 'terrain');
  assert.equal((await findAllInputs([path])).length, 4);
});

test('one clear line for whatever gives nothing to read', async () => {
  const empty = folder('empty', {});
  const others = folder('others', { 'readme.txt': 'x', 'jigyosho_510.csv': 'x' });
  const notZip = join(folder('not-zip', { 'a.zip': 'not a zip at all, but long enough to look' }), 'a.zip');
  const secret = join(root, 'secret.zip');
  writeZip(secret, [{ name: 'a.gml', data: '<a/>', stored: false, encrypted: true }]);
  const cut = join(root, 'cut.zip');
  writeZip(cut, [{ name: 'a.gml', data: '<a/>'.repeat(1000) }]);
  truncateSync(cut, 40);
  const BAD: [string, RegExp][] = [
    [join(root, 'nowhere'), /nowhere: no such file or folder$/],
    [empty, /empty: there are no files in it; expected CityGML of buildings$/],
    [
      others,
      /others: found no file that is CityGML of buildings; it holds jigyosho_510\.csv \(an office list\), readme\.txt/,
    ],
    [join(others, 'jigyosho_510.csv'), /nothing to read: expected CityGML of buildings, found .*\(an office list\)$/],
    [notZip, /a\.zip: not a readable zip: /],
    [cut, /cut\.zip: not a readable zip: /],
    [secret, /secret\.zip: not a readable zip: a\.gml is encrypted; unpack the archive/],
  ];
  for (const [path, says] of BAD) {
    await assert.rejects(findInputs([path], ['buildings']), (error: Error) => {
      assert.ok(error instanceof InputError, String(error));
      assert.match(error.message, says);
      assert.ok(!error.message.includes('\n'));
      return true;
    });
  }
});

test('damage inside a zip is found when the file is read', async () => {
  const text = '<core:CityModel/>'.repeat(500);
  for (const stored of [true, false]) {
    const path = join(root, `damaged-${stored}.zip`);
    writeZip(path, [{ name: 'a.gml', data: text, stored }]);
    const bytes = readFileSync(path);
    bytes[stored ? 600 : 45]! ^= 0xff;
    writeFileSync(path, bytes);
    const { inputs } = await findInputs([path], ['buildings']);
    await assert.rejects(async () => {
      for await (const _ of openInput(inputs[0]!));
    }, /damaged-.*\.zip\/a\.gml: cannot be read: /);
  }
});
