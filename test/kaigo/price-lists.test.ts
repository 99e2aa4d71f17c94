import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import type { Scenario } from '../../src/kaigo/case.ts';
import { BUILT_IN_FEES } from '../../src/kaigo/facts/built-in.ts';
import { priceListOn } from '../../src/kaigo/price-list.ts';
import { estimateCost, STANDARD_SCENARIO } from './support/estimates.ts';
import { type Figure, LISTS, type PriceList } from './support/price-lists.ts';
import { NO_FEES } from './support/sample.ts';

const DOCS = readFileSync(new URL('../../docs/kaigo-fees.md', import.meta.url), 'utf8');

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

test('estimates equal the price lists of real homes, except differences with a reason; docs count them', () => {
  let equal = 0;
  for (const list of LISTS) {
    for (const { what, published, each = [{}], of, difference = 0, why } of list.figures) {
      // With the additions and rates of the list all three are the same.
      const ours = each.map((scenario) => (estimated(list, of, scenario)[0] ?? NaN) - difference);
      assert.deepEqual(ours, [published].flat(), `${list.home}: ${what}`);
      assert.equal(why === undefined, difference === 0);
      if (difference === 0) equal++;
    }
  }
  const figures = LISTS.reduce((sum, list) => sum + list.figures.length, 0);
  assert.ok(DOCS.includes(`compares ${figures} figures of ${LISTS.length} published price lists`), `${figures}`);
  assert.ok(DOCS.includes(`${equal} are equal to the yen`), `${equal}`);
});

test('whole bills of real homes lie in the range of the estimate, except those that docs count', () => {
  let within = 0;
  const percents: number[] = [];
  const bills = LISTS.filter(({ inRange }) => inRange !== undefined);
  for (const list of bills) {
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
    assert.equal(place, list.inRange === '' ? 'within' : 'above', list.home);
    if (place === 'within') within++;
    percents.push(...published.map((bill, i) => (100 * ((ranges[i]?.[1] ?? NaN) - bill)) / bill));
  }
  const signed = (of: number) => `${of < 0 ? '−' : '+'}${Math.abs(of).toFixed(1)}`;
  const spread = `${signed(Math.min(...percents))} to ${signed(Math.max(...percents))} %`;
  assert.ok(DOCS.includes(`Of ${bills.length} whole bills, ${within} are within`), `${bills.length}, ${within}`);
  assert.ok(DOCS.includes(`differs from the bills by ${spread}`), spread);
});
