import type { SquareNormals } from '../dataset/sunshine-index.ts';
import { KM_PER_DEGREE } from '../geo/degree.ts';
import { gridSquareCentre } from '../geo/grid-square.ts';
import type { Credit } from '../snapshot/manifest.ts';
import {
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

/** A normal of a place applies up to this distance, km. */
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

/** The given normals of sunshine. */
export interface NormalsRead {
  mesh: ReadonlyMap<string, readonly number[]>;
  places: readonly PlacedNormal[];
  shares: SunshineNormal['shares'];
  credits: readonly Credit[];
  report: NormalsReport;
  inputs: Input[];
}

/**
 * Reads normals of sunshine from paths: mesh normals (国土数値情報 G02, `.dbf` of the shapefile or GML), JMA's normals of stations
 * with their list, tables of places (`lat,lon,month,hours`), and at most one file of shares by hour (`month,hour,share`, or EPW).
 * @throws InputError, NormalsFileError, CensusFileError
 */
export async function readNormalPaths(paths: readonly string[]): Promise<NormalsRead> {
  const found = await findInputs([...paths], ['table', 'shapefile', 'mesh_normals', 'weather']);
  const inputs = found.inputs.filter((input) => isUsed(input, found.inputs));
  const read = new GivenNormals();
  for (const input of inputs) read.add(input, await readInput(input));
  read.placeStations();
  const { mesh, places, shares } = read;
  if (mesh.squares.size + places.length === 0)
    throw new InputError(
      `${inputs[0]?.name ?? paths[0]}: no normals of sunshine; expected 国土数値情報 G02 (.dbf or GML), JMA's normals of stations or a table lat,lon,month,hours`,
    );
  const report: NormalsReport = {
    files: inputs.map(({ label }) => label),
    mesh_squares: mesh.squares.size,
    mesh_unknown: mesh.unknown,
    places: places.length,
    stations_unknown: read.stationsUnknown,
    by_hour: shares !== null,
    squares: 0,
    squares_without: 0,
  };
  const credits = [...(mesh.squares.size > 0 ? [MESH_CREDIT] : []), ...(places.length > 0 ? [STATION_CREDIT] : [])];
  return { mesh: mesh.squares, places, shares: shares?.table ?? null, credits, report, inputs };
}

/** Of a shapefile the table is read; GML beside it has the same squares. Of JMA's archive the files of months and the list are read. */
function isUsed({ kind, name }: Input, all: readonly Input[]): boolean {
  if (kind === 'shapefile') return /\.dbf$/i.test(name);
  if (kind === 'mesh_normals') {
    const stem = withoutExtension(name);
    return !all.some((one) => /\.dbf$/i.test(one.name) && withoutExtension(one.name) === stem);
  }
  return !isStationFile(name) || stationOfFile(name) !== null || isStationList(name);
}

const withoutExtension = (name: string): string => name.replace(/\.[^.]*$/, '');

/** The contents of all files of normals together. */
class GivenNormals {
  readonly mesh: MeshNormals = { squares: new Map(), unknown: 0 };
  readonly places: PlacedNormal[] = [];
  shares: { table: NonNullable<SunshineNormal['shares']>; name: string } | null = null;
  stationsUnknown = 0;
  readonly #stations: { name: string; station: string; hours: readonly number[] }[] = [];
  readonly #stationPlaces = new Map<string, Pick<PlacedNormal, 'lat' | 'lon'>>();

  add({ kind, name }: Input, bytes: Uint8Array): void {
    const station = stationOfFile(name);
    if (kind === 'shapefile') this.#addMesh(readMeshTable(bytes, name));
    else if (kind === 'mesh_normals') this.#addMesh(readMeshGml(bytes, name));
    else if (kind === 'weather') this.#addShares(readEpwShares(bytes, name), name);
    else if (isStationList(name))
      for (const [number, place] of readStationList(bytes, name)) this.#stationPlaces.set(number, place);
    else if (station !== null) {
      const hours = readStationNormals(bytes, name);
      if (hours === null) this.stationsUnknown++;
      else this.#stations.push({ name, station, hours });
    } else if (tableColumns(bytes, name).includes('share')) this.#addShares(readHourShares(bytes, name), name);
    else this.places.push(...readPlacedNormals(bytes, name));
  }

  /** Adds the stations to the places, when all lists have been read. */
  placeStations(): void {
    for (const { name, station, hours } of this.#stations) {
      const place = this.#stationPlaces.get(station);
      if (place === undefined)
        throw new InputError(
          `${name}: the place of station ${station} is not known: give surface_station_index.csv or amedas_station_index.csv of JMA, too`,
        );
      this.places.push({ ...place, hours });
    }
  }

  #addMesh({ squares, unknown }: MeshNormals): void {
    for (const [square, hours] of squares) this.mesh.squares.set(square, hours);
    this.mesh.unknown += unknown;
  }

  #addShares(table: NonNullable<SunshineNormal['shares']>, name: string): void {
    if (this.shares !== null)
      throw new InputError(`${name}: ${this.shares.name} has shares by hour, too: give one of them`);
    this.shares = { table, name };
  }
}

/** The normals of served grid squares: of the square itself, otherwise of the nearest place within 50 km. */
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

function nearest(places: readonly PlacedNormal[], square: string): PlacedNormal | undefined {
  const { lat, lon } = gridSquareCentre(square);
  const east = Math.cos((lat * Math.PI) / 180);
  let best: { place: PlacedNormal; km: number } | undefined;
  for (const place of places) {
    const km = KM_PER_DEGREE * Math.hypot(place.lat - lat, (place.lon - lon) * east);
    if (km <= MOST_KM && km < (best?.km ?? Infinity)) best = { place, km };
  }
  return best?.place;
}
