import { existsSync, readFileSync } from 'node:fs';
import { readFile, rm } from 'node:fs/promises';
import {
  buildingOfPlaced,
  type PlacedSquare,
  placeSquare,
  type StandingBuilding,
  squareFrame,
  squareKernel,
  squareScene,
  treeOfPlaced,
} from '../city/scene-store.ts';
import {
  roofShadedShare,
  SourceBuildings,
  selfShadedShare,
  shadingSources,
  terrainShadedShare,
} from '../city/shading-sources.ts';
import { buildingAt, decodeSquare, type SquareBuilding } from '../city/square-file.ts';
import { squareSun } from '../city/square-sun.ts';
import { placeholdersNear } from '../city/standing-height.ts';
import { surroundingsAt } from '../city/surroundings.ts';
import { TerrainTrees } from '../city/terrain-file.ts';
import { type TreeEntry, TreeFiles } from '../city/tree-file.ts';
import { ColumnFileError } from '../formats/column-file.ts';
import { writeWhole } from '../formats/files.ts';
import { LastUsed } from '../formats/last-used.ts';
import { gridSquareBounds } from '../geo/grid-square.ts';
import { BitWriter } from '../record/bit-stream.ts';
import { type BuildingRecord, wardCodeOf } from '../record/building-record.ts';
import { encodeRecord } from '../record/codec.ts';
import { type ComputedBuilding, packFaceHours } from '../record/face-hours.ts';
import { computeBuilding } from '../sunlight/compute.ts';
import { Engine } from '../sunlight/engine.ts';
import { type BuildingSunlight, FLOOR_CLASSES, MONTHS } from '../sunlight/result.ts';
import { storeysOf } from '../sunlight/storeys.ts';
import type { TreeSource } from '../sunlight/tree.ts';
import { inMortonOrder } from '../sunlight/tree-order.ts';
import type { BaseDataset } from './base-dataset.ts';
import type { BuildFolder } from './build-folder.ts';
import type { CitySquare } from './merge-stage.ts';
import { inOrderOfWork, type Plan, type PlannedUnit } from './plan.ts';
import type { Progress } from './progress.ts';
import { checkedResults, encodeResults, type ResultFile } from './result-file.ts';
import type { Runner, Task } from './worker-pool.ts';

export interface ComputeStage {
  /** The results of all units of the plan. */
  results: ResultFile[];
  /** Numbers of units: computed by this build, finished by an earlier interrupted build, and reused from the base. */
  computed: number;
  resumed: number;
  reused: number;
}

/**
 * Makes the results of all units of the plan (grid squares), the largest first: those of an interrupted build are kept,
 * those of unchanged squares come from `base`, the others are computed.
 */
export async function computeStage(
  plan: Plan,
  city: ReadonlyMap<string, CitySquare>,
  base: BaseDataset | null,
  folder: BuildFolder,
  pool: Runner,
  progress: Progress,
): Promise<ComputeStage> {
  const stage: ComputeStage = { results: [], computed: 0, resumed: 0, reused: 0 };
  const files = shadingFiles(city, folder);
  await progress.stage('compute', plan.totals.served, 'buildings', async (advance) => {
    const runOne = async (unit: PlannedUnit): Promise<void> => {
      const out = folder.result(unit);
      const earlier = await earlierResult(unit, out);
      if (earlier) stage.resumed++;
      else {
        const resultsOfBase = base?.resultsOf(unit, folder.file(unit.square, 'square'));
        if (resultsOfBase) {
          await writeWhole(out, resultsOfBase);
          stage.reused++;
        } else {
          await pool.run(computeTask(unit, files, folder));
          stage.computed++;
        }
      }
      stage.results.push(earlier ?? checkedResults(out, unit));
      advance(unit.served);
    };
    await Promise.all(inOrderOfWork(plan.units).map(runOne));
  });
  return stage;
}

/** The task of a unit. */
function computeTask(unit: PlannedUnit, files: ShadingFiles, folder: BuildFolder): ComputeTask {
  return {
    kind: 'compute',
    name: `grid square ${unit.square}`,
    unit,
    common: files,
    terrain: (unit.terrain?.needs ?? []).map(({ name }) => folder.terrainFile(name)),
    out: folder.result(unit),
  };
}

/** The files that all tasks share. Each grid square is needed by hundreds of others, so they are sent once. */
function shadingFiles(city: ReadonlyMap<string, CitySquare>, folder: BuildFolder): ShadingFiles {
  return new Map(
    [...city].map(([square, { zone, tree }]) => [
      square,
      {
        squareFile: folder.file(square, 'square'),
        zone,
        tree: { path: folder.file(square, 'tree'), entry: tree },
      },
    ]),
  );
}

/** The result of a unit from an earlier build; null when there is none. Removes a damaged one. */
async function earlierResult(unit: PlannedUnit, path: string): Promise<ResultFile | null> {
  if (!existsSync(path)) return null;
  try {
    return checkedResults(path, unit);
  } catch (error) {
    if (!(error instanceof ColumnFileError)) throw error;
    await rm(path);
    return null;
  }
}

/**
 * The unit of work: computes the result file of a grid square from the square files and trees of everything that can
 * shade it. It depends on nothing else, so any machine with the files can run it.
 */
export interface ComputeTask extends Task {
  kind: 'compute';
  unit: PlannedUnit;
  /** The squares that any of the tasks needs, by code. */
  common: ShadingFiles;
  /** The files of terrain that the unit needs, in the order of its needs. */
  terrain: string[];
  /** The result file to write. */
  out: string;
}

/** The files of squares, by code. */
export type ShadingFiles = ReadonlyMap<string, ShadingFile>;

/** The file of a square, and the file of its tree in the plane of its own zone. For another zone the tree is made from the square. */
interface ShadingFile {
  squareFile: string;
  zone: number;
  tree: { path: string; entry: TreeEntry } | null;
}

/** What a thread keeps between units. */
export interface ComputeTools {
  engine: Engine;
  records: BitWriter;
  trees: TreeFiles;
  placedSquares: PlacedSquares;
  ground: TerrainTrees;
}

/** Bytes to allocate at a time for encoded records. */
const RECORDS_BYTES = 64 * 1024;

/** What a thread has before its first unit. */
export const computeTools = (): ComputeTools => ({
  engine: new Engine(),
  records: new BitWriter(RECORDS_BYTES),
  trees: new TreeFiles(),
  placedSquares: new PlacedSquares(),
  ground: new TerrainTrees(),
});

/** Placed squares in memory: those of frequent shading sources. */
const HELD_SQUARES = 64;

/** Placed squares that are made from square files on demand. */
class PlacedSquares {
  readonly #held = new LastUsed<string, PlacedSquare>(HELD_SQUARES);

  /** A square in the plane of a zone, made from its file. */
  at(path: string, code: string, zone: number): PlacedSquare {
    return this.#held.get(`${path} ${zone}`, () =>
      placeSquare(code, decodeSquare(readFileSync(path), path).square, zone),
    );
  }
}

/**
 * The view of a unit (a grid square that is computed): everything that can shade its square.
 * @param shading the files of each of the unit's needs, in the same order; a need is a square with buildings that shade
 * @returns `ownSquare`: the buildings of the square itself
 */
function viewOf(
  { unit, terrain: terrainFiles }: ComputeTask,
  shading: readonly ShadingFile[],
  { trees, placedSquares, ground }: ComputeTools,
) {
  const placedAt = (need: number): PlacedSquare =>
    placedSquares.at(shading[need].squareFile, unit.needs[need].square, unit.zone);
  // A tree on disk is read page by page. Without one (its square is of another zone) a tree is made from the buildings.
  const sources = shading.map(
    ({ tree }, need): TreeSource => (tree ? trees.treeOf(tree.path, tree.entry) : treeOfPlaced(placedAt(need))),
  );
  const standingAt = (need: number, index: number): StandingBuilding => buildingOfPlaced(placedAt(need), index);
  // Ground that is not higher than `above` cannot shade the square.
  const terrain = (unit.terrain?.needs ?? []).map(({ square, digest, above }, i) => ({
    tree: ground.treeOf(terrainFiles[i], digest, squareFrame(square, unit.zone)),
    above,
  }));
  const view = squareScene(unit.square, unit.zone, unit.needs, sources, terrain, {
    at: standingAt,
    idAt: (need, index) => standingAt(need, index).id,
  });
  return { view, ownSquare: placedAt(ownNeedOf(unit)) };
}

/** The number of the square itself among the squares that its unit needs. */
const ownNeedOf = ({ needs, square }: PlannedUnit): number => needs.findIndex((need) => need.square === square);

/**
 * Computes a unit (the served buildings of a grid square) and writes its result file.
 * @throws ColumnFileError when a file is damaged
 */
export async function computeSquare(task: ComputeTask, tools: ComputeTools): Promise<void> {
  const { unit } = task;
  const shading = unit.needs.map(({ square }) => fileIn(task.common, square, unit.zone));
  const { squareFile } = shading[ownNeedOf(unit)];
  const buildings = decodeSquare(await readFile(squareFile), squareFile).square;
  const { view, ownSquare } = viewOf(task, shading, tools);
  // A building has an index in the scene, a row in the file of the square (`rows`), and a number among all of the view.
  const { scene, rows } = ownSquare;
  const kernel = squareKernel(tools.engine, view, scene);
  const { curves } = squareSun(unit.square, unit.zone);

  const sourceBuildings = new SourceBuildings(view);
  const gaps = unit.gaps.map(gridSquareBounds);
  // Neighbours are computed one after the other, because they need the same pages of the kernel's memory. The results
  // stay in the order of the scene, which is that of IDs.
  const results: (ComputedBuilding | null)[] = Array.from(rows, () => null);
  for (const index of inMortonOrder(scene)) {
    const building = buildingAt(buildings, rows[index]);
    if (!isServed(building)) continue;
    const { storeys } = storeysOf(building.storeys, building.topM - building.baseM, building.usageCode);
    const sunlight = computeBuilding(kernel, curves, index, storeys);
    const environment = {
      surroundings: surroundingsAt(building.lat, building.lon, gaps),
      // Placeholders: buildings of unknown height.
      placeholderNeighbours: placeholdersNear(building, unit.placeholders),
      terrain: unit.terrain?.kind ?? 'none',
    };
    const record = buildingRecord(building, sunlight, sourceBuildings, kernel.firstBuilding + index, environment);
    const bytes = encodeRecord(record, tools.records);
    results[index] = { buildingId: building.buildingId, bytes, hours: packFaceHours(record.faces) };
  }
  const { square, fingerprint } = unit;
  const served = results.filter((result) => result !== null);
  await writeWhole(task.out, encodeResults({ square, fingerprint }, served));
}

/** The merged square for a computation in a zone. A square of another zone comes without its tree, which is of that zone. */
function fileIn(files: ShadingFiles, square: string, zone: number): ShadingFile {
  const file = files.get(square);
  if (file === undefined) throw new Error(`grid square ${square} is needed, but was not merged`);
  return file.zone === zone ? file : { ...file, tree: null };
}

/** True for a building with an ID. Only these have results. */
const isServed = (building: SquareBuilding): building is SquareBuilding & { buildingId: string } =>
  building.buildingId !== null;

/**
 * The record of a building with an ID: its published values and its sun.
 * @param number its number in the view
 */
function buildingRecord(
  building: SquareBuilding & { buildingId: string },
  sunlight: BuildingSunlight,
  sourceBuildings: SourceBuildings,
  number: number,
  environment: Pick<BuildingRecord, 'surroundings' | 'placeholderNeighbours' | 'terrain'>,
): BuildingRecord {
  const { storeys, estimated } = storeysOf(building.storeys, building.topM - building.baseM, building.usageCode);
  const receptorsOfFloor = sunlight.faces.reduce((sum, face) => sum + face.receptors, 0);
  // Each floor class has the same number of receptors, and one day is computed in each month.
  const receptorDays = receptorsOfFloor * FLOOR_CLASSES.length * MONTHS;
  return {
    ...building,
    wardCode: wardCodeOf(building.buildingId, building.cityCode),
    storeys,
    storeysEstimated: estimated,
    ...environment,
    floors: sunlight.floors,
    faces: sunlight.faces,
    shadingSources: shadingSources(sourceBuildings, number, sunlight, receptorDays),
    roofShadedShare: roofShadedShare(sunlight),
    terrainShadedShare: terrainShadedShare(sunlight),
    selfShadedShare: selfShadedShare(sunlight),
  };
}
