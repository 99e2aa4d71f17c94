import type { CostFacts } from '../../../src/kaigo/bill.ts';
import type { Scenario } from '../../../src/kaigo/case.ts';

/** Price lists of real homes beside what the estimate says: with their addresses. docs/kaigo-fees.md counts them. */
export interface PriceList {
  home: string;
  where: string;
  /** Day whose price list is taken. */
  on: string;
  facts: Pick<CostFacts, 'serviceCode' | 'grade'> & Partial<CostFacts>;
  /** Additions and treatment rate as the list names them. */
  own: Partial<Scenario>;
  figures: Figure[];
  /** Of a list of whole bills, why they are outside the range from low to high; empty where they are in it. */
  inRange?: string;
}

/** Figures that a list gives side by side. */
export interface Figure {
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

const levels = (published: readonly number[], scenario: Partial<Scenario>, what: string, of: Figure['of']): Figure => ({
  what: `${what}; levels 1 to 5`,
  published,
  each: [1, 2, 3, 4, 5].map((careLevel) => ({ ...scenario, careLevel })),
  of,
});

export const LISTS: readonly PriceList[] = [
  {
    home: 'Karamatsu-en, 510, private room, August 2026',
    where: 'https://github.com/hangeishi-rgb/karamatsuen-fee-simulator',
    on: '2026-08-01',
    facts: { serviceCode: '510', grade: '2', rooms: ['private'] },
    own: { dailyUnits: 70, monthlyUnits: 130, treatment: 'I-ro', rounding: 'check-list' },
    figures: [{ what: 'level 3, 30 days', published: 113_775, of: 'bill' }],
    inRange: '',
  },
  {
    home: 'sazanamikai (彦根市), 510, unit, November 2024',
    where: 'https://sazanamikai1411.com/se_shisetsu/se_tokuyo/se-toku-ryoukin',
    on: '2024-11-01',
    facts: { serviceCode: '510', grade: '6', rooms: ['unit'] },
    own: { ...BASE_ALONE, days: 31 },
    figures: [
      copayments([25_948, 51_895, 77_842], 'level 3, base, 31 days'),
      levels([21_331, 23_560, 25_948, 28_208, 30_405], {}, 'base, 31 days', 'care'),
      levels([63_993, 70_678, 77_842, 84_623, 91_213], { copaymentPercent: 30 }, 'base, 31 days, 30 %', 'care'),
    ],
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
    inRange: 'service provision (サービス提供体制強化加算, 22 units a day), which one page of three charges',
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
    figures: [levels([97_986, 99_267, 100_086, 100_691, 101_331], {}, '30 days', 'bill')],
    inRange: 'night support (夜間支援体制加算, 50 units a day), which one page of six charges',
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
      levels([117_247, 118_484, 119_332, 119_898, 120_498], {}, '30 days', 'bill'),
      { what: 'level 3, 30 days, 20 %', published: 148_664, each: COPAYMENTS.slice(1, 2), of: 'bill' },
    ],
    inRange: '',
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
  {
    home: 'siragane-owl, 331, October 2024',
    where: 'https://siragane-owl.jp/price',
    on: '2024-10-01',
    facts: {
      serviceCode: '331',
      grade: 'other',
      food: { yen: 48_300, per: 'month' },
      rentPerMonth: 60_000,
      managementPerMonth: 43_672,
    },
    own: { dailyUnits: 27, monthlyUnits: 0, treatment: 'II' },
    figures: [
      levels([19_153, 21_408, 23_764, 25_952, 28_274], { rounding: 'check-list' }, 'care, 30 days', 'care'),
      { what: 'level 3, 30 days', published: 175_736, of: 'bill' },
    ],
    inRange: '',
  },
  {
    home: 'tanpoponosato, 210, private room, April 2025',
    where: 'https://tanpoponosato.com/shortstay/price',
    on: '2025-04-01',
    facts: { serviceCode: '210', grade: 'other', rooms: ['private'] },
    own: { dailyUnits: 39, monthlyUnits: 0, treatment: 'none', days: 1, variants: ['attached_conventional'] },
    figures: [1, 2, 3, 4].map((careLevel, i) => ({
      ...stages(
        [1506, 1906, 2706, 3006, 3502].map((yen) => yen + ([0, 69, 142, 212][i] ?? NaN)),
        { careLevel },
        '',
      ),
      what: `level ${careLevel}, a day; stages 1, 2, 3-1, 3-2, none`,
      of: 'bill',
      difference: -184,
      why: 'the list has a drive in it (送迎 184), which `excludes` names as transport',
    })),
  },
  {
    home: 'sawayaka-iris, 510, 2024',
    where: 'https://sawayaka-iris.jp/publics/index/44',
    on: '2024-08-01',
    facts: { serviceCode: '510', grade: 'other', rooms: ['shared'], food: { yen: 1515, per: 'day' } },
    own: { ...BASE_ALONE, days: 1 },
    figures: [
      levels([589, 659, 732, 802, 871], {}, 'base, a day', 'care'),
      levels([1767, 1977, 2196, 2406, 2613], { copaymentPercent: 30 }, 'base, a day, 30 %', 'care'),
      stages([300, 820, 1080, 1790, 2430], {}, 'food and room, a day'),
    ],
  },
  {
    home: 'ginshoen, 510, unit, after April 2024',
    where: 'https://ginshoen.or.jp/?p=46',
    on: '2024-08-01',
    facts: { serviceCode: '510', grade: 'other', rooms: ['unit'] },
    own: { ...BASE_ALONE, days: 1 },
    figures: [levels([670, 740, 815, 886, 955], {}, 'base, a day', 'care')],
  },
  {
    home: 'suehiro, 320, April 2025',
    where: 'https://suehiro.or.jp/kaigo/guide',
    on: '2025-04-01',
    facts: { serviceCode: '320', grade: '5' },
    own: { ...BASE_ALONE, days: 1, variants: ['one_unit'] },
    figures: [
      levels([800, 837, 861, 879, 898], {}, 'base, a day', 'care'),
      levels([1599, 1674, 1722, 1758, 1796], { copaymentPercent: 20 }, 'base, a day, 20 %', 'care'),
      levels([2399, 2511, 2583, 2637, 2693], { copaymentPercent: 30 }, 'base, a day, 30 %', 'care'),
    ],
  },
  {
    home: 'hohoemi (扶桑町), 320, June 2024',
    where: 'https://www.hohoemi-kaigo.com/hohoemi/price-ghf.htm',
    on: '2024-06-01',
    facts: { serviceCode: '320', grade: '7' },
    own: { dailyUnits: 0, monthlyUnits: 0, treatment: 'II', days: 1, variants: ['two_units'], rounding: 'check-list' },
    figures: [
      { what: 'level 1, with treatment improvement, a day', published: 899, each: [{ careLevel: 1 }], of: 'care' },
      {
        what: 'levels 2, 4, 5, with treatment improvement, a day',
        published: [941, 989, 1009],
        each: [2, 4, 5].map((careLevel) => ({ careLevel })),
        of: 'care',
        difference: -1,
        why: 'the list rounds once, at its end',
      },
    ],
  },
  {
    home: 'harukaze, 210, private room, 2024',
    where: 'http://www12.wind.ne.jp/harukaze/newpage8.html',
    on: '2024-08-01',
    facts: { serviceCode: '210', grade: 'other', rooms: ['private'] },
    own: { ...BASE_ALONE, days: 1, variants: ['attached_conventional'] },
    figures: [levels([603, 672, 745, 815, 884], {}, 'base, a day', 'care')],
  },
  {
    home: 'the ministry’s own example of 510, shared room, 2025',
    where: 'https://www.kaigokensaku.mhlw.go.jp/commentary/fee.html',
    on: '2025-04-01',
    facts: { serviceCode: '510', grade: 'other', rooms: ['shared'] },
    own: BASE_ALONE,
    figures: [
      {
        what: 'level 5, 30 days',
        published: 106_930,
        each: [{ careLevel: 5 }],
        of: 'bill',
        difference: -10_000,
        why: 'daily necessities, which `excludes` names',
      },
    ],
  },
  {
    home: 'the ministry’s own example of 510, unit, 2025',
    where: 'https://www.kaigokensaku.mhlw.go.jp/commentary/fee.html',
    on: '2025-04-01',
    facts: { serviceCode: '510', grade: 'other', rooms: ['unit'] },
    own: BASE_ALONE,
    figures: [
      {
        what: 'level 5, 30 days',
        published: 143_980,
        each: [{ careLevel: 5 }],
        of: 'bill',
        difference: -10_000,
        why: 'daily necessities, which `excludes` names',
      },
    ],
  },
];
