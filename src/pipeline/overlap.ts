import { gridSquareBounds } from '../geo/grid-square.ts';
import { boundsOf } from '../geo/polygon.ts';
import type { Footprint } from '../plateau/building.ts';

/**
 * Most footprints that may cover one point. Each building is computed with all buildings that enclose it, so without a
 * limit the time grows with the square of their number. In published cities (Tokyo's six wards, Osaka, Sagamihara) at
 * most 7 other boxes cover a representative point's cell.
 */
const MOST_AT_A_POINT = 100;

/** Cells along each side of a grid square, about 9 m each. */
const CELLS = 128;
/** Nodes along each side of the tree. Cells count from 1, and one more row closes the last range. */
const NODES = CELLS + 2;

/** Counts the footprints that cover each cell of a grid square, with a Fenwick tree: log² time for each footprint. */
export class Overlap {
  readonly #south: number;
  readonly #west: number;
  /** Cells per degree. */
  readonly #perLat: number;
  readonly #perLon: number;
  readonly #sums = new Int32Array(NODES * NODES);

  /** @param square the code of a third-order grid square */
  constructor(square: string) {
    const { south, west, north, east } = gridSquareBounds(square);
    [this.#south, this.#west] = [south, west];
    [this.#perLat, this.#perLon] = [CELLS / (north - south), CELLS / (east - west)];
  }

  /**
   * Counts a building by the boxes of its footprints. More than {@link MOST_AT_A_POINT} at a point are no real buildings.
   * @returns false, without counting it, when the limit is reached at its representative point
   */
  add(footprints: readonly Footprint[], lat: number, lon: number): boolean {
    if (this.#countAt(this.#row(lat), this.#column(lon)) >= MOST_AT_A_POINT) return false;
    for (const { rings } of footprints) this.#cover(rings[0]);
    return true;
  }

  /** The row of a latitude, counted from 1. */
  #row(lat: number): number {
    return cellOf((lat - this.#south) * this.#perLat);
  }

  /** The column of a longitude, counted from 1. */
  #column(lon: number): number {
    return cellOf((lon - this.#west) * this.#perLon);
  }

  /**
   * Adds 1 to the cells inside the box of a ring. `#addFrom` also adds to all cells north and east of the box. Two more
   * calls take 1 away in the north and in the east. The last call adds 1 in the north-east, where both took it away.
   */
  #cover(ring: Float64Array): void {
    const [south, west, north, east] = boundsOf([ring]);
    const [firstRow, lastRow] = [this.#row(south), this.#row(north)];
    const [firstColumn, lastColumn] = [this.#column(west), this.#column(east)];
    this.#addFrom(firstRow, firstColumn, 1);
    this.#addFrom(firstRow, lastColumn + 1, -1);
    this.#addFrom(lastRow + 1, firstColumn, -1);
    this.#addFrom(lastRow + 1, lastColumn + 1, 1);
  }

  /** Adds to all cells from this row and column on. `r & -r` is the lowest bit of `r`: the step in a Fenwick tree. */
  #addFrom(row: number, column: number, count: number): void {
    for (let r = row; r < NODES; r += r & -r) {
      for (let c = column; c < NODES; c += c & -c) this.#sums[r * NODES + c] += count;
    }
  }

  /** The count of a cell: the sum of all that was added from it or an earlier cell on, which a few nodes have. */
  #countAt(row: number, column: number): number {
    let sum = 0;
    for (let r = row; r > 0; r -= r & -r) {
      for (let c = column; c > 0; c -= c & -c) sum += this.#sums[r * NODES + c];
    }
    return sum;
  }
}

/**
 * The number of a row or column, counted from 1. A position outside the square counts for the nearest one.
 * @param cells distance from the south or west edge of the square, in cells
 */
const cellOf = (cells: number): number => Math.min(CELLS, Math.max(1, 1 + Math.floor(cells)));
