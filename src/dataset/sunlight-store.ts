import { beginReading, type LmdbFile, openLmdbFile, type Reading, valueAt } from '../formats/lmdb-file.ts';
import { BitReader, riceContext } from './record/bit-stream.ts';
import { readBuildingId } from './record/building-id.ts';
import {
  buildingIdOf,
  buildingKey,
  buildingRange,
  cellKey,
  recordOf,
  summaryOf,
  TOWN_PAGE,
  townKey,
} from './store-keys.ts';
import type { EncodedBuilding } from './sunlight-store-writer.ts';

/**
 * The serving store of the sunlight half, open for reading. Bytes that it gives out are good until the next
 * call: decode them at once.
 */
export class SunlightStore {
  #file: LmdbFile;
  #reading: Reading;
  readonly #cellKey = cellKey(0, 0);

  /** Throws when the file cannot be opened. Nothing is written beside it. */
  constructor(path: string) {
    this.#file = openLmdbFile(path);
    this.#reading = beginReading(this.#file);
  }

  /** The record of a building, for `decodeRecord`. */
  record(buildingId: string): Uint8Array | undefined {
    const value = this.#building(buildingId);
    return value && recordOf(value);
  }

  /** The summary of a building as it is kept, for `JsonWriter`. */
  summary(buildingId: string): Uint8Array | undefined {
    const value = this.#building(buildingId);
    return value && summaryOf(value);
  }

  /** The bytes of a cell of the grid, for `CellCursor`. */
  cell(row: number, column: number): Uint8Array | undefined {
    return valueAt(this.#file, cellKey(row, column, this.#cellKey), this.#reading);
  }

  /** Buildings of a town, or of all the chome of a town of nine digits; IDs from `start` on, at most `count`. */
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

  /** Every building whose ID begins with `prefix` (a ward code), in order of ID: its record, and its summary as it is kept. */
  *records(prefix: string): Generator<EncodedBuilding & { summary: Uint8Array }> {
    for (const { key, value } of this.#file.getRange(buildingRange(prefix))) {
      yield { buildingId: buildingIdOf(key), bytes: recordOf(value), summary: summaryOf(value) };
    }
  }

  close(): Promise<void> {
    this.#reading.transaction.done();
    return this.#file.close();
  }

  #building(buildingId: string): Uint8Array | undefined {
    return valueAt(this.#file, buildingKey(buildingId), this.#reading);
  }

  #townPage(townCode: string, page: number): { total: number; ids: string[] } | null {
    const bytes = valueAt(this.#file, townKey(townCode, page), this.#reading);
    if (!bytes) return null;
    const from = new BitReader(bytes);
    const total = from.rice(riceContext(8));
    const ids: string[] = [];
    for (let i = Math.min(TOWN_PAGE, total - page * TOWN_PAGE); i > 0; i--) ids.push(readBuildingId(from));
    return { total, ids };
  }
}
