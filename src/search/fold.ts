/** One spelling for what people write in several ways: names, readings and addresses before they are compared. */

const HYPHENS = /[-‐‑‒–—―−ー─]/;
const KANJI_DIGITS = '〇一二三四五六七八九';
const SMALL = 'ぁぃぅぇぉっゃゅょゎゕゖ';
const LARGE = 'あいうえおつやゆよわかけ';

/** Katakana as hiragana; full-width letters and half-width kana in their usual form, small letters. */
export function hiragana(text: string): string {
  return text
    .normalize('NFKC')
    .toLowerCase()
    .replace(/[ァ-ヶ]/g, (kana) => String.fromCharCode(kana.charCodeAt(0) - 0x60));
}

/**
 * The spelling that is compared: hiragana for katakana, large kana for small ones, が for a ヶ or ケ after a kanji, `1-` for
 * 一丁目, 1丁目 and 1ちょうめ, no spaces, brackets, dots or long marks.
 */
export function fold(text: string): string {
  return hiragana(text)
    .replace(/([〇一二三四五六七八九十]+)(?=丁目)/g, (digits) => String(kanjiNumber(digits)))
    .replace(/(\d)(丁目?|ちょうめ|chome|-chome|番地の?|番|号)/g, '$1-')
    .replace(/(?<=\p{Script=Han})[けゖが]/gu, 'が')
    .replace(/[ぁ-ゖ]/g, (kana) => LARGE[SMALL.indexOf(kana)] ?? kana)
    .replace(new RegExp(`(?<=\\d)${HYPHENS.source}+`, 'g'), '-')
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
