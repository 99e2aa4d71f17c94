import assert from 'node:assert/strict';
import { join } from 'node:path';
import { test } from 'node:test';
import { officeList } from '../../samples/kaigo.ts';
import type { Town } from '../../src/census/town.ts';
import { STANDARD_CASE } from '../../src/contract/kaigo-cost.ts';
import { buildTemporarily } from '../kaigo/support/build.ts';
import { withFiles } from '../kaigo/support/sample.ts';
import { build, facility, office, serviceOf, withFields } from '../kaigo/support/small-lists.ts';

/** A town that is a square of degrees. */
const town = (wardCode: string, wardName: string, south: number, west: number, north: number, east: number): Town => ({
  townCode: `${wardCode}001001`,
  name: null,
  reading: null,
  wardCode,
  wardName,
  postalCodes: [],
  wardReading: null,
  households: null,
  lat: (south + north) / 2,
  lon: (west + east) / 2,
  rings: [Float64Array.of(south, west, south, east, north, east, north, west)],
});

test('a position is compared with the towns of the census', async () => {
  const towns = [
    town('13101', '千代田区', 35.6, 139.7, 35.7, 139.8),
    town('13104', '新宿区', 35.7, 139.7, 35.8, 139.8),
    town('22131', '浜松市中区', 34.6, 137.6, 34.8, 137.8),
  ];
  const hamamatsu = { 都道府県コード又は市町村コード: '221384', 都道府県名: '静岡県', 市区町村名: '浜松市中央区' };
  const places: [id: string, lat: string, lon: string, location: string, more?: Record<string, string>][] = [
    ['1370100018', '35.69', '139.75', 'published'],
    // In Shinjuku, but within 500 m of its own ward.
    ['1370100026', '35.703', '139.75', 'published'],
    ['1370100034', '35.73', '139.75', 'suspect'],
    // Where the census has no town, there is no message.
    ['1370100042', '35.9', '139.75', 'published'],
    // The wards of its city have changed since the census.
    ['2270100019', '34.7', '137.7', 'published', hamamatsu],
    // Its own municipality is not in the census, but its prefecture is not here either.
    [
      '2270100027',
      '35.65',
      '139.75',
      'suspect',
      { ...hamamatsu, 市区町村名: '磐田市', 都道府県コード又は市町村コード: '222119' },
    ],
  ];
  const list = officeList(places.map(([id, lat, lon, , more]) => office(id, { 緯度: lat, 経度: lon, ...more })));
  await withFiles(new Map([['lists/jigyosho_510.csv', list]]), (folder) =>
    buildTemporarily({ offices: [join(folder, 'lists')], towns }, (built) => {
      for (const [id, , , location] of places) assert.equal(facility(built, id).location, location, id);
      assert.equal(built.half.report.findings.position_census?.count, 2);
    }),
  );
});

test('the sum of a month supports a fee for a room below the standard', async () => {
  const rows: (string | number)[][] = [
    ['1370100018', 60, 'unit', 1700, 51_000],
    ['1370100026', 60, 'unit', 1700, 52_700],
    ['1370100034', 60, 'unit', 1700, 50_000],
  ];
  const list = officeList(rows.map(([id]) => office(String(id), { 法人の名称: `法人${id}` })));
  const fields = ['rooms_private', 'room_kind', 'room_yen_per_day', 'room_yen_per_month'];
  await build([['lists/jigyosho_510.csv', list], ...withFields(fields, '510', rows)], (built) => {
    const rooms = rows.map(([id]) => serviceOf(built, String(id)).cost_estimate.basis?.room);
    assert.deepEqual(rooms, ['published', 'published', 'standard_refused']);
  });
});

test('special nursing homes are of social welfare corporations, though their names leave that out', async () => {
  const corporations = [
    '正吉福祉会',
    '社会福法人 小鹿野福祉会',
    '（福）青空会',
    '横手市',
    '日本赤十字社',
    '医療法人白雲会',
  ];
  const ids = corporations.map((_, i) => `137010001${i}`);
  const list = officeList(ids.map((id, i) => office(id, { 法人の名称: corporations[i]! })));
  const paid = officeList([office('1370200018', { 法人の名称: '正吉福祉会' })]);
  await build(
    [
      ['lists/jigyosho_510.csv', list],
      ['lists/jigyosho_150.csv', paid],
    ],
    ({ answers }) => {
      const relief = (id: string) =>
        answers.facility(id, { ...STANDARD_CASE, income: '2', aid: 'social_welfare' })!.toJSON().services[0]!
          .cost_estimate.reductions?.welfare_relief ?? null;
      assert.deepEqual(
        ids.map((id) => relief(id) !== null),
        [true, true, true, false, false, false],
      );
      assert.equal(relief('1370200018'), null);
    },
  );
});
