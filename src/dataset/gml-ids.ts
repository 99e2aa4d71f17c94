import { hash } from 'node:crypto';
import { SortedFile, writeSortedFile } from '../formats/sorted-file.ts';
import { sortedOnDisk } from '../formats/spill.ts';
import type { DatasetFiles } from '../snapshot/dataset-files.ts';
import { addDifferences, type Verification } from '../snapshot/verification.ts';
import { SUNLIGHT_STORE, SunlightStore } from './sunlight-store.ts';

/**
 * The building of each element of the city model, in a sorted file. A key is 16 bytes of the SHA-256 of a `gml:id`,
 * then the building ID. Values are empty. The `gml:id`s themselves would take three times the space.
 */
export const GML_IDS = 'gml-ids.index';

/** The `gml:id` of an element, and its building. The element is the building or one of its bodies. */
export interface GmlId {
  gmlId: string;
  buildingId: string;
}

/** An entry of the index. */
export interface HashedGmlId {
  /** 16 bytes of the SHA-256 of the `gml:id`. */
  key: Buffer;
  buildingId: string;
}

const HASH_BYTES = 16;
const EMPTY = Buffer.alloc(0);
/** Larger than every hash; after a hash, larger than every building ID. */
const AFTER_ALL = Buffer.alloc(HASH_BYTES, 0xff);

const hashOf = (gmlId: string): Buffer => hash('sha256', gmlId, 'buffer').subarray(0, HASH_BYTES);

/** Writes the index. Entries come in any order and are not kept in memory. */
export async function writeGmlIds(path: string, entries: Iterable<GmlId | HashedGmlId>): Promise<void> {
  await writeSortedFile(path, sortedOnDisk(`${path}-spilled`, indexEntries(entries)));
}

/** The entries of the index: the hash of a `gml:id` and the ID of its building are the key, and there is no value. */
function* indexEntries(entries: Iterable<GmlId | HashedGmlId>): Generator<[key: Buffer, value: Buffer]> {
  for (const entry of entries) {
    const hashed = 'key' in entry ? entry.key : hashOf(entry.gmlId);
    yield [Buffer.concat([hashed, Buffer.from(entry.buildingId, 'latin1')]), EMPTY];
  }
}

/** The entries from `start` up to, but without, `end`. */
function* entriesBetween(index: SortedFile, start: Buffer, end: Buffer): Generator<HashedGmlId> {
  for (const [key] of index.range(start, end)) {
    yield { key: key.subarray(0, HASH_BYTES), buildingId: key.toString('latin1', HASH_BYTES) };
  }
}

/** The buildings of a `gml:id`; empty when it is unknown. */
type GmlIdLookUp = (gmlId: string) => string[];

/**
 * Opens the index of a dataset. Without an index every `gml:id` is unknown.
 * @throws Error when it is damaged
 */
export function openGmlIds(files: DatasetFiles): GmlIdLookUp {
  if (!(GML_IDS in files.manifest.files)) return () => [];
  const index = new SortedFile(files.open(GML_IDS));
  // A key is the hash of a `gml:id`, then the ID of its building.
  return (gmlId) => {
    const start = hashOf(gmlId);
    const end = Buffer.concat([start, AFTER_ALL]);
    return Array.from(entriesBetween(index, start, end), ({ buildingId }) => buildingId);
  };
}

/** All entries of the index of a dataset; none without an index. */
export function* gmlIdsOf(files: DatasetFiles): Generator<HashedGmlId> {
  if (!(GML_IDS in files.manifest.files)) return;
  yield* entriesBetween(new SortedFile(files.open(GML_IDS)), EMPTY, AFTER_ALL);
}

/** Checks that the store has all buildings of the index by `gml:id`. Adds differences to `verification`. */
export function verifyGmlIds(files: DatasetFiles, verification: Verification): void {
  const store = new SunlightStore(files.open(SUNLIGHT_STORE));
  const differences = new Set<string>();
  let gmlIds = 0;
  let last: Buffer = EMPTY;
  for (const { key, buildingId } of gmlIdsOf(files)) {
    // A `gml:id` of several buildings has an entry for each, side by side.
    if (!key.equals(last)) gmlIds++;
    last = key;
    // `look` gives undefined without a record; what is in the record does not matter.
    if (store.look(buildingId, () => true) === undefined)
      differences.add(`names building ${buildingId}, which the store does not have`);
  }
  verification.checked.gml_ids = gmlIds;
  addDifferences(verification, GML_IDS, [...differences]);
}
