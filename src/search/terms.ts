import { fold, foldRomaji, foldUnfinished, isLatin, romaji, withoutPrefecture } from './romaji.ts';

/** Something that can be found by name. */
interface NamedPlace {
  name: string;
  /** Kana. */
  reading: string | null;
  address: string | null;
}

/** A text under which a thing is found when a query is its beginning. */
export interface Term {
  text: string;
  /** By what: its name, its reading (kana or romaji), or from the middle of a name or by its address. */
  by: 'name' | 'reading' | 'part';
}

/** Places at which a word may begin in one name, at most. */
const MOST_STARTS = 12;
/** Characters of what is kept of a name from its middle on. */
export const PART_LENGTH = 24;
/** Least length of a part. */
const SHORTEST_PART = 2;

/**
 * Every term of a thing, each once, the strongest first.
 * @param isTown then its reading is found from each of its kana on too: 日本橋室町 by むろまち and muromachi
 */
export function termsOf({ name, reading, address }: NamedPlace, isTown = false): Term[] {
  const folded = fold(name);
  const terms: Term[] = [{ text: folded, by: 'name' }];
  if (reading !== null) terms.push(...readingTerms(reading));
  if (reading !== null && isTown) terms.push(...readingEnds(reading));
  for (const text of wordStarts(folded)) terms.push({ text, by: 'part' });
  if (address !== null) {
    const place = fold(withoutPrefecture(address));
    terms.push({ text: cut(place, 'part'), by: 'part' });
    const town = /^.+?[区市町村](?=.)/u.exec(place)?.[0].length;
    if (town !== undefined) terms.push({ text: cut(place.slice(town), 'part'), by: 'part' });
  }
  const seen = new Set<string>();
  return terms.filter(({ text }) => text !== '' && !seen.has(text) && seen.add(text));
}

/** A reading from each of its words on, in kana and in romaji. */
function* readingTerms(reading: string): Generator<Term> {
  const words = reading.trim().split(/[\s\u3000・]+/u);
  // Neither spelling looks beyond the end of a word, but long vowels of romaji do: those are folded together.
  const kana = words.map(fold);
  const latin = words.map(romaji);
  for (let i = 0; i < Math.min(words.length, MOST_STARTS); i++) {
    const by = i === 0 ? 'reading' : 'part';
    yield { text: cut(kana.slice(i).join(''), by), by };
    yield { text: cut(foldRomaji(latin.slice(i).join(' ')), by), by };
  }
}

/** A reading from each of its kana on that can begin a word. */
function* readingEnds(reading: string): Generator<Term> {
  const starts = [...reading.matchAll(/(?<=.)[^ぁぃぅぇぉっゃゅょんー\d](?=\D{2})/gu)].slice(0, MOST_STARTS);
  for (const { index } of starts) {
    const end = reading.slice(index);
    yield { text: cut(fold(end), 'part'), by: 'part' };
    yield { text: cut(foldRomaji(romaji(end)), 'part'), by: 'part' };
  }
}

const cut = (text: string, by: Term['by']): string => (by === 'part' ? text.slice(0, PART_LENGTH) : text);

/** What follows each kanji boundary and each change of script within a folded name. */
function* wordStarts(folded: string): Generator<string> {
  let found = 0;
  for (let i = 1; i <= folded.length - SHORTEST_PART && found < MOST_STARTS; i++) {
    const [before, here] = [scriptOf(folded[i - 1] ?? ''), scriptOf(folded[i] ?? '')];
    if (here === 'sign' || (here === before && here !== 'kanji')) continue;
    found++;
    yield folded.slice(i, i + PART_LENGTH);
  }
}

function scriptOf(letter: string): 'kanji' | 'kana' | 'digit' | 'latin' | 'sign' {
  if (/\p{Script=Han}/u.test(letter)) return 'kanji';
  if (/\p{Script=Hiragana}/u.test(letter)) return 'kana';
  if (/\p{N}/u.test(letter)) return 'digit';
  return /\p{L}/u.test(letter) ? 'latin' : 'sign';
}

/** Words that are left away from the end of a query which finds nothing, one by one. */
const MOST_WORDS_LESS = 3;

/** Texts that are looked up together. */
export interface LookUp {
  /** In one spelling, where the query ends within a number also up to that, and where it is written in Latin letters in romaji too. */
  texts: string[];
  /** What of the query is in none of them, as written; null: nothing but the number of a block. */
  ignored: string | null;
  /** False where one word is left: facilities that begin like 東京駅 or Tokyo Tower stand anywhere. */
  hasFacilities: boolean;
}

/**
 * What is looked up for a query, in this order, until something is found: as written, without what follows the chome, without
 * any number (the census knows some towns whole), without 駅, without its last words.
 */
export function lookUps(query: string): LookUp[] {
  const { place } = addressOf(query);
  const words = place.split(/\s+/);
  const seen = new Set<string>();
  const lookUp = (texts: string[], ignored: string | null, hasFacilities = true): LookUp[] => {
    const fresh = texts.filter((text) => text !== '' && !seen.has(text) && seen.add(text));
    return fresh.length === 0 ? [] : [{ texts: fresh, ignored, hasFacilities }];
  };
  const fewer = Array.from({ length: Math.min(MOST_WORDS_LESS, words.length - 1) }, (_, i) => words.length - 1 - i);
  return [
    ...lookUp(spellings(place), null),
    ...lookUp(spellings(place, upToChome), null),
    ...lookUp(spellings(place, upToNumber), null),
    ...lookUp(spellings(/^(.{2,})駅$/u.exec(place)?.[1] ?? ''), '駅', false),
    ...fewer.flatMap((length) => {
      const left = words.slice(0, length).join(' ');
      const ignored = words.slice(length).join(' ');
      return lookUp(spellings(left), /^(ward|city)$/i.test(ignored) ? null : ignored, length > 1 || !isLatin(left));
    }),
  ];
}

/**
 * The parts of an address as it is written in Latin letters, `1-9-1 Marunouchi, Chiyoda-ku, Tokyo 100-0005`: the place with its number
 * behind it, and what it lies in. Any other query is a place as it stands.
 */
export function addressOf(query: string): { place: string; around: string[] } {
  const written = query.normalize('NFKC').trim();
  const [first = '', ...around] = written.split(',').map((part) => part.replace(/〒?\b\d{3}-\d{4}$/, '').trim());
  if (!isLatin(first)) return { place: written, around: [] };
  const place = first.replace(/^(\d+(?:-\d+)*(?:-?cho-?u?me)?)\s+(\D.*)$/i, '$2 $1');
  return { place, around: [...new Set(around)].filter((part) => !/^(japan)?$/i.test(part)) };
}

/** The prefectures in order of their codes, as they write themselves in English. */
export const PREFECTURES: readonly string[] = (
  'Hokkaido Aomori Iwate Miyagi Akita Yamagata Fukushima Ibaraki Tochigi Gunma Saitama Chiba Tokyo Kanagawa Niigata Toyama ' +
  'Ishikawa Fukui Yamanashi Nagano Gifu Shizuoka Aichi Mie Shiga Kyoto Osaka Hyogo Nara Wakayama Tottori Shimane Okayama ' +
  'Hiroshima Yamaguchi Tokushima Kagawa Ehime Kochi Fukuoka Saga Nagasaki Kumamoto Oita Miyazaki Kagoshima Okinawa'
).split(' ');

const PREFECTURE_CODES = new Map(PREFECTURES.map((name, i) => [foldRomaji(name), String(i + 1).padStart(2, '0')]));

/** The two digits of a prefecture by its name in Latin letters: `Nagano`, `Tokyo-to`, `Osaka Prefecture`; null: of none. */
export const prefectureCalled = (name: string): string | null =>
  PREFECTURE_CODES.get(foldRomaji(name.replace(/[\s-]+(to|fu|ken|prefecture|metropolis)$/i, ''))) ?? null;

/** The spelling in which a text is looked up; nothing where it is empty. @param shorten gives the part that counts of the folded text */
export function spellings(written: string, shorten = (folded: string): string => folded): string[] {
  const plain = fold(withoutPrefecture(written));
  const folded = isLatin(written)
    ? [plain, foldRomaji(written)]
    : [plain, foldUnfinished(withoutPrefecture(written)) ?? ''];
  return folded.map((text) => shorten(text).replace(/-$/, (end) => (shorten === upToChome ? end : '')));
}

/** Numbers of an address that may be its block's, at most: those of streets, the chome, the block, the house, a room. */
const MOST_NUMBERS = 6;

/**
 * Where a folded address may part into town and block, the longest town first: 飯田橋3-5-1 is 飯田橋3- and 5 or 飯田橋 and 3,
 * 小網町5-3 is 小網町 and 5.
 */
export function addressParts(address: string): { town: string; block: string }[] {
  const parts = [...address.matchAll(/(?<!\d)\d+/g)]
    .filter(({ index }) => index >= SHORTEST_PART)
    .slice(0, MOST_NUMBERS)
    .map(({ index, 0: block }) => ({ town: address.slice(0, index), block: String(Number(block)) }));
  return parts.reverse();
}

/** An address as far as its chome: 大手町1-3 is 大手町1-; nothing where there is no more than that. */
const upToChome = (folded: string): string => /^(.*?\D\d+-)\d/u.exec(folded)?.[1] ?? '';

/**
 * An address as far as its first number that is not of a street's name, where that stands behind a name of two letters or more:
 * 神田司町2-2 is 神田司町, 三番町5 is 三番町, 北1条西2-1 is 北1条西.
 */
const upToNumber = (folded: string): string =>
  /^(?=\D{2}|\D?\d+(?:条|番町))((?:\d+(?:条|番町)|\D)+?)\d+(?!\d*(?:条|番町))/u.exec(folded)?.[1] ?? '';
