import type { SquareNormals } from '../dataset/sunshine-index.ts';
import { gridSquareCentre } from '../geo/grid-square.ts';
import type { Credit } from '../snapshot/manifest.ts';
import {
  type PlacedNormal,
  readEpwShares,
  readHourShares,
  readMeshNormals,
  readPlacedNormals,
  tableColumns,
} from '../weather/read-normals.ts';
import type { SunshineNormal } from '../weather/sunshine.ts';
import { findInputs, type Input, InputError, readInput } from './inputs.ts';

/** The credit of mesh normals and normals of stations. */
export const SUNSHINE_CREDIT: Credit = {
  name: '気象庁 平年値（日照時間）',
  url: 'https://www.data.jma.go.jp/stats/etrn/',
  attribution: '気象庁の平年値（日照時間）を加工して作成',
};

/** A normal of a place applies up to this distance, km. */
const MOST_KM = 50;
const KM_PER_DEGREE = 111.2;

/** Counts of what was read of normals. */
export interface NormalsReport {
  /** Names of the files read. */
  files: string[];
  /** Grid squares of mesh normals, and those of them without a value. */
  mesh_squares: number;
  mesh_unknown: number;
  /** Places of tables. */
  places: number;
  by_hour: boolean;
  /** Served grid squares with a normal, and without. */
  squares: number;
  squares_without: number;
}

/** The given normals of sunshine. */
export interface NormalsRead {
  mesh: Map<string, readonly number[]>;
  places: PlacedNormal[];
  shares: SunshineNormal['shares'];
  report: NormalsReport;
  inputs: Input[];
}

/**
 * Reads normals of sunshine from paths: attribute tables (`.dbf`) of 国土数値情報 G02, tables of places
 * (`lat,lon,month,hours`), and at most one file of shares by hour (`month,hour,share`, or EPW).
 * @throws InputError, NormalsFileError, CensusFileError
 */
export async function readNormalPaths(paths: readonly string[]): Promise<NormalsRead> {
  const found = await findInputs([...paths], ['table', 'shapefile', 'weather']);
  const inputs = found.inputs.filter(({ kind, name }) => kind !== 'shapefile' || /\.dbf$/i.test(name));
  const mesh = new Map<string, readonly number[]>();
  const places: PlacedNormal[] = [];
  let byHour: { shares: NonNullable<SunshineNormal['shares']>; name: string } | null = null;
  let unknown = 0;
  for (const input of inputs) {
    const bytes = await readInput(input);
    const { kind, name } = input;
    if (kind === 'shapefile') {
      const read = readMeshNormals(bytes, name);
      for (const [square, hours] of read.squares) mesh.set(square, hours);
      unknown += read.unknown;
    } else if (kind === 'table' && !tableColumns(bytes, name).includes('share')) {
      places.push(...readPlacedNormals(bytes, name));
    } else {
      if (byHour !== null)
        throw new InputError(`${name}: shares by hour stand in ${byHour.name} too: give one of them`);
      byHour = { shares: kind === 'weather' ? readEpwShares(bytes, name) : readHourShares(bytes, name), name };
    }
  }
  if (mesh.size + places.length === 0)
    throw new InputError(
      `${inputs[0]?.name ?? paths[0]}: no normals of sunshine; expected the .dbf of 国土数値情報 G02 or a table lat,lon,month,hours`,
    );
  const report: NormalsReport = {
    files: inputs.map(({ label }) => label),
    mesh_squares: mesh.size,
    mesh_unknown: unknown,
    places: places.length,
    by_hour: byHour !== null,
    squares: 0,
    squares_without: 0,
  };
  return { mesh, places, shares: byHour?.shares ?? null, report, inputs };
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
