import { RADIANS } from '../geo/degree.ts';
import { azimuthDeg } from '../geo/plane.ts';
import { REFERENCE_DAYS } from '../solar/solar-day.ts';
import { azimuthOfSector } from './image-planes.ts';

/** Days for which the sun is computed: the 15th of each month. */
export const MONTHS = REFERENCE_DAYS.length;

/** The three floors for which every face is computed, in a fixed order. */
export const FLOOR_CLASSES = ['first', 'middle', 'top'] as const;
export type FloorClass = (typeof FLOOR_CLASSES)[number];

/** The result of the kernel (or the oracle) for one building: numbers only, minutes of JST days. */
export interface BuildingSunlight {
  /** The faces that exist, in face order. */
  faces: FaceSunlight[];
  /** Storey number and height above the base (metres) of the three floors, in floor-class order. */
  floors: { floor: number; heightM: number }[];
  /** At most five, the most blocking first; of equal ones the first in the scene. */
  sources: BlockingBuilding[];
  /** All receptor-minutes with the sun in front of the wall but hidden, over the 12 days. */
  blockedMinutes: number;
  /** The part of `blockedMinutes` in which the building's own walls are highest. */
  selfBlockedMinutes: number;
  /** The part of `blockedMinutes` in which a roof surface is highest, not a prism. */
  roofBlockedMinutes: number;
  /** The part of `blockedMinutes` in which the ground is highest; null: none. */
  terrain: TerrainShade | null;
}

/** The shade of the ground. */
interface TerrainShade {
  /** Its number in the view, as a shading source. */
  building: number;
  blockedMinutes: number;
  /** Mean direction of the ground that blocks, clockwise from true north. */
  azimuthDeg: number;
}

/** The shading sources of a building, with their shares. */
export type Shade = Omit<BuildingSunlight, 'faces' | 'floors'>;

/** The sun of one face of a building. */
export interface FaceSunlight {
  /** Index into DIRECTIONS. */
  face: number;
  /** Mean direction of the face's walls weighted by length, clockwise from true north. */
  azimuthDeg: number;
  wallLengthM: number;
  receptors: number;
  /** Mean minutes of direct sun of a receptor: [floorClass × 12 + month]. */
  sunMinutes: number[];
  /** Mean minutes of sun with no obstacle but the wall itself, equal on every floor: [month]. */
  unshadedMinutes: number[];
  /** Windows [start, end, start, end …] in whole minutes after 00:00 JST: [floorClass × 12 + month]. */
  windows: number[][];
}

/** A shading source. */
interface BlockingBuilding {
  /** Number of the building in the view. */
  building: number;
  /** Receptor-minutes over all faces, floors and the 12 days. */
  blockedMinutes: number;
}

/** Height of a window's middle above its floor, metres. */
const WINDOW_HEIGHT_M = 1.5;

/**
 * The first, middle and top floor: storey number, and the height of the receptors above the base (metres).
 * @param solidHeightM height of the building's solid, from base to top
 */
export function floorsOf(storeys: number, solidHeightM: number): { floor: number; heightM: number }[] {
  return [1, Math.ceil(storeys / 2), storeys].map((floor) => ({
    floor,
    heightM: floorHeight(floor, storeys, solidHeightM),
  }));
}

/**
 * The height of a floor's receptors above the base (metres).
 * @param floor 1 to the number of storeys
 */
export function floorHeight(floor: number, storeys: number, solidHeightM: number): number {
  const storeyHeight = solidHeightM / storeys;
  return (floor - 1) * storeyHeight + eyeHeight(storeyHeight);
}

/** The height of the receptors above their own floor (metres), by the height of the storey. */
export const eyeHeight = (storeyHeightM: number): number => Math.min(WINDOW_HEIGHT_M, storeyHeightM / 2);

/** Number of shading sources in an answer. */
const SOURCES = 5;

/** The most blocking buildings first; of equal ones the first in the scene. */
const byBlockedMinutes = (a: BlockingBuilding, b: BlockingBuilding): number =>
  b.blockedMinutes - a.blockedMinutes || a.building - b.building;

/**
 * Sums up for one building which others hide the sun. A receptor-minute is blocked when the sun is up and in front of
 * the wall but hidden. It counts for the one building that is highest in front of the sun.
 */
export class ShadingTally {
  readonly #minutes = new Map<number, number>();
  readonly #own: number;
  readonly #terrain: number;
  readonly #convergenceDeg: number;
  #roofMinutes = 0;
  /** The sum, over all minutes that the ground blocks, of vectors of length one towards the ground that blocks. */
  #groundEast = 0;
  #groundNorth = 0;

  /**
   * @param own number of the shaded building in the view
   * @param terrain the number of the ground, after those of all buildings
   * @param convergenceDeg grid north of the skyline, clockwise of true north
   */
  constructor(own: number, terrain = Infinity, convergenceDeg = 0) {
    this.#own = own;
    this.#terrain = terrain;
    this.#convergenceDeg = convergenceDeg;
  }

  /**
   * Adds receptor-minutes that a building blocks.
   * @param number of the building in the view; of the ground plus that of a sector
   * @param bySurface true when the building blocks with roof surfaces
   */
  readonly add = (number: number, minutes: number, bySurface: boolean): void => {
    const building = Math.min(number, this.#terrain);
    this.#minutes.set(building, (this.#minutes.get(building) ?? 0) + minutes);
    if (building === this.#terrain) this.#addDirection(number - this.#terrain, minutes);
    else if (bySurface) this.#roofMinutes += minutes;
  };

  /** Adds the minutes that the ground of a sector blocks, as a vector in the direction of the sector's middle. */
  #addDirection(sector: number, minutes: number): void {
    // A sector counts from grid north, the vector from true north.
    const azimuth = (azimuthOfSector(sector) + this.#convergenceDeg) * RADIANS;
    this.#groundEast += minutes * Math.sin(azimuth);
    this.#groundNorth += minutes * Math.cos(azimuth);
  }

  /**
   * The five most blocking buildings (of equal ones the first in the scene) and the sums. The building's own walls are
   * only in the sums.
   */
  result(): Shade {
    let blockedMinutes = 0;
    const blocking: BlockingBuilding[] = [];
    for (const [building, minutes] of this.#minutes) {
      blockedMinutes += minutes;
      if (building !== this.#own && minutes > 0) blocking.push({ building, blockedMinutes: minutes });
    }
    return {
      sources: blocking.sort(byBlockedMinutes).slice(0, SOURCES),
      blockedMinutes,
      selfBlockedMinutes: this.#minutes.get(this.#own) ?? 0,
      roofBlockedMinutes: this.#roofMinutes,
      terrain: this.#terrainShade(),
    };
  }

  /** The shade of the ground, which counts as the building after the last; null when it blocks no minute. */
  #terrainShade(): TerrainShade | null {
    const blockedMinutes = this.#minutes.get(this.#terrain) ?? 0;
    if (blockedMinutes === 0) return null;
    return { building: this.#terrain, blockedMinutes, azimuthDeg: azimuthDeg(this.#groundEast, this.#groundNorth) };
  }
}
