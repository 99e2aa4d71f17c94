import { RADIANS } from '../geo/degree.ts';
import { type DayPath, sunAt } from '../solar/day-path.ts';
import { heightOver, type RoofSurface } from '../sunlight/roof-plane.ts';
import { prismsOf, roofSurfacesOf, type Scene, type SceneFrame } from '../sunlight/scene.ts';

/**
 * Things that throw shadows on a horizontal plane: walls with their heights above it. The shadow of a solid is the
 * shadow of its walls, and the ground under it.
 */
export interface Casters {
  /**
   * Walls of prisms, `WALL` numbers each. Their outside is on the right, so walls that face the sun need not be drawn.
   */
  prismWalls: number[];
  /**
   * Edges of roof surfaces, `WALL` numbers each. All are needed, because the far edge of a surface may throw the longer
   * shadow.
   */
  roofEdges: number[];
  /** Rings of the solids on the plane, `[x, y, …]`, metres: for each prism the outer ring, then the holes. */
  footprints: number[][][];
}

/** Number of values of a wall: both ends with their heights above the plane, ax, ay, ah, bx, by, bh. Metres. */
export const WALL = 6;

/** An empty list of casters. */
export const noCasters = (): Casters => ({ prismWalls: [], roofEdges: [], footprints: [] });

/**
 * Adds a building of a scene to the casters of a plane at a height, metres above the datum. A building with roof
 * surfaces counts with these, otherwise with its prisms. Parts below the plane throw no shadow.
 * @param origin grid coordinates of the origin of the casters
 */
export function addCaster(
  casters: Casters,
  scene: Scene,
  building: number,
  planeZ: number,
  origin: Pick<SceneFrame, 'originX' | 'originY'>,
): void {
  const heightM = scene.top[building] - planeZ;
  if (!(heightM > 0)) return;
  const surfaces = roofSurfacesOf(scene, building);
  for (const rings of prismsOf(scene, building, origin)) {
    // The ground below a building is in its shadow, whatever its roof.
    casters.footprints.push(rings);
    if (surfaces.length > 0) continue;
    for (const ring of rings)
      forEachEdge(ring, (ax, ay, bx, by) => casters.prismWalls.push(ax, ay, heightM, bx, by, heightM));
  }
  // From the scene's origin to that of the casters.
  const move = [scene.originX - origin.originX, scene.originY - origin.originY] as const;
  for (const surface of surfaces) addRoofEdges(casters.roofEdges, surface, planeZ, move);
}

/**
 * Adds the edges of a roof surface, cut at the plane.
 * @param move from the origin of the roof surface to that of the casters, metres east and north
 */
function addRoofEdges(
  roofEdges: number[],
  { rings, plane }: RoofSurface,
  planeZ: number,
  [dx, dy]: readonly [number, number],
): void {
  for (const ring of rings) {
    forEachEdge(ring, (px, py, qx, qy) => {
      const [ah, bh] = [heightOver(plane, px, py) - planeZ, heightOver(plane, qx, qy) - planeZ];
      if (ah <= 0 && bh <= 0) return;
      const [ax, ay, bx, by] = [px + dx, py + dy, qx + dx, qy + dy];
      // The part of the edge below the plane throws no shadow on it.
      const at = ah / (ah - bh);
      const [cx, cy] = [ax + at * (bx - ax), ay + at * (by - ay)];
      if (ah < 0) roofEdges.push(cx, cy, 0, bx, by, bh);
      else if (bh < 0) roofEdges.push(ax, ay, ah, cx, cy, 0);
      else roofEdges.push(ax, ay, ah, bx, by, bh);
    });
  }
}

/** Calls back with the ends of each edge of a ring, the last edge first. */
function forEachEdge(ring: readonly number[], use: (ax: number, ay: number, bx: number, by: number) => void): void {
  for (let i = ring.length - 2, j = 0; j < ring.length; i = j, j += 2) use(ring[i], ring[i + 1], ring[j], ring[j + 1]);
}

/** The shadow of one metre of height on a level plane: a vector, metres east and north of the grid. */
export interface ShadowVector {
  east: number;
  north: number;
}

/**
 * The shadow of one metre of height, as a vector on a level plane, while the sun is up.
 * @param convergenceDeg direction of grid north, clockwise from true north
 */
export function shadowOfOneMetre(path: DayPath, convergenceDeg: number, minute: number): ShadowVector {
  const { azimuthDeg, altitudeDeg } = sunAt(path, minute);
  const reach = 1 / Math.tan(altitudeDeg * RADIANS);
  const azimuth = (azimuthDeg - convergenceDeg) * RADIANS;
  return { east: -reach * Math.sin(azimuth), north: -reach * Math.cos(azimuth) };
}

/**
 * Calls back with the strip of ground that each wall shades: a convex quadrilateral, its four corners in order. The
 * shadow consists of the strips and the footprints.
 * @param shadow of one metre of height
 */
export function forEachStrip(
  { prismWalls, roofEdges }: Casters,
  shadow: ShadowVector,
  use: (
    ...corners: [x0: number, y0: number, x1: number, y1: number, x2: number, y2: number, x3: number, y3: number]
  ) => void,
): void {
  const strip = (walls: readonly number[], i: number): void => {
    const [ax, ay, ah, bx, by, bh] = [walls[i], walls[i + 1], walls[i + 2], walls[i + 3], walls[i + 4], walls[i + 5]];
    const { east, north } = shadow;
    use(ax, ay, bx, by, bx + bh * east, by + bh * north, ax + ah * east, ay + ah * north);
  };
  for (let i = 0; i < prismWalls.length; i += WALL) {
    // Of a prism only the walls that look away from the sun count: the strips of the others lie within these and the
    // footprint.
    const [dx, dy] = [prismWalls[i + 3] - prismWalls[i], prismWalls[i + 4] - prismWalls[i + 1]];
    // The outside is on the right of the wall, so its outward normal is (dy, −dx).
    const looksAwayFromSun = dy * shadow.east - dx * shadow.north > 0;
    if (looksAwayFromSun) strip(prismWalls, i);
  }
  // The far edge of a roof surface may throw the longer shadow: all edges count.
  for (let i = 0; i < roofEdges.length; i += WALL) strip(roofEdges, i);
}
