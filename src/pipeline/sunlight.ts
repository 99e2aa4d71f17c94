import { readFileSync } from 'node:fs';
import type { Town } from '../census/town.ts';
import { dateText } from '../city/square-file.ts';
import type { IndexedSquare } from '../city/square-summary.ts';
import type { HeightRule } from '../city/standing-height.ts';
import type { TerrainIndex } from '../city/terrain-squares.ts';
import type { GmlId, HashedGmlId } from '../dataset/gml-ids.ts';
import type { Credit, HalfManifest, HashedInput, InputManifest } from '../snapshot/manifest.ts';
import { REFERENCE_YEAR } from '../solar/solar-day.ts';
import { BaseDataset } from './base-dataset.ts';
import type { BuildFolder } from './build-folder.ts';
import { type ComputeStage, computeStage } from './compute-stage.ts';
import { groundStage } from './ground-stage.ts';
import type { Input } from './inputs.ts';
import { type CitySquare, gmlIdsIn, mergeStage } from './merge-stage.ts';
import type { Part } from './part.ts';
import { type Plan, type PlannedSquare, planBuild, sum } from './plan.ts';
import type { Progress } from './progress.ts';
import { type LeftOut, type ReadInput, type ReadStage, readStage } from './read-stage.ts';
import { addFindings, type FindingsByReason, reportedFindings, type SunlightReport } from './report.ts';
import type { GroundFit, TerrainRead } from './terrain.ts';
import type { TownsRead } from './towns.ts';
import type { Runner } from './worker-pool.ts';

export interface SunlightOptions {
  /** CityGML files. */
  inputs: readonly Input[];
  /** What was given as city models but could not be read. */
  unreadable: readonly LeftOut[];
  towns: TownsRead | null;
  /** Elevation of the ground; null without any. */
  terrain: TerrainRead | null;
  /** Folder of the dataset whose unchanged squares are reused, or null. */
  base: string | null;
  keepGoing: boolean;
  /** The part to compute and serve; null: all. */
  part: Part | null;
  /** How heights of measured buildings are chosen. */
  heights: HeightRule;
  /** The credit of the data, when it is not the publishers'. */
  credit: Credit | null;
  /** Identity of the program (see program.ts). */
  program: string;
}

/** The lists of the inputs, without the keys of the buildings. */
interface ReadLists extends Pick<ReadStage, 'leftOut'> {
  inputs: Pick<ReadInput, 'list'>[];
}

/** City models that are read and planned, before anything is computed. */
interface PlannedSunlight {
  read: ReadLists;
  squares: PlannedSquare[];
  city: Map<string, CitySquare>;
  terrain: TerrainIndex | null;
  plan: Plan;
  report: SunlightReport;
}

/** A computed sunlight half, ready to write. */
export interface SunlightHalf extends ComputeStage {
  report: SunlightReport;
  /** The inputs, for the dataset's ID. */
  inputs: readonly HashedInput[];
  /** The inputs of the joined parts. */
  inputsOfParts?: readonly InputManifest[];
  /** In order of code. Their files and trees are in the build folder. */
  squares: readonly IndexedSquare[];
  /** Its files lie in the build folder; null: none was given. */
  terrain: TerrainIndex | null;
  gmlIds: Iterable<GmlId | HashedGmlId>;
  towns: readonly Town[];
  /** The files of towns and of elevation: inputs, too, whose hashes are not made yet. */
  unhashedInputs: readonly Input[];
  manifest: HalfManifest;
}

/**
 * Reads the city models, merges their buildings by grid square, adds the ground if elevation was given, and plans which
 * squares are computed.
 */
export async function planSunlight(
  options: SunlightOptions,
  folder: BuildFolder,
  pool: Runner,
  progress: Progress,
): Promise<PlannedSunlight> {
  const { inputs, leftOut } = await readStage(options.inputs, folder, pool, progress, options);
  const { part } = options;
  const merged = await mergeStage(inputs, folder, pool, progress, options);
  // The lists alone: the keys of all buildings take much memory.
  const read: ReadLists = { inputs: inputs.map(({ list }) => ({ list })), leftOut };
  const { city, findings } = merged;
  // The squares around a part shade it, but this dataset does not serve them.
  const squares = merged.squares.map((square) =>
    part?.owns(square.square) === false ? { ...square, served: 0 } : square,
  );
  for (const { list } of read.inputs) addFindings(findings, list.findings);
  const ground = options.terrain && (await groundStage(squares, options.terrain.pieces, folder, pool, progress));
  const terrain = ground?.index ?? null;
  const plan = planBuild(squares, { program: options.program, referenceYear: REFERENCE_YEAR }, terrain);
  const report = sunlightReport(read, plan, findings, options, ground?.fit);
  return { read, squares, city, terrain, plan, report };
}

/**
 * Computes the sunlight of the buildings of a plan, and returns the finished half. Values that a base dataset has for
 * the same inputs are taken from it.
 */
export async function computeSunlight(
  planned: PlannedSunlight,
  options: SunlightOptions,
  folder: BuildFolder,
  pool: Runner,
  progress: Progress,
): Promise<SunlightHalf> {
  const base = options.base === null ? null : await BaseDataset.open(options.base);
  try {
    const stage = await computeStage(planned.plan, planned.city, base, folder, pool, progress);
    const squares = indexOf(planned);
    // The trees of the city and the needs of the units take most of a build's memory, and are no longer needed.
    planned.city.clear();
    planned.plan.units.length = 0;
    const manifest = halfManifest(planned, options);
    const towns = options.towns?.towns ?? [];
    const inputs = planned.read.inputs.map(({ list: { label, sha256 } }) => ({ label, sha256 }));
    const gmlIds = { [Symbol.iterator]: () => gmlIdsOfSquares(squares, folder) };
    const unhashedInputs = [...(options.towns?.inputs ?? []), ...(options.terrain?.inputs ?? [])];
    return {
      ...stage,
      report: planned.report,
      inputs,
      squares,
      terrain: planned.terrain,
      gmlIds,
      towns,
      unhashedInputs,
      manifest,
    };
  } finally {
    base?.close();
  }
}

/**
 * The index of the squares, each with its fingerprint (null: nothing is computed there), its tree and its kind of
 * terrain. `ladder`: how many buildings are higher than each metre. Digests (also those of the height
 * ladder) and points of placeholders are needed for the plan only, so they are not in the index.
 */
function indexOf({ squares, city, plan }: PlannedSunlight): IndexedSquare[] {
  const units = new Map(plan.units.map((unit) => [unit.square, unit]));
  return squares.map(({ digest: _, placeholders: __, ladder: { lowest, counts }, ...summary }) => {
    const merged = city.get(summary.square);
    if (merged === undefined) throw new Error(`grid square ${summary.square} is planned, but was not merged`);
    const { fingerprint = null, terrain } = units.get(summary.square) ?? {};
    const kind = terrain && { terrain: terrain.kind };
    return { ...summary, ladder: { lowest, counts }, fingerprint, tree: merged.tree, ...kind };
  });
}

/** The `gml:id`s of the buildings of all served squares. */
function* gmlIdsOfSquares(squares: readonly IndexedSquare[], folder: BuildFolder): Generator<GmlId> {
  for (const { square, served } of squares) {
    if (served > 0) yield* gmlIdsIn(readFileSync(folder.file(square, 'names'), 'utf8'));
  }
}

/**
 * The report of the half.
 * @param rawFindings counts and examples; the report adds their meanings
 * @param fit how the buildings stand on the ground; undefined without elevation
 */
function sunlightReport(
  read: ReadLists,
  plan: Plan,
  rawFindings: FindingsByReason,
  { towns, terrain }: SunlightOptions,
  fit: GroundFit | undefined,
): SunlightReport {
  const findings = reportedFindings(rawFindings);
  const countOf = (isWanted: (reason: string) => boolean): number =>
    sum(Object.keys(findings).filter(isWanted), (reason) => findings[reason].count);
  const leftOutByReader = sum(read.inputs, ({ list }) => list.leftOut);
  return {
    files: {
      read: read.inputs.length,
      bytes: sum(read.inputs, ({ list }) => list.bytes),
      left_out: read.leftOut.map(({ label, problem }) => ({ file: label, problem })),
    },
    buildings: {
      read: sum(read.inputs, ({ list }) => list.buildings) + leftOutByReader,
      merged: countOf((reason) => reason.startsWith('duplicate_') || reason === 'joined_body'),
      left_out: countOf((reason) => reason.startsWith('left_out_')) + leftOutByReader,
      shading: plan.totals.buildings,
      served: plan.totals.served,
    },
    grid_squares: plan.totals.squares,
    towns: towns?.report ?? null,
    ...(terrain && fit && { terrain: { ...terrain.report, ...fit } }),
    findings,
  };
}

/** The credits of the publishers. */
const PLATEAU = {
  name: '3D都市モデル（Project PLATEAU）',
  url: 'https://www.mlit.go.jp/plateau/',
  attribution: '国土交通省 Project PLATEAU（3D都市モデル）を加工して作成',
};
const CENSUS = {
  name: '令和2年国勢調査 町丁・字等別境界データ',
  url: 'https://www.e-stat.go.jp/',
  attribution: '政府統計の総合窓口（e-Stat）令和2年国勢調査 境界データを加工して作成',
};
/** The day of the census of 2020 (令和2年国勢調査). */
const CENSUS_DAY = '2020-10-01';
const POSTAL = {
  name: '郵便番号データ',
  url: 'https://www.post.japanpost.jp/zipcode/download.html',
  attribution: '日本郵便 郵便番号データを加工して作成',
};

/** The manifest of the half. Its sources are those of the publishers, or the credit that was given. */
function halfManifest(
  { read, report }: PlannedSunlight,
  { towns, terrain, credit, heights }: SunlightOptions,
): HalfManifest {
  const newest = read.inputs.reduce((date, { list }) => Math.max(date, list.newest), 0);
  const sources: HalfManifest['sources'] = [{ ...(credit ?? PLATEAU), date: dateText(newest) }];
  for (const terrainCredit of terrain?.credits ?? []) sources.push({ ...terrainCredit, date: null });
  // A given credit is for all data of the half but the terrain: then census and postal codes are not named.
  if (credit !== null) return sunlightManifest(sources, report, towns, heights);
  if (towns) sources.push({ ...CENSUS, date: CENSUS_DAY });
  if (towns?.inputs.some(({ kind }) => kind === 'postal_names')) sources.push({ ...POSTAL, date: null });
  return sunlightManifest(sources, report, towns, heights);
}

/** The manifest of a sunlight half with these sources. */
export function sunlightManifest(
  sources: HalfManifest['sources'],
  report: SunlightReport,
  towns: TownsRead | null,
  heights: HeightRule,
): HalfManifest {
  return {
    data_through: newestDay(sources.map(({ date }) => date)),
    sources,
    attribution: sources.map(({ attribution }) => attribution).join('、'),
    heights,
    counts: {
      buildings: report.buildings.served,
      shading_buildings: report.buildings.shading,
      grid_squares: report.grid_squares,
      towns: towns?.towns.length ?? 0,
    },
  };
}

/** The latest day; null when none is known. */
export const newestDay = (days: readonly (string | null)[]): string | null =>
  days
    .flatMap((day) => day ?? [])
    .sort()
    .at(-1) ?? null;
