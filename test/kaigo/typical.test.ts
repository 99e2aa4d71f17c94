import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { BUILT_IN_FEES } from '../../src/kaigo/facts/built-in.ts';
import { priceListOn } from '../../src/kaigo/price-list.ts';
import { ROOT } from '../support/run.ts';
import { estimateCost, STANDARD_SCENARIO } from './support/estimates.ts';
import { NO_FEES } from './support/sample.ts';

interface Page {
  id: string;
  service: string;
  rooms: string | null;
  year: number;
  where: string;
  treatment: string | null;
  sum_only?: { day: number; month: number };
  additions: { id: string; per: string; units: number | null }[];
}
const { pages: PAGES } = JSON.parse(readFileSync(join(ROOT, 'src/kaigo/facts/price-pages.json'), 'utf8')) as {
  pages: Page[];
};

/** Units that one page and another copy give: https://www.hot-senba.net/service-conventional/, raimu.or.jp/price.html. */
const OTHER_COPIES = new Set(['510 night_staff 16', '510 daily_life_support 46']);

/** Units of the additions of a table by service and room group, as the pages alone give them, and whether half charge them. */
function fromPages(): Map<string, string> {
  const found = new Map<string, string>();
  const itemised = PAGES.filter(({ sum_only }) => sum_only === undefined);
  for (const service of new Set(itemised.map((page) => page.service))) {
    const own = itemised.filter((page) => page.service === service);
    const ids = new Set(own.flatMap(({ additions }) => additions.map(({ id }) => id)));
    for (const id of ids) {
      const charging = own.filter(({ additions }) => additions.some((one) => one.id === id));
      if (charging.length * 3 < own.length || charging.length < 2) continue;
      const where = charging.length * 2 < own.length ? 'high' : 'typical';
      const byRoom = ['daily_life_support', 'night_staff'].includes(id) && service === '510';
      for (const rooms of byRoom ? ['conventional', 'unit'] : ['any']) {
        const units = charging
          .filter((page) => rooms === 'any' || page.rooms === rooms)
          .flatMap(({ additions }) => additions.filter((one) => one.id === id).flatMap((one) => one.units ?? []))
          .sort((a, b) => a - b);
        const middle = units[(units.length - 1) >> 1];
        if (middle !== undefined) found.set(`${service} ${id} ${rooms}`, `${middle} ${where}`);
      }
    }
  }
  return found;
}

test('the typical additions are those that the tabulated price pages charge', () => {
  assert.ok(PAGES.filter(({ year }) => year >= 2024).length >= 18 && PAGES.every(({ where }) => where.length > 0));
  const table = new Map<string, string>();
  for (const { service_codes, id, rooms, units, pages: counted, only_high } of BUILT_IN_FEES.typical_additions) {
    if (counted === undefined) continue;
    const group = rooms === undefined ? 'any' : rooms.includes('unit') ? 'unit' : 'conventional';
    for (const service of service_codes) {
      table.set(`${service} ${id} ${group}`, `${units} ${only_high ? 'high' : 'typical'}`);
      const own = PAGES.filter((page) => page.service === service && page.sum_only === undefined);
      const charging = own.filter(({ additions }) => additions.some((one) => one.id === id));
      assert.deepEqual(counted, { charging: charging.length, of: own.length }, `${service} ${id}`);
    }
  }
  assert.deepEqual([...table].sort(), [...fromPages()].sort());
  // Without pages a figure is sure where two copies of the notice agree.
  for (const { pages: counted, confidence, service_codes, id, source } of BUILT_IN_FEES.typical_additions) {
    const isSure = counted !== undefined || source === 'additions_540' || source === 'notice_19';
    if (!isSure) assert.equal(confidence, 'unconfirmed', `${service_codes} ${id}`);
  }
  // With pages it is where two of them, or a page and another copy, give the same units.
  for (const { pages: counted, confidence, service_codes, id, units } of BUILT_IN_FEES.typical_additions) {
    if (counted === undefined || confidence === 'unconfirmed' || OTHER_COPIES.has(`${service_codes} ${id} ${units}`)) {
      continue;
    }
    const saying = PAGES.filter(
      ({ service, additions }) =>
        service_codes.includes(service) && additions.some((one) => one.id === id && one.units === units),
    );
    assert.ok(saying.length >= 2, `${service_codes} ${id} ${units}`);
  }
});

test('a filed addition is confirmed by a tabulated price page of the service, or its source names another copy', () => {
  const all = (BUILT_IN_FEES.filed_additions ?? []).filter(({ confidence }) => confidence === 'confirmed');
  // The others name the notice, or the address of their page, in their source.
  const confirmed = all.filter(({ source }) => source === 'filed_and_charged');
  assert.deepEqual([all.length, confirmed.length], [42, 22]);
  for (const { service_codes, id, per, units } of confirmed) {
    // Pages do not tell the letters and levels of an addition: its units do.
    const name = id.replace(/_\d?[abc]?$/, '');
    const saying = PAGES.filter(
      ({ service, additions }) =>
        service_codes.includes(service) &&
        additions.some(
          (one) => one.id.replace(/_\d$/, '') === name.replace(/_\d$/, '') && one.per === per && one.units === units,
        ),
    );
    assert.ok(saying.length > 0, `${service_codes} ${id} ${units}`);
  }
});

test('most pages charge the typical treatment rate', () => {
  const named = PAGES.flatMap(({ treatment }) => treatment ?? []).filter((name) => name !== 'I-ro');
  assert.ok(named.filter((name) => name === 'I').length * 2 > named.length);
  for (const { group, typical, permille } of BUILT_IN_FEES.treatment_rates) {
    if ('I' in permille || 'I-i' in permille) assert.ok(typical === 'I' || typical === 'I-i', group);
  }
});

test('a real price list lies between low and high, and near typical', () => {
  const list = priceListOn(BUILT_IN_FEES, '2026-08-01');
  const facts = { serviceCode: '510', grade: '2', rooms: ['private'], ...NO_FEES } as const;
  const { by_care_level } = estimateCost(list, facts, { ...STANDARD_SCENARIO, rounding: 'check-list' });
  const printed = [108366, 111014, 113775, 116423, 119032];
  by_care_level!.forEach(({ low, typical, high }, i) => {
    assert.ok(low <= printed[i]! && printed[i]! <= high, `${low} ${printed[i]} ${high}`);
    assert.ok(Math.abs(typical - printed[i]!) < 1000);
  });
});
