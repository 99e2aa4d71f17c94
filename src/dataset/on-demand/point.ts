import type { DatasetScenes } from '../../city/scenes-on-demand.ts';
import { gridSquareCentre, gridSquareOf } from '../../geo/grid-square.ts';
import { convergenceDeg, type Plane, planeOf, toPlane } from '../../geo/plane.ts';
import { sunTable } from '../../solar/day-path.ts';
import type { Engine } from '../../sunlight/engine.ts';
import { computePoint, type PointSunlight } from '../../sunlight/point.ts';
import { type SunCurves, sunCurves } from '../../sunlight/sun-curves.ts';
import { NearSearch } from '../near.ts';
import { decodeHead } from '../record/codec.ts';
import { keptBuildingId } from '../summary-json.ts';
import type { SunlightStore } from '../sunlight-store.ts';

/** Sun curves held at a time: each takes 0.6 MB and 10 ms to make. */
const HELD_CURVES = 64;
/** How far the building is looked for whose base is the ground, metres, step by step. */
const GROUND_RADII_M = [100, 1000, 5000];

/** Computes free points in a dataset's city. What the first in a place reads of the city is kept. */
export class PointFinder {
  readonly #scenes: DatasetScenes;
  readonly #near: NearSearch;
  readonly #store: SunlightStore;
  readonly #engine: Engine;
  /** By grid square: the last that were asked for. */
  readonly #curves = new Map<string, SunCurves>();

  constructor(scenes: DatasetScenes, store: SunlightStore, engine: Engine) {
    this.#scenes = scenes;
    this.#engine = engine;
    this.#near = new NearSearch(store);
    this.#store = store;
  }

  /**
   * The sun at a point: degrees, and metres above the ground. The ground is the base of the nearest building with
   * results, no farther than 5 km; without one, 0. Throws the system's error when a file cannot be read.
   */
  find(lat: number, lon: number, heightM: number): PointSunlight {
    const z = this.#ground(lat, lon) + heightM;
    const { zone, view } = this.#scenes.ofPoint(lat, lon, z);
    const plane = planeOf(zone);
    const at: [number, number] = [0, 0];
    toPlane(plane, lat, lon, at);
    const place = [at[0] - view.originX, at[1] - view.originY, z] as const;
    const curves = this.#curvesOf(gridSquareOf(lat, lon), plane);
    return computePoint(this.#engine, view, curves, place, convergenceDeg(plane, lat, lon));
  }

  #ground(lat: number, lon: number): number {
    for (const radius of GROUND_RADII_M) {
      const { found } = this.#near.find(lat, lon, radius, 1);
      if (found[0]) {
        const { bytes, start, end } = found[0];
        const buildingId = keptBuildingId(bytes.subarray(start, end));
        return decodeHead(buildingId, this.#store.record(buildingId)!).baseM;
      }
    }
    return 0;
  }

  #curvesOf(square: string, plane: Plane): SunCurves {
    const centre = gridSquareCentre(square);
    const known =
      this.#curves.get(square) ?? sunCurves(sunTable(square), convergenceDeg(plane, centre.lat, centre.lon));
    this.#curves.delete(square);
    this.#curves.set(square, known);
    if (this.#curves.size > HELD_CURVES) this.#curves.delete(this.#curves.keys().next().value!);
    return known;
  }
}
