import { squareFrame } from '../../src/city/scene-store.ts';
import { terrainTree } from '../../src/city/terrain-file.ts';
import { squaresNear } from '../../src/city/terrain-squares.ts';
import { gridSquareBounds } from '../../src/geo/grid-square.ts';
import { zoneOf } from '../../src/geo/zones.ts';
import { computeBuilding, createKernel } from '../../src/sunlight/compute.ts';
import { Engine } from '../../src/sunlight/engine.ts';
import { SceneBuilder } from '../../src/sunlight/scene.ts';
import { storeysOf } from '../../src/sunlight/storeys.ts';
import { buildTree, treeInMemory } from '../../src/sunlight/tree.ts';
import { viewOf } from '../../src/sunlight/view.ts';
import type { Elevation } from '../../src/terrain/elevation.ts';
import type { Facets } from '../../src/terrain/facets.ts';
import { FarTerrain } from '../../src/terrain/far.ts';
import { isKnownIn, nearFacets } from '../../src/terrain/near.ts';
import { type City, LOD2_FILES, readBlock, readWithRoofs, sunOver } from '../../test/kernel/cities.ts';
import { asFile, HILLS, hills, OKAYAMA } from '../../test/kernel/hills.ts';
import { sharedData } from '../../test/support/shared-data.ts';
import { quantile } from '../serving/output.ts';
import { aroundFuji, fillWith, fitted, type House, houses, MINATO, minato, minatoWard, squareOf } from './ground.ts';

interface Town extends Pick<City, 'name' | 'scene' | 'squares' | 'storeys'> {
  /** The grid square whose buildings are computed; absent: all. */
  only?: string;
}

/** The terrain that a grid square of a town sees. */
type Terrain = (town: Town, square: string) => readonly Facets[];

/** Houses that are spread over hills. */
const HOUSES = 400;
const NO_TERRAIN: Terrain = () => [];

/** Prints how the minutes of published towns change: from LOD1 to LOD2, and with terrain. */
export async function changes(): Promise<void> {
  console.log('\nChanges, minutes a day of a face, floor and month');
  const srtm = aroundFuji();
  if (srtm === null) return;
  const far = farTerrain(srtm);
  const rows: Record<string, string | number>[] = [];
  const add = (town: Town, change: string, before: Terrain, after: Terrain, from = town): void => {
    const old = minutesOf(from, before);
    const differences = minutesOf(town, after).map((minutes, i) => minutes - old[i]!);
    const buildings = town.squares.filter((square) => square === (town.only ?? square)).length;
    rows.push({ town: town.name, buildings, change, ...summary(differences) });
  };
  for (const file of LOD2_FILES) {
    const roofs = await readWithRoofs(file);
    add(roofs, 'LOD1 to LOD2', NO_TERRAIN, NO_TERRAIN, await readWithRoofs(file, false));
    if (isKnownIn(srtm, gridSquareBounds(roofs.squares[0]!))) add(roofs, 'LOD2, with far terrain', NO_TERRAIN, far);
  }
  add(await readBlock('sagamihara'), 'LOD1, with far terrain', NO_TERRAIN, far);
  const fine = await minato();
  if (fine !== null) {
    const { town, near } = onGround('Minato 53393680', MINATO, fine, await minatoWard(fine));
    add(town, 'LOD1, with near terrain', NO_TERRAIN, near);
    add(town, 'LOD1, with near and far terrain', NO_TERRAIN, (of, square) => [...near(of, square), ...far(of, square)]);
  }
  const path = sharedData(OKAYAMA);
  if (path !== null) {
    const elevation = hills(path);
    const made = houses(HILLS, elevation, HOUSES);
    const { town, near } = onGround('houses of two storeys on the hills of Okayama', HILLS, elevation, made);
    add(town, 'LOD1, with near terrain', NO_TERRAIN, near);
  }
  console.table(rows);
}

/** The minutes of all faces, floors and months. */
function minutesOf(town: Town, terrain: Terrain): number[] {
  const { scene, squares, storeys, only } = town;
  const tree = treeInMemory(buildTree(scene));
  const engine = new Engine();
  const sunOf = sunOver({ ...town, moves: new Uint32Array(0) });
  const minutes: number[] = [];
  for (const [square, buildings] of Map.groupBy(scene.base.keys(), (building) => squares[building]!)) {
    if (square !== (only ?? square)) continue;
    const trees = [tree, ...terrain(town, square).map((facets) => terrainTree(facets, scene))];
    const parts = trees.map((one) => ({ tree: one, above: -Infinity }));
    const kernel = createKernel(engine, scene, viewOf(scene.originX, scene.originY, parts), 0);
    for (const building of buildings) {
      const { faces } = computeBuilding(kernel, sunOf(building).curves, building, storeys[building]!);
      for (const { sunMinutes } of faces) minutes.push(...sunMinutes);
    }
  }
  return minutes;
}

function summary(differences: readonly number[]): Record<string, string | number> {
  const mean = differences.reduce((sum, one) => sum + one, 0) / differences.length;
  const sizes = differences.map(Math.abs);
  const over = sizes.filter((size) => size > 60).length / sizes.length;
  return {
    values: sizes.length,
    mean: mean.toFixed(1),
    'median of sizes': quantile(sizes, 0.5).toFixed(1),
    'p90 of sizes': quantile(sizes, 0.9).toFixed(1),
    'over an hour %': (100 * over).toFixed(1),
  };
}

/** What the squares of towns see of the far terrain. */
function farTerrain(elevation: Elevation): Terrain {
  const terrain = new FarTerrain(elevation);
  return ({ scene, squares }, square) => {
    const own = [...scene.base.keys()].filter((building) => squares[building] === square);
    const lowestM = Math.min(...own.map((building) => scene.base[building]!));
    const highestM = Math.max(...own.map((building) => scene.top[building]!));
    const seen = terrain.horizonOf({ square, zone: scene.zone, lowestM, highestM });
    return seen === null ? [] : [asFile(seen)];
  };
}

/** Buildings on their ground, of which those of one grid square are computed. */
function onGround(
  name: string,
  only: string,
  elevation: Elevation,
  all: readonly House[],
): { town: Town; near: Terrain } {
  const { south, west } = gridSquareBounds(only);
  const builder = new SceneBuilder(squareFrame(only, zoneOf(south, west)));
  fillWith(all)(builder);
  const scene = builder.finish();
  if (scene.base.length !== all.length) throw new Error(`${name}: a building has no valid geometry`);
  const storeys = all.map(({ baseM, topM }) => storeysOf(null, topM - baseM, null).storeys);
  const ground = squaresNear(only)
    .filter((square) => isKnownIn(elevation, gridSquareBounds(square)))
    .map((square) => asFile(nearFacets(square, fitted(square, elevation, all))));
  return { town: { name, scene, squares: all.map(squareOf), storeys, only }, near: () => ground };
}
