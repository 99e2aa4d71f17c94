import { type Box, gridSquareBounds, rowAndColumn, SQUARES_PER_LAT, SQUARES_PER_LON } from '../geo/grid-square.ts';
import { LocalPlane } from '../geo/plane.ts';
import { boundsOf, pointInPolygon, pointSegmentSquared } from '../geo/polygon.ts';
import type { Elevation } from './elevation.ts';
import { type Facets, hiddenEdges, latitudeOf, longitudeOf, stepsOf } from './facets.ts';
import { type HeightGrid, meshOf } from './mesh.ts';

/** Ground nearer than this counts as near terrain, metres. */
export const NEAR_M = 3000;

/** Cells along a side of the grid over a grid square, 3.6 m by 4.5 m each. */
const CELLS = 256;
/**
 * Distance of the mesh from the grid, metres: the largest and the smallest tolerance; and the tolerance as a share of
 * the distance to a building.
 */
const TOLERANCE_M = 0.5;
const LEAST_TOLERANCE_M = 0.1;
const TOLERANCE_SHARE = 0.008;
/** Within this distance of a footprint the ground is limited, metres. */
const TERRACE_M = 4;
/** A receptor is at least this much above the mesh, metres. Heights lose less when they are rounded to whole steps. */
const CLEARANCE_M = 0.03;

/** A building on the ground. */
export interface GroundBuilding {
  /** Its rings `[lat, lon, …]` by footprint, degrees. */
  footprints: readonly { rings: readonly ArrayLike<number>[] }[];
  /** Its base, and the height of its lowest receptors above the base, metres. */
  baseM: number;
  eyeM: number;
}

/** The ground of a grid square, before it is fitted to its buildings; null where no height is known. */
export function nearGround(square: string, elevation: Elevation): HeightGrid | null {
  if (!isKnownIn(elevation, gridSquareBounds(square))) return null;
  const lattice = latticeOf(square);
  const side = CELLS + 1;
  const heights = new Float64Array(side * side);
  let knownCount = 0;
  for (let y = 0; y < side; y++) {
    const lat = latitudeOf(lattice, y);
    for (let x = 0; x < side; x++) {
      const height = elevation.heightAt(lat, longitudeOf(lattice, x));
      heights[y * side + x] = height;
      if (!Number.isNaN(height)) knownCount++;
    }
  }
  if (knownCount === 0) return null;
  return { cells: CELLS, heights, tolerances: new Float64Array(side * side).fill(TOLERANCE_M) };
}

/** True when any file of elevation meets a box. */
export const isKnownIn = ({ files }: Elevation, { south, west, north, east }: Box): boolean =>
  files.some((file) => file.south <= north && file.north >= south && file.west <= east && file.east >= west);

/** The corner of a square in the lattice of the country, and the size of its cells. */
function latticeOf(square: string): Pick<Facets, 'row' | 'column' | 'perSquare'> {
  const [row, column] = rowAndColumn(square);
  return { row: row * CELLS, column: column * CELLS, perSquare: CELLS };
}

/**
 * Fits the ground of a square to the buildings in it and around it. No receptor may be below the mesh that is made of
 * the ground. First, the ground within TERRACE_M of a footprint is lowered to the base of the building, or further when
 * the lowest receptors are close above the base. Second, the mesh gets a smaller tolerance where the ground is as high as
 * the lowest receptors: near ground hides much of the sky.
 */
export function fitToBuildings(ground: HeightGrid, square: string, buildings: readonly GroundBuilding[]): void {
  const lattice = latticeOf(square);
  const [south, west] = [latitudeOf(lattice, 0), longitudeOf(lattice, 0)];
  const plane = new LocalPlane(south, west);
  // The sides of a cell, metres.
  const height = plane.y(south + 1 / SQUARES_PER_LAT) / CELLS;
  const width = plane.x(south + 0.5 / SQUARES_PER_LAT, west + 1 / SQUARES_PER_LON) / CELLS;
  // The corners of a cell are half its diagonal away from its centre.
  const reach = TERRACE_M + Math.hypot(width, height) / 2;
  const polygons = buildings.flatMap(({ footprints, baseM, eyeM }) =>
    footprints.map(({ rings }) => ({ rings: rings.map((ring) => plane.ring(ring)), baseM, eyeM })),
  );
  for (const { rings, baseM, eyeM } of polygons) {
    // The mesh may rise above the ground by its tolerance, and must stay CLEARANCE_M below the receptors.
    const neededM = LEAST_TOLERANCE_M + CLEARANCE_M;
    const ceiling = baseM - Math.max(0, neededM - eyeM);
    lowerAround(ground.heights, rings, ceiling, reach, width, height);
  }
  for (const { rings, baseM, eyeM } of polygons) {
    const lowestM = baseM + eyeM - CLEARANCE_M;
    refineAround(ground, boundsOf(rings.slice(0, 1)), lowestM, width, height);
  }
}

/**
 * Lowers the corners of all cells whose centres are in a polygon or within reach of it.
 * @param ceiling the greatest height that a corner keeps, metres
 * @param width of a cell, metres
 * @param height of a cell, metres
 */
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
      const cornersOfRow = CELLS + 1;
      const southWest = row * cornersOfRow + column;
      const northWest = southWest + cornersOfRow;
      for (const corner of [southWest, southWest + 1, northWest, northWest + 1]) {
        if (heights[corner] > ceiling) heights[corner] = ceiling;
      }
    }
  }
}

/** True when a point is in a polygon or within reach of it, metres. */
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

/**
 * Lowers the tolerance, the greatest error of the mesh, around a footprint. Ground below the receptors hides no sun:
 * where it lies farther below them than a tolerance, an error of that size changes nothing.
 * @param bounds of the footprint, metres from the south-west corner of the square
 * @param lowestM height of the lowest receptors
 * @param width of a cell, metres
 * @param height of a cell, metres
 */
function refineAround(
  { heights, tolerances }: HeightGrid,
  bounds: readonly number[],
  lowestM: number,
  width: number,
  height: number,
): void {
  const [west, south, east, north] = bounds;
  // Farther away the tolerance by distance exceeds the largest one.
  const reach = TOLERANCE_M / TOLERANCE_SHARE;
  const index = (at: number, size: number): number => Math.min(CELLS, Math.max(0, Math.round(at / size)));
  const [left, right] = [index(west - reach, width), index(east + reach, width)];
  for (let row = index(south - reach, height); row <= index(north + reach, height); row++) {
    const dy = Math.max(0, south - row * height, row * height - north);
    for (let column = left; column <= right; column++) {
      const at = row * (CELLS + 1) + column;
      const below = lowestM - heights[at];
      // An unknown height (NaN) keeps its tolerance, too.
      if (!(below < tolerances[at])) continue;
      const dx = Math.max(0, west - column * width, column * width - east);
      const tolerance = Math.max(LEAST_TOLERANCE_M, below, TOLERANCE_SHARE * Math.sqrt(dx * dx + dy * dy));
      if (tolerance < tolerances[at]) tolerances[at] = tolerance;
    }
  }
}

/** The mesh over the ground of a square: facets whose corners are points of the lattice. */
export function nearFacets(square: string, ground: HeightGrid): Facets {
  // The numbers of lattice points, three for each triangle.
  const corners = meshOf(ground);
  const side = CELLS + 1;
  const [x, y] = [new Uint16Array(corners.length), new Uint16Array(corners.length)];
  const heights = new Float64Array(corners.length);
  for (let i = 0; i < corners.length; i++) {
    x[i] = corners[i] % side;
    y[i] = Math.floor(corners[i] / side);
    heights[i] = ground.heights[corners[i]];
  }
  // The heights as whole numbers of `stepM`.
  const wholeSteps = stepsOf(heights);
  return { ...latticeOf(square), ...wholeSteps, x, y, hidden: hiddenEdges(x, y, wholeSteps.z) };
}
