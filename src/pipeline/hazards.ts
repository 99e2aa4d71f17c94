import { createHash } from 'node:crypto';
import { basename } from 'node:path';
import Flatbush from 'flatbush';
import { readDbase } from '../census/dbase.ts';
import { readShapes } from '../census/shapefile.ts';
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
import { findAllInputs, type Input, InputError, readInput } from './inputs.ts';
import type { InputHashes } from './kaigo-inputs.ts';
import { siblingOf, withSiblings } from './shapefile-inputs.ts';

/** What was read of hazard layers. */
export interface HazardReport {
  files: string[];
  flood_zones: number;
  landslide_zones: number;
  /** Records that are neither. */
  passed_over: number;
  /** Facilities in a zone, and those that a layer covers. */
  in_flood_zone: number;
  flood_covered: number;
  in_landslide_zone: number;
  landslide_covered: number;
}

/** A zone: rings of longitude and latitude. */
interface Zone {
  rings: Float64Array[];
  attributes: Attributes;
}

const LAYER = /\.(geojson|shp)$/i;

/**
 * Flood and landslide zones at facilities with a position, from layers A31 and A33 of 国土数値情報 (GeoJSON or shapefiles; folders, files,
 * zips). One file is held at a time, of at most 256 MiB.
 * A layer covers the prefecture in its name (`A33-22_13…`), else the box of its zones. Over 60 lines: one file after another, counted.
 * @throws InputError where a path holds no layer, or a file is damaged
 */
export async function hazardsAt(
  paths: readonly string[],
  facilities: readonly Facility[],
  hashes: InputHashes,
): Promise<{ hazards: ReadonlyMap<string, Hazards>; report: HazardReport | null }> {
  const hazards = new Map<string, { flood: FloodZone[] | null; landslide: LandslideZone[] | null }>();
  if (paths.length === 0) return { hazards, report: null };
  const all = await withSiblings(await findAllInputs([...paths]));
  const layers = all.filter(
    ({ name }) =>
      LAYER.test(name) &&
      // Published as shapefile and GeoJSON side by side: one of them is enough.
      !(
        /\.shp$/i.test(name) &&
        all.some((one) => one.name.toLowerCase() === name.toLowerCase().replace(/shp$/, 'geojson'))
      ),
  );
  if (layers.length === 0) {
    throw new InputError(
      `${paths.join(', ')}: no hazard layers; expected GeoJSON or shapefiles of 国土数値情報 A31 or A33`,
    );
  }
  const placed = facilities.filter(({ position }) => position !== null);
  const index = placed.length === 0 ? null : new Flatbush(placed.length);
  for (const { position } of placed) index?.add(position?.lon ?? 0, position?.lat ?? 0);
  index?.finish();
  const entryOf = ({ facilityId }: Facility) => {
    const known = hazards.get(facilityId) ?? { flood: null, landslide: null };
    hazards.set(facilityId, known);
    return known;
  };
  const counts = { flood_zones: 0, landslide_zones: 0, passed_over: 0 };
  for (const input of layers) {
    const kinds = new Set<'flood' | 'landslide'>();
    let [west, south, east, north] = [Infinity, Infinity, -Infinity, -Infinity];
    for (const { rings, attributes } of await zonesOf(input, all, hashes)) {
      const [flood, landslide] = [floodZoneOf(attributes), landslideZoneOf(attributes)];
      if (flood === null && landslide === null) {
        counts.passed_over++;
        continue;
      }
      if (flood !== null) counts.flood_zones++;
      if (landslide !== null) counts.landslide_zones++;
      kinds.add(flood === null ? 'landslide' : 'flood');
      const box = boundsOf(rings);
      [west, south] = [Math.min(west, box[0]), Math.min(south, box[1])];
      [east, north] = [Math.max(east, box[2]), Math.max(north, box[3])];
      for (const i of index?.search(...box) ?? []) {
        const facility = placed[i];
        const { lat, lon } = facility?.position ?? { lat: 0, lon: 0 };
        if (facility === undefined || !pointInPolygon(lon, lat, rings)) continue;
        const entry = entryOf(facility);
        if (flood !== null) entry.flood = [...(entry.flood ?? []), flood];
        if (landslide !== null) entry.landslide = [...(entry.landslide ?? []), landslide];
      }
    }
    const prefecture = prefectureIn(input.name);
    const covered = (facility: Facility): boolean => {
      const { lat, lon } = facility.position ?? { lat: Number.NaN, lon: Number.NaN };
      return prefecture === null
        ? lon >= west && lon <= east && lat >= south && lat <= north
        : facility.prefectureCode === prefecture;
    };
    for (const facility of placed) {
      if (!covered(facility)) continue;
      const entry = entryOf(facility);
      if (kinds.has('flood')) entry.flood ??= [];
      if (kinds.has('landslide')) entry.landslide ??= [];
    }
  }
  const known = [...hazards.values()];
  const report = {
    files: layers.map(({ label }) => basename(label)),
    ...counts,
    in_flood_zone: known.filter(({ flood }) => flood !== null && flood.length > 0).length,
    flood_covered: known.filter(({ flood }) => flood !== null).length,
    in_landslide_zone: known.filter(({ landslide }) => landslide !== null && landslide.length > 0).length,
    landslide_covered: known.filter(({ landslide }) => landslide !== null).length,
  };
  return { hazards, report };
}

/** The prefecture that the name of a layer states: A33-22_13, A31-12_13; codes of rivers and offices are none. */
function prefectureIn(name: string): string | null {
  const [, digits = ''] = /A3[13]a?-\d{2}(?:-\d{2})?_(\d{2})(?!\d)/.exec(basename(name)) ?? [];
  return /^(0[1-9]|[1-3]\d|4[0-7])$/.test(digits) ? digits : null;
}

async function zonesOf(input: Input, all: readonly Input[], hashes: InputHashes): Promise<Zone[]> {
  const bytes = await readInput(input);
  hashes.push({ label: basename(input.label), sha256: createHash('sha256').update(bytes).digest('hex') });
  if (/\.geojson$/i.test(input.name)) return zonesOfGeoJson(bytes.toString(), input.name);
  const table = siblingOf(input, 'dbf', all);
  if (table === undefined)
    throw new InputError(`${input.name}: its table (.dbf) is missing; keep the published files together`);
  const shapes = readShapes(bytes, input.name);
  const { rows } = readDbase(await readInput(table), table.name);
  if (shapes.length !== rows.length) {
    throw new InputError(`${input.name}: ${shapes.length} shapes, but ${rows.length} records in ${table.name}`);
  }
  return shapes.map((rings, i) => ({ rings, attributes: rows[i] ?? {} }));
}

interface Feature {
  properties?: Attributes | null;
  geometry?: { type?: string; coordinates?: unknown } | null;
}

function zonesOfGeoJson(text: string, file: string): Zone[] {
  let whole: { features?: unknown } | null;
  try {
    whole = JSON.parse(text.replace(/^\ufeff/, ''));
  } catch (error) {
    throw new InputError(`${file}: is not JSON: ${(error as Error).message}`, { cause: error });
  }
  if (!Array.isArray(whole?.features)) {
    throw new InputError(`${file}: is no GeoJSON; expected a FeatureCollection with features`);
  }
  return (whole.features as Feature[]).flatMap(({ properties, geometry }, i) => {
    const { type, coordinates } = geometry ?? {};
    if (type !== 'Polygon' && type !== 'MultiPolygon') return [];
    const polygons = (type === 'Polygon' ? [coordinates] : coordinates) as number[][][][];
    try {
      const rings = polygons.flatMap((rings) =>
        rings.map((ring) => Float64Array.from(ring.flatMap((point) => point.slice(0, 2)))),
      );
      if (!rings.every((ring) => ring.every(Number.isFinite))) throw new Error('a number is missing');
      return [{ rings, attributes: properties ?? {} }];
    } catch (error) {
      throw new InputError(`${file}: feature ${i + 1}: its coordinates are no polygon: ${(error as Error).message}`);
    }
  });
}
