import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import type { Scenario } from '../../src/kaigo/case.ts';
import { BUILT_IN_FEES } from '../../src/kaigo/facts/built-in.ts';
import { priceListOn } from '../../src/kaigo/price-list.ts';
import { estimateCost, STANDARD_SCENARIO } from './support/estimates.ts';
import { type Figure, LISTS, type PriceList } from './support/price-lists.ts';
import { NO_FEES } from './support/sample.ts';

/** What the estimate says before the monthly cap, which no list pays back: low, typical and high. */
function estimated({ on, facts, own }: PriceList, of: Figure['of'], scenario: Partial<Scenario>): number[] {
  const wanted = { ...STANDARD_SCENARIO, ...own, ...scenario };
  const found = estimateCost(priceListOn(BUILT_IN_FEES, on), { rooms: null, ...NO_FEES, ...facts }, wanted);
  const { parts, reductions, monthly_yen } = found;
  assert.ok(parts !== null && monthly_yen !== null && reductions !== null, `${found.reason}`);
  return (['low', 'typical', 'high'] as const).map((kind) => {
    const off = (reductions.food_limit?.[kind] ?? 0) + (reductions.residence_limit?.[kind] ?? 0);
    if (of === 'care') return parts.care[kind];
    return monthly_yen[kind] - off - (of === 'beside' ? parts.care[kind] : 0);
  });
}

const yen = (number: number) => String(Math.abs(number)).replace(/\B(?=(\d{3})+$)/g, ',');

test('price lists of real homes come out, but for differences with a reason', () => {
  const docs = readFileSync(new URL('../../docs/kaigo-fees.md', import.meta.url), 'utf8');
  const missing: string[] = [];
  assert.ok(LISTS.length >= 10);
  for (const list of LISTS) {
    for (const { what, published, each = [{}], of, difference = 0, why } of list.figures) {
      const all = [published].flat();
      // With the additions and rates of the list all three are the same.
      const ours = each.map((scenario) => (estimated(list, of, scenario)[0] ?? NaN) - difference);
      assert.deepEqual(ours, all, `${list.home}: ${what}`);
      assert.equal(why === undefined, difference === 0);
      const shown = difference === 0 ? '0' : `${difference < 0 ? '−' : '+'}${yen(difference)}: ${why}`;
      const row = `| [${list.home}](${list.where}) | ${what} | ${all.map(yen).join(' / ')} | ${shown} |`;
      if (!docs.includes(row)) missing.push(row);
    }
  }
  assert.equal(missing.join('\n'), '');
});

test('whole bills of real homes lie in the range of the estimate, but for what the table of docs names', () => {
  const docs = readFileSync(new URL('../../docs/kaigo-fees.md', import.meta.url), 'utf8');
  const missing: string[] = [];
  for (const list of LISTS.filter(({ inRange }) => inRange !== undefined)) {
    const figure = list.figures.find(({ of }) => of === 'bill') ?? assert.fail();
    const published = [figure.published].flat();
    const { variants = null } = list.own;
    const nothing = {
      variants,
      dailyUnits: null,
      monthlyUnits: null,
      treatment: 'range',
      rounding: 'official',
    } as const;
    const ranges = (figure.each ?? [{}]).map((scenario) => estimated(list, 'bill', { ...scenario, ...nothing }));
    const places = published.map((bill, i) => {
      const [low = NaN, , high = NaN] = ranges[i] ?? [];
      return bill < low ? 'below' : bill > high ? 'above' : 'within';
    });
    const [place = ''] = places;
    assert.ok(places.every((one) => one === place));
    assert.equal(place !== 'within', list.inRange !== '', list.home);
    const percent = published.map((bill, i) => (100 * ((ranges[i]?.[1] ?? NaN) - bill)) / bill);
    const signed = (of: number) => `${of < 0 ? '−' : '+'}${Math.abs(of).toFixed(1)}`;
    const spread = [...new Set([Math.min(...percent), Math.max(...percent)].map(signed))].join(' to ');
    const row = `| ${list.home} | ${figure.what} | ${place}${list.inRange === '' ? '' : `: ${list.inRange}`} | ${spread} % |`;
    if (!docs.includes(row)) missing.push(row);
  }
  assert.equal(missing.join('\n'), '');
});
