import type { SquareScene } from '../city/scene-store.ts';
import { DatasetScenes } from '../city/scenes-on-demand.ts';
import { gridSquareCentre, gridSquareOf } from '../geo/grid-square.ts';
import { convergenceDeg, planeOf, toPlane } from '../geo/plane.ts';
import { sunTable } from '../solar/day-path.ts';
import { type Kernel, kernelOf } from '../sunlight/compute.ts';
import { Engine } from '../sunlight/engine.ts';
import { computePoint, type PointSunlight } from '../sunlight/point.ts';
import { type SunCurves, sunCurves } from '../sunlight/sun-curves.ts';
import type { DatasetFiles } from './files.ts';
import { NearSearch } from './near.ts';
import { decodeHead } from './record/codec.ts';
import { keptBuildingId } from './summary-json.ts';
import type { SunlightStore } from './sunlight-store.ts';

/** How far the building is looked for whose base is the ground, metres, step by step. */
const GROUND_RADII_M = [100, 1000, 5000];

/** What computes the points of a grid square. */
interface Ready {
  kernel: Kernel;
  curves: SunCurves;
}

/** Computes free points in a dataset's city. The first point in a grid square reads the files of all that can shade it. */
export class PointFinder {
  readonly #files: DatasetFiles;
  readonly #near: NearSearch;
  readonly #store: SunlightStore;
  readonly #engine = new Engine();
  #scenes: Promise<DatasetScenes> | null = null;
  /** Of the scenes that are still held. */
  readonly #ready = new WeakMap<SquareScene, Ready>();

  constructor(files: DatasetFiles, store: SunlightStore) {
    this.#files = files;
    this.#near = new NearSearch(store);
    this.#store = store;
  }

  /**
   * The sun at a point: degrees, and metres above the ground. The ground is the base of the nearest building with
   * results, no farther than 5 km; without one, 0. Throws the system's error when a file cannot be read.
   */
  async find(lat: number, lon: number, heightM: number): Promise<PointSunlight> {
    const z = this.#ground(lat, lon) + heightM;
    this.#scenes ??= DatasetScenes.open((name) => this.#files.read(name));
    const scene = await (await this.#scenes).ofPoint(lat, lon, z);
    const { kernel, curves } = this.#readyFor(scene, gridSquareOf(lat, lon));
    const at: [number, number] = [0, 0];
    toPlane(kernel.plane, lat, lon, at);
    const { originX, originY } = kernel.scene;
    const { engine, view } = kernel;
    const place = [at[0] - originX, at[1] - originY, z] as const;
    return computePoint(engine, view, curves, place, convergenceDeg(kernel.plane, lat, lon));
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

  #readyFor(scene: SquareScene, square: string): Ready {
    const known = this.#ready.get(scene);
    if (known) return known;
    const centre = gridSquareCentre(square);
    const plane = planeOf(scene.scene.zone);
    const ready = {
      kernel: kernelOf(scene.scene, scene.tree, this.#engine),
      curves: sunCurves(sunTable(square), convergenceDeg(plane, centre.lat, centre.lon)),
    };
    this.#ready.set(scene, ready);
    return ready;
  }
}
