import type { Box } from '../geo/grid-square.ts';
import { ElevationFileError } from './elevation.ts';
import { riseOf } from './facets.ts';

/** Cells of 0.2″, as in the 5 m models of 国土地理院: about 5 m from west to east, 6.2 m from south to north. */
const CELLS_PER_DEGREE = 18_000;
/** Cells along a side of a block. */
const BLOCK_CELLS = 256;
/** Numbers of the blocks of a row: more than there are around the Earth. */
const BLOCKS_OF_ROW = 2 ** 16;
/** Limit for one file. The largest published ones cover a grid square of the second order, 10 km wide: 66 blocks. */
const MOST_BLOCKS = 400;
/**
 * Limit of the cells of all triangles together, for a file that repeats them. A surface covers each cell once, the limit
 * is 20 times.
 */
const MOST_DRAWN_CELLS = 20 * MOST_BLOCKS * BLOCK_CELLS ** 2;
/** Metres in 0.2″ of latitude. */
const SPACING_M = 6.17;

/** A block of a grid with triangles in it. */
interface TriangleBlock extends Box {
  columns: number;
  rows: number;
  spacing: number;
  heights: Float32Array;
}

/** A grid of heights. Only blocks that triangles meet are kept. A cell has the height of the surface at its centre. */
export class TriangleGrid {
  /** By the number of the block. */
  readonly #blocks = new Map<number, Float32Array>();
  /** The last block: neighbouring cells are mostly in the same block. */
  #last: { number: number; heights: Float32Array } = { number: -1, heights: new Float32Array() };
  /** Number of the cells of all triangles. */
  #drawnCells = 0;

  /**
   * Draws a triangle: latitude, longitude, height of three corners. Where two triangles cover a cell, the higher one
   * counts.
   * @throws {ElevationFileError} When the triangles cover more than one file can
   */
  draw(corners: Float64Array): void {
    // In cells: x to the east, y to the north, the centre of a cell at whole numbers.
    const [y0, x0, z0] = [corners[0] * CELLS_PER_DEGREE - 0.5, corners[1] * CELLS_PER_DEGREE - 0.5, corners[2]];
    const [y1, x1, z1] = [corners[3] * CELLS_PER_DEGREE - 0.5, corners[4] * CELLS_PER_DEGREE - 0.5, corners[5]];
    const [y2, x2, z2] = [corners[6] * CELLS_PER_DEGREE - 0.5, corners[7] * CELLS_PER_DEGREE - 0.5, corners[8]];
    const [riseEast, riseNorth] = riseOf([x1 - x0, y1 - y0, z1 - z0], [x2 - x0, y2 - y0, z2 - z0]);
    // An upright triangle covers no cell.
    if (!Number.isFinite(riseEast + riseNorth)) return;
    const [xs, ys] = [
      [x0, x1, x2],
      [y0, y1, y2],
    ];
    const [bottom, top] = [Math.ceil(Math.min(y0, y1, y2)), Math.floor(Math.max(y0, y1, y2))];
    if (top - bottom > MOST_BLOCKS * BLOCK_CELLS) this.#tooLarge();
    for (let row = bottom; row <= top; row++) {
      const [left, right] = spanAt(xs, ys, row);
      // A little wider, so that no centre on an edge is lost by rounding.
      const [first, last] = [Math.ceil(left - 1e-9), Math.floor(right + 1e-9)];
      this.#drawnCells += Math.max(0, last - first + 1);
      if (this.#drawnCells > MOST_DRAWN_CELLS) this.#tooLarge();
      for (let column = first; column <= last; column++)
        this.#put(row, column, z0 + riseEast * (column - x0) + riseNorth * (row - y0));
    }
  }

  /** Raises a cell to a height, if it is lower or unknown. */
  #put(row: number, column: number, height: number): void {
    const [blockRow, blockColumn] = [Math.floor(row / BLOCK_CELLS), Math.floor(column / BLOCK_CELLS)];
    const number = blockRow * BLOCKS_OF_ROW + blockColumn;
    if (number !== this.#last.number) this.#last = { number, heights: this.#blockOf(number) };
    const { heights } = this.#last;
    // In a block, rows count from the north, columns from the west.
    const rowInBlock = (blockRow + 1) * BLOCK_CELLS - 1 - row;
    const columnInBlock = column - blockColumn * BLOCK_CELLS;
    const at = rowInBlock * BLOCK_CELLS + columnInBlock;
    // An unknown height is NaN, which is not ≥ any height.
    if (!(heights[at] >= height)) heights[at] = height;
  }

  /** The heights of a block; a new one is unknown (NaN). */
  #blockOf(number: number): Float32Array {
    const block = this.#blocks.get(number);
    if (block !== undefined) return block;
    if (this.#blocks.size === MOST_BLOCKS) this.#tooLarge();
    const newBlock = new Float32Array(BLOCK_CELLS ** 2).fill(Number.NaN);
    this.#blocks.set(number, newBlock);
    return newBlock;
  }

  /** @throws {ElevationFileError} always */
  #tooLarge(): never {
    throw new ElevationFileError(
      'its triangles cover more than a file of relief can; published ones cover 10 × 10 km: are its coordinates right?',
    );
  }

  /** The blocks, from the south-west. */
  blocks(): TriangleBlock[] {
    return [...this.#blocks]
      .map(([number, heights]) => {
        // Rows of blocks count from the equator to the north, columns from Greenwich to the east.
        const [blockRow, blockColumn] = [Math.floor(number / BLOCKS_OF_ROW), number % BLOCKS_OF_ROW];
        const degrees = (blocks: number): number => (blocks * BLOCK_CELLS) / CELLS_PER_DEGREE;
        const extent = {
          west: degrees(blockColumn),
          south: degrees(blockRow),
          east: degrees(blockColumn + 1),
          north: degrees(blockRow + 1),
        };
        return { ...extent, columns: BLOCK_CELLS, rows: BLOCK_CELLS, spacing: SPACING_M, heights };
      })
      .sort((a, b) => a.south - b.south || a.west - b.west);
  }
}

/**
 * The interval of x in which the line y = `row` crosses a triangle. Where it misses the triangle, the interval is empty
 * (`left` above `right`).
 * @param xs of the three corners, as `ys`
 */
function spanAt(xs: readonly number[], ys: readonly number[], row: number): [left: number, right: number] {
  let [left, right] = [Infinity, -Infinity];
  for (let i = 0; i < 3; i++) {
    const j = (i + 1) % 3;
    const [low, high] = [Math.min(ys[i], ys[j]), Math.max(ys[i], ys[j])];
    if (row < low || row > high || low === high) continue;
    const x = xs[i] + ((row - ys[i]) / (ys[j] - ys[i])) * (xs[j] - xs[i]);
    left = Math.min(left, x);
    right = Math.max(right, x);
  }
  return [left, right];
}
