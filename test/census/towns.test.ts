import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { JGD2011, type ShapeColumn, type ShapeRecord, shapefile } from '../../samples/shapefile.ts';
import { PublishedFileError } from '../../src/census/published-file.ts';
import { TownIndex, wholeTownCode } from '../../src/census/town.ts';
import { type CensusShapefile, readTowns } from '../../src/census/towns.ts';

const COLUMNS: ShapeColumn[] = [
  { name: 'KEY_CODE', type: 'C', width: 11 },
  { name: 'CITY_NAME', type: 'C', width: 16 },
  { name: 'S_NAME', type: 'C', width: 40 },
  { name: 'HCODE', type: 'N', width: 4 },
  { name: 'X_CODE', type: 'N', width: 15 },
  { name: 'Y_CODE', type: 'N', width: 15 },
];

/** Rings as published: outer ones clockwise, holes counter-clockwise. */
const square = (west: number, south: number, size: number, hole = false): [number, number][] => {
  const ring: [number, number][] = [
    [west, south],
    [west, south + size],
    [west + size, south + size],
    [west + size, south],
  ];
  return hole ? ring.reverse() : ring;
};

const area = (
  code: string,
  name: string,
  rings: [number, number][][],
  more: Record<string, string> = {},
): ShapeRecord => ({
  rings,
  attributes: { KEY_CODE: code, CITY_NAME: '葛飾区', S_NAME: name, HCODE: '8101', ...more },
});

function file(records: ShapeRecord[], change: Partial<CensusShapefile> = {}, columns = COLUMNS): CensusShapefile {
  const { shp, dbf, prj } = shapefile(records, columns);
  return { name: 'r2ka13122.shp', shp, dbf, prj: Buffer.from(prj).toString('latin1'), ...change };
}

describe('towns of the census', () => {
  const records = [
    area('13122001002', '朝霧二丁目', [square(139.82, 35.7, 0.01)]),
    area('13122001001', '朝霧一丁目', [square(139.8, 35.7, 0.01), square(139.803, 35.703, 0.002, true)], {
      X_CODE: '139.8040',
      Y_CODE: '35.7040', // in the hole
    }),
    area('131220020', '陽向', [square(139.84, 35.7, 0.002)]),
    area('131220020', '陽向', [square(139.85, 35.7, 0.01)], { X_CODE: '139.851000', Y_CODE: '35.702000' }),
    area('131220030', '水面調査区', [square(139.86, 35.7, 0.01)], { HCODE: '8154' }),
    area('131220040', '‐', [square(139.88, 35.7, 0.01)]),
    area('13122', '境界', [square(139.9, 35.7, 0.01)]),
  ];
  const { towns, report } = readTowns([file(records)], null);

  it('are in order of code, parts merged, water dropped, all counted', () => {
    assert.deepEqual(
      towns.map(({ townCode, name, wardCode, wardName, rings }) => [townCode, name, wardCode, wardName, rings.length]),
      [
        ['13122001001', '朝霧一丁目', '13122', '葛飾区', 2],
        ['13122001002', '朝霧二丁目', '13122', '葛飾区', 1],
        ['131220020', '陽向', '13122', '葛飾区', 2],
        ['131220040', null, '13122', '葛飾区', 1],
      ],
    );
    assert.equal(report.records, 7);
    assert.equal(report.merged_parts, 1);
    assert.equal(report.water, 1);
    assert.deepEqual(report.without_code, { count: 1, examples: ['r2ka13122.shp: record 7 (KEY_CODE "13122")'] });
    assert.deepEqual(report.without_name, { count: 1, examples: ['131220040'] });
    assert.equal(report.records, report.towns + report.merged_parts + report.water + report.without_code.count);
  });

  it('have their published centre where it lies inside, of the largest part; else a point that does', () => {
    const [first, , detached] = towns;
    assert.deepEqual([detached!.lat, detached!.lon], [35.702, 139.851]);
    const inHole = first!.lon > 139.803 && first!.lon < 139.805 && first!.lat > 35.703 && first!.lat < 35.705;
    assert.ok(!inHole, `${first!.lat} ${first!.lon}`);
    const index = new TownIndex(towns);
    for (const town of towns) assert.equal(index.townAt(town.lat, town.lon), town);
  });

  it('are found by position: holes and water belong to none, every detached part to its town', () => {
    const at = (lat: number, lon: number) => new TownIndex(towns).townAt(lat, lon)?.townCode ?? null;
    assert.equal(at(35.701, 139.801), '13122001001');
    assert.equal(at(35.704, 139.804), null);
    assert.equal(at(35.701, 139.841), '131220020');
    assert.equal(at(35.705, 139.855), '131220020');
    assert.equal(at(35.705, 139.865), null);
    assert.equal(at(34, 139), null);
    assert.equal(new TownIndex([]).townAt(35.7, 139.8), null);
  });

  it('read twice are read once', () => {
    const again = readTowns([file(records), file(records)], null);
    assert.deepEqual(again.towns, towns);
    assert.equal(again.report.repeated, 5);
  });

  it('that tile a plane give every point to exactly one', () => {
    const tiles = Array.from({ length: 16 }, (_, i) =>
      area(`13122001${String(i + 1).padStart(3, '0')}`, `町${i}`, [
        square(139.8 + (i % 4) * 0.25, 35 + Math.floor(i / 4) * 0.25, 0.25),
      ]),
    );
    const tiled = readTowns([file(tiles)], null).towns;
    const index = new TownIndex(tiled);
    const grid = fc.integer({ min: 1, max: 31 });
    fc.assert(
      fc.property(grid, grid, (i, j) => {
        // Multiples of 1/32 fall on borders and corners, too.
        assert.ok(index.townAt(35 + j / 32, 139.8 + i / 32) !== null);
      }),
    );
  });
});

describe('a code of nine digits', () => {
  it('names the town that its chome belong to', () => {
    assert.equal(wholeTownCode('13122001002'), '131220010');
    assert.equal(wholeTownCode('131220010'), null);
  });
});

describe('a wrong file is refused in one line that says what is wrong', () => {
  const good = [area('13122001001', '朝霧一丁目', [square(139.8, 35.7, 0.01)])];
  const whole = file(good);
  const cases: [string, CensusShapefile, RegExp][] = [
    ['no table', { ...whole, dbf: null }, /r2ka13122\.dbf is missing/],
    ['no shapefile', { ...whole, shp: Buffer.from('PK\u0003\u0004'.padEnd(200, 'x')) }, /not a shapefile/],
    ['cut off', { ...whole, shp: whole.shp.subarray(0, -20) }, /cut off after \d+ bytes/],
    ['table cut off', { ...whole, dbf: whole.dbf!.subarray(0, -40) }, /cut off after 0 of 1 records/],
    ['table of another', { ...whole, dbf: shapefile([...good, ...good], COLUMNS).dbf }, /1 shapes, but 2 records/],
    ['no KEY_CODE', file(good, {}, COLUMNS.slice(1)), /no column KEY_CODE/],
    ['no usable KEY_CODE', file([area('13122', '区', [square(139.8, 35.7, 0.01)])]), /9 or 11 digits/],
    [
      'plane coordinates',
      { ...whole, prj: `PROJCS["JGD_2011_Japan_Zone_9",${JGD2011}]` },
      /plane coordinates \(JGD_2011_Japan_Zone_9\)/,
    ],
    [
      'Tokyo datum',
      { ...whole, prj: JGD2011.replaceAll('JGD_2011', 'Tokyo') },
      /datum D_Tokyo; expected degrees of JGD2011/,
    ],
    [
      'metres without a .prj',
      file([area('13122001001', '町', [square(-12000, -35000, 100)])], { prj: null }),
      /is not longitude and latitude/,
    ],
    ['points', { ...whole, shp: withType(whole.shp, 1) }, /shapes of type 1; small areas are polygons/],
    ['text of neither encoding', { ...whole, dbf: withNonsense(whole.dbf!) }, /neither cp932 \(Shift_JIS\) nor UTF-8/],
  ];
  for (const [name, input, message] of cases) {
    it(name, () => {
      assert.throws(
        () => readTowns([input], null),
        (error) => error instanceof PublishedFileError && message.test(error.message) && !error.message.includes('\n'),
      );
    });
  }

  it('also when the file before it is right', () => {
    const other = file([area('13122', '区', [square(139.8, 35.7, 0.01)])]);
    assert.throws(() => readTowns([whole, other], null), /no record has a KEY_CODE of 9 or 11 digits/);
  });

  it('every byte that a .shp can be cut at gives an error, never fewer towns', () => {
    for (let length = 0; length < whole.shp.length; length++) {
      assert.throws(() => readTowns([{ ...whole, shp: whole.shp.subarray(0, length) }], null), PublishedFileError);
    }
  });

  it('a damaged byte gives towns or a PublishedFileError, never anything else', () => {
    fc.assert(
      fc.property(fc.nat(whole.shp.length - 1), fc.nat(255), fc.boolean(), (at, value, inTable) => {
        const bytes = Buffer.from(inTable ? whole.dbf! : whole.shp);
        bytes[at % bytes.length] = value;
        try {
          readTowns([inTable ? { ...whole, dbf: bytes } : { ...whole, shp: bytes }], null);
        } catch (error) {
          assert.ok(error instanceof PublishedFileError, `${error}`);
        }
      }),
      { numRuns: 500 },
    );
  });
});

function withType(shp: Uint8Array, type: number): Buffer {
  const out = Buffer.from(shp);
  out.writeInt32LE(type, 32);
  return out;
}

/** Puts bytes into the name that neither encoding has. */
function withNonsense(dbf: Uint8Array): Buffer {
  const out = Buffer.from(dbf);
  return out.fill(0xfd, out.length - 80, out.length - 70);
}
