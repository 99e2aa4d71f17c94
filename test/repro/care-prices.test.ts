import assert from 'node:assert/strict';
import { test } from 'node:test';
import { officeList } from '../../samples/kaigo.ts';
import {
  build,
  details,
  homes,
  IDS,
  office,
  PLACE_OF_GRADE_2,
  serviceOf,
  withFields,
} from '../kaigo/support/small-lists.ts';

// Prices of care that were once wrong. Each test fails on the earlier program.

test('a food fee that lost its first digit, and one that is a limit of an income stage, is not the cheapest', () =>
  build(
    homes([
      [IDS[0], 60, 0, 70, 6, 35, 2066, 445, 'unit'],
      [IDS[1], 60, 0, 70, 6, 35, 2066, 1360, 'unit'],
      [IDS[2], 60, 0, 70, 6, 35, 2066, 1500, 'unit'],
    ]),
    (built) => {
      const table = JSON.parse(JSON.stringify(built.answers.municipality('131016', '510', 'cost', 1, 100)));
      assert.equal(table.facilities[0].facility_id, IDS[2]);
      for (const id of IDS.slice(0, 2)) {
        const { cost_estimate, as_published } = serviceOf(built, id);
        assert.equal(cost_estimate.parts?.food?.low, 30 * 1545);
        assert.ok(['445', '1360'].includes(as_published.food_yen_per_day ?? ''));
      }
    },
  ));

test('one room fee of a home with private and shared rooms is that of the kind it is nearest to', () =>
  build(homes([[IDS[0], 20, 10, 70, 6, 35, 1231, 1545, 'multi']]), (built) => {
    const { parts, room, other_rooms, monthly_yen } = serviceOf(built, IDS[0]).cost_estimate;
    assert.deepEqual([room, parts?.residence?.low, parts?.residence?.high], ['shared', 30 * 915, 30 * 915]);
    const [other] = other_rooms;
    assert.deepEqual([other?.room, other?.monthly_yen.low], ['private', (monthly_yen?.low ?? 0) + 30 * (1231 - 915)]);
  }));

test('a real price list of a private room lies within the estimate, not above it', () =>
  build(
    [
      // Grade 2, where the list was printed: 113,775 yen for care level 3.
      ['lists/jigyosho_510.csv', officeList([office(IDS[0], PLACE_OF_GRADE_2)])],
      ['details.csv', details([[IDS[0], 60, 0, 70, 6, 35, '', '', 'multi']])],
    ],
    (built) => {
      const { low = 0, high = 0 } = serviceOf(built, IDS[0]).cost_estimate.monthly_yen ?? {};
      assert.ok(low <= 113_775 && 113_775 <= high, `${low} to ${high}`);
    },
  ));

test('food of a home that the insurance has no standard fee for may cost what a meal costs there', () => {
  const mapping = {
    schema: 'hidamari-details/1',
    fields: Object.fromEntries(
      ['facility_id', 'service_code', 'food_yen_per_day', 'rent_yen_per_month', 'management_yen_per_month'].map(
        (one) => [one, { column: one }],
      ),
    ),
  };
  const food = [1360, 1100, 3500];
  return build(
    [
      ['lists/jigyosho_320.csv', officeList(IDS.map((id) => office(id, { 定員: '9' })))],
      [
        'details.csv',
        [Object.keys(mapping.fields), ...IDS.map((id, i) => [id, '320', food[i], 50_000, 20_000])].join('\n'),
      ],
      ['details.mapping.json', JSON.stringify(mapping)],
    ],
    (built) => {
      IDS.forEach((id, i) => {
        const { parts, basis } = serviceOf(built, id).cost_estimate;
        assert.deepEqual([parts?.food?.low, basis?.bill], [30 * (food[i] ?? 0), 'published_fees']);
      });
      assert.equal(built.half.report.findings.fee_food, undefined);
    },
  );
});

test('bills that leave out rent are not set beside whole ones', () => {
  const fields = [
    'facility_id',
    'service_code',
    'food_yen_per_month',
    'rent_yen_per_month',
    'management_yen_per_month',
  ];
  const mapping = {
    schema: 'hidamari-details/1',
    fields: Object.fromEntries(fields.map((one) => [one, { column: one }])),
  };
  const ids = Array.from({ length: 8 }, (_, i) => `137010${String(i).padStart(4, '0')}`);
  const rows = ids.slice(0, 6).map((id, i) => [id, '331', 45_000, i < 5 ? 80_000 + i * 10_000 : '', 30_000]);
  return build(
    [
      ['lists/jigyosho_331.csv', officeList(ids.map((id) => office(id)))],
      ['details.csv', [fields, ...rows].map((row) => row.join(',')).join('\n')],
      ['details.mapping.json', JSON.stringify(mapping)],
    ],
    (built) => {
      const whole = ids.slice(0, 5).map((id) => serviceOf(built, id).cost_estimate.monthly_yen?.typical ?? 0);
      const { cost } = serviceOf(built, ids[7] ?? '').compared_with;
      assert.deepEqual([cost?.prefecture?.count, cost?.prefecture?.median], [5, whole[2]]);
    },
  );
});

test('a fee for food by the month is that very sum; one that cannot be one leaves the fee by the day', () =>
  build(
    [
      ['lists/jigyosho_510.csv', officeList(IDS.map((id) => office(id)))],
      ...withFields(['room_kind', 'food_yen_per_day', 'food_yen_per_month'], '510', [
        [IDS[0], 'unit', '', 46_000],
        [IDS[1], 'unit', 445, 46_000],
        [IDS[2], 'unit', 1600, 500],
      ]),
    ],
    (built) => {
      const said = IDS.map((id) => {
        const { cost_estimate, as_published } = serviceOf(built, id);
        return [cost_estimate.parts?.food?.low, cost_estimate.confidence, Object.keys(as_published).join()];
      });
      assert.deepEqual(said, [
        [46_000, 'confirmed', ''],
        [46_000, 'unconfirmed', 'food_yen_per_day'],
        [48_000, 'unconfirmed', 'food_yen_per_month'],
      ]);
      assert.equal(built.half.report.findings.fee_food?.count, 2);
    },
  ));

test('a fee in words that cannot be read is not said to be confirmed; a dash says nothing', () =>
  build(
    [
      ['lists/jigyosho_510.csv', officeList(IDS.map((id) => office(id)))],
      ...withFields(['room_kind', 'unit_room_yen_per_day', 'food_yen_per_day'], '510', [
        [IDS[0], 'unit', 2066, '無料'],
        [IDS[1], 'unit', '―', '－'],
        [IDS[2], 'unit', '日額約2500', '１，６００円'],
      ]),
    ],
    (built) => {
      const said = IDS.map((id) => {
        const { basis, confidence, parts } = serviceOf(built, id).cost_estimate;
        return [basis?.bill, confidence, parts?.food?.low];
      });
      assert.deepEqual(said, [
        ['published_and_standard_fees', 'unconfirmed', 46_350],
        ['standard_fees', 'confirmed', 46_350],
        ['published_and_standard_fees', 'unconfirmed', 48_000],
      ]);
      assert.equal(built.half.report.findings.detail_value?.count, 2);
    },
  ));
