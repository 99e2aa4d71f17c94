import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type Case, STANDARD_CASE } from '../../src/contract/kaigo-cost.ts';
import type { Facility } from '../../src/contract/operations/kaigo-facility.ts';
import type { ComparisonRow, MunicipalityTable } from '../../src/contract/operations/kaigo-municipality.ts';
import type { KaigoAnswers } from '../../src/dataset/kaigo.ts';
import { NO_FILTER, STANDARD_REQUEST, type TableRequest } from '../../src/dataset/kaigo.ts';
import { quartilesOf } from '../../src/kaigo/comparison.ts';
import { sharedData, skipWithout } from '../support/shared-data.ts';
import { sharedBuild } from './support/build.ts';

const skip = skipWithout('kaigo/offices-derived/jigyosho_510.csv', 'kaigo/tokuyo_detail_tokyo_saitama.csv');

/** Real homes of Tokyo and Saitama. */
const tokyo = sharedBuild({
  offices: [sharedData('kaigo/offices-derived') ?? ''],
  details: [sharedData('kaigo/tokuyo_detail_tokyo_saitama.csv') ?? ''],
});

const parsed = <T>(answer: unknown): T => JSON.parse(JSON.stringify(answer)) as T;
const table = (answers: KaigoAnswers, code: string, sort: 'id' | 'cost', request: TableRequest): ComparisonRow[] =>
  parsed<MunicipalityTable>(answers.municipality(code, '510', sort, 1, 1000, request)).facilities;
const CASE: Case = { ...STANDARD_CASE, careLevel: 4, income: '2' };

test('a table for a case has the estimates of each facility, sorted by the amount left to pay', { skip }, () =>
  tokyo(({ answers }) => {
    const request = { case: CASE, filter: NO_FILTER };
    const rows = table(answers, '131202', 'cost', request);
    assert.ok(rows.length > 20);
    for (const { facility_id, cost_estimate } of rows) {
      const facility = parsed<Facility>(answers.facility(facility_id, CASE));
      assert.deepEqual(cost_estimate, facility.services[0]?.cost_estimate, facility_id);
      assert.deepEqual([cost_estimate.scenario.care_level, cost_estimate.scenario.income], [4, '2']);
    }
    const low = rows.map(({ cost_estimate }) => cost_estimate.after_refund?.low ?? Infinity);
    assert.deepEqual(
      low,
      low.toSorted((a, b) => a - b),
    );
    assert.deepEqual(
      rows.map(({ facility_id }) => facility_id).sort(),
      table(answers, '131202', 'id', STANDARD_REQUEST).map(({ facility_id }) => facility_id),
    );
    // Pages of ten neither overlap nor leave out.
    const pages = Array.from(
      { length: Math.ceil(rows.length / 10) },
      (_, page) =>
        parsed<MunicipalityTable>(answers.municipality('131202', '510', 'cost', page + 1, 10, request)).facilities,
    ).flat();
    assert.deepEqual(pages, rows);
  }),
);

test('filters keep exactly the rows that pass', { skip }, () =>
  tokyo(({ answers }) => {
    const all = table(answers, '131202', 'cost', STANDARD_REQUEST);
    const filtered = (filter: Partial<TableRequest['filter']>, wanted = STANDARD_REQUEST.case) =>
      table(answers, '131202', 'cost', { case: wanted, filter: { ...NO_FILTER, ...filter } }).map(
        (row) => row.facility_id,
      );
    const ids = (passes: (row: ComparisonRow) => boolean) => all.filter(passes).map((row) => row.facility_id);
    const maxYen = all[10]?.cost_estimate.after_refund?.low ?? 0;
    const inAnyRoom = ({ cost_estimate: { after_refund, other_rooms } }: ComparisonRow) =>
      [after_refund, ...other_rooms.map((other) => other.after_refund)].map((yen) => yen?.low ?? Infinity);
    assert.deepEqual(
      filtered({ maxYen }).toSorted(),
      ids((row) => inAnyRoom(row).some((yen) => yen <= maxYen)).toSorted(),
    );
    assert.deepEqual(
      filtered({ minCapacity: 80 }),
      ids(({ capacity }) => (capacity ?? 0) >= 80),
    );
    assert.deepEqual(
      filtered({ has: ['staffing', 'capacity'] }),
      ids((row) => row.staffing !== null && row.capacity !== null),
    );
    assert.deepEqual(
      filtered({ name: '育秀' }),
      ids(({ name }) => name.includes('育秀')),
    );
    assert.ok(filtered({ name: '育秀' }).length > 0 && filtered({ openOn: 'sunday' }).length === 0);
    const unit = table(answers, '131202', 'id', {
      case: { ...CASE, income: 'standard', room: 'unit' },
      filter: NO_FILTER,
    });
    for (const { rooms, cost_estimate } of unit) {
      if (rooms?.kind === 'conventional') assert.equal(cost_estimate.reason, 'room_not_offered');
      else assert.equal(cost_estimate.scenario.room, 'unit');
    }
    // The cost that must be known is that of the case.
    const priced = table(answers, '131202', 'id', {
      case: { ...CASE, income: 'standard', room: 'unit' },
      filter: { ...NO_FILTER, has: ['cost'] },
    });
    assert.deepEqual(
      priced.map(({ facility_id }) => facility_id),
      unit.flatMap((row) => (row.cost_estimate.monthly_yen === null ? [] : row.facility_id)),
    );
    assert.ok(priced.length > 0 && priced.length < unit.length);
  }),
);

test('impossible cases have a reason, and near takes several services', { skip }, () =>
  tokyo(({ answers }) => {
    assert.match(answers.caseFault({ ...CASE, copaymentPercent: 20 }, null)?.message ?? '', /pays 10 %/);
    assert.match(
      answers.caseFault({ ...CASE, room: 'unit' }, '220')?.message ?? '',
      /no units of service 220 for the room unit/,
    );
    assert.equal(answers.caseFault({ ...CASE, room: 'unit' }, '510'), null);
    const one = answers.near(35.7357, 139.6517, 3000, '510', 50).toJSON();
    assert.ok(one.count > 0);
    assert.deepEqual(answers.near(35.7357, 139.6517, 3000, ['331', '510'], 50).toJSON().facilities, one.facilities);
    const { around } = parsed<MunicipalityTable>(answers.municipality('131202', '510', 'id', 1, 1));
    const distances = around.map(({ distance_m }) => distance_m);
    assert.ok(around.length > 5 && around.some(({ name }) => name === '杉並区'));
    assert.deepEqual(
      distances,
      distances.toSorted((a, b) => a - b),
    );
  }),
);

test('the quartiles of bills agree with a count over all homes', { skip }, () =>
  tokyo(({ answers, ids }) => {
    const all = ids.map((id) => parsed<Facility>(answers.facility(id)));
    const values = (prefecture: string | null) =>
      all
        .filter((one) => prefecture === null || one.prefecture_code === prefecture)
        .flatMap(({ services }) => services[0]?.cost_estimate.monthly_yen?.typical ?? [])
        .sort((a, b) => a - b);
    const home = all.find(({ prefecture_code }) => prefecture_code === '11');
    const compared = home?.services[0]?.compared_with ?? assert.fail();
    const { cost } = compared;
    assert.ok(cost !== null && home !== undefined);
    for (const [quartiles, list] of [
      [cost.prefecture, values('11')],
      [cost.japan, values(null)],
    ] as const) {
      assert.equal(quartiles?.count, list.length);
      const below = (yen: number) => list.filter((one) => one <= yen).length / list.length;
      assert.ok(Math.abs(below(quartiles?.median ?? 0) - 0.5) < 0.1 && below(quartiles?.lower_quartile ?? 0) < 0.4);
    }
    // A table and what is near say the same once; beside bills of another case none of the standard scenario is set.
    const code = home.municipality_code ?? '';
    const request = { case: CASE, filter: NO_FILTER };
    const said = (wanted?: TableRequest) =>
      parsed<MunicipalityTable>(answers.municipality(code, '510', 'id', 1, 10, wanted)).compared_with;
    assert.deepEqual(said(), compared);
    assert.deepEqual(said(request), { ...compared, cost: null });
    assert.deepEqual(
      parsed<Facility>(answers.facility(home.facility_id, CASE)).services[0]?.compared_with,
      said(request),
    );
    const near = answers.near(home.lat ?? 0, home.lon ?? 0, 500, null, 50).toJSON();
    assert.deepEqual(near.compared_with, [{ service_code: '510', prefecture_code: '11', ...compared }]);
    const none = parsed<MunicipalityTable>(answers.municipality(code, '331', 'id', 1, 10)).compared_with;
    assert.deepEqual(none.occupancy, { prefecture: null, japan: null });
  }),
);

test('quartiles lie between the values', () => {
  assert.deepEqual(quartilesOf([5, 1, 4, 2, 3]), { count: 5, lower_quartile: 2, median: 3, upper_quartile: 4 });
  assert.deepEqual(quartilesOf([1, 2, 3, 4, 5, 6]), {
    count: 6,
    lower_quartile: 2.25,
    median: 3.5,
    upper_quartile: 4.75,
  });
  assert.equal(quartilesOf([1, 2, 3, 4]), null);
});
