import { gridSquareBounds, gridSquareNeighbours } from '../geo/grid-square.ts';
import { distanceBound } from './shading-squares.ts';

/** Whether the data holds all that stands around a place: `open` where a gap begins within 1 km. */
export type Surroundings = 'complete' | 'open';

const NEAR_M = 1000;

/**
 * Gaps around a grid square: the squares near enough for some place in it that hold no building at all, in order of
 * code. Sea and what was not loaded look alike: neither is known to be empty.
 */
export function gapsAround(square: string, holdsBuildings: (square: string) => boolean): string[] {
  const near = new Set<string>();
  // A square is 925 m high, so that 1 km may reach over a neighbour.
  for (const neighbour of gridSquareNeighbours(square)) {
    near.add(neighbour);
    for (const next of gridSquareNeighbours(neighbour)) near.add(next);
  }
  near.delete(square);
  const bounds = gridSquareBounds(square);
  return [...near]
    .filter((code) => !holdsBuildings(code) && distanceBound(bounds, gridSquareBounds(code)) <= NEAR_M)
    .sort();
}

/** The surroundings of a place (degrees), given the gaps around its grid square. */
export function surroundingsAt(lat: number, lon: number, gaps: readonly string[]): Surroundings {
  const place = { south: lat, north: lat, west: lon, east: lon };
  return gaps.some((code) => distanceBound(place, gridSquareBounds(code)) <= NEAR_M) ? 'open' : 'complete';
}
