import { parse } from 'csv-parse/sync';
import { splitTownName } from '../geo/chome.ts';
import { japaneseDecoder, PublishedFileError } from './published-file.ts';

/**
 * Readings of town names from Japan Post's postal code file: KEN_ALL or its parts by prefecture, half-width kana in
 * cp932 or full-width kana in UTF-8. Columns (https://www.post.japanpost.jp/zipcode/dl/readme.html): 1 municipality
 * code, 3 postal code, 5 kana of the municipality, 6 kana and 9 kanji of the town. The names have no chome.
 */
export interface Readings {
  /** Hiragana by municipality code (5 digits), then by the `spellingKey` of the name without its bracketed part. */
  byMunicipality: Map<string, Map<string, string>>;
  /** Hiragana of the municipalities, by code (5 digits). */
  municipalities: Map<string, string>;
  /** Postal codes by municipality code, then by the `spellingKey` of the name. */
  postalCodes: Map<string, Map<string, PostalCode[]>>;
  /** Names with two readings in one municipality, such as `13101 霞が関`. They are left out. */
  ambiguous: string[];
}

/** A postal code of a town, or of some of its chome only; null: of all. */
interface PostalCode {
  code: string;
  chome: ReadonlySet<number> | null;
}

const COLUMNS = 15;
/** Characters of a wrong row that a message quotes. */
const MOST_QUOTED = 60;
/** Longest accepted row, characters. Published rows have a few hundred. */
const LONGEST_ROW = 100_000;
/** The name of rows that name no town. */
const NOT_A_TOWN = '以下に掲載がない場合';

/**
 * Reads the names of towns in kana from Japan Post's file of postal codes. A name that has several readings in its
 * municipality is listed as ambiguous and has none.
 * @throws PublishedFileError with the line of a row that does not have the published form
 */
export function readReadings(bytes: Uint8Array, file: string): Readings {
  // By municipality and name: all readings.
  const allReadings = new Map<string, Map<string, Set<string>>>();
  const municipalities = new Map<string, string>();
  const rows = joinRows(readRows(bytes, file));
  for (const { municipality, municipalityKana, kana, name } of rows) {
    municipalities.set(municipality, toHiragana(municipalityKana));
    if (name === NOT_A_TOWN) continue;
    const [key, reading] = [spellingKey(withoutBracket(name)), toHiragana(withoutBracket(kana))];
    const names = allReadings.get(municipality) ?? new Map<string, Set<string>>();
    allReadings.set(municipality, names);
    names.set(key, (names.get(key) ?? new Set()).add(reading));
  }

  const readings: Readings = { byMunicipality: new Map(), municipalities, postalCodes: codesOf(rows), ambiguous: [] };
  for (const [municipality, names] of allReadings) {
    const unambiguous = new Map<string, string>();
    for (const [name, nameReadings] of names) {
      const [reading] = nameReadings;
      if (nameReadings.size === 1) unambiguous.set(name, reading);
      else readings.ambiguous.push(`${municipality} ${name}`);
    }
    readings.byMunicipality.set(municipality, unambiguous);
  }
  return readings;
}

/**
 * The postal codes of the rows. A floor of a tall building (西新宿…ビル（３階）) has a code of its own. It is added to the
 * codes of its town: the longest name of a town with which the row begins.
 */
function codesOf(rows: readonly PostalRow[]): Readings['postalCodes'] {
  const codes: Readings['postalCodes'] = new Map();
  for (const [municipality, members] of Map.groupBy(rows, (row) => row.municipality)) {
    const isFloor = ({ name }: PostalRow): boolean => /（(地階・)?(階層不明|[０-９0-9]+階)）$/.test(name);
    const towns = new Map<string, PostalCode[]>();
    codes.set(municipality, towns);
    for (const { name, postalCode: code } of members.filter((row) => !isFloor(row) && row.name !== NOT_A_TOWN)) {
      const key = spellingKey(withoutBracket(name));
      towns.set(key, [...(towns.get(key) ?? []), { code, chome: chomeIn(name) }]);
    }
    for (const { name, postalCode: code } of members.filter(isFloor)) {
      const key = spellingKey(name);
      const [town] = [...towns.keys()].filter((one) => key.startsWith(one)).sort((a, b) => b.length - a.length);
      if (town !== undefined) towns.get(town)?.push({ code, chome: null });
    }
  }
  return codes;
}

/** Numbers and ranges before 丁目: `1、2丁目`, `1~3丁目`, `1丁目~3丁目`. */
const CHOME = /((?:\d+(?:(?:丁目)?~\d+)?[、,・])*\d+(?:(?:丁目)?~\d+)?)丁目/g;

/**
 * The chome in the brackets of a name: 海岸（１、２丁目）, 芝（１～３丁目）. Chome of which only some blocks are named
 * count too: 戸山（３丁目１８・２１番）. Null for other brackets, for brackets that leave something out (を除く), and for a
 * name without brackets.
 */
function chomeIn(name: string): ReadonlySet<number> | null {
  const [, inside = ''] = /\((.*)\)$/.exec(name.normalize('NFKC').replace(/[〜-]/g, '~')) ?? [];
  if (inside.includes('除く')) return null;
  const chome = [...inside.matchAll(CHOME)].flatMap(([, list]) =>
    list.split(/[、,・]/).flatMap((part) => {
      const [first = 0, last = first] = part.replace('丁目', '').split('~').map(Number);
      return Array.from({ length: Math.max(0, last - first + 1) }, (_, i) => first + i);
    }),
  );
  return chome.length === 0 ? null : new Set(chome);
}

/** The columns of a row that are read. */
interface PostalRow {
  municipality: string;
  municipalityKana: string;
  postalCode: string;
  kana: string;
  name: string;
}

/**
 * The rows of the file.
 * @throws PublishedFileError with the line of a row that does not have the published form
 */
function readRows(bytes: Uint8Array, file: string): PostalRow[] {
  const text = japaneseDecoder(bytes, file).decode(bytes);
  let rows: string[][];
  try {
    rows = parse(text, { bom: true, relax_column_count: true, skip_empty_lines: true, max_record_size: LONGEST_ROW });
  } catch (error) {
    throw new PublishedFileError(`${file}: not a CSV file: ${(error as Error).message}`);
  }
  if (rows.length === 0) throw new PublishedFileError(`${file}: empty`);
  return rows.map((row, i) => {
    const [municipality = '', , postalCode = '', , municipalityKana = '', kana = '', , , name = ''] = row;
    if (row.length !== COLUMNS || !/^\d{5}$/.test(municipality) || !/^\d{7}$/.test(postalCode)) {
      throw new PublishedFileError(
        `${file}, line ${i + 1}: not a row of Japan Post's postal codes (${COLUMNS} columns, the first a municipality ` +
          `code of 5 digits and the third a postal code of 7), but ${row.length} columns beginning ${JSON.stringify(row.slice(0, 3).join(',').slice(0, MOST_QUOTED))}`,
      );
    }
    return { municipality, municipalityKana, postalCode, kana, name };
  });
}

/**
 * Joins the rows of a name with a long bracketed part. Such a name continues on the next rows of the same postal code
 * until its bracket closes.
 */
function joinRows(rows: PostalRow[]): PostalRow[] {
  const joined: PostalRow[] = [];
  // The last row, while its bracket is open.
  let unfinished: PostalRow | null = null;
  for (const row of rows) {
    if (unfinished && unfinished.postalCode === row.postalCode && unfinished.municipality === row.municipality) {
      unfinished.name += row.name;
      unfinished.kana += row.kana;
    } else {
      unfinished = { ...row };
      joined.push(unfinished);
    }
    if (!unfinished.name.includes('（') || unfinished.name.includes('）')) unfinished = null;
  }
  return joined;
}

/**
 * The key for a name: the same for spellings of Japan Post and the census that differ only by the size or script of a
 * letter (霞ヶ関 and 霞が関, 丸ノ内 and 丸の内).
 */
const spellingKey = (name: string): string =>
  name
    .normalize('NFKC')
    // Not at the end of a name: only between two words are these letters written in several ways.
    .replace(/[ヶが](?=.)/g, 'ケ')
    .replace(/[のﾉ](?=.)/g, 'ノ')
    .replace(/ッ/g, 'ツ');

/** A text up to its first bracket. */
const withoutBracket = (text: string): string => text.replace(/[（(].*$/s, '').trim();

/** The code of a katakana minus that of its hiragana. */
const KATAKANA_OFFSET = 0x60;

/** Converts half-width or full-width katakana to hiragana. The long vowel mark stays. */
const toHiragana = (kana: string): string =>
  kana.normalize('NFKC').replace(/[ァ-ヶ]/g, (letter) => String.fromCharCode(letter.charCodeAt(0) - KATAKANA_OFFSET));

/**
 * The reading of a town: the reading of its base name in its municipality. A chome adds its number and ちょうめ
 * (`まるのうち1ちょうめ`). Null when the postal file does not have the name; nothing is guessed.
 */
export function townReading(name: string, municipality: string, readings: Readings): string | null {
  const names = readings.byMunicipality.get(municipality);
  if (!names) return null;
  const readingOfName = names.get(spellingKey(name));
  if (readingOfName !== undefined) return readingOfName;
  const { base, chome } = splitTownName(name);
  const reading = chome === null ? undefined : names.get(spellingKey(base));
  return reading === undefined ? null : `${reading}${chome}ちょうめ`;
}

/** The postal codes of a town by its name in its municipality, each once, in order. */
export function townPostalCodes(name: string, municipality: string, { postalCodes }: Readings): string[] {
  const names = postalCodes.get(municipality);
  const { base, chome } = splitTownName(name);
  const codes = names?.get(spellingKey(name)) ?? names?.get(spellingKey(base)) ?? [];
  const codesOfChome = codes.filter((code) => chome === null || code.chome === null || code.chome.has(chome));
  return [...new Set(codesOfChome.map(({ code }) => code))].sort();
}
