import { KANJI_NUMBER } from '../geo/chome.ts';
import { fold, foldRomaji, foldUnfinished, isLatin, romaji, withoutPrefecture } from './romaji.ts';

/** A thing with a name. */
interface NamedThing {
  name: string;
  /** Kana. */
  reading: string | null;
  address: string | null;
}

/** A text under which a thing is found when a query is its beginning. */
export interface Term {
  text: string;
  /** The kind of the text: the name, its reading (kana or romaji), or a part of the name or the address. */
  by: 'name' | 'reading' | 'part';
}

/** Limit of the positions in a name at which a word may begin. */
const MOST_STARTS = 12;
/** Limit of the characters of a part. */
export const PART_LENGTH = 24;
/** Least length of a part. */
const SHORTEST_PART = 2;

/**
 * Every term of a thing, each once, the strongest first.
 * @param kind `town`: it is also found by the end of its reading from any kana on (日本橋室町 by むろまち and muromachi);
 *   `station`: its name may lack 駅, and be spelt かんだ駅 or Kanda station; `municipality`: its name may lack 区 or 市, and
 *   is not found from its middle (西東京市 by 東京)
 */
export function termsOf({ name, reading, address }: NamedThing, kind: string): Term[] {
  const foldedName = fold(name);
  const terms: Term[] = [{ text: foldedName, by: 'name' }];
  if (reading !== null) terms.push(...readingTerms(reading));
  if (reading !== null && kind === 'town') terms.push(...readingEnds(reading));
  if (kind === 'station') terms.push(...stationTerms(name, reading));
  if (kind === 'municipality') terms.push(...municipalityTerms(name, reading));
  const isFoundInside = kind !== 'municipality';
  if (isFoundInside) for (const text of wordStarts(foldedName)) terms.push({ text, by: 'part' });
  if (address !== null) {
    const folded = fold(withoutPrefecture(address));
    terms.push({ text: cut(folded, 'part'), by: 'part' });
    const municipality = /^.+?[区市町村](?=.)/u.exec(folded)?.[0];
    if (municipality !== undefined) terms.push({ text: cut(folded.slice(municipality.length), 'part'), by: 'part' });
  }
  const strongestByText = new Map<string, Term>();
  for (const term of terms) if (!strongestByText.has(term.text)) strongestByText.set(term.text, term);
  strongestByText.delete('');
  return [...strongestByText.values()];
}

/** The ends of a reading, one from each of its words, in kana and in romaji. */
function* readingTerms(reading: string): Generator<Term> {
  const words = reading.trim().split(/[\s\u3000・]+/u);
  // Kana and romaji of a word do not depend on the next one. `foldRomaji` does: it shortens a long vowel of two words.
  const kana = words.map(fold);
  const latin = words.map(romaji);
  for (let i = 0; i < Math.min(words.length, MOST_STARTS); i++) {
    const by = i === 0 ? 'reading' : 'part';
    yield { text: cut(kana.slice(i).join(''), by), by };
    yield { text: cut(foldRomaji(latin.slice(i).join(' ')), by), by };
  }
}

/** The ends of a reading, one from each later kana that can begin a word, in kana and in romaji. */
function* readingEnds(reading: string): Generator<Term> {
  // No word begins with a small kana, ん, ー or a digit. An end has at least three kana.
  const starts = [...reading.matchAll(/(?<=.)[^ぁぃぅぇぉっゃゅょんー\d](?=\D{2})/gu)].slice(0, MOST_STARTS);
  for (const { index } of starts) {
    const end = reading.slice(index);
    yield { text: cut(fold(end), 'part'), by: 'part' };
    yield { text: cut(foldRomaji(romaji(end)), 'part'), by: 'part' };
  }
}

/** The terms of 神田駅 (かんだえき) without 駅, and with 駅 in other scripts: かんだ駅, kanda station. */
function stationTerms(name: string, reading: string | null): Term[] {
  const short: Term = { text: fold(name.replace(/駅$/, '')), by: 'name' };
  if (reading === null) return [short];
  const kana = reading.replace(/えき$/, '');
  const texts = [fold(kana), fold(`${kana}駅`), ...['', ' station'].map((word) => foldRomaji(romaji(kana) + word))];
  return [short, ...texts.map((text): Term => ({ text, by: 'reading' }))];
}

/** The terms of 新宿区 (しんじゅくく) or 三鷹市 (みたかし) without 区 or 市. None for 町 and 村. */
function municipalityTerms(name: string, reading: string | null): Term[] {
  if (!/[区市]$/u.test(name)) return [];
  const short: Term = { text: fold(name.slice(0, -1)), by: 'name' };
  if (reading === null) return [short];
  const kana = reading.replace(/[くし]$/u, '');
  return [short, ...[fold(kana), foldRomaji(romaji(kana))].map((text): Term => ({ text, by: 'reading' }))];
}

/** A text as it is stored: parts are cut. */
const cut = (text: string, by: Term['by']): string => (by === 'part' ? text.slice(0, PART_LENGTH) : text);

/**
 * The pieces of a normalized name that may begin a word inside it: from each kanji, and from each change of script, up
 * to PART_LENGTH characters. Of 東京tower: 京tower and tower.
 */
function* wordStarts(folded: string): Generator<string> {
  let count = 0;
  for (let i = 1; i <= folded.length - SHORTEST_PART && count < MOST_STARTS; i++) {
    const scriptBefore = scriptOf(folded[i - 1] ?? '');
    const script = scriptOf(folded[i] ?? '');
    if (script === 'sign' || (script === scriptBefore && script !== 'kanji')) continue;
    count++;
    yield folded.slice(i, i + PART_LENGTH);
  }
}

/**
 * The script of a letter of a normalized text, in which katakana is hiragana. A change of script begins a word, and so
 * does every kanji. Letters of all other scripts count as Latin.
 */
function scriptOf(letter: string): 'kanji' | 'kana' | 'digit' | 'latin' | 'sign' {
  if (/\p{Script=Han}/u.test(letter)) return 'kanji';
  if (/\p{Script=Hiragana}/u.test(letter)) return 'kana';
  if (/\p{N}/u.test(letter)) return 'digit';
  return /\p{L}/u.test(letter) ? 'latin' : 'sign';
}

/** Limit of the last words that are removed from a query without results, one by one. */
const MOST_REMOVED_WORDS = 3;

/** Texts that are looked up together. */
export interface LookUp {
  /**
   * The normalized query; if it ends within a number, also up to that number; if it is in Latin letters, also as
   * romaji.
   */
  texts: string[];
  /** The part of the query that is not looked up, as written; null: nothing, or only the number of a block. */
  ignored: string | null;
  /**
   * True when facilities are looked up, too. Not by a part of the query that names an area or a station, or that is one
   * Latin word of several: facilities whose names begin with Tokyo are anywhere.
   */
  hasFacilities: boolean;
}

/**
 * The look-ups for a query (a place, a facility, or both), in the order in which they are tried until one finds something:
 * 1. a postal code alone
 * 2. a station (月島駅), not yet facilities (ドーミー月島駅前), then the same without 駅
 * 3. as written, with a wrong chome or 駅 mended (`withoutSlips`)
 * 4. without the part after the chome
 * 5. without any number: the census has some towns without chome
 * 6. a text in kana by its sound (ねず is ねづ)
 * 7. without の after a municipality (文京区の本郷)
 * 8. without kana between kanji (市ヶ谷 is 市谷)
 * 9. without お (お台場)
 * When words follow the number (銀座4丁目 三越), 4 and 5 come behind 9, and these words are ignored.
 * 10. up to the katakana of a building (六本木ヒルズ is in 六本木)
 * 11. without its last words
 * 12. up to a municipality (横浜市西区みなとみらい is in 横浜市西区)
 */
export function lookUps(query: string): LookUp[] {
  const code = postalCodeIn(query);
  if (code !== null) return [{ texts: [code], ignored: null, hasFacilities: false }];
  const { place: written } = addressOf(query);
  const place = withoutSlips(written);
  const words = place.split(/\s+/);
  const lookUps: LookUp[] = [];
  const addedTexts = new Set<string>(['']);
  /** Adds a look-up of those texts that no look-up has yet. */
  const add = (texts: string[], ignored: string | null, { hasFacilities = true } = {}): void => {
    const newTexts = [...new Set(texts)].filter((text) => !addedTexts.has(text));
    for (const text of newTexts) addedTexts.add(text);
    if (newTexts.length > 0) lookUps.push({ texts: newTexts, ignored, hasFacilities });
  };
  // 2
  const station = /^(.{2,})駅$/u.exec(place)?.[1] ?? '';
  if (station !== '') {
    // Not by `add`, so that 3 looks up these texts again, with facilities.
    const texts = spellings(place).filter((text) => text !== '');
    lookUps.push({ texts, ignored: null, hasFacilities: false });
    add([...spellings(station), ...spellings(withoutKana(station))], '駅', { hasFacilities: false });
  }
  // 3
  add([...spellings(written), ...spellings(place)], null);
  // 4 to 6
  const numbered = upToWordsBehindNumber(words);
  const behind = words.slice(numbered.length).join(' ');
  const shortened = [upToChome, upToNumber].map((shorten) => spellings(numbered.join(' '), shorten));
  if (behind === '') for (const texts of shortened) add(texts, null);
  add(soundOf(place), null);
  // 7 to 9
  for (const shorter of [place.replace(/(?<=[区市町村])の/u, ''), withoutKana(place), place.replace(/^お/u, '')])
    add(spellings(shorter), null);
  if (behind !== '') for (const texts of [spellings(numbered.join(' ')), ...shortened]) add(texts, behind);
  // 10
  const [, before = '', building = ''] = NAMED_BUILDING.exec(place) ?? [];
  add(spellings(before), building, { hasFacilities: false });
  // 11
  for (let length = words.length - 1; length >= Math.max(1, words.length - MOST_REMOVED_WORDS); length--) {
    const firstWords = words.slice(0, length).join(' ');
    const lastWords = words.slice(length).join(' ');
    const ignored = /^(ward|city)$/i.test(lastWords) ? null : lastWords;
    add(spellings(firstWords), ignored, { hasFacilities: length > 1 || !isLatin(firstWords) });
  }
  // 12
  for (const { index } of [...place.matchAll(MUNICIPALITY_END)].reverse())
    add(spellings(place.slice(0, index)), place.slice(index), { hasFacilities: false });
  return lookUps;
}

/**
 * The words of a place up to its number, when other words follow: 銀座4丁目 of 銀座4丁目 三越, 神田 3-5 of 神田 3-5 ABCビル. All words
 * when none follow, and when the number stands at the beginning of the place.
 */
function upToWordsBehindNumber(words: readonly string[]): readonly string[] {
  const folded = words.map(fold);
  const first = folded.findIndex((word) => /\d/.test(word));
  if (!/^\D{2}/.test(folded.slice(0, first + 1).join(''))) return words;
  // 西3丁目 behind 北12条, 5F and 号室 belong to the number.
  const other = folded.findIndex((word, i) => i > first && !/^(?:\p{Script=Han}?\d|[^\p{L}]*$|chome$)/u.test(word));
  return other < 0 ? words : words.slice(0, other);
}

/** Where a municipality of three letters or more ends in an address in Japanese, and more follows. */
export const MUNICIPALITY_END = /(?<=\p{L}{2}[区市町村])(?=\p{L})/gu;

/** The name of a building that begins with that of its town: 六本木ヒルズ, 虎ノ門ヒルズ, 新宿パークタワー. */
const NAMED_BUILDING =
  /^(\p{Script=Han}(?:[ノヶケの]?\p{Script=Han})+)(?![ノヶケツッ]\p{Script=Han})([\p{Script=Katakana}\p{Script=Latin}].*)$/u;

/** A text without ツ, ヶ and の between kanji, which names of towns write or leave out. */
export const withoutKana = (text: string): string =>
  text.replace(/(?<=\p{Script=Han})[ツッつケヶがノの](?=\p{Script=Han})/gu, '');

/** The chome of towns by their sound, from 1: いっちょうめ, にちょうめ. */
const SPOKEN_CHOME = ['いっ', 'に', 'さん', 'よん', 'ご', 'ろく', 'なな', 'はっ', 'きゅう'];
const CHOME_NUMBER = `(?:\\d+|${KANJI_NUMBER})`;
/** 5 丁目, 五丁め, 四町目. */
const WRITTEN_CHOME = new RegExp(`(?<=\\S)\\s*(${CHOME_NUMBER})\\s*(?:[丁町]目|[丁町][めメ]|ちょう目)`, 'u');
const SPOKEN = new RegExp(`(?<=\\S)(${SPOKEN_CHOME.join('|')})ちょうめ`, 'u');
/** What people add to a place when they ask for it. */
const HOUSING = '(?:建物|マンション|アパート|部屋)';
const ASKED = `(?:日当たり|日当り|ひあたり|陽当たり|日照)(?:[がの]?(?:[いよ]い|良い)(?:所|ところ|場所|町|街|${HOUSING})?)?`;
const BEFORE_PLACE = new RegExp(`^${ASKED}[の\\s]+(?=\\S)`, 'u');
const BEHIND_PLACE = new RegExp(
  `(?<=\\S{2})(?:[ので\\s]*(?:${ASKED}|${HOUSING}|\\d+階|近く|周辺|付近|あたり|辺り))+$`,
  'u',
);

/**
 * A query with what people write wrong on a phone mended: `千駄木五丁め`, `湯島 3 丁目`, `湯島3の10`, `銀座よんちょうめ`, `根津えき`;
 * and without 日当たり, 付近, マンション and 5階 beside the place.
 */
const withoutSlips = (place: string): string =>
  place
    .replace(BEFORE_PLACE, '')
    .replace(BEHIND_PLACE, '')
    .replace(WRITTEN_CHOME, '$1丁目')
    .replace(SPOKEN, (_, spoken) => `${SPOKEN_CHOME.indexOf(spoken) + 1}丁目`)
    .replace(/(?<=\d)\s*の\s*(?=\d)/gu, '-')
    .replace(/番丁$/u, '番町')
    .replace(/(?<=\S{2})(?:えき|エキ)$/u, '駅');

/** A text in kana by its sound; none for any other text. */
const soundOf = (place: string): string[] =>
  /^[\p{Script=Hiragana}\p{Script=Katakana}ー\s\d-]+$/u.test(place) ? [foldRomaji(romaji(place))] : [];

/** A postal code: 〒101-0044, 1010044. */
const POSTAL_CODE = '〒?\\s*(\\d{3})[-‐−―ー\\s]?(\\d{4})';
const POSTAL_CODE_ALONE = new RegExp(`^${POSTAL_CODE}$`, 'u');
/** A postal code before an address, and behind it: 〒101-0044 千代田区鍛冶町2. */
const POSTAL_CODE_BESIDE = new RegExp(`^${POSTAL_CODE}\\s*(?=\\p{L})|(?<=\\S)\\s*〒\\s*\\d{3}-?\\d{4}$`, 'u');

/** The digits of a query that is a postal code alone; null for any other query. */
export function postalCodeIn(query: string): string | null {
  const [, area, town] = POSTAL_CODE_ALONE.exec(query.normalize('NFKC').trim()) ?? [];
  return area === undefined ? null : `${area}${town}`;
}

/** The blank between a house number and what follows it: of 3-1 5F. Without a hyphen there it would be 3-15. */
const BLANK_BEHIND_HOUSE = /(?<=\d[-‐‑‒–—―−ー]\d+)\s+(?=\d)/gu;

/**
 * The parts of an address in Latin letters, `1-9-1 Marunouchi, Chiyoda-ku, Tokyo 100-0005`: the place with its number
 * at the end, and the areas around it. Any other query is a place as it is written, without a postal code beside it.
 */
export function addressOf(query: string): { place: string; around: string[] } {
  const written = query.normalize('NFKC').trim().replace(POSTAL_CODE_BESIDE, '').replace(BLANK_BEHIND_HOUSE, '-');
  const [first = '', ...around] = written.split(',').map((part) => part.replace(/〒?\b\d{3}-\d{4}$/, '').trim());
  if (!isLatin(first)) return { place: written, around: [] };
  const place = first.replace(/^(\d+(?:-\d+)*(?:-?cho-?u?me)?)\s+(\D.*)$/i, '$2 $1');
  return { place, around: [...new Set(around)].filter((part) => !/^(japan)?$/i.test(part)) };
}

/** The prefectures in order of their codes, in their own English spelling. */
export const PREFECTURES: readonly string[] = (
  'Hokkaido Aomori Iwate Miyagi Akita Yamagata Fukushima Ibaraki Tochigi Gunma Saitama Chiba Tokyo Kanagawa Niigata Toyama ' +
  'Ishikawa Fukui Yamanashi Nagano Gifu Shizuoka Aichi Mie Shiga Kyoto Osaka Hyogo Nara Wakayama Tottori Shimane Okayama ' +
  'Hiroshima Yamaguchi Tokushima Kagawa Ehime Kochi Fukuoka Saga Nagasaki Kumamoto Oita Miyazaki Kagoshima Okinawa'
).split(' ');

const PREFECTURE_CODES = new Map(PREFECTURES.map((name, i) => [foldRomaji(name), String(i + 1).padStart(2, '0')]));

/** The code of a prefecture by its name in Latin letters (`Nagano`, `Tokyo-to`, `Osaka Prefecture`); null: none. */
export const prefectureCodeByName = (name: string): string | null =>
  PREFECTURE_CODES.get(foldRomaji(name.replace(/[\s-]+(to|fu|ken|prefecture|metropolis)$/i, ''))) ?? null;

/** A text without a hyphen at its end. Only a text up to its chome is looked up with one: 大手町1-. */
const withoutLastHyphen = (folded: string): string => folded.replace(/-$/, '');

/**
 * The two normalized spellings in which a text is looked up. The first is its own. The second of a text in Latin letters is
 * its romaji; that of a text which somebody is still typing (大手町一丁) ends with its last number (大手町1). A spelling that it
 * does not have is empty.
 * @param shorten returns the part of the normalized text that is used; by default all but a hyphen at its end
 */
export function spellings(written: string, shorten = withoutLastHyphen): string[] {
  const address = withoutPrefecture(written);
  const otherSpelling = isLatin(written) ? foldRomaji(written) : (foldUnfinished(address) ?? '');
  return [fold(address), otherSpelling].map((text) => shorten(text));
}

/**
 * Limit of the numbers of an address that may be the block: those of streets, the chome, the block, the house, a room.
 */
const MOST_NUMBERS = 6;

/**
 * The ways to split a normalized address into town and block, the longest town first: 飯田橋3-5-1 is 飯田橋3- and 5, or
 * 飯田橋 and 3; 小網町5-3 is 小網町 and 5.
 */
export function addressParts(address: string): { town: string; block: string }[] {
  const parts = [...address.matchAll(/(?<!\d)\d+/g)]
    .filter(({ index }) => index >= SHORTEST_PART)
    .slice(0, MOST_NUMBERS)
    .map(({ index, 0: block }) => ({ town: address.slice(0, index), block: String(Number(block)) }));
  return parts.reverse();
}

/** An address up to its chome: 大手町1-3 is 大手町1-; empty when nothing follows the chome. */
const upToChome = (folded: string): string => /^(.*?\D\d+-)\d/u.exec(folded)?.[1] ?? '';

/**
 * The name before the house number: 神田司町2-2 is 神田司町. A number before 条 or 番町 belongs to the name: 北1条西2-1 is
 * 北1条西, 三番町5 is 三番町. Empty when there is no house number, or when the name is a single letter.
 */
const upToNumber = (folded: string): string =>
  withoutLastHyphen(
    /^(?=\D{2}|\D?\d+(?:条|番町))((?:\d+(?:条|番町)|\D)+?)\d+(?!\d*(?:条|番町))/u.exec(folded)?.[1] ?? '',
  );
