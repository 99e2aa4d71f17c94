import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { PlaceKind } from '../contract/operations/search.ts';
import { CheckedFile } from '../formats/checked-file.ts';
import { SortedFile, writeSortedFile } from '../formats/sorted-file.ts';
import { type Term, termsOf } from '../search/terms.ts';
import type { DatasetFiles } from './dataset-files.ts';
import { KaigoStore } from './kaigo-store.ts';
import { KAIGO_RECORDS } from './kaigo-store-format.ts';
import { type Place, placesOf } from './search-places.ts';
import { TOWNS_FILE, TownDirectory } from './town-directory.ts';
import { addDifferences, type Verification } from './verification.ts';

/**
 * The index of names, a sorted file: under `p`, kind and ID a place as JSON; under `t`, kind, by what, term, NUL and ID nothing,
 * so that the places of a kind whose terms begin with a text lie side by side, the exact ones first.
 */
export const SEARCH_INDEX = 'search.index';

const EMPTY = Buffer.alloc(0);
const AFTER_ALL = Buffer.from([0xff]);

/** Kinds that have terms: a building is found by its IDs alone, blocks have an index of their own. */
export type NamedKind = Exclude<PlaceKind, 'building' | 'address'>;

export const placeKey = (kind: PlaceKind, id: string): Buffer => Buffer.from(`p${kind}:${id}`);

const termStart = (kind: PlaceKind, by: Term['by'], text: string): string => `t${kind}:${by}:${text}`;

/** A range of the index: from the first key, up to but without the second. */
interface KeyRange {
  start: Buffer;
  end: Buffer;
}

/** The keys of the terms of a kind that are a text. */
export function exactTerms(kind: NamedKind, by: Term['by'], text: string): KeyRange {
  const start = termStart(kind, by, text);
  return { start: Buffer.from(`${start}\0`), end: Buffer.from(`${start}\x01`) };
}

/** The keys of the terms of a kind that begin with a text. */
export function termsBeginning(kind: NamedKind, by: Term['by'], text: string): KeyRange {
  const start = Buffer.from(termStart(kind, by, text));
  return { start, end: Buffer.concat([start, AFTER_ALL]) };
}

/** The ID at the end of the key of a term. */
export const idOfTerm = (key: Buffer): string => key.toString('utf8', key.lastIndexOf(0) + 1);

/** Bytes of a term by which terms are parted before they are sorted: two kana or kanji. */
const PARTED_BY = 6;

/**
 * What the index holds of some places, in order of the keys. Of a country most are terms: their keys are kept as strings of a
 * character for each byte, which take the least memory and stand in the order of the bytes.
 */
function* entriesOf(places: Iterable<Place>): Generator<[key: Buffer, value: Buffer]> {
  const values: [Buffer, Buffer][] = [];
  const parts = new Map<string, string[]>();
  for (const place of places) {
    const { kind, id } = place;
    values.push([placeKey(kind, id), Buffer.from(JSON.stringify(place))]);
    for (const { text, by } of termsOf(place)) {
      const key = Buffer.from(`${termStart(kind, by, text)}\0${id}`).toString('latin1');
      const start = key.slice(0, termStart(kind, by, '').length + PARTED_BY);
      const others = parts.get(start);
      if (others === undefined) parts.set(start, [key]);
      else others.push(key);
    }
  }
  yield* values.sort(([a], [b]) => Buffer.compare(a, b));
  for (const start of [...parts.keys()].sort()) {
    for (const key of parts.get(start)?.sort() ?? []) yield [Buffer.from(key, 'latin1'), EMPTY];
    parts.delete(start);
  }
}

/** Writes the index of the names in a draft dataset whose halves are written. */
export async function writeSearchIndex(draft: string, has: { sunlight: boolean; kaigo: boolean }): Promise<void> {
  const records = has.kaigo ? await CheckedFile.asItIs(join(draft, KAIGO_RECORDS)) : null;
  try {
    const read = (name: string): Promise<Buffer> => readFile(join(draft, name));
    const towns = has.sunlight ? TownDirectory.parse(await read(TOWNS_FILE)) : null;
    const kaigo = records && (await KaigoStore.open({ open: () => records, read }));
    await writeSortedFile(join(draft, SEARCH_INDEX), entriesOf(placesOf(towns, kaigo)));
  } finally {
    records?.close();
  }
}

/** Makes the index again from the towns and the care store and compares. Adds what it finds to `found`. */
export async function verifySearch(files: DatasetFiles, found: Verification): Promise<void> {
  const { halves } = files.manifest;
  const towns = halves.sunlight ? TownDirectory.parse(await files.read(TOWNS_FILE)) : null;
  let names = 0;
  const counted = function* (places: Iterable<Place>): Generator<Place> {
    for (const place of places) {
      names++;
      yield place;
    }
  };
  const places = counted(placesOf(towns, halves.kaigo ? await KaigoStore.open(files) : null));
  const there = new SortedFile(files.open(SEARCH_INDEX)).range(EMPTY, AFTER_ALL);
  const differences: string[] = [];
  for (const [key, value] of entriesOf(places)) {
    const next = there.next().value;
    if (next && key.equals(next[0]) && value.equals(next[1])) continue;
    differences.push(`holds ${next ? JSON.stringify(String(next[0])) : 'no more'}, not ${JSON.stringify(String(key))}`);
    break;
  }
  if (differences.length === 0 && !there.next().done) differences.push('holds more names than there are');
  found.checked.names = names;
  addDifferences(found, SEARCH_INDEX, differences);
}
