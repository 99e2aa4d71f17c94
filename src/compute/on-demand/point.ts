import type { DatasetScenes, PointScene } from '../../city/scenes-on-demand.ts';
import type { Surroundings } from '../../city/surroundings.ts';
import { type Nearby, NearSearch, nearbyId } from '../../dataset/near.ts';
import type { SunlightStore } from '../../dataset/sunlight-store.ts';
import { gridSquareOf } from '../../geo/grid-square.ts';
import { convergenceDeg, planeOf, toPlane } from '../../geo/plane.ts';
import type { BuildingHead } from '../../record/building-record.ts';
import { decodeHead } from '../../record/codec.ts';
import type { SolarDay } from '../../solar/solar-day.ts';
import type { Engine } from '../../sunlight/engine.ts';
import { computePoint, type PointSunlight } from '../../sunlight/point.ts';
import type { SquareSuns } from './squares.ts';

/** Search radii for the building whose base is the ground, metres, smallest first. */
const SEARCH_RADII_M = [100, 1000, 5000];
/** Radius in which a building that contains the point is searched, metres: its distance is 0. */
const TOUCHING_M = 1;
/** Limit of the buildings that are tested. */
const MOST_AROUND = 16;

/** The sun at a point, and what is around the point. */
interface PlacedSunlight extends PointSunlight {
  /** ID of the building that contains it. */
  inside: string | null;
  /** `none` when no building is near enough for the height of the ground. */
  surroundings: Surroundings | 'none';
}

/**
 * Computes the sun at any point of a dataset's city. Data of the city that one point has read is kept for the points
 * near it.
 */
export class PointFinder {
  readonly #scenes: DatasetScenes;
  readonly #near: NearSearch;
  readonly #store: SunlightStore;
  readonly #engine: Engine;
  readonly #suns: SquareSuns;

  constructor(scenes: DatasetScenes, store: SunlightStore, engine: Engine, suns: SquareSuns) {
    this.#suns = suns;
    this.#scenes = scenes;
    this.#engine = engine;
    this.#near = new NearSearch(store);
    this.#store = store;
  }

  /**
   * The sun at a point: degrees, and metres above the ground. The ground is that of the near terrain, otherwise the
   * base of the nearest building with results within 5 km, otherwise 0.
   * @throws Error of the system when a file cannot be read
   */
  find(lat: number, lon: number, heightM: number): PlacedSunlight {
    const ground = this.groundAt(lat, lon);
    const z = (ground ?? 0) + heightM;
    const sun = this.sunIn(this.#scenes.ofPoint(lat, lon, z), lat, lon, z);
    const surroundings = ground === null ? 'none' : this.#scenes.surroundingsAt(lat, lon);
    return { ...sun, inside: this.#inside(lat, lon, z), surroundings };
  }

  /**
   * The sun at a place (degrees) and height (metres) in a view of its grid square.
   * @param days at most twelve; by default those of the dataset
   */
  sunIn({ zone, view }: PointScene, lat: number, lon: number, z: number, days?: readonly SolarDay[]): PointSunlight {
    const plane = planeOf(zone);
    const xy: [number, number] = [0, 0];
    toPlane(plane, lat, lon, xy);
    const point = [xy[0] - view.originX, xy[1] - view.originY, z] as const;
    const { curves } = this.#suns.over(gridSquareOf(lat, lon), zone, days);
    return computePoint(this.#engine, view, curves, point, convergenceDeg(plane, lat, lon));
  }

  /** The building that contains a point: in plan, and between its base and its top. Of several, the first by ID. */
  #inside(lat: number, lon: number, z: number): string | null {
    const { found } = this.#near.find(lat, lon, TOUCHING_M, MOST_AROUND);
    const heads = found.filter(({ distanceM }) => distanceM === 0).map((nearby) => this.#headOf(nearby));
    return heads.find(({ baseM, topM }) => baseM <= z && z <= topM)?.buildingId ?? null;
  }

  /**
   * The head of the record of a found building: its ID, place, heights and footprint.
   * @throws Error when the store does not have it
   */
  #headOf(nearby: Nearby): BuildingHead {
    const buildingId = nearbyId(nearby);
    const record = this.#store.record(buildingId);
    if (record === undefined)
      throw new Error(`${buildingId} has no record: run hidamari verify to see what is damaged`);
    return decodeHead(buildingId, record);
  }

  /** The height of the ground above the datum, metres; null when neither near terrain nor a building gives it. */
  groundAt(lat: number, lon: number): number | null {
    const ground = this.#scenes.groundAt(lat, lon);
    if (ground !== null) return ground;
    const nearest = this.#nearest(lat, lon);
    return nearest && this.#headOf(nearest).baseM;
  }

  /** The ID of the nearest building with results; null when there is none within 5 km. */
  nearestId(lat: number, lon: number): string | null {
    const nearest = this.#nearest(lat, lon);
    return nearest && nearbyId(nearest);
  }

  /** The nearest building with results; null when there is none within 5 km. */
  #nearest(lat: number, lon: number): Nearby | null {
    for (const radius of SEARCH_RADII_M) {
      const { found } = this.#near.find(lat, lon, radius, 1);
      if (found[0]) return found[0];
    }
    return null;
  }
}
