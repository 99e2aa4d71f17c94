import { createReadStream } from 'node:fs';
import { readdir } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { createInterface } from 'node:readline';
import { createGunzip } from 'node:zlib';
import { gridSquareCentre, gridSquareOf } from '../../src/geo/grid-square.ts';
import { convergenceDeg, planeOf } from '../../src/geo/plane.ts';
import type { Building } from '../../src/plateau/building.ts';
import { readBuildings } from '../../src/plateau/reader.ts';
import { type DayPath, sunTable } from '../../src/solar/day-path.ts';
import { type ErrorSource, movesOf } from '../../src/sunlight/model-error.ts';
import { frameAt, type Scene, SceneBuilder } from '../../src/sunlight/scene.ts';
import { storeysOf } from '../../src/sunlight/storeys.ts';
import { type SunCurves, sunCurves } from '../../src/sunlight/sun-curves.ts';
import { sharedData } from '../support/shared-data.ts';

const TOKYO = 'plateau/tokyo6wards.ndjson.gz';
/** Shared inputs of the cities below. */
export const CITY_DATA = [TOKYO, 'plateau/osaka', 'plateau/sagamihara'] as const;

/** A real city, ready to be computed. */
export interface City {
  name: string;
  scene: Scene;
  /** Per building of the scene: its third-order grid square, and its storeys. */
  squares: string[];
  storeys: number[];
  /** How each is moved by the model's error. */
  moves: Uint32Array;
}

/** The city around the first building that is added. */
class CityBuilder {
  #scene: SceneBuilder | null = null;
  readonly #squares: string[] = [];
  readonly #storeys: number[] = [];
  readonly #sources: ErrorSource[] = [];

  add(
    footprints: { rings: ArrayLike<number>[] }[],
    base: number,
    top: number,
    storeys: number | null,
    roof: { rings: ArrayLike<number>[] }[] = [],
    source: ErrorSource = {},
  ): void {
    const ring = footprints[0]?.rings[0];
    if (!ring || ring.length === 0) return;
    this.#scene ??= new SceneBuilder(frameAt(ring[0]!, ring[1]!));
    if (this.#scene.add(footprints, base, top, roof).building === null) return;
    this.#sources.push({ ...source, hasRoof: roof.length > 0 });
    this.#squares.push(gridSquareOf(ring[0]!, ring[1]!));
    this.#storeys.push(storeysOf(storeys, top - base, null).storeys);
  }

  finish(name: string): City {
    if (this.#scene === null) throw new Error(`${name}: no buildings`);
    const scene = this.#scene.finish();
    const moves = movesOf(scene, (building) => this.#sources[building]!);
    return { name, scene, squares: this.#squares, storeys: this.#storeys, moves };
  }
}

/** Footprints and heights of Tokyo, of some wards or of all six, on flat ground. */
export async function readTokyo(wards: readonly string[] | null): Promise<City> {
  const city = new CityBuilder();
  for await (const { footprints, heightM } of tokyoBuildings(wards)) city.add(footprints, 0, heightM, null);
  return city.finish(wards === null ? 'Tokyo, six wards' : `Tokyo ${wards.join(', ')}`);
}

/** Footprints `[lat, lon, …]` and heights of buildings in Tokyo, of some wards or of all six. */
export async function* tokyoBuildings(
  wards: readonly string[] | null,
): AsyncGenerator<{ footprints: { rings: number[][] }[]; heightM: number }> {
  const file = createReadStream(sharedData(TOKYO)!);
  for await (const line of createInterface({ input: file.pipe(createGunzip()), crlfDelay: Infinity })) {
    if (line === '' || !(wards?.some((ward) => line.includes(`"${ward}-`)) ?? true)) continue;
    const { measuredHeight, coordinates } = JSON.parse(line) as {
      measuredHeight: number;
      coordinates: [lon: number, lat: number][][][];
    };
    const footprints = coordinates.map((rings) => ({
      rings: rings.map((ring) => ring.slice(0, -1).flatMap(([lon, lat]) => [lat, lon])),
    }));
    yield { footprints, heightM: measuredHeight };
  }
}

/** A block of grid squares as published: `osaka` or `sagamihara`. */
export async function readBlock(name: 'osaka' | 'sagamihara'): Promise<City> {
  const folder = sharedData(`plateau/${name}`)!;
  const city = new CityBuilder();
  const seen = new Set<string>();
  const building = ({ buildingId, footprints, baseM, topM, storeys, ...source }: Building): void => {
    if (buildingId !== null && seen.has(buildingId)) return;
    if (buildingId !== null) seen.add(buildingId);
    city.add(footprints, baseM, topM, storeys, [], source);
  };
  for (const file of (await readdir(folder)).filter((entry) => entry.endsWith('.gml')).sort()) {
    await readBuildings(file, createReadStream(join(folder, file)), { building, issue: () => {} });
  }
  return city.finish(name === 'osaka' ? 'Osaka' : 'Sagamihara');
}

/** Published files with LOD2. */
export const LOD2_FILES = [
  'plateau/lod2/49303425_bldg_tamana.gml',
  'plateau/lod2/52397519_bldg_yokosuka.gml',
  'plateau/lod2/53394525_bldg_shinjuku_tower.gml',
  'plateau/versions/uro20_lod2_53392633_bldg_6697_2_op.gml',
  'plateau/versions/uro31_lod2_54363371_bldg_6697.gml',
  'plateau/versions/citygml3_uro15_53394611.gml',
] as const;

/** A published file as a city, with its roofs; or without them, of prisms alone. */
export async function readWithRoofs(path: string, withRoofs = true): Promise<City> {
  const city = new CityBuilder();
  const building = ({ footprints, baseM, topM, storeys, roofSurfaces }: Building): void =>
    city.add(footprints, baseM, topM, storeys, withRoofs ? roofSurfaces : []);
  await readBuildings(path, createReadStream(sharedData(path)!), { building, issue: () => {} });
  return city.finish(basename(path, '.gml'));
}

/** The sun over a city's grid squares, made once for each. */
export function sunOver({ scene, squares }: City): (building: number) => { paths: DayPath[]; curves: SunCurves } {
  const plane = planeOf(scene.zone);
  const known = new Map<string, { paths: DayPath[]; curves: SunCurves }>();
  return (building) => {
    const square = squares[building]!;
    let sun = known.get(square);
    if (!sun) {
      const { lat, lon } = gridSquareCentre(square);
      const paths = sunTable(square);
      sun = { paths, curves: sunCurves(paths, convergenceDeg(plane, lat, lon)) };
      known.set(square, sun);
    }
    return sun;
  };
}
