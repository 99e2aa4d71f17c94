import { azimuthDeg, convergenceDeg, type Plane, planeOf, toPlane } from '../geo/plane.ts';
import { polygonDistance } from '../geo/polygon.ts';
import type { BuildingSunlight } from '../sunlight/result.ts';
import type { Scene } from '../sunlight/scene.ts';
import { buildingOf, type SquareScene, type StandingBuilding } from './scene-store.ts';

/** A building that shades another. */
export interface ShadingSource {
  /** Null when the source has no published ID. */
  buildingId: string | null;
  /** Between the two footprints; 0 when they touch. */
  distanceM: number;
  /** From this building's representative point to the source's, clockwise from true north. */
  azimuthDeg: number;
  /** Solid height of the source (top − base). */
  heightM: number;
  /** Mean hours per day that one receptor loses to it. */
  blockedHours: number;
  /** Share of all blocked time, 0 to 1. */
  share: number;
}

/** What shades a building, and by how much. */
type Shading = Pick<BuildingSunlight, 'sources' | 'blockedMinutes' | 'selfBlockedMinutes'>;

/**
 * The buildings that shade another most, as answers list them.
 * @param receptorDays receptors times days over which the minutes were added up.
 */
export function shadingSources(
  from: SquareScene,
  own: Omit<StandingBuilding, 'id'>,
  { sources, blockedMinutes }: Shading,
  receptorDays: number,
): ShadingSource[] {
  const azimuthTo = trueAzimuthFrom(planeOf(from.zone), own);
  const rings = ringsOf(own.scene, own.index, own.scene);
  return sources.map((source) => {
    const other = buildingOf(from, source.building);
    return {
      buildingId: other.id,
      distanceM: distance(rings, ringsOf(other.scene, other.index, own.scene)),
      azimuthDeg: azimuthTo(other),
      heightM: other.scene.top[other.index] - other.scene.base[other.index],
      blockedHours: source.blockedMinutes / 60 / receptorDays,
      share: source.blockedMinutes / blockedMinutes,
    };
  });
}

/** Share of all blocked time that the building's own walls account for. */
export const selfShadedShare = ({ blockedMinutes, selfBlockedMinutes }: Shading): number =>
  blockedMinutes > 0 ? selfBlockedMinutes / blockedMinutes : 0;

/** The prisms of a building, each as its rings, counted from the origin of another scene. */
function ringsOf(scene: Scene, building: number, origin: Scene): Float64Array[][] {
  const { buildingPrisms, prismRings, ringVertices, xy } = scene;
  const [dx, dy] = [scene.originX - origin.originX, scene.originY - origin.originY];
  const prisms: Float64Array[][] = [];
  for (let prism = buildingPrisms[building]; prism < buildingPrisms[building + 1]; prism++) {
    const rings: Float64Array[] = [];
    for (let ring = prismRings[prism]; ring < prismRings[prism + 1]; ring++) {
      const corners = xy.subarray(2 * ringVertices[ring], 2 * ringVertices[ring + 1]);
      rings.push(dx === 0 && dy === 0 ? corners : moved(corners, dx, dy));
    }
    prisms.push(rings);
  }
  return prisms;
}

function moved(corners: Float64Array, dx: number, dy: number): Float64Array {
  const at = new Float64Array(corners.length);
  for (let i = 0; i < corners.length; i += 2) {
    at[i] = corners[i] + dx;
    at[i + 1] = corners[i + 1] + dy;
  }
  return at;
}

/** Between two buildings, metres. */
function distance(a: readonly Float64Array[][], b: readonly Float64Array[][]): number {
  let least = Infinity;
  for (const p of a) for (const q of b) least = Math.min(least, polygonDistance(p, q));
  return least;
}

interface Place {
  lat: number;
  lon: number;
}

/** Directions from a place to others, clockwise from true north, degrees in [0, 360). */
function trueAzimuthFrom(plane: Plane, from: Place): (to: Place) => number {
  const at: [number, number] = [0, 0];
  toPlane(plane, from.lat, from.lon, at);
  const [x, y] = at;
  const convergence = convergenceDeg(plane, from.lat, from.lon);
  return ({ lat, lon }) => {
    toPlane(plane, lat, lon, at);
    return (azimuthDeg(at[0] - x, at[1] - y) + convergence + 360) % 360;
  };
}
