import assert from 'node:assert/strict';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { openDataset } from '../../src/dataset/open.ts';
import { cityGml, LAT, LON, townsInSquares, writeFiles } from '../support/small-city.ts';
import { tempFolder } from '../support/temp-folder.ts';
import { built } from './run-build.ts';

const folder = tempFolder({ after });
const at = (...names: string[]): string => join(folder, ...names);
const NAMES = 'lg_code,machiaza_id,blk_id,city,ward,oaza_cho,chome,koaza,blk_num,ablt_date\n';
const POSITIONS = 'lg_code,machiaza_id,blk_id,rep_lat,rep_lon,rep_srid\n';
const named = (id: string, number: string): string => `131016,0001003,${id},千代田区,,飯田橋,三丁目,,${number},\n`;
const placed = (id: string): string => `131016,0001003,${id},${LAT + 0.001},${LON + 0.002},EPSG:6668\n`;

test('a second file of an area is named, blocks without a number of digits are counted, and the registry is credited', async () => {
  const [houses = []] = townsInSquares(1, 2);
  await writeFiles(at('city'), { '53394611_bldg_6697_op.gml': cityGml(houses) });
  await writeFiles(at('a'), {
    'mt_rsdtdsp_blk_pref13.csv': NAMES + named('005', '05') + named('006', '甲') + named('007', '10-1'),
    'mt_rsdtdsp_blk_pos_pref13.csv': POSITIONS + placed('005') + placed('006') + placed('007'),
  });
  await writeFiles(at('b'), { 'mt_rsdtdsp_blk_pref13.csv': NAMES + named('008', '8') });
  const credit = { name: 'ours', url: 'https://example.org/', attribution: 'our own model' };
  const addresses = [at('a'), at('b')];
  const { dataset, report } = await built({ out: at('out'), citygml: [at('city')], addresses, credit });
  assert.deepEqual(report.sunlight!.addresses, {
    files: 2,
    files_left_out: [at('b/mt_rsdtdsp_blk_pref13.csv')],
    rows: 3,
    abolished: 0,
    without_name: 0,
    without_digits: 2,
    without_position: 0,
    duplicates: 0,
    elsewhere: 0,
    blocks: 1,
  });
  const opened = await openDataset(dataset);
  assert.equal(opened.search!.find('飯田橋3-5', 'address', 5).places[0]?.name, '飯田橋三丁目5番');
  const { attribution, sources } = opened.manifest.halves.sunlight!;
  assert.match(attribution, /^our own model、デジタル庁/, 'a credit of the operator leaves the registry its own');
  assert.equal(sources.length, 2);
  await opened.close();
});
