import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { readDbase } from '../../src/census/dbase.ts';
import { readReadings } from '../../src/census/readings.ts';
import { BUILT_IN_FEES } from '../../src/kaigo/facts/built-in.ts';
import { Findings } from '../../src/kaigo/findings.ts';
import { readCareTable } from '../../src/pipeline/care-tables.ts';
import { findAllInputs, findInputs, LARGEST_HELD, openInput, readInput } from '../../src/pipeline/inputs.ts';
import { BuildingReader } from '../../src/plateau/reader.ts';
import { hidamari } from '../support/run.ts';
import { tempFolder } from '../support/temp-folder.ts';
import { workbook } from '../support/workbook.ts';
import { writeZip } from '../support/write-zip.ts';

/** Offsets of the unpacked size in a local header and in a directory entry of a zip. */
const SIZE_FIELDS: [signature: number, offset: number][] = [
  [0x04034b50, 22],
  [0x02014b50, 24],
];

/** A zip whose one file declares this number of bytes, independent of its real size. */
function lyingZip(path: string, name: string, data: Buffer, stated: number): void {
  writeZip(path, [{ name, data }]);
  const bytes = readFileSync(path);
  for (const [signature, offset] of SIZE_FIELDS) {
    const mark = Buffer.alloc(4);
    mark.writeUInt32LE(signature);
    bytes.writeUInt32LE(stated, bytes.indexOf(mark) + offset);
  }
  writeFileSync(path, bytes);
}

describe('a zip', () => {
  it('that states a table of 1 GB is refused by name before anything is unpacked', async (t) => {
    const path = join(tempFolder(t), 'census.zip');
    lyingZip(path, 'r2ka13101.dbf', Buffer.alloc(1000), 1e9);
    const [input] = await findAllInputs([path]);
    await assert.rejects(readInput(input), /census\.zip\/r2ka13101\.dbf: 954 MiB unpacked; at most 256 MiB are read/);
  });

  it('that holds another zip is refused with what to do', async (t) => {
    const path = join(tempFolder(t), 'city.zip');
    writeZip(path, [{ name: 'inner.zip', data: Buffer.alloc(100) }]);
    await assert.rejects(findInputs([path], ['buildings']), /it holds inner\.zip \(a zip\); .* unpack the outer one/);
  });

  it('that holds more than it states is refused when that is found', async (t) => {
    const path = join(tempFolder(t), 'census.zip');
    lyingZip(path, 'r2ka13101.dbf', Buffer.alloc(4 << 20), 1000);
    const [input] = await findAllInputs([path]);
    await assert.rejects(readInput(input), /census\.zip\/r2ka13101\.dbf: cannot be read: too many bytes/);
  });

  it('that holds less than it states is refused when it ends', async (t) => {
    const path = join(tempFolder(t), 'census.zip');
    lyingZip(path, 'r2ka13101.dbf', Buffer.alloc(1000), 4 << 20);
    const [input] = await findAllInputs([path]);
    await assert.rejects(readInput(input), /cannot be read: not enough bytes: expected 4194304, found 1000/);
  });
});

it('a file that grows while it is read stops at the limit', async (t) => {
  const path = join(tempFolder(t), '13TOKYO.CSV');
  writeFileSync(path, Buffer.alloc(3 << 20));
  const [input] = await findAllInputs([path]);
  const read = async () => {
    for await (const _ of openInput({ ...input, size: 10 }, 1 << 20));
  };
  await assert.rejects(read(), /13TOKYO\.CSV: 2 MiB unpacked; at most 1 MiB/);
  assert.ok(LARGEST_HELD >= 4 * 60e6, 'published files stay far under the limit');
});

it('a named pipe is refused at once and not waited for', async (t) => {
  const path = join(tempFolder(t), 'jigyosho_510.csv');
  assert.equal(spawnSync('mkfifo', [path]).status, 0);
  for (const args of [
    ['build', '--out', join(tempFolder(t), 'out'), '--offices', path],
    ['inspect', path],
    ['fees', '--service', '510', '--grade', '1', '--fees', path],
  ]) {
    const { code, stderr } = await hidamari(args);
    assert.equal(code, 1, args[0]);
    assert.match(stderr, /jigyosho_510\.csv: is a named pipe, not a file or folder/);
  }
});

it('a workbook of which all sheets are one large part is refused by name', async (t) => {
  const path = join(tempFolder(t), 'register.xlsx');
  const parts = workbook(Array.from({ length: 30 }, (_, i) => [`表${i}`, '']));
  parts.set('xl/_rels/workbook.xml.rels', parts.get('xl/_rels/workbook.xml.rels')!.replace(/sheet\d+/g, 'sheet1'));
  parts.set('xl/worksheets/sheet1.xml', `<worksheet><sheetData/>${' '.repeat(12e6)}</worksheet>`);
  writeZip(
    path,
    [...parts].map(([name, text]) => ({ name, data: Buffer.from(text) })),
  );
  const { inputs } = await findInputs([path], ['table']);
  const read = readCareTable(inputs[0]!, { fees: BUILT_IN_FEES, today: '2026-10-01' }, new Findings());
  await assert.rejects(
    read,
    /register\.xlsx: is too large to be read: xl\/worksheets\/sheet1\.xml, with all before it/,
  );
});

describe('a city model', () => {
  const refusal = (...inside: string[]): string => {
    const namespaces = ['core=http://www.opengis.net/citygml/2.0', 'bldg=http://www.opengis.net/citygml/building/2.0'];
    namespaces.push('gml=http://www.opengis.net/gml', 'uro=https://www.geospatial.jp/iur/uro/2.0');
    const root = namespaces.map((it) => ` xmlns:${it.replace('=', '="')}"`).join('');
    const reader = new BuildingReader('53394611_bldg.gml', { building() {}, issue() {} });
    try {
      reader.feed(Buffer.from(`<core:CityModel${root}><core:cityObjectMember><bldg:Building gml:id="b">`));
      for (const piece of inside) reader.feed(Buffer.from(piece));
      reader.feed(Buffer.from('</bldg:Building></core:cityObjectMember></core:CityModel>'));
    } catch (error) {
      return (error as Error).message;
    }
    return 'read';
  };
  const times = (count: number, text: (i: number) => string): string =>
    Array.from({ length: count }, (_, i) => text(i)).join('');
  const ids = (count: number): string =>
    `<uro:buildingIDAttribute><uro:BuildingIDAttribute>${times(count, (i) => `<uro:buildingID>13101-bldg-${i}</uro:buildingID>`)}</uro:BuildingIDAttribute></uro:buildingIDAttribute>`;
  const part = '<bldg:consistsOfBuildingPart><bldg:BuildingPart/></bldg:consistsOfBuildingPart>';

  it('of which something has no end is refused by name, byte and limit', () => {
    const cases: [string[], RegExp][] = [
      [[`<core:a ${times(1001, (i) => `a${i}=""`.concat(' '))}/>`], /byte \d+: a tag of more than 1000 attributes/],
      [[times(10_000, (i) => `<core:a${i}/>`)], /byte \d+: more than 10000 different names of elements/],
      [
        ['<bldg:usage>', ...Array.from({ length: 17 }, () => `<![CDATA[${'1'.repeat(1 << 20)}]]>`)],
        /byte \d+: a single tag or text of more than 16 MiB/,
      ],
    ];
    for (const [inside, message] of cases)
      assert.match(refusal(...inside), new RegExp(`53394611_bldg.gml: ${message.source}`));
    assert.equal(refusal(ids(1000), part.repeat(100)), 'read');
  });
});

describe('a table', () => {
  it('with a line longer than any published one is refused by file and line', async (t) => {
    const folder = tempFolder(t);
    writeFileSync(join(folder, 'jigyosho_510.csv'), `都道府県コード,市区町村名\r\n${'a'.repeat(2 << 20)}`);
    const { code, stderr } = await hidamari(['build', '--out', join(folder, 'out'), '--offices', folder]);
    assert.equal(code, 1);
    assert.match(stderr, /jigyosho_510\.csv, line 2: a line of 2097152 bytes; expected a CSV table/);
  });

  it('of postal names with a row that never ends is refused by name', () => {
    const bytes = Buffer.from(`13101,"100  ","1000000","${'a'.repeat(200_000)}`);
    assert.throws(() => readReadings(bytes, '13TOKYO.CSV'), /13TOKYO\.CSV: not a CSV file/);
  });

  it('of census areas with more records than a country has is refused by name', () => {
    const header = Buffer.alloc(65);
    header.writeUInt32LE(4e9, 4);
    header.writeUInt16LE(65, 8);
    header.writeUInt16LE(1, 10);
    header.write('A', 32);
    header[64] = 0x0d;
    assert.throws(() => readDbase(header, 'r2ka13101.dbf'), /r2ka13101\.dbf: 4000000000 records; at most 2000000/);
  });
});
