import { type Readings, spellingKey } from './readings.ts';

/** A town's name taken apart: `丸の内一丁目` → `丸の内`, 1. */
export interface TownName {
  base: string;
  /** Null for a town without chome. */
  chome: number | null;
}

const CHOME = /^(.+?)([〇一二三四五六七八九十]+|[0-9０-９]+)丁目$/;

/** Splits off the chome, in kanji numerals or digits. */
export function splitTownName(name: string): TownName {
  const [, base, numeral] = CHOME.exec(name) ?? [];
  if (base === undefined || numeral === undefined) return { base: name, chome: null };
  return { base, chome: numeralValue(numeral) };
}

/** 一 to 九十九, or digits of either width. */
function numeralValue(numeral: string): number {
  const digits = numeral.normalize('NFKC');
  if (/^\d+$/.test(digits)) return Number(digits);
  const [tens, ones] = digits.includes('十') ? digits.split('十') : ['', digits];
  const value = (text: string) => [...text].reduce((sum, digit) => sum * 10 + '〇一二三四五六七八九'.indexOf(digit), 0);
  return (digits.includes('十') ? (tens === '' ? 10 : value(tens!) * 10) : 0) + value(ones!);
}

/**
 * Reading of a town: that of its base name in its municipality, and for a chome its number and ちょうめ
 * (`まるのうち1ちょうめ`). Null when the postal file does not know the name: nothing is guessed.
 */
export function townReading(name: string, municipality: string, readings: Readings): string | null {
  const names = readings.byMunicipality.get(municipality);
  if (!names) return null;
  const whole = names.get(spellingKey(name));
  if (whole !== undefined) return whole;
  const { base, chome } = splitTownName(name);
  const reading = chome === null ? undefined : names.get(spellingKey(base));
  return reading === undefined ? null : `${reading}${chome}ちょうめ`;
}
