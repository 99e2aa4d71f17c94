import { hash } from 'node:crypto';
import { rmSync } from 'node:fs';
import { SortedFile, writeSortedFile } from '../formats/sorted-file.ts';
import { Spill } from '../formats/spill.ts';
import type { DatasetFiles } from './dataset-files.ts';
import { SUNLIGHT_STORE, SunlightStore } from './sunlight-store.ts';
import { addDifferences, type Verification } from './verification.ts';

/**
 * Which building an element of the city model became, a sorted file: under 16 bytes of the SHA-256 of a `gml:id` the building ID,
 * with a NUL between several. The IDs themselves would take three times the room.
 */
export const GML_IDS = 'gml-ids.index';

/** The `gml:id` of an element, and the building that it is or is a body of. */
export interface GmlId {
  gmlId: string;
  buildingId: string;
}

const KEY_BYTES = 16;
/** The first bytes of a key are the number by which entries are sorted on disk. */
const NUMBER_BYTES = 6;

const keyOf = (gmlId: string): Buffer => hash('sha256', gmlId, 'buffer').subarray(0, KEY_BYTES);

/** The same as the index has it. */
export interface HashedGmlId {
  /** 16 bytes of the SHA-256 of the `gml:id`. */
  key: Buffer;
  buildingId: string;
}

/** Writes the index; entries come in any order and are not kept. */
export async function writeGmlIds(path: string, entries: Iterable<GmlId | HashedGmlId>): Promise<void> {
  const spilled = `${path}-spilled`;
  const spill = new Spill(spilled);
  try {
    for (const entry of entries) {
      const { buildingId } = entry;
      const key = 'key' in entry ? entry.key : keyOf(entry.gmlId);
      const line = Buffer.from(`${key.toString('hex')} ${buildingId}\n`, 'latin1');
      spill.add(key.readUIntBE(0, NUMBER_BYTES), line);
    }
    await writeSortedFile(path, sorted(spill));
  } finally {
    spill.close();
  }
  rmSync(spilled);
}

function* sorted(spill: Spill): Generator<[key: Buffer, buildingIds: Buffer]> {
  for (const [, bytes] of spill.groups()) {
    const lines = Buffer.from(bytes).toString('latin1').trimEnd().split('\n');
    const byKey = Map.groupBy([...new Set(lines)].sort(), (line) => line.slice(0, 2 * KEY_BYTES));
    for (const [key, same] of byKey) {
      const ids = same.map((line) => line.slice(2 * KEY_BYTES + 1));
      yield [Buffer.from(key, 'hex'), Buffer.from(ids.join('\0'), 'latin1')];
    }
  }
}

/** The buildings that a `gml:id` stands for; none where it is not known. */
type GmlIdLookUp = (gmlId: string) => string[];

/** Opens the index of a dataset; without one nothing is known. Throws when it is damaged. */
export function openGmlIds(files: DatasetFiles): GmlIdLookUp {
  if (!(GML_IDS in files.manifest.files)) return () => [];
  const index = new SortedFile(files.open(GML_IDS));
  return (gmlId) => index.get(keyOf(gmlId))?.toString('latin1').split('\0') ?? [];
}

/** Everything that stands in the index of a dataset; nothing where there is none. */
export function* gmlIdsOf(files: DatasetFiles): Generator<HashedGmlId> {
  if (!(GML_IDS in files.manifest.files)) return;
  const index = new SortedFile(files.open(GML_IDS));
  for (const [key, value] of index.range(Buffer.alloc(0), Buffer.alloc(KEY_BYTES, 0xff))) {
    for (const buildingId of value.toString('latin1').split('\0')) yield { key: Buffer.from(key), buildingId };
  }
}

/** Looks for every building of the index in the store. Adds what it finds to `found`. */
export function verifyGmlIds(files: DatasetFiles, found: Verification): void {
  const index = new SortedFile(files.open(GML_IDS));
  const store = new SunlightStore(files.open(SUNLIGHT_STORE));
  const differences = new Set<string>();
  for (const [, value] of index.range(Buffer.alloc(0), Buffer.alloc(KEY_BYTES, 0xff))) {
    for (const id of value.toString('latin1').split('\0')) {
      if (store.look(id, () => true) === undefined)
        differences.add(`names building ${id}, which the store does not have`);
    }
  }
  found.checked.gml_ids = index.count;
  addDifferences(found, GML_IDS, [...differences]);
}
