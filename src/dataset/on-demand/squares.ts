import { type SquareScene, type StandingBuilding, squareKernel } from '../../city/scene-store.ts';
import type { DatasetScenes } from '../../city/scenes-on-demand.ts';
import { LastUsed } from '../../formats/last-used.ts';
import { gridSquareCentre, gridSquareNeighbours, gridSquareOf } from '../../geo/grid-square.ts';
import { convergenceDeg, planeOf, toDegrees } from '../../geo/plane.ts';
import { type DayPath, dayPath, sunTable } from '../../solar/day-path.ts';
import type { SolarDay } from '../../solar/solar-day.ts';
import type { Kernel } from '../../sunlight/compute.ts';
import type { Engine } from '../../sunlight/engine.ts';
import { type SunCurves, sunCurves } from '../../sunlight/sun-curves.ts';

/** Days of the curves. */
const DAYS = 12;
/** Curves of days of choice that a square keeps. */
const MOST_SUNS = 4;

/** What the buildings of a grid square are computed with: all that can shade them, as the build had it, and the sun there. */
class ReadySquare {
  readonly square: string;
  readonly scene: SquareScene;
  /** The twelve days. */
  readonly paths: readonly DayPath[];
  #curves: SunCurves | null = null;
  readonly #suns = new LastUsed<string, { paths: readonly DayPath[]; curves: SunCurves }>(MOST_SUNS);

  constructor(square: string, scene: SquareScene) {
    this.square = square;
    this.scene = scene;
    this.paths = sunTable(square);
  }

  /** The sun of the twelve days. */
  get curves(): SunCurves {
    this.#curves ??= this.#curvesOf(this.paths);
    return this.#curves;
  }

  /** The sun over this square on days of choice, at most twelve; days beyond those that are given repeat the last. */
  sunOn(days: readonly SolarDay[]): { paths: readonly DayPath[]; curves: SunCurves } {
    const key = days.map(({ year, month, day }) => `${year}-${month}-${day}`).join();
    return this.#suns.get(key, () => {
      const { lat, lon } = gridSquareCentre(this.square);
      const asked = days.map((day) => dayPath(day, lat, lon));
      const paths = Array.from({ length: DAYS }, (_, i) => asked[Math.min(i, asked.length - 1)]);
      return { paths, curves: this.#curvesOf(paths) };
    });
  }

  #curvesOf(paths: readonly DayPath[]): SunCurves {
    const { lat, lon } = gridSquareCentre(this.square);
    return sunCurves(paths, convergenceDeg(planeOf(this.scene.zone), lat, lon));
  }
}

/** A building and what computes it: it has its index in the kernel's scene. */
export interface ReadyBuilding extends StandingBuilding {
  ready: ReadySquare;
  kernel: Kernel;
}

/** The grid squares of a dataset, made ready as they are asked for. */
export class ReadySquares {
  readonly #scenes: DatasetScenes;
  readonly #engine: Engine;
  /** Of the scenes that are still held. */
  readonly #ready = new WeakMap<SquareScene, ReadySquare>();

  constructor(scenes: DatasetScenes, engine: Engine) {
    this.#scenes = scenes;
    this.#engine = engine;
  }

  /**
   * A building by its ID and representative point, degrees.
   * @throws Error when it is in none of the squares there.
   */
  ofBuilding(buildingId: string, lat: number, lon: number): ReadyBuilding {
    // The store keeps the point a little rounded: at a border it may have slipped into the next square.
    const own = gridSquareOf(lat, lon);
    for (const square of [own, ...gridSquareNeighbours(own)]) {
      if (!this.#scenes.serves(square)) continue;
      const index = this.#scenes.indexIn(square, buildingId);
      if (index === undefined) continue;
      const ready = this.#readyFor(square, this.#scenes.ofSquare(square));
      const building = ready.scene.buildingAt(ready.scene.part, index);
      const kernel = squareKernel(this.#engine, ready.scene, building.scene, index - building.index);
      return { ready, kernel, ...building };
    }
    throw new Error(`${buildingId} is not in grid square ${own}: hidamari verify tells what is damaged`);
  }

  #readyFor(square: string, scene: SquareScene): ReadySquare {
    const ready = this.#ready.get(scene) ?? new ReadySquare(square, scene);
    this.#ready.set(scene, ready);
    return ready;
  }
}

/** Latitude and longitude of a point of the kernel's scene, to 9 decimals (0.1 mm). */
export function placeOf({ scene, plane }: Kernel, x: number, y: number): { lat: number; lon: number } {
  const at: [number, number] = [0, 0];
  toDegrees(plane, scene.originX + x, scene.originY + y, at);
  return { lat: Number(at[0].toFixed(9)), lon: Number(at[1].toFixed(9)) };
}
