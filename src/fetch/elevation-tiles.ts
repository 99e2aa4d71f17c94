import { KM_PER_DEGREE, RADIANS } from '../geo/degree.ts';
import { type Box, boxOfSquare } from '../geo/grid-square.ts';
import { type Tile, tilesIn } from '../geo/web-tile.ts';
import { heightsOfPng } from '../terrain/gsi-tile.ts';
import type { Publishers, Resource } from './publishers.ts';

/** The elevation models of 国土地理院: DEM5A (laser), DEM5B and DEM5C (photographs) have a cell of 5 m, DEM10B of 10 m. */
type Model = 'dem5a' | 'dem5b' | 'dem5c' | 'dem10b';

/** The models of 5 m, the most accurate first. None covers all Japan. */
const MODELS_5M: readonly Model[] = ['dem5a', 'dem5b', 'dem5c'];
/** Zooms of the tiles with the cells of the models. */
const ZOOM_5M = 15;
const ZOOM_10M = 14;
/** DEM10B with coarse cells, for the horizon. Its tiles are 32 km wide. */
const ZOOM_FAR = 10;
/** Distances around a grid square up to which hills are needed in detail, and as a horizon, km. */
const NEAR_KM = 3.2;
const FAR_KM = 112;

/**
 * The same tile in several models, the best one first. Another model is requested only when the tile of the model before
 * it is missing or has gaps.
 */
export type TileChoices = readonly Resource[];

/**
 * The elevation tiles that the terrain around some grid squares (4, 6 or 8 digits) needs, without repetition: cells of
 * 10 m, those of 5 m in three models (the best first), and coarse ones far around.
 */
export function elevationTiles(squares: readonly string[], publishers: Publishers): TileChoices[] {
  const far = tilesAround(squares, FAR_KM, ZOOM_FAR);
  const near10m = tilesAround(squares, NEAR_KM, ZOOM_10M);
  const near5m = tilesAround(squares, NEAR_KM, ZOOM_5M);
  return [
    ...[...far, ...near10m].map((tile) => [resourceOf('dem10b', tile, publishers)]),
    ...near5m.map((tile) => MODELS_5M.map((model) => resourceOf(model, tile, publishers))),
  ];
}

/** The tiles within `km` of any of the squares, each once, from north to south and from west to east. */
function tilesAround(squares: readonly string[], km: number, zoom: number): Tile[] {
  const tiles = new Map<number, Tile>();
  for (const square of squares)
    for (const tile of tilesIn(widened(boxOfSquare(square), km), zoom)) tiles.set(tile.y * 2 ** zoom + tile.x, tile);
  return [...tiles].sort(([a], [b]) => a - b).map(([, tile]) => tile);
}

/** A box with a margin on each side. Degrees of longitude are shortest at its northern edge. */
function widened({ west, south, east, north }: Box, km: number): Box {
  const dLat = km / KM_PER_DEGREE;
  const dLon = dLat / Math.cos(north * RADIANS);
  return { west: west - dLon, south: south - dLat, east: east + dLon, north: north + dLat };
}

/** The file of a model's tile, and where it is fetched from. */
function resourceOf(model: Model, { z, x, y }: Tile, publishers: Publishers): Resource {
  const url = publishers.elevation.urls[model] ?? '';
  return {
    path: `terrain/${model}/${z}/${x}/${y}.png`,
    url: url.replace('{z}', String(z)).replace('{x}', String(x)).replace('{y}', String(y)),
    publisher: 'elevation',
    content: 'png',
    expectedBytes: null,
    edition: null,
    keepEarlier: false,
  };
}

/**
 * True when each cell of a tile has a height.
 * @throws {ElevationFileError} When the bytes are not an elevation tile.
 */
export const isWithoutGaps = (bytes: Buffer): boolean => !heightsOfPng(bytes).some(Number.isNaN);

/** A path of a city model below the inputs folder, as `city-models.ts` makes it. */
const MODEL_PATH = /^citygml\/\d{5}\/(\d{8}|\d{6}|\d{4})/;

/** The codes of the cities to which city models belong. Their paths contain the codes. */
export const citiesOfModels = (paths: readonly string[]): string[] => [
  ...new Set(paths.map((path) => path.split('/')[1] ?? '')),
];

/** The codes of the grid squares of city models. Their paths contain the codes. */
export const squaresOfModels = (paths: readonly string[]): string[] => [
  ...new Set(paths.flatMap((path) => MODEL_PATH.exec(path)?.[1] ?? [])),
];
