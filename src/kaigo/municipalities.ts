import { municipalityCheckDigit } from '../contract/identifiers.ts';
import facts from './facts/municipalities.json' with { type: 'json' };
import { DESIGNATED_CITIES } from './municipality-codes.ts';

/** Area grade of notice 93: it determines the price of a unit. */
export type Grade = '1' | '2' | '3' | '4' | '5' | '6' | '7' | 'other';

export const GRADES: readonly Grade[] = ['1', '2', '3', '4', '5', '6', '7', 'other'];

interface Municipality {
  /** Six digits, the last a check digit. */
  code: string;
  prefecture: string;
  /** Wards of designated cities have the name of the city in front: 札幌市中央区. */
  name: string;
  grade: Grade;
  /** Hiragana. The reading of a ward of a designated city follows that of the city: さっぽろし ちゅうおうく. */
  reading: string;
}

/** Every municipality of the country, with the wards of designated cities instead of these, in order of code. */
export const MUNICIPALITIES: readonly Municipality[] = (
  facts.municipalities as [string, string, string, Grade, string][]
).map(([code, prefecture, name, grade, reading]) => ({ code, prefecture, name, grade, reading }));

const BY_CODE = new Map(MUNICIPALITIES.map((one) => [one.code, one]));
/** A name or an address with one spelling of ke (ヶ, ヵ and ケ): 鎌ヶ谷市 is 鎌ケ谷市. It has the length of the original. */
export const withSameKe = (text: string): string => text.replace(/[ヶヵ]/g, 'ケ');

const BY_NAME = new Map(MUNICIPALITIES.map((one) => [one.prefecture + withSameKe(one.name), one]));

/** The municipality of a name as published, or undefined. */
export function municipalityNamed(prefecture: string, name: string): Municipality | undefined {
  return BY_NAME.get(prefecture + withSameKe(name));
}

/** The municipality or designated city of the first five digits of its code; undefined when there is none. */
export const municipalityOfDigits = (digits: string): Municipality | undefined =>
  municipalityOrCity(`${digits}${municipalityCheckDigit(digits)}`);

/** A designated city. Its wards share one grade; `wards` has their codes. */
interface DesignatedCity extends Municipality {
  wards: readonly string[];
}

/** The 20 designated cities with their wards, in order of code. */
export const CITIES: readonly DesignatedCity[] = DESIGNATED_CITIES.map(([digits, name]) => {
  const wards = MUNICIPALITIES.filter((one) => one.code.slice(0, 2) === digits.slice(0, 2) && isWardOf(one.name, name));
  const [first] = wards;
  if (first === undefined) throw new Error(`municipalities.json: no ward of ${name}`);
  return {
    code: digits + municipalityCheckDigit(digits),
    prefecture: first.prefecture,
    name,
    grade: first.grade,
    reading: first.reading.replace(/ .*/, ''),
    wards: wards.map((ward) => ward.code),
  };
});

const CITY_OF_WARD = new Map(CITIES.flatMap((city) => city.wards.map((ward) => [ward, city] as const)));

/** The designated city of a ward, or undefined. */
export function cityOfWard(code: string): DesignatedCity | undefined {
  return CITY_OF_WARD.get(code);
}

function isWardOf(name: string, city: string): boolean {
  return name.startsWith(city) && name.endsWith('区');
}

/** The municipality or designated city of a code of six digits; undefined when there is none. */
export const municipalityOrCity = (code: string): Municipality | undefined =>
  BY_CODE.get(code) ?? CITIES.find((city) => city.code === code);

/** The area grade of a municipality or designated city by its code; null when there is none. */
export const gradeOf = (code: string): Grade | null => municipalityOrCity(code)?.grade ?? null;
