import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { INCOMES, isLowIncome, ROOMS } from '../../src/contract/kaigo-cost.ts';
import type { CostFacts } from '../../src/kaigo/bill.ts';
import type { Scenario } from '../../src/kaigo/case.ts';
import { BUILT_IN_FEES } from '../../src/kaigo/facts/built-in.ts';
import { GRADES } from '../../src/kaigo/municipalities.ts';
import { priceListOn } from '../../src/kaigo/price-list.ts';
import { offeredRooms } from '../../src/kaigo/rooms.ts';
import { SERVICES } from '../../src/kaigo/services.ts';
import { CARE_LEVELS } from '../../src/kaigo/tariff.ts';
import { estimateCost, STANDARD_SCENARIO } from './support/estimates.ts';
import { NO_FEES } from './support/sample.ts';

const LIST = priceListOn(BUILT_IN_FEES, '2026-11-20');
const facts = (serviceCode: string, more: Partial<CostFacts> = {}): CostFacts => ({
  serviceCode,
  grade: '1',
  rooms: null,
  ...NO_FEES,
  ...more,
});
const estimate = (serviceCode: string, more: Partial<CostFacts> = {}, scenario: Partial<Scenario> = {}) =>
  estimateCost(LIST, facts(serviceCode, more), { ...STANDARD_SCENARIO, ...scenario });

test('every service has a figure or a reason', () => {
  const without = SERVICES.flatMap(({ service_code }) => {
    const { monthly_yen, reason } = estimate(service_code);
    assert.equal(monthly_yen === null, reason !== null, service_code);
    return reason === null ? [] : [`${service_code} ${reason}`];
  });
  assert.deepEqual(without, [
    '155 no_units_known',
    '170 goods',
    '230 no_units_known',
    '410 goods',
    '530 service_ended',
    '551 no_units_known',
    '710 no_units_known',
    '920 no_rent_known',
    '930 no_rent_known',
  ]);
});

test('bills equal those computed by hand', () => {
  // 510, private room, grade 1: 732 × 30 = 21960; × 10.90 = 239364; less floor(90 %) = 23937; food 46350, room 36930.
  assert.equal(estimate('510', { rooms: ['private'] }).monthly_yen!.low, 23937 + 46350 + 36930);
  // 331, low: 679 × 30 = 20370; × 10.90 = 222033; less 199829 = 22204. Typical: (679 + 21) × 30 + 140 = 21140;
  // III = round(21140 × 0.148) = 3129; 24269 × 10.90 = 264532; less 238078 = 26454. High: III = round(21140 × 0.159) = 3361;
  // 24501 × 10.90 = 267060; less 240354 = 26706.
  assert.deepEqual(estimate('331').monthly_yen, { low: 22204, typical: 26454, high: 26706 });
  // 110: 387 × 8 = 3096; × 11.40 = 35294; less floor(90 %) 31764 = 3530.
  assert.equal(estimate('110').monthly_yen!.low, 3530);
  // 730, by the month: 22359 × 11.10 = 248184; less 223365 = 24819.
  assert.equal(estimate('730').monthly_yen!.low, 24819);
  // 335: 84 × 30 = 2520; × 10.90 = 27468; less 24721 = 2747, whatever the care level.
  assert.deepEqual(new Set(estimate('335').by_care_level!.map(({ low }) => low)), new Set([2747]));
});

test('care management costs the user nothing, whatever the area', () => {
  for (const grade of [...GRADES, null]) {
    assert.deepEqual(estimate('430', { grade }).monthly_yen, { low: 0, typical: 0, high: 0 });
  }
});

test('food and room are in the bill only where the tariff covers them', () => {
  const residential = SERVICES.filter(({ service_code }) => estimate(service_code).basis?.bill === 'standard_fees');
  assert.deepEqual(
    residential.map(({ service_code }) => service_code),
    ['210', '220', '510', '520', '540', '550'],
  );
  for (const service of ['331', '332', '334', '335', '336', '337', '361', '362', '364', '320']) {
    const { basis, excludes, parts } = estimate(service);
    assert.equal(basis?.bill, 'insured_part_only');
    assert.ok(excludes.includes('rent') && excludes.includes('management_fees') && excludes.includes('food'), service);
    assert.deepEqual([parts!.food, parts!.residence], [null, null]);
    assert.equal(excludes.includes('delegated_services'), ['335', '336', '337'].includes(service));
  }
});

test('published fees replace the standard ones', () => {
  const both = estimate('510', { rooms: ['unit'], food: { yen: 2100, per: 'day' }, roomFees: { unit: 2660 } });
  assert.equal(both.basis?.bill, 'published_fees');
  assert.deepEqual(
    [both.parts!.food, both.parts!.residence],
    [
      { low: 63000, typical: 63000, high: 63000 },
      { low: 79800, typical: 79800, high: 79800 },
    ],
  );
  const one = estimate('510', { rooms: ['unit'], food: { yen: 2100, per: 'day' } });
  assert.equal(one.basis?.bill, 'published_and_standard_fees');
  assert.equal(one.parts!.residence!.high, 2066 * 30);
});

test('an unknown kind of room widens the range to all possible kinds', () => {
  const all = estimate('520').monthly_yen!;
  for (const room of ROOMS) {
    const { monthly_yen, reason } = estimate('520', { rooms: [room] });
    if (monthly_yen === null) assert.equal(reason, 'no_units_for_room', room);
    else assert.ok(monthly_yen.low >= all.low && monthly_yen.high <= all.high, room);
  }
});

test('a conventional home that publishes 0 private and 0 shared rooms has no main kind', () => {
  const stated = { kind: 'conventional', kindFrom: 'details', private: 0, shared: 0, sharedBeds: null } as const;
  for (const capacity of [null, 50]) {
    assert.deepEqual(offeredRooms(stated, capacity), { kinds: ['private', 'shared'], main: null });
  }
});

test('a charged shared room is possible only where the tariff has one', () => {
  const residence = (service: string) => estimate(service, { rooms: ['shared'] }).parts!.residence!;
  assert.deepEqual(residence('520'), {
    low: 437 * 30,
    typical: 437 * 30,
    high: 437 * 30,
  });
  assert.equal(residence('550').low, 437 * 30);
  assert.ok(estimate('550', { rooms: ['shared_charged'] }).parts!.residence!.low === 697 * 30);
});

test('the limits of an income stage reduce food and room, and the cap insured care alone', () => {
  // Unit room, grade 1, level 3, base units: care 815 × 30 × 10.90 = 266505, a tenth of it 26651.
  const { monthly_yen, after_refund, reductions } = estimate('510', { rooms: ['unit'] }, { income: '1' });
  assert.equal(monthly_yen!.low, 26651 + 46350 + 61980);
  assert.equal(after_refund!.low, 15000 + 300 * 30 + 880 * 30);
  assert.deepEqual(
    [reductions!.food_limit!.low, reductions!.residence_limit!.low, reductions!.high_cost_refund!.low],
    [(1545 - 300) * 30, (2066 - 880) * 30, 26651 - 15000],
  );
  assert.equal(reductions!.cap_yen, 15000);
  // 30 %: 79952 of insured care, of which a household of stage 4 keeps 44400.
  const taxed = estimate('510', { rooms: ['unit'] }, { copaymentPercent: 30 });
  assert.equal(taxed.monthly_yen!.low - taxed.after_refund!.low, 79952 - 44400);
  assert.equal(
    estimate('510', { rooms: ['unit'] }, { copaymentPercent: 30, income: 'taxed_380' }).reductions!.cap_yen,
    93000,
  );
});

test('where rooms are equal after the limits, the reductions are those of the room of the bill', () => {
  // Of an unknown kind. A unit room (2066) and a shared one of units (1728) have the same limit.
  const { monthly_yen, after_refund, reductions } = estimate('540', { rooms: null }, { income: '3-1' });
  const { food_limit, residence_limit, high_cost_refund } = reductions!;
  assert.equal(
    after_refund!.high,
    monthly_yen!.high - food_limit!.high - residence_limit!.high - high_cost_refund!.high,
  );
});

test('the limits of the lists before August 2026 are known, and those of short stays', () => {
  const on = (day: string, service: string, room: 'unit' | 'private' | 'shared', income: '1' | '2' | '3-1' | '3-2') => {
    const list = priceListOn(BUILT_IN_FEES, day);
    const scenario = { ...STANDARD_SCENARIO, income, treatment: 'none' };
    const { parts, reductions } = estimateCost(list, facts(service, { rooms: [room] }), scenario);
    const after = (part: number, less: number | undefined) => (part - (less ?? 0)) / 30;
    return [
      after(parts!.food!.low, reductions!.food_limit?.low),
      after(parts!.residence!.low, reductions!.residence_limit?.low),
    ];
  };
  const stages = ['1', '2', '3-1', '3-2'] as const;
  const both = (service: string, room: 'unit' | 'private' | 'shared', day = '2025-01-01') =>
    stages.map((income) => on(day, service, room, income));
  assert.deepEqual(both('510', 'unit'), [
    [300, 880],
    [390, 880],
    [650, 1370],
    [1360, 1370],
  ]);
  assert.deepEqual(both('520', 'private'), [
    [300, 550],
    [390, 550],
    [650, 1370],
    [1360, 1370],
  ]);
  assert.deepEqual(both('540', 'private'), [
    [300, 380],
    [390, 480],
    [650, 880],
    [1360, 880],
  ]);
  assert.deepEqual(both('510', 'shared'), [
    [300, 0],
    [390, 430],
    [650, 430],
    [1360, 430],
  ]);
  assert.deepEqual(
    both('210', 'private').map(([food]) => food),
    [300, 600, 1000, 1300],
  );
  assert.deepEqual(
    both('210', 'private', '2026-11-20').map(([food]) => food),
    [300, 600, 1030, 1360],
  );
  assert.deepEqual(both('510', 'unit', '2026-11-20'), [
    [300, 880],
    [390, 880],
    [680, 1370],
    [1420, 1470],
  ]);
});

test('home services beyond the monthly limit are paid in full', () => {
  // Level 1, 30 visits of 658 units: 19740, of which the insurance covers 16765.
  const { by_care_level } = estimate(
    '150',
    { grade: 'other' },
    { visits: 30, variants: ['normal_7_8h'], treatment: 'none' },
  );
  assert.equal(by_care_level![0]!.low, 167650 - Math.floor(167650 * 0.9) + (197400 - 167650));
});

test('what does not count against the monthly limit is insured beyond it', () => {
  // Level 1, 30 days of 603 + 8 + 13 units and 6 of service provision, which does not count: 16765 + 180 are insured.
  const { parts } = estimate('210', { grade: '1', rooms: ['shared'] }, { careLevel: 1 });
  const [cost, insured] = [(18900 + 3081) * 11.1, (16945 + 2762) * 11.1].map(Math.floor);
  assert.equal(parts!.care.typical, cost! - Math.floor((insured! * 9) / 10));
});

test('a typical bill has the usual tariff and room', () => {
  const residence = (code: string, rooms?: (typeof ROOMS)[number][]) =>
    estimate(code, rooms === undefined ? {} : { rooms }).parts!.residence!.typical;
  assert.deepEqual([residence('520'), residence('550'), residence('520', ['unit'])], [13110, 13110, 61980]);
  const day = (kind: 'low' | 'typical') => estimate('150', { grade: 'other' }).parts!.care[kind];
  // 8 visits of 830 units of the largest size; of 900 of the usual one, with 799 units of treatment improvement.
  assert.deepEqual([day('low'), day('typical')], [830 * 8, 900 * 8 + 799]);
});

test('an area that the notice does not name counts as one of the others, and the estimate says so', () => {
  const [assumed, other] = [estimate('510', { grade: null }), estimate('510', { grade: 'other' })];
  assert.deepEqual([assumed.area_grade, assumed.area_grade_from], ['other', 'assumed']);
  assert.deepEqual([other.area_grade, other.area_grade_from], ['other', 'notice']);
  assert.deepEqual(assumed.monthly_yen, other.monthly_yen);
  assert.equal(assumed.confidence, 'unconfirmed');
});

test('nursing and rehabilitation at home have their treatment improvement in the typical bill', () => {
  for (const [service, permille] of [
    ['130', 18],
    ['140', 15],
  ] as const) {
    const { monthly_yen, treatment_permille, additions } = estimate(service, { grade: 'other' });
    assert.deepEqual([treatment_permille, additions], [permille, null]);
    assert.ok(monthly_yen!.typical > monthly_yen!.low, service);
  }
});

test('an estimate is confirmed only when all its figures are', () => {
  assert.equal(estimate('510', { rooms: ['private'] }).confidence, 'confirmed');
  assert.equal(estimate('510', { rooms: ['unit'] }).confidence, 'confirmed');
  assert.equal(estimate('550', { rooms: ['private'] }).confidence, 'unconfirmed');
  assert.equal(
    estimate('520', { rooms: ['private'] }, { variants: ['basic_private'], treatment: 'none' }).confidence,
    'confirmed',
  );
});

test('lowest is not above highest, levels and copayments ascend, parts add up', () => {
  const codes = SERVICES.map(({ service_code }) => service_code).filter((code) => estimate(code).reason === null);
  fc.assert(
    fc.property(
      fc.constantFrom(...codes),
      fc.constantFrom(...GRADES),
      fc.constantFrom(10, 20, 30),
      fc.constantFrom(...CARE_LEVELS),
      fc.constantFrom(...INCOMES),
      (code, grade, copaymentPercent, careLevel, income) => {
        const one = estimate(code, { grade }, { copaymentPercent, careLevel, income });
        for (const { low, typical, high } of one.by_care_level!) {
          assert.ok(Number.isInteger(low) && low <= typical && typical <= high);
        }
        const { low, typical, high } = one.after_refund!;
        assert.ok(low <= typical && typical <= high && low <= one.monthly_yen!.low && high <= one.monthly_yen!.high);
        const { food_limit, residence_limit, high_cost_refund } = one.reductions!;
        if (!isLowIncome(income)) assert.deepEqual([food_limit, residence_limit], [null, null]);
        if (!isLowIncome(income) && high_cost_refund === null) assert.deepEqual(one.after_refund, one.monthly_yen);
        assert.deepEqual(one.by_care_level![careLevel - 1], { care_level: careLevel, ...one.monthly_yen! });
        for (const end of ['low', 'typical', 'high'] as const) {
          const { care, food, residence } = one.parts!;
          assert.equal(care[end] + (food?.[end] ?? 0) + (residence?.[end] ?? 0), one.monthly_yen![end]);
        }
        const dearer = estimate(code, { grade }, { copaymentPercent: 30, careLevel, income });
        assert.ok(dearer.monthly_yen!.low >= one.monthly_yen!.low);
      },
    ),
  );
});

test('support levels have units of their own, or the reason why not', () => {
  const support = (code: string, level: 'support_1' | 'support_2') =>
    estimate(code, { grade: '1', rooms: null }, { careLevel: level });
  // 313 units a day at 10.90 yen: 102,351 yen, of which 92,115 are the insurer's.
  assert.equal(support('331', 'support_2').parts!.care.low, 10_236);
  // 2,268 units a month at 11.10 yen.
  assert.equal(support('160', 'support_1').parts!.care.low, 2518);
  const { scenario, by_care_level, additions } = support('331', 'support_2');
  assert.deepEqual([scenario.care_level, scenario.support_level, by_care_level, additions], [null, 2, null, null]);
  assert.equal(support('320', 'support_1').reason, 'not_for_support_level');
  assert.equal(support('320', 'support_2').reason, null);
  for (const code of ['110', '150', '780']) assert.equal(support(code, 'support_1').reason, 'municipal_programme');
  for (const code of ['510', '520', '361', '770'])
    assert.equal(support(code, 'support_2').reason, 'not_for_support_level');
  assert.equal(support('335', 'support_1').reason, 'no_units_known');
  assert.equal(support('430', 'support_1').monthly_yen!.high, 0);
  // 30 days of a short stay are more than the limit of 5,032 units: the rest is paid in full.
  const { care } = support('210', 'support_1').parts!;
  assert.ok(care.low > 451 * 30 - 5032);
});

test('relief, care assistance and couples reduce the bill by their rules', () => {
  const home = { grade: 'other', rooms: ['shared'], mainRoom: 'shared', isSocialWelfare: true } as const;
  const ofStage2 = (more: Partial<Scenario>) => estimate('510', home, { income: '2', ...more });
  // 732 units a day: a share of 21,960 yen. Food and room of stage 2: 390 and 430 yen a day.
  const plain = ofStage2({});
  assert.equal(plain.after_refund!.low, 15_000 + 30 * (390 + 430));
  const relieved = ofStage2({ aid: 'social_welfare' });
  assert.equal(relieved.reductions!.welfare_relief!.low, 5490 + 2925 + 3225);
  assert.equal(relieved.reductions!.high_cost_refund!.low, 21_960 - 5490 - 15_000);
  assert.equal(relieved.after_refund!.low, 15_000 + 8775 + 9675);
  const elsewhere = estimate('510', { ...home, isSocialWelfare: false }, { income: '2', aid: 'social_welfare' });
  assert.deepEqual([elsewhere.reductions!.welfare_relief, elsewhere.after_refund], [null, plain.after_refund]);
  assert.equal(estimate('520', home, { income: '2', aid: 'social_welfare' }).reductions!.welfare_relief, null);

  const assisted = estimate('510', home, { income: '1', aid: 'public_assistance' });
  assert.equal(assisted.after_refund!.low, 0);
  assert.equal(assisted.reductions!.public_assistance!.low, 21_960 + 30 * 300);
  const inUnit = estimate(
    '510',
    { ...home, rooms: ['unit'], mainRoom: 'unit' },
    { income: '1', aid: 'public_assistance' },
  );
  assert.equal(inUnit.after_refund!.low, 30 * 880);

  // Each pays at most 15,000, both 24,600.
  const both = ofStage2({ partnerLevel: 3 });
  assert.equal(both.couple!.after_refund.low, 24_600 + 2 * 30 * (390 + 430));
  assert.equal(both.couple!.high_cost_refund.low, 2 * 21_960 - 24_600);
  // One cap for both: 65,880 yen each at 30 %, 44,400 yen together.
  const taxed = estimate('510', home, { copaymentPercent: 30, partnerLevel: 3 });
  assert.equal(taxed.couple!.high_cost_refund.low, 2 * 65_880 - 44_400);
  assert.equal(taxed.couple!.monthly_yen.low, 2 * taxed.monthly_yen!.low);
  assert.equal(estimate('510', home, { partnerLevel: 'support_1' }).couple, null);
  assert.equal(taxed.reductions!.combined_cap_yen, 670_000);
  const capsOfStage1 = [null, 3].map(
    (partnerLevel) => estimate('510', home, { income: '1', partnerLevel }).reductions!.combined_cap_yen,
  );
  assert.deepEqual(capsOfStage1, [190_000, 310_000]);
});
