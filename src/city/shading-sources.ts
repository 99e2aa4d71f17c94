import { azimuthDeg, convergenceDeg, type Plane, planeOf, toPlane } from '../geo/plane.ts';
import { polygonArea, polygonDistance } from '../geo/polygon.ts';
import type { Shade } from '../sunlight/result.ts';
import { prismsOf } from '../sunlight/scene.ts';
import { terrainOf } from '../sunlight/view.ts';
import { buildingOf, type SquareScene } from './scene-store.ts';

/** A shading source of a building: another building, or the ground as a whole, of which only the direction is known. */
export interface ShadingSource {
  kind: 'building' | 'terrain';
  /** Null when the source has no published ID. */
  buildingId: string | null;
  /** Distance between the two footprints; 0 when they touch. Null for the terrain. */
  distanceM: number | null;
  /**
   * Direction from this building's representative point to the source's, clockwise from true north. For the terrain:
   * the mean direction in which it hides the sun.
   */
  azimuthDeg: number;
  /** Height of the source's solid (top − base). Null for the terrain. */
  heightM: number | null;
  /** Mean hours a day that a receptor loses to it. */
  blockedHours: number;
  /** Share of all blocked time, 0 to 1. */
  share: number;
}

/** The facts about a source of shade. */
interface SourceBuilding {
  id: string | null;
  heightM: number;
  /** Representative point: degrees, and metres in the plane of the view. */
  lat: number;
  lon: number;
  x: number;
  y: number;
  /** Its prisms as rings, in metres from the view's origin. */
  prisms: readonly number[][][];
}

/**
 * The buildings in the view of a square, as sources of shade. Each is looked up once, because most of them shade
 * several buildings.
 */
export class SourceBuildings {
  readonly plane: Plane;
  /** The number of the ground. */
  readonly terrain: number;
  readonly #square: SquareScene;
  readonly #sources = new Map<number, SourceBuilding>();

  constructor(square: SquareScene) {
    this.#square = square;
    this.plane = planeOf(square.zone);
    this.terrain = terrainOf(square.view);
  }

  /** A building by its number in the view. */
  at(building: number): SourceBuilding {
    let source = this.#sources.get(building);
    if (source === undefined) {
      source = this.#lookUp(building);
      this.#sources.set(building, source);
    }
    return source;
  }

  /** The area of its footprint, square metres. */
  areaOf(building: number): number {
    return this.at(building).prisms.reduce((sum, rings) => sum + polygonArea(rings), 0);
  }

  /** The facts about a building, by its number in the view of the square. */
  #lookUp(building: number): SourceBuilding {
    const { view } = this.#square;
    const { id, lat, lon, scene, index } = buildingOf(this.#square, building);
    const point: [x: number, y: number] = [0, 0];
    toPlane(this.plane, lat, lon, point);
    const heightM = scene.top[index] - scene.base[index];
    return { id, heightM, lat, lon, x: point[0], y: point[1], prisms: prismsOf(scene, index, view) };
  }
}

/**
 * The buildings that shade another building most, and the terrain, as answers list them.
 * @param shaded number of the shaded building in the view
 * @param receptorDays receptors times days over which the minutes were summed
 */
export function shadingSources(
  buildings: SourceBuildings,
  shaded: number,
  { sources, blockedMinutes, terrain }: Pick<Shade, 'sources' | 'blockedMinutes' | 'terrain'>,
  receptorDays: number,
): ShadingSource[] {
  return sources.map((source) => {
    const blocked = {
      blockedHours: source.blockedMinutes / 60 / receptorDays,
      share: source.blockedMinutes / blockedMinutes,
    };
    // The terrain is counted like a building, under a number of its own.
    if (source.building === terrain?.building) {
      const { azimuthDeg } = terrain;
      return { kind: 'terrain', buildingId: null, distanceM: null, azimuthDeg, heightM: null, ...blocked };
    }
    const { id, heightM } = buildings.at(source.building);
    return { kind: 'building', buildingId: id, ...whereFrom(buildings, shaded, source.building), heightM, ...blocked };
  });
}

/** Distance and direction of a building from another, by their numbers in the view. */
export function whereFrom(
  buildings: SourceBuildings,
  shaded: number,
  building: number,
): { distanceM: number; azimuthDeg: number } {
  const [from, to] = [buildings.at(shaded), buildings.at(building)];
  // From grid north to true north.
  const convergence = convergenceDeg(buildings.plane, from.lat, from.lon);
  return {
    distanceM: distance(from.prisms, to.prisms),
    azimuthDeg: (azimuthDeg(to.x - from.x, to.y - from.y) + convergence + 360) % 360,
  };
}

/** Share of the blocked time that is due to the building itself. */
export const selfShadedShare = ({
  blockedMinutes,
  selfBlockedMinutes,
}: Pick<Shade, 'blockedMinutes' | 'selfBlockedMinutes'>): number =>
  blockedMinutes > 0 ? selfBlockedMinutes / blockedMinutes : 0;

/** Share of the blocked time that is due to roof surfaces of any building. */
export const roofShadedShare = ({ blockedMinutes, roofBlockedMinutes }: Shade): number =>
  blockedMinutes > 0 ? roofBlockedMinutes / blockedMinutes : 0;

/** Share of all blocked time that the ground accounts for. */
export const terrainShadedShare = ({ blockedMinutes, terrain }: Shade): number =>
  terrain === null ? 0 : terrain.blockedMinutes / blockedMinutes;

/** Distance between two buildings, metres: the least distance of their prisms. */
function distance(a: readonly number[][][], b: readonly number[][][]): number {
  let least = Infinity;
  for (const p of a) for (const q of b) least = Math.min(least, polygonDistance(p, q));
  return least;
}
