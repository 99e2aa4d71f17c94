import { GeoJSONVT, type GeoJSONVTTile } from '@maplibre/geojson-vt';
import { fromGeojsonVt } from '@maplibre/vt-pbf';
import type { Feature } from 'geojson';
import { boundsOf } from '../geo/polygon.ts';
import { type Tile, tilesIn } from '../geo/web-tile.ts';
import { EXTENT } from './tile-buildings.ts';

/** A landmark on the map; the same as `Landmark`, which this room may not import. */
interface MapLandmark {
  layer: string;
  name: string | null;
  reading?: string | null;
  shape: 'point' | 'line' | 'area';
  /** `[lon, lat, …]` in degrees. */
  parts: readonly Float64Array[];
}

const ZOOMS = { least: 8, most: 15 } as const;
/** The lowest zoom with roads, because there are many. */
const ROADS_FROM = 13;
/** Tiles below a tile of this zoom are made together. Their memory is freed afterwards. */
const GROUP_ZOOM = 11;

/** A reading in Latin letters; null when it cannot be written in them. */
type LatinOf = (reading: string) => string | null;

/** The vector tiles of landmarks, each once, in no order: for zooms 8 to 15, roads from 13 on. */
export function* landmarkTiles(
  landmarks: readonly MapLandmark[],
  latinOf: LatinOf,
): Generator<{ tile: Tile; bytes: Uint8Array }> {
  const withoutRoads = landmarks.filter(({ layer }) => layer !== 'roads');
  const mostWithoutRoads = ROADS_FROM - 1;
  yield* tilesOf(withoutRoads, latinOf, mostWithoutRoads, null);
  // From the zoom with roads on there are many tiles, so they are made in groups.
  const placed = landmarks.flatMap((landmark) =>
    Array.from(tilesAround(landmark, GROUP_ZOOM), (tile) => ({ landmark, tile })),
  );
  for (const group of Map.groupBy(placed, ({ tile }) => `${tile.x} ${tile.y}`).values()) {
    const ofTile = group.map(({ landmark }) => landmark);
    yield* tilesOf(ofTile, latinOf, ZOOMS.most, group[0].tile);
  }
}

/**
 * The vector tiles of landmarks up to a zoom.
 * @param most the highest zoom
 * @param within only tiles below this one, from the zoom with roads on; null: all, from the lowest zoom on
 */
function* tilesOf(
  landmarks: readonly MapLandmark[],
  latinOf: LatinOf,
  most: number,
  within: Tile | null,
): Generator<{ tile: Tile; bytes: Uint8Array }> {
  const options = { maxZoom: most, indexMaxZoom: 0, tolerance: 3, extent: EXTENT, buffer: 32 };
  const layers = [...Map.groupBy(landmarks, ({ layer }) => layer)].map(([layer, members]) => {
    const features = members.map((landmark) => featureOf(landmark, latinOf));
    return [layer, new GeoJSONVT({ type: 'FeatureCollection', features }, options)] as const;
  });
  for (let z = within === null ? ZOOMS.least : ROADS_FROM; z <= most; z++) {
    const seen = new Set<string>();
    for (const landmark of landmarks) {
      for (const tile of tilesAround(landmark, z)) {
        const key = `${tile.x} ${tile.y}`;
        if (seen.has(key) || (within !== null && !isBelow(tile, within))) continue;
        seen.add(key);
        const content: Record<string, GeoJSONVTTile> = {};
        for (const [layer, index] of layers) {
          const part = index.getTile(z, tile.x, tile.y);
          if (part !== null && part.features.length > 0) content[layer] = part;
        }
        if (Object.keys(content).length === 0) continue;
        yield { tile, bytes: fromGeojsonVt(content, { version: 2, extent: EXTENT }) };
      }
    }
  }
}

/** Whether a tile lies in another one of a lower zoom. */
const isBelow = ({ z, x, y }: Tile, within: Tile): boolean =>
  x >> (z - within.z) === within.x && y >> (z - within.z) === within.y;

/** The tiles of a zoom that the box of a landmark meets. */
function tilesAround({ parts }: MapLandmark, z: number): Iterable<Tile> {
  const [west, south, east, north] = boundsOf(parts);
  return tilesIn({ west, south, east, north }, z);
}

/** A landmark as GeoJSON. */
function featureOf({ name, reading = null, shape, parts }: MapLandmark, latinOf: LatinOf): Feature {
  const positions = parts.map((part) =>
    Array.from({ length: part.length / 2 }, (_, i) => [part[2 * i], part[2 * i + 1]]),
  );
  const latin = reading === null ? null : latinOf(reading);
  const properties = { ...(name !== null && { name }), ...(latin !== null && { name_latin: latin }) };
  const geometries = {
    point: { type: 'Point', coordinates: positions[0][0] },
    line: { type: 'MultiLineString', coordinates: positions },
    area: { type: 'Polygon', coordinates: positions },
  } as const;
  return { type: 'Feature', properties, geometry: geometries[shape] };
}
