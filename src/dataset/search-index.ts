import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { CheckedFile } from '../formats/checked-file.ts';
import { SortedFile, writeSortedFile } from '../formats/sorted-file.ts';
import { termsOf } from '../search/terms.ts';
import type { DatasetFiles } from './files.ts';
import { KaigoStore } from './kaigo-store.ts';
import { KAIGO_RECORDS } from './kaigo-store-format.ts';
import { type Place, placesOf } from './search-places.ts';
import { TOWNS_FILE, TownDirectory } from './towns.ts';
import { tell, type Verification } from './verification.ts';

/**
 * The index of names, a sorted file: under `p`, kind and ID a place as JSON; under `t`, rank, term, NUL, kind and ID
 * nothing, so that the places whose terms begin with a text lie side by side, the exact ones first.
 */
export const SEARCH_INDEX = 'search.index';

/** In the order of the results: names of towns, their readings, facilities, municipalities, then what stands within names. */
export const RANKS = ['1', '2', '3', '4', '5', '6'] as const;
type Rank = (typeof RANKS)[number];

const EMPTY = Buffer.alloc(0);

export const placeKey = (kindAndId: string): Buffer => Buffer.from(`p${kindAndId}`);

/** The keys of the terms of a rank that begin with a text: from the first, up to but without the second. */
export function termRange(rank: Rank, text: string): { start: Buffer; end: Buffer } {
  const start = Buffer.from(`t${rank}${text}`);
  return { start, end: Buffer.concat([start, Buffer.from([0xff])]) };
}

function rankOf({ kind }: Place, by: 'name' | 'reading' | 'part'): Rank {
  if (by === 'part') return kind === 'town' ? '5' : '6';
  if (kind === 'town') return by === 'name' ? '1' : '2';
  return kind === 'facility' ? '3' : '4';
}

/** What the index holds of some places, in order of the keys. */
function entriesOf(places: readonly Place[]): [key: Buffer, value: Buffer][] {
  const entries: [Buffer, Buffer][] = [];
  for (const place of places) {
    const reference = `${place.kind}:${place.id}`;
    entries.push([placeKey(reference), Buffer.from(JSON.stringify(place))]);
    const keys = new Set(termsOf(place).map(({ text, by }) => `t${rankOf(place, by)}${text}\0${reference}`));
    for (const key of keys) entries.push([Buffer.from(key), EMPTY]);
  }
  return entries.sort(([a], [b]) => Buffer.compare(a, b));
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
  const places = placesOf(towns, halves.kaigo ? await KaigoStore.open(files) : null);
  const there = new SortedFile(files.open(SEARCH_INDEX)).range(EMPTY, Buffer.from([0xff]));
  const differences: string[] = [];
  for (const [key, value] of entriesOf(places)) {
    const next = there.next().value;
    if (next && key.equals(next[0]) && value.equals(next[1])) continue;
    differences.push(`holds ${next ? JSON.stringify(String(next[0])) : 'no more'}, not ${JSON.stringify(String(key))}`);
    break;
  }
  if (differences.length === 0 && !there.next().done) differences.push('holds more names than there are');
  found.checked.names = places.length;
  tell(found, SEARCH_INDEX, differences);
}
