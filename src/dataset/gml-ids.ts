import { hash } from 'node:crypto';
import { rmSync } from 'node:fs';
import { SortedFile, writeSortedFile } from '../formats/sorted-file.ts';
import { Spill } from '../formats/spill.ts';
import type { DatasetFiles } from '../snapshot/dataset-files.ts';
import { addDifferences, type Verification } from '../snapshot/verification.ts';
import { SUNLIGHT_STORE, SunlightStore } from './sunlight-store.ts';

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
    let line = Buffer.alloc(2 * KEY_BYTES);
    for (const entry of entries) {
      const { buildingId } = entry;
      const end = KEY_BYTES + buildingId.length + 1;
      if (end > line.length) line = Buffer.alloc(2 * end);
      if ('key' in entry) line.set(entry.key);
      else line.write(hash('sha256', entry.gmlId, 'binary'), 0, KEY_BYTES, 'latin1');
      line.write(`${buildingId}\n`, KEY_BYTES, 'latin1');
      spill.add(line.readUIntBE(0, NUMBER_BYTES), line.subarray(0, end));
    }
    await writeSortedFile(path, sorted(spill));
  } finally {
    spill.close();
  }
  rmSync(spilled);
}

/** The entries of the index: of each key the buildings, in order. */
function* sorted(spill: Spill): Generator<[key: Buffer, buildingIds: Buffer]> {
  for (const [, bytes] of spill.groups()) {
    const spilled = [...spilledIn(bytes)];
    spilled.sort((a, b) => Buffer.compare(a.key, b.key) || Buffer.compare(a.id, b.id));
    for (let from = 0, to = 1; from < spilled.length; from = to++) {
      const { key, id } = spilled[from];
      const ids = [id];
      for (; to < spilled.length && key.equals(spilled[to].key); to++) {
        if (!spilled[to].id.equals(spilled[to - 1].id)) ids.push(NUL, spilled[to].id);
      }
      yield [key, Buffer.concat(ids)];
    }
  }
}

const NUL = Buffer.alloc(1);
const LINE_FEED = 0x0a;

/** The keys and building IDs that were spilled end to end: a key, an ID and a line feed each. */
function* spilledIn(bytes: Uint8Array): Generator<{ key: Buffer; id: Buffer }> {
  const all = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  for (let at = 0; at < all.length; ) {
    const end = all.indexOf(LINE_FEED, at + KEY_BYTES);
    yield { key: all.subarray(at, at + KEY_BYTES), id: all.subarray(at + KEY_BYTES, end) };
    at = end + 1;
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
