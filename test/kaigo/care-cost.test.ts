import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import fc from 'fast-check';
import { type Case, INCOMES, type Income, STANDARD_CASE } from '../../src/contract/kaigo-cost.ts';
import { type CareInput, careCost } from '../../src/kaigo/care-cost.ts';
import { BUILT_IN_FEES } from '../../src/kaigo/facts/built-in.ts';
import { combinedCapsOf, priceListOn } from '../../src/kaigo/price-list.ts';
import { sharedData, skipWithout } from '../support/shared-data.ts';
import { estimateCost, STANDARD_SCENARIO } from './support/estimates.ts';
import { NO_FEES } from './support/sample.ts';

/** A real price list of a special nursing home, in force from August 2026: grade 2, private room, yen for 30 days. */
const PRINTED = [108366, 111014, 113775, 116423, 119032];

test('the arithmetic gives the printed price list to the yen', () => {
  const list = priceListOn(BUILT_IN_FEES, '2026-08-01');
  const facts = { serviceCode: '510', grade: '2', rooms: ['private'], ...NO_FEES } as const;
  const scenario = { ...STANDARD_SCENARIO, dailyUnits: 70, monthlyUnits: 130, treatment: 'I-ro' };
  const printed = estimateCost(list, facts, { ...scenario, rounding: 'check-list' });
  assert.deepEqual(
    printed.by_care_level!.map(({ low, high }) => [low, high]),
    PRINTED.map((yen) => [yen, yen]),
  );
  const billed = estimateCost(list, facts, scenario);
  // The bill rounds the insurer's share down, so the resident's comes out one yen higher where it is not whole.
  assert.deepEqual(
    billed.by_care_level!.map(({ low }, i) => low - PRINTED[i]!),
    [1, 1, 1, 0, 1],
  );
});

test('the check values that came with the data are met', { skip: skipWithout('kaigo/fee_check_values.json') }, () => {
  const check = JSON.parse(readFileSync(sharedData('kaigo/fee_check_values.json')!, 'utf8'));
  const [room, food] = check.roomFoodPerDay.private['4'] as [number, number];
  const expected = check.expected30d_copay10_income_stage4.private as number[];
  const got = expected.map((_, level) => {
    const care = careCost({
      baseUnits: check.base[level + 1],
      dailyUnits: check.dailyAdditions,
      monthlyUnits: check.monthlyAdditions,
      times: 30,
      treatmentPermille: Math.round(check.treatmentRate * 1000),
      unitPrice: Math.round(check.unitPrice * 100),
      copaymentPercent: 10,
      rounding: 'check-list',
      limitUnits: null,
      unlimitedUnits: 0,
    });
    return care.residentPays + 30 * (room + food);
  });
  assert.deepEqual(got, expected);
});

const inputs = fc.record<CareInput>({
  baseUnits: fc.integer({ min: 0, max: 40_000 }),
  dailyUnits: fc.integer({ min: 0, max: 1000 }),
  monthlyUnits: fc.integer({ min: 2000, max: 5000 }),
  times: fc.integer({ min: 1, max: 31 }),
  treatmentPermille: fc.integer({ min: 0, max: 300 }),
  unitPrice: fc.integer({ min: 1000, max: 1140 }),
  copaymentPercent: fc.constantFrom(10, 20, 30),
  rounding: fc.constantFrom('official', 'check-list'),
  limitUnits: fc.option(fc.integer({ min: 1, max: 40_000 })),
  unlimitedUnits: fc.integer({ min: 0, max: 2000 }),
});

test('every step is what exact fractions give', () => {
  fc.assert(
    fc.property(inputs, (input) => {
      const units = BigInt((input.baseUnits + input.dailyUnits) * input.times + input.monthlyUnits);
      const withTreatment = (part: bigint) => part + (2n * part * BigInt(input.treatmentPermille) + 1000n) / 2000n;
      const yen = (part: bigint) => (withTreatment(part) * BigInt(input.unitPrice)) / 100n;
      const limit = BigInt((input.limitUnits ?? Number.MAX_SAFE_INTEGER) + input.unlimitedUnits);
      const [cost, insurable] = [yen(units), yen(units < limit ? units : limit)];
      const percent = BigInt(input.copaymentPercent);
      const share =
        input.rounding === 'official'
          ? insurable - (insurable * (100n - percent)) / 100n
          : (insurable * percent) / 100n;
      const got = careCost(input);
      assert.equal(BigInt(got.cost), cost);
      assert.equal(BigInt(got.residentPays), share + cost - insurable);
      assert.equal(BigInt(got.insurerPays), insurable - share);
    }),
  );
});

test('the two ways of rounding are never more than a yen apart', () => {
  fc.assert(
    fc.property(inputs, (input) => {
      const official = careCost({ ...input, rounding: 'official' }).residentPays;
      const printed = careCost({ ...input, rounding: 'check-list' }).residentPays;
      assert.ok(official - printed === 0 || official - printed === 1);
    }),
  );
});

test('half a unit of treatment improvement is rounded up', () => {
  const units = { dailyUnits: 0, monthlyUnits: 0, limitUnits: null, unlimitedUnits: 0 };
  const base = { ...units, times: 1, unitPrice: 1000, copaymentPercent: 10 };
  const treatment = (baseUnits: number, treatmentPermille: number) =>
    careCost({ ...base, baseUnits, treatmentPermille, rounding: 'official' }).treatmentUnits;
  assert.deepEqual([treatment(5, 100), treatment(4, 100), treatment(15, 100), treatment(1000, 1)], [1, 0, 2, 1]);
});

test('the yearly caps on medical and care costs are those of every class of the ordinance', () => {
  const list = priceListOn(BUILT_IN_FEES, '2026-08-01');
  const caps = (income: Income, partnerLevel: Case['partnerLevel'] = null) =>
    combinedCapsOf(list, { ...STANDARD_CASE, income, partnerLevel }).map(({ yen }) => yen / 10_000);
  // 介護保険法施行令第22条の3, from the age of 70, as municipalities print it: 万円 by 課税所得 or stage.
  assert.deepEqual(
    INCOMES.map((income) => [income, ...caps(income)]),
    [
      ['standard', 67, 56],
      ['1', 19],
      ['2', 31],
      ['3-1', 31],
      ['3-2', 31],
      ['taxed_380', 141],
      ['taxed_690', 212],
    ],
  );
  assert.deepEqual([caps('1', 3), caps('2', 3)], [[31], [31]]);
});
