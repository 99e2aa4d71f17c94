/** Normalizes names, readings and addresses, which people write in several ways, before they are compared. */

import { KANJI_NUMBER, kanjiNumber } from '../geo/chome.ts';

const HYPHENS_BEHIND_DIGIT = /(?<=\d)[-‐‑‒–—―−ー─]+/g;
/** The words after a number in kanji: 一丁目, 北一条, 三番町; after a chome also 二番三号. */
const COUNTED = new RegExp(`${KANJI_NUMBER}(?=丁目|条|番町)|(?<=丁目.{0,8})${KANJI_NUMBER}(?=番|号)`, 'g');
/** Variant and old forms of kanji, and the form that is compared. Not 嶋: 鹿嶋市 is another city than 鹿島市. */
const OTHER_FORMS =
  '麴鷗﨑髙槇瀨澤濱邊櫻國龍廣惠學齋圓壽榮眞條檮乘鄕樂稻臺號鐵寶澁蘆淺藏戶爲德橫縣邉舊會' +
  '瀧斉齊檜藪舘曾渕巖冨萬峯燈與彌嚴禮莊來黑靑穗當愼奧龜綠栁驒鶯竃';
const USUAL_FORMS =
  '麹鴎崎高槙瀬沢浜辺桜国竜広恵学斎円寿栄真条梼乗郷楽稲台号鉄宝渋芦浅蔵戸為徳横県辺旧会' +
  '滝斎斎桧薮館曽淵巌富万峰灯与弥厳礼荘来黒青穂当慎奥亀緑柳騨鴬竈';
const OTHER_FORM = new RegExp(`[${OTHER_FORMS}]`, 'gu');
const SMALL = 'ぁぃぅぇぉっゃゅょゎゕゖ';
const LARGE = 'あいうえおつやゆよわかけ';
const SMALL_KANA = new RegExp(`[${SMALL}]`, 'g');

/** The distance of a katakana from its hiragana in Unicode: ア is U+30A2, あ is U+3042. */
const KATAKANA_OFFSET = 0x60;

/** A run of katakana as hiragana. */
function toHiragana(katakana: string): string {
  let text = '';
  for (let i = 0; i < katakana.length; i++) text += String.fromCharCode(katakana.charCodeAt(i) - KATAKANA_OFFSET);
  return text;
}

/** Katakana as hiragana; full-width letters and half-width kana in their usual width; lower case. */
function hiragana(text: string): string {
  return text
    .normalize('NFKC')
    .toLowerCase()
    .replace(/[ァ-ヶ]+/g, toHiragana);
}

/**
 * The compared form of a text: hiragana for katakana, large kana for small ones, が for a ヶ or ケ after a kanji, お茶 for
 * 御茶, `1-` for 一丁目, 1丁目 and 1ちょうめ, `1` for the 一 of 一条 and 一番町, kanji in their usual form, no spaces, brackets, dots or
 * long marks.
 */
export function fold(text: string): string {
  // Each step relies on those before it.
  return (
    hiragana(text)
      .replace(OTHER_FORM, (kanji) => USUAL_FORMS[OTHER_FORMS.indexOf(kanji)] ?? kanji)
      .replace(/御(?=茶)/g, 'お')
      .replace(COUNTED, (digits) => String(kanjiNumber(digits)))
      .replace(/(\d)(丁目?|ちょうめ|chome|-chome|番地の?|番(?!町)|号)/g, '$1-')
      // ヶ and ケ are ゖ and け by now.
      .replace(/(?<=\p{Script=Han})[けゖ]/gu, 'が')
      .replace(SMALL_KANA, (kana) => LARGE[SMALL.indexOf(kana)] ?? kana)
      .replace(HYPHENS_BEHIND_DIGIT, '-')
      .replace(/[^\p{L}\p{N}-]|(?<!\d)-|ー/gu, '')
  );
}

/** A number at the end of a text, and the beginning of 丁目 or 番町 after it. */
const UNFINISHED = new RegExp(`(\\d+|${KANJI_NUMBER})(丁|番|)$`, 'u');

/**
 * The compared form (`fold`) of an unfinished name that ends within a number, up to that number: 大手町一 and 大手町一丁 are
 * 大手町1. 番 of a 番町 stays, as in the whole name: 三番 is 3番. Null when it does not end in a number.
 */
export function foldUnfinished(text: string): string | null {
  const written = text.normalize('NFKC').trim();
  const [end, number = '', mark] = UNFINISHED.exec(written) ?? [];
  if (end === undefined) return null;
  const digits = /\d/.test(number) ? number : String(kanjiNumber(number));
  return fold(written.slice(0, -end.length)) + digits + (mark === '番' ? mark : '');
}

const PREFECTURE = /^(?:東京都|北海道|(?:京都|大阪)府|\p{Script=Han}{2,3}県)(?=.)/u;

/** An address without its prefecture, which people omit. */
export const withoutPrefecture = (address: string): string => address.replace(PREFECTURE, '');

/** Beginnings of syllables in Kunrei and similar systems, and in Hepburn. */
const HEPBURN: Readonly<Record<string, string>> = {
  sy: 'sh',
  ty: 'ch',
  cy: 'ch',
  jy: 'j',
  zy: 'j',
  si: 'shi',
  ti: 'chi',
  tu: 'tsu',
  hu: 'fu',
  zi: 'ji',
};
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
/** Exceptions of Hepburn within the rows, and kana outside them. */
const OTHERS: Readonly<Record<string, string>> = {
  し: 'shi',
  じ: 'ji',
  ち: 'chi',
  ぢ: 'ji',
  つ: 'tsu',
  づ: 'zu',
  ふ: 'fu',
  や: 'ya',
  ゆ: 'yu',
  よ: 'yo',
  わ: 'wa',
  ゐ: 'i',
  ゑ: 'e',
  を: 'o',
  ん: 'n',
  ゔ: 'vu',
  ー: '',
};
/** The romaji of each kana. */
const SYLLABLES = new Map([
  ...ROWS.flatMap(([consonant, row]) => [...row].map((kana, i) => [kana, consonant + VOWELS[i]] as const)),
  ...Object.entries(OTHERS),
]);
/** Small kana that change the vowel of the syllable before them: しょ is sho, ふぁ is fa. */
const SMALL_Y: Readonly<Record<string, string>> = { ゃ: 'a', ゅ: 'u', ょ: 'o' };
const SMALL_VOWELS = 'ぁぃぅぇぉ';
/** The sound that stays of these kana before a small vowel: うぇ is we, くぉ kwo, いぇ ye. */
const SOUND_LEFT: Readonly<Record<string, string>> = { う: 'w', く: 'w', ぐ: 'w', い: 'y' };

/** A reading in kana in Hepburn romaji, long vowels as written: `かんだじんぼうちょう` gives `kandajinbouchou`. */
export function romaji(reading: string): string {
  let text = '';
  // True after っ, which doubles the consonant of the next syllable.
  let isDoubled = false;
  let before = '';
  for (const kana of hiragana(reading)) {
    const smallVowel = SMALL_VOWELS.indexOf(kana);
    if (kana === 'っ') isDoubled = true;
    else if (kana in SMALL_Y) text = glide(text, SMALL_Y[kana] ?? '');
    else if (smallVowel >= 0) {
      const vowel = VOWELS[smallVowel];
      // It takes the place of the vowel before it: ふぁ, fu and a, is fa; of う before ぇ a w is left. The same vowel only
      // lengthens it: くぅ.
      if (!text.endsWith(vowel)) text = text.slice(0, -1) + (SOUND_LEFT[before] ?? '') + vowel;
    } else {
      const syllable = SYLLABLES.get(kana) ?? kana;
      if (isDoubled) text += syllable.startsWith('ch') ? 't' : syllable.slice(0, 1);
      isDoubled = false;
      text += syllable;
    }
    before = kana;
  }
  return text;
}

/** Adds a small ゃ, ゅ or ょ to a text that ends with the syllable before it: しょ is sho, じょ is jo, きょ is kyo. */
function glide(text: string, vowel: string): string {
  const stem = text.replace(/i$/, '');
  return stem + (/(sh|ch|j)$/.test(stem) ? '' : 'y') + vowel;
}

/**
 * Positions between vowels of two words, which make no long vowel: ひろ|お (広尾), しも|おちあい (下落合), まるの|うち,
 * せと|うち, かつ|うら; but not in とおり (通り), こおり (郡), とおの (遠野), のおがた (直方), はんのう (飯能), ごとうちょう (五島町).
 */
const WORD_BEGINS =
  /(?<=[こごそぞとどのほもよろ])(?<!^[このほもと])(?=お(?!り))|(?<=(?<!ん)の|と(?=うら|うち(?!ょ))|[くずつふよ](?=うら)|ず(?=うみ))(?=う)/gu;

/**
 * A reading in kana as English readers write it: `かんだあわじちょう1ちょうめ` gives `Kandaawajicho 1-chome`, `ちよだ`
 * gives `Chiyoda`. Null when it is not all kana.
 */
export function latinName(reading: string): string | null {
  const [, base = '', chome] = /^(.*?)(?:(\d+)ちょうめ)?$/u.exec(reading.normalize('NFKC').trim()) ?? [];
  // A bar between two words keeps their vowels apart.
  const text = romaji(hiragana(base).replace(WORD_BEGINS, '|'))
    .replace(/oo|ou/g, 'o')
    .replace(/uu/g, 'u')
    .replaceAll('|', '');
  if (!/^[a-z '-]+$/.test(text)) return null;
  const name = text[0].toUpperCase() + text.slice(1);
  return chome === undefined ? name : `${name} ${chome}-chome`;
}

/**
 * The reading of a municipality as English readers write it: `ちよだく` gives `Chiyoda-ku`, `さっぽろし ちゅうおうく` gives
 * `Chuo-ku, Sapporo-shi`. Null when it is not all kana.
 */
export function latinMunicipality(reading: string): string | null {
  const words = reading.split(' ').map(latinName);
  if (words.includes(null)) return null;
  return (
    words
      // At least two letters are before the hyphen.
      .map((word) => word?.replace(/(?<=..)(ku|shi|cho|machi|mura|son)$/, '-$1'))
      .reverse()
      .join(', ')
  );
}

/**
 * The compared form of romaji: lower case without marks, spaces and hyphens, short vowels, `n` for `m` before b, m and
 * p, `cch` for `tch`, Hepburn for Kunrei. `Jimbōchō`, `jinbocho`, `jinbouchou` and `zinbotyo` become one, and so do
 * `Ohtemachi` and `Ōtemachi`. A hyphen stays after a number: `3-chome` is `3-`.
 */
export function foldRomaji(text: string): string {
  return text
    .normalize('NFKD')
    .toLowerCase()
    .replace(/(\d+)[\s-]*cho-?u?me/g, '$1-')
    .replace(/[^a-z0-9-]|(?<!\d)-/g, '')
    .replace(/oh(?![aiueoy])/g, 'o')
    .replace(/o[uo]+/g, 'o')
    .replace(/uu+/g, 'u')
    .replace(/[cst]y(?=[aueo])|si|ti|tu|(?<![sc])hu|[jz]y(?=[aueo])|zi/g, (letters) => HEPBURN[letters] ?? letters)
    .replace(/m(?=[bmp])/g, 'n')
    .replace(/tch/g, 'cch');
}

/** True when a text has only Latin letters, digits, spaces, apostrophes, dots and hyphens, with at least one letter. */
export function isLatin(text: string): boolean {
  return /^[\p{Script=Latin}\p{M}\d\s'’.-]+$/u.test(text) && /\p{Script=Latin}/u.test(text);
}
