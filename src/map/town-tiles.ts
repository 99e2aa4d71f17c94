import { GeoJSONVT, type GeoJSONVTTile } from '@maplibre/geojson-vt';
import { fromGeojsonVt } from '@maplibre/vt-pbf';
import type { Feature, FeatureCollection } from 'geojson';
import { pointInRing } from '../geo/polygon.ts';
import type { TownHours } from './hours.ts';
import { EXTENT, type Tile, tileAt } from './tile-grid.ts';

/** The layer of the towns' areas, and that of a point for each name. */
export const TOWNS_LAYER = 'towns';
export const LABELS_LAYER = 'town_labels';

/** The zooms at which towns are drawn from tiles of their own. */
export const TOWN_ZOOMS = { least: 8, most: 13 } as const;

interface MapTown {
  townCode: string;
  name: string | null;
  reading: string | null;
  /** The reading in Latin letters. */
  latin: string | null;
  lat: number;
  lon: number;
  /** Outer rings and holes alike, by the even-odd rule: `[lat, lon, …]` in degrees, open. */
  rings: readonly ArrayLike<number>[];
  hours: TownHours;
}

/** Tiles of the towns of a dataset: all of them are held while they are drawn, some kilobytes each. */
export class TownTiles {
  readonly #towns: readonly MapTown[];
  readonly #areas: GeoJSONVT;
  readonly #labels: GeoJSONVT;

  constructor(towns: readonly MapTown[]) {
    const options = { maxZoom: TOWN_ZOOMS.most, indexMaxZoom: 0, tolerance: 2, extent: EXTENT };
    this.#towns = towns;
    this.#areas = new GeoJSONVT(collection(towns.map(area)), { ...options, buffer: 32 });
    this.#labels = new GeoJSONVT(collection(towns.map(label)), { ...options, buffer: 0 });
  }

  /** Every tile that can hold something, in no order, each once. */
  *tiles(): Generator<Tile> {
    const seen = new Set<string>();
    for (const { rings } of this.#towns) {
      const lats = rings.flatMap((ring) => Array.from(ring).filter((_, i) => i % 2 === 0));
      const lons = rings.flatMap((ring) => Array.from(ring).filter((_, i) => i % 2 === 1));
      for (let z: number = TOWN_ZOOMS.least; z <= TOWN_ZOOMS.most; z++) {
        const from = tileAt(z, Math.max(...lats), Math.min(...lons));
        const to = tileAt(z, Math.min(...lats), Math.max(...lons));
        for (let x = from.x; x <= to.x; x++) {
          for (let y = from.y; y <= to.y; y++) {
            const key = `${z}/${x}/${y}`;
            if (!seen.has(key)) yield { z, x, y };
            seen.add(key);
          }
        }
      }
    }
  }

  /** The vector tile; null where it would be empty. */
  tile({ z, x, y }: Tile): Uint8Array | null {
    const areas = this.#areas.getTile(z, x, y);
    const labels = this.#labels.getTile(z, x, y);
    const layers: Record<string, GeoJSONVTTile> = {};
    if (areas !== null && areas.features.length > 0) layers[TOWNS_LAYER] = areas;
    const own = (labels?.features ?? []).filter((feature: TileFeature) => isIn({ z, x, y }, feature.tags as Place));
    if (labels !== null && own.length > 0) layers[LABELS_LAYER] = { ...labels, features: own.map(withoutPlace) };
    if (Object.keys(layers).length === 0) return null;
    return fromGeojsonVt(layers, { version: 2, extent: EXTENT });
  }
}

type TileFeature = GeoJSONVTTile['features'][number];
/** Where a label stands, degrees. */
type Place = { lat: number; lon: number };

const isIn = (tile: Tile, { lat, lon }: Place): boolean => {
  const own = tileAt(tile.z, lat, lon);
  return own.x === tile.x && own.y === tile.y;
};

function withoutPlace(feature: TileFeature): TileFeature {
  const { lat: _lat, lon: _lon, ...tags } = feature.tags ?? {};
  return { ...feature, tags };
}

const collection = (features: Feature[]): FeatureCollection => ({
  type: 'FeatureCollection',
  features,
});

function area({ townCode, name, latin, rings, hours }: MapTown): Feature {
  const properties = { town_code: townCode, ...given({ name, name_latin: latin }), ...hours };
  return { type: 'Feature', properties, geometry: { type: 'MultiPolygon', coordinates: polygons(rings) } };
}

function label({ townCode, name, reading, latin, lat, lon, hours }: MapTown): Feature {
  const names = given({ name, reading, name_latin: latin });
  const properties = { town_code: townCode, ...names, n: hours.n, lat, lon };
  return { type: 'Feature', properties, geometry: { type: 'Point', coordinates: [lon, lat] } };
}

/** The names that there are. */
const given = (names: Record<string, string | null>): Record<string, string> =>
  Object.fromEntries(Object.entries(names).flatMap(([key, name]) => (name === null ? [] : [[key, name]])));

/** Outer rings with their holes: a ring inside an odd number of others is a hole of the smallest outer one around it. */
function polygons(rings: readonly ArrayLike<number>[]): [number, number][][][] {
  const around = rings.map((ring) => rings.filter((other) => other !== ring && pointInRing(ring[0], ring[1], other)));
  const outers = rings.filter((_, i) => around[i].length % 2 === 0);
  return outers.map((outer) => {
    const depth = around[rings.indexOf(outer)].length;
    const holes = rings.filter((_, i) => around[i].length === depth + 1 && around[i].includes(outer));
    return [outer, ...holes].map(closed);
  });
}

function closed(ring: ArrayLike<number>): [number, number][] {
  const points: [number, number][] = [];
  for (let i = 0; i < ring.length; i += 2) points.push([ring[i + 1], ring[i]]);
  return [...points, points[0]];
}
