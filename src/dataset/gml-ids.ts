import { hash } from 'node:crypto';
import { SortedFile, writeSortedFile } from '../formats/sorted-file.ts';
import { sortedOnDisk } from '../formats/spill.ts';
import type { DatasetFiles } from '../snapshot/dataset-files.ts';
import { addDifferences, type Verification } from '../snapshot/verification.ts';
import { SUNLIGHT_STORE, SunlightStore } from './sunlight-store.ts';

/**
 * Which building an element of the city model became, a sorted file: its keys are 16 bytes of the SHA-256 of a `gml:id` and the
 * building ID, its values are empty. The `gml:id` themselves would take three times the room.
 */
export const GML_IDS = 'gml-ids.index';

/** The `gml:id` of an element, and the building that it is or is a body of. */
export interface GmlId {
  gmlId: string;
  buildingId: string;
}

/** The same as the index has it. */
export interface HashedGmlId {
  /** 16 bytes of the SHA-256 of the `gml:id`. */
  key: Buffer;
  buildingId: string;
}

const HASH_BYTES = 16;
const EMPTY = Buffer.alloc(0);
/** Comes after every hash, and behind a hash after every building ID. */
const AFTER_ALL = Buffer.alloc(HASH_BYTES, 0xff);

const hashOf = (gmlId: string): Buffer => hash('sha256', gmlId, 'buffer').subarray(0, HASH_BYTES);

/** Writes the index; entries come in any order and are not kept. */
export async function writeGmlIds(path: string, entries: Iterable<GmlId | HashedGmlId>): Promise<void> {
  await writeSortedFile(path, sortedOnDisk(`${path}-spilled`, indexEntries(entries)));
}

function* indexEntries(entries: Iterable<GmlId | HashedGmlId>): Generator<[key: Buffer, value: Buffer]> {
  for (const entry of entries) {
    const hashed = 'key' in entry ? entry.key : hashOf(entry.gmlId);
    yield [Buffer.concat([hashed, Buffer.from(entry.buildingId, 'latin1')]), EMPTY];
  }
}

/** The entries from one key up to but without another. */
function* entriesBetween(index: SortedFile, start: Buffer, end: Buffer): Generator<HashedGmlId> {
  for (const [key] of index.range(start, end)) {
    yield { key: key.subarray(0, HASH_BYTES), buildingId: key.toString('latin1', HASH_BYTES) };
  }
}

/** The buildings that a `gml:id` stands for; none where it is not known. */
type GmlIdLookUp = (gmlId: string) => string[];

/** Opens the index of a dataset; without one nothing is known. Throws when it is damaged. */
export function openGmlIds(files: DatasetFiles): GmlIdLookUp {
  if (!(GML_IDS in files.manifest.files)) return () => [];
  const index = new SortedFile(files.open(GML_IDS));
  return (gmlId) => {
    const start = hashOf(gmlId);
    const end = Buffer.concat([start, AFTER_ALL]);
    return Array.from(entriesBetween(index, start, end), ({ buildingId }) => buildingId);
  };
}

/** Everything that stands in the index of a dataset; nothing where there is none. */
export function* gmlIdsOf(files: DatasetFiles): Generator<HashedGmlId> {
  if (!(GML_IDS in files.manifest.files)) return;
  yield* entriesBetween(new SortedFile(files.open(GML_IDS)), EMPTY, AFTER_ALL);
}

/** Checks that the store has every building of the index. Adds differences to `found`. */
export function verifyGmlIds(files: DatasetFiles, found: Verification): void {
  const store = new SunlightStore(files.open(SUNLIGHT_STORE));
  const differences = new Set<string>();
  let gmlIds = 0;
  let last: Buffer = EMPTY;
  for (const { key, buildingId } of gmlIdsOf(files)) {
    if (!key.equals(last)) gmlIds++;
    last = key;
    if (store.look(buildingId, () => true) === undefined)
      differences.add(`names building ${buildingId}, which the store does not have`);
  }
  found.checked.gml_ids = gmlIds;
  addDifferences(found, GML_IDS, [...differences]);
}
