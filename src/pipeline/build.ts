import { createHash, type KeyObject } from 'node:crypto';
import { rm } from 'node:fs/promises';
import { basename, join } from 'node:path';
import type { Town } from '../census/town.ts';
import { coveredBy } from '../dataset/dataset.ts';

import { type Credit, datasetId } from '../dataset/manifest.ts';
import { publishDataset, startDraft } from '../dataset/publish.ts';
import { writeSearchIndex } from '../dataset/search-index.ts';
import { wardOfBulk } from '../dataset/sunlight.ts';
import { REFERENCE_YEAR } from '../solar/solar-day.ts';
import { BuildError, buildFailure } from './build-failure.ts';
import { BuildFolder } from './build-folder.ts';
import { joinParts } from './from-parts.ts';
import { findInputs, type Input, openInput } from './inputs.ts';
import { buildKaigo, checkKaigo, type KaigoHalf } from './kaigo.ts';
import type { KaigoReport } from './kaigo-report.ts';
import { mapStage } from './map-stage.ts';
import { collectGarbage } from './memory.ts';
import type { Part } from './part.ts';
import type { Plan } from './plan.ts';
import { programDigest, programVersion } from './program.ts';
import { type Listener, Progress, type StageName } from './progress.ts';
import type { LeftOut } from './read-stage.ts';
import type { SunlightReport } from './report.ts';
import { computeSunlight, planSunlight, type SunlightHalf, type SunlightOptions } from './sunlight.ts';
import { readTownPaths } from './towns.ts';
import { type Runner, WorkerPool } from './worker-pool.ts';
import { writeStage } from './write-stage.ts';

export interface BuildOptions {
  /** The data folder: the dataset becomes a folder in it. */
  out: string;
  /** City models; without any there is no sunlight half. */
  citygml: string[];
  towns: string[];
  readings: string | null;
  /** Of the city models, what is computed and served; null: all. */
  part?: Part | null;
  /** Datasets of parts, which become one: in place of city models. */
  parts?: readonly string[];
  /** Office lists; without any there is no care half. */
  offices: string[];
  /** Older lists of a service count too. */
  mergeLists?: boolean;
  /** Day the care data reaches, YYYY-MM-DD; null for that of the newest list. */
  dataThrough?: string | null;
  details: string[];
  fees: string | null;
  /** Day whose price list is used, YYYY-MM-DD. */
  asOf: string;
  workers: number;
  /** Go on with what an earlier build left. */
  resume: boolean;
  /** A dataset whose unchanged squares are taken over, or null. */
  base: string | null;
  /** Leave files out that cannot be read, and say so. */
  keepGoing: boolean;
  /** Whose data it is, where it is not that of the publishers; by default theirs. */
  credit?: Credit | null;
  /** Private Ed25519 key with which the manifest is signed. */
  signKey?: KeyObject | null;
  /** Time of the build, RFC 3339. */
  generatedAt: string;
  listener?: Listener;
  /** Where the tasks of the sunlight half run; by default the threads of this process. */
  elsewhere?: ((threads: Runner, about: BuildAbout) => Runner) | undefined;
}

/** What must be known to run the tasks of a build elsewhere. */
interface BuildAbout {
  /** Identity of the program (see program.ts). */
  program: string;
  towns: readonly Town[];
  inputs: readonly Input[];
  /** A folder that goes when the dataset is published. */
  folder: string;
}

/** Threads that run the tasks of a build. */
export const buildThreads = (size: number, towns: readonly Town[]): WorkerPool =>
  new WorkerPool(new URL('./worker.ts', import.meta.url), size, { towns });

/** From so many buildings on memory is given back between stages. */
const MANY = 10_000;

/** Of the dataset, as of its sources. */
const LICENSE = 'CC-BY-4.0';

/** What a build did. Only `report` is the same however it was done; it is also in the manifest. */
export interface BuildOutcome {
  /** The dataset's folder. */
  dataset: string;
  datasetId: string;
  report: { sunlight: SunlightReport | null; kaigo: KaigoReport | null };
  /** Grid squares computed, found done and taken over; null without a sunlight half. */
  squares: { computed: number; resumed: number; reused: number } | null;
  /** Wall-clock seconds by stage. */
  seconds: Partial<Record<StageName, number>>;
}

/**
 * Builds a dataset from published files and puts it into the data folder, whole or not at all. Throws an error that
 * says what is wrong; what is done by then stays in the data folder for a build with `resume`.
 */
export async function build(options: BuildOptions): Promise<BuildOutcome> {
  const progress = new Progress(options.listener);
  if (options.offices.length > 0) await checkKaigo(options);
  return withBuildFolder(options, (folder) => {
    if (options.parts !== undefined) return writeJoined(options, options.parts, folder, progress);
    if (options.citygml.length === 0) return write(options, null, folder, progress);
    return withWorkers(options, progress, async (sunlight, pool) => {
      const planned = await planSunlight(sunlight, folder, pool, progress);
      if (planned.plan.totals.served === 0) throw new BuildError(nothingServed(planned.report));
      // What a stage leaves behind in memory is more than what the next one needs; for a small city it is nothing.
      const many = planned.plan.totals.buildings > MANY;
      if (many) await giveBack(pool);
      const half = await computeSunlight(planned, sunlight, folder, pool, progress);
      if (many) await giveBack(pool);
      return write(options, { half, pool }, folder, progress);
    });
  });
}

/** Writes one dataset of the datasets of parts. */
async function writeJoined(
  options: BuildOptions,
  parts: readonly string[],
  folder: BuildFolder,
  progress: Progress,
): Promise<BuildOutcome> {
  const { towns, readings, workers } = options;
  const townsRead = towns.length === 0 ? null : await readTownPaths(towns, readings);
  const pool = buildThreads(workers, []);
  try {
    const half = await progress.stage('merge', parts.length, 'parts', (advance) =>
      joinParts(parts, townsRead, folder, advance),
    );
    return await write(options, { half, pool }, folder, progress);
  } finally {
    await pool.stop();
  }
}

/** Gives back the memory that a stage has used, on the workers and on this thread. */
async function giveBack(pool: Runner): Promise<void> {
  await pool.stop();
  collectGarbage();
}

/** Why there would be nothing in the dataset: a newer one that is empty would take the place of a good one. */
function nothingServed({ buildings, findings }: SunlightReport): string {
  const reasons = Object.entries(findings).map(([reason, { count }]) => `${count} ${reason}`);
  const met = reasons.length > 0 ? `; met: ${reasons.join(', ')}` : '';
  return `no building can be served, so nothing is published: ${buildings.read} read, ${buildings.left_out} left out${met}`;
}

/**
 * Reads the city models and gives the plan of what would be computed, and the report; nothing is published. What was
 * read stays for a build with `resume`.
 */
export async function planOnly(options: BuildOptions): Promise<{ plan: Plan; report: SunlightReport }> {
  const progress = new Progress(options.listener);
  return withBuildFolder(options, (folder) =>
    withWorkers(options, progress, async (sunlight, pool) => {
      const { plan, report } = await planSunlight(sunlight, folder, pool, progress);
      return { plan, report };
    }),
  );
}

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

/** Runs the sunlight half on worker threads. */
async function withWorkers<T>(
  options: BuildOptions,
  progress: Progress,
  work: (sunlight: SunlightOptions, pool: Runner) => Promise<T>,
): Promise<T> {
  const found = await progress.stage('inputs', 0, 'files', () => findSunlightInputs(options, progress));
  const sunlight = {
    ...found,
    base: options.base,
    keepGoing: options.keepGoing,
    part: options.part ?? null,
    credit: options.credit ?? null,
    program: programDigest(),
  };
  const towns = found.towns?.towns ?? [];
  const threads = buildThreads(options.workers, towns);
  const about = {
    program: sunlight.program,
    towns,
    inputs: found.inputs,
    folder: join(options.out, '.build', 'elsewhere'),
  };
  const pool = options.elsewhere?.(threads, about) ?? threads;
  try {
    return await work(sunlight, pool);
  } finally {
    await pool.stop();
  }
}

async function findSunlightInputs(
  { citygml, towns, readings, keepGoing, part = null }: BuildOptions,
  progress: Progress,
): Promise<Pick<SunlightOptions, 'inputs' | 'unreadable' | 'towns'>> {
  const unreadable: LeftOut[] = [];
  const leaveOut = (name: string, problem: string): void => {
    unreadable.push({ label: basename(name), problem });
    progress.remark(`left out: ${problem}`);
  };
  const found = await findInputs(citygml, ['buildings'], keepGoing ? leaveOut : undefined);
  const others = found.passedOver.filter(({ kind }) => kind === 'zip');
  for (const { name, reason } of others) progress.remark(`passed over: ${name}: ${reason}`);
  const inputs = found.inputs.filter(({ label }) => part?.mayNeed(label) ?? true);
  if (inputs.length === 0) throw new BuildError(`no city model lies within 20 km of ${part?.codes.join(', ')}`);
  return { inputs, unreadable, towns: towns.length === 0 ? null : await readTownPaths(towns, readings) };
}

/** Writes both halves into a draft and publishes it. */
async function write(
  options: BuildOptions,
  computed: { half: SunlightHalf; pool: Runner } | null,
  folder: BuildFolder,
  progress: Progress,
): Promise<BuildOutcome> {
  const sunlight = computed?.half ?? null;
  const draft = await startDraft(options.out);
  try {
    const rows: Record<string, number> = {};
    const kaigo = await writeKaigo(options, draft, progress);
    for (const file of kaigo?.files ?? []) if (file.rows !== undefined) rows[file.name] = file.rows;
    const report = { sunlight: sunlight?.report ?? null, kaigo: kaigo?.report ?? null };
    const about = {
      dataset_id: await idOf(sunlight, kaigo, options),
      generated_at: options.generatedAt,
      reference_year: REFERENCE_YEAR,
    };
    if (computed && sunlight) {
      const credit = { ...about, license: LICENSE, attribution: sunlight.manifest.attribution };
      const written = await writeStage(sunlight, draft, credit, folder, computed.pool, progress);
      Object.assign(rows, written);
      const served = sunlight.squares.filter((square) => square.served > 0).map(({ square }) => square);
      const extent = coveredBy(served, Object.keys(written).map(wardOfBulk));
      if (extent !== null) sunlight.manifest.extent = extent;
      await mapStage(sunlight, draft, credit, computed.pool, progress);
    }
    await writeSearchIndex(draft, { sunlight: sunlight !== null, kaigo: kaigo !== null });
    const manifest = {
      ...about,
      halves: { sunlight: sunlight?.manifest ?? null, kaigo: kaigo?.manifest ?? null },
      program_version: programVersion(),
      report,
    };
    const dataset = await publishDataset(options.out, draft, manifest, { rows, signKey: options.signKey ?? null });
    await folder.remove();
    const squares = sunlight && { computed: sunlight.computed, resumed: sunlight.resumed, reused: sunlight.reused };
    return { dataset, datasetId: about.dataset_id, report, squares, seconds: progress.seconds };
  } catch (error) {
    // Before the draft goes: with it goes the proof that the disk was full.
    const failure = buildFailure(error, options.out);
    await rm(draft, { recursive: true, force: true });
    throw failure;
  }
}

async function writeKaigo(options: BuildOptions, out: string, progress: Progress): Promise<KaigoHalf | null> {
  const { offices, details, fees, asOf, mergeLists = false, dataThrough = null, credit = null } = options;
  if (offices.length === 0) return null;
  const remark = (line: string): void => progress.remark(line);
  return progress.stage('kaigo', 0, 'files', () =>
    buildKaigo({ offices, details, fees, asOf, mergeLists, dataThrough, credit, out, progress: remark }),
  );
}

/** The ID says what went in: the content of every input, the settings and the program; not where anything lay. */
async function idOf(
  sunlight: SunlightHalf | null,
  kaigo: KaigoHalf | null,
  { part, credit }: BuildOptions,
): Promise<string> {
  const inputs = [...(sunlight?.inputs ?? [])];
  for (const input of sunlight?.townInputs ?? []) {
    inputs.push({ label: basename(input.label), sha256: await sha256(input) });
  }
  inputs.push(...(kaigo?.inputs ?? []));
  const settings = {
    reference_year: REFERENCE_YEAR,
    kaigo: kaigo?.settings ?? null,
    ...(part && { part: part.codes }),
    ...(credit && { credit: credit.name }),
  };
  return datasetId({ programVersion: `${programVersion()}+${programDigest()}`, inputs, settings });
}

async function sha256(input: Input): Promise<string> {
  const hash = createHash('sha256');
  for await (const chunk of openInput(input)) hash.update(chunk);
  return hash.digest('hex');
}
