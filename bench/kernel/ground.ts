import { readFileSync, statSync } from 'node:fs';
import { squareFrame } from '../../src/city/scene-store.ts';
import { gridSquareBounds, gridSquareOf } from '../../src/geo/grid-square.ts';
import { zoneOf } from '../../src/geo/zones.ts';
import { eyeHeight } from '../../src/sunlight/result.ts';
import { SceneBuilder } from '../../src/sunlight/scene.ts';
import { storeysOf } from '../../src/sunlight/storeys.ts';
import { Elevation, latitudeOfMercator } from '../../src/terrain/elevation.ts';
import { elevationOf, openElevationFile } from '../../src/terrain/elevation-files.ts';
import type { Facets } from '../../src/terrain/facets.ts';
import { FarTerrain } from '../../src/terrain/far.ts';
import type { HeightGrid } from '../../src/terrain/mesh.ts';
import { fitToBuildings, type GroundBuilding, nearFacets, nearGround } from '../../src/terrain/near.ts';
import { Agreement } from '../../test/kernel/agreement.ts';
import { tokyoBuildings } from '../../test/kernel/cities.ts';
import { asFile, computedOn, judgedByRays } from '../../test/kernel/hills.ts';
import { sharedData } from '../../test/support/shared-data.ts';

/** A grid square in Mita, Minato, with plateaus beside filled land. */
export const MINATO = '53393680';
/** Number of buildings to check with rays, and number to compute on two grounds. */
const [CAST, COMPUTED] = [100, 400];

/** A mesh within this distance of its grid is taken as equal to it, metres. */
const EXACT_M = 1e-6;

/** A building on the ground. */
export interface House extends GroundBuilding {
  footprints: { rings: number[][] }[];
  topM: number;
}

type Row = Record<string, string | number>;

/** The elevation of Minato; null without the file. */
export async function minato(): Promise<Elevation | null> {
  const path = sharedData('terrain/gsi_5339-36_0.2arcsec.tif');
  if (path === null) return null;
  const { pieces } = await openElevationFile({ name: path, path, entry: null, size: statSync(path).size }, '', 0);
  return elevationOf(pieces);
}

/** The buildings of the ward around the square in Minato, on their ground. */
export async function minatoWard(elevation: Elevation): Promise<House[]> {
  const ward: House[] = [];
  for await (const { footprints, heightM } of tokyoBuildings(['13103'])) {
    const house = houseOn(elevation, footprints, heightM);
    if (!Number.isNaN(house.baseM)) ward.push(house);
  }
  return ward;
}

/** The buildings in the square itself. */
export const minatoTown = async (elevation: Elevation): Promise<House[]> =>
  (await minatoWard(elevation)).filter((house) => squareOf(house) === MINATO);

/** The grid square of a building. */
export function squareOf({ footprints }: House): string {
  const [lat, lon] = footprints[0].rings[0];
  return gridSquareOf(lat, lon);
}

/** Houses of 8 × 8 m and two storeys, spread evenly over a square. */
export function houses(square: string, elevation: Elevation, count: number): House[] {
  const { south, west, north, east } = gridSquareBounds(square);
  return Array.from({ length: count }, (_, i) => {
    const lat = south + (north - south) * ((i * 0.618034) % 1);
    const lon = west + (east - west) * ((i + 0.5) / count);
    const [dLat, dLon] = [4 / 110_940, 4 / 111_320 / Math.cos((lat * Math.PI) / 180)];
    const [s, n, w, e] = [lat - dLat, lat + dLat, lon - dLon, lon + dLon];
    return houseOn(elevation, [{ rings: [[s, w, s, e, n, e, n, w]] }], 6);
  });
}

/** A building whose base is the lowest ground at its corners. */
function houseOn(elevation: Elevation, footprints: House['footprints'], heightM: number): House {
  let baseM = Infinity;
  for (const { rings } of footprints) {
    for (let i = 0; i < rings[0].length; i += 2)
      baseM = Math.min(baseM, elevation.heightAt(rings[0][i], rings[0][i + 1]));
  }
  const eyeM = eyeHeight(heightM / storeysOf(null, heightM, null).storeys);
  return { footprints, baseM, topM: baseM + heightM, eyeM };
}

export const fillWith =
  (town: readonly House[]) =>
  (builder: SceneBuilder): void => {
    for (const { footprints, baseM, topM } of town) builder.add(footprints, baseM, topM);
  };

/** The ground of a square under its buildings. */
export function fitted(square: string, elevation: Elevation, town: readonly House[]): HeightGrid {
  const grid = nearGround(square, elevation)!;
  fitToBuildings(grid, square, town);
  return grid;
}

/** Compares the kernel with rays on the same triangles. */
export function raysRow(place: string, square: string, elevation: Elevation, town: readonly House[]): Row {
  const ground = nearFacets(square, fitted(square, elevation, town));
  return row(`${place}: kernel against rays`, ground, ground, judgedByRays(square, ground, fillWith(town), CAST));
}

/** Compares the mesh of a square with all cells of its grid. */
export function meshRow(place: string, square: string, elevation: Elevation, town: readonly House[]): Row {
  const ground = fitted(square, elevation, town);
  const all = { ...ground, tolerances: ground.tolerances.map(() => EXACT_M) };
  const [mesh, grid] = [nearFacets(square, ground), nearFacets(square, all)];
  return row(`${place}: near mesh against its grid`, mesh, grid, compared(square, town, mesh, grid));
}

/** Compares the far list with all far triangles, on a plain, among foothills and in a basin. */
export function farRows(): Row[] {
  const elevation = aroundFuji();
  if (elevation === null) return [];
  const terrain = new FarTerrain(elevation);
  const places = [
    ['Chiyoda', 35.68, 139.75],
    ['Sagamihara', 35.57, 139.3],
    ['Kofu', 35.66, 138.57],
  ] as const;
  return places.map(([place, lat, lon]) => {
    const square = gridSquareOf(lat, lon);
    const town = houses(square, elevation, COMPUTED);
    const lowestM = Math.min(...town.map(({ baseM }) => baseM));
    const highestM = Math.max(...town.map(({ topM }) => topM));
    const view = { square, zone: zoneOf(lat, lon), lowestM, highestM };
    const [list, all] = [terrain.horizonOf(view)!, terrain.allAround(view)];
    return row(`${place}: far list against all`, list, all, compared(square, town, list, all));
  });
}

/** A block of the shared file: its sides in metres of Web Mercator, its heights row by row from the north. */
type SrtmBlock = Record<'w' | 'h' | 'x0' | 'x1' | 'y0' | 'y1', number> & {
  z: number[];
};

/** The heights of SRTM around Mount Fuji; null without the file. */
export function aroundFuji(): Elevation | null {
  const path = sharedData('terrain/srtm_around_fuji.json');
  if (path === null) return null;
  const blocks = JSON.parse(readFileSync(path, 'utf8')) as SrtmBlock[];
  const radius = 6_378_137;
  const degrees = (x: number): number => ((x / radius) * 180) / Math.PI;
  return new Elevation(
    blocks.map(({ w, h, x0, x1, y0, y1, z }) => {
      const [south, north] = [latitudeOfMercator(y0 / radius), latitudeOfMercator(y1 / radius)];
      const box = { south, north, west: degrees(x0), east: degrees(x1) };
      const spacing = ((x1 - x0) / w) * Math.cos((south * Math.PI) / 180);
      return { ...box, columns: w, rows: h, heights: Float32Array.from(z), spacing, mercator: true };
    }),
  );
}

/** Computes buildings on one ground and on a reference ground. */
function compared(square: string, town: readonly House[], ground: Facets, believed: Facets): Agreement {
  const { south, west } = gridSquareBounds(square);
  const builder = new SceneBuilder(squareFrame(square, zoneOf(south, west)));
  fillWith(town)(builder);
  const scene = builder.finish();
  const right = computedOn(square, scene, asFile(believed), COMPUTED);
  const agreement = new Agreement();
  for (const [, found] of computedOn(square, scene, asFile(ground), COMPUTED))
    agreement.add(found, right.next().value![1]);
  return agreement;
}

const row = (what: string, { hidden }: Facets, all: Facets, agreement: Agreement): Row => ({
  what,
  triangles: hidden.length,
  'of all': all.hidden.length,
  buildings: agreement.buildings,
  values: agreement.faceDays,
  'equal %': (100 * agreement.equalShare).toFixed(2),
  'within 1 min %': (100 * agreement.withinShare).toFixed(3),
  'worst, min': agreement.worst.toFixed(2),
  'bias %': (100 * agreement.bias).toFixed(4),
});
