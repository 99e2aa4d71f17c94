import { METRES_PER_DEGREE, RADIANS } from '../geo/degree.ts';
import { pointInPolygon, representativePoint } from '../geo/polygon.ts';
import { MOST } from './bounds.ts';
import type { Face, Faces } from './faces.ts';

/** A bottom face of a solid, and the height of the roof above it. */
export interface Bottom {
  /** Outer ring first: `[lat, lon, …]`, open, in the published direction. */
  rings: number[][];
  /** Its index among the faces of the solid. Bottoms are returned in this order. */
  index: number;
  /** Highest z of the faces above it; null when no face lies above it. */
  roofM: number | null;
}

/**
 * A face is a wall when the upward part of its unit normal is below this. Faces of prisms are level or vertical, but
 * published bottoms can slope (one real bottom has a corner a metre too high), and so do LOD2 roofs.
 */
const WALL_NORMAL = 0.3;

/**
 * Finds the bottoms among the faces of a solid. A bottom is a face that is not a wall and has no such face below it.
 * The direction of its ring does not matter: some published solids have it reversed. Roofs of podiums and setbacks lie
 * above a bottom, so they are not bottoms. Prisms side by side, or on the steps of a slope, have a bottom each.
 * The search stops when the bottoms have more points than a building may have, because each further face is compared
 * with all of them.
 */
export function findBottoms(faces: Faces, solid: Face[]): Bottom[] {
  const values = faces.coordinates.values;
  const candidates: { face: Face; index: number; meanZ: number }[] = [];
  solid.forEach((face, index) => {
    const [from, to] = face.rings[0];
    const meanZ = meanHeight(values, from, to);
    if (meanZ !== null) candidates.push({ face, index, meanZ });
  });
  // From the lowest up: a face is a bottom when no bottom found so far lies below it.
  candidates.sort((a, b) => a.meanZ - b.meanZ);

  const bottoms: Bottom[] = [];
  let points = 0;
  for (const { face, index } of candidates) {
    if (points > MOST['points of footprints']) break;
    const rings = flatRings(faces, face);
    const below = bottoms.length === 0 ? undefined : bottomBelow(rings, bottoms);
    if (below === undefined) {
      bottoms.push({ rings, index, roofM: null });
      for (const ring of rings) points += ring.length / 2;
    } else below.roofM = Math.max(below.roofM ?? Number.NEGATIVE_INFINITY, highest(values, face));
  }
  return bottoms.sort((a, b) => a.index - b.index);
}

/** The bottom below a face: the one whose rings contain a point of the face; undefined when there is none. */
function bottomBelow(rings: number[][], bottoms: readonly Bottom[]): Bottom | undefined {
  const [lat, lon] = representativePoint([rings]);
  return bottoms.find((bottom) => pointInPolygon(lat, lon, bottom.rings));
}

/** The rings of a face without z. Plain arrays cost least here: most are read once and dropped. */
export function flatRings(faces: Faces, face: Face): number[][] {
  const values = faces.coordinates.values;
  return face.rings.map(([from, to]) => {
    const flat: number[] = [];
    for (let i = from; i < to; i += 3) flat.push(values[i], values[i + 1]);
    return flat;
  });
}

/**
 * Mean z of the points of a ring, metres; null for a wall and for a ring without area.
 * @param values latitude, longitude and z of points; those of the ring are from index `from` up to, but without, `to`
 */
function meanHeight(values: Float64Array, from: number, to: number): number | null {
  const lat0 = values[from];
  const lon0 = values[from + 1];
  const z0 = values[from + 2];
  const metresPerLon = METRES_PER_DEGREE * Math.cos(lat0 * RADIANS);
  // Newell's method: twice the area of the ring's projection onto each of the three planes.
  let nx = 0;
  let ny = 0;
  let nz = 0;
  let sumZ = 0;
  let px = (values[to - 2] - lon0) * metresPerLon;
  let py = (values[to - 3] - lat0) * METRES_PER_DEGREE;
  let pz = values[to - 1] - z0;
  for (let i = from; i < to; i += 3) {
    const x = (values[i + 1] - lon0) * metresPerLon;
    const y = (values[i] - lat0) * METRES_PER_DEGREE;
    const z = values[i + 2] - z0;
    nx += (py - y) * (pz + z);
    ny += (pz - z) * (px + x);
    nz += (px - x) * (py + y);
    sumZ += z;
    px = x;
    py = y;
    pz = z;
  }
  // Without area this is 0 / 0, which is not above the limit either.
  const up = Math.abs(nz) / Math.sqrt(nx * nx + ny * ny + nz * nz);
  return up >= WALL_NORMAL ? z0 + (3 * sumZ) / (to - from) : null;
}

/** The highest z of a face. */
function highest(values: Float64Array, face: Face): number {
  let top = Number.NEGATIVE_INFINITY;
  for (const [from, to] of face.rings) for (let i = from + 2; i < to; i += 3) top = Math.max(top, values[i]);
  return top;
}
