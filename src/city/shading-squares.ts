import Flatbush from 'flatbush';
import { LEAST_METRES_PER_LAT, LEAST_TANGENT, RADIANS } from '../geo/degree.ts';
import { bySquareCode, distanceBound } from '../geo/grid-square.ts';
import type { SquareSummary } from './square-summary.ts';

/** What a view needs of a square that can shade it: the buildings whose top is above `above` metres. */
export interface Need {
  square: string;
  above: number;
  buildings: number;
}

/** A square that can shade a viewpoint. */
export interface SeenSquare {
  summary: SquareSummary;
  /** The index in its height ladder of the lowest height from which on its buildings can shade. */
  rung: number;
  need: Need;
}

/** An area whose surroundings are searched, by its extent in degrees. */
export type Viewpoint = Pick<SquareSummary, 'south' | 'west' | 'north' | 'east'> & {
  /** The lowest receptor there, metres. */
  lowest: number;
};

/** The search radius, metres. */
export const REACH_M = 20_000;

/** Finds the grid squares that can shade a viewpoint. */
export class ShadingSquares<S extends SquareSummary = SquareSummary> {
  /** In order of code. */
  readonly squares: readonly S[];
  readonly #boxes: Flatbush | null = null;

  constructor(squares: readonly S[]) {
    this.squares = [...squares].sort(bySquareCode);
    if (squares.length === 0) return;
    this.#boxes = new Flatbush(squares.length);
    for (const { south, west, north, east } of this.squares) this.#boxes.add(west, south, east, north);
    this.#boxes.finish();
  }

  /**
   * The squares within 20 km whose buildings can rise more than 0.1° above the horizon of the viewpoint, in order of
   * code. The height ladder of a square has the number of buildings with a top above each whole metre from its `lowest`
   * on; the least height that can shade is rounded down to one of them, so no building that can shade is left out.
   */
  seenFrom(view: Viewpoint): SeenSquare[] {
    const seen: SeenSquare[] = [];
    for (const summary of this.#around(view)) {
      const distance = distanceBound(view, summary);
      if (distance > REACH_M) continue;
      const { lowest, counts } = summary.ladder;
      const leastHeightM = Math.floor(view.lowest + distance * LEAST_TANGENT);
      const rung = Math.max(0, leastHeightM - lowest);
      const buildings = counts[rung] ?? 0;
      if (buildings === 0) continue;
      seen.push({ summary, rung, need: { square: summary.square, above: lowest + rung, buildings } });
    }
    return seen;
  }

  /** The squares that may lie within 20 km of the viewpoint, in order of code. */
  #around(view: Viewpoint): SquareSummary[] {
    // One per cent more than the distance, so that rounding leaves out no square.
    const dLat = (REACH_M / LEAST_METRES_PER_LAT) * 1.01;
    const dLon = dLat / Math.cos((Math.abs(view.north) + dLat) * RADIANS);
    const indexes = this.#boxes?.search(view.west - dLon, view.south - dLat, view.east + dLon, view.north + dLat) ?? [];
    return indexes.sort((a, b) => a - b).map((i) => this.squares[i]);
  }
}
