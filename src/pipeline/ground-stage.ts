import { hash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { GroundHeights, receptorsUnderGround } from '../city/ground-heights.ts';
import { buildingAt, decodeSquare, type SquareBuilding, type SquareBuildings } from '../city/square-file.ts';
import { encodeTerrain } from '../city/terrain-file.ts';
import {
  farTerrainName,
  type NearTerrain,
  nearTerrainName,
  squaresNear,
  type TerrainIndex,
} from '../city/terrain-squares.ts';
import { writeWhole } from '../formats/files.ts';
import { LastUsed } from '../formats/last-used.ts';
import { gridSquareNeighbours, gridSquareOf } from '../geo/grid-square.ts';
import { eyeHeight } from '../sunlight/result.ts';
import { storeysOf } from '../sunlight/storeys.ts';
import { Elevation } from '../terrain/elevation.ts';
import { type ElevationPiece, elevationOf } from '../terrain/elevation-files.ts';
import { FarTerrain, type FarView } from '../terrain/far.ts';
import { fitToBuildings, type GroundBuilding, nearFacets, nearGround } from '../terrain/near.ts';
import type { BuildFolder } from './build-folder.ts';
import type { PlannedSquare } from './plan.ts';
import type { Progress } from './progress.ts';
import { addFit, FAR_FROM_BASE_M, type GroundFit, noFit } from './terrain.ts';
import type { Runner, Task } from './worker-pool.ts';

/** The task of a thread: to write the ground of a grid square, and the far terrain visible from it, to files. */
export interface GroundTask extends Task {
  kind: 'ground';
  square: string;
  /** The elevation of the build. */
  common: { pieces: readonly ElevationPiece[] };
  /** The square files of the square and of neighbours with buildings, and whether they are served. */
  squareFiles: { path: string; isServed: boolean }[];
  /** The viewpoint for the far terrain; null when nothing of the square is served. */
  view: FarView | null;
  nearOut: string;
  farOut: string;
}

/** The written files of a square. Null: no elevation is known there, or no far terrain is seen. */
interface MadeGround {
  near: NearTerrain | null;
  fit: GroundFit;
  far: TerrainIndex['far'][number] | null;
}

/** The terrain of a city, and how the buildings stand on it. */
interface Ground {
  index: TerrainIndex;
  fit: GroundFit;
}

/**
 * Makes the terrain of a city: the ground within 3 km around all served squares, and the far terrain visible from each.
 * It runs on threads of this machine, which has the files of elevation.
 */
export async function groundStage(
  squares: readonly PlannedSquare[],
  pieces: readonly ElevationPiece[],
  folder: BuildFolder,
  pool: Runner,
  progress: Progress,
): Promise<Ground> {
  const builtSquares = new Map(squares.map((square) => [square.square, square]));
  const served = squares.filter((square) => square.served > 0);
  const codes = [...new Set(served.flatMap(({ square }) => squaresNear(square)))].sort();
  const ground: Ground = { index: { near: [], far: [] }, fit: noFit() };
  // One object for all tasks: a thread gets it only once.
  const common = { pieces };
  await progress.stage('ground', codes.length, 'grid squares', async (advance) => {
    const results = await Promise.all(
      codes.map(async (square) => {
        const result = await pool.run<MadeGround>(groundTask(square, builtSquares, common, folder));
        advance(1);
        return result;
      }),
    );
    for (const { near, far, fit } of results) {
      if (near) ground.index.near.push(near);
      if (far) ground.index.far.push(far);
      addFit(ground.fit, fit);
    }
  });
  const { bases, unknown } = ground.fit;
  unknown.buildings = served.reduce((count, square) => count + square.served, 0) - bases.compared;
  unknown.grid_squares_beyond_3_km = served.length - ground.index.far.length;
  return ground;
}

/**
 * The task that makes the ground of a square.
 * @param builtSquares by code, the squares with buildings
 */
function groundTask(
  square: string,
  builtSquares: ReadonlyMap<string, PlannedSquare>,
  common: GroundTask['common'],
  folder: BuildFolder,
): GroundTask {
  const ownSquare = builtSquares.get(square);
  const squaresAround = [square, ...gridSquareNeighbours(square)].flatMap((code) => builtSquares.get(code) ?? []);
  return {
    kind: 'ground',
    name: `the terrain of grid square ${square}`,
    square,
    common,
    squareFiles: squaresAround.map(({ square: code, served }) => ({
      path: folder.file(code, 'square'),
      isServed: served > 0,
    })),
    view: ownSquare === undefined || ownSquare.served === 0 ? null : farViewOf(ownSquare),
    nearOut: folder.terrainFile(nearTerrainName(square)),
    farOut: folder.terrainFile(farTerrainName(square)),
  };
}

/** The viewpoints of the served buildings of a square: from their lowest base up to the highest top. */
function farViewOf({ square, zone, lowestBase, ladder }: PlannedSquare): FarView {
  const highestM = ladder.lowest + ladder.counts.length;
  return { square, zone, lowestM: lowestBase ?? ladder.lowest, highestM };
}

/** The data that a thread keeps between tasks. */
export interface GroundData {
  near: Elevation;
  far: FarTerrain;
  squares: LastUsed<string, Promise<SquareBuildings>>;
}

/** Coarser elevation is not near terrain, metres between cells: it would cut off nearby hills. */
const NEAR_SPACING_M = 30;
/** Number of square files in memory: those around a square, and the next. */
const HELD_SQUARES = 12;

/** The elevation of a thread, made of the given pieces. */
export function groundData(pieces: readonly ElevationPiece[]): GroundData {
  const elevation = elevationOf(pieces);
  const near = new Elevation(elevation.files.filter(({ spacing }) => spacing <= NEAR_SPACING_M));
  return { near, far: new FarTerrain(elevation), squares: new LastUsed(HELD_SQUARES) };
}

/**
 * Makes and writes the ground of a grid square, and the far terrain visible from it.
 * @throws ColumnFileError when a square file is damaged
 */
export async function makeGround(task: GroundTask, { near, far, squares }: GroundData): Promise<MadeGround> {
  // `fit`: how well the ground and the bases of the buildings agree.
  const result: MadeGround = { near: null, far: null, fit: noFit() };
  const ground = nearGround(task.square, near);
  if (ground !== null) {
    const buildings: StandingBuilding[] = [];
    for (const { path, isServed } of task.squareFiles) {
      const square = await squares.get(path, async () => decodeSquare(await readFile(path), path).square);
      buildings.push(...buildingsOf(square, isServed));
    }
    const served = buildings.filter(({ isServed }) => isServed);
    result.fit.bases = compareBases(served, task.square, near);
    // Lowers the ground to the bases of the buildings. So bases are compared before it, and receptors after it.
    fitToBuildings(ground, task.square, buildings);
    const facets = nearFacets(task.square, ground);
    const bytes = encodeTerrain(facets);
    await writeWhole(task.nearOut, bytes);
    // `z` has heights in steps of `stepM` metres, counted from `lowM`.
    const highestStep = facets.z.reduce((highest, step) => Math.max(highest, step), 0);
    const top = highestStep * facets.stepM + facets.lowM;
    result.near = { ...indexEntry(task.square, bytes, facets.hidden.length), top };
    result.fit.receptors_under_ground = receptorsUnderGround(task.square, served, new GroundHeights(facets));
  }
  const horizon = task.view && far.horizonOf(task.view);
  if (horizon) {
    const bytes = encodeTerrain(horizon);
    await writeWhole(task.farOut, bytes);
    result.far = indexEntry(task.square, bytes, horizon.hidden.length);
  }
  return result;
}

/** The entry of a written file in the index. */
const indexEntry = (square: string, bytes: Uint8Array, triangles: number): TerrainIndex['far'][number] => ({
  square,
  digest: hash('sha256', bytes),
  bytes: bytes.length,
  triangles,
});

/** Compares the bases of the buildings of a square with the elevation at their representative points. */
function compareBases(
  buildings: readonly StandingBuilding[],
  square: string,
  elevation: Elevation,
): GroundFit['bases'] {
  const bases = noFit().bases;
  for (const { lat, lon, baseM } of buildings) {
    if (gridSquareOf(lat, lon) !== square) continue;
    const above = elevation.heightAt(lat, lon) - baseM;
    // The elevation is not known there.
    if (Number.isNaN(above)) continue;
    bases.compared++;
    if (above > FAR_FROM_BASE_M) bases.ground_above++;
    if (above < -FAR_FROM_BASE_M) bases.ground_below++;
  }
  return bases;
}

/** The data of a building that the ground needs. */
interface StandingBuilding extends SquareBuilding, Pick<GroundBuilding, 'eyeM'> {
  isServed: boolean;
}

/** The buildings of a square file, with the height of their lowest receptors. */
function* buildingsOf(square: SquareBuildings, isServed: boolean): Generator<StandingBuilding> {
  for (let row = 0; row < square.count; row++) {
    const building = buildingAt(square, row);
    const { buildingId, baseM, topM, storeys, usageCode } = building;
    const height = topM - baseM;
    const eyeM = eyeHeight(height / storeysOf(storeys, height, usageCode).storeys);
    yield { ...building, eyeM, isServed: isServed && buildingId !== null };
  }
}
