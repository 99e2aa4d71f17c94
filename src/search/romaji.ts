/** One spelling for what people write in several ways: names, readings and addresses before they are compared. */

const HYPHENS_BEHIND_DIGIT = /(?<=\d)[-‐‑‒–—―−ー─]+/g;
const KANJI_DIGITS = '〇一二三四五六七八九';
const SMALL = 'ぁぃぅぇぉっゃゅょゎゕゖ';
const LARGE = 'あいうえおつやゆよわかけ';
const SMALL_KANA = new RegExp(`[${SMALL}]`, 'g');

/** A run of katakana as hiragana. */
function toHiragana(katakana: string): string {
  let text = '';
  for (let i = 0; i < katakana.length; i++) text += String.fromCharCode(katakana.charCodeAt(i) - 0x60);
  return text;
}

/** Katakana as hiragana; full-width letters and half-width kana in their usual form, small letters. */
function hiragana(text: string): string {
  return text
    .normalize('NFKC')
    .toLowerCase()
    .replace(/[ァ-ヶ]+/g, toHiragana);
}

/**
 * The spelling that is compared: hiragana for katakana, large kana for small ones, が for a ヶ or ケ after a kanji, `1-` for
 * 一丁目, 1丁目 and 1ちょうめ, `1` for the 一 of 一条 and 一番町, no spaces, brackets, dots or long marks.
 */
export function fold(text: string): string {
  return hiragana(text)
    .replace(/([〇一二三四五六七八九十]+)(?=丁目|条|番町)/g, (digits) => String(kanjiNumber(digits)))
    .replace(/(\d)(丁目?|ちょうめ|chome|-chome|番地の?|番(?!町)|号)/g, '$1-')
    .replace(/(?<=\p{Script=Han})[けゖが]/gu, 'が')
    .replace(SMALL_KANA, (kana) => LARGE[SMALL.indexOf(kana)] ?? kana)
    .replace(HYPHENS_BEHIND_DIGIT, '-')
    .replace(/[^\p{L}\p{N}-]|(?<!\d)-|ー/gu, '');
}

/** A number up to 99 in kanji: 二十三. */
function kanjiNumber(text: string): number {
  const [tens, ones] = text.includes('十') ? text.split('十') : ['〇', text];
  return 10 * (tens === '' ? 1 : KANJI_DIGITS.indexOf(tens ?? '')) + Math.max(0, KANJI_DIGITS.indexOf(ones || '〇'));
}

/** An address without its prefecture, which people leave away. */
export function withoutPrefecture(address: string): string {
  return address.replace(/^(東京都|北海道|(京都|大阪)府|\p{Script=Han}{2,3}県)(?=.)/u, '');
}

/** Rows of five: the consonant, and the kana with a, i, u, e and o. */
const ROWS: readonly (readonly [consonant: string, kana: string])[] = [
  ['', 'あいうえお'],
  ['k', 'かきくけこ'],
  ['g', 'がぎぐげご'],
  ['s', 'さしすせそ'],
  ['z', 'ざじずぜぞ'],
  ['t', 'たちつてと'],
  ['d', 'だぢづでど'],
  ['n', 'なにぬねの'],
  ['h', 'はひふへほ'],
  ['b', 'ばびぶべぼ'],
  ['p', 'ぱぴぷぺぽ'],
  ['m', 'まみむめも'],
  ['r', 'らりるれろ'],
];
const VOWELS = 'aiueo';
/** Where Hepburn leaves the row, and kana outside the rows of five. */
const OTHERS: Readonly<Record<string, string>> = {
  ...{ し: 'shi', じ: 'ji', ち: 'chi', ぢ: 'ji', つ: 'tsu', づ: 'zu', ふ: 'fu' },
  ...{ や: 'ya', ゆ: 'yu', よ: 'yo', わ: 'wa', ゐ: 'i', ゑ: 'e', を: 'o', ん: 'n', ゔ: 'vu', ー: '' },
};
const SYLLABLES = new Map([
  ...ROWS.flatMap(([consonant, kana]) => [...kana].map((one, i) => [one, consonant + VOWELS[i]] as const)),
  ...Object.entries(OTHERS),
]);
const SMALL_Y: Readonly<Record<string, string>> = { ゃ: 'a', ゅ: 'u', ょ: 'o' };
const SMALL_VOWELS = 'ぁぃぅぇぉ';

/** A reading in kana in Hepburn romaji, long vowels as written: `かんだじんぼうちょう` gives `kandajinbouchou`. */
export function romaji(reading: string): string {
  let text = '';
  let doubled = false;
  for (const kana of hiragana(reading)) {
    const small = SMALL_VOWELS.indexOf(kana);
    if (kana === 'っ') doubled = true;
    else if (kana in SMALL_Y) text = glide(text, SMALL_Y[kana] ?? '');
    else if (small >= 0) text = text.slice(0, -1) + VOWELS[small];
    else {
      const syllable = SYLLABLES.get(kana) ?? kana;
      if (doubled) text += syllable.startsWith('ch') ? 't' : syllable.slice(0, 1);
      doubled = false;
      text += syllable;
    }
  }
  return text;
}

/** しょ is sho, じょ is jo, きょ is kyo. */
function glide(text: string, vowel: string): string {
  const stem = text.replace(/i$/, '');
  return stem + (/(sh|ch|j)$/.test(stem) ? '' : 'y') + vowel;
}

/**
 * Romaji as it is compared: small letters without marks, spaces and hyphens, long vowels short, `n` for `m` before b, m and p:
 * `Jimbōchō`, `jinbocho` and `jinbouchou` become one.
 */
export function foldRomaji(text: string): string {
  return text
    .normalize('NFKD')
    .toLowerCase()
    .replace(/(\d+)[\s-]*cho-?u?me/g, '$1-')
    .replace(/[^a-z0-9-]|(?<!\d)-/g, '')
    .replace(/o[uo]+/g, 'o')
    .replace(/uu+/g, 'u')
    .replace(/m(?=[bmp])/g, 'n')
    .replace(/tch/g, 'cch');
}

/** Whether a text is written in Latin letters and digits alone, with at least one letter. */
export function isLatin(text: string): boolean {
  return /^[\p{Script=Latin}\p{M}\d\s'’.-]+$/u.test(text) && /\p{Script=Latin}/u.test(text);
}
