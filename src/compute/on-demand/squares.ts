import { type SquareScene, type StandingBuilding, squareKernel } from '../../city/scene-store.ts';
import type { DatasetScenes } from '../../city/scenes-on-demand.ts';
import { dateOf, keptZone, squareSun, unpackCurves } from '../../city/square-sun.ts';
import type { SunlightStore } from '../../dataset/sunlight-store.ts';
import { LastUsed } from '../../formats/last-used.ts';
import type { LatLon } from '../../geo/degree.ts';
import { toDegrees } from '../../geo/plane.ts';
import { REFERENCE_DAYS, type SolarDay } from '../../solar/solar-day.ts';
import type { Kernel } from '../../sunlight/compute.ts';
import type { Engine } from '../../sunlight/engine.ts';

/**
 * Number of suns in memory. Those of one square take 0.3 MB. Making one takes milliseconds when the dataset does not
 * have its curves.
 */
const SUNS_IN_MEMORY = 128;
/** Number of grid squares whose stored curves stay in memory: a floor needs two suns of its square. */
const CURVES_IN_MEMORY = 1;

/** The sun over a square: paths and curves. */
type SquareSun = ReturnType<typeof squareSun>;
/** The stored curves of a square. */
type StoredCurves = ReturnType<typeof unpackCurves>;

/** The sun over grid squares. All computations in a square share it. */
export class SquareSuns {
  readonly #store: SunlightStore;
  readonly #suns = new LastUsed<string, SquareSun>(SUNS_IN_MEMORY);
  readonly #curves = new LastUsed<string, StoredCurves>(CURVES_IN_MEMORY);

  /** @param store has the curves of the grid squares that it serves; others are computed */
  constructor(store: SunlightStore) {
    this.#store = store;
  }

  /**
   * The sun over a square in the plane of a zone, on at most twelve days. With fewer days the last one is repeated. The
   * store has curves for one zone of each square.
   */
  over(square: string, zone: number, days: readonly SolarDay[] = REFERENCE_DAYS): SquareSun {
    return this.#suns.get(`${square} in ${zone} on ${days.map(dateOf)}`, () =>
      squareSun(square, zone, days, zone === keptZone(square) ? this.#curvesOf(square) : undefined),
    );
  }

  /** The stored curves of a square; empty when the store has none. */
  #curvesOf(square: string): StoredCurves {
    return this.#curves.get(square, () => {
      const packed = this.#store.curves(square);
      return packed === undefined ? new Map() : unpackCurves(packed);
    });
  }
}

/** A building with its kernel: it has its index in the kernel's scene. */
export interface ReadyBuilding extends StandingBuilding {
  square: string;
  /** The scene of the square. */
  squareScene: SquareScene;
  kernel: Kernel;
}

/** The buildings of a dataset, prepared for computation on request. */
export class ReadyBuildings {
  readonly #scenes: DatasetScenes;
  readonly #engine: Engine;

  constructor(scenes: DatasetScenes, engine: Engine) {
    this.#scenes = scenes;
    this.#engine = engine;
  }

  /**
   * A building by its ID and representative point, degrees.
   * @throws Error when no square there contains it
   */
  find(buildingId: string, lat: number, lon: number): ReadyBuilding {
    const { square, index: indexInSquare } = this.#scenes.find(buildingId, lat, lon);
    const squareScene = this.#scenes.ofSquare(square);
    const building = squareScene.buildings.at(squareScene.part, indexInSquare);
    // The kernel's scene may have only some consecutive buildings of the square.
    const firstOfKernel = indexInSquare - building.index;
    const kernel = squareKernel(this.#engine, squareScene, building.scene, firstOfKernel);
    // Among the members of `building` is its index in the kernel's scene.
    return { ...building, square, squareScene, kernel };
  }
}

/** Latitude and longitude of a point of the kernel's scene, to 9 decimals (0.1 mm). */
export function positionOf({ scene, plane }: Kernel, x: number, y: number): LatLon {
  const latLon: [number, number] = [0, 0];
  toDegrees(plane, scene.originX + x, scene.originY + y, latLon);
  const [lat, lon] = latLon.map((degrees) => Number(degrees.toFixed(9)));
  return { lat, lon };
}
