import { pointSegmentSquared } from './polygon.ts';

/** Points of a plane in rows from south to north, columns from west to east. */
export interface Grid {
  /** The south-western point, metres. */
  west: number;
  south: number;
  /** Distance between two points, metres. */
  stepM: number;
  columns: number;
  rows: number;
}

/** A line `[x, y, …]`, metres. Closed lines end at their first point. */
export type Line = number[];

/**
 * Finds where the value passes the level between two neighbouring points of a grid, as a share of their distance.
 * `from` and `to` are the numbers of the points. `share` is the linear estimate.
 */
export type Crossing = (from: number, to: number, share: number) => number;

/**
 * The lines at which the values of a grid pass a level (marching squares), straight within a cell. Lines
 * end at cells with a corner that is not a number.
 * @param crossing tells where a line passes between two points; by default where linear values would pass the level
 */
export function contours(
  { west, south, stepM, columns, rows }: Grid,
  values: ArrayLike<number>,
  level: number,
  crossing: Crossing = (_from, _to, share) => share,
): Line[] {
  const links = new Links();
  // A side of a cell has the number of its first point, doubled; sides from south to north are odd.
  const crossingPoint = (side: number): [x: number, y: number] => {
    const from = side >> 1;
    const isAlongRow = (side & 1) === 0;
    const to = isAlongRow ? from + 1 : from + columns;
    const share = crossing(from, to, (level - values[from]) / (values[to] - values[from]));
    const [column, row] = [from % columns, Math.floor(from / columns)];
    const [x, y] = isAlongRow ? [column + share, row] : [column, row + share];
    return [west + x * stepM, south + y * stepM];
  };
  for (let row = 0; row + 1 < rows; row++) {
    for (let column = 0; column + 1 < columns; column++) {
      // The values at the corners: south-west, south-east, north-east, north-west. `kind` has a bit for each that
      // reaches the level.
      const corner = row * columns + column;
      const [a, b, c, d] = [values[corner], values[corner + 1], values[corner + columns + 1], values[corner + columns]];
      const kind = (a >= level ? 1 : 0) | (b >= level ? 2 : 0) | (c >= level ? 4 : 0) | (d >= level ? 8 : 0);
      if (kind === 0 || kind === 15 || Number.isNaN(a + b + c + d)) continue;
      // South, east, north, west.
      const sides = [2 * corner, 2 * (corner + 1) + 1, 2 * (corner + columns), 2 * corner + 1];
      const isMiddleHigh = (a + b + c + d) / 4 >= level;
      for (const [from, to] of SEGMENTS[kind] ?? saddleSegments(kind, isMiddleHigh)) links.add(sides[from], sides[to]);
    }
  }
  return links.chains().map((chain) => chain.flatMap(crossingPoint));
}

/** A piece of a line in a cell: the numbers of two of its sides (south, east, north, west). */
type Segment = readonly [from: number, to: number];

/**
 * Which sides a line joins, by the corners that reach the level: the sum of 1 (south-west), 2, 4 and 8 (north-west).
 */
const SEGMENTS: Readonly<Record<number, readonly Segment[]>> = {
  1: [[3, 0]],
  2: [[0, 1]],
  3: [[3, 1]],
  4: [[1, 2]],
  6: [[0, 2]],
  7: [[3, 2]],
  8: [[2, 3]],
  9: [[2, 0]],
  11: [[2, 1]],
  12: [[1, 3]],
  13: [[1, 0]],
  14: [[0, 3]],
};

/** Lines around the south-western and the north-eastern corner of a cell, and around the other two. */
const AROUND_SW_NE: readonly Segment[] = [
  [3, 0],
  [1, 2],
];
const AROUND_SE_NW: readonly Segment[] = [
  [0, 1],
  [2, 3],
];

/**
 * The segments of a cell with two opposite high corners. A high middle joins them, so the lines run around the low
 * corners; otherwise around the high ones.
 * @param kind 5: south-west and north-east are high; 10: the other two
 */
function saddleSegments(kind: number, isMiddleHigh: boolean): readonly Segment[] {
  const isSwNeHigh = kind === 5;
  return isSwNeHigh === isMiddleHigh ? AROUND_SE_NW : AROUND_SW_NE;
}

/** Segments between sides of cells, joined at their ends. */
class Links {
  /** The sides that each side is joined with. */
  readonly #next = new Map<number, number[]>();

  /** Joins two sides. */
  add(a: number, b: number): void {
    this.#append(a, b);
    this.#append(b, a);
  }

  /** Notes one direction of a segment. A side within a line gets two others, an end of a line one. */
  #append(from: number, to: number): void {
    const others = this.#next.get(from);
    if (others === undefined) this.#next.set(from, [to]);
    else others.push(to);
  }

  /**
   * The joined lines as lists of the cell sides that they cross: open lines first, then closed ones. Uses up the
   * segments.
   */
  chains(): number[][] {
    const chains: number[][] = [];
    // A side that is joined with one other only is the end of an open line.
    for (const [side, next] of this.#next) if (next.length === 1) chains.push(this.#walk(side));
    // What remains are closed lines: `#walk` has removed the segments of the open ones.
    for (const [side, next] of this.#next) if (next.length > 0) chains.push(this.#walk(side));
    return chains.filter((chain) => chain.length > 1);
  }

  /** Follows a line from side to side of cells, from `start` to its end, and removes its segments. */
  #walk(start: number): number[] {
    const chain = [start];
    for (let side = start; ; ) {
      const to = this.#next.get(side)?.pop();
      if (to === undefined) return chain;
      const back = this.#next.get(to);
      back?.splice(back.indexOf(side), 1);
      chain.push(to);
      side = to;
    }
  }
}

/** A line without the points that are closer than a distance to the line between the others (Douglas and Peucker). */
export function simplified(line: Line, distanceM: number): Line {
  const isKept = new Uint8Array(line.length / 2);
  const last = isKept.length - 1;
  isKept[0] = 1;
  isKept[last] = 1;
  const spans: [number, number][] = [[0, last]];
  for (let span = spans.pop(); span !== undefined; span = spans.pop()) {
    const [from, to] = span;
    let [farthest, most] = [-1, distanceM ** 2];
    for (let i = from + 1; i < to; i++) {
      const squared = pointSegmentSquared(
        line[2 * i],
        line[2 * i + 1],
        line[2 * from],
        line[2 * from + 1],
        line[2 * to],
        line[2 * to + 1],
      );
      if (squared > most) [farthest, most] = [i, squared];
    }
    if (farthest < 0) continue;
    isKept[farthest] = 1;
    spans.push([from, farthest], [farthest, to]);
  }
  return line.filter((_, i) => isKept[i >> 1] === 1);
}
