import { existsSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { ColumnFileError } from '../formats/column-file.ts';
import { writeWhole } from '../formats/files.ts';
import type { BaseDataset } from './base-dataset.ts';
import type { BuildFolder } from './build-folder.ts';
import type { ComputeTask, ShadingFiles } from './compute-square.ts';
import type { CitySquare } from './merge-stage.ts';
import { inOrderOfWork, type Plan, type PlannedUnit } from './plan.ts';
import type { Progress } from './progress.ts';
import { checkedResults, type ResultFile } from './result-file.ts';
import type { Runner } from './worker-pool.ts';

export interface ComputeStage {
  /** The results of all units of the plan. */
  results: ResultFile[];
  /** Numbers of units: computed by this build, finished by an earlier interrupted build, and reused from the base. */
  computed: number;
  resumed: number;
  reused: number;
  /** Grid squares whose sun curves are in the build folder. */
  suns: Set<string>;
}

/** Computes all unfinished units of the plan, the largest first. */
export async function computeStage(
  plan: Plan,
  city: ReadonlyMap<string, CitySquare>,
  base: BaseDataset | null,
  folder: BuildFolder,
  pool: Runner,
  progress: Progress,
): Promise<ComputeStage> {
  const stage: ComputeStage = { results: [], computed: 0, resumed: 0, reused: 0, suns: new Set() };
  const files = shadingFiles(city, folder);
  await progress.stage('compute', plan.totals.served, 'buildings', async (advance) => {
    const runOne = async (unit: PlannedUnit): Promise<void> => {
      const out = folder.result(unit);
      let result = await doneBefore(unit, out);
      if (result) stage.resumed++;
      else {
        const taken = base?.resultsOf(unit, folder.square(unit.square)) ?? null;
        if (taken) {
          await writeWhole(out, taken);
          stage.reused++;
        } else {
          if (await pool.run<boolean | undefined>(computeTask(unit, files, folder))) stage.suns.add(unit.square);
          stage.computed++;
        }
        result = checkedResults(out, unit);
      }
      stage.results.push(result);
      advance(unit.served);
    };
    await Promise.all(inOrderOfWork(plan.units).map(runOne));
  });
  return stage;
}

function computeTask(unit: PlannedUnit, files: ShadingFiles, folder: BuildFolder): ComputeTask {
  return {
    kind: 'compute',
    name: `grid square ${unit.square}`,
    unit,
    common: files,
    terrain: (unit.terrain?.needs ?? []).map(({ name }) => folder.terrainFile(name)),
    out: folder.result(unit),
    sun: folder.sun(unit.square),
  };
}

/** The files that all tasks share. Each grid square is needed by hundreds of others, so they are sent once. */
function shadingFiles(city: ReadonlyMap<string, CitySquare>, folder: BuildFolder): ShadingFiles {
  return new Map(
    [...city].map(([square, { zone, plane, tree }]) => [
      square,
      { squareFile: folder.square(square), zone, plane, tree: { path: folder.tree(square), entry: tree } },
    ]),
  );
}

/** The result of a unit from an earlier build; null when there is none. Removes a damaged one. */
async function doneBefore(unit: PlannedUnit, path: string): Promise<ResultFile | null> {
  if (!existsSync(path)) return null;
  try {
    return checkedResults(path, unit);
  } catch (error) {
    if (!(error instanceof ColumnFileError)) throw error;
    await rm(path);
    return null;
  }
}
