import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import type { Facility } from '../../src/contract/operations/kaigo-facility.ts';
import { BUILT_IN_FEES } from '../../src/kaigo/facts/built-in.ts';
import { priceListOn } from '../../src/kaigo/price-list.ts';
import { feeInLists, foodFault, roomFeeFault, roomOfFee } from '../../src/kaigo/published-fees.ts';
import { sharedData, skipWithout } from '../support/shared-data.ts';
import { sharedBuild, tableOf } from './support/build.ts';

const LIST = priceListOn(BUILT_IN_FEES, '2026-11-20');

test('a fee for food is believed within the bounds, unless it equals a limit', () => {
  const faults = [445, 545, 650, 1360, 1420, 1236, 1235, 820, 3090, 3091, 1380, 1445, 2100].map((yen) =>
    foodFault(LIST, { yen, per: 'day' }),
  );
  const [low, limit, high, former] = ['below_standard', 'income_limit', 'above_bound', 'former_standard'];
  assert.deepEqual(faults, [low, low, limit, limit, limit, null, low, limit, null, high, former, former, null]);
  // 80 % of 1,445 before August 2026.
  const before = priceListOn(BUILT_IN_FEES, '2026-07-31');
  assert.deepEqual(
    [1156, 1155, 1420, 1445, 1392].map((yen) => foodFault(before, { yen, per: 'day' })),
    [null, low, null, null, former],
  );
});

test('a fee for food by the month is compared with the sum of its days', () => {
  const faults = [46_000, 37_080, 37_079, 92_700, 92_701, 40_800, 42_160, 44_020, 1545].map((yen) =>
    foodFault(LIST, { yen, per: 'month' }),
  );
  const [low, limit, high] = ['below_standard', 'income_limit', 'above_bound'];
  // 40,800 and 42,160 are 30 and 31 times 1,360; 44,020 is 31 times 1,420.
  assert.deepEqual(faults, [null, null, low, null, high, limit, limit, limit, low]);
});

test('a refused fee names the price list that has its amount', () => {
  const found = (service: string, field: string, text: string) => {
    const one = feeInLists(BUILT_IN_FEES, '2026-11-20', service, field, text);
    return one && [one.stages.join(), one.until];
  };
  const food = 'food_yen_per_day';
  assert.deepEqual(found('510', food, '1420'), ['3-2', null]);
  assert.deepEqual(found('510', food, '1360'), ['3-2', '2026-07-31']);
  // A short stay has limits of its own; 1,300 was one of before.
  assert.deepEqual(found('210', food, '1360'), ['3-2', null]);
  assert.deepEqual(found('210', food, '1300'), ['3-2', '2026-07-31']);
  assert.deepEqual(found('510', food, '1445'), ['', '2026-07-31']);
  assert.deepEqual(found('510', 'food_yen_per_month', '42160'), ['3-2', '2026-07-31']);
  assert.deepEqual(found('510', 'unit_room_yen_per_day', '1370'), ['3-1', null]);
  for (const text of ['445', '1545', '無料', '1,360', '']) assert.equal(found('510', food, text), null, text);
  assert.equal(found('110', food, '1360'), null);
  assert.equal(feeInLists(BUILT_IN_FEES, '2026-07-31', '510', food, '1420'), null);
});

test('a single room fee belongs to the kind with the nearest standard fee, unless it is refused there', () => {
  const rooms = ['private', 'shared'] as const;
  assert.deepEqual(roomOfFee(LIST, '510', rooms, 915), { room: 'shared' });
  assert.deepEqual(roomOfFee(LIST, '510', rooms, 1231), { room: 'private' });
  assert.deepEqual(roomOfFee(LIST, '510', null, 2500), { room: 'unit' });
  assert.deepEqual(roomOfFee(LIST, '510', ['unit'], 880), { fault: 'income_limit' });
  assert.deepEqual(roomOfFee(LIST, '510', ['unit'], 100), { fault: 'below_standard' });
  assert.deepEqual(roomOfFee(LIST, '510', rooms, 99_999), { fault: 'above_bound' });
  assert.deepEqual(roomOfFee({ ...LIST, residence: [] }, '510', rooms, 915), { fault: 'no_standard' });
  // A fee that was the standard of a kind is that of no other; nor is it a standard of before in a home of another class.
  assert.deepEqual(roomOfFee(LIST, '510', null, 2006), { fault: 'former_standard' });
  assert.deepEqual(roomOfFee(LIST, '510', rooms, 1171), { fault: 'former_standard' });
  assert.deepEqual(roomOfFee(LIST, '520', ['private'], 1171), { room: 'private' });
  assert.equal(roomFeeFault(LIST, '510', 'private', 1668), null);
  assert.equal(roomFeeFault(LIST, '520', 'private', 1668), 'former_standard');
  // A limit of another kind of room is none of its own.
  assert.equal(roomFeeFault(LIST, '510', 'shared', 880), null);
  assert.equal(roomFeeFault(LIST, '510', 'private', 880), 'income_limit');
});

const skip = skipWithout('kaigo/offices-derived/jigyosho_510.csv', 'kaigo/tokuyo_detail_tokyo_saitama.csv');

/** The details read without any of our code; no value in them holds a line break. */
function plainDetails(): Record<string, string>[] {
  const [header = '', ...lines] = readFileSync(sharedData('kaigo/tokuyo_detail_tokyo_saitama.csv')!, 'utf8')
    .trimEnd()
    .split(/\r?\n/);
  const cells = (line: string) =>
    [...line.matchAll(/("([^"]*)"|[^,]*)(,|$)/g)].map(([, raw, quoted]) => quoted ?? raw!);
  const names = cells(header);
  return lines.map((line) => Object.fromEntries(cells(line).map((value, i) => [names[i], value])));
}

const tokyo = sharedBuild({
  offices: [sharedData('kaigo/offices-derived') ?? ''],
  details: [sharedData('kaigo/tokuyo_detail_tokyo_saitama.csv') ?? ''],
});

/** Food limits of low-income stages of every list, and the least and the most that is believed at a standard of 1,545. */
const FOOD_LIMITS = [300, 390, 650, 680, 1360, 1420];
const FOOD_BEFORE = [1380, 1392, 1445];
const isFood = (yen: number) => yen >= 1236 && yen <= 3090 && ![...FOOD_LIMITS, ...FOOD_BEFORE].includes(yen);

test('1,038 real homes: no first place of sort=cost rests on a false fee, and each is counted', { skip }, () =>
  tokyo(({ answers, half, ids }) => {
    const published = new Map(plainDetails().map((row) => [row.office_id, row]));
    let tables = 0;
    for (const place of answers.municipalities() as { municipality_code: string }[]) {
      const table = tableOf(answers, place.municipality_code, '510', 'cost')!;
      const [first] = table.facilities;
      if (first === undefined) continue;
      tables++;
      const facility = JSON.parse(JSON.stringify(answers.facility(first.facility_id))) as Facility;
      const { cost_estimate, as_published } = facility.services[0]!;
      const row = published.get(first.facility_id)!;
      const food = cost_estimate.parts!.food!.low / 30;
      const own = Number(row.fee_food_per_day);
      assert.equal(food, row.fee_food_per_day !== '' && isFood(own) ? own : 1545, first.facility_id);
      assert.ok(cost_estimate.parts!.residence!.low / 30 >= 549, first.facility_id);
      const replaced = as_published.food_yen_per_day ?? as_published.room_yen_per_day;
      if (replaced !== undefined) {
        assert.equal(cost_estimate.confidence, 'unconfirmed', first.facility_id);
        assert.notEqual(cost_estimate.basis?.bill, 'published_fees', first.facility_id);
      }
    }
    assert.ok(tables > 100, `${tables} tables`);
    // An independent count of what the report says.
    const listed = plainDetails().filter(({ service_code }) => service_code === '510');
    const wrong = listed.filter((row) => row.fee_food_per_day !== '' && !isFood(Number(row.fee_food_per_day)));
    const { findings } = half.report;
    const before = wrong.filter((row) => FOOD_BEFORE.includes(Number(row.fee_food_per_day)));
    assert.equal(findings.fee_food!.count, wrong.length - before.length);
    assert.ok(before.length > 130 && findings.fee_former!.count > before.length, `${before.length}`);
    assert.match(findings.fee_food!.examples[0]!, /tokuyo_detail_tokyo_saitama\.csv:\d+: food_yen_per_day: \d+ \(/);
    const kept = ids.filter((id) => {
      const { services } = JSON.parse(JSON.stringify(answers.facility(id))) as Facility;
      return services[0]!.as_published.food_yen_per_day !== undefined;
    });
    assert.deepEqual(kept, wrong.map(({ office_id }) => office_id!).sort());
    const unitFees = listed.filter(
      (row) => row.room_kind === 'unit' && Number(row.rooms_private) > 0 && !(Number(row.rooms_multi) > 0),
    );
    const falseUnit = unitFees.filter(({ fee_room_per_day: fee }) => {
      const yen = Number(fee);
      return fee !== '' && (yen < 2066 * 0.6 || yen > 2066 * 3 || [820, 880, 1310, 1370, 1470].includes(yen));
    });
    assert.ok(falseUnit.length > 60 && findings.fee_room!.count >= falseUnit.length, `${falseUnit.length}`);
    for (const { office_id } of falseUnit) {
      const { services } = JSON.parse(JSON.stringify(answers.facility(office_id!))) as Facility;
      assert.equal(services[0]!.cost_estimate.parts!.residence!.low, 2066 * 30, office_id);
    }
  }),
);

test('real homes with private and shared rooms have a fee for each', { skip }, () =>
  tokyo(({ answers }) => {
    const both = plainDetails().filter(
      (row) =>
        row.service_code === '510' &&
        row.room_kind === 'multi' &&
        Number(row.rooms_private) > 0 &&
        Number(row.rooms_multi) > 0 &&
        ['915', '1231'].includes(row.fee_room_per_day!),
    );
    assert.ok(both.length > 100);
    for (const { office_id } of both) {
      const { services } = JSON.parse(JSON.stringify(answers.facility(office_id!))) as Facility;
      const { parts, room, other_rooms } = services[0]!.cost_estimate;
      const yen = (kind: string | null) => (kind === 'shared' ? 915 : 1231) * 30;
      assert.deepEqual([parts!.residence!.low, parts!.residence!.high], [yen(room), yen(room)], office_id);
      assert.deepEqual([room, ...other_rooms.map((one) => one.room)].sort(), ['private', 'shared'], office_id);
    }
  }),
);
