import type { CheckedFile } from '../formats/checked-file.ts';
import { SortedFile } from '../formats/sorted-file.ts';
import { LocalPlane } from '../geo/plane.ts';
import { BitReader, riceContext } from '../record/bit-stream.ts';
import { readBuildingId } from '../record/building-record.ts';
import type { EncodedBuilding } from '../record/codec.ts';
import { CellCursor } from './cell-cursor.ts';
import {
  buildingIdOf,
  buildingKey,
  buildingRange,
  cellKey,
  cellOfKey,
  curvesKey,
  recordOf,
  summaryOf,
  TOWN_PAGE,
  townKey,
} from './store-keys.ts';

/** Its file, relative to the dataset's folder. */
export const SUNLIGHT_STORE = 'sunlight.store';

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

  /**
   * Lends the packed summary of a building to a function that must not keep it; false when there is no such building.
   */
  lookAtSummary(buildingId: string, look: (summary: Uint8Array) => void): boolean {
    const found = this.#file.use(buildingKey(buildingId), (value) => {
      look(summaryOf(value));
      return true;
    });
    return found ?? false;
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

  /** A part of the buildings of a town: IDs from `start` on, at most `count`. Nine digits name a whole town. */
  townBuildings(townCode: string, start: number, count: number): { total: number; ids: string[] } {
    const ids: string[] = [];
    let total = this.#townPage(townCode, 0)?.total ?? 0;
    const end = Math.min(total, start + count);
    for (let page = Math.floor(start / TOWN_PAGE); page * TOWN_PAGE < end; page++) {
      const stored = this.#townPage(townCode, page);
      if (!stored) break;
      total = stored.total;
      ids.push(...stored.ids.slice(Math.max(0, start - page * TOWN_PAGE), end - page * TOWN_PAGE));
    }
    return { total, ids };
  }

  /** All buildings whose ID begins with `prefix` (a ward code), in order of ID: record and packed summary. */
  *records(prefix: string): Generator<EncodedBuilding & { summary: Uint8Array }> {
    const { start, end } = buildingRange(prefix);
    for (const [key, value] of this.#file.range(start, end)) {
      yield { buildingId: buildingIdOf(key), bytes: recordOf(value), summary: summaryOf(value) };
    }
  }

  #townPage(townCode: string, page: number): { total: number; ids: string[] } | undefined {
    return this.#file.use(townKey(townCode, page), (bytes) => {
      const from = new BitReader(bytes);
      const total = from.rice(riceContext(8));
      const ids: string[] = [];
      for (let i = Math.min(TOWN_PAGE, total - page * TOWN_PAGE); i > 0; i--) ids.push(readBuildingId(from));
      return { total, ids };
    });
  }
}
