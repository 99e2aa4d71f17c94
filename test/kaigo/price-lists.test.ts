import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import type { CostFacts } from '../../src/kaigo/bill.ts';
import { type Scenario, STANDARD_SCENARIO } from '../../src/kaigo/case.ts';
import { estimateCost } from '../../src/kaigo/estimate.ts';
import { BUILT_IN_FEES } from '../../src/kaigo/facts/built-in.ts';
import { priceListOn } from '../../src/kaigo/price-list.ts';
import { NO_FEES } from './support/sample.ts';

/** Price lists of real homes beside what the estimate says: facts only, each with its place. docs/kaigo-fees.md shows the table. */
interface PriceList {
  home: string;
  where: string;
  /** Day whose price list is taken. */
  on: string;
  facts: Pick<CostFacts, 'serviceCode' | 'grade'> & Partial<CostFacts>;
  /** Additions and treatment rate as the list names them. */
  own: Partial<Scenario>;
  figures: Figure[];
}

/** Figures that a list gives side by side. */
interface Figure {
  what: string;
  published: number | readonly number[];
  /** Of each figure, besides what all of them have. */
  each?: readonly Partial<Scenario>[];
  /** `care`, `beside` it, or both: `bill`. */
  of: 'care' | 'beside' | 'bill';
  /** What the list leaves out of the estimate's figure or has beyond it. */
  difference?: number;
  why?: string;
}

const BASE_ALONE: Partial<Scenario> = { dailyUnits: 0, monthlyUnits: 0, treatment: 'none' };
const COPAYMENTS = [10, 20, 30].map((copaymentPercent) => ({ copaymentPercent }));
const copayments = (published: readonly number[], what: string): Figure => ({
  what: `${what}; 10, 20, 30 %`,
  published,
  each: COPAYMENTS,
  of: 'care',
});
const stages = (published: readonly number[], scenario: Partial<Scenario>, what: string): Figure => ({
  what: `${what}; stages 1, 2, 3-1, 3-2, none`,
  published,
  each: (['1', '2', '3-1', '3-2', 'standard'] as const).map((income) => ({ ...scenario, income })),
  of: 'beside',
});

const LISTS: PriceList[] = [
  {
    home: 'Karamatsu-en, 510, private room, August 2026',
    where: 'https://github.com/hangeishi-rgb/karamatsuen-fee-simulator',
    on: '2026-08-01',
    facts: { serviceCode: '510', grade: '2', rooms: ['private'] },
    own: { dailyUnits: 70, monthlyUnits: 130, treatment: 'I-ro', rounding: 'check-list' },
    figures: [{ what: 'level 3, 30 days', published: 113_775, of: 'bill' }],
  },
  {
    home: 'sazanamikai (彦根市), 510, unit, November 2024',
    where: 'https://sazanamikai1411.com/se_shisetsu/se_tokuyo/se-toku-ryoukin',
    on: '2024-11-01',
    facts: { serviceCode: '510', grade: '6', rooms: ['unit'] },
    own: { ...BASE_ALONE, days: 31 },
    figures: [copayments([25_948, 51_895, 77_842], 'level 3, base, 31 days')],
  },
  {
    home: 'minato-kosaien, 510, 2025',
    where: 'https://minato-kosaien.jp/price',
    on: '2025-04-01',
    facts: { serviceCode: '510', grade: 'other', rooms: ['shared'] },
    own: { dailyUnits: 58, monthlyUnits: 100, treatment: 'I' },
    figures: [
      {
        what: 'level 3, 30 times 904 units a day at 10 yen',
        published: 27_120,
        of: 'care',
        difference: 12,
        why: 'units of the month are rounded to the day',
      },
    ],
  },
  {
    home: 'yfj, 510 (transitional small home), shared, August 2024',
    where: 'https://www.yfj.or.jp/publics/index/146/',
    on: '2024-08-01',
    facts: { serviceCode: '510', grade: 'other', rooms: ['shared'], food: { yen: 1930, per: 'day' } },
    own: { days: 31 },
    figures: [
      stages([9300, 25_420, 33_480, 55_490, 88_195], {}, 'food and room, 31 days'),
      {
        what: 'level 3, care, 31 days',
        published: 30_944,
        each: [{ dailyUnits: 0, monthlyUnits: 0, treatment: 'I' }],
        of: 'care',
        difference: -5075,
        why: 'a transitional tariff (経過的小規模, 835 units and additions), which the fee table does not hold',
      },
    ],
  },
  {
    home: 'はまなす (小樽市), 520, shared, 2024',
    where: 'https://www.saiseikai-otaru.jp/hamanasu/detail/00001797.html',
    on: '2024-08-01',
    facts: { serviceCode: '520', grade: 'other', rooms: ['shared'] },
    own: { ...BASE_ALONE, variants: ['basic_shared'] },
    figures: [{ what: 'level 3, base, 30 days', published: 27_240, of: 'care' }],
  },
  {
    home: 'hc-ashina (横須賀市), 520, August 2024',
    where: 'https://hc-ashina.jp/price/stay10per.php',
    on: '2024-08-01',
    facts: { serviceCode: '520', grade: '4', rooms: ['private', 'shared'] },
    own: { ...BASE_ALONE, days: 1 },
    figures: [
      {
        what: 'private room, level 3, a day; 10, 20, 30 %',
        published: [873, 1746, 2619],
        each: COPAYMENTS.map((one) => ({ ...one, variants: ['basic_private'] })),
        of: 'care',
      },
      {
        what: 'shared room, level 3, a day; basic, enhanced',
        published: [957, 1069],
        each: [{ variants: ['basic_shared'] }, { variants: ['enhanced_shared'] }],
        of: 'care',
      },
    ],
  },
  {
    home: 'sunhome, 520, private room, 2024',
    where: 'https://tokuyu-kai.sakura.ne.jp/sunhome/information/fees_html/long-privete-pay10.html',
    on: '2024-08-01',
    facts: { serviceCode: '520', grade: 'other', rooms: ['private'] },
    own: { dailyUnits: 108, monthlyUnits: 123, treatment: 'I', variants: ['basic_private'] },
    figures: [
      {
        what: 'level 3, stage 1, without its special room',
        published: 55_803,
        each: [{ income: '1' }],
        of: 'bill',
        difference: 15,
        why: 'the list rounds by the day and pays no treatment improvement on monthly additions',
      },
    ],
  },
  {
    home: 'kotonoumi, 320, 2024',
    where: 'https://kotonoumi.org/fee',
    on: '2024-06-01',
    facts: {
      serviceCode: '320',
      grade: 'other',
      food: { yen: 1300, per: 'day' },
      rentPerMonth: 15_000,
      managementPerMonth: 12_000,
    },
    own: { dailyUnits: 134, monthlyUnits: 0, treatment: 'I', variants: ['one_unit'] },
    figures: [{ what: 'level 3, 30 days', published: 100_086, of: 'bill' }],
  },
  {
    home: 'nemunoki (岡山), 320, April 2025',
    where: 'https://nemunoki-okayama.com/?p=1672',
    on: '2025-04-01',
    facts: {
      serviceCode: '320',
      grade: 'other',
      food: { yen: 1300, per: 'day' },
      rentPerMonth: 25_000,
      managementPerMonth: 26_000,
    },
    own: { dailyUnits: 18, monthlyUnits: 0, treatment: 'II', variants: ['two_units'] },
    figures: [
      {
        what: 'level 3, 30 days; 10, 20 %',
        published: [119_332, 148_664],
        each: COPAYMENTS.slice(0, 2),
        of: 'bill',
      },
    ],
  },
  {
    home: 'denmark-inn (小田原市), 331, 2024',
    where: 'https://www.denmark-inn.or.jp/facility/odawara/',
    on: '2024-08-01',
    facts: { serviceCode: '331', grade: '5' },
    own: BASE_ALONE,
    figures: [copayments([21_287, 42_574, 63_860], 'level 3, base, 30 days')],
  },
  {
    home: 'kazasien, 210, September 2024',
    where: 'https://kazasien.com/?p=29',
    on: '2024-09-01',
    facts: { serviceCode: '210', grade: '7', rooms: ['shared'] },
    own: { dailyUnits: 39, monthlyUnits: 0, treatment: 'I', days: 1, variants: ['attached_conventional'] },
    figures: [{ what: 'level 3, a day', published: 910, of: 'care' }],
  },
  {
    home: 'tokuyohanako, 210, unit, 2024',
    where: 'https://tokuyohanako.com/ショートステイ',
    on: '2024-08-01',
    facts: { serviceCode: '210', grade: '3', rooms: ['unit'] },
    own: { ...BASE_ALONE, days: 1, rounding: 'check-list' },
    figures: [copayments([917, 1834, 2751], 'level 3, base, a day')],
  },
  {
    home: 'caretown-hikari (菊陽町), 540, unit, August 2024',
    where: 'https://caretown-hikari.or.jp/service/利用料金-2',
    on: '2024-08-01',
    facts: { serviceCode: '540', grade: 'other', rooms: ['unit'] },
    own: { days: 1 },
    figures: [stages([1180, 1270, 2020, 2730, 3511], {}, 'food and room, a day')],
  },
  {
    home: 'rindounosato, 210, after August 2024',
    where: 'http://rindounosato.or.jp/publics/index/63/',
    on: '2024-08-01',
    facts: { serviceCode: '210', grade: 'other', rooms: ['private', 'shared'], food: { yen: 1620, per: 'day' } },
    own: { days: 1 },
    figures: [
      stages([680, 1080, 1880, 2180, 2851], { room: 'private' }, 'private, food and room, a day'),
      stages([300, 1030, 1430, 1730, 2535], { room: 'shared' }, 'shared, food and room, a day'),
    ],
  },
];

/** What the estimate says where additions and rates are those of the list. */
function estimated({ on, facts, own }: PriceList, of: Figure['of'], scenario: Partial<Scenario>): number {
  const wanted = { ...STANDARD_SCENARIO, ...own, ...scenario };
  const found = estimateCost(priceListOn(BUILT_IN_FEES, on), { rooms: null, ...NO_FEES, ...facts }, wanted);
  const { parts, reductions, monthly_yen } = found;
  assert.ok(parts !== null && monthly_yen !== null && reductions !== null, `${found.reason}`);
  const off = (reductions.food_limit?.low ?? 0) + (reductions.residence_limit?.low ?? 0);
  if (of === 'care') return parts.care.low;
  return monthly_yen.low - off - (of === 'beside' ? parts.care.low : 0);
}

const yen = (number: number) => String(Math.abs(number)).replace(/\B(?=(\d{3})+$)/g, ',');

test('price lists of real homes come out, but for differences with a reason', () => {
  const docs = readFileSync(new URL('../../docs/kaigo-fees.md', import.meta.url), 'utf8');
  const missing: string[] = [];
  assert.ok(LISTS.length >= 10);
  for (const list of LISTS) {
    for (const { what, published, each = [{}], of, difference = 0, why } of list.figures) {
      const all = [published].flat();
      const ours = each.map((scenario) => estimated(list, of, scenario) - difference);
      assert.deepEqual(ours, all, `${list.home}: ${what}`);
      assert.equal(why === undefined, difference === 0);
      const shown = difference === 0 ? '0' : `${difference < 0 ? '−' : '+'}${yen(difference)}: ${why}`;
      const row = `| [${list.home}](${list.where}) | ${what} | ${all.map(yen).join(' / ')} | ${shown} |`;
      if (!docs.includes(row)) missing.push(row);
    }
  }
  assert.equal(missing.join('\n'), '');
});
