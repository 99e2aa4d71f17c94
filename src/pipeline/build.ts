import { basename, join } from 'node:path';
import type { Town } from '../census/town.ts';
import { BuildError, BuildFolder, buildFailure } from './build-folder.ts';
import { joinParts } from './from-parts.ts';
import { findInputs, type Input } from './inputs.ts';
import type { Plan } from './plan.ts';
import { programDigest } from './program.ts';
import { type Listener, Progress, type StageName } from './progress.ts';
import type { LeftOut } from './read-stage.ts';
import type { SunlightReport } from './report.ts';
import { computeSunlight, planSunlight, type SunlightOptions } from './sunlight.ts';
import { readTerrainPaths } from './terrain.ts';
import { readTownPaths, type TownsRead } from './towns.ts';
import { collectGarbage, type Runner, WorkerPool } from './worker-pool.ts';
import { type ComputedSunlight, type DatasetOptions, type WrittenDataset, writeDataset } from './write-dataset.ts';

export interface BuildOptions extends DatasetOptions {
  /** City models; without any, there is no sunlight half. */
  citygml: string[];
  towns: string[];
  readings: string | null;
  /** Elevation: files of PLATEAU or 国土地理院; without any the ground neither shades nor rises. */
  terrain?: readonly string[];
  /** Datasets of parts to join, instead of city models. */
  parts?: readonly string[];
  workers: number;
  /** Continue the work of an earlier build. */
  resume: boolean;
  /** A dataset whose unchanged squares are reused, or null. */
  base: string | null;
  /** Leave out files that cannot be read, and report them. */
  keepGoing: boolean;
  listener?: Listener;
  /** Makes the runner of the sunlight half's tasks: a store with other machines. By default the threads run them. */
  makeRunner?: ((threads: Runner, about: BuildFacts) => Runner) | undefined;
}

/** The facts that other machines need to run the tasks of a build. */
interface BuildFacts {
  /** Identity of the program (see program.ts). */
  program: string;
  towns: readonly Town[];
  inputs: readonly Input[];
  /** A folder that is removed when the dataset is published. */
  folder: string;
}

/** The threads of a build. `replaced` is called for each that hung at its start. */
export const buildThreads = (size: number, towns: readonly Town[], replaced?: (problem: string) => void): WorkerPool =>
  new WorkerPool(new URL('./worker.ts', import.meta.url), size, { workerData: { towns }, replaced });

/** With more buildings, memory is freed between stages. For this the threads end, and start again. */
const MANY_BUILDINGS = 30_000;

/** The result of a build. Only `report` does not depend on how the build ran; it is also in the manifest. */
export interface BuildOutcome extends WrittenDataset {
  /** Wall-clock seconds by stage. */
  seconds: Partial<Record<StageName, number>>;
}

/**
 * Builds a dataset from published files and puts it into the data folder, complete or not at all. When it throws, the
 * finished work stays in the data folder for a build with `resume`.
 * @throws BuildError, InputError or another error whose message says what is wrong
 */
export async function build(options: BuildOptions): Promise<BuildOutcome> {
  const progress = new Progress(options.listener);
  // The care half is loaded only when it is built.
  if (options.offices.length > 0) await (await import('./kaigo-inputs.ts')).checkKaigo(options);
  const written = await withBuildFolder(options, (folder) => {
    if (options.parts !== undefined) return writeJoined(options, options.parts, folder, progress);
    if (options.citygml.length === 0) return writeCareAlone(options, folder, progress);
    return withWorkers(options, folder, progress, async (sunlight, pool) => {
      const planned = await planSunlight(sunlight, folder, pool, progress);
      if (planned.plan.totals.served === 0) throw new BuildError(nothingServed(planned.report));
      // A stage leaves more memory in use than the next one needs. This does not matter for a small city.
      const isLarge = planned.plan.totals.buildings > MANY_BUILDINGS;
      if (isLarge) await freeMemory(pool);
      const compute = async (): Promise<ComputedSunlight> => {
        const half = await computeSunlight(planned, sunlight, folder, pool, progress);
        if (isLarge) await freeMemory(pool);
        return { half, pool };
      };
      // The steps may only be listed for other machines: then this build ends before a care half is made.
      const careWaits = options.makeRunner !== undefined;
      return writeDataset(options, { compute, careWaits }, sunlight.towns, folder, progress);
    });
  });
  return { ...written, seconds: progress.seconds };
}

/** Writes a dataset without a sunlight half. */
async function writeCareAlone(options: BuildOptions, folder: BuildFolder, progress: Progress): Promise<WrittenDataset> {
  return writeDataset(options, null, await townsOf(options), folder, progress);
}

/** The towns of a build; null without their files. */
const townsOf = async ({ towns, readings }: BuildOptions): Promise<TownsRead | null> =>
  towns.length === 0 ? null : readTownPaths(towns, readings);

/** Writes one dataset from the datasets of parts. */
async function writeJoined(
  options: BuildOptions,
  parts: readonly string[],
  folder: BuildFolder,
  progress: Progress,
): Promise<WrittenDataset> {
  const townsRead = await townsOf(options);
  const pool = buildThreads(options.workers, [], (problem) => progress.remark(problem));
  try {
    const half = await progress.stage('merge', parts.length, 'parts', (advance) =>
      joinParts(parts, townsRead, folder, advance),
    );
    // The parts were computed before, so the care half need not wait.
    const sunlight = { compute: async () => ({ half, pool }), careWaits: false };
    return await writeDataset(options, sunlight, townsRead, folder, progress);
  } finally {
    await pool.stop();
  }
}

/** Frees the memory of a stage, in the workers and in this thread. */
async function freeMemory(pool: Runner): Promise<void> {
  await pool.stop();
  collectGarbage();
}

/** The message about a dataset that would be empty. It is not published, because it would replace a good one. */
function nothingServed({ buildings, findings }: SunlightReport): string {
  const reasons = Object.entries(findings).map(([reason, { count }]) => `${count} ${reason}`);
  const why = reasons.length > 0 ? `; met: ${reasons.join(', ')}` : '';
  return `no building can be served, so nothing is published: ${buildings.read} read, ${buildings.left_out} left out${why}`;
}

/**
 * Reads the city models and returns the plan and the report. Publishes nothing. What was read stays for a build with
 * `resume`.
 */
export async function planOnly(options: BuildOptions): Promise<{ plan: Plan; report: SunlightReport }> {
  const progress = new Progress(options.listener);
  return withBuildFolder(options, (folder) =>
    withWorkers(options, folder, progress, async (sunlight, pool) => {
      const { plan, report } = await planSunlight(sunlight, folder, pool, progress);
      return { plan, report };
    }),
  );
}

/** Does work while the build folder is taken. Errors of the system become errors that say what to do. */
async function withBuildFolder<T>(options: BuildOptions, work: (folder: BuildFolder) => Promise<T>): Promise<T> {
  const folder = await BuildFolder.take(options.out, options.resume);
  try {
    return await work(folder);
  } catch (error) {
    throw buildFailure(error, options.out);
  } finally {
    await folder.release();
  }
}

/** Finds the inputs of the sunlight half, then does work on it with worker threads, which it stops at the end. */
async function withWorkers<T>(
  options: BuildOptions,
  folder: BuildFolder,
  progress: Progress,
  work: (sunlight: SunlightOptions, pool: Runner) => Promise<T>,
): Promise<T> {
  const inputsRead = await progress.stage('inputs', 0, 'files', () => findSunlightInputs(options, progress));
  const program = programDigest();
  const towns = inputsRead.towns?.towns ?? [];
  const threads = buildThreads(options.workers, towns, (problem) => progress.remark(problem));
  const about = {
    program,
    towns,
    inputs: inputsRead.inputs,
    // For files that are exchanged with other machines.
    folder: join(options.out, '.build', 'elsewhere'),
  };
  const pool = options.makeRunner?.(threads, about) ?? threads;
  const { terrain: paths = [], keepGoing } = options;
  try {
    const terrain =
      paths.length === 0 ? null : await readTerrainPaths(paths, { keepGoing, scratch: folder.terrain, pool, progress });
    const sunlight = {
      ...inputsRead,
      terrain,
      base: options.base,
      keepGoing,
      part: options.part ?? null,
      heights: options.heights ?? 'solid',
      credit: options.credit ?? null,
      program,
    };
    return await work(sunlight, pool);
  } finally {
    await pool.stop();
  }
}

/**
 * The files of city models near the part to build, and the towns. Remarks name the archives that were passed over and
 * the files that were left out.
 * @throws BuildError when no city model is near the part to build
 */
async function findSunlightInputs(
  options: BuildOptions,
  progress: Progress,
): Promise<Pick<SunlightOptions, 'inputs' | 'unreadable' | 'towns'>> {
  const { citygml, keepGoing, part = null } = options;
  const unreadable: LeftOut[] = [];
  const leaveOut = (name: string, problem: string): void => {
    unreadable.push({ label: basename(name), problem });
    progress.remark(`left out: ${problem}`);
  };
  const cityModels = await findInputs(citygml, ['buildings'], keepGoing ? leaveOut : undefined);
  const archives = cityModels.passedOver.filter(({ kind }) => kind === 'zip' || kind === 'packed');
  for (const { name, reason } of archives) progress.remark(`passed over: ${name}: ${reason}`);
  const inputs = cityModels.inputs.filter(({ label }) => part?.mayNeed(label) ?? true);
  if (inputs.length === 0) throw new BuildError(`no city model lies within 20 km of ${part?.codes.join(', ')}`);
  return { inputs, unreadable, towns: await townsOf(options) };
}
