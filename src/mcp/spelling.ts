import { municipalityCheckDigit, SERVICE_NAMES } from '../contract/identifiers.ts';
import type { Keywords } from '../contract/schema.ts';
import { CITIES, MUNICIPALITIES } from '../kaigo/municipalities.ts';
import { SERVICES } from '../kaigo/services.ts';
import { fold, foldRomaji, isLatin, romaji } from '../search/romaji.ts';
import { prefectureCodeByName } from '../search/terms.ts';

/** Other names of arguments that mean one thing. */
const OTHER_NAMES: Readonly<Record<string, string>> = {
  radius: 'radius_m',
  latitude: 'lat',
  longitude: 'lon',
  lng: 'lon',
  municipality: 'municipality_code',
  service: 'service_code',
  ward: 'ward_code',
  town: 'town_code',
};

/** The argument of a tool that a written name means: another usual name of it, or the name as it is written. */
export const argumentNamed = (written: string, properties: object): string => {
  const other = OTHER_NAMES[written];
  return other !== undefined && Object.hasOwn(properties, other) ? other : written;
};

const MONTHS = 'january february march april may june july august september october november december'.split(' ');
const FACES = new Map(
  Object.entries({ 北: 'N', 東: 'E', 南: 'S', 西: 'W', NORTH: 'N', EAST: 'E', SOUTH: 'S', WEST: 'W' }),
);

const NUMBER = String.raw`(-?\d+(?:\.\d+)?)`;

/**
 * How people write numbers with a unit: the names of the arguments, and the written form. Its first group is the
 * number, which is multiplied by `times`.
 */
const WITH_UNIT: readonly [argumentNames: RegExp, writtenForm: RegExp, times: number][] = [
  [/^floor$/, new RegExp(`^(?:floor )?${NUMBER} ?(?:f|fl|階|st|nd|rd|th|(?:st|nd|rd|th)? ?floor)?$`), 1],
  [/^month$/, new RegExp(`^${NUMBER}月$`), 1],
  [/^radius_m$/, new RegExp(`^${NUMBER} ?(?:m|meters?|metres?|メートル)$`), 1],
  [/^radius_m$/, new RegExp(`^${NUMBER} ?(?:km|kilometers?|kilometres?|キロ(?:メートル)?)$`), 1000],
  [/^care_level$/, new RegExp(`^(?:要介護|care level) ?${NUMBER}$`), 1],
  [/^support_level$/, new RegExp(`^(?:要支援|support level) ?${NUMBER}$`), 1],
  [/^copayment$/, new RegExp(`^${NUMBER} ?%$`), 1],
  [/^copayment$/, new RegExp(`^${NUMBER}割$`), 10],
  [/_yen$/, new RegExp(`^[¥\\\\]?${NUMBER} ?(?:円|yen|jpy)?$`), 1],
  [/_yen$/, new RegExp(`^${NUMBER}万円?$`), 10_000],
  [/^lat$/, new RegExp(`^${NUMBER} ?(?:°|度)? ?n?$`), 1],
  [/^lon$/, new RegExp(`^${NUMBER} ?(?:°|度)? ?e?$`), 1],
];

/**
 * Normalizes the value of an argument: a number in quotation marks or with its unit, a code written as a number, a list
 * with commas, other widths, capitals and blanks, the name or other code of a municipality, the name of a service. An
 * ambiguous value stays as it is.
 */
export function normalized(argument: string, { type, items, enum: words }: Keywords, written: unknown): unknown {
  if (items !== undefined) {
    const list = typeof written === 'string' ? written.split(/[,，、]/) : written;
    return Array.isArray(list) ? list.map((item) => normalized(argument, items, item)) : list;
  }
  if (type === 'number' || type === 'integer') {
    return typeof written === 'string' ? (readNumber(argument, written) ?? written) : written;
  }
  const isText = typeof written === 'string' || typeof written === 'number';
  return isText ? normalizedText(argument, words, written) : written;
}

/** Reads a text as a number, with digits of any width and the unit of the argument. Null when it is not a number. */
function readNumber(argument: string, written: string): number | null {
  // NFKC would turn 10⁵ into 105.
  if (/[⁰¹²³⁴-⁹₀-₉]/.test(written)) return null;
  const text = usualWidth(written).toLowerCase();
  if (/^-?\d+(\.\d+)?$/.test(text)) return Number(text);
  if (argument === 'month') {
    // `Jan.` and `january` are month 1.
    const abbreviation = text.replace(/\.$/, '');
    const month = MONTHS.findIndex((name) => abbreviation.length >= 3 && name.startsWith(abbreviation));
    if (month !== -1) return month + 1;
  }
  const withoutCommas = argument.endsWith('_yen') ? text.replace(/(?<=\d),(?=\d{3}(?!\d))/g, '') : text;
  for (const [argumentNames, writtenForm, times] of WITH_UNIT) {
    const number = argumentNames.test(argument) ? writtenForm.exec(withoutCommas)?.[1] : undefined;
    // Nine decimals: a product such as 1.1 × 1000 is not exact.
    if (number !== undefined) return Math.round(Number(number) * times * 1e9) / 1e9;
  }
  return null;
}

/** The normalized value of an argument that takes a text. */
function normalizedText(argument: string, words: readonly string[] | undefined, written: string | number): string {
  const text = usualWidth(String(written));
  if (argument === 'face') return faceCode(text);
  if (words !== undefined) return words.find((word) => word.toLowerCase() === text.toLowerCase()) ?? text;
  if (argument === 'date') return text.replace(/^(\d{4})[/.年](\d{1,2})[/.月](\d{1,2})日?$/, isoDate);
  if (/^building_ids?$/.test(argument)) return text.toLowerCase().replace(/[\s_‐-―−]+/g, '-');
  if (/^facility_ids?$/.test(argument)) return text.toUpperCase();
  if (argument === 'municipality_code')
    return withCheckDigit(municipalityCodeByName(text), { wasNumber: typeof written === 'number' });
  if (argument === 'ward_code') return withoutCheckDigit(municipalityCodeByName(text));
  if (argument === 'service_code') return serviceCodeByName(text) ?? text;
  // Other texts keep their width: the search folds them itself.
  return argument.endsWith('_code') ? text : String(written).trim();
}

/** The code of the one municipality that a name means; any other text as it is. */
function municipalityCodeByName(text: string): string {
  const municipalities = /^\d/.test(text) ? [] : municipalitiesByName(text);
  return municipalities.length === 1 ? municipalities[0].code : text;
}

/**
 * The code of a municipality with its check digit. A number that can mean two municipalities stays as it is, and the
 * operation refuses it.
 * @param wasNumber true when the code was written as a JSON number
 */
function withCheckDigit(code: string, { wasNumber }: { wasNumber: boolean }): string {
  if (!/^\d{5}$/.test(code)) return code;
  // A JSON number loses its leading zero: 12203 may be 市川市 without its check digit, or 012203, which is 士別市.
  const mayLackZero = wasNumber && municipalityCheckDigit(`0${code}`) === code[4];
  return mayLackZero ? code : code + municipalityCheckDigit(code);
}

/** The five digits of a code with a valid check digit; any other text as it is. */
const withoutCheckDigit = (code: string): string =>
  /^\d{6}$/.test(code) && municipalityCheckDigit(code) === code[5] ? code.slice(0, 5) : code;

/** Converts full-width letters and digits to ASCII and removes surrounding spaces. */
const usualWidth = (written: string): string => written.normalize('NFKC').trim();

/** The day of a date with other separators, by the groups of its pattern. */
const isoDate = (_: string, year: string, month: string, day: string): string =>
  `${year}-${month.padStart(2, '0')}-${day.padStart(2, '0')}`;

/** The letters of a direction given in words. North or south comes first, as in `SE`; 東南 has the other order. */
function faceCode(text: string): string {
  const letters = text
    .toUpperCase()
    .replace(/(面|側|向き|[- ]?(FACING|SIDE))$/, '')
    .replace(/NORTH|SOUTH|EAST|WEST|[東西南北]/g, (word) => FACES.get(word) ?? word)
    .replace(/[- ]/g, '');
  return letters.replace(/^([EW])([NS])$/, '$2$1');
}

/** A municipality or designated city that a name can mean. */
interface NamedMunicipality {
  /** Six digits. */
  code: string;
  name: string;
}

type ByName = Map<string, NamedMunicipality[]>;

/**
 * Municipalities by their names, in three maps. The first that has a name decides: full names (`千代田区`, `chiyodaku`,
 * with the city or prefecture of a ward), wards without their city, names without their last word (`千代田`, `chiyoda`).
 */
const BY_NAME: readonly [full: ByName, ward: ByName, short: ByName] = [new Map(), new Map(), new Map()];

for (const { code, prefecture, name, reading } of [...MUNICIPALITIES, ...CITIES]) {
  const words = reading.split(' ').map(romaji);
  const latin = [words.join(''), [...words].reverse().join('')];
  const full = [fold(name), fold(prefecture + name), ...latin.map(foldRomaji)];
  const city = /^.+市(?=.+区$)/u.exec(name)?.[0];
  const ward = city === undefined ? [] : [fold(name.slice(city.length)), foldRomaji(words.at(-1) ?? '')];
  const short = [...full, ...ward].map((key) => key.replace(/(.)([区市町村]|ku|shi|cho|machi|mura|son)$/u, '$1'));
  for (const [i, keys] of [full, ward, short].entries())
    for (const key of new Set(keys)) {
      const sameName = BY_NAME[i]?.get(key) ?? [];
      BY_NAME[i]?.set(key, [...sameName, { code, name: prefecture + name }]);
    }
}

/** The municipalities with a normalized name, from the first map that has it. */
const withName = (key: string): readonly NamedMunicipality[] => BY_NAME.find((names) => names.has(key))?.get(key) ?? [];

/** The municipalities that a name can mean: `千代田区`, `東京都千代田区`, `Chiyoda-ku`, `Chiyoda City, Tokyo`. */
export function municipalitiesByName(text: string): readonly NamedMunicipality[] {
  const parts = text.split(',').map((part) => part.trim());
  if (!parts.every(isLatin)) return withName(fold(text));
  const keys = parts.map((part) => foldRomaji(part.replace(/[\s-]+(city|ward|town|village)$/i, '')));
  const prefectures = parts.slice(1).map(prefectureCodeByName);
  // The maps have the names of wards with their city without a comma: Naka-ku, Yokohama-shi.
  const byWholeText = withName(keys.join(''));
  if (byWholeText.length > 0) return byWholeText;
  // A text after a comma may be the prefecture, whose code begins that of the municipality. Any other text is ignored.
  const isIn = (code: string, prefecture: string | null): boolean => prefecture === null || code.startsWith(prefecture);
  return withName(keys[0] ?? '').filter(({ code }) => prefectures.every((prefecture) => isIn(code, prefecture)));
}

/** Usual short names of services that `SERVICE_NAMES` writes out. */
const SHORT_NAMES: Readonly<Record<string, string>> = { 特養: '510', 老健: '520', 通所介護: '150', 短期入所: '210' };

/** An English name without hyphens and without the `s` of the plural. */
const singular = (name: string): string => name.replace(/[\s-]+/g, ' ').replace(/s$/, '');
const CODE_BY_NAME = new Map([
  // The official names, which answers give.
  ...SERVICES.map(({ name, service_code: code }): [string, string] => [usualWidth(name), code]),
  ...Object.entries(SHORT_NAMES),
  ...SERVICE_NAMES.flatMap(([code, name, english]): [string, string][] => [
    [name, code],
    [singular(english.toLowerCase()), code],
  ]),
]);

/** The code of a service by its name or usual short name; undefined when no service has it. */
const serviceCodeByName = (text: string): string | undefined =>
  CODE_BY_NAME.get(text) ?? CODE_BY_NAME.get(singular(text.toLowerCase()));
