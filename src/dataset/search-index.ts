import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PLACE_KINDS, type PlaceKind } from '../contract/operations/search.ts';
import { CheckedFile } from '../formats/checked-file.ts';
import { SortedFile, writeSortedFile } from '../formats/sorted-file.ts';
import { sortedOnDisk } from '../formats/spill.ts';
import { type Term, termsOf } from '../search/terms.ts';
import type { DatasetFiles } from '../snapshot/dataset-files.ts';
import { addDifferences, type Verification } from '../snapshot/verification.ts';
import { KAIGO_RECORDS, KaigoStore } from './kaigo-store.ts';
import type { Place } from './search-places.ts';
import { parseStations, STATIONS_FILE, stationsOf } from './stations.ts';
import { TOWNS_FILE, TownDirectory } from './town-directory.ts';

/**
 * The index of names in a sorted file. A key begins with one letter for its kind and table. In the table `place` an ID
 * follows, and the value is the place as JSON. In the other tables a term, NUL and an ID follow, and the value is
 * empty. So the terms of a kind that begin with the same text are adjacent, exact matches first.
 */
export const SEARCH_INDEX = 'search.index';

type Table = 'place' | Term['by'];
const TABLES: readonly Table[] = ['place', 'name', 'part', 'reading'];
const FIRST_LETTER = 'A'.charCodeAt(0);

const EMPTY = Buffer.alloc(0);
const AFTER_ALL = Buffer.from([0xff]);

/** Kinds that have terms. Buildings are found by ID only; blocks have their own index. */
export type NamedKind = Exclude<PlaceKind, 'building' | 'address'>;

/**
 * The key of a text in a table. The prefix is only one letter, because the disk sort uses the first bytes of the key
 * and terms need the others.
 */
function keyIn(kind: PlaceKind, table: Table, text: string): Buffer {
  const number = PLACE_KINDS.indexOf(kind) * TABLES.length + TABLES.indexOf(table);
  return Buffer.from(String.fromCharCode(FIRST_LETTER + number) + text);
}

export const placeKey = (kind: PlaceKind, id: string): Buffer => keyIn(kind, 'place', id);

/** A range of keys: from `start` up to, but without, `end`. */
interface KeyRange {
  start: Buffer;
  end: Buffer;
}

/** The range of the terms of a kind that are equal to a text. */
export function exactTerms(kind: NamedKind, by: Term['by'], text: string): KeyRange {
  return { start: keyIn(kind, by, `${text}\0`), end: keyIn(kind, by, `${text}\x01`) };
}

/** The range of the terms of a kind that begin with a text. */
export function termsBeginning(kind: NamedKind, by: Term['by'], text: string): KeyRange {
  const start = keyIn(kind, by, text);
  return { start, end: Buffer.concat([start, AFTER_ALL]) };
}

/** The ID at the end of a term's key. */
export const idOfTerm = (key: Buffer): string => key.toString('utf8', key.lastIndexOf(0) + 1);

/** The index entries of places, unsorted. The postal codes of a town are readings of it. */
function* entriesOf(places: Iterable<Place>, towns: TownDirectory | null): Generator<[key: Buffer, value: Buffer]> {
  for (const place of places) {
    const { kind, id } = place;
    yield [placeKey(kind, id), Buffer.from(JSON.stringify(place))];
    const codes = kind === 'town' ? (towns?.postalCodes(id) ?? []) : [];
    const terms = [...termsOf(place, kind), ...codes.map((text): Term => ({ text, by: 'reading' }))];
    for (const { text, by } of terms) yield [keyIn(kind, by, `${text}\0${id}`), EMPTY];
  }
}

/**
 * The index entries in order of their keys.
 * @param folder for a temporary file
 */
const sortedEntries = (
  places: Iterable<Place>,
  towns: TownDirectory | null,
  folder: string,
): Generator<[key: Buffer, value: Buffer]> =>
  sortedOnDisk(join(folder, `${SEARCH_INDEX}-spilled`), entriesOf(places, towns));

/** Loaded on demand: it also loads the readings of all municipalities of Japan, which a server does not need. */
const loadPlaces = () => import('./search-places.ts');

/**
 * Writes the index of names for a draft dataset whose halves are complete.
 * @param has which halves and files the draft has
 */
export async function writeSearchIndex(
  draft: string,
  has: { sunlight: boolean; kaigo: boolean; stations?: boolean },
): Promise<void> {
  const { searchPlaces } = await loadPlaces();
  const records = has.kaigo ? await CheckedFile.asItIs(join(draft, KAIGO_RECORDS)) : null;
  try {
    const read = (name: string): Promise<Buffer> => readFile(join(draft, name));
    const towns = has.sunlight ? TownDirectory.parse(await read(TOWNS_FILE)) : null;
    const kaigo = records && (await KaigoStore.open({ open: () => records, read }));
    const stations = has.stations ? parseStations(await read(STATIONS_FILE)) : [];
    await writeSortedFile(join(draft, SEARCH_INDEX), sortedEntries(searchPlaces(towns, kaigo, stations), towns, draft));
  } finally {
    records?.close();
  }
}

/**
 * Makes the index again from the towns, the care store and the stations, and compares. Adds the first difference to
 * `verification`.
 */
export async function verifySearch(files: DatasetFiles, verification: Verification): Promise<void> {
  const { searchPlaces } = await loadPlaces();
  const { halves } = files.manifest;
  const towns = halves.sunlight ? TownDirectory.parse(await files.read(TOWNS_FILE)) : null;
  let names = 0;
  const counted = function* (places: Iterable<Place>): Generator<Place> {
    for (const place of places) {
      names++;
      yield place;
    }
  };
  const kaigo = halves.kaigo ? await KaigoStore.open(files) : null;
  const places = counted(searchPlaces(towns, kaigo, await stationsOf(files)));
  const stored = new SortedFile(files.open(SEARCH_INDEX)).range(EMPTY, AFTER_ALL);
  const differences: string[] = [];
  // For entries that are sorted on disk.
  const folder = await mkdtemp(join(tmpdir(), 'hidamari-verify-'));
  try {
    for (const [key, value] of sortedEntries(places, towns, folder)) {
      const next = stored.next().value;
      if (next && key.equals(next[0]) && value.equals(next[1])) continue;
      const storedKey = next ? JSON.stringify(String(next[0])) : 'no more';
      differences.push(`holds ${storedKey}, not ${JSON.stringify(String(key))}`);
      break;
    }
  } finally {
    await rm(folder, { recursive: true });
  }
  if (differences.length === 0 && !stored.next().done) differences.push('holds more names than there are');
  verification.checked.names = names;
  addDifferences(verification, SEARCH_INDEX, differences);
}
