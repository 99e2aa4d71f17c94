import { pointInPolygon, representativePoint } from '../geo/polygon.ts';
import { coversPlan } from '../geo/ring-plane.ts';
import { MOST } from './bounds.ts';
import type { Face, Faces } from './faces.ts';
import { highestZ, LocalMetres } from './local-metres.ts';

/** A bottom face of a solid, and the height of the roof above it. */
interface Bottom {
  /** Outer ring first: `[lat, lon, …]`, open, in the published direction. */
  rings: number[][];
  /** Its index among the faces of the solid. Bottoms are returned in this order. */
  index: number;
  /** Highest z of the faces above it, and that of the lowest of these faces; null when no face lies above it. */
  roofM: number | null;
  lowestRoofM: number | null;
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
    const plane = new LocalMetres(values, face).planeOf(face);
    if (coversPlan(plane, WALL_NORMAL)) candidates.push({ face, index, meanZ: plane.middle[2] });
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
      bottoms.push({ rings, index, roofM: null, lowestRoofM: null });
      for (const ring of rings) points += ring.length / 2;
    } else {
      // The face is a roof above this bottom.
      const top = highestZ(values, face);
      below.roofM = Math.max(below.roofM ?? top, top);
      below.lowestRoofM = Math.min(below.lowestRoofM ?? top, top);
    }
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
