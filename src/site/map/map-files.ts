import { gzipSync } from 'node:zlib';
import { found } from '../../contract/outcome.ts';
import type { Parameter } from '../../contract/parameter.ts';
import { Type } from '../../contract/schema.ts';
import { HTML_HEADERS } from '../frame/assets.ts';
import { Packed, type Page } from '../page.ts';
import { MapAssets, MEDIA_TYPES } from './map-assets.ts';

/** The files that the page of the map loads. */
export const MAP_ASSETS = new MapAssets();

/** A map is drawn by workers, from pictures that the page makes itself; all of them come from here. */
export const MAP_HEADERS = HTML_HEADERS.map((header) =>
  header.replace("img-src 'self';", "img-src 'self' data: blob:; worker-src 'self';"),
);
/** A worker takes no rule from the page it was begun by: it has its own. */
const SCRIPT_HEADERS = ['Content-Security-Policy', "default-src 'none'; script-src 'self'; connect-src 'self'"];

const inPath = (name: string, schema: Parameter['schema'], example: string): Parameter => ({
  name,
  in: 'path',
  required: true,
  schema,
  description: 'Of the tile.',
  example,
});
const whole = (most: number) => Type.Integer({ minimum: 0, maximum: most });
const DatasetId = Type.String({ pattern: '^[0-9a-f]{16}$' });
const Name = Type.String({ maxLength: 100 });
const MOST_ZOOM = 15;

/** A tile in which nothing is drawn: drawn by everybody without complaint, as a missing one is not. */
const EMPTY_TILE = gzipSync('');

/** The vector tiles of the dataset, as they are stored. */
const tilePage: Page = {
  id: 'tile',
  path: '/tiles/{dataset_id}/{z}/{x}/{y}.mvt',
  parameters: [
    inPath('dataset_id', DatasetId, '5f3cee3282240949'),
    inPath('z', whole(MOST_ZOOM), '15'),
    inPath('x', whole(2 ** MOST_ZOOM - 1), '29105'),
    inPath('y', whole(2 ** MOST_ZOOM - 1), '12902'),
  ],
  mediaType: 'application/vnd.mapbox-vector-tile',
  cache: 'immutable',
  headers: [],
  isTile: true,
  render(values, { dataset: { manifest, map } }) {
    const { dataset_id, z, x, y } = values as { dataset_id: string; z: number; x: number; y: number };
    if (map === null || dataset_id !== manifest.dataset_id || x >= 2 ** z || y >= 2 ** z) return null;
    return found(new Packed(map.tile(z, x, y) ?? EMPTY_TILE));
  },
};

/** The whole map as one file, read by ranges: for GIS. */
export const MAP_ARCHIVE = {
  id: 'map-archive',
  path: '/tiles/{dataset_id}.pmtiles',
  parameters: [inPath('dataset_id', DatasetId, '5f3cee3282240949')],
} as const;

/** All that a map loads besides its page. */
export const MAP_PAGES: readonly Page[] = [
  tilePage,
  ...Object.entries(MEDIA_TYPES).map(
    ([ending, mediaType]): Page => ({
      id: `map-file-${ending}`,
      path: `/assets/map/{hash}/{name}.${ending}`,
      parameters: [inPath('hash', Name, '5f3cee3282'), inPath('name', Name, 'main')],
      mediaType,
      cache: 'immutable',
      headers: SCRIPT_HEADERS,
      async render({ hash, name }) {
        if (MAP_ASSETS.folder !== `/assets/map/${hash}/`) return null;
        const content = await MAP_ASSETS.packed(`${name}.${ending}`);
        return content === null ? null : found(content);
      },
    }),
  ),
];
