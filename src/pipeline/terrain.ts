import { byCodeUnits } from '../formats/files.ts';
import type { Box } from '../geo/grid-square.ts';
import type { Credit } from '../snapshot/manifest.ts';
import { ELEVATION_NAMES, type ElevationPiece, type OpenedFile } from '../terrain/elevation-files.ts';
import { tilePlaceOf } from '../terrain/gsi-tile.ts';
import { findAllInputs, type Input, InputError } from './inputs.ts';
import type { Progress } from './progress.ts';
import { type Runner, type Task, TaskError } from './worker-pool.ts';

/** The credit of elevation tiles, XML and GeoTIFF. Relief of PLATEAU has the credit of the city model. */
const TERRAIN_CREDIT: Credit = {
  name: '標高タイル・基盤地図情報（数値標高モデル）',
  url: 'https://maps.gsi.go.jp/development/ichiran.html',
  attribution: '国土地理院 地理院タイル（標高タイル）・基盤地図情報（数値標高モデル）を加工して作成',
};
const RELIEF_CREDIT: Credit = {
  name: '3D都市モデル 地形（Project PLATEAU）',
  url: 'https://www.mlit.go.jp/plateau/',
  attribution: '国土交通省 Project PLATEAU（3D都市モデル 地形）を加工して作成',
};

/** Ground and base of a building that differ by more do not fit, metres. On a slope they differ by some metres. */
export const FAR_FROM_BASE_M = 5;

/** How the served buildings stand on the near ground. */
export interface GroundFit {
  receptors_under_ground: number;
  /**
   * Buildings where the elevation is known, and those where it is over `FAR_FROM_BASE_M` above or below the base. Many
   * of them mean that elevation and buildings are of different places or vertical datums.
   */
  bases: { compared: number; ground_above: number; ground_below: number };
  /** Served buildings where the elevation is not known, and grid squares without any known beyond 3 km. */
  unknown: { buildings: number; grid_squares_beyond_3_km: number };
}

/** Counts of what was read of terrain, and how it fits the buildings. */
export interface TerrainReport extends GroundFit {
  /** Files read, by kind. */
  files: { plateau: number; tiles: number; xml: number; geotiff: number };
  /** Cells with a height, without one, and with an impossible one, which counts as unknown. */
  cells: { known: number; unknown: number; implausible: number };
  /** Metres between the cells of the finest and of the coarsest file. */
  spacing: { finest: number; coarsest: number };
  /** Degrees. */
  extent: Box;
  /** Parts of relief that are not triangles. */
  passed_over: number;
  left_out: { file: string; problem: string }[];
}

type FilesReport = Omit<TerrainReport, keyof GroundFit>;

/** The given elevation as plain data for threads. `elevationOf(pieces)` returns heights. */
export interface TerrainRead {
  pieces: ElevationPiece[];
  report: FilesReport;
  inputs: Input[];
  credits: Credit[];
}

/** How elevation is read. */
interface ElevationReading {
  /** True: a file that cannot be read is left out and reported; false: it ends the build. */
  keepGoing: boolean;
  /** A folder for files that cannot be read in pieces. */
  scratch: string;
  /** The threads that read. */
  pool: Runner;
  progress: Progress;
}

/** The task of a thread: to check a file of elevation, and to say what is in it. */
export interface ElevationTask extends Task {
  kind: 'elevation';
  input: Input;
  scratch: string;
  /** Its number among all files. */
  number: number;
}

/**
 * Opens the elevation in some paths (folders, files, zips): relief of PLATEAU, elevation tiles and XML of 国土地理院,
 * GeoTIFF. The report lists the files that are left out.
 * @throws InputError when there is no elevation, or a path cannot be read
 * @throws TaskError without `keepGoing`: at the first file that cannot be read
 */
export async function readTerrainPaths(
  paths: readonly string[],
  { keepGoing, scratch, pool, progress }: ElevationReading,
): Promise<TerrainRead> {
  const leftOut: TerrainReport['left_out'] = [];
  const leaveOut = (file: string, problem: string): void => {
    leftOut.push({ file, problem });
    progress.remark(`left out: ${problem}`);
  };
  const files = await findAllInputs([...paths], keepGoing ? leaveOut : undefined);
  // A file that was given by its own path is read whatever its name.
  const inputs = files.filter((input) => isElevation(input) || paths.includes(input.name));
  if (inputs.length === 0) throw new InputError(`${paths.join(', ')}: no elevation in it; ${EXPECTED}`);
  const read: TerrainRead = { pieces: [], report: emptyReport(leftOut), inputs: [], credits: [] };
  const total = inputs.reduce((sum, { size }) => sum + size, 0);
  await progress.stage('terrain', total, 'bytes', async (advance) => {
    const openOne = async (input: Input, number: number): Promise<OpenedFile | null> => {
      const task: ElevationTask = { kind: 'elevation', name: input.name, input, scratch, number };
      const openedFile = await pool.run<OpenedFile>(task).catch((error: unknown) => {
        if (!(keepGoing && error instanceof TaskError && error.isOfFile)) throw error;
        leaveOut(input.label, error.message);
        return null;
      });
      advance(input.size);
      return openedFile;
    };
    const openedFiles = await Promise.all(inputs.map(openOne));
    for (const [number, file] of openedFiles.entries()) if (file !== null) addFile(read, inputs[number], file);
  });
  leftOut.sort((a, b) => byCodeUnits(a.file, b.file));
  if (read.pieces.length === 0) throw new InputError(`${paths.join(', ')}: no elevation could be read; ${EXPECTED}`);
  const { plateau, tiles, xml, geotiff } = read.report.files;
  if (plateau > 0) read.credits.push(RELIEF_CREDIT);
  if (tiles + xml + geotiff > 0) read.credits.push(TERRAIN_CREDIT);
  return read;
}

/** The fit of no buildings. */
export const noFit = (): GroundFit => ({
  receptors_under_ground: 0,
  bases: { compared: 0, ground_above: 0, ground_below: 0 },
  unknown: { buildings: 0, grid_squares_beyond_3_km: 0 },
});

/** Adds the counts of one fit to a sum. */
export function addFit(sum: GroundFit, { receptors_under_ground, bases, unknown }: GroundFit): void {
  sum.receptors_under_ground += receptors_under_ground;
  sum.bases.compared += bases.compared;
  sum.bases.ground_above += bases.ground_above;
  sum.bases.ground_below += bases.ground_below;
  sum.unknown.buildings += unknown.buildings;
  sum.unknown.grid_squares_beyond_3_km += unknown.grid_squares_beyond_3_km;
}

/** The report of joined parts: the sum of their counts, over all their extents; undefined when no part has elevation. */
export function joinedTerrain(reports: readonly TerrainReport[]): TerrainReport | undefined {
  if (reports.length === 0) return undefined;
  const leftOut = reports.flatMap(({ left_out }) => left_out);
  const joined: TerrainReport = { ...emptyReport(leftOut), ...noFit() };
  for (const { files, cells, spacing, extent, passed_over, ...fit } of reports) {
    addFit(joined, fit);
    for (const kind of KINDS) joined.files[kind] += files[kind];
    for (const state of STATES) joined.cells[state] += cells[state];
    joined.passed_over += passed_over;
    // Both ends of the part's range of spacings.
    for (const metres of [spacing.finest, spacing.coarsest]) widen(joined, metres, extent);
  }
  return joined;
}

const KINDS = ['plateau', 'tiles', 'xml', 'geotiff'] as const;
const STATES = ['known', 'unknown', 'implausible'] as const;

/**
 * Widens the range of spacings and the extent of a report, so that they include a piece of elevation.
 * @param metres between the cells of the piece
 */
function widen({ spacing, extent }: FilesReport, metres: number, { west, south, east, north }: Box): void {
  spacing.finest = Math.min(spacing.finest, metres);
  spacing.coarsest = Math.max(spacing.coarsest, metres);
  extent.west = Math.min(extent.west, west);
  extent.south = Math.min(extent.south, south);
  extent.east = Math.max(extent.east, east);
  extent.north = Math.max(extent.north, north);
}

const EXPECTED =
  'expected CityGML of PLATEAU (dem), elevation tiles ({z}/{x}/{y}.png or .txt), XML (FG-GML … DEM) or GeoTIFF (.tif) of 国土地理院';

/** True when the name of a file in a folder or zip is that of elevation. */
function isElevation({ name, kind }: Input): boolean {
  if (!ELEVATION_NAMES.test(name) || kind === 'code_list') return false;
  // PLATEAU has other themes, and 国土地理院 other XML.
  if (/gml$/i.test(name)) return kind === 'terrain';
  if (/xml$/i.test(name)) return /FG-GML.*DEM/i.test(name.slice(name.lastIndexOf('/') + 1));
  return /tiff?$/i.test(name) || tilePlaceOf(name) !== null;
}

/** The report before any file is added. */
const emptyReport = (left_out: TerrainReport['left_out']): FilesReport => ({
  files: { plateau: 0, tiles: 0, xml: 0, geotiff: 0 },
  cells: { known: 0, unknown: 0, implausible: 0 },
  spacing: { finest: Infinity, coarsest: 0 },
  extent: { west: Infinity, south: Infinity, east: -Infinity, north: -Infinity },
  passed_over: 0,
  left_out,
});

/** Adds a file to what was read. */
function addFile({ pieces, report, inputs }: TerrainRead, input: Input, opened: OpenedFile): void {
  const { files, cells } = report;
  files[kindOf(input.name)]++;
  cells.known += opened.known;
  cells.unknown += opened.unknown;
  cells.implausible += opened.implausible;
  report.passed_over += opened.passedOver;
  for (const piece of opened.pieces) {
    pieces.push(piece);
    widen(report, piece.spacing, piece);
  }
  inputs.push(input);
}

/** The kind of an elevation file, by its name. */
function kindOf(name: string): keyof TerrainReport['files'] {
  if (/gml$/i.test(name)) return 'plateau';
  if (/xml$/i.test(name)) return 'xml';
  return /tiff?$/i.test(name) ? 'geotiff' : 'tiles';
}
