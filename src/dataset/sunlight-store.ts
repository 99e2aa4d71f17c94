import { SUN_SORTS, type SunSort } from '../contract/operations/sunlight-towns.ts';
import type { CheckedFile } from '../formats/checked-file.ts';
import { SortedFile } from '../formats/sorted-file.ts';
import { CELLS_PER_DEGREE } from '../geo/degree.ts';
import { LocalPlane } from '../geo/plane.ts';
import { BitReader, riceContext } from '../record/bit-stream.ts';
import { readBuildingId } from '../record/building-record.ts';
import type { EncodedBuilding } from '../record/codec.ts';
import { CellCursor } from './cell.ts';

/** Its file, relative to the dataset's folder. */
export const SUNLIGHT_STORE = 'sunlight.store';

/**
 * The keys of the sunlight store, in the order of the file: buildings by ID, cells of the grid by latitude and
 * longitude, sun curves by grid square, pages of the lists of towns and then of wards by code and number.
 */

/** IDs on a stored page of a list. */
export const LIST_PAGE = 100;
/** A list has about 2 to this power IDs; other lengths take more bits. */
export const LENGTH_POWER = 8;

/** The key of a building begins with a b; other keys begin with other letters. */
export const buildingKey = (buildingId: string): Buffer => Buffer.from(`b${buildingId}`);

const buildingIdOf = (key: Uint8Array): string =>
  Buffer.from(key.buffer, key.byteOffset + 1, key.length - 1).toString();

/** The range of the keys of all buildings whose ID begins with `prefix`: from `start` up to, but without, `end`. */
function buildingRange(prefix: string): { start: Buffer; end: Buffer } {
  const start = buildingKey(prefix);
  const end = Buffer.from(start);
  // The next key of this length: IDs are ASCII, so the byte can grow.
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
const cellOfKey = (key: Buffer): [row: number, column: number] => [
  key.readUInt32BE(1) - 90 * CELLS_PER_DEGREE,
  key.readUInt32BE(5) - 180 * CELLS_PER_DEGREE,
];

/** Key of the sun curves of a grid square (`square-sun.ts`). */
export const curvesKey = (square: string): Buffer => Buffer.from(`s${square}`);

/** Key of a page (from 0) of the list of a town. A town with chome has nine digits. */
export const townKey = (townCode: string, page: number): Buffer => pageKey(`t${townCode}`, page);

/** Key of a page (from 0) of the list of a ward in one order. */
export const wardKey = (wardCode: string, sort: SunSort, page: number): Buffer =>
  pageKey(`w${wardCode}${SUN_SORTS.indexOf(sort)}`, page);

/** The name of a list, a zero byte, and the page in four bytes (big-endian, so that keys are in the order of pages). */
function pageKey(list: string, page: number): Buffer {
  const key = Buffer.from(`${list}\0....`, 'latin1');
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

const summaryOf = (value: Uint8Array): Uint8Array => value.subarray(LENGTH_BYTES, recordStart(value));

const recordOf = (value: Uint8Array): Uint8Array => value.subarray(recordStart(value));

const recordStart = (value: Uint8Array): number =>
  LENGTH_BYTES + (value[0] | (value[1] << 8) | (value[2] << 16) | (value[3] << 24));

/** Some buildings of a list, and the number of all. */
export interface ListedIds {
  total: number;
  ids: string[];
}

/**
 * The serving store of the sunlight half, open for reading. The caller owns returned bytes. Every method throws
 * `DamagedFileError` when the file is damaged.
 */
export class SunlightStore {
  readonly #file: SortedFile;
  readonly #cellKey = cellKey(0, 0);

  /** The caller owns and closes the file. */
  constructor(file: CheckedFile) {
    this.#file = new SortedFile(file);
  }

  /** The record of a building, for `decodeRecord`. */
  record(buildingId: string): Uint8Array | undefined {
    return this.#file.use(buildingKey(buildingId), (value) => Buffer.from(recordOf(value)));
  }

  /**
   * Lends the record and the packed summary of a building to a function that must not keep them; undefined when there
   * is no such building.
   */
  look<T>(buildingId: string, look: (record: Uint8Array, summary: Uint8Array) => T): T | undefined {
    return this.#file.use(buildingKey(buildingId), (value) => look(recordOf(value), summaryOf(value)));
  }

  /** Lends the bytes of a cell, for `CellCursor`, to a function that must not keep them. */
  cell<T>(row: number, column: number, look: (bytes: Uint8Array) => T): T | undefined {
    return this.#file.use(cellKey(row, column, this.#cellKey), look);
  }

  /** Every cell that holds a building, in order of row, then of column. */
  *cells(): Generator<[row: number, column: number]> {
    for (const key of this.#file.keys(Buffer.from('c'), Buffer.from('d'))) yield cellOfKey(key);
  }

  /** The buildings of a cell, in order of ID. */
  idsInCell(row: number, column: number): string[] {
    const ids = this.cell(row, column, (bytes) => {
      const found: string[] = [];
      // The plane is for distances, which are not asked for.
      const cursor = new CellCursor(bytes, new LocalPlane(0, 0));
      cursor.enter(row, column, 0, bytes.length);
      while (cursor.next()) found.push(cursor.buildingId());
      return found;
    });
    return ids ?? [];
  }

  /** The packed sun curves of a grid square; undefined when the dataset has no buildings there. */
  curves(square: string): Uint8Array | undefined {
    return this.#file.use(curvesKey(square), (value) => Buffer.from(value));
  }

  /**
   * The IDs of some buildings of a town, in order, and the number of all its buildings.
   * @param townCode nine digits name a whole town
   * @param start the number of buildings to leave out at the beginning
   * @param count the most IDs to return
   */
  townBuildings(townCode: string, start: number, count: number): ListedIds {
    return this.#listed((page) => townKey(townCode, page), start, count);
  }

  /** The same of the buildings of a ward, those with most sun first. */
  wardBuildings(wardCode: string, sort: SunSort, start: number, count: number): ListedIds {
    return this.#listed((page) => wardKey(wardCode, sort, page), start, count);
  }

  /** All buildings whose ID begins with `prefix` (a ward code), in order of ID: record and packed summary. */
  *records(prefix: string): Generator<EncodedBuilding & { summary: Uint8Array }> {
    const { start, end } = buildingRange(prefix);
    for (const [key, value] of this.#file.range(start, end)) {
      yield { buildingId: buildingIdOf(key), bytes: recordOf(value), summary: summaryOf(value) };
    }
  }

  /** The IDs `start` to before `start + count` of a list, which is stored in pages, and the number of all. */
  #listed(keyOf: (page: number) => Buffer, start: number, count: number): ListedIds {
    const ids: string[] = [];
    const total = this.#listPage(keyOf, 0)?.total ?? 0;
    const end = Math.min(total, start + count);
    for (let page = Math.floor(start / LIST_PAGE); page * LIST_PAGE < end; page++) {
      const stored = this.#listPage(keyOf, page);
      if (!stored) break;
      ids.push(...stored.ids.slice(Math.max(0, start - page * LIST_PAGE), end - page * LIST_PAGE));
    }
    return { total, ids };
  }

  /** The IDs of one page of a list, and the number of IDs of all its pages; undefined for a page that is not there. */
  #listPage(keyOf: (page: number) => Buffer, page: number): ListedIds | undefined {
    return this.#file.use(keyOf(page), (bytes) => {
      const reader = new BitReader(bytes);
      // The number of all IDs in Rice coding, then the IDs of this page.
      const total = reader.rice(riceContext(LENGTH_POWER));
      const ids: string[] = [];
      for (let i = Math.min(LIST_PAGE, total - page * LIST_PAGE); i > 0; i--) ids.push(readBuildingId(reader));
      return { total, ids };
    });
  }
}
