import { gzipSync } from 'node:zlib';
import { absent, found, isRefused } from '../../contract/outcome.ts';
import { Type } from '../../contract/schema.ts';
import { KM_PER_DEGREE } from '../../geo/degree.ts';
import { tileBox } from '../../geo/web-tile.ts';
import { PackedBody } from '../../http/body.ts';
import { CODE_TYPES, HTML_HEADERS } from '../frame/assets.ts';
import { type Route, routeOf } from '../route.ts';
import { careTiles, TILE_DATASET, tileParameter } from './care-pins.ts';

export { PINS_ZOOM } from './care-pins.ts';

import { MapAssets } from './map-assets.ts';

/** The files of the map page. */
export const MAP_ASSETS = new MapAssets();

/**
 * HTTP headers of the map page. Besides what other pages load, it may load pictures that its scripts make (`data:` and
 * `blob:`), and workers, which draw the map.
 */
export const MAP_HEADERS = HTML_HEADERS.map((header) =>
  header.replace("img-src 'self';", "img-src 'self' data: blob:; worker-src 'self';"),
);
/** HTTP headers of the map's scripts: a worker has the policy of its script's answer, not that of its page. */
const SCRIPT_HEADERS = ['Content-Security-Policy', "default-src 'none'; script-src 'self'; connect-src 'self'"];

const integerTo = (most: number) => Type.Integer({ minimum: 0, maximum: most });
const Name = Type.String({ maxLength: 100 });
const MOST_ZOOM = 15;

/** A tile without content, for places without buildings: some renderers take a missing tile as an error. */
const EMPTY_TILE = gzipSync('');

/** The route of the vector tiles, as the dataset stores them. */
const tile = routeOf({
  id: 'tile',
  path: '/tiles/{dataset_id}/{z}/{x}/{y}.mvt',
  kind: 'page',
  section: 'sunlight',
  parameters: [
    TILE_DATASET,
    tileParameter('z', integerTo(MOST_ZOOM), '15'),
    tileParameter('x', integerTo(2 ** MOST_ZOOM - 1), '29105'),
    tileParameter('y', integerTo(2 ** MOST_ZOOM - 1), '12902'),
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

/** Zoom of the tiles of the ground. At this zoom a tile is about 1 km wide. */
export const GROUND_ZOOM = MOST_ZOOM;
/** Cells along a side of a tile: about 8 m wide for heights, 31 m for the shade of hills. */
const GROUND_CELLS = { cells: 128, shadeCells: 32 } as const;

/**
 * The route of the tiles of the ground: heights, the times when hills shade it, and the bases of the buildings on it
 * (`bases`, by ID, tenths of a metre above sea level).
 */
const groundTile = routeOf({
  id: 'ground-tile',
  path: '/tiles/{dataset_id}/ground/{x}/{y}.json',
  kind: 'page',
  section: 'sunlight',
  parameters: [
    TILE_DATASET,
    tileParameter('x', integerTo(2 ** GROUND_ZOOM - 1), '29105'),
    tileParameter('y', integerTo(2 ** GROUND_ZOOM - 1), '12902'),
  ],
  answer: { form: 'other', mediaType: 'application/json' },
  cache: 'immutable',
  isTile: true,
  async find(values, { dataset: { manifest, sunlight }, compute }) {
    const { dataset_id, x, y } = values as { dataset_id: string; x: number; y: number };
    if (!sunlight?.hasTerrain || dataset_id !== manifest.dataset_id) return absent();
    const box = tileBox({ z: GROUND_ZOOM, x, y });
    const ground = await compute<'ground'>({ kind: 'ground', ...box, ...GROUND_CELLS });
    if (isRefused(ground)) return ground;
    // A circle with the side of the tile as radius has the whole tile in it.
    const radiusM = (box.north - box.south) * KM_PER_DEGREE * 1000;
    const shapes = sunlight.shapesAround((box.south + box.north) / 2, (box.west + box.east) / 2, radiusM);
    const basesDm = Object.fromEntries([...shapes].map(([id, { baseM }]) => [id, Math.round(baseM * 10)]));
    return found(new PackedBody(gzipSync(JSON.stringify({ ...GROUND_CELLS, ...ground, bases: basesDm }))));
  },
});

/** The route of the TileJSON 3.0 document: MapLibre, QGIS and others read from it where the vector tiles are. */
const tileJson = routeOf({
  id: 'tile-json',
  path: '/map/tiles.json',
  kind: 'page',
  section: 'sunlight',
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

/** The route of the whole map as one file (PMTiles). Programs for maps read parts of it by HTTP ranges. */
export const mapArchive = routeOf({
  id: 'map-archive',
  path: '/tiles/{dataset_id}.pmtiles',
  kind: 'map',
  section: 'sunlight',
  parameters: [TILE_DATASET],
  answer: { form: 'other', mediaType: 'application/vnd.pmtiles' },
  cache: 'immutable',
  isTile: true,
});

/** The routes of everything that a map loads besides its page. */
export const MAP_ROUTES: readonly Route[] = [
  careTiles,
  tile,
  groundTile,
  tileJson,
  ...Object.entries(CODE_TYPES).map(([ending, mediaType]) =>
    routeOf({
      id: `map-file-${ending}`,
      path: `/assets/map/{hash}/{name}.${ending}`,
      kind: 'page',
      section: 'site',
      parameters: [tileParameter('hash', Name, '5f3cee3282'), tileParameter('name', Name, 'main')],
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
