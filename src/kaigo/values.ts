/** Numbers and dates as people type them into forms. */

/** The result of reading a text: a value, nothing, or something that cannot be read. */
export type Typed<T> = { value: T } | 'blank' | 'unreadable';

/** Words that may follow a number: people, beds, rooms, flats, yen, days. */
const UNITS = /(人|名|床|室|戸|円|日|ユニット)$/;

/** A sum in units of ten thousand and a thousand yen: 5.5万円, 55千円, 4万5千円, 4万5,000円. */
const LARGE_UNITS = /^(?:([\d,]+(?:\.\d+)?)万)?(?:([\d,]+(?:\.\d+)?)千|([\d,]+))?$/;

/** What may stand around a number. It is taken away in this order. */
const AROUND_NUMBER: readonly [around: RegExp, rest: string][] = [
  // Of two sums, a resident pays the one with the tax: 33,000円(税込36,300円), 36,300円(税抜33,000円).
  [/^[\d,.万千]+円\(税込み?([\d,.万千]+円)\)$/, '$1'],
  [/\(税抜き?[\d,.万千]+円\)$/, ''],
  // 月額3万円, 約3万円. A number that is no sum must be exact: 約30 cannot be read.
  [/^(月額?|約(?=.*[円万千]))(?=\d)/, ''],
  // 3万円程度
  [/(?<=円)(程度|前後|ほど|くらい|ぐらい)$/, ''],
  // 3万円(税込), 3万円(30日分、非課税)
  [/\(((税込|非課税|30日|30日分|30日の場合)[、,・]?)+\)$/, ''],
  [/(?<=円)\/月$/, ''],
  [UNITS, ''],
];

/** The number that was read; null: none. */
const numberOrNull = (typed: Typed<number>): number | null => (typeof typed === 'string' ? null : typed.value);

/** A whole number: 1,234, １２名, 3万円, 1.5万, or one with a text of {@link AROUND_NUMBER} around it. */
export function wholeNumber(text: string): Typed<number> {
  const plain = AROUND_NUMBER.reduce(
    (rest, [around, replacement]) => rest.replace(around, replacement),
    text.normalize('NFKC').replace(/[\s¥]/g, ''),
  );
  if (plain === '') return text.trim() === '' ? 'blank' : 'unreadable';
  const [, tenThousands, thousands, ones] = LARGE_UNITS.exec(plain) ?? [];
  if (tenThousands !== undefined || thousands !== undefined) {
    const numberOf = (digits = '0') => Number(digits.replaceAll(',', ''));
    // 1.1 · 10,000 is no whole number in floating point.
    return { value: Math.round(numberOf(tenThousands) * 10_000 + numberOf(thousands) * 1000 + numberOf(ones)) };
  }
  const digits = /^\d{1,3}(,\d{3})+$/.test(plain) ? plain.replaceAll(',', '') : plain;
  const match = /^(\d+)(\.0+)?$/.exec(digits);
  return match === null ? 'unreadable' : { value: Number(match[1]) };
}

/** The ends of a range of numbers, such as 55,000円～70,000円, 5〜7万円 or, below 家賃（万円）, 5～6.2; null for another text. */
export function numberRange(text: string): { low: number; high: number } | null {
  const plain = text.normalize('NFKC').replace(/\s/g, '');
  const [, first = '', second = ''] = /^(.*\d\D*?)(?:[~〜～]|から|-|−|–|—|ー|→)(.*\d.*?)(?:まで)?$/.exec(plain) ?? [];
  // A unit at the end counts for both ends: 5〜7万円.
  const unit = /[万千]円?$/.exec(second)?.[0] ?? '';
  const [low, high] = [/[万千円]/.test(first) ? first : first + unit, second].map(
    (end) => numberOrNull(wholeNumber(end)) ?? numberOrNull(decimalNumber(end)),
  );
  return low == null || high == null || low > high ? null : { low, high };
}

/** What may stand before the sum of a kind of room: 個室, 2人部屋:, Aタイプ(18㎡). */
const ROOM_LABEL = /^[^円]*?(室|部屋|人用?|タイプ|m2|棟|プラン)[)\]】]?[:\s]*(?=[\d約月])/;

/**
 * The lowest and the highest of several sums in one cell: 62,000円、75,000円, 個室 62,000円／2人部屋 98,000円, one on each line.
 * Null for another text, such as 敷金 62,000円、礼金 0円, whose labels are not those of rooms.
 */
export function sumsOfRooms(text: string): { low: number; high: number } | null {
  // The sign / separates, but not in 円/月 and 円/日.
  const parts = text
    .normalize('NFKC')
    .split(/[、;]|\/(?!\s*[月日])|\n|(?<=円)\s+(?=\S)/)
    .map((part) => part.trim().replace(ROOM_LABEL, ''))
    .filter((part) => part !== '');
  if (parts.length < 2 || !parts.every((part) => part.endsWith('円'))) return null;
  const sums = parts.map((part) => {
    const number = numberOrNull(wholeNumber(part));
    return number === null ? numberRange(part) : { low: number, high: number };
  });
  if (!sums.every((sum) => sum !== null)) return null;
  return { low: Math.min(...sums.map(({ low }) => low)), high: Math.max(...sums.map(({ high }) => high)) };
}

/** Days of a month, as in every estimate. */
export const DAYS_OF_MONTH = 30;

/** The amount in a text about an amount per day: 1,500円 in 1,500円/日, 日額1,500円, 1日あたり1,500円. Null for another text. */
export function amountPerDay(text: string): string | null {
  const plain = text.normalize('NFKC').replace(/\s/g, '');
  const [, before, behind] = /^(?:1日(?:あたり|当たり|につき)?|日額)(.*\d円?)$|^(.*\d円?)\/1?日$/.exec(plain) ?? [];
  return before ?? behind ?? null;
}

/** The yen of an amount per day; null for another text. */
export function perDay(text: string): number | null {
  return numberOrNull(wholeNumber(amountPerDay(text) ?? ''));
}

/** The meals of a day with their sums, behind any text without meals, such as their total. */
const MEALS = /^([^朝昼夕]*)朝食?:?([\d,]+)円\D*?昼食?:?([\d,]+)円\D*?夕食?:?([\d,]+)円[^円]*$/;
/** No meal costs more. */
const MOST_FOR_MEAL = 3000;

/**
 * The sum of the three meals of a day: 1700 in 1日1,700円(朝食400円、昼食600円、夕食700円). Null for another text, and when a number
 * before the meals is their total neither for a day nor for a month.
 */
export function mealsOfDay(text: string): number | null {
  const [, before = '', ...meals] = MEALS.exec(text.normalize('NFKC').replace(/\s/g, '')) ?? [];
  const [morning = 0, noon = 0, evening = 0] = meals.map((sum) => Number(sum.replaceAll(',', '')));
  const sum = morning + noon + evening;
  if (sum === 0 || Math.max(morning, noon, evening) > MOST_FOR_MEAL) return null;
  // The 1 of 1日 is no total.
  const statedTotal = before.replaceAll(',', '').replace(/^1日/, '').match(/\d+/)?.[0];
  return statedTotal === undefined || [sum, sum * DAYS_OF_MONTH].includes(Number(statedTotal)) ? sum : null;
}

/** A number that may have decimals, such as a full-time equivalent. */
export function decimalNumber(text: string): Typed<number> {
  const plain = text.normalize('NFKC').replace(/\s/g, '').replace(UNITS, '');
  if (plain === '') return text.trim() === '' ? 'blank' : 'unreadable';
  const digits = /^\d{1,3}(,\d{3})+(\.\d+)?$/.test(plain) ? plain.replaceAll(',', '') : plain;
  return /^\d+(\.\d+)?$/.test(digits) ? { value: Number(digits) } : 'unreadable';
}

/** First years of the eras, with their letters. */
const ERAS: Record<string, number> = {
  明治: 1868,
  大正: 1912,
  昭和: 1926,
  平成: 1989,
  令和: 2019,
  明: 1868,
  大: 1912,
  昭: 1926,
  平: 1989,
  令: 2019,
  M: 1868,
  T: 1912,
  S: 1926,
  H: 1989,
  R: 2019,
};

/** Heisei ended in its 31st year; a bare year above that can only be one of Shōwa. */
const LAST_OF_HEISEI = 31;
const HEISEI_START = 1989;
const SHOWA_START = 1926;

/** A day as YYYY-MM-DD. `assumedEra` when the year was below 100 and its era had to be guessed. */
interface Day {
  day: string;
  assumedEra: boolean;
}

/**
 * A date in any of the forms that occur: `2017-08-01`, `2013-6-1`, `2013/6/1`, `2013.6.1`, `2013年6月1日`, `20130601`, with an
 * era (`平成25年8月26日`, `H25.8.26`, `令和元年5月1日`) or with the year of an era alone (`0025-08-26`, an old export): up to 31
 * it is taken for Heisei, above for Shōwa. `0000-00-00` is blank. Days that the calendar does not have are unreadable.
 */
export function day(text: string): Typed<Day> {
  const plain = text
    .normalize('NFKC')
    .replace(/\s/g, '')
    .replace(/元(?=[-/.年])/, '1')
    .toUpperCase();
  if (plain === '' || /^0{4}\D?0{1,2}\D?0{1,2}\D?$/.test(plain)) return 'blank';
  const compactParts = /^(\d{4})(\d{2})(\d{2})$/.exec(plain);
  const separatedParts =
    /^(明治|大正|昭和|平成|令和|[明大昭平令MTSHR])?(\d{1,4})[-/.年](\d{1,2})[-/.月](\d{1,2})日?$/.exec(plain);
  const [era, year, month, date] = compactParts
    ? [undefined, ...compactParts.slice(1)]
    : (separatedParts?.slice(1) ?? []);
  if (year === undefined) return 'unreadable';
  const yearNumber = Number(year);
  const assumedEra = era === undefined && yearNumber < 100;
  if (yearNumber === 0) return 'unreadable';
  // The year 1 of the era. A year of the calendar counts from 1.
  let eraStart = 1;
  if (era !== undefined) eraStart = ERAS[era];
  else if (assumedEra) eraStart = yearNumber <= LAST_OF_HEISEI ? HEISEI_START : SHOWA_START;
  return calendarDay(eraStart + yearNumber - 1, Number(month), Number(date), assumedEra);
}

/** The day of a year, month and date; unreadable when the calendar does not have it, and before 1868 (明治) or after 2200. */
function calendarDay(year: number, month: number, date: number, assumedEra: boolean): Typed<Day> {
  const lastDate = new Date(Date.UTC(year, month, 0)).getUTCDate();
  if (year < 1868 || year > 2200 || month < 1 || month > 12 || date < 1 || date > lastDate) return 'unreadable';
  const iso = `${year}-${String(month).padStart(2, '0')}-${String(date).padStart(2, '0')}`;
  return { value: { day: iso, assumedEra } };
}
