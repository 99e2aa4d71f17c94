/**
 * The keys of the sunlight store, in the order of the file: buildings by ID, cells of the grid by latitude and
 * longitude, sun curves by grid square, pages of the towns' lists by code and number.
 */

import { CELLS_PER_DEGREE } from '../geo/cell-grid.ts';

/** IDs on a stored page of a town's list. */
export const TOWN_PAGE = 100;

export const buildingKey = (buildingId: string): Buffer => Buffer.from(`b${buildingId}`);

export const buildingIdOf = (key: Uint8Array): string =>
  Buffer.from(key.buffer, key.byteOffset + 1, key.length - 1).toString();

/** The range of the keys of all buildings whose ID begins with `prefix`: from `start` up to, but without, `end`. */
export function buildingRange(prefix: string): { start: Buffer; end: Buffer } {
  const start = Buffer.from(`b${prefix}`);
  const end = Buffer.from(start);
  end[end.length - 1]++;
  return { start, end };
}

/**
 * Key of the cell whose south-west corner is (row, column) / CELLS_PER_DEGREE degrees.
 * @param key a buffer to reuse
 */
export function cellKey(row: number, column: number, key: Buffer = Buffer.from('c........')): Buffer {
  key.writeUInt32BE(row + 90 * CELLS_PER_DEGREE, 1);
  key.writeUInt32BE(column + 180 * CELLS_PER_DEGREE, 5);
  return key;
}

/** The cell of a key. */
export const cellOfKey = (key: Buffer): [row: number, column: number] => [
  key.readUInt32BE(1) - 90 * CELLS_PER_DEGREE,
  key.readUInt32BE(5) - 180 * CELLS_PER_DEGREE,
];

/** Key of the sun curves of a grid square (`square-sun.ts`). */
export const curvesKey = (square: string): Buffer => Buffer.from(`s${square}`);

/** Key of a page (from 0) of the list of a town. A town with chome has nine digits. */
export function townKey(townCode: string, page: number): Buffer {
  const key = Buffer.from(`t${townCode}\0....`, 'latin1');
  key.writeUInt32BE(page, key.length - 4);
  return key;
}

const LENGTH_BYTES = 4;

/**
 * The stored value of a building: u32 length of its summary (little-endian) · the summary (sunlight-json.ts) · its
 * record.
 */
export function buildingValue(summary: Uint8Array, record: Uint8Array): Uint8Array {
  const value = Buffer.allocUnsafe(LENGTH_BYTES + summary.length + record.length);
  value.writeUInt32LE(summary.length, 0);
  value.set(summary, LENGTH_BYTES);
  value.set(record, LENGTH_BYTES + summary.length);
  return value;
}

export const summaryOf = (value: Uint8Array): Uint8Array => value.subarray(LENGTH_BYTES, recordStart(value));

export const recordOf = (value: Uint8Array): Uint8Array => value.subarray(recordStart(value));

const recordStart = (value: Uint8Array): number =>
  LENGTH_BYTES + (value[0] | (value[1] << 8) | (value[2] << 16) | (value[3] << 24));
