/** The chome of a town's name, and numbers in kanji. */

const KANJI_DIGITS = '〇一二三四五六七八九';
/** A number in kanji, for regular expressions. */
export const KANJI_NUMBER = `[${KANJI_DIGITS}十]+`;

/** A number in kanji, up to 99 with 十, or digit by digit: 二十三 and 二三 are 23, 一〇 is 10. */
export function kanjiNumber(text: string): number {
  const numberIn = (digits: string): number =>
    [...digits].reduce((value, digit) => 10 * value + KANJI_DIGITS.indexOf(digit), 0);
  if (!text.includes('十')) return numberIn(text);
  // 十 without a digit before it is 10.
  const [tens = '', ones = ''] = text.split('十');
  return 10 * (tens === '' ? 1 : numberIn(tens)) + numberIn(ones);
}

/** The base and the chome of a town's name: `丸の内一丁目` → `丸の内`, 1. */
interface TownName {
  base: string;
  /** Null for a town without chome. */
  chome: number | null;
}

const CHOME = new RegExp(`^(.+?)(?:(${KANJI_NUMBER})|([0-9０-９]+))丁目$`);

/** Splits the chome from a name. It may be in kanji or in digits of either width. */
export function splitTownName(name: string): TownName {
  const [, base, kanji, digits = ''] = CHOME.exec(name) ?? [];
  if (base === undefined) return { base: name, chome: null };
  return { base, chome: kanji === undefined ? Number(digits.normalize('NFKC')) : kanjiNumber(kanji) };
}
