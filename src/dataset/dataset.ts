import { type Extent, isInTokyo, isTokyoWard } from '../contract/place.ts';
import { gridSquareBounds } from '../geo/grid-square.ts';
import type { DatasetFiles } from '../snapshot/dataset-files.ts';
import type { Manifest } from '../snapshot/manifest.ts';
import type { KaigoAnswers } from './kaigo.ts';
import type { MapAnswers } from './map.ts';
import type { SearchAnswers } from './search.ts';
import type { SunlightAnswers } from './sunlight.ts';

/**
 * An open dataset, as the API uses it. Every answer is the `data` member of the envelope, with its keys in the order of
 * the documentation. `null` means that the thing does not exist.
 */
export interface Dataset {
  manifest: Manifest;
  /** Its folder, absolute. */
  folder: string;
  /** Its files. All bytes are checked before they are returned. */
  files: Pick<DatasetFiles, 'open' | 'read'>;
  /** Null when the dataset was built without city models. */
  sunlight: SunlightAnswers | null;
  /** Null when the dataset was built without office lists. */
  kaigo: KaigoAnswers | null;
  /** Null when there are no buildings to draw. */
  map: MapAnswers | null;
  /** Finds towns, facilities, municipalities and buildings by name and ID; null without an index. */
  search: SearchAnswers | null;
  close(): Promise<void>;
}

/** The area of the sunlight half; null within the 23 wards of Tokyo, and without this half. */
export const extentOf = ({ manifest }: Pick<Dataset, 'manifest'>): Extent | null =>
  manifest.halves.sunlight?.extent ?? null;

/** Margin around the squares, degrees: about 5 km, as around the wards of Tokyo. */
const MARGIN = 0.05;

/**
 * The area of a dataset; null when it lies within Tokyo's contract.
 * @param squares the third-order grid squares that have its buildings
 * @param municipalities the codes of its buildings
 */
export function coveredBy(squares: readonly string[], municipalities: readonly string[]): Extent | null {
  if (squares.length === 0 || municipalities.length === 0) return null;
  const bounds = squares.map(gridSquareBounds);
  const lowest = (values: number[]): number => values.reduce((a, b) => Math.min(a, b));
  const highest = (values: number[]): number => values.reduce((a, b) => Math.max(a, b));
  const [south, west] = [lowest(bounds.map((one) => one.south)), lowest(bounds.map((one) => one.west))];
  const [north, east] = [highest(bounds.map((one) => one.north)), highest(bounds.map((one) => one.east))];
  if (isInTokyo({ south, west, north, east }) && municipalities.every(isTokyoWard)) return null;
  return {
    bbox: {
      south: down(south - MARGIN),
      west: down(west - MARGIN),
      north: up(north + MARGIN),
      east: up(east + MARGIN),
    },
    municipalities: [...municipalities].sort(),
  };
}

const down = (degrees: number): number => Math.floor(degrees * 100) / 100;
const up = (degrees: number): number => Math.ceil(degrees * 100) / 100;
