import { hash } from 'node:crypto';
import { basename } from 'node:path';
import Flatbush from 'flatbush';
import { readDbase } from '../census/dbase.ts';
import { readShapes } from '../census/shapefile.ts';
import { type Box, boxOfSquare, NOWHERE, unitedBox } from '../geo/grid-square.ts';
import { boundsOf, pointInPolygon } from '../geo/polygon.ts';
import type { Facility } from '../kaigo/facility.ts';
import {
  type Attributes,
  type FloodZone,
  floodZoneOf,
  type Hazards,
  type LandslideZone,
  landslideZoneOf,
} from '../kaigo/hazards.ts';
import type { HashedInput } from '../snapshot/manifest.ts';
import { findAllInputs, type Input, InputError, readGeoJsonText, readInput } from './inputs.ts';
import { isShapefile, layerFiles, tableOf, withSiblings } from './layer-files.ts';

/** What was read of hazard layers. */
export interface HazardReport {
  files: string[];
  /** Files that have the same data as one of `files`. */
  same_data: string[];
  flood_zones: number;
  landslide_zones: number;
  /** Records that are neither. */
  passed_over: number;
  /** Facilities in a zone, and those that a layer covers. */
  in_flood_zone: number;
  flood_covered: number;
  in_landslide_zone: number;
  landslide_covered: number;
  /** Facilities without a position: no layer says anything of them. */
  without_position: number;
}

/** A zone: polygons of longitude and latitude, which may overlap; none for a record that is no area. */
interface Zone {
  polygons: Float64Array[][];
  attributes: Attributes;
}

/** The zones at a facility so far. Null: no layer read so far covers it. */
interface ZonesAt {
  flood: FloodZone[] | null;
  landslide: LandslideZone[] | null;
}

const LAYER = /\.(geojson|shp)$/i;

/**
 * Flood and landslide zones at facilities with a position, from layers A31 and A33 of 国土数値情報 (GeoJSON or shapefiles;
 * folders, files, zips). One file is in memory at a time, of at most 256 MiB.
 * @param hashes gets the hash of each file that is read
 * @throws InputError when a path has no layer, or a file is damaged
 */
export async function hazardsAt(
  paths: readonly string[],
  facilities: readonly Facility[],
  hashes: HashedInput[],
  progress: (line: string) => void,
): Promise<{ hazards: ReadonlyMap<string, Hazards>; report: HazardReport | null }> {
  const hazards = new Map<string, ZonesAt>();
  if (paths.length === 0) return { hazards, report: null };
  const { layers, sameData, all } = await layerFiles(await findAllInputs([...paths]), ({ name }) => LAYER.test(name));
  if (layers.length === 0) {
    throw new InputError(
      `${paths.join(', ')}: no hazard layers; expected GeoJSON or shapefiles of 国土数値情報 A31 or A33`,
    );
  }
  const withPosition = facilities.filter(({ position }) => position !== null);
  // Fills `hazards`.
  const addZones = zoneCollector(withPosition, hazards);
  const counts = { flood_zones: 0, landslide_zones: 0, passed_over: 0 };
  for (const input of layers) {
    const zones = await zonesOf(input, all, hashes);
    const added = addZones(input.name, zones);
    for (const name of ['flood_zones', 'landslide_zones', 'passed_over'] as const) counts[name] += added[name];
    progress(
      `${input.label}: ${added.flood_zones} flood zones, ${added.landslide_zones} landslide zones, ${added.passed_over} records of another kind`,
    );
  }
  const results = [...hazards.values()];
  const report = {
    files: layers.map(({ label }) => basename(label)),
    same_data: sameData.map(({ label }) => label),
    ...counts,
    in_flood_zone: results.filter(({ flood }) => flood !== null && flood.length > 0).length,
    flood_covered: results.filter(({ flood }) => flood !== null).length,
    in_landslide_zone: results.filter(({ landslide }) => landslide !== null && landslide.length > 0).length,
    landslide_covered: results.filter(({ landslide }) => landslide !== null).length,
    without_position: facilities.length - withPosition.length,
  };
  return { hazards, report };
}

/**
 * A function that adds the zones of a layer to `hazards`, for each facility that lies in them, and counts the zones. A
 * facility that the layer covers, but that lies in no zone, gets an empty list.
 * @param placed the facilities that have a position
 * @param hazards by facility ID
 */
function zoneCollector(placed: readonly Facility[], hazards: Map<string, ZonesAt>) {
  const index = placed.length === 0 ? null : new Flatbush(placed.length);
  // All have a position; the zeros are for the types.
  for (const { position } of placed) index?.add(position?.lon ?? 0, position?.lat ?? 0);
  index?.finish();
  const entryOf = ({ facilityId }: Facility): ZonesAt => {
    const entry = hazards.get(facilityId) ?? { flood: null, landslide: null };
    hazards.set(facilityId, entry);
    return entry;
  };
  const facilitiesIn = (polygons: Float64Array[][], { west, south, east, north }: Box): Facility[] =>
    (index?.search(west, south, east, north) ?? [])
      .flatMap((i) => placed[i] ?? [])
      .filter(
        ({ position }) =>
          position !== null && polygons.some((rings) => pointInPolygon(position.lon, position.lat, rings)),
      );
  return (name: string, zones: readonly Zone[]) => {
    const counts = { flood_zones: 0, landslide_zones: 0, passed_over: 0 };
    const bounds: Box[] = [];
    for (const zone of zones) {
      const { flood, landslide } = kindsOf(zone);
      if (flood !== null) counts.flood_zones++;
      if (landslide !== null) counts.landslide_zones++;
      if (flood === null && landslide === null) {
        counts.passed_over++;
        continue;
      }
      const [west, south, east, north] = boundsOf(zone.polygons.flat());
      const box = { west, south, east, north };
      checkDegrees(box, name);
      bounds.push(box);
      for (const facility of facilitiesIn(zone.polygons, box)) {
        const entry = entryOf(facility);
        if (flood !== null) entry.flood = [...(entry.flood ?? []), flood];
        if (landslide !== null) entry.landslide = [...(entry.landslide ?? []), landslide];
      }
    }
    const isCovered = coverageOf(name, bounds);
    for (const facility of placed.filter(isCovered)) {
      const entry = entryOf(facility);
      if (counts.flood_zones > 0) entry.flood ??= [];
      if (counts.landslide_zones > 0) entry.landslide ??= [];
    }
    return counts;
  };
}

/** What a record is: a flood zone, a landslide zone, or neither. A record that is no area is neither. */
function kindsOf({ polygons, attributes }: Zone): { flood: FloodZone | null; landslide: LandslideZone | null } {
  if (polygons.flat().length === 0) return { flood: null, landslide: null };
  return { flood: floodZoneOf(attributes), landslide: landslideZoneOf(attributes) };
}

/**
 * Refuses coordinates that are not longitude and latitude in Japan: those of a plane, or in the other order.
 * @throws InputError with the box of the zone
 */
function checkDegrees({ west, south, east, north }: Box, name: string): void {
  if (west > 120 && east < 157 && south > 18 && north < 48) return;
  throw new InputError(
    `${name}: a zone from ${west}, ${south} to ${east}, ${north}; expected longitude and latitude in degrees (JGD2011 or JGD2000)`,
  );
}

/**
 * A function that is true for the facilities that a layer covers. It covers what its name says: the grid square of the
 * first order that its last number names (A31-22_10_5339), or the prefecture behind its year (A33-22_13,
 * A31a-20-24_13). A layer with another name covers the box of its zones.
 */
function coverageOf(name: string, zones: readonly Box[]): (facility: Facility) => boolean {
  const base = basename(name);
  const [, square] = /^A31.*_([3-6]\d[2-5]\d)(?!\d)/.exec(base) ?? [];
  const [, prefecture] = /^A3[13][ab]?-\d{2}(?:-\d{2})?_(0[1-9]|[1-3]\d|4[0-7])(?!\d)/.exec(base) ?? [];
  if (square === undefined && prefecture !== undefined) return (facility) => facility.prefectureCode === prefecture;
  const { west, south, east, north } = square === undefined ? zones.reduce(unitedBox, NOWHERE) : boxOfSquare(square);
  return ({ position }) =>
    position !== null && position.lon >= west && position.lon <= east && position.lat >= south && position.lat <= north;
}

/** Whether a file is a hazard layer by its name. */
export const isHazardLayer = ({ name }: Pick<Input, 'name'>): boolean =>
  LAYER.test(name) && /^A3[13]/i.test(basename(name));

/**
 * Counts the flood zones, the landslide zones and the other records of one layer.
 * @throws InputError when the file is damaged
 */
export async function countZones(
  input: Input,
): Promise<Pick<HazardReport, 'flood_zones' | 'landslide_zones' | 'passed_over'>> {
  // A shapefile needs the files beside it.
  const all = await withSiblings(await findAllInputs([input.path]));
  const ignoredHashes: HashedInput[] = [];
  const zones = await zonesOf(input, all, ignoredHashes);
  // Zones are added to the facilities in them. Without facilities they are only counted.
  const countIn = zoneCollector([], new Map());
  return countIn(input.name, zones);
}

/**
 * The zones of a layer. Adds the hashes of its files.
 * @param all every file, among them the table of a shapefile
 */
async function zonesOf(input: Input, all: readonly Input[], hashes: HashedInput[]): Promise<Zone[]> {
  if (!isShapefile(input)) {
    const text = await readGeoJsonText(input);
    hashes.push({ label: basename(input.label), sha256: hash('sha256', text) });
    return zonesOfGeoJson(text, input.name);
  }
  const table = tableOf(input, all);
  const [shapeBytes, tableBytes] = [await readInput(input), await readInput(table)];
  hashes.push({ label: basename(input.label), sha256: hash('sha256', shapeBytes) });
  hashes.push({ label: basename(table.label), sha256: hash('sha256', tableBytes) });
  const shapes = readShapes(shapeBytes, input.name);
  const { rows } = readDbase(tableBytes, table.name);
  if (shapes.length !== rows.length) {
    throw new InputError(`${input.name}: ${shapes.length} shapes, but ${rows.length} records in ${table.name}`);
  }
  return shapes.map((rings, i) => ({ polygons: [rings], attributes: rows[i] ?? {} }));
}

/** A feature of GeoJSON, before it is checked. */
interface Feature {
  properties?: Attributes | null;
  geometry?: { type?: string; coordinates?: unknown } | null;
}

/**
 * The zones of a GeoJSON text. A feature that is no polygon becomes a zone without polygons and attributes, which is counted as
 * a record of another kind.
 * @throws InputError when it is no feature collection, or a polygon is damaged
 */
function zonesOfGeoJson(text: string, file: string): Zone[] {
  let collection: { features?: unknown } | null;
  try {
    collection = JSON.parse(text.replace(/^\ufeff/, ''));
  } catch (error) {
    throw new InputError(`${file}: is not JSON: ${(error as Error).message}`, { cause: error });
  }
  if (!Array.isArray(collection?.features)) {
    throw new InputError(`${file}: is no GeoJSON; expected a FeatureCollection with features`);
  }
  return (collection.features as (Feature | null)[]).map((feature, i) => {
    const { properties, geometry } = feature ?? {};
    const { type, coordinates } = geometry ?? {};
    if (type !== 'Polygon' && type !== 'MultiPolygon') return { polygons: [], attributes: {} };
    const published = (type === 'Polygon' ? [coordinates] : coordinates) as number[][][][];
    try {
      const polygons = published.map((rings) =>
        rings.map((ring) => Float64Array.from(ring.flatMap((point) => point.slice(0, 2)))),
      );
      if (!polygons.flat().every((ring) => ring.every(Number.isFinite))) throw new Error('a number is missing');
      return { polygons, attributes: properties ?? {} };
    } catch (error) {
      throw new InputError(`${file}: feature ${i + 1}: its coordinates are no polygon: ${(error as Error).message}`);
    }
  });
}
