import { BitReader, BitWriter, DamagedRecordError } from './bit-stream.ts';
import { readBuildingId, writeBuildingId } from './building-id.ts';
import type { BuildingHead } from './building-record.ts';
import { readHead } from './head-codec.ts';
import { CELLS_PER_DEGREE, cellIndex } from './store-keys.ts';

/**
 * What a cell of the grid holds: the head of every building whose footprint's box meets it, in order of ID.
 *
 *     u8 south · u8 west · u8 north · u8 east   the part of the box in this cell, in 256ths of it, outwards
 *     u32 length (little-endian) · ID · head
 */
const ENTRY_HEAD = 8;
const STEPS = 256;

/** Bounds in degrees. */
export interface Box {
  south: number;
  west: number;
  north: number;
  east: number;
}

/** The box around the footprint, its representative point included. */
export function boxOf({ lat, lon, footprints }: Pick<BuildingHead, 'lat' | 'lon' | 'footprints'>): Box {
  const box = { south: lat, west: lon, north: lat, east: lon };
  for (const { rings } of footprints) {
    for (const ring of rings) {
      for (let i = 0; i < ring.length; i += 2) {
        box.south = Math.min(box.south, ring[i]!);
        box.north = Math.max(box.north, ring[i]!);
        box.west = Math.min(box.west, ring[i + 1]!);
        box.east = Math.max(box.east, ring[i + 1]!);
      }
    }
  }
  return box;
}

/** The cells that a box meets, as [row, column]. */
export function* cellsOf(box: Box): Generator<[number, number]> {
  for (let row = cellIndex(box.south); row <= cellIndex(box.north); row++) {
    for (let column = cellIndex(box.west); column <= cellIndex(box.east); column++) yield [row, column];
  }
}

/** The entry of one building in one cell. */
export function encodeEntry(row: number, column: number, box: Box, buildingId: string, head: Uint8Array): Uint8Array {
  const id = new BitWriter();
  writeBuildingId(id, buildingId);
  const idBytes = id.finish();
  const entry = new Uint8Array(ENTRY_HEAD + idBytes.length + head.length);
  const step = (degrees: number, index: number): number => (degrees * CELLS_PER_DEGREE - index) * STEPS;
  const low = (value: number): number => Math.min(STEPS - 1, Math.max(0, Math.floor(value)));
  const high = (value: number): number => Math.min(STEPS, Math.max(1, Math.ceil(value))) - 1;
  entry[0] = low(step(box.south, row));
  entry[1] = low(step(box.west, column));
  entry[2] = high(step(box.north, row));
  entry[3] = high(step(box.east, column));
  new DataView(entry.buffer).setUint32(4, entry.length - ENTRY_HEAD, true);
  entry.set(idBytes, ENTRY_HEAD);
  entry.set(head, ENTRY_HEAD + idBytes.length);
  return entry;
}

/** One entry of a cell; the ID and the head are decoded on request. */
export interface CellEntry {
  box: Box;
  building(): BuildingHead;
}

/** The entries of a cell. Throws `DamagedRecordError`. */
export function* readCell(row: number, column: number, bytes: Uint8Array): Generator<CellEntry> {
  let at = 0;
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
  const size = 1 / CELLS_PER_DEGREE / STEPS;
  const [south, west] = [row / CELLS_PER_DEGREE, column / CELLS_PER_DEGREE];
  while (at < bytes.length) {
    const start = at + ENTRY_HEAD;
    const end = start <= bytes.length ? start + view.getUint32(at + 4, true) : start;
    if (end > bytes.length) throw new DamagedRecordError(`an entry ends at ${end} in a cell of ${bytes.length} bytes`);
    yield {
      box: {
        south: south + bytes[at]! * size,
        west: west + bytes[at + 1]! * size,
        north: south + (bytes[at + 2]! + 1) * size,
        east: west + (bytes[at + 3]! + 1) * size,
      },
      building: () => decodeEntry(bytes.subarray(start, end)),
    };
    at = end;
  }
}

function decodeEntry(bytes: Uint8Array): BuildingHead {
  const from = new BitReader(bytes);
  const buildingId = readBuildingId(from);
  from.align();
  const head = readHead(from, buildingId);
  from.end();
  return head;
}
