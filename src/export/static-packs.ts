import { promisify } from 'node:util';
import { deflateRaw } from 'node:zlib';
import {
  dictionaryPath,
  groupOf,
  type PackIndex,
  type PackKind,
  packPath,
  STRIP_ROWS,
  type StripEntry,
  shortened,
  stripKey,
  townPageKey,
} from '../client/packs.ts';
import { PAGE_SIZE } from '../contract/parameter.ts';
import { DatasetContents } from '../dataset/contents.ts';
import type { Dataset } from '../dataset/dataset.ts';
import { SUNLIGHT_STORE, SunlightStore } from '../dataset/sunlight-store.ts';
import { decodeHead } from '../record/codec.ts';
import { degreeUnits } from '../record/units.ts';
import type { FileSink } from './file-sink.ts';

/** A text, and the key under which a client finds it. */
interface Entry {
  key: string;
  text: string;
}

/** Entries in a block. More entries make packs smaller, but each answer reads more bytes. */
const ENTRIES_PER_BLOCK: Readonly<Record<PackKind, number>> = { buildings: 4, near: 1, towns: 1, facilities: 4 };

/** Number of blocks that the threads of zlib compress at the same time. */
const AT_ONCE = 32;

/** Longest dictionary of DEFLATE, bytes. */
const MOST_DICTIONARY = 32_768;

/** Number of texts of which a dictionary is made: the first ones of a kind. */
const SAMPLES = 8;

/** The level of DEFLATE that compresses most. */
const LEVEL = 9;
const compress = promisify<Buffer, object, Buffer>(deflateRaw);

/** The number of texts in the packs of each kind. */
export type PackCounts = Record<PackKind, number>;

/** Writes the packs of a dataset: files of compressed answers, of which a client reads single blocks (`client/packs.ts`). */
export async function writePacks(dataset: Dataset, sink: FileSink): Promise<PackCounts> {
  const contents = await DatasetContents.open(dataset.folder);
  try {
    return {
      buildings: await writeKind(dataset, 'buildings', buildings(dataset, contents), sink),
      near: await writeKind(dataset, 'near', strips(dataset), sink),
      towns: await writeKind(dataset, 'towns', townPages(dataset), sink),
      facilities: await writeKind(dataset, 'facilities', facilities(contents), sink),
    };
  } finally {
    contents.close();
  }
}

/** The full answer of each building. */
function* buildings({ sunlight }: Dataset, contents: DatasetContents): Generator<Entry> {
  for (const { id } of contents.buildings()) {
    const full = sunlight?.full(id);
    if (full) yield { key: id, text: full.bytes.toString() };
  }
}

/** The answer of each facility. */
function* facilities(contents: DatasetContents): Generator<Entry> {
  for (const { id, json } of contents.facilities()) yield { key: id, text: json.toString() };
}

/** The pages of the building lists of all towns, in order of key. */
function* townPages({ sunlight }: Dataset): Generator<Entry> {
  if (sunlight === null) return;
  // The first nine digits of a code are those of the town without its number (丁目).
  const codes = new Set(sunlight.towns().flatMap(({ town_code }) => [town_code, town_code.slice(0, 9)]));
  const pages = [...codes].flatMap((code) =>
    Array.from({ length: sunlight.townPages(code, PAGE_SIZE) ?? 0 }, (_, i) => ({ code, page: i + 1 })),
  );
  const byKey = pages.map(({ code, page }) => ({ key: townPageKey(code, page), code, page }));
  byKey.sort((a, b) => (a.key < b.key ? -1 : 1));
  for (const { key, code, page } of byKey) {
    const town = sunlight.town(code, page, PAGE_SIZE);
    if (town !== null) yield { key, text: town.bytes.toString() };
  }
}

/**
 * The buildings of each strip of the map, in order of band and column. A strip is a column of `STRIP_ROWS` cells. It
 * contains a building once, although the building may lie in several of its cells.
 */
function* strips({ files, sunlight, manifest }: Dataset): Generator<Entry> {
  if (sunlight === null || manifest.halves.sunlight === null) return;
  const store = new SunlightStore(files.open(SUNLIGHT_STORE));
  for (const [band, cells] of bandsOf(store.cells())) {
    const byColumn = Map.groupBy(cells, ([, column]) => column);
    for (const column of [...byColumn.keys()].sort((a, b) => a - b)) {
      const ids = new Set((byColumn.get(column) ?? []).flatMap(([row]) => store.idsInCell(row, column)));
      const entries = [...ids].sort().map((id): StripEntry => {
        const summary = sunlight.summary(id);
        const record = store.record(id);
        if (summary === null || record === undefined) throw new Error(`${id}: in a cell, but not in the store`);
        return [summary.toJSON(), decodeHead(id, record).footprints.map(({ rings }) => rings.map(ringUnits))];
      });
      yield { key: stripKey(band, column), text: JSON.stringify(entries) };
    }
  }
}

type Cell = [row: number, column: number];

/**
 * Groups cells by band: `STRIP_ROWS` rows of cells. A strip is a column of a band.
 * @param cells in order of row
 */
function* bandsOf(cells: Iterable<Cell>): Generator<[band: number, cells: Cell[]]> {
  let current: number | null = null;
  let cellsOfBand: Cell[] = [];
  for (const cell of cells) {
    const [row] = cell;
    const band = Math.floor(row / STRIP_ROWS);
    if (current !== null && band !== current) {
      yield [current, cellsOfBand];
      cellsOfBand = [];
    }
    current = band;
    cellsOfBand.push(cell);
  }
  if (current !== null) yield [current, cellsOfBand];
}

/**
 * A ring in units of `UNITS_PER_DEGREE`: the first point, then the difference of each point from the point before it.
 * @param ring latitude and longitude of each point, degrees
 */
function ringUnits(ring: ArrayLike<number>): number[] {
  const units = Array.from(ring, degreeUnits);
  return units.map((value, i) => value - (units[i - 2] ?? 0));
}

/**
 * Writes the dictionary and the packs of one kind. The dictionary is made of the first entries, so these are read before
 * the packs are written.
 * @param entries in order of key
 * @returns the number of entries
 */
async function writeKind(
  { manifest: { dataset_id: id } }: Dataset,
  kind: PackKind,
  entries: Iterator<Entry> & Iterable<Entry>,
  sink: FileSink,
): Promise<number> {
  const samples: Entry[] = [];
  // Not `for (… of entries)`: leaving such a loop would end the iterator.
  for (let next = entries.next(); !next.done; next = entries.next()) {
    samples.push(next.value);
    if (samples.length === SAMPLES) break;
  }
  if (samples.length === 0) return 0;
  const dictionary = Buffer.concat(samples.map(({ text }) => Buffer.from(shortened(text)))).subarray(-MOST_DICTIONARY);
  await sink.write(dictionaryPath(id, kind), dictionary);
  let count = 0;
  // The samples are entries, too.
  for (const group of byPack(kind, samples, entries)) {
    const index: PackIndex = { keys: [], lengths: [] };
    const path = packPath(id, kind, group.name);
    await sink.append(`${path}.pack`, async (add) => {
      for await (const { key, bytes, entryCount } of compressedBlocks(kind, group.entries, dictionary)) {
        index.keys.push(key);
        index.lengths.push(bytes.length);
        count += entryCount;
        await add(bytes);
      }
    });
    await sink.write(`${path}.index`, await compress(Buffer.from(JSON.stringify(index)), { level: LEVEL }));
  }
  return count;
}

/** The entries of one pack. */
interface Group {
  name: string;
  entries: Generator<Entry>;
}

/**
 * Groups entries by pack, one group after the other. The caller reads each group to its end before the next group.
 * @param first the entries that were already read
 * @param rest the following entries
 */
function* byPack(kind: PackKind, first: readonly Entry[], rest: Iterator<Entry>): Generator<Group> {
  /** Entries to give before those of `rest`, as a stack: `pop` gives the next one. */
  const pushedBack = first.toReversed();
  const nextEntry = (): Entry | null => {
    const entry = pushedBack.pop();
    if (entry !== undefined) return entry;
    const next = rest.next();
    return next.done ? null : next.value;
  };
  const entriesOf = function* (name: string): Generator<Entry> {
    for (let entry = nextEntry(); entry !== null; entry = nextEntry()) {
      if (groupOf(kind, entry.key) !== name) {
        pushedBack.push(entry);
        return;
      }
      yield entry;
    }
  };
  for (let entry = nextEntry(); entry !== null; entry = nextEntry()) {
    pushedBack.push(entry);
    const name = groupOf(kind, entry.key);
    yield { name, entries: entriesOf(name) };
  }
}

/** A compressed block, its first key, and the number of its entries. */
interface Block {
  key: string;
  bytes: Buffer;
  entryCount: number;
}

/** The compressed blocks of some entries, in their order. The threads of zlib compress several blocks at once. */
async function* compressedBlocks(kind: PackKind, entries: Iterable<Entry>, dictionary: Buffer): AsyncGenerator<Block> {
  let waiting: Promise<Block>[] = [];
  let block: Entry[] = [];
  const startCompression = (): void => {
    const [{ key } = { key: '' }] = block;
    const entryCount = block.length;
    const lines = Buffer.from(block.map((entry) => `${entry.key}\t${shortened(entry.text)}`).join('\n'));
    waiting.push(compress(lines, { level: LEVEL, dictionary }).then((bytes) => ({ key, bytes, entryCount })));
    block = [];
  };
  for (const entry of entries) {
    block.push(entry);
    if (block.length === ENTRIES_PER_BLOCK[kind]) startCompression();
    if (waiting.length < AT_ONCE) continue;
    yield* await Promise.all(waiting);
    waiting = [];
  }
  if (block.length > 0) startCompression();
  yield* await Promise.all(waiting);
}
