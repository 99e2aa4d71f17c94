import { gzipSync } from 'node:zlib';
import { absent, found } from '../../contract/outcome.ts';
import type { Parameter } from '../../contract/parameter.ts';
import { Type } from '../../contract/schema.ts';
import { PackedBody } from '../../http/body.ts';
import { HTML_HEADERS } from '../frame/assets.ts';
import { type Route, routeOf } from '../route.ts';
import { careTiles } from './care-pins.ts';

export { PINS_ZOOM } from './care-pins.ts';

import { MapAssets, MEDIA_TYPES } from './map-assets.ts';

/** The files of the map page. */
export const MAP_ASSETS = new MapAssets();

/** Workers draw the map from pictures that the page makes. All come from this server. */
export const MAP_HEADERS = HTML_HEADERS.map((header) =>
  header.replace("img-src 'self';", "img-src 'self' data: blob:; worker-src 'self';"),
);
/** A worker does not inherit the policy of its page, so it has its own. */
const SCRIPT_HEADERS = ['Content-Security-Policy', "default-src 'none'; script-src 'self'; connect-src 'self'"];

const inPath = (name: string, schema: Parameter['schema'], example: string): Parameter => ({
  name,
  in: 'path',
  required: true,
  schema,
  description: 'Number of the tile.',
  example,
});
const whole = (most: number) => Type.Integer({ minimum: 0, maximum: most });
const DatasetId = Type.String({ pattern: '^[0-9a-f]{16}$' });
const Name = Type.String({ maxLength: 100 });
const MOST_ZOOM = 15;

/** An empty tile. All renderers accept it, unlike a missing one. */
const EMPTY_TILE = gzipSync('');

/** The vector tiles of the dataset, as they are stored. */
const tile = routeOf({
  id: 'tile',
  path: '/tiles/{dataset_id}/{z}/{x}/{y}.mvt',
  kind: 'page',
  half: 'sunlight',
  parameters: [
    inPath('dataset_id', DatasetId, '5f3cee3282240949'),
    inPath('z', whole(MOST_ZOOM), '15'),
    inPath('x', whole(2 ** MOST_ZOOM - 1), '29105'),
    inPath('y', whole(2 ** MOST_ZOOM - 1), '12902'),
  ],
  answer: { form: 'other', mediaType: 'application/vnd.mapbox-vector-tile' },
  cache: 'immutable',
  isTile: true,
  find(values, { dataset: { manifest, map } }) {
    const { dataset_id, z, x, y } = values as { dataset_id: string; z: number; x: number; y: number };
    if (map === null || dataset_id !== manifest.dataset_id || x >= 2 ** z || y >= 2 ** z) return absent();
    return found(new PackedBody(map.tile(z, x, y) ?? EMPTY_TILE));
  },
});

/** The tiles and layers as TileJSON 3.0: the URL of a vector source for MapLibre, QGIS and others. */
const tileJson = routeOf({
  id: 'tile-json',
  path: '/map/tiles.json',
  kind: 'page',
  half: 'sunlight',
  parameters: [],
  answer: { form: 'other', mediaType: 'application/json' },
  find(_, { dataset: { manifest, map }, siteUrl }) {
    if (map === null) return absent();
    const { name, description, attribution, vector_layers } = map.about;
    const tiles = [`${siteUrl}/tiles/${manifest.dataset_id}/{z}/{x}/{y}.mvt`];
    const { bounds, leastZoom, mostZoom } = map;
    const about = { tilejson: '3.0.0', name, description, attribution, scheme: 'xyz', tiles };
    const text = JSON.stringify({ ...about, bounds, minzoom: leastZoom, maxzoom: mostZoom, vector_layers });
    return found(new PackedBody(gzipSync(text)));
  },
});

/** The whole map as one file, read by ranges: for GIS. */
export const mapArchive = routeOf({
  id: 'map-archive',
  path: '/tiles/{dataset_id}.pmtiles',
  kind: 'map',
  half: 'sunlight',
  parameters: [inPath('dataset_id', DatasetId, '5f3cee3282240949')],
  answer: { form: 'other', mediaType: 'application/vnd.pmtiles' },
  isTile: true,
});

/** Everything that a map loads besides its page. */
export const MAP_ROUTES: readonly Route[] = [
  careTiles,
  tile,
  tileJson,
  ...Object.entries(MEDIA_TYPES).map(([ending, mediaType]) =>
    routeOf({
      id: `map-file-${ending}`,
      path: `/assets/map/{hash}/{name}.${ending}`,
      kind: 'page',
      half: 'site',
      parameters: [inPath('hash', Name, '5f3cee3282'), inPath('name', Name, 'main')],
      answer: { form: 'other', mediaType },
      cache: 'immutable',
      headers: SCRIPT_HEADERS,
      async find({ hash, name }) {
        if (MAP_ASSETS.folder !== `/assets/map/${hash}/`) return absent();
        const content = await MAP_ASSETS.packed(`${name}.${ending}`);
        return content === null ? absent() : found(content);
      },
    }),
  ),
];
