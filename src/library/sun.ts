// `hidamari/sun`: direct sun on the walls of buildings and at points (docs/library.md).
import { squareSun } from '../city/square-sun.ts';
import { gridSquareOf, isInJapan } from '../geo/grid-square.ts';
import { convergenceDeg, planeOf, toPlane } from '../geo/plane.ts';
import { representativePoint } from '../geo/polygon.ts';
import { computeBuilding, type Kernel, kernelOf } from '../sunlight/compute.ts';
import { computePoint, type PointSunlight } from '../sunlight/point.ts';
import type { BuildingSunlight, FaceSunlight } from '../sunlight/result.ts';
import { frameAt, SceneBuilder, type SceneFrame } from '../sunlight/scene.ts';
import { storeysOf } from '../sunlight/storeys.ts';

export { dayPath, type SunPosition, sunAt } from '../solar/day-path.ts';
export { solarDay } from '../solar/solar-day.ts';
export type { BuildingSunlight, FaceSunlight, PointSunlight };

/** Rings in degrees, open, the outer ring first. */
interface Polygon {
  rings: readonly ArrayLike<number>[];
}

/** A building as `hidamari/reader` returns it. Only these members are used. */
export interface CityBuilding {
  /** Rings `[lat, lon, …]`. */
  footprints: readonly Polygon[];
  /** Metres above one datum, the same for all buildings. */
  baseM: number;
  topM: number;
  /** Rings `[lat, lon, z, …]` of roof surfaces that shade in place of the prisms. */
  roofSurfaces?: readonly Polygon[];
  /** Null or absent: estimated from the height and the usage. */
  storeys?: number | null;
  /** Code of PLATEAU's `bldg:usage`. */
  usageCode?: string | null;
}

/**
 * Buildings that shade each other, without terrain. The results are those of a dataset without elevation that is built
 * from the same buildings.
 */
export class City {
  readonly #frame: SceneFrame;
  readonly #builder: SceneBuilder;
  /** The grid square and the storeys of each building, by number. */
  readonly #buildings: { square: string; storeys: number }[] = [];
  #kernel: Kernel | null = null;

  /**
   * Begins a city around a point (degrees).
   * @param lat of a point in the middle; all buildings should lie within 20 km
   * @throws RangeError outside Japan
   */
  constructor(lat: number, lon: number) {
    checkInJapan(lat, lon);
    this.#frame = frameAt(lat, lon);
    this.#builder = new SceneBuilder(this.#frame);
  }

  /**
   * Adds a building. Returns its number, or null when it has no area or no height.
   * @throws RangeError for storeys that are no whole number
   */
  add({ footprints, baseM, topM, roofSurfaces, storeys = null, usageCode = null }: CityBuilding): number | null {
    if (storeys !== null && !Number.isInteger(storeys))
      throw new RangeError(`storeys is ${storeys}: expected a whole number, or null when it is unknown`);
    const { building } = this.#builder.add(footprints, baseM, topM, roofSurfaces);
    if (building === null) return null;
    const [lat, lon] = representativePoint(footprints.map(({ rings }) => rings));
    const { storeys: storeyCount } = storeysOf(storeys, topM - baseM, usageCode);
    this.#buildings[building] = { square: gridSquareOf(lat, lon), storeys: storeyCount };
    this.#kernel = null;
    return building;
  }

  /**
   * The sun on the walls of a building on the 15th of each month: minutes of a clear day, by face, floor and month.
   * @throws RangeError for a number that `add` has not returned
   */
  sunOn(building: number): BuildingSunlight {
    const facts = this.#buildings[building];
    if (facts === undefined) {
      const last = this.#buildings.length - 1;
      throw new RangeError(`There is no building ${building}: there ${last < 0 ? 'is none' : `are 0 to ${last}`}.`);
    }
    const { curves } = squareSun(facts.square, this.#frame.zone);
    return computeBuilding(this.#kernelOfAll(), curves, building, facts.storeys);
  }

  /**
   * The sun at a point (degrees; metres above the datum of the buildings) on the 15th of each month.
   * @throws RangeError outside Japan, and for a height that is no number
   */
  sunAtPoint(lat: number, lon: number, z: number): PointSunlight {
    checkInJapan(lat, lon);
    if (!Number.isFinite(z)) throw new RangeError(`z is ${z}: expected metres above the datum of the buildings`);
    const { zone, originX, originY } = this.#frame;
    const plane = planeOf(zone);
    const point: [number, number] = [0, 0];
    toPlane(plane, lat, lon, point);
    const { curves } = squareSun(gridSquareOf(lat, lon), zone);
    const { engine, view } = this.#kernelOfAll();
    const inFrame = [point[0] - originX, point[1] - originY, z] as const;
    return computePoint(engine, view, curves, inFrame, convergenceDeg(plane, lat, lon));
  }

  /** The kernel of all buildings that were added. */
  #kernelOfAll(): Kernel {
    this.#kernel ??= kernelOf(this.#builder.finish());
    return this.#kernel;
  }
}

/** @throws RangeError outside Japan */
function checkInJapan(lat: number, lon: number): void {
  if (!isInJapan(lat, lon)) throw new RangeError(`${lat}, ${lon} (latitude, longitude) is not in Japan`);
}
