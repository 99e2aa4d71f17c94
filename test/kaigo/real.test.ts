import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Facility } from '../../src/contract/operations/kaigo-facility.ts';
import type { KaigoAnswers } from '../../src/dataset/kaigo.ts';
import { sharedData, skipWithout } from '../support/shared-data.ts';
import { type Built, sharedBuild, tableOf } from './support/build.ts';
import { plainLists } from './support/plain-rows.ts';

/** The eight office lists as published at the end of 2025, and details of 1,128 special nursing homes. */
const skip = skipWithout('kaigo/offices', 'kaigo/tokuyo_detail_tokyo_saitama.csv');

const facilityOf = (answers: KaigoAnswers, id: string): Facility => JSON.parse(JSON.stringify(answers.facility(id)));

const real = sharedBuild({
  offices: [sharedData('kaigo/offices') ?? ''],
  details: [sharedData('kaigo/tokuyo_detail_tokyo_saitama.csv') ?? ''],
});
const realBuild = (): Promise<Built> => real((built) => built);

let lists: ReturnType<typeof plainLists> | undefined;
const plainRows = () => (lists ??= plainLists(sharedData('kaigo/offices')!));

test('real lists: every row is served, a duplicate or left out, and each quirk is counted', { skip }, async () => {
  const { half } = await realBuild();
  const rows = plainRows();
  const count = (test: (row: Record<string, string>) => boolean) => rows.filter(test).length;
  const keys = new Set(rows.map((row) => row.service + row.事業所番号!));
  const { findings } = half.report;
  assert.deepEqual(half.report.rows, {
    read: rows.length,
    served: keys.size,
    duplicates: rows.length - keys.size,
    left_out: 0,
  });
  assert.equal(half.report.facilities, new Set(rows.map((row) => row.事業所番号)).size);
  assert.deepEqual(half.report.details, { read: 1128, used: 90, duplicates: 0, unknown: 1038, left_out: 0 });
  assert.equal(
    findings.capacity_zero!.count,
    count((row) => row.定員 === '0'),
  );
  assert.equal(
    findings.capacity_missing!.count,
    count((row) => row.定員 === ''),
  );
  assert.equal(
    findings.corporation_missing!.count,
    count((row) => row.法人番号 === ''),
  );
  assert.equal(
    findings.facility_id_letter!.count,
    count((row) => /[A-Z]/.test(row.事業所番号!)),
  );
  assert.equal(
    findings.position_zero!.count,
    count((row) => Number(row.緯度) === 0 && Number(row.経度) === 0),
  );
  const fallback = (row: Record<string, string>) => /^(53\.41291|36\.204824)0*$/.test(row.緯度!);
  assert.equal(findings.position_fallback!.count, count(fallback));
  // Hosts that are none are left out too, so there may be more.
  const withoutScheme = count((row) => row.URL !== '' && !/^https?:\/\//.test(row.URL!.trim()));
  assert.ok(findings.url_none!.count + findings.url_text!.count >= withoutScheme);
});

test('real lists: municipality tables hold the rows of the files', { skip }, async () => {
  const { answers } = await realBuild();
  const rows = plainRows();
  for (const [code, service] of [
    ['131130', '331'],
    ['271004', '170'],
    ['011011', '520'],
    ['134210', '170'],
  ] as const) {
    // A designated city stands for its wards.
    const inPlace = (row: Record<string, string>) => {
      const own = row.都道府県コード又は市町村コード!;
      return code === '271004' ? /^271[0-3]/.test(own) && row.市区町村名!.startsWith('大阪市') : own === code;
    };
    const expected = [
      ...new Set(rows.filter((row) => row.service === service && inPlace(row)).map((row) => row.事業所番号!)),
    ];
    const got: string[] = [];
    for (let page = 1; ; page++) {
      const table = tableOf(answers, code, service, 'id', page);
      if (table === null) break;
      got.push(...table.facilities.map(({ facility_id }) => facility_id));
    }
    assert.deepEqual(got, expected.sort(), `${code} ${service}`);
  }
});

test('real lists: the letter in a facility ID, and the details of a nursing home', { skip }, async () => {
  const { answers } = await realBuild();
  const medical = facilityOf(answers, '01B1400014');
  assert.equal(medical.services[0]!.service_code, '550');
  const home = facilityOf(answers, '1192900213');
  assert.deepEqual(
    home.services.map(({ service_code }) => service_code),
    ['540', '760'],
  );
  const { opened_on, staffing, cost_estimate, rooms } = home.services[0]!;
  assert.deepEqual([opened_on, rooms!.private, staffing!.care_staff], ['2017-04-01', 29, 10]);
  // Published: food 1545, room 2066 a day; units 828 at grade 6, 10.27 yen.
  assert.equal(cost_estimate.monthly_yen!.low, 46350 + 61980 + (255106 - Math.floor((255106 * 90) / 100)));
});

test('real lists: corporations count each office once', { skip }, async () => {
  const { answers } = await realBuild();
  const rows = plainRows();
  const number = '1260001015656';
  const offices = new Set(rows.filter((row) => row.法人番号 === number).map((row) => row.事業所番号!));
  const { corporation } = facilityOf(answers, [...offices][0]!);
  assert.equal(corporation.offices_total, offices.size);
  assert.ok(corporation.name_variants.length > 1);
});

test('real lists: near finds no office at a position in another municipality', { skip }, async () => {
  const { half, answers } = await realBuild();
  const { positions } = half.report;
  assert.equal(positions.published + positions.suspect + positions.unknown, half.report.facilities);
  // The centre of Japan, as geocoders have it, lies on a mountain: nobody is there.
  assert.equal(answers.near(36.204824, 138.252924, 100, null, 50).toJSON().count, 0);
  // Ishigaki is within reach.
  assert.ok(answers.near(24.34, 124.16, 3000, '170', 50).toJSON().count > 0);
});

/** Offices whose position lies in another municipality, some of them in another prefecture. */
const MISPLACED = [
  ...['0990800393', '1170405011', '1171900853', '0270601339', '1371510650'],
  ...['1374303442', '1470702174', '1470802719', '1472610730', '3495000063'],
];

test('positions in another municipality or prefecture are not served', { skip }, async () => {
  const { answers, half } = await realBuild();
  for (const id of MISPLACED) {
    const { location, lat, services } = facilityOf(answers, id);
    assert.deepEqual([location, lat], ['suspect', null], id);
    assert.ok(
      services.some(({ as_published }) => 'position' in as_published),
      id,
    );
  }
  assert.ok(half.report.findings.position_elsewhere!.count >= MISPLACED.length);
});
