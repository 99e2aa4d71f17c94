import { KM_PER_DEGREE } from '../geo/degree.ts';
import { type Box, boxOfSquare } from '../geo/grid-square.ts';
import { type Tile, tilesIn } from '../geo/web-tile.ts';
import { heightsOfPng } from '../terrain/gsi-tile.ts';
import type { Publishers, Resource } from './publishers.ts';

/**
 * The elevation tiles of 国土地理院 for a city. Near it: the 5 m models at zoom 15, first DEM5A (laser), and DEM5B and DEM5C
 * (photographs) where it is missing or has gaps; also DEM10B at zoom 14. Far from it: DEM10B at zoom 10, whose tiles
 * are 32 km wide.
 */
const FINE: readonly Model[] = ['dem5a', 'dem5b', 'dem5c'];
const FINE_ZOOM = 15;
const WHOLE_ZOOM = 14;
const FAR_ZOOM = 10;
/** Distances around a grid square up to which hills are needed in detail, and as a horizon, km. */
const NEAR_KM = 3.2;
const FAR_KM = 112;

type Model = 'dem5a' | 'dem5b' | 'dem5c' | 'dem10b';

/**
 * The same place in several models. The next model is requested when the tile of the previous one is missing or has
 * gaps.
 */
export type TileChoices = readonly Resource[];

/** The tiles for some grid squares (4, 6 or 8 digits), in order, each place once. */
export function elevationTiles(squares: readonly string[], publishers: Publishers): TileChoices[] {
  const [fine, whole, far] = [
    placesAround(squares, NEAR_KM, FINE_ZOOM),
    placesAround(squares, NEAR_KM, WHOLE_ZOOM),
    placesAround(squares, FAR_KM, FAR_ZOOM),
  ];
  return [
    ...[...far, ...whole].map((place) => [resourceOf('dem10b', place, publishers)]),
    ...fine.map((place) => FINE.map((model) => resourceOf(model, place, publishers))),
  ];
}

function placesAround(squares: readonly string[], km: number, zoom: number): Tile[] {
  const places = new Map<number, Tile>();
  for (const square of squares)
    for (const place of tilesIn(widened(boxOfSquare(square), km), zoom))
      places.set(place.y * 2 ** zoom + place.x, place);
  return [...places].sort(([a], [b]) => a - b).map(([, place]) => place);
}

function widened({ west, south, east, north }: Box, km: number): Box {
  const dLat = km / KM_PER_DEGREE;
  const dLon = dLat / Math.cos((north * Math.PI) / 180);
  return { west: west - dLon, south: south - dLat, east: east + dLon, north: north + dLat };
}

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
 * True when a tile has the height of each of its cells. Throws `ElevationFileError` for anything but an elevation tile.
 */
export const isWholeTile = (bytes: Buffer): boolean => !heightsOfPng(bytes).some(Number.isNaN);

/** A path of a city model below the inputs folder, as `city-models.ts` makes it. */
const MODEL_PATH = /^citygml\/\d{5}\/(\d{8}|\d{6}|\d{4})/;

/** The cities of city models, by their paths. */
export const citiesOfModels = (paths: readonly string[]): string[] => [
  ...new Set(paths.map((path) => path.split('/')[1] ?? '')),
];

/** The grid squares of city models, by their paths. */
export const squaresOfModels = (paths: readonly string[]): string[] => [
  ...new Set(paths.flatMap((path) => MODEL_PATH.exec(path)?.[1] ?? [])),
];
