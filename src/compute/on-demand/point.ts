import type { DatasetScenes } from '../../city/scenes-on-demand.ts';
import type { Surroundings } from '../../city/surroundings.ts';
import { idOf, type Nearby, NearSearch } from '../../dataset/near.ts';
import type { SunlightStore } from '../../dataset/sunlight-store.ts';
import { gridSquareOf } from '../../geo/grid-square.ts';
import { convergenceDeg, planeOf, toPlane } from '../../geo/plane.ts';
import type { BuildingHead } from '../../record/building-record.ts';
import { decodeHead } from '../../record/codec.ts';
import type { Engine } from '../../sunlight/engine.ts';
import { computePoint, type PointSunlight } from '../../sunlight/point.ts';
import type { SquareSuns } from './squares.ts';

/** How far the building is looked for whose base is the ground, metres, step by step. */
const GROUND_RADII_M = [100, 1000, 5000];
/** A building that holds the point is at 0 m; the most that are looked through. */
const TOUCHING_M = 1;
const MOST_AROUND = 16;

/** Sun at a point, and where the point is. */
interface PlacedSunlight extends PointSunlight {
  /** ID of the building that it is in. */
  inside: string | null;
  /** `none` where no building is near enough to give the height of the ground. */
  surroundings: Surroundings | 'none';
}

/** Computes free points in a dataset's city. What the first in a place reads of the city is kept. */
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
   * The sun at a point: degrees, and metres above the ground. The ground is that of the near terrain, or the base of
   * the nearest building with results, no farther than 5 km; without one, 0. Throws the system's error when a file cannot be read.
   */
  find(lat: number, lon: number, heightM: number): PlacedSunlight {
    const ground = this.groundAt(lat, lon);
    const z = (ground ?? 0) + heightM;
    const { zone, view } = this.#scenes.ofPoint(lat, lon, z);
    const plane = planeOf(zone);
    const at: [number, number] = [0, 0];
    toPlane(plane, lat, lon, at);
    const place = [at[0] - view.originX, at[1] - view.originY, z] as const;
    const { curves } = this.#suns.over(gridSquareOf(lat, lon), zone);
    const sun = computePoint(this.#engine, view, curves, place, convergenceDeg(plane, lat, lon));
    const surroundings = ground === null ? 'none' : this.#scenes.surroundingsAt(lat, lon);
    return { ...sun, inside: this.#inside(lat, lon, z), surroundings };
  }

  /** The building whose footprint holds the point and whose top is not below it; the first by ID of several. */
  #inside(lat: number, lon: number, z: number): string | null {
    const { found } = this.#near.find(lat, lon, TOUCHING_M, MOST_AROUND);
    const heads = found.filter(({ distanceM }) => distanceM === 0).map((nearby) => this.#headOf(nearby));
    return heads.find(({ baseM, topM }) => baseM <= z && z <= topM)?.buildingId ?? null;
  }

  #headOf(nearby: Nearby): BuildingHead {
    const buildingId = idOf(nearby);
    const record = this.#store.record(buildingId);
    if (record === undefined)
      throw new Error(`${buildingId} has no record: run hidamari verify to see what is damaged`);
    return decodeHead(buildingId, record);
  }

  /** The height of the ground above the datum, metres; null where neither near terrain nor a building gives it. */
  groundAt(lat: number, lon: number): number | null {
    const ground = this.#scenes.groundAt(lat, lon);
    if (ground !== null) return ground;
    const nearest = this.#nearest(lat, lon);
    return nearest && this.#headOf(nearest).baseM;
  }

  /** The ID of the nearest building with results; null where there is none within 5 km. */
  nearestId(lat: number, lon: number): string | null {
    const nearest = this.#nearest(lat, lon);
    return nearest && idOf(nearest);
  }

  #nearest(lat: number, lon: number): Nearby | null {
    for (const radius of GROUND_RADII_M) {
      const { found } = this.#near.find(lat, lon, radius, 1);
      if (found[0]) return found[0];
    }
    return null;
  }
}
