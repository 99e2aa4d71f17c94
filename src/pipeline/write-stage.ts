import { readFileSync } from 'node:fs';
import { mkdir, rename, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { SQUARES_INDEX, squareFileName, squareIndexText, treeFileName } from '../city/square-summary.ts';
import { madeCurves, packCurves } from '../city/square-sun.ts';
import { TERRAIN_INDEX, terrainNames } from '../city/terrain-squares.ts';
import { GML_IDS, writeGmlIds } from '../dataset/gml-ids.ts';
import type { SquareCurves, WardBuildings } from '../dataset/sunlight-writer.ts';
import { writeSunlight } from '../dataset/sunlight-writer.ts';
import type { BulkCredit, WardBulk } from '../export/sunlight-bulk.ts';
import { writeWhole } from '../formats/files.ts';
import type { EncodedBuilding } from '../record/codec.ts';
import type { ComputedBuilding } from '../record/face-hours.ts';
import type { BuildFolder } from './build-folder.ts';
import type { Progress } from './progress.ts';
import { hasBuildings, mergedResults, type ResultFile } from './result-file.ts';
import type { SunlightHalf } from './sunlight.ts';
import { allSettled, type Runner, type Task } from './worker-pool.ts';

/** Number of buildings between two progress events. */
const PROGRESS_STEP = 1000;

/** Where the half is written, and what writes it. */
export interface WriteTarget {
  draft: string;
  folder: BuildFolder;
  pool: Runner;
  progress: Progress;
}

/**
 * Writes the sunlight half into a draft dataset. Returns the number of rows of each bulk file, by name.
 * @param onStored called when the store is written, while threads may still write bulk files
 */
export async function writeStage(
  half: SunlightHalf,
  credit: BulkCredit,
  { draft, folder, pool, progress }: WriteTarget,
  onStored: () => Promise<void>,
): Promise<Record<string, number>> {
  const { report, towns, results } = half;
  const writeBulk = bulkWriter(results, draft, credit, pool);
  return progress.stage('write', report.buildings.served, 'buildings', async (advance) => {
    await writeSquares(half, draft, folder);
    const squares = servedSquares(half);
    await allSettled([writeGmlIds(join(draft, GML_IDS), half.gmlIds), makeCurves(squares, folder, pool)]);
    const buildings = withProgress(mergedResults(results), advance);
    return writeSunlight(draft, buildings, towns, writeBulk, storedCurves(squares, folder), onStored);
  });
}

/** A function that writes the bulk file of a ward in a thread, and returns the number of its rows. */
function bulkWriter(
  results: readonly ResultFile[],
  draft: string,
  credit: BulkCredit,
  pool: Runner,
): (ward: WardBuildings) => Promise<number> {
  return (ward) => {
    const task: BulkTask = {
      kind: 'bulk',
      name: `the bulk file of ward ${ward.wardCode}`,
      bulk: { draft, ...ward, credit },
      results: results.filter((file) => ward.prefixes.some((prefix) => hasBuildings(file, prefix))),
    };
    return pool.run<number>(task);
  };
}

/** Moves the square files, their trees and their terrain to the draft and writes the indexes. */
async function writeSquares({ squares, terrain }: SunlightHalf, draft: string, folder: BuildFolder): Promise<void> {
  await mkdir(join(draft, 'squares'), { recursive: true });
  for (const { square } of squares) {
    await rename(folder.file(square, 'square'), join(draft, squareFileName(square)));
    await rename(folder.file(square, 'tree'), join(draft, treeFileName(square)));
  }
  await writeFile(join(draft, SQUARES_INDEX), squareIndexText(squares));
  if (terrain === null) return;
  await mkdir(join(draft, dirname(TERRAIN_INDEX)), { recursive: true });
  for (const name of terrainNames(terrain)) await rename(folder.terrainFile(name), join(draft, name));
  await writeFile(join(draft, TERRAIN_INDEX), JSON.stringify(terrain));
}

/** The codes of served squares, in order. A square that only shades has no fingerprint. */
const servedSquares = ({ squares }: SunlightHalf): string[] =>
  squares
    .filter(({ fingerprint }) => fingerprint !== null)
    .map(({ square }) => square)
    .sort();

/** Number of grid squares whose sun curves a task makes. */
const SQUARES_OF_SUN_TASK = 16;

/** Makes the sun curves of grid squares in threads, `SQUARES_OF_SUN_TASK` squares in a task. */
async function makeCurves(squares: readonly string[], folder: BuildFolder, pool: Runner): Promise<void> {
  const tasks = Array.from({ length: Math.ceil(squares.length / SQUARES_OF_SUN_TASK) }, (_, i): SunTask => {
    const batch = squares.slice(i * SQUARES_OF_SUN_TASK, (i + 1) * SQUARES_OF_SUN_TASK);
    const suns = batch.map((square) => ({ square, out: folder.file(square, 'sun') }));
    return { kind: 'sun', name: `the sun over grid squares ${batch[0]} to ${batch.at(-1)}`, suns };
  });
  await allSettled(tasks.map((task) => pool.run(task)));
}

/** The packed sun curves of grid squares, read from the build folder. */
function* storedCurves(squares: readonly string[], folder: BuildFolder): Generator<SquareCurves> {
  for (const square of squares) yield { square, curves: readFileSync(folder.file(square, 'sun')) };
}

/** Makes the sun curves of grid squares, each in a file. */
export interface SunTask extends Task {
  kind: 'sun';
  suns: { square: string; out: string }[];
}

/** Makes the sun curves and writes their files. */
export async function writeSunsOf({ suns }: SunTask): Promise<void> {
  for (const { square, out } of suns) await writeWhole(out, packCurves(madeCurves(square)));
}

/** The same buildings; calls `advance` for each thousand of them, and for the rest. */
function* withProgress(
  buildings: Iterable<EncodedBuilding>,
  advance: (count: number) => void,
): Generator<EncodedBuilding> {
  let count = 0;
  for (const building of buildings) {
    yield building;
    if (++count % PROGRESS_STEP === 0) advance(PROGRESS_STEP);
  }
  advance(count % PROGRESS_STEP);
}

/** Writes the bulk file of one ward from the results of its grid squares. */
export interface BulkTask extends Task {
  kind: 'bulk';
  bulk: WardBulk;
  /** The result files with buildings of the ward. */
  results: ResultFile[];
}

/**
 * Writes the bulk file and returns the number of its rows.
 * @throws ColumnFileError when a result file is damaged
 */
export async function writeBulkOf({ bulk, results }: BulkTask): Promise<number> {
  // Only a thread that writes these files loads DuckDB.
  const { writeWardBulk } = await import('../export/sunlight-bulk.ts');
  return writeWardBulk(bulk, buildingsOf(bulk, results));
}

/** The buildings in order of ID, because the prefixes are in order. */
function* buildingsOf({ prefixes }: WardBulk, results: readonly ResultFile[]): Generator<ComputedBuilding> {
  for (const prefix of prefixes) yield* mergedResults(results, prefix);
}
