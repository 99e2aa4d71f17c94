import { rmSync } from 'node:fs';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { PlaceKind } from '../contract/operations/search.ts';
import { CheckedFile } from '../formats/checked-file.ts';
import { SortedFile, writeSortedFile } from '../formats/sorted-file.ts';
import { Spill } from '../formats/spill.ts';
import { type Term, termsOf } from '../search/terms.ts';
import type { DatasetFiles } from '../snapshot/dataset-files.ts';
import { addDifferences, type Verification } from '../snapshot/verification.ts';
import { KaigoStore } from './kaigo-store.ts';
import { KAIGO_RECORDS } from './kaigo-store-format.ts';
import type { Place } from './search-places.ts';
import { TOWNS_FILE, TownDirectory } from './town-directory.ts';

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

/** How keys begin, in the order of the keys. */
const STARTS = (['facility', 'municipality', 'town'] as const)
  .flatMap((kind) => [
    placeKey(kind, '').toString(),
    ...(['name', 'part', 'reading'] as const).map((by) => termStart(kind, by, '')),
  ])
  .sort();
/** Bytes behind the start of a key by which entries are sorted on disk; those of one number are sorted in memory. */
const NUMBER_BYTES = 5;

/** Entries of the index on their way through a file: sorted in memory, those of a country would take most of a gigabyte. */
class Entries {
  readonly #spill: Spill;
  /** The line that is being added. */
  #line = Buffer.allocUnsafeSlow(1 << 12);

  constructor(spill: Spill) {
    this.#spill = spill;
  }

  /** @param text what stands behind the start in the key */
  add(start: string, text: string, value = ''): void {
    const written = `${start}${text}\t${value}\n`;
    if (3 * written.length > this.#line.length) this.#line = Buffer.allocUnsafeSlow(6 * written.length);
    const line = this.#line.subarray(0, this.#line.write(written));
    const [from, to] = [start.length, Math.min(start.length + NUMBER_BYTES, line.indexOf('\t'))];
    const number = from < to ? line.readUIntBE(from, to - from) * 256 ** (NUMBER_BYTES - to + from) : 0;
    this.#spill.add(STARTS.indexOf(start) * 256 ** NUMBER_BYTES + number, line);
  }

  /** In order of the keys. A string of a character for each byte stands in the order of the bytes. */
  *sorted(): Generator<[key: Buffer, value: Buffer]> {
    for (const [, bytes] of this.#spill.groups()) {
      const lines = Buffer.from(bytes).toString('latin1').slice(0, -1).split('\n');
      for (const line of lines.sort()) {
        const tab = line.indexOf('\t');
        yield [Buffer.from(line.slice(0, tab), 'latin1'), Buffer.from(line.slice(tab + 1), 'latin1')];
      }
    }
  }
}

/**
 * What the index holds of some places, in order of the keys.
 * @param folder for a file that is removed at the end, unless an error ends it all: where the disk is full that is the proof
 */
function* entriesOf(places: Iterable<Place>, folder: string): Generator<[key: Buffer, value: Buffer]> {
  const path = join(folder, `${SEARCH_INDEX}-spilled`);
  const spill = new Spill(path);
  try {
    const entries = new Entries(spill);
    for (const place of places) {
      const { kind, id } = place;
      entries.add(placeKey(kind, '').toString(), id, JSON.stringify(place));
      for (const { text, by } of termsOf(place, kind === 'town'))
        entries.add(termStart(kind, by, ''), `${text}\0${id}`);
    }
    yield* entries.sorted();
  } finally {
    spill.close();
  }
  rmSync(path);
}

/** What knows the readings of the country's municipalities: a server does not need them. */
const loadPlaces = () => import('./search-places.ts');

/** Writes the index of the names in a draft dataset whose halves are written. */
export async function writeSearchIndex(draft: string, has: { sunlight: boolean; kaigo: boolean }): Promise<void> {
  const { placesOf } = await loadPlaces();
  const records = has.kaigo ? await CheckedFile.asItIs(join(draft, KAIGO_RECORDS)) : null;
  try {
    const read = (name: string): Promise<Buffer> => readFile(join(draft, name));
    const towns = has.sunlight ? TownDirectory.parse(await read(TOWNS_FILE)) : null;
    const kaigo = records && (await KaigoStore.open({ open: () => records, read }));
    await writeSortedFile(join(draft, SEARCH_INDEX), entriesOf(placesOf(towns, kaigo), draft));
  } finally {
    records?.close();
  }
}

/** Makes the index again from the towns and the care store and compares. Adds what it finds to `found`. */
export async function verifySearch(files: DatasetFiles, found: Verification): Promise<void> {
  const { placesOf } = await loadPlaces();
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
  const folder = await mkdtemp(join(tmpdir(), 'hidamari-verify-'));
  try {
    for (const [key, value] of entriesOf(places, folder)) {
      const next = there.next().value;
      if (next && key.equals(next[0]) && value.equals(next[1])) continue;
      const held = next ? JSON.stringify(String(next[0])) : 'no more';
      differences.push(`holds ${held}, not ${JSON.stringify(String(key))}`);
      break;
    }
  } finally {
    await rm(folder, { recursive: true });
  }
  if (differences.length === 0 && !there.next().done) differences.push('holds more names than there are');
  found.checked.names = names;
  addDifferences(found, SEARCH_INDEX, differences);
}
