import { type Box, gridSquareBounds } from '../geo/grid-square.ts';
import { LocalPlane } from '../geo/plane.ts';
import { boundsOf, pointInPolygon, pointSegmentSquared } from '../geo/polygon.ts';
import type { Elevation } from './elevation.ts';
import {
  type Facets,
  hiddenEdges,
  latitudeOf,
  longitudeOf,
  rowColumnOf,
  SQUARES_PER_LAT,
  SQUARES_PER_LON,
  stepsOf,
} from './facets.ts';
import { meshOf } from './mesh.ts';

/** Ground nearer than this counts as near terrain, metres. */
export const NEAR_M = 3000;

/** Cells of the grid over a grid square along a side: of 3.6 m by 4.5 m. */
const CELLS = 256;
/** How far the mesh may lie from the grid, metres. */
const TOLERANCE_M = 0.5;
/** Within this distance of a footprint the ground is at most its ceiling, metres. */
const TERRACE_M = 4;
/** A receptor hangs at least this much above the mesh, metres: more than heights lose when they are made whole steps. */
const CLEARANCE_M = 0.03;

/** A building that the ground must not bury. */
export interface Terrace {
  /** Its rings `[lat, lon, …]` by footprint, degrees. */
  footprints: readonly { rings: readonly ArrayLike<number>[] }[];
  /** Its base, and the height of its lowest receptors above the base, metres. */
  baseM: number;
  eyeM: number;
}

/** Heights over a grid square: (cells + 1)², row by row from the south-west; null where nothing is known. */
export function nearHeights(square: string, elevation: Elevation): Float64Array | null {
  if (!isKnownIn(elevation, gridSquareBounds(square))) return null;
  const lattice = latticeOf(square);
  const side = CELLS + 1;
  const heights = new Float64Array(side * side);
  let known = 0;
  for (let y = 0; y < side; y++) {
    const lat = latitudeOf(lattice, y);
    for (let x = 0; x < side; x++) {
      const height = elevation.heightAt(lat, longitudeOf(lattice, x));
      heights[y * side + x] = height;
      if (!Number.isNaN(height)) known++;
    }
  }
  return known === 0 ? null : heights;
}

/** Whether any file of elevation meets a box. */
export const isKnownIn = ({ files }: Elevation, { south, west, north, east }: Box): boolean =>
  files.some((file) => file.south <= north && file.north >= south && file.west <= east && file.east >= west);

const latticeOf = (square: string): Pick<Facets, 'row' | 'column' | 'perSquare'> => {
  const { row, column } = rowColumnOf(square);
  return { row: row * CELLS, column: column * CELLS, perSquare: CELLS };
};

/** Lowers the grid over a square where it would rise over what stands there: within 4 m of a footprint to the building's base. */
export function terrace(heights: Float64Array, square: string, buildings: Iterable<Terrace>): void {
  const lattice = latticeOf(square);
  const [south, west] = [latitudeOf(lattice, 0), longitudeOf(lattice, 0)];
  const plane = new LocalPlane(south, west);
  const height = plane.y(south + 1 / SQUARES_PER_LAT) / CELLS;
  const width = plane.x(south + 0.5 / SQUARES_PER_LAT, west + 1 / SQUARES_PER_LON) / CELLS;
  // From a cell's centre to its corners.
  const reach = TERRACE_M + Math.hypot(width, height) / 2;
  for (const { footprints, baseM, eyeM } of buildings) {
    const ceiling = baseM - Math.max(0, TOLERANCE_M + CLEARANCE_M - eyeM);
    for (const { rings } of footprints) {
      const inPlane = rings.map((ring) => inMetres(plane, ring));
      lowerAround(heights, inPlane, ceiling, reach, width, height);
    }
  }
}

function inMetres(plane: LocalPlane, ring: ArrayLike<number>): Float64Array {
  const xy = new Float64Array(ring.length);
  for (let i = 0; i < ring.length; i += 2) {
    xy[i] = plane.x(ring[i], ring[i + 1]);
    xy[i + 1] = plane.y(ring[i]);
  }
  return xy;
}

/** Lowers the corners of all cells whose centres lie in a footprint or within reach of it. */
function lowerAround(
  heights: Float64Array,
  rings: readonly Float64Array[],
  ceiling: number,
  reach: number,
  width: number,
  height: number,
): void {
  const [west, south, east, north] = boundsOf(rings.slice(0, 1));
  const first = (from: number, size: number): number => Math.max(0, Math.floor((from - reach) / size));
  const last = (to: number, size: number): number => Math.min(CELLS - 1, Math.floor((to + reach) / size));
  for (let row = first(south, height); row <= last(north, height); row++) {
    for (let column = first(west, width); column <= last(east, width); column++) {
      if (!isWithin(rings, (column + 0.5) * width, (row + 0.5) * height, reach)) continue;
      for (const corner of [0, 1, CELLS + 1, CELLS + 2]) {
        const at = row * (CELLS + 1) + column + corner;
        if (heights[at] > ceiling) heights[at] = ceiling;
      }
    }
  }
}

function isWithin(rings: readonly Float64Array[], x: number, y: number, reach: number): boolean {
  if (pointInPolygon(x, y, rings)) return true;
  for (const ring of rings) {
    for (let i = 0, before = ring.length - 2; i < ring.length; before = i, i += 2) {
      const squared = pointSegmentSquared(x, y, ring[before], ring[before + 1], ring[i], ring[i + 1]);
      if (squared <= reach * reach) return true;
    }
  }
  return false;
}

/** The mesh over a square's grid of heights. */
export function nearFacets(square: string, heights: Float64Array, toleranceM = TOLERANCE_M): Facets {
  const corners = meshOf(heights, CELLS, toleranceM);
  const side = CELLS + 1;
  const x = Uint16Array.from(corners, (corner) => corner % side);
  const y = Uint16Array.from(corners, (corner) => Math.floor(corner / side));
  const steps = stepsOf(Float64Array.from(corners, (corner) => heights[corner]));
  return { ...latticeOf(square), ...steps, x, y, hidden: hiddenEdges(x, y, steps.z) };
}
