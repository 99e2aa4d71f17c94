import assert from 'node:assert/strict';
import { readdirSync } from 'node:fs';
import { test } from 'node:test';
import fc from 'fast-check';
import type { SunSort } from '../../src/contract/operations/sunlight-towns.ts';
import type { BuildingSummary } from '../../src/contract/sunlight-shapes.ts';
import { openDataset } from '../../src/dataset/open.ts';
import { writeSunlight } from '../../src/dataset/sunlight-writer.ts';
import { verifyDataset } from '../../src/dataset/verify.ts';
import { encodeRecord } from '../../src/record/codec.ts';
import { tempFolder } from '../support/temp-folder.ts';
import { publishRecords, town } from './support/dataset.ts';
import { records } from './support/records.ts';

const TOWNS = [
  town('13101001001', '丸の内一丁目', 'まるのうち1ちょうめ'),
  town('13101001002', '丸の内二丁目', 'まるのうち2ちょうめ'),
  town('131010020', '大手町', 'おおてまち'),
];

/** Buildings of real shape in the towns above, `count` of them, with IDs that do not sort like numbers. */
function buildings(count: number) {
  const codes = [...TOWNS.map(({ townCode }) => townCode).slice(0, 2), null];
  return fc
    .sample(records, { numRuns: count, seed: 7 })
    .map((record, i) => ({ ...record, buildingId: `13101-bldg-${i + 1}`, townCode: codes[i % codes.length]! }));
}

test('every building is found, and nothing else', async (t) => {
  const all = buildings(30);
  const dataset = await openDataset(await publishRecords(tempFolder(t), all, TOWNS));
  t.after(() => dataset.close());
  const { sunlight } = dataset;
  for (const { buildingId } of all) assert.equal(sunlight!.summary(buildingId)!.toJSON().building_id, buildingId);
  const long = [1900, 1980, 4010, 4020, 4030, 5000, 16_000].map((digits) => `13101-bldg-${'1'.repeat(digits)}`);
  for (const id of ['13101-bldg-0', '13101-bldg-31', '13101-bldg-', 'x', '13101-bldg-1\0', ...long]) {
    assert.equal(sunlight!.summary(id), null);
    assert.equal(sunlight!.full(id), null);
  }
});

test('a ward lists all its buildings, those with most sun first, in each order', async (t) => {
  const all = buildings(230).map((record, i) =>
    i < 30 ? { ...record, buildingId: `27100-bldg-${i + 1}`, wardCode: '27125' } : record,
  );
  const folder = await publishRecords(tempFolder(t), all, TOWNS);
  const dataset = await openDataset(folder);
  t.after(() => dataset.close());
  const sunlight = dataset.sunlight!;
  const ids = all.slice(30).map(({ buildingId }) => buildingId);
  const summaries = ids.map((id) => sunlight.summary(id)!.toJSON()).sort(byId);
  assert.equal(sunlight.wardPages('13101', 100), 2);
  for (const [sort, hours] of Object.entries(HOURS) as [SunSort, (one: BuildingSummary) => number | null][]) {
    const pages = [1, 2].map((page) => sunlight.ward('13101', sort, page, 100)!.toJSON());
    for (const { total, page_count } of pages) assert.deepEqual([total, page_count], [200, 2]);
    const listed = pages.flatMap((page) => page.buildings);
    assert.deepEqual(
      listed,
      summaries.toSorted((a, b) => (hours(b) ?? -1) - (hours(a) ?? -1)),
    );
    assert.ok(new Set(listed.map(hours)).size > 2, 'the hours differ');
  }
  assert.equal(sunlight.ward('13101', 'annual_hours', 3, 100), null);
  assert.equal(sunlight.ward('13109', 'annual_hours', 1, 100), null);
  assert.equal(sunlight.ward('27125', 'annual_hours', 1, 100)!.toJSON().total, 30, 'a ward whose IDs name its city');
  assert.deepEqual((await verifyDataset(folder)).differences, []);
});

const byId = (a: BuildingSummary, b: BuildingSummary): number => (a.building_id < b.building_id ? -1 : 1);
const HOURS: Record<SunSort, (one: BuildingSummary) => number | null> = {
  december_top_hours: ({ december_top_best }) => december_top_best?.direct_sun_hours ?? null,
  december_first_hours: ({ december_first_south }) => december_first_south?.direct_sun_hours ?? null,
  annual_hours: ({ annual_mean_hours }) => annual_mean_hours,
};

test('several buildings at once are the summaries of each, in the order asked', async (t) => {
  const all = buildings(30);
  const dataset = await openDataset(await publishRecords(tempFolder(t), all, TOWNS));
  t.after(() => dataset.close());
  const sunlight = dataset.sunlight!;
  const ids = ['13101-bldg-30', '13101-bldg-77', '13101-bldg-1', '13101-bldg-0'];
  const { answer, found } = sunlight.summaries(ids);
  const { count, buildings: listed, not_found } = answer.toJSON();
  assert.deepEqual([found, count, not_found], [2, 2, [ids[1], ids[3]]]);
  assert.deepEqual(
    listed,
    [ids[0]!, ids[2]!].map((id) => sunlight.summary(id)!.toJSON()),
  );
  assert.deepEqual(sunlight.summaries([]).answer.toJSON(), { count: 0, buildings: [], not_found: [] });
});

test('a town is listed page by page in order of ID; nine digits list all its chome', async (t) => {
  const all = buildings(700);
  const dataset = await openDataset(await publishRecords(tempFolder(t), all, TOWNS));
  t.after(() => dataset.close());
  const { sunlight } = dataset;
  for (const [code, chome] of [
    ['13101001001', ['13101001001']],
    ['131010010', ['13101001001', '13101001002']],
  ] as const) {
    const expected = all
      .filter(({ townCode }) => townCode !== null && (chome as readonly string[]).includes(townCode))
      .map(({ buildingId }) => buildingId)
      .sort();
    for (const pageSize of [100, 37, 1000]) {
      const listed: string[] = [];
      const pages = Math.ceil(expected.length / pageSize);
      for (let page = 1; page <= pages; page++) {
        const answer = sunlight!.town(code, page, pageSize)!.toJSON();
        assert.deepEqual(
          [answer.total, answer.page, answer.page_size, answer.page_count],
          [expected.length, page, pageSize, pages],
        );
        listed.push(...answer.buildings.map(({ building_id }) => building_id));
      }
      assert.deepEqual(listed, expected);
      assert.equal(sunlight!.town(code, pages + 1, pageSize), null);
    }
  }
});

test('towns are listed under codes with leading zeros, and where a whole town and its chome both have buildings', async (t) => {
  const codes = ['471010020', '01101001099', '011010010', '01101001000'];
  const all = buildings(360).map((record, i) => ({ ...record, townCode: codes[i % codes.length]! }));
  const towns = codes.map((code) => town(code, null, null));
  const dataset = await openDataset(await publishRecords(tempFolder(t), all, towns));
  t.after(() => dataset.close());
  for (const code of codes) {
    const expected = all.filter(({ townCode }) => townCode === code || townCode.slice(0, 9) === code);
    const { total, buildings: listed } = dataset.sunlight!.town(code, 1, 1000)!.toJSON();
    assert.equal(total, expected.length);
    assert.deepEqual(
      listed.map(({ building_id }) => building_id),
      expected.map(({ buildingId }) => buildingId).sort(),
    );
  }
});

test('a town of chome has their common name', async (t) => {
  const dataset = await openDataset(await publishRecords(tempFolder(t), buildings(3), TOWNS));
  t.after(() => dataset.close());
  assert.deepEqual(dataset.sunlight!.town('131010010', 1, 100)!.toJSON().town, {
    town_code: '131010010',
    name: '丸の内',
    reading: 'まるのうち',
    ward_code: '13101',
    ward_name: '千代田区',
    lat: 35.68,
    lon: 139.76,
  });
});

test('a known town without buildings has one empty page, an unknown one none', async (t) => {
  const dataset = await openDataset(await publishRecords(tempFolder(t), buildings(3), TOWNS));
  t.after(() => dataset.close());
  const empty = dataset.sunlight!.town('131010020', 1, 100)!.toJSON();
  assert.deepEqual([empty.total, empty.page_count, empty.buildings], [0, 1, []]);
  assert.equal(dataset.sunlight!.town('131010020', 2, 100), null);
  for (const code of ['131010030', '13101002001', '13101']) assert.equal(dataset.sunlight!.town(code, 1, 100), null);
});

test('the list of towns is in order of code, without the areas and the names of the wards', async (t) => {
  const dataset = await openDataset(await publishRecords(tempFolder(t), buildings(1), TOWNS.toReversed()));
  t.after(() => dataset.close());
  assert.deepEqual(
    dataset.sunlight!.towns().map((entry) => Object.keys(entry).join()),
    TOWNS.map(() => 'town_code,name,reading,ward_code,lat,lon'),
  );
  assert.deepEqual(
    dataset.sunlight!.towns().map(({ town_code }) => town_code),
    ['13101001001', '13101001002', '131010020'],
  );
});

test('the bulk file of a ward is listed with its rows; a ward without buildings has none', async (t) => {
  const dataset = await openDataset(await publishRecords(tempFolder(t), buildings(5), TOWNS));
  t.after(() => dataset.close());
  const bulk = dataset.sunlight!.bulk('13101')!;
  assert.equal(bulk.name, 'bulk/sunlight/13101.parquet');
  assert.equal(bulk.rows, 5);
  assert.equal(dataset.sunlight!.bulk('13102'), null);
});

test('an ID that could name a file elsewhere is refused, and so are IDs out of order', async (t) => {
  const [record] = buildings(1);
  const named = (...ids: string[]) => ids.map((buildingId) => ({ buildingId, bytes: encodeRecord(record!) }));
  const folder = tempFolder(t);
  const write = (...ids: string[]) => writeSunlight(folder, named(...ids), [], async () => 0);
  await assert.rejects(write('../..-bldg-1'), /building ID "\.\.\/\.\.-bldg-1": expected five/);
  await assert.rejects(write('13101-bldg-2', '13101-bldg-10'), /keys must ascend/);
  await assert.rejects(write('13101-bldg-2', '13101-bldg-2'), /keys must ascend/);
});

test('the files beside the store go when the store is written, and stay as proof where the disk is full', async (t) => {
  const [failed, written] = [tempFolder(t), tempFolder(t)];
  const [record] = buildings(1);
  const building = { buildingId: record!.buildingId, bytes: encodeRecord(record!) };
  const full = function* () {
    yield building;
    throw new Error('the disk is full');
  };
  const beside = (folder: string) => readdirSync(folder).filter((name) => name.startsWith('sunlight.store'));
  await assert.rejects(
    writeSunlight(failed, full(), [], async () => 0),
    /the disk is full/,
  );
  assert.deepEqual(beside(failed).sort(), ['sunlight.store', 'sunlight.store-cells', 'sunlight.store-lists']);
  await writeSunlight(written, [building], [], async () => 0);
  assert.deepEqual(beside(written), ['sunlight.store']);
});
