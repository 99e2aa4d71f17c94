import type { KeyObject } from 'node:crypto';
import { rm } from 'node:fs/promises';
import { basename, join } from 'node:path';
import type { HeightRule } from '../city/standing-height.ts';
import { ADDRESS_INDEX, writeAddresses } from '../dataset/address-index.ts';
import { coveredBy } from '../dataset/dataset.ts';
import { writeSearchIndex } from '../dataset/search-index.ts';
import { STATIONS_FILE, writeStations } from '../dataset/stations.ts';
import { wardOfBulk } from '../dataset/sunlight.ts';
import { SUNSHINE_INDEX, writeSunshine } from '../dataset/sunshine-index.ts';
import type { BulkCredit } from '../export/sunlight-bulk.ts';
import { dayInJapan } from '../kaigo/price-list.ts';
import type { Landmark } from '../landmarks/landmark.ts';
import { type Credit, datasetId, type HalfManifest } from '../snapshot/manifest.ts';
import { publishDataset, startDraft } from '../snapshot/publish.ts';
import { REFERENCE_YEAR } from '../solar/solar-day.ts';
import { ADDRESS_REGISTRY, type AddressesRead, readAddressPaths, servedAddressBlocks } from './addresses.ts';
import { type BuildFolder, buildFailure } from './build-folder.ts';
import { type Input, sha256Of } from './inputs.ts';
import type { KaigoBuildOptions, KaigoHalf } from './kaigo.ts';
import type { KaigoReport } from './kaigo-report.ts';
import {
  LANDMARK_CREDIT,
  type LandmarksRead,
  landmarksWithin,
  readLandmarkPaths,
  stationsOf,
  withReadings,
} from './landmarks.ts';
import { mapBounds, mapStage } from './map-stage.ts';
import { type NormalsRead, readNormalPaths, servedNormals } from './normals.ts';
import type { Part } from './part.ts';
import { programDigest, programVersion } from './program.ts';
import type { Progress } from './progress.ts';
import { type BuildInput, type InputOrigin, withOrigins } from './provenance.ts';
import type { SunlightReport } from './report.ts';
import type { SunlightHalf } from './sunlight.ts';
import type { TownsRead } from './towns.ts';
import { allSettled, collectGarbage, type Runner } from './worker-pool.ts';
import { type WriteTarget, writeStage } from './write-stage.ts';

/** The licence of the dataset and of its sources. */
const LICENSE = 'CC-BY-4.0';

/** The other inputs of a dataset, besides its sunlight half, and options. Those of the care half are among them. */
export interface DatasetOptions extends Omit<KaigoBuildOptions, 'builtOn' | 'out' | 'progress' | 'towns'> {
  /** The data folder. The dataset becomes a folder in it. */
  out: string;
  /** The part of the city models to compute and serve; null: all. */
  part?: Part | null;
  /** The heights of measured buildings; by default those of the published solids. */
  heights?: HeightRule;
  /** Files of the address registry; without any, addresses are found to the chome. */
  addresses?: readonly string[];
  /** Normals of sunshine; without any, there are no expected hours. */
  normals?: readonly string[];
  /** Files of railways, water, parks and roads for the map. */
  landmarks?: readonly string[];
  /** The sources of the files, if known. */
  origins?: readonly InputOrigin[];
  /** Private Ed25519 key that signs the manifest. */
  signKey?: KeyObject | null;
  /** Time of the build, RFC 3339. */
  generatedAt: string;
}

/** A published dataset. */
export interface WrittenDataset {
  /** The dataset's folder. */
  dataset: string;
  dataset_id: string;
  report: { sunlight: SunlightReport | null; kaigo: KaigoReport | null };
  /** Grid squares computed, already finished, and reused; null without a sunlight half. */
  squares: { computed: number; resumed: number; reused: number } | null;
}

/** A sunlight half, and the runner for its remaining tasks. */
export interface ComputedSunlight {
  half: SunlightHalf;
  pool: Runner;
}

/** A sunlight half that is still to be computed. */
interface SunlightToCome {
  /** Computes the half. */
  compute(): Promise<ComputedSunlight>;
  /**
   * True: the care half is made after the sunlight half, not meanwhile. A computation on other machines may end the build
   * early (`StepsListed`), and the next build would make the care half again.
   */
  careWaits: boolean;
}

/**
 * Writes the halves into a draft and publishes it. The care half is made while the sunlight half is computed, unless it
 * must wait (`careWaits`).
 */
export async function writeDataset(
  options: DatasetOptions,
  sunlight: SunlightToCome | null,
  towns: TownsRead | null,
  folder: BuildFolder,
  progress: Progress,
): Promise<WrittenDataset> {
  const draft = await startDraft(options.out);
  try {
    /** What is read from paths; null without paths or without a sunlight half. */
    const ifGiven = async <T>(paths: readonly string[] = [], read: (paths: readonly string[]) => Promise<T>) =>
      sunlight === null || paths.length === 0 ? null : await read(paths);
    const addresses = await ifGiven(options.addresses, readAddressPaths);
    const normals = await ifGiven(options.normals, readNormalPaths);
    const landmarks = await ifGiven(options.landmarks, readLandmarkPaths);
    const computing = sunlight?.compute() ?? Promise.resolve(null);
    if (sunlight?.careWaits) await computing;
    const [computed, kaigo] = await allSettled([computing, writeKaigo(options, towns, draft, progress)]);
    const halves = { computed, kaigo, towns, addresses, normals, landmarks };
    const outcome = await finish(options, draft, halves, folder, progress);
    await folder.remove();
    return outcome;
  } catch (error) {
    // Check before the draft is removed: afterwards the disk may no longer be full.
    const failure = buildFailure(error, options.out);
    await rm(draft, { recursive: true, force: true });
    throw failure;
  }
}

/** The halves of a dataset, and what was read to complete the sunlight half. */
interface Halves {
  computed: ComputedSunlight | null;
  kaigo: KaigoHalf | null;
  towns: TownsRead | null;
  addresses: AddressesRead | null;
  normals: NormalsRead | null;
  landmarks: LandmarksRead | null;
}

/**
 * Completes the draft (the folder in which a dataset is made) and publishes it: writes the files of the sunlight half and
 * the search index. The files of the care half are there already.
 */
async function finish(
  options: DatasetOptions,
  draft: string,
  { computed, kaigo, towns, addresses, normals, landmarks }: Halves,
  folder: BuildFolder,
  progress: Progress,
): Promise<WrittenDataset> {
  const sunlight = computed?.half ?? null;
  const rows: Record<string, number> = {};
  for (const file of kaigo?.files ?? []) if (file.rows !== undefined) rows[file.name] = file.rows;
  const otherInputs = [
    ...(addresses?.inputs ?? []),
    ...(normals?.inputs ?? []),
    ...(landmarks?.inputs ?? []),
    // With a sunlight half, the towns are among its inputs.
    ...(sunlight === null ? (towns?.inputs ?? []) : []),
  ];
  const inputs = await inputsOf(sunlight, kaigo, otherInputs);
  const about = {
    dataset_id: idOf(inputs, kaigo, options),
    generated_at: options.generatedAt,
    reference_year: REFERENCE_YEAR,
  };
  const writeSearch = (): Promise<void> => {
    // The care half of a country leaves much unused memory. It is freed before the index takes more.
    if (kaigo?.isCountry) collectGarbage();
    const has = { sunlight: sunlight !== null, kaigo: kaigo !== null, stations: landmarks !== null };
    return writeSearchIndex(draft, has);
  };
  if (computed === null) await writeSearch();
  else {
    const target = { draft, folder, pool: computed.pool, progress };
    const inputsRead = { towns, addresses, normals, landmarks };
    // The search index reads the store. It is written as soon as the store is, while the map is still made.
    Object.assign(rows, await writeSunlightHalf(computed.half, inputsRead, about, target, writeSearch));
  }
  const manifest = {
    ...about,
    halves: { sunlight: sunlight?.manifest ?? null, kaigo: kaigo?.manifest ?? null },
    program_version: programVersion(),
    inputs: withOrigins(inputs, options.origins ?? [], sunlight?.inputsOfParts ?? []),
    report: { sunlight: sunlight?.report ?? null, kaigo: kaigo?.report ?? null },
  };
  const dataset = await publishDataset(options.out, draft, manifest, { rows, signKey: options.signKey ?? null });
  const squares = sunlight && { computed: sunlight.computed, resumed: sunlight.resumed, reused: sunlight.reused };
  return { dataset, dataset_id: about.dataset_id, report: manifest.report, squares };
}

/**
 * Writes the computed sunlight half, its map, and the addresses, normals and stations of its squares into the draft.
 * Records them in its manifest and report.
 * @param about what its bulk files and its map say of the dataset, beside licence and attribution
 * @param writeSearch writes the search index; called when the store is written
 * @returns the number of rows of each bulk file, by name
 */
async function writeSunlightHalf(
  half: SunlightHalf,
  { towns, addresses, normals, landmarks }: Omit<Halves, 'computed' | 'kaigo'>,
  about: Omit<BulkCredit, 'license' | 'attribution'>,
  target: WriteTarget,
  writeSearch: () => Promise<void>,
): Promise<Record<string, number>> {
  const { draft } = target;
  const servedSquares = half.squares.filter(({ served }) => served > 0).map(({ square }) => square);
  if (addresses !== null) await addAddresses(draft, half, addresses, servedSquares);
  if (normals !== null) await addNormals(draft, half, normals, servedSquares);
  const drawnLandmarks = landmarks === null ? [] : await addLandmarks(draft, half, landmarks, towns);
  const credit = { ...about, license: LICENSE, attribution: half.manifest.attribution };
  const [rows] = await allSettled([
    writeStage(half, credit, target, writeSearch),
    mapStage(half, target, credit, drawnLandmarks),
  ]);
  const extent = coveredBy(servedSquares, Object.keys(rows).map(wardOfBulk));
  if (extent !== null) half.manifest.extent = extent;
  return rows;
}

/** Writes the blocks of the registry in served squares, and records them in manifest and report. */
async function addAddresses(
  draft: string,
  { manifest, report }: SunlightHalf,
  addresses: AddressesRead,
  squares: readonly string[],
): Promise<void> {
  const served = servedAddressBlocks(addresses, squares);
  await writeAddresses(join(draft, ADDRESS_INDEX), served.blocks);
  report.addresses = served.report;
  manifest.counts.address_blocks = served.report.blocks;
  addSource(manifest, ADDRESS_REGISTRY);
}

/** Writes the sunshine of a normal year in the squares with served buildings, and records it in manifest and report. */
async function addNormals(
  draft: string,
  { manifest, report }: SunlightHalf,
  normals: NormalsRead,
  squares: readonly string[],
): Promise<void> {
  const served = servedNormals(normals, squares);
  await writeSunshine(join(draft, SUNSHINE_INDEX), served);
  report.normals = served.report;
  manifest.counts.sunshine_squares = served.report.squares;
  for (const credit of normals.credits) addSource(manifest, credit);
}

/** Writes the stations of the landmarks on the map, and records the landmarks in manifest and report. Returns them. */
async function addLandmarks(
  draft: string,
  { manifest, report, squares }: SunlightHalf,
  landmarks: LandmarksRead,
  towns: TownsRead | null,
): Promise<Landmark[]> {
  const areas = towns?.towns ?? [];
  const drawn = withReadings(landmarksWithin(landmarks, mapBounds(squares)), areas);
  await writeStations(join(draft, STATIONS_FILE), stationsOf(drawn, areas));
  report.landmarks = landmarks.report;
  if (landmarks.hasNationalLandData) addSource(manifest, LANDMARK_CREDIT);
  return drawn;
}

/** Adds a source to the manifest of a half, and to its attribution. */
function addSource(manifest: HalfManifest, credit: Credit): void {
  manifest.sources.push({ ...credit, date: null });
  manifest.attribution = manifest.sources.map(({ attribution }) => attribution).join('、');
}

/** Builds the care half into the draft; null without office lists. */
async function writeKaigo(
  options: DatasetOptions,
  towns: TownsRead | null,
  out: string,
  progress: Progress,
): Promise<KaigoHalf | null> {
  if (options.offices.length === 0) return null;
  const builtOn = dayInJapan(new Date(options.generatedAt));
  const { buildKaigo } = await import('./kaigo.ts');
  return progress.stage('kaigo', 0, 'files', () =>
    buildKaigo({
      ...options,
      builtOn,
      out,
      progress: (line) => progress.remark(line),
      towns: towns?.towns ?? [],
    }),
  );
}

/** Every input of a build. The readers order theirs by label, so that the order does not depend on folders. */
async function inputsOf(
  sunlight: SunlightHalf | null,
  kaigo: KaigoHalf | null,
  others: readonly Input[],
): Promise<BuildInput[]> {
  const inputs: BuildInput[] = [...(sunlight?.inputs ?? [])];
  for (const input of [...(sunlight?.unhashedInputs ?? []), ...others]) {
    inputs.push({ label: basename(input.label), sha256: await sha256Of(input), path: input.path });
  }
  inputs.push(...(kaigo?.inputs ?? []));
  return inputs;
}

/** The ID of the dataset. It depends on the content of every input, the settings and the program, not on folders. */
function idOf(
  inputs: readonly BuildInput[],
  kaigo: KaigoHalf | null,
  { part, credit, heights = 'solid' }: DatasetOptions,
): string {
  // Settings at their default are left out.
  const settings = {
    reference_year: REFERENCE_YEAR,
    kaigo: kaigo?.settings ?? null,
    ...(part && { part: part.codes }),
    ...(heights !== 'solid' && { heights }),
    ...(credit && { credit: credit.name }),
  };
  return datasetId({
    programVersion: `${programVersion()}+${programDigest()}`,
    inputs: inputs.map(({ label, sha256 }) => ({ label, sha256 })),
    settings,
  });
}
