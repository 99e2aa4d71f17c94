import { fold, foldRomaji, isLatin, romaji, withoutPrefecture } from './romaji.ts';

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

/** Every term of a thing, each once, the strongest first. */
export function termsOf({ name, reading, address }: NamedPlace): Term[] {
  const folded = fold(name);
  const terms: Term[] = [{ text: folded, by: 'name' }];
  if (reading !== null) terms.push(...readingTerms(reading));
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

/**
 * What is looked up for a query, in this order, until something is found: as written, without what follows the chome, without
 * any number (the census knows some towns whole), without its last words. Each time in one spelling, and where it is written in Latin letters in romaji too.
 */
export function lookUps(query: string): string[][] {
  const written = query.normalize('NFKC').trim();
  const words = written.split(/\s+/);
  const shorter = Array.from({ length: Math.min(MOST_WORDS_LESS, words.length - 1) }, (_, i) =>
    spellings(words.slice(0, words.length - 1 - i).join(' ')),
  );
  const seen = new Set<string>();
  return [spellings(written), [upToChome(written)], [upToNumber(written)], ...shorter]
    .map((texts) => texts.filter((text) => text !== '' && !seen.has(text) && seen.add(text)))
    .filter((texts) => texts.length > 0);
}

function spellings(written: string): string[] {
  const plain = fold(withoutPrefecture(written)).replace(/-$/, '');
  return isLatin(written) ? [plain, foldRomaji(written).replace(/-$/, '')] : [plain];
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
const upToChome = (written: string): string => /^(.*?\D\d+-)\d/u.exec(fold(withoutPrefecture(written)))?.[1] ?? '';

/**
 * An address as far as its first number that is not of a street's name, where that stands behind a name of two letters or more:
 * 神田司町2-2 is 神田司町, 三番町5 is 三番町, 北1条西2-1 is 北1条西.
 */
const upToNumber = (written: string): string =>
  /^(?=\D{2}|\D?\d+(?:条|番町))((?:\d+(?:条|番町)|\D)+?)\d+(?!\d*(?:条|番町))/u.exec(
    fold(withoutPrefecture(written)),
  )?.[1] ?? '';
