import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { readAddressBlockNames, readAddressBlockPositions } from '../../src/census/address-blocks.ts';

const NAMES =
  'lg_code,machiaza_id,blk_id,city,ward,oaza_cho,chome,koaza,machiaza_dist,blk_num,rsdt_addr_flg,rsdt_addr_mtd_code,' +
  'status_flg,efct_date,ablt_date,src_code,remarks\n';
const POSITIONS =
  'lg_code,machiaza_id,blk_id,rsdt_addr_flg,rsdt_addr_mtd_code,rep_lon,rep_lat,rep_srid,rep_scale,rep_src_code\n';
const names = (rows: string) => readAddressBlockNames(Buffer.from(`\ufeff${NAMES}${rows}`), 'blk.csv');
const positions = (rows: string) => readAddressBlockPositions(Buffer.from(POSITIONS + rows), 'blk_pos.csv');

describe('blocks of the address registry', () => {
  it('have the names of municipality, ward, town and chome', () => {
    const { rows, blocks } = names(
      '131016,0001003,005,千代田区,,飯田橋,三丁目,,,5,1,1,1,1966-04-01,,1,\n141046,0012000,010,横浜市,中区,山下町,,,,１０,1,1,1,1966-04-01,,1,\n',
    );
    assert.equal(rows, 2);
    assert.deepEqual(blocks, [
      { id: '1310160001003005', municipality: '13101', city: '千代田区', town: '飯田橋三丁目', number: '5' },
      { id: '1410460012000010', municipality: '14104', city: '横浜市中区', town: '山下町', number: '10' },
    ]);
  });

  it('get back the zeros that a spreadsheet took from their codes', () => {
    assert.equal(names('11011,1003,5,札幌市,中央区,北一条西,,,,5,1,1,1,,,1,\n').blocks[0]?.id, '0110110001003005');
  });

  it('that are there no more, have no number or no position are counted', () => {
    const read = names(
      '131016,0001003,005,千代田区,,飯田橋,三丁目,,,5,1,1,1,,2020-01-01,1,\n131016,0001003,006,千代田区,,飯田橋,三丁目,,,,1,1,1,,,1,\n',
    );
    assert.deepEqual([read.blocks, read.abolished, read.withoutName], [[], 1, 1]);
    const placed = positions(
      '131016,0001003,005,1,1,,,EPSG:6668,2500,1\n131016,0001003,006,1,1,139.7,35.7,EPSG:4301,2500,1\n131016,0001003,007,1,1,139.75,35.7,EPSG:6668,2500,1\n',
    );
    assert.equal(placed.withoutPosition, 2);
    assert.deepEqual([...placed.positions], [['1310160001003007', [35.7, 139.75]]]);
  });

  const WRONG: [what: string, read: () => unknown, message: RegExp][] = [
    [
      'another table',
      () => readAddressBlockNames(Buffer.from('a,b\n1,2\n'), 'x.csv'),
      /^PublishedFileError: x\.csv: .*the columns missing are lg_code, .*has a, b/,
    ],
    ['nothing', () => readAddressBlockNames(Buffer.alloc(0), 'x.csv'), /x\.csv: empty/],
    [
      'a code of letters',
      () => names('1310A6,0001003,005,千代田区,,飯田橋,三丁目,,,5,1,1,1,,,1,\n'),
      /blk\.csv, line 2: lg_code "1310A6".*not the codes of a block/,
    ],
    [
      'a place outside Japan',
      () => positions('131016,0001003,005,1,1,35.7,139.75,EPSG:6668,2500,1\n'),
      /blk_pos\.csv, line 2: rep_lat 139\.75 .*not degrees of a place in Japan/,
    ],
    ['a row of other length', () => names('131016,0001003\n'), /blk\.csv: not a CSV file: .*line 2/],
  ];
  for (const [what, read, message] of WRONG) it(`${what} is an error that says so`, () => assert.throws(read, message));
});
