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

/** Entries in a block. More entries make packs smaller, but each answer reads more bytes. Each strip has its own block. */
const ENTRIES: Readonly<Record<PackKind, number>> = { buildings: 4, near: 1, towns: 1, facilities: 4 };

/** Number of blocks that the threads of zlib compress at the same time. */
const AT_ONCE = 32;

/** Longest dictionary of DEFLATE, bytes. */
const MOST_DICTIONARY = 32_768;

/** Number of texts in a dictionary. */
const SAMPLES = 8;

const LEVEL = 9;
const compress = promisify<Buffer, object, Buffer>(deflateRaw);

/** Number of written texts of each kind. */
export type PackCounts = Record<PackKind, number>;

/** Results on a page of a list, as the server has them. */
const PAGE_SIZE = 100;

/** Writes the packs of a dataset (`client/packs.ts`). */
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

function* buildings({ sunlight }: Dataset, contents: DatasetContents): Generator<Entry> {
  for (const { id } of contents.buildings()) {
    const full = sunlight?.full(id);
    if (full) yield { key: id, text: full.bytes.toString() };
  }
}

function* facilities(contents: DatasetContents): Generator<Entry> {
  for (const { id, json } of contents.facilities()) yield { key: id, text: json.toString() };
}

function* townPages({ sunlight }: Dataset): Generator<Entry> {
  if (sunlight === null) return;
  const codes = new Set(sunlight.towns().flatMap(({ town_code }) => [town_code, town_code.slice(0, 9)]));
  const pages = [...codes].flatMap((code) =>
    Array.from({ length: sunlight.townPages(code, PAGE_SIZE) ?? 0 }, (_, i) => ({ code, page: i + 1 })),
  );
  const keyed = pages.map(({ code, page }) => ({ key: townPageKey(code, page), code, page }));
  keyed.sort((a, b) => (a.key < b.key ? -1 : 1));
  for (const { key, code, page } of keyed) {
    const town = sunlight.town(code, page, PAGE_SIZE);
    if (town !== null) yield { key, text: town.bytes.toString() };
  }
}

/** The buildings of each strip, each once, in order of band and column. */
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

/** Groups cells by the band of strips that contains them. The cells are in order of row. */
function* bandsOf(
  cells: Iterable<[row: number, column: number]>,
): Generator<[number, [row: number, column: number][]]> {
  let band: number | null = null;
  let together: [number, number][] = [];
  for (const cell of cells) {
    const own = Math.floor(cell[0] / STRIP_ROWS);
    if (band !== null && own !== band) {
      yield [band, together];
      together = [];
    }
    band = own;
    together.push(cell);
  }
  if (band !== null) yield [band, together];
}

/** A ring in units: its first point, then the difference of each point from the point before. */
function ringUnits(ring: ArrayLike<number>): number[] {
  const units = Array.from(ring, degreeUnits);
  return units.map((value, i) => value - (units[i - 2] ?? 0));
}

/** Writes the packs of one kind. The entries are in order of key. */
async function writeKind(
  { manifest: { dataset_id: id } }: Dataset,
  kind: PackKind,
  entries: Iterator<Entry> & Iterable<Entry>,
  sink: FileSink,
): Promise<number> {
  const first: Entry[] = [];
  for (let next = entries.next(); !next.done; next = entries.next()) {
    first.push(next.value);
    if (first.length === SAMPLES) break;
  }
  if (first.length === 0) return 0;
  const dictionary = Buffer.concat(first.map(({ text }) => Buffer.from(shortened(text)))).subarray(-MOST_DICTIONARY);
  await sink.write(dictionaryPath(id, kind), dictionary);
  let count = 0;
  for await (const group of grouped(kind, first, entries)) {
    const index: PackIndex = { keys: [], lengths: [] };
    const path = packPath(id, kind, group.name);
    await sink.append(`${path}.pack`, async (add) => {
      for await (const { key, bytes, entries: inside } of compressed(kind, group.entries, dictionary)) {
        index.keys.push(key);
        index.lengths.push(bytes.length);
        count += inside;
        await add(bytes);
      }
    });
    await sink.write(`${path}.index`, await compress(Buffer.from(JSON.stringify(index)), { level: LEVEL }));
  }
  return count;
}

interface Group {
  name: string;
  entries: Generator<Entry>;
}

/** Groups entries by pack. Read each group to its end before the next one. */
function* grouped(kind: PackKind, first: readonly Entry[], rest: Iterator<Entry>): Generator<Group> {
  const ahead = [...first].reverse();
  const take = (): Entry | null => {
    const kept = ahead.pop();
    if (kept !== undefined) return kept;
    const next = rest.next();
    return next.done ? null : next.value;
  };
  for (let entry = take(); entry !== null; entry = take()) {
    ahead.push(entry);
    const name = groupOf(kind, entry.key);
    const ofGroup = function* (): Generator<Entry> {
      for (let one = take(); one !== null; one = take()) {
        if (groupOf(kind, one.key) !== name) {
          ahead.push(one);
          return;
        }
        yield one;
      }
    };
    yield { name, entries: ofGroup() };
  }
}

/** The compressed blocks of some entries, in their order. */
async function* compressed(
  kind: PackKind,
  entries: Iterable<Entry>,
  dictionary: Buffer,
): AsyncGenerator<{ key: string; bytes: Buffer; entries: number }> {
  let waiting: Promise<{ key: string; bytes: Buffer; entries: number }>[] = [];
  let block: Entry[] = [];
  const close = (): void => {
    const [{ key } = { key: '' }] = block;
    const inside = block.length;
    const lines = Buffer.from(block.map((entry) => `${entry.key}\t${shortened(entry.text)}`).join('\n'));
    waiting.push(compress(lines, { level: LEVEL, dictionary }).then((bytes) => ({ key, bytes, entries: inside })));
    block = [];
  };
  for (const entry of entries) {
    block.push(entry);
    if (block.length === ENTRIES[kind]) close();
    if (waiting.length < AT_ONCE) continue;
    yield* await Promise.all(waiting);
    waiting = [];
  }
  if (block.length > 0) close();
  yield* await Promise.all(waiting);
}
