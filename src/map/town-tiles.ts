import { GeoJSONVT, type GeoJSONVTTile } from '@maplibre/geojson-vt';
import { fromGeojsonVt } from '@maplibre/vt-pbf';
import type { Feature, FeatureCollection } from 'geojson';
import type { LatLon } from '../geo/degree.ts';
import { boundsOf, nestedPolygons } from '../geo/polygon.ts';
import { type Tile, tileAt, tileBox, tilesIn } from '../geo/web-tile.ts';
import type { TownHours } from './hours.ts';
import { EXTENT } from './tile-buildings.ts';

/** The layer of the towns' areas, and the layers of points with the names of towns and of wards. */
export const TOWNS_LAYER = 'towns';
export const LABELS_LAYER = 'town_labels';
export const WARDS_LAYER = 'ward_labels';

/** The zooms at which the map has the areas of towns. */
export const TOWN_ZOOMS = { least: 8, most: 13 } as const;

/** A town on the map. */
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
  wardCode: string;
  wardName: string;
  /** The reading of the ward in Latin letters. */
  wardLatin: string | null;
}

/** Buildings outside known towns, grouped by the tile of zoom 17 that contains them: about 250 m wide. */
export interface MapSquare {
  x: number;
  y: number;
  hours: TownHours;
}
const SQUARE_ZOOM = 17;

/** A ward without known towns, for its name. */
export interface MapWard {
  code: string;
  name: string;
  /** The reading in Latin letters. */
  latin: string | null;
  /** Number of its buildings, and their middle. */
  n: number;
  lat: number;
  lon: number;
}

/** The square that contains a point (degrees). */
export const squareAt = (lat: number, lon: number): Pick<MapSquare, 'x' | 'y'> => tileAt(SQUARE_ZOOM, lat, lon);

/** The middle of a square. */
export function middleOfSquare({ x, y }: Pick<MapSquare, 'x' | 'y'>): LatLon {
  const { north, south, west, east } = tileBox({ z: SQUARE_ZOOM, x, y });
  return { lat: (south + north) / 2, lon: (west + east) / 2 };
}

/**
 * Tiles of the towns of a dataset, and of squares without a town. All are in memory while they are drawn, some
 * kilobytes each.
 */
export class TownTiles {
  readonly #rings: readonly ArrayLike<number>[];
  readonly #areas: GeoJSONVT;
  readonly #labels: GeoJSONVT;
  readonly #wards: GeoJSONVT;

  /** @param wards those without known towns */
  constructor(towns: readonly MapTown[], squares: readonly MapSquare[], wards: readonly MapWard[]) {
    const options = { maxZoom: TOWN_ZOOMS.most, indexMaxZoom: 0, tolerance: 2, extent: EXTENT };
    this.#rings = [...towns.flatMap(({ rings }) => rings), ...squares.map(squareRing)];
    // Towns are drawn over squares: a square counts the buildings outside towns.
    const areas = [...squares.map(squareArea), ...towns.map(area)];
    // Areas reach over the edge of a tile, so that no line is drawn along it. A label stands in one tile.
    this.#areas = new GeoJSONVT(collection(areas), { ...options, buffer: 32 });
    this.#labels = new GeoJSONVT(collection(towns.map(label)), { ...options, buffer: 0 });
    const wardPoints = [...wardsOf(towns), ...wards].map(wardLabel);
    this.#wards = new GeoJSONVT(collection(wardPoints), { ...options, buffer: 0 });
  }

  /** Every tile that may have content, in no order, each once. */
  *tiles(): Generator<Tile> {
    const seen = new Set<string>();
    for (const ring of this.#rings) {
      const [south, west, north, east] = boundsOf([ring]);
      for (let z: number = TOWN_ZOOMS.least; z <= TOWN_ZOOMS.most; z++) {
        for (const tile of tilesIn({ south, west, north, east }, z)) {
          const key = `${z}/${tile.x}/${tile.y}`;
          if (!seen.has(key)) yield tile;
          seen.add(key);
        }
      }
    }
  }

  /** The vector tile; null when it would be empty. */
  tile({ z, x, y }: Tile): Uint8Array | null {
    const areas = this.#areas.getTile(z, x, y);
    const layers: Record<string, GeoJSONVTTile> = {};
    if (areas !== null && areas.features.length > 0) layers[TOWNS_LAYER] = areas;
    for (const [name, points] of [[LABELS_LAYER, this.#labels] as const, [WARDS_LAYER, this.#wards] as const]) {
      const labels = points.getTile(z, x, y);
      if (labels === null) continue;
      // A label at the edge is in two tiles. It is drawn in the tile that contains its point.
      const features = labels.features.filter((feature: TileFeature) => isIn({ z, x, y }, feature.tags as LatLon));
      if (features.length > 0) layers[name] = { ...labels, features: features.map(withoutPoint) };
    }
    if (Object.keys(layers).length === 0) return null;
    return fromGeojsonVt(layers, { version: 2, extent: EXTENT });
  }
}

type TileFeature = GeoJSONVTTile['features'][number];
/** Whether a tile contains a point. */
function isIn({ z, x, y }: Tile, { lat, lon }: LatLon): boolean {
  const tile = tileAt(z, lat, lon);
  return tile.x === x && tile.y === y;
}

/** A label without the point, which is only for {@link isIn}. */
function withoutPoint(feature: TileFeature): TileFeature {
  const { lat: _lat, lon: _lon, ...tags } = feature.tags ?? {};
  return { ...feature, tags };
}

/** Features as a GeoJSON collection. */
const collection = (features: Feature[]): FeatureCollection => ({
  type: 'FeatureCollection',
  features,
});

/** The area of a town, with its hours. */
function area({ townCode, name, latin, rings, hours }: MapTown): Feature {
  const properties = { town_code: townCode, ...knownNames({ name, name_latin: latin }), ...hours };
  return {
    type: 'Feature',
    properties,
    geometry: { type: 'MultiPolygon', coordinates: nestedPolygons(rings).map((polygon) => polygon.map(closed)) },
  };
}

/** The corners of a square, `[lat, lon, …]`. */
function squareRing({ x, y }: MapSquare): number[] {
  const { north, south, west, east } = tileBox({ z: SQUARE_ZOOM, x, y });
  return [south, west, south, east, north, east, north, west];
}

/** The area of a square, with its hours. */
function squareArea(square: MapSquare): Feature {
  const coordinates = [closed(squareRing(square))];
  return { type: 'Feature', properties: { ...square.hours }, geometry: { type: 'Polygon', coordinates } };
}

/** The wards of towns, each in the middle of its buildings. */
function wardsOf(towns: readonly MapTown[]): MapWard[] {
  return [...Map.groupBy(towns, ({ wardCode }) => wardCode)].map(([code, members]) => {
    const { wardName: name, wardLatin: latin } = members[0];
    const n = members.reduce((sum, { hours }) => sum + hours.n, 0);
    // The name of a ward without buildings is in the middle of its towns.
    const share = ({ hours }: MapTown): number => (n === 0 ? 1 / members.length : hours.n / n);
    const lat = members.reduce((sum, town) => sum + town.lat * share(town), 0);
    const lon = members.reduce((sum, town) => sum + town.lon * share(town), 0);
    return { code, name, latin, n, lat, lon };
  });
}

/** The point of a ward, with its names. */
function wardLabel({ code, name, latin, n, lat, lon }: MapWard): Feature {
  const properties = { ward_code: code, ...knownNames({ name, name_latin: latin }), n, lat, lon };
  return { type: 'Feature', properties, geometry: { type: 'Point', coordinates: [lon, lat] } };
}

/** The point of a town, with its names. */
function label({ townCode, name, reading, latin, lat, lon, hours }: MapTown): Feature {
  const names = knownNames({ name, reading, name_latin: latin });
  const properties = { town_code: townCode, ...names, n: hours.n, lat, lon };
  return { type: 'Feature', properties, geometry: { type: 'Point', coordinates: [lon, lat] } };
}

/** The names that are not null. */
const knownNames = (names: Record<string, string | null>): Record<string, string> =>
  Object.fromEntries(Object.entries(names).flatMap(([key, name]) => (name === null ? [] : [[key, name]])));

/** A ring `[lat, lon, …]` as GeoJSON: longitude first, the first point again at the end. */
function closed(ring: ArrayLike<number>): [number, number][] {
  const points: [number, number][] = [];
  for (let i = 0; i < ring.length; i += 2) points.push([ring[i + 1], ring[i]]);
  return [...points, points[0]];
}
