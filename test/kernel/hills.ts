import { readFileSync } from 'node:fs';
import { squareFrame } from '../../src/city/scene-store.ts';
import { decodeTerrain, encodeTerrain, terrainTree } from '../../src/city/terrain-file.ts';
import { gridSquareBounds, gridSquareCentre } from '../../src/geo/grid-square.ts';
import { convergenceDeg, planeOf, toPlane } from '../../src/geo/plane.ts';
import { zoneOf } from '../../src/geo/zones.ts';
import { dayPaths } from '../../src/solar/day-path.ts';
import { computeBuilding, createKernel } from '../../src/sunlight/compute.ts';
import { Engine } from '../../src/sunlight/engine.ts';
import type { BuildingSunlight } from '../../src/sunlight/result.ts';
import { type Scene, SceneBuilder } from '../../src/sunlight/scene.ts';
import { storeysOf } from '../../src/sunlight/storeys.ts';
import { sunCurves } from '../../src/sunlight/sun-curves.ts';
import { buildTree, treeInMemory } from '../../src/sunlight/tree.ts';
import { viewOf } from '../../src/sunlight/view.ts';
import { Elevation } from '../../src/terrain/elevation.ts';
import { type Facets, latitudeOf, longitudeOf } from '../../src/terrain/facets.ts';
import { nearFacets, nearGround } from '../../src/terrain/near.ts';
import { edgeGrid } from '../oracle/edge-grid.ts';
import { oracleSunlight } from '../oracle/oracle.ts';
import { Agreement } from './agreement.ts';

/**
 * A grid square in Okayama. The hills of the shared grid, which say only how far apart their heights are, are laid over
 * it.
 */
export const HILLS = '51337725';
export const OKAYAMA = 'terrain/okayama_458x350_f32le.bin';
const [COLUMNS, ROWS, STEP_M] = [458, 350, 6.13];

/** The hills of Okayama over a grid square and around it. */
export function hills(path: string): Elevation {
  const bytes = readFileSync(path);
  const heights = new Float32Array(bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + 4 * COLUMNS * ROWS));
  const { lat, lon } = gridSquareCentre(HILLS);
  const [dLat, dLon] = [
    (ROWS * STEP_M) / 2 / 110_940,
    (COLUMNS * STEP_M) / 2 / (111_320 * Math.cos((lat * Math.PI) / 180)),
  ];
  const box = { south: lat - dLat, north: lat + dLat, west: lon - dLon, east: lon + dLon };
  return new Elevation([{ ...box, columns: COLUMNS, rows: ROWS, heights, spacing: STEP_M }]);
}

/** Triangles of the ground that are one building to the rays: more would be refused as too laborious. */
const TOGETHER = 20;

/** Houses of two storeys on the ground of a square, judged by rays on the very triangles that the kernel draws. */
export function amongHills(elevation: Elevation, square: string, houses: number): Agreement {
  const { lat, lon } = gridSquareCentre(square);
  const zone = zoneOf(lat, lon);
  const frame = squareFrame(square, zone);
  const { south, west, north, east } = gridSquareBounds(square);
  const at: [number, number] = [0, 0];
  const fill = (builder: SceneBuilder): void => {
    for (let i = 0; i < houses; i++) {
      // Spread evenly, off the lattice.
      const place = [
        south + (north - south) * ((i * 0.618034) % 1),
        west + (east - west) * ((i + 0.5) / houses),
      ] as const;
      toPlane(planeOf(zone), place[0], place[1], at);
      const [x, y] = [at[0] - frame.originX, at[1] - frame.originY];
      const ring = [x - 4, y - 4, x + 4, y - 4, x + 4, y + 4, x - 4, y + 4];
      // On the uphill side of the slope, so that no receptor is buried.
      const base = elevation.heightAt(place[0], place[1]) + 6;
      builder.addProjected([[ring]], base, base + 6);
    }
  };
  return judgedByRays(square, nearFacets(square, nearGround(square, elevation)!), fill, houses);
}

/**
 * Buildings of a square on its ground, judged by rays on the very triangles that the kernel draws; at most so many of
 * them.
 */
export function judgedByRays(
  square: string,
  ground: Facets,
  fill: (builder: SceneBuilder) => void,
  limit: number,
): Agreement {
  const { lat, lon } = gridSquareCentre(square);
  const zone = zoneOf(lat, lon);
  const frame = squareFrame(square, zone);
  const facets = asFile(ground);
  const [town, all] = [new SceneBuilder(frame), new SceneBuilder(frame)];
  for (const builder of [town, all]) fill(builder);
  for (const surfaces of surfacesOf(facets, zone, frame)) {
    const plan = surfaces[0]!.rings[0]!.filter((_, i) => i % 3 < 2);
    all.addProjected([[plan]], -100, 2000, surfaces);
  }
  const scene = town.finish();
  const grid = edgeGrid(all.finish());
  const paths = dayPaths(lat, lon);
  const agreement = new Agreement();
  for (const [building, found] of computedOn(square, scene, facets, limit)) {
    agreement.add(found, oracleSunlight(grid, building, storeysAt(scene, building), paths));
  }
  return agreement;
}

/** Facets as they come out of their file: in the order of a tree. */
export const asFile = (facets: Facets): Facets => decodeTerrain(encodeTerrain(facets), 'facets');

/** Computes at most so many buildings of a square, spread over the list of all, on a ground out of a file. */
export function* computedOn(
  square: string,
  scene: Scene,
  ground: Facets,
  limit: number,
): Generator<[building: number, BuildingSunlight]> {
  const { lat, lon } = gridSquareCentre(square);
  const trees = [treeInMemory(buildTree(scene)), terrainTree(ground, scene)];
  const parts = trees.map((tree) => ({ tree, above: -Infinity }));
  const kernel = createKernel(new Engine(), scene, viewOf(scene.originX, scene.originY, parts), 0);
  const curves = sunCurves(dayPaths(lat, lon), convergenceDeg(planeOf(scene.zone), lat, lon));
  const step = Math.max(1, scene.base.length / limit);
  for (let at = 0; at < scene.base.length; at += step) {
    const building = Math.floor(at);
    yield [building, computeBuilding(kernel, curves, building, storeysAt(scene, building))];
  }
}

const storeysAt = ({ base, top }: Scene, building: number): number =>
  storeysOf(null, top[building]! - base[building]!, null).storeys;

/** The triangles of facets as roof surfaces in a frame, some at a time. */
export function* surfacesOf(
  facets: Facets,
  zone: number,
  { originX, originY }: { originX: number; originY: number },
): Generator<{ rings: number[][] }[]> {
  const at: [number, number] = [0, 0];
  let some: { rings: number[][] }[] = [];
  for (let corner = 0; corner < facets.x.length; corner += 3) {
    const ring = [0, 1, 2].flatMap((i) => {
      toPlane(planeOf(zone), latitudeOf(facets, facets.y[corner + i]!), longitudeOf(facets, facets.x[corner + i]!), at);
      return [at[0] - originX, at[1] - originY, facets.lowM + facets.stepM * facets.z[corner + i]!];
    });
    some.push({ rings: [ring] });
    if (some.length === TOGETHER) {
      yield some;
      some = [];
    }
  }
  if (some.length > 0) yield some;
}
