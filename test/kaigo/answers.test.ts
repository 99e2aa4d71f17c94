import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { zstdDecompressSync } from 'node:zlib';
import { Ajv2020 } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import fc from 'fast-check';
import { asyncBufferFromFile, parquetMetadataAsync, parquetReadObjects } from 'hyparquet';
import { officeList } from '../../samples/kaigo.ts';
import { Rooms, Staffing } from '../../src/contract/kaigo-facility.ts';
import { examplesOf } from '../../src/contract/operation.ts';
import { Facility } from '../../src/contract/operations/kaigo-facility.ts';
import { MunicipalityList, MunicipalityTable, STORED_SORTS } from '../../src/contract/operations/kaigo-municipality.ts';
import { FacilitiesNear } from '../../src/contract/operations/kaigo-near.ts';
import { OPERATION_TABLE } from '../../src/contract/operations.ts';
import { commonValues, filled, TOKYO } from '../../src/contract/place.ts';
import { describe } from '../../src/contract/schema.ts';
import type { KaigoAnswers } from '../../src/dataset/kaigo.ts';
import { sortKeysOf } from '../../src/dataset/kaigo-answer.ts';
import { KAIGO_COLUMNS } from '../../src/export/kaigo-bulk.ts';
import { comparator, costKey, type SortKeys, staffKey } from '../../src/kaigo/comparison.ts';
import { geodesicMetres } from '../../src/kaigo/position.ts';
import { geoParquetComplaints } from '../dataset/support/geoparquet.ts';
import { buildTemporarily, type SeenRow, sharedBuild, tableOf } from './support/build.ts';
import { sampleOfFile, sampleOptions, withFiles, withSample } from './support/sample.ts';

/** Most tests here ask one build of the bundled sample. */
const withBuilt = sharedBuild(sampleOfFile());

const ajv = new Ajv2020({ strict: false, allErrors: true });
(addFormats as unknown as (ajv: Ajv2020) => void)(ajv);
/** An answer as a client sees it. */
const seen = <T>(answer: unknown): T => JSON.parse(JSON.stringify(answer));
const facilityOf = (answers: KaigoAnswers, id: string) => seen<Facility>(answers.facility(id));

function assertValid(schema: object, answer: unknown): void {
  const validate = ajv.compile(schema);
  assert.ok(validate(seen(answer)), JSON.stringify(validate.errors?.slice(0, 3)));
}

/** Names of the members, in the order of the documentation. */
function keysOf(schema: { properties: object }): string[] {
  return Object.keys(schema.properties);
}

test('answers match their schemas and have their members in the documented order', () =>
  withBuilt(({ answers, ids }) => {
    for (const id of ids) {
      const facility = facilityOf(answers, id);
      assertValid(Facility, facility);
      assert.deepEqual(Object.keys(facility), keysOf(Facility));
      assert.deepEqual(Object.keys(facility.services[0]!), keysOf(Facility.properties.services.items));
    }
    const table = seen<MunicipalityTable>(answers.municipality('131016', '510', 'cost', 1, 100));
    assertValid(MunicipalityTable, table);
    assert.deepEqual(Object.keys(table), keysOf(MunicipalityTable));
    assert.deepEqual(Object.keys(table.facilities[0]!), keysOf(MunicipalityTable.properties.facilities.items));
    const near = answers.near(35.6812, 139.7671, 3000, null, 50);
    assertValid(FacilitiesNear, near);
    assert.deepEqual(
      Object.keys(seen<FacilitiesNear>(near).facilities[0]!),
      keysOf(FacilitiesNear.properties.facilities.items),
    );
    assertValid(MunicipalityList, answers.municipalities());
  }));

test('an unknown facility or municipality and a page past the last give null', () =>
  withBuilt(({ answers }) => {
    assert.equal(answers.facility('9999999999'), null);
    assert.equal(answers.facility('137010001'), null);
    assert.equal(answers.facility('13701000181'), null);
    assert.equal(answers.municipality('011011', '510', 'id', 1, 100), null);
    assert.equal(answers.municipality('131016', '510', 'id', 2, 100), null);
    const empty = tableOf(answers, '131016', '410')!;
    assert.deepEqual([empty.total, empty.page, empty.page_count, empty.facilities.length], [0, 1, 1, 0]);
    assert.equal(answers.municipality('131016', '410', 'id', 2, 100), null);
    assert.equal(answers.bulk('47'), null);
  }));

test('the examples of the contract work on the invented town', () =>
  withBuilt(({ answers }) => {
    for (const operation of OPERATION_TABLE) {
      const { id, section } = operation;
      // The facility of the examples is in the real sample: test/cli/start.test.ts asks for it.
      if (section !== 'kaigo' || id === 'kaigo-facility') continue;
      for (const example of examplesOf(operation)) {
        const value = Object.fromEntries(
          Object.entries(example).map(([name, text]) => [name, filled(text, commonValues(TOKYO))]),
        );
        const count = {
          'kaigo-municipality': () => tableOf(answers, value.municipality_code!, value.service_code!)!.total,
          'kaigo-near': () =>
            seen<FacilitiesNear>(
              answers.near(Number(value.lat), Number(value.lon), Number(value.r ?? 1000), value.service ?? null, 50),
            ).count,
          'kaigo-bulk': () => answers.bulk(value.prefecture_code!)!.rows,
          'kaigo-municipalities': () => answers.municipalities().length,
        }[id]();
        assert.ok(count > 0, `${id}: ${JSON.stringify(example)}`);
      }
    }
  }));

const keysOfRow = (row: SeenRow) => sortKeysOf(row as unknown as Parameters<typeof sortKeysOf>[0]);

test('tables are in the requested order, unknown values last, and pages neither overlap nor skip rows', () =>
  withBuilt(({ answers }) => {
    for (const { municipality_code, services } of seen<MunicipalityList>(answers.municipalities())) {
      for (const { service_code, facilities } of services) {
        const whole = tableOf(answers, municipality_code, service_code)!.facilities;
        assert.equal(whole.length, facilities);
        for (const sort of STORED_SORTS) {
          const expected = [...whole].sort((a, b) => comparator(sort)(keysOfRow(a), keysOfRow(b)));
          const pages = Array.from(
            { length: Math.ceil(facilities / 2) },
            (_, page) => tableOf(answers, municipality_code, service_code, sort, page + 1, 2)!,
          );
          assert.deepEqual(
            pages.flatMap((page) => page.facilities),
            expected,
          );
        }
      }
    }
  }));

test('the comparison is a total order with unknown last, parts of a bill and estimated ratios behind the others', () => {
  const rows = fc.record({
    facilityId: fc.stringMatching(/^[0-9]{3}$/),
    low: fc.option(fc.integer({ min: 0, max: 3 })),
    basis: fc.constantFrom('published_fees' as const, 'insured_part_only' as const),
    ratio: fc.option(fc.constantFrom(1.5, 2, 2.25)),
    isEstimated: fc.boolean(),
    openedOn: fc.option(fc.constantFrom('1999-12-31', '2000-01-01')),
  });
  const keysOf = ({ facilityId, low, basis, ratio, isEstimated, openedOn }: Row): SortKeys => ({
    id: facilityId,
    cost: costKey({
      after_refund: low === null ? null : { low, typical: low, high: low },
      basis: { bill: basis, additions: null, food: null, room: null, rent: null, management_fees: null },
    }),
    staff: staffKey(ratio, isEstimated),
    opened: openedOn,
  });
  type Row = typeof rows extends fc.Arbitrary<infer One> ? One : never;
  const value = { id: 'facilityId', cost: 'low', staff: 'ratio', opened: 'openedOn' } as const;
  const byId = fc.uniqueArray(rows, { selector: ({ facilityId }) => facilityId });
  fc.assert(
    fc.property(byId, fc.constantFrom(...STORED_SORTS), (all, sort) => {
      const compare = (a: Row, b: Row) => comparator(sort)(keysOf(a), keysOf(b));
      const sorted = [...all].sort(compare);
      assert.deepEqual([...all].reverse().sort(compare), sorted);
      const known = sorted.map((row) => row[value[sort]]);
      const firstUnknown = known.indexOf(null);
      if (firstUnknown >= 0) assert.ok(known.slice(firstUnknown).every((one) => one === null));
      const values = known.filter((one) => one !== null);
      const rank = (row: Row) =>
        sort === 'cost' ? row.basis === 'insured_part_only' : sort === 'staff' ? row.isEstimated : false;
      const ranks = sorted.slice(0, values.length).map(rank);
      assert.ok(values.every((one, i) => i === 0 || ranks[i - 1] !== ranks[i] || values[i - 1]! <= one));
      assert.ok(ranks.every((one, i) => i === 0 || ranks[i - 1]! <= one));
    }),
  );
});

test('near finds the same facilities as a search through all, to 0.1 m', () =>
  withBuilt(({ answers, ids }) => {
    const all = ids.map((id) => facilityOf(answers, id));
    const places = fc.record({
      lat: fc.double({ min: 35.55, max: 35.8, noNaN: true }),
      lon: fc.double({ min: 139.6, max: 139.9, noNaN: true }),
      radius: fc.integer({ min: 1, max: 3000 }),
      service: fc.constantFrom(null, '510', '320', '110', '410'),
    });
    fc.assert(
      fc.property(places, ({ lat, lon, radius, service }) => {
        const expected = all
          .filter((one) => one.lat !== null)
          .filter((one) => service === null || one.services.some((other) => other.service_code === service))
          .map((one) => ({
            id: one.facility_id,
            exact: geodesicMetres({ lat, lon }, { lat: one.lat!, lon: one.lon! }),
          }))
          .filter(({ exact }) => exact <= radius)
          .map(({ id, exact }) => ({ id, distance: Math.round(exact * 10) / 10 }))
          .sort((a, b) => a.distance - b.distance || (a.id < b.id ? -1 : 1));
        const got = seen<FacilitiesNear>(answers.near(lat, lon, radius, service, 50));
        assert.deepEqual(
          got.facilities.map((one) => [one.facility_id, one.distance_m]),
          expected.slice(0, 50).map(({ id, distance }) => [id, distance]),
        );
        assert.deepEqual([got.count, got.truncated], [Math.min(50, expected.length), expected.length > 50]);
        for (const one of got.facilities) {
          const { location, services } = all.find(({ facility_id }) => facility_id === one.facility_id)!;
          assert.equal(location, 'published');
          if (service !== null) assert.equal(one.service_codes[0], service);
          assert.deepEqual(
            one.service_codes.toSorted(),
            services.map(({ service_code }) => service_code),
          );
          const shown = services.find((other) => other.service_code === one.service_codes[0]);
          assert.deepEqual(one.cost_estimate, shown!.cost_estimate);
        }
      }),
      { numRuns: 60 },
    );
  }));

test('near shows a facility by its main service', () =>
  withBuilt(({ answers }) => {
    const { lat, lon } = facilityOf(answers, '1370100018');
    const { facilities } = seen<FacilitiesNear>(answers.near(lat!, lon!, 1, null, 50));
    assert.deepEqual(
      facilities.map(({ facility_id, service_codes }) => [facility_id, service_codes]),
      [['1370100018', ['510', '210']]],
    );
  }));

test('offices with equal rounded distances are in order of ID', () => {
  const rows = [35.68120004, 35.6812].map((lat, i) => ({
    都道府県コード又は市町村コード: '131016',
    都道府県名: '東京都',
    市区町村名: '千代田区',
    事業所番号: `137010${i}010`,
    事業所名: '隣同士',
    緯度: `${lat}`,
    経度: '139.7671',
  }));
  const files = new Map([['offices/jigyosho_510.csv', officeList(rows)]]);
  return withFiles(files, (folder) =>
    buildTemporarily({ offices: [join(folder, 'offices')] }, ({ answers }) => {
      for (const lat of [35.6805, 35.6819]) {
        const { facilities } = seen<FacilitiesNear>(answers.near(lat, 139.7671, 1000, null, 50));
        assert.equal(facilities[0]!.distance_m, facilities[1]!.distance_m);
        assert.deepEqual(
          facilities.map(({ facility_id }) => facility_id),
          ['1370100010', '1370101010'],
        );
      }
    }),
  );
});

test('near finds offices at the ends of the country, at their ellipsoidal distance', () => {
  const places: [code: string, municipality: string, prefecture: string, lat: number, lon: number][] = [
    ['134210', '小笠原村', '東京都', 27.0945, 142.1918],
    ['473821', '与那国町', '沖縄県', 24.4559, 122.9872],
    ['012149', '稚内市', '北海道', 45.4156, 141.673],
  ];
  const rows = places.map(([code, municipality, prefecture, lat, lon], i) => ({
    都道府県コード又は市町村コード: code,
    都道府県名: prefecture,
    市区町村名: municipality,
    事業所番号: `99701000${i}0`,
    事業所名: '果ての家',
    緯度: lat.toFixed(15),
    経度: lon.toFixed(15),
  }));
  const files = new Map([['offices/jigyosho_110.csv', officeList(rows)]]);
  return withFiles(files, (folder) =>
    buildTemporarily({ offices: [folder] }, ({ answers }) => {
      for (const [i, [, , , lat, lon]] of places.entries()) {
        const from = { lat: lat - 0.0179, lon: lon + 0.0181 };
        const { facilities } = seen<FacilitiesNear>(answers.near(from.lat, from.lon, 3000, '110', 50));
        assert.deepEqual(
          facilities.map(({ facility_id, distance_m }) => [facility_id, distance_m]),
          [[`99701000${i}0`, Math.round(geodesicMetres(from, { lat, lon }) * 10) / 10]],
        );
        assert.equal(seen<FacilitiesNear>(answers.near(from.lat, from.lon, 2000, null, 50)).count, 0);
      }
    }),
  );
});

test('the bulk file holds every facility and service once, as GeoParquet points', () =>
  withBuilt(async ({ answers, ids }) => {
    const { path, rows } = answers.bulk('13')!;
    const file = await asyncBufferFromFile(path);
    const { key_value_metadata } = await parquetMetadataAsync(file);
    const geo = JSON.parse(key_value_metadata!.find(({ key }) => key === 'geo')!.value!);
    assert.deepEqual(
      geoParquetComplaints(
        geo,
        KAIGO_COLUMNS.map(({ name }) => name),
      ),
      [],
    );
    assert.deepEqual(geo.columns.geometry.geometry_types, ['Point']);
    assert.equal(geo.columns.geometry.crs.id.code, 6668);
    const credit = JSON.parse(key_value_metadata!.find(({ key }) => key === 'hidamari')!.value!);
    assert.equal(credit.license, 'CC-BY-4.0');
    assert.deepEqual(
      Object.keys(credit.columns),
      KAIGO_COLUMNS.map(({ name }) => name),
    );
    assert.equal(credit.columns.rooms_private, describe(Rooms.properties.private));
    // Its own description does not say what null means: that of `staffing` does.
    const { staffing } = Facility.properties.services.items.properties;
    assert.equal(credit.columns.staff_basis, `${describe(staffing)} ${describe(Staffing.properties.basis)}`);
    const records = await parquetReadObjects({ file, compressors: { ZSTD: (bytes) => zstdDecompressSync(bytes) } });
    assert.equal(records.length, rows);
    const services = ids.flatMap((id) => {
      const { services } = facilityOf(answers, id);
      return services.map(({ service_code, rooms, quality, cost_estimate }) => [
        id,
        service_code,
        rooms?.private ?? null,
        quality?.turnover_percent?.japan.known ?? null,
        cost_estimate.monthly_yen?.low ?? null,
        cost_estimate.by_care_level?.map((level) => level?.low ?? null) ?? null,
        cost_estimate.excludes.join(' '),
      ]);
    });
    assert.deepEqual(
      records.map((one) => [
        one.facility_id,
        one.service_code,
        one.rooms_private,
        one.turnover_percent_known_japan,
        one.cost_low_yen,
        one.cost_low_yen_by_care_level ?? null,
        one.cost_excludes,
      ]),
      services,
    );
    for (const { lat, lon, geometry } of records) {
      if (lat === null) assert.equal(geometry, null);
      else assert.deepEqual((geometry as { coordinates: number[] }).coordinates, [lon, lat]);
    }
  }));

test('the same input gives the same bytes', async () => {
  const digests = () =>
    withSample((folder) =>
      buildTemporarily(sampleOptions(folder), ({ folder: out, half }) => ({
        half,
        files: readdirSync(out, { recursive: true, withFileTypes: true })
          .filter((entry) => entry.isFile())
          .map(({ parentPath, name }) => [
            name,
            createHash('sha256')
              .update(readFileSync(join(parentPath, name)))
              .digest('hex'),
          ]),
      })),
    );
  const first = await digests();
  assert.ok(first.files.length >= 3);
  assert.deepEqual(await digests(), first);
});
