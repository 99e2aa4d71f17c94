import type { SquareNormals } from '../dataset/sunshine-index.ts';
import { KM_PER_DEGREE, RADIANS } from '../geo/degree.ts';
import { gridSquareCentre, isInJapan } from '../geo/grid-square.ts';
import type { Credit } from '../snapshot/manifest.ts';
import {
  checkMonths,
  isStationFile,
  isStationList,
  type MeshNormals,
  type PlacedNormal,
  readEpwShares,
  readHourShares,
  readMeshGml,
  readMeshTable,
  readPlacedNormals,
  readStationList,
  readStationNormals,
  stationOfFile,
  tableColumns,
} from '../weather/read-normals.ts';
import type { SunshineNormal } from '../weather/sunshine.ts';
import { findInputs, type Input, InputError, readInput } from './inputs.ts';

/** The credit of mesh normals. */
const MESH_CREDIT: Credit = {
  name: '国土数値情報 平年値（気候）メッシュデータ',
  url: 'https://nlftp.mlit.go.jp/ksj/gml/datalist/KsjTmplt-G02-2022.html',
  attribution: '国土交通省 国土数値情報（平年値メッシュ）と気象庁のメッシュ平年値を加工して作成',
};
/** The credit of stations and of tables of places. */
const STATION_CREDIT: Credit = {
  name: '気象庁 平年値（日照時間）',
  url: 'https://www.data.jma.go.jp/stats/data/mdrr/normal/index.html',
  attribution: '気象庁の平年値（日照時間）を加工して作成',
};

/** A normal of a place is used up to this distance, km. */
const MOST_KM = 50;

/** Counts of what was read of normals. */
export interface NormalsReport {
  /** Names of the files read. */
  files: string[];
  /** Grid squares of mesh normals, and those of them without a value. */
  mesh_squares: number;
  mesh_unknown: number;
  /** Places of tables and stations, and stations without a usable normal. */
  places: number;
  stations_unknown: number;
  by_hour: boolean;
  /** Served grid squares with a normal, and without. */
  squares: number;
  squares_without: number;
}

/** The normals of sunshine that were read. */
export interface NormalsRead {
  /** Hours by month, by code of the grid square. */
  mesh: ReadonlyMap<string, readonly number[]>;
  places: readonly PlacedNormal[];
  shares: SunshineNormal['shares'];
  credits: readonly Credit[];
  report: NormalsReport;
  inputs: Input[];
}

/**
 * Reads normals of sunshine from paths: mesh normals (国土数値情報 G02, `.dbf` of the shapefile or GML), JMA's normals of
 * stations with their list, tables of places (`lat,lon,month,hours`), and at most one file of shares by hour
 * (`month,hour,share`, or EPW).
 * @throws InputError when there are no normals, two files of shares, or a station without its place
 * @throws PublishedFileError for a file that does not have the published form
 */
export async function readNormalPaths(paths: readonly string[]): Promise<NormalsRead> {
  const files = (await findInputs([...paths], ['table', 'shapefile', 'mesh_normals', 'weather'])).inputs;
  const inputs = files.filter((input) => isUsed(input, files));
  const normals = new NormalsReader();
  for (const input of inputs) normals.add(input, await readInput(input));
  normals.placeStations();
  const { mesh, places, shares } = normals;
  if (mesh.squares.size + places.length === 0)
    throw new InputError(
      `${inputs[0]?.name ?? paths[0]}: no normals of sunshine; expected 国土数値情報 G02 (.dbf or GML), JMA's normals of stations or a table lat,lon,month,hours`,
    );
  const report: NormalsReport = {
    files: inputs.map(({ label }) => label),
    mesh_squares: mesh.squares.size,
    mesh_unknown: mesh.unknown,
    places: places.length,
    stations_unknown: normals.stationsWithoutHours,
    by_hour: shares !== null,
    // `servedNormals` counts the squares of the dataset.
    squares: 0,
    squares_without: 0,
  };
  const credits = [...(mesh.squares.size > 0 ? [MESH_CREDIT] : []), ...(places.length > 0 ? [STATION_CREDIT] : [])];
  return { mesh: mesh.squares, places, shares: shares?.table ?? null, credits, report, inputs };
}

/**
 * True for a file to read:
 * - of a shapefile, its table;
 * - GML, unless a table of the same name stands beside it;
 * - of JMA's archive, the normals and the list of stations;
 * - every other table, and EPW.
 */
function isUsed({ kind, name }: Input, all: readonly Input[]): boolean {
  if (kind === 'shapefile') return /\.dbf$/i.test(name);
  if (kind === 'mesh_normals') {
    const stem = withoutExtension(name);
    return !all.some((other) => /\.dbf$/i.test(other.name) && withoutExtension(other.name) === stem);
  }
  // JMA's archive has files of other elements, too.
  if (isStationFile(name)) return stationOfFile(name) !== null || isStationList(name);
  return true;
}

const withoutExtension = (name: string): string => name.replace(/\.[^.]*$/, '');

/** Collects the contents of all files of normals. */
class NormalsReader {
  readonly mesh: MeshNormals = { squares: new Map(), unknown: 0 };
  readonly places: PlacedNormal[] = [];
  shares: { table: NonNullable<SunshineNormal['shares']>; name: string } | null = null;
  stationsWithoutHours = 0;
  readonly #stations: { name: string; station: string; hours: readonly number[] }[] = [];
  readonly #stationPlaces = new Map<string, Pick<PlacedNormal, 'lat' | 'lon'>>();

  /** Reads a file. Its kind and name tell its form; for other tables the names of their columns do. */
  add({ kind, name }: Input, bytes: Uint8Array): void {
    const station = stationOfFile(name);
    if (kind === 'shapefile') this.#addMesh(readMeshTable(bytes, name));
    else if (kind === 'mesh_normals') this.#addMesh(readMeshGml(bytes, name));
    else if (kind === 'weather') this.#addShares(readEpwShares(bytes, name), name);
    else if (isStationList(name))
      for (const [number, place] of readStationList(bytes, name)) this.#stationPlaces.set(number, place);
    else if (station !== null) {
      const hours = readStationNormals(bytes, name);
      if (hours === null) this.stationsWithoutHours++;
      else this.#stations.push({ name, station, hours });
    } else if (tableColumns(bytes, name).includes('share')) this.#addShares(readHourShares(bytes, name), name);
    else this.places.push(...readPlacedNormals(bytes, name));
  }

  /**
   * Adds the stations to the places. Called after all files are read, because a list with the positions of stations may
   * come after their normals.
   * @throws InputError for a station that no list has
   * @throws PublishedFileError for a month with more sunshine than possible
   */
  placeStations(): void {
    for (const { name, station, hours } of this.#stations) {
      const place = this.#stationPlaces.get(station);
      if (place === undefined)
        throw new InputError(
          `${name}: the place of station ${station} is not known: give surface_station_index.csv or amedas_station_index.csv of JMA, too`,
        );
      const placed = { ...place, hours };
      // JMA has a station in Antarctica, too.
      if (isInJapan(place.lat, place.lon)) checkMonths(placed, name);
      this.places.push(placed);
    }
  }

  /** Adds mesh normals. Of a square that two files have, the later file counts. */
  #addMesh({ squares, unknown }: MeshNormals): void {
    for (const [square, hours] of squares) this.mesh.squares.set(square, hours);
    this.mesh.unknown += unknown;
  }

  /**
   * Takes the shares by hour of a file.
   * @throws InputError when another file has given them
   */
  #addShares(table: NonNullable<SunshineNormal['shares']>, name: string): void {
    if (this.shares !== null)
      throw new InputError(`${name}: ${this.shares.name} has shares by hour, too: give one of them`);
    this.shares = { table, name };
  }
}

/**
 * The normals of served grid squares: that of the square itself (`mesh`), otherwise that of the nearest place within 50 km.
 * The shares by hour are the same everywhere.
 */
export function servedNormals(
  { mesh, places, shares, report }: NormalsRead,
  squares: readonly string[],
): SquareNormals & { report: NormalsReport } {
  const served = new Map<string, readonly number[]>();
  for (const square of squares) {
    const hours = mesh.get(square) ?? nearest(places, square)?.hours;
    if (hours !== undefined) served.set(square, hours);
  }
  return {
    squares: served,
    shares,
    report: { ...report, squares: served.size, squares_without: squares.length - served.size },
  };
}

/** The nearest place to the centre of a grid square; undefined when none is within 50 km. */
function nearest(places: readonly PlacedNormal[], square: string): PlacedNormal | undefined {
  const { lat, lon } = gridSquareCentre(square);
  const eastScale = Math.cos(lat * RADIANS);
  let best: { place: PlacedNormal; km: number } | undefined;
  for (const place of places) {
    const km = KM_PER_DEGREE * Math.hypot(place.lat - lat, (place.lon - lon) * eastScale);
    if (km <= MOST_KM && km < (best?.km ?? Infinity)) best = { place, km };
  }
  return best?.place;
}
