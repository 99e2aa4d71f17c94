import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { gridSquareBounds, gridSquareCentre, gridSquareNeighbours, gridSquareOf } from '../geo/grid-square.ts';
import { convergenceDeg, planeOf, toPlane } from '../geo/plane.ts';
import { zoneOf } from '../geo/zones.ts';
import { sunTable } from '../solar/day-path.ts';
import { createKernel, type Kernel } from '../sunlight/compute.ts';
import { computePoint, type PointSunlight } from '../sunlight/point.ts';
import { type SunCurves, sunCurves } from '../sunlight/sun-curves.ts';
import { searchNear } from './near.ts';
import { gatherScene, type SquarePlane, squareFrame, squarePlane } from './scene-store.ts';
import { type Need, ShadingSquares } from './shading-squares.ts';
import { decodeSquare } from './square-file.ts';
import { type IndexedSquare, readSquareIndex, squareFileName } from './square-index.ts';
import type { SunlightStore } from './sunlight-store.ts';

/** How far the building is looked for whose base is the ground, metres, step by step. */
const GROUND_RADII_M = [100, 1000, 5000];
/** Grid squares whose surroundings are kept ready. */
const MOST_READY = 4;

/** A grid square with everything that shades it, ready to compute points in it. */
interface Ready {
  kernel: Kernel;
  curves: SunCurves;
  /** Nothing is seen from lower than this, metres. */
  lowest: number;
}

/**
 * Computes free points in a dataset's city. The first point in a grid square reads the files of the squares that can
 * shade it; the surroundings of the last few grid squares are kept.
 */
export class PointFinder {
  #folder: string;
  #store: SunlightStore;
  #index: Promise<IndexedSquare[]> | null = null;
  /** By grid square, the last used one at the end. */
  #ready = new Map<string, Promise<Ready>>();

  constructor(folder: string, store: SunlightStore) {
    this.#folder = folder;
    this.#store = store;
  }

  /**
   * The sun at a point: degrees, and metres above the ground. The ground is the base of the nearest building with
   * results, no farther than 5 km; without one, 0. Throws the system's error when a file cannot be read.
   */
  async find(lat: number, lon: number, heightM: number): Promise<PointSunlight> {
    const z = this.#ground(lat, lon) + heightM;
    const { kernel, curves } = await this.#surroundings(gridSquareOf(lat, lon), z);
    const at: [number, number] = [0, 0];
    toPlane(kernel.plane, lat, lon, at);
    const { originX, originY } = kernel.scene;
    return computePoint(kernel, curves, at[0] - originX, at[1] - originY, z, convergenceDeg(kernel.plane, lat, lon));
  }

  #ground(lat: number, lon: number): number {
    for (const radius of GROUND_RADII_M) {
      const { found } = searchNear(lat, lon, radius, 1, (row, column) => this.#store.cell(row, column));
      if (found[0]) return found[0].building.baseM;
    }
    return 0;
  }

  async #surroundings(square: string, z: number): Promise<Ready> {
    const known = this.#ready.get(square);
    if (known) {
      const ready = await known;
      if (z >= ready.lowest) {
        this.#keep(square, known);
        return ready;
      }
    }
    const made = this.#gather(square, z);
    this.#keep(square, made);
    try {
      return await made;
    } catch (error) {
      if (this.#ready.get(square) === made) this.#ready.delete(square);
      throw error;
    }
  }

  #keep(square: string, ready: Promise<Ready>): void {
    this.#ready.delete(square);
    this.#ready.set(square, ready);
    const [oldest] = this.#ready.keys();
    if (this.#ready.size > MOST_READY) this.#ready.delete(oldest!);
  }

  async #gather(square: string, z: number): Promise<Ready> {
    this.#index ??= readSquareIndex(this.#folder);
    const squares = (await this.#index).map((indexed) => ({
      ...indexed,
      // Which squares are seen does not hang on the digests, which the index leaves out.
      ladder: { ...indexed.ladder, digests: [] },
    }));
    // As low as any ground about here, so that the next point is most likely not lower.
    const around = new Set([square, ...gridSquareNeighbours(square)]);
    const bases = squares.filter((indexed) => around.has(indexed.square)).map(({ lowestBase }) => lowestBase ?? z);
    const lowest = Math.min(z, ...bases);
    const needs = new ShadingSquares(squares)
      .seenFrom({ ...gridSquareBounds(square), lowest })
      .map(({ need }): Need => need);
    const centre = gridSquareCentre(square);
    const zone = zoneOf(centre.lat, centre.lon);
    const planes: SquarePlane[] = [];
    for (const need of needs) {
      const path = join(this.#folder, squareFileName(need.square));
      planes.push(squarePlane(need.square, decodeSquare(await readFile(path), path).square, zone));
    }
    const { scene, tree } = gatherScene(squareFrame(square, zone), needs, planes);
    const curves = sunCurves(sunTable(square), convergenceDeg(planeOf(zone), centre.lat, centre.lon));
    return { kernel: createKernel(scene, tree), curves, lowest };
  }
}
