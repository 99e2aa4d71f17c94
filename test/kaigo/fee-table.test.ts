import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { BUILT_IN_FEES } from '../../src/kaigo/facts/built-in.ts';
import type { FeeTable } from '../../src/kaigo/fee-table.ts';
import { checkFeeTable } from '../../src/kaigo/fee-table.ts';
import { MUNICIPALITIES } from '../../src/kaigo/municipalities.ts';
import { highestTreatment, priceListOn, residenceOf, unitPriceOf } from '../../src/kaigo/price-list.ts';
import { SERVICES } from '../../src/kaigo/services.ts';
import { sharedData, skipWithout } from '../support/shared-data.ts';

test('the price list depends on the day', () => {
  const names = [
    '2024-06-01',
    '2024-07-31',
    '2024-08-01',
    '2025-07-31',
    '2025-08-01',
    '2026-05-31',
    '2026-06-01',
    '2026-08-01',
  ];
  assert.deepEqual(
    names.map((day) => priceListOn(BUILT_IN_FEES, day).date),
    ['2024-06-01', '2024-06-01', '2024-08-01', '2024-08-01', '2025-08-01', '2025-08-01', '2026-06-01', '2026-08-01'],
  );
  const [before, after] = ['2026-05-31', '2026-08-01'].map((day) => priceListOn(BUILT_IN_FEES, day));
  const rate = (list: typeof before) => highestTreatment(list!, list!.services.get('510')!);
  assert.deepEqual(
    [rate(before), rate(after)],
    [
      { name: 'I', permille: 140 },
      { name: 'I-ro', permille: 176 },
    ],
  );
  assert.deepEqual([before!.food!.standard, after!.food!.standard], [1445, 1545]);
  assert.throws(() => priceListOn(BUILT_IN_FEES, '2024-05-31'), RangeError);
});

test('the built-in table matches its schema, which a build does not check', () => {
  assert.equal(checkFeeTable(BUILT_IN_FEES, 'fees.json'), BUILT_IN_FEES);
});

test('an inconsistent table is refused with the place of each fault', () => {
  const broken = (change: (table: FeeTable) => unknown) => () => {
    const table = structuredClone(BUILT_IN_FEES);
    change(table);
    checkFeeTable(table, 'my-fees.json');
  };
  const cases: [RegExp, (table: FeeTable) => unknown][] = [
    [/my-fees\.json[\s\S]*\/food\/0\/standard: must be integer/, (table) => (table.food[0]!.standard = 14.5)],
    [/\/services\/0: there is no service 999/, (table) => table.services[0]!.service_codes.push('999')],
    [
      /\/variants\/0\/source: no source is called rumour/,
      (table) => (table.services[0]!.variants[0]!.source = 'rumour'),
    ],
    [/in force at the same time as \/food\/0/, (table) => (table.food[1]!.from = '2026-07-01')],
    [/\/treatment_group: no treatment_rates for none/, (table) => (table.services[0]!.treatment_group = 'none')],
    [/\/units: must not have fewer than 5/, (table) => table.services[0]!.variants[0]!.units.pop()],
  ];
  for (const [message, change] of cases) assert.throws(broken(change), message);
  assert.throws(() => checkFeeTable({ schema: 'other' }, 'x.json'), /^Error: x\.json: not a fee table/);
});

const skip = skipWithout('kaigo/fees.json', 'kaigo/region_grades.csv', 'kaigo/service_codes.csv');

test('every unit, price, rate and fee of the collected facts is in the table', { skip }, () => {
  const facts = JSON.parse(readFileSync(sharedData('kaigo/fees.json')!, 'utf8'));
  const list = priceListOn(BUILT_IN_FEES, '2026-08-01');
  for (const [code, service] of Object.entries<Record<string, Record<string, { units: number[]; confidence: string }>>>(
    facts.units,
  )) {
    for (const [label, { units, confidence }] of Object.entries(service.care ?? {})) {
      const codes = label.includes('335-337') ? ['335', '336', '337'] : code === '331' ? ['331', '332', '334'] : [code];
      for (const one of codes) {
        // What the facts have from one copy may have been read in another since: then that is the source.
        const found = list.services
          .get(one)!
          .variants.some(
            (variant) =>
              variant.units.join() === units.join() &&
              (variant.confidence === confidence || ['notice_540', 'unit_510'].includes(variant.source)),
          );
        assert.ok(found, `${one} ${label}`);
      }
    }
  }
  const homeHelp = list.services.get('110')!.variants.map(({ units }) => units[0]);
  for (const [label, units] of Object.entries(facts.units['110'].flat.units)) {
    // What is added for each further half hour is no visit of its own.
    assert.equal(homeHelp.includes(units as number), label !== '以後30分毎', label);
  }
  facts.unit_price.grade.forEach((grade: string, i: number) => {
    const name = grade === 'その他' ? 'other' : (grade as '1');
    for (const [group, code] of [
      ['A70', '110'],
      ['B55', '720'],
      ['C45', '510'],
    ] as const) {
      assert.equal(unitPriceOf(list, list.services.get(code)!, name), Math.round(facts.unit_price[group][i] * 100));
    }
  });
  for (const [label, rates] of Object.entries<Record<string, number[]>>(facts.treatment_rates_percent)) {
    const highest = Math.max(...rates['R8_2026-06..[Iイ,Iロ,IIイ,IIロ,III,IV]']!);
    const codes = SERVICES.filter(
      ({ service_code }) => label.split(' ')[0]!.includes(service_code) && list.services.has(service_code),
    );
    for (const { service_code } of codes) {
      assert.equal(highestTreatment(list, list.services.get(service_code)!)!.permille, Math.round(highest * 10), label);
    }
  }
  for (const { room, facilities, standard } of facts.residence as {
    room: string;
    facilities: string;
    standard: number;
  }[]) {
    const code = facilities.includes('特養') ? '510' : '520';
    const all = list.residence.filter((one) => one.class === list.services.get(code)!.residence_class);
    assert.ok(
      all.some((one) => one.standard === standard && room.startsWith(one.label.slice(0, 3))),
      `${room} ${facilities}`,
    );
  }
  assert.equal(residenceOf(list, list.services.get('510')!, 'private')!.standard, 1231);
});

test('area grades and services equal the collected facts', { skip }, () => {
  const lines = (path: string) =>
    readFileSync(sharedData(path)!, 'utf8')
      .replace(/^\ufeff/, '')
      .trim()
      .split(/\r?\n/)
      .slice(1);
  const grades = lines('kaigo/region_grades.csv').map((line) => line.split(',').slice(0, 4).join(','));
  const ours = MUNICIPALITIES.map(({ code, prefecture, name, grade }) =>
    [code, prefecture, name, grade === 'other' ? 'その他' : grade].join(),
  );
  // The facts have the municipalities with offices and all that the notice names: any other has no grade of its own.
  const known = new Set(grades);
  assert.deepEqual(
    ours.filter((one) => known.has(one)),
    grades.sort(),
  );
  assert.ok(ours.filter((one) => !known.has(one)).every((one) => one.endsWith(',その他')));
  const services = lines('kaigo/service_codes.csv').map((line) => line.split(',').slice(0, 2).join());
  assert.deepEqual(
    SERVICES.filter(({ from_registers }) => !from_registers).map(({ service_code, name }) => `${service_code},${name}`),
    services,
  );
});
