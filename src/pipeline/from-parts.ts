import { copyFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import {
  type IndexedSquare,
  parseSquareIndex,
  SQUARES_INDEX,
  squareFileName,
  treeFileName,
} from '../city/square-summary.ts';
import type { HeightRule } from '../city/standing-height.ts';
import {
  farTerrainName,
  type NearTerrain,
  nearTerrainName,
  TERRAIN_INDEX,
  type TerrainIndex,
} from '../city/terrain-squares.ts';
import { gmlIdsOf, type HashedGmlId } from '../dataset/gml-ids.ts';
import { bySquareCode } from '../geo/grid-square.ts';
import { openFiles } from '../snapshot/dataset-files.ts';
import type { HalfManifest, Manifest } from '../snapshot/manifest.ts';
import { ADDRESS_REGISTRY } from './addresses.ts';
import { BaseDataset } from './base-dataset.ts';
import { BuildError, type BuildFolder } from './build-folder.ts';
import { sum } from './plan.ts';
import { programVersion } from './program.ts';
import { PART_LABEL } from './provenance.ts';
import { addFindings, type FindingsByReason, reportedFindings, type SunlightReport } from './report.ts';
import { checkedResults, mergedResults, type ResultFile } from './result-file.ts';
import { newestDay, type SunlightHalf, sunlightManifest } from './sunlight.ts';
import { joinedTerrain } from './terrain.ts';
import type { TownsRead } from './towns.ts';

/** A dataset of one part of the country. */
interface PartDataset {
  folder: string;
  manifest: Manifest;
  half: HalfManifest;
  index: IndexedSquare[];
  /** Null: it was built without elevation. */
  terrain: TerrainIndex | null;
}

/** A grid square in the index of the part from which it is taken. */
interface Owner {
  part: PartDataset;
  entry: IndexedSquare;
}

/** The results of a grid square, and the part that serves it. */
interface ServedSquare {
  part: PartDataset;
  square: string;
  results: ResultFile;
}

/**
 * Joins the sunlight halves of the datasets of parts. Every grid square comes from the part that serves it; squares
 * that only shade come from the first part that has them. Copies their files to the build folder.
 * @param advance called after each part
 * @throws BuildError when parts serve the same grid square or building, or were built by another version
 * @throws DatasetError when a folder is not a complete dataset
 */
export async function joinParts(
  folders: readonly string[],
  towns: TownsRead | null,
  folder: BuildFolder,
  advance: (parts: number) => void,
): Promise<SunlightHalf> {
  const parts: PartDataset[] = [];
  for (const path of folders) parts.push(await partAt(path));
  const owners = ownersOf(parts);
  const served: ServedSquare[] = [];
  for (const part of parts) {
    served.push(...(await takeSquares(part, owners, folder)));
    advance(1);
  }
  checkBuildings(served);
  const results = served.map((square) => square.results);
  const terrain = await takeTerrain(parts, folder);
  const squares = [...owners.values()].map(({ entry }) => entry).sort(bySquareCode);
  const report = joinedReport(parts, squares, towns);
  return {
    results,
    computed: 0,
    resumed: 0,
    reused: results.length,
    report,
    terrain,
    // The ID of a part stands for its inputs: it is the first digits of a hash of them and of the settings.
    inputs: parts.map(({ manifest }) => ({ label: PART_LABEL, sha256: manifest.dataset_id })),
    inputsOfParts: parts.flatMap(({ manifest }) => manifest.inputs),
    squares,
    gmlIds: await gmlIdsOfParts(parts),
    towns: towns?.towns ?? [],
    unhashedInputs: towns?.inputs ?? [],
    manifest: joinedManifest(parts, report, towns),
  };
}

/** Opens the dataset of a part and reads its indexes. */
async function partAt(folder: string): Promise<PartDataset> {
  const files = await openFiles(folder);
  try {
    const { manifest } = files;
    const half = manifest.halves.sunlight;
    if (half === null) throw new BuildError(`${folder}: has no sunlight half`);
    if (manifest.program_version !== programVersion()) {
      throw new BuildError(`${folder}: was built by ${manifest.program_version}, this is ${programVersion()}`);
    }
    const index = parseSquareIndex(await files.read(SQUARES_INDEX));
    const terrain: TerrainIndex | null =
      TERRAIN_INDEX in manifest.files ? JSON.parse((await files.read(TERRAIN_INDEX)).toString()) : null;
    return { folder, manifest, half, index, terrain };
  } finally {
    files.close();
  }
}

/**
 * The part from which each grid square is taken: the one that serves it, else the first that has it.
 * @throws BuildError when two parts serve the same grid square
 */
function ownersOf(parts: readonly PartDataset[]): Map<string, Owner> {
  const owners = new Map<string, Owner>();
  const serving = new Map<string, PartDataset>();
  for (const part of parts) {
    for (const entry of part.index) {
      const { square, fingerprint } = entry;
      if (!owners.has(square)) owners.set(square, { part, entry });
      // Only a served square has results, so a fingerprint.
      if (fingerprint === null) continue;
      const other = serving.get(square);
      if (other) throw new BuildError(`grid square ${square} is served by both ${other.folder} and ${part.folder}`);
      serving.set(square, part);
      owners.set(square, { part, entry });
    }
  }
  return owners;
}

/** Copies the files of the squares that are taken from a part, and returns the results of those that it serves. */
async function takeSquares(
  part: PartDataset,
  owners: ReadonlyMap<string, Owner>,
  folder: BuildFolder,
): Promise<ServedSquare[]> {
  const base = await BaseDataset.open(part.folder);
  const served: ServedSquare[] = [];
  try {
    for (const { square, fingerprint } of part.index) {
      if (owners.get(square)?.part !== part) continue;
      await copyFile(join(part.folder, squareFileName(square)), folder.file(square, 'square'));
      await copyFile(join(part.folder, treeFileName(square)), folder.file(square, 'tree'));
      // A square without a fingerprint only shades: it has no results.
      if (fingerprint === null) continue;
      const out = folder.result({ square, fingerprint });
      const bytes = base?.resultsOf({ square, fingerprint }, folder.file(square, 'square')) ?? null;
      if (bytes === null)
        throw new BuildError(`${part.folder}: damaged: buildings of grid square ${square} are missing`);
      await writeFile(out, bytes);
      served.push({ part, square, results: checkedResults(out, { square, fingerprint }) });
    }
  } finally {
    base?.close();
  }
  return served;
}

/**
 * Copies the terrain of the parts. The ground of a square is the same in all of them; the far terrain is that of the
 * part that serves it.
 * @throws BuildError when some were built with other elevation, or without
 */
async function takeTerrain(parts: readonly PartDataset[], folder: BuildFolder): Promise<TerrainIndex | null> {
  const groundBySquare = new Map<string, { part: PartDataset; entry: NearTerrain }>();
  const joined: TerrainIndex = { near: [], far: [] };
  const partWithout = parts.find(({ terrain }) => terrain === null);
  if (partWithout !== undefined) {
    const partWith = parts.find(({ terrain }) => terrain !== null);
    if (partWith === undefined) return null;
    throw new BuildError(
      `${partWithout.folder}: was built without --terrain, ${partWith.folder} with it: build one again`,
    );
  }
  const copyTerrain = (part: PartDataset, name: string): Promise<void> =>
    copyFile(join(part.folder, name), folder.terrainFile(name));
  for (const part of parts) {
    for (const entry of part.terrain?.near ?? []) {
      const firstGround = groundBySquare.get(entry.square);
      if (firstGround === undefined) {
        groundBySquare.set(entry.square, { part, entry });
        await copyTerrain(part, nearTerrainName(entry.square));
      } else if (firstGround.entry.digest !== entry.digest) {
        throw new BuildError(
          `grid square ${entry.square}: its ground differs in ${firstGround.part.folder} and ${part.folder}: build both with the same elevation`,
        );
      }
    }
    for (const entry of part.terrain?.far ?? []) {
      joined.far.push(entry);
      await copyTerrain(part, farTerrainName(entry.square));
    }
  }
  joined.near = [...groundBySquare.values()].map(({ entry }) => entry).sort(bySquareCode);
  joined.far.sort(bySquareCode);
  return joined;
}

/**
 * Checks that every building is served once. A part finds duplicates only among the city models that it reads.
 * @throws BuildError with the two grid squares that serve the same building
 */
function checkBuildings(served: readonly ServedSquare[]): void {
  const squares = new Map(served.map((square) => [square.results, square]));
  // The rows come in order of ID. So the rows of one building follow each other.
  let before: ServedSquare | undefined;
  let idBefore = '';
  for (const { file, buildingId: id } of mergedResults([...squares.keys()])) {
    const current = squares.get(file);
    if (before && current && id === idBefore) {
      const servers = [before, current].map(({ part, square }) => `${part.folder} (grid square ${square})`);
      throw new BuildError(
        `building ${id} is served by both ${servers.join(' and ')}: parts that lie far apart do not read each other's ` +
          'city models; correct the ID in one of these, or build both grid squares in one part, ' +
          `--part …,${before.square},${current.square}, which keeps one of the two`,
      );
    }
    [before, idBefore] = [current, id];
  }
}

/** The `gml:id`s of all parts. The datasets are opened now, because an iterator cannot wait; it reads the IDs. */
async function gmlIdsOfParts(parts: readonly PartDataset[]): Promise<Iterable<HashedGmlId>> {
  const partFiles = await Promise.all(parts.map(({ folder }) => openFiles(folder)));
  return (function* () {
    for (const files of partFiles) {
      yield* gmlIdsOf(files);
      files.close();
    }
  })();
}

/** The sum of the parts' reports. A city model that several parts read counts in each. */
function joinedReport(
  parts: readonly PartDataset[],
  squares: readonly IndexedSquare[],
  towns: TownsRead | null,
): SunlightReport {
  const reports = parts.map(({ manifest }) => manifest.report.sunlight as SunlightReport);
  const terrain = joinedTerrain(reports.flatMap((report) => report.terrain ?? []));
  const findings: FindingsByReason = {};
  for (const report of reports) addFindings(findings, report.findings);
  return {
    files: {
      read: sum(reports, ({ files }) => files.read),
      bytes: sum(reports, ({ files }) => files.bytes),
      left_out: reports.flatMap(({ files }) => files.left_out),
    },
    buildings: {
      read: sum(reports, ({ buildings }) => buildings.read),
      merged: sum(reports, ({ buildings }) => buildings.merged),
      left_out: sum(reports, ({ buildings }) => buildings.left_out),
      // From the squares: a building that shades in several parts counts once.
      shading: sum(squares, ({ buildings }) => buildings),
      served: sum(squares, ({ served }) => served),
    },
    grid_squares: squares.length,
    towns: towns?.report ?? null,
    ...(terrain && { terrain }),
    findings: reportedFindings(findings),
  };
}

/**
 * The height rule of all parts.
 * @throws BuildError when they have different ones
 */
function heightsOf([first, ...others]: readonly PartDataset[]): HeightRule {
  const rule = first?.half.heights ?? 'solid';
  for (const { half, folder } of others) {
    if (half.heights === rule) continue;
    throw new BuildError(
      `${folder}: was built with --heights ${half.heights}, ${first?.folder} with --heights ${rule}: build one again`,
    );
  }
  return rule;
}

/** The manifest of the joined sunlight half. A source of several parts is listed once, with its newest day. */
function joinedManifest(parts: readonly PartDataset[], report: SunlightReport, towns: TownsRead | null): HalfManifest {
  // The addresses of parts are not used: a join reads the registry itself, and then adds it to the sources.
  const byName = Map.groupBy(
    parts.flatMap(({ half }) => half.sources.filter(({ name }) => name !== ADDRESS_REGISTRY.name)),
    ({ name }) => name,
  );
  const sources = [...byName.values()].map((sameName) => ({
    ...sameName[0],
    date: newestDay(sameName.map(({ date }) => date)),
  }));
  return sunlightManifest(sources, report, towns, heightsOf(parts));
}
