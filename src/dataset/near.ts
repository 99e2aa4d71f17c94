import { CELLS_PER_DEGREE, cellIndex } from '../geo/degree.ts';
import { LocalPlane } from '../geo/plane.ts';
import { CellCursor, SLACK_M } from './cell.ts';
import { insertSorted } from './sorted-list.ts';
import { summaryBuildingId } from './sunlight-json.ts';

/** A found building: its distance, and the position of its stored summary (for `JsonWriter`). */
export interface Nearby {
  distanceM: number;
  bytes: Uint8Array;
  start: number;
  end: number;
}

/** The ID of a found building. */
export const nearbyId = ({ bytes, start, end }: Nearby): string => summaryBuildingId(bytes.subarray(start, end));

/** Lends the bytes of a cell to a function that must not keep them; undefined for an empty cell. */
interface Cells {
  cell<T>(row: number, column: number, look: (bytes: Uint8Array) => T): T | undefined;
}

/** Buffer for the cells of a search, bytes. It is usually enough for all of them. */
const BUFFER_BYTES = 1 << 17;

/** Finds buildings around a point. The next search reuses its memory. */
export class NearSearch {
  readonly #cells: Cells;
  #buffer = new Uint8Array(BUFFER_BYTES);
  #filled = 0;

  constructor(cells: Cells) {
    this.#cells = cells;
  }

  /**
   * The buildings within `radiusM` of a point: nearest first, ties by ID, at most `limit`. `truncated` is true when
   * there are more. The next search overwrites the returned bytes.
   *
   * Visits the cells from the nearest on, until the next cell is farther than the last wanted building. Measures a
   * footprint only when its box is not farther.
   */
  find(lat: number, lon: number, radiusM: number, limit: number): { found: Nearby[]; truncated: boolean } {
    const plane = new LocalPlane(lat, lon);
    const found: Nearby[] = [];
    // `#copied` puts cell after cell into the buffer, and replaces the buffer when it is full.
    this.#filled = 0;
    let cursor = new CellCursor(this.#buffer, plane);
    let bound = radiusM;
    for (const { row, column, leastDistanceM } of cellsAround(plane, radiusM)) {
      if (leastDistanceM > bound) break;
      const range = this.#cells.cell(row, column, (bytes) => this.#copied(bytes));
      if (range === undefined) continue;
      // The cell had no room left, so `#copied` has made another buffer. What was found stays in the one before.
      if (cursor.bytes !== this.#buffer) cursor = new CellCursor(this.#buffer, plane);
      cursor.enter(row, column, range.from, range.to);
      while (cursor.next()) {
        if (cursor.boxDistance() > bound) continue;
        const distance = cursor.distance();
        if (distance > bound) continue;
        const { bytes, summaryStart: start, summaryEnd: end } = cursor;
        // Keep one more than wanted, to know whether there are more.
        const candidate = { distanceM: distance, bytes, start, end };
        // A building is in every cell that its box meets. Only itself has its distance and its ID.
        const isFound = found.some((other) => byDistance(other, candidate) === 0);
        if (isFound) continue;
        insertSorted(found, candidate, byDistance, limit + 1);
        if (found.length > limit) bound = found[limit].distanceM;
      }
    }
    const truncated = found.length > limit;
    if (truncated) found.pop();
    return { found, truncated };
  }

  /**
   * Copies a cell to the buffer, because found buildings must stay valid while other cells are read.
   * @returns its range in the buffer
   */
  #copied(bytes: Uint8Array): { from: number; to: number } {
    if (this.#filled + bytes.length > this.#buffer.length) {
      this.#buffer = new Uint8Array(Math.max(BUFFER_BYTES, bytes.length));
      this.#filled = 0;
    }
    const from = this.#filled;
    this.#buffer.set(bytes, from);
    this.#filled = from + bytes.length;
    return { from, to: this.#filled };
  }
}

/** The nearest first; of equal distances in order of ID. */
const byDistance = (a: Nearby, b: Nearby): number => a.distanceM - b.distanceM || compareIds(a, b);

/**
 * Compares stored summaries by the IDs with which they begin. No ID is the beginning of another, so what follows the
 * IDs decides nothing; two summaries of one building are equal throughout.
 */
function compareIds(a: Nearby, b: Nearby): number {
  for (let i = 0; a.start + i < a.end && b.start + i < b.end; i++) {
    const difference = a.bytes[a.start + i] - b.bytes[b.start + i];
    if (difference !== 0) return difference;
  }
  return 0;
}

/** A cell and its distance from the point. */
interface CellDistance {
  row: number;
  column: number;
  /** A lower bound: less by `SLACK_M` than on the flat plane. */
  leastDistanceM: number;
}

/** Widens the box around the radius, so that rounding and the flat plane leave no cell out. */
const REACH_MARGIN = 1.001;

/** The cells within the radius, nearest first. */
function cellsAround(plane: LocalPlane, radiusM: number): CellDistance[] {
  const { lat, lon, perLat } = plane;
  const reachLat = (radiusM / perLat) * REACH_MARGIN;
  const reachLon = (radiusM / plane.leastPerLon(lat - reachLat, lat + reachLat)) * REACH_MARGIN;
  const cells: CellDistance[] = [];
  for (let row = cellIndex(lat - reachLat); row <= cellIndex(lat + reachLat); row++) {
    const [south, north] = [row / CELLS_PER_DEGREE, (row + 1) / CELLS_PER_DEGREE];
    const y = Math.max(south - lat, lat - north, 0) * perLat;
    const perLon = plane.leastPerLon(south, north);
    for (let column = cellIndex(lon - reachLon); column <= cellIndex(lon + reachLon); column++) {
      const x = Math.max(column / CELLS_PER_DEGREE - lon, lon - (column + 1) / CELLS_PER_DEGREE, 0) * perLon;
      const leastDistanceM = Math.sqrt(x * x + y * y) - SLACK_M;
      if (leastDistanceM <= radiusM) cells.push({ row, column, leastDistanceM });
    }
  }
  return cells.sort((a, b) => a.leastDistanceM - b.leastDistanceM);
}
