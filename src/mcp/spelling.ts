import { municipalityCheckDigit } from '../contract/identifiers.ts';
import type { ParameterRules } from '../contract/parameter.ts';

const MONTHS = 'january february march april may june july august september october november december'.split(' ');
const FACES = new Map(
  Object.entries({ 北: 'N', 東: 'E', 南: 'S', 西: 'W', NORTH: 'N', EAST: 'E', SOUTH: 'S', WEST: 'W' }),
);

const NUMBER = String.raw`(-?\d+(?:\.\d+)?)`;

/** How people write the numbers of arguments with a unit; the first group is the number, which is multiplied by `times`. */
const WITH_UNIT: readonly [arguments_: RegExp, written: RegExp, times: number][] = [
  [/^floor$/, new RegExp(`^(?:floor )?${NUMBER} ?(?:f|fl|階|st|nd|rd|th|(?:st|nd|rd|th)? ?floor)?$`), 1],
  [/^month$/, new RegExp(`^${NUMBER}月$`), 1],
  [/^radius_m$/, new RegExp(`^${NUMBER} ?(?:m|meters?|metres?|メートル)$`), 1],
  [/^radius_m$/, new RegExp(`^${NUMBER} ?(?:km|kilometers?|kilometres?|キロ(?:メートル)?)$`), 1000],
  [/^care_level$/, new RegExp(`^(?:要介護|care level) ?${NUMBER}$`), 1],
  [/^copayment$/, new RegExp(`^${NUMBER} ?%$`), 1],
  [/^copayment$/, new RegExp(`^${NUMBER}割$`), 10],
  [/_yen$/, new RegExp(`^[¥\\\\]?${NUMBER} ?(?:円|yen|jpy)?$`), 1],
  [/_yen$/, new RegExp(`^${NUMBER}万円?$`), 10_000],
  [/^lat$/, new RegExp(`^${NUMBER} ?(?:°|度)? ?n?$`), 1],
  [/^lon$/, new RegExp(`^${NUMBER} ?(?:°|度)? ?e?$`), 1],
];

/**
 * The value of an argument as it is meant: a number in quotation marks or with its unit, a code written as a number, a list with
 * commas, other widths, capitals and blanks, a municipality by its other code. What can mean something else stays as it is.
 */
export function valueMeant(argument: string, { type, items, enum: words }: ParameterRules, written: unknown): unknown {
  if (items !== undefined) {
    const list = typeof written === 'string' ? written.split(/[,，、]/) : written;
    return Array.isArray(list) ? list.map((item) => valueMeant(argument, items, item)) : list;
  }
  if (type === 'number' || type === 'integer') {
    return typeof written === 'string' ? (numberMeant(argument, written) ?? written) : written;
  }
  const isText = typeof written === 'string' || typeof written === 'number';
  return isText ? textMeant(argument, words, written) : written;
}

/** The number that a text means as the value of an argument: in digits of any width, with the unit of the argument; else null. */
function numberMeant(argument: string, written: string): number | null {
  // NFKC would make 10⁵ into 105.
  if (/[⁰¹²³⁴-⁹₀-₉]/.test(written)) return null;
  const text = narrow(written).toLowerCase();
  if (/^-?\d+(\.\d+)?$/.test(text)) return Number(text);
  if (argument === 'month') {
    const begin = text.replace(/\.$/, '');
    const month = MONTHS.findIndex((name) => begin.length >= 3 && name.startsWith(begin));
    if (month !== -1) return month + 1;
  }
  const plain = argument.endsWith('_yen') ? text.replace(/(?<=\d),(?=\d{3}(?!\d))/g, '') : text;
  for (const [named, pattern, times] of WITH_UNIT) {
    const number = named.test(argument) ? pattern.exec(plain)?.[1] : undefined;
    if (number !== undefined) return Math.round(Number(number) * times * 1e9) / 1e9;
  }
  return null;
}

function textMeant(argument: string, words: readonly string[] | undefined, written: string | number): string {
  const text = narrow(String(written));
  if (argument === 'face') return faceMeant(text);
  if (words !== undefined) return words.find((word) => word.toLowerCase() === text.toLowerCase()) ?? text;
  if (argument === 'date') return text.replace(/^(\d{4})[/.年](\d{1,2})[/.月](\d{1,2})日?$/, isoDate);
  if (/^building_ids?$/.test(argument)) return text.toLowerCase().replace(/[\s_‐-―−]+/g, '-');
  if (/^facility_ids?$/.test(argument)) return text.toUpperCase();
  if (argument === 'municipality_code') return withCheckDigit(text, typeof written === 'number');
  if (argument === 'ward_code') return withoutCheckDigit(text);
  return argument.endsWith('_code') ? text : String(written).trim();
}

/** The code of a municipality for that of a ward: they differ by the check digit. */
function withCheckDigit(code: string, wasNumber: boolean): string {
  if (!/^\d{5}$/.test(code)) return code;
  // A JSON number loses its leading zero: 12203 may be 市川市 without its check digit, or 012203, 士別市.
  const mayLackZero = wasNumber && municipalityCheckDigit(`0${code}`) === code[4];
  return mayLackZero ? code : code + municipalityCheckDigit(code);
}

const withoutCheckDigit = (code: string): string =>
  /^\d{6}$/.test(code) && municipalityCheckDigit(code) === code[5] ? code.slice(0, 5) : code;

/** Full-width letters and digits made narrow, without surrounding spaces. */
const narrow = (written: string): string => written.normalize('NFKC').trim();

const isoDate = (_: string, year: string, month: string, day: string): string =>
  `${year}-${month.padStart(2, '0')}-${day.padStart(2, '0')}`;

/** The letters of a direction in words: north or south comes first, as in `SE` and unlike 東南. */
function faceMeant(text: string): string {
  const letters = text
    .toUpperCase()
    .replace(/(面|側|向き|[- ]?(FACING|SIDE))$/, '')
    .replace(/NORTH|SOUTH|EAST|WEST|[東西南北]/g, (word) => FACES.get(word) ?? word)
    .replace(/[- ]/g, '');
  return letters.replace(/^([EW])([NS])$/, '$2$1');
}
