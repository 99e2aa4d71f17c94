import { type Extent, isInTokyo, isTokyoWard } from '../contract/place.ts';
import { gridSquareBounds, unitedBox } from '../geo/grid-square.ts';
import type { DatasetFiles } from '../snapshot/dataset-files.ts';
import type { Manifest } from '../snapshot/manifest.ts';
import type { KaigoAnswers } from './kaigo.ts';
import type { MapAnswers } from './map.ts';
import type { SearchAnswers } from './search.ts';
import type { Station } from './stations.ts';
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
  /** None when the dataset was built without landmarks. */
  stations: readonly Station[];
  /** Closes its files. Nothing may be asked afterwards. */
  close(): Promise<void>;
}

/** The area of the sunlight half; null within the 23 wards of Tokyo, and without this half. */
export const extentOf = ({ manifest }: Pick<Dataset, 'manifest'>): Extent | null =>
  manifest.halves.sunlight?.extent ?? null;

/** True for a dataset within the 23 wards of Tokyo, and for one without the sunlight half. */
export const isTokyo = (dataset: Pick<Dataset, 'manifest'>): boolean => extentOf(dataset) === null;

/** Margin around the squares: about 5 km, as around the wards of Tokyo. */
const MARGIN_DEGREES = 0.05;

/**
 * The area that the buildings of a dataset cover; null when it lies in the 23 wards of Tokyo, for which the contract is
 * written.
 * @param squares the third-order grid squares that have its buildings
 * @param municipalities the codes of its buildings
 */
export function coveredBy(squares: readonly string[], municipalities: readonly string[]): Extent | null {
  if (squares.length === 0 || municipalities.length === 0) return null;
  const { south, west, north, east } = squares.map(gridSquareBounds).reduce(unitedBox);
  if (isInTokyo({ south, west, north, east }) && municipalities.every(isTokyoWard)) return null;
  return {
    bbox: {
      south: roundedDown(south - MARGIN_DEGREES),
      west: roundedDown(west - MARGIN_DEGREES),
      north: roundedUp(north + MARGIN_DEGREES),
      east: roundedUp(east + MARGIN_DEGREES),
    },
    municipalities: [...municipalities].sort(),
  };
}

/** Degrees to two decimals. */
const roundedDown = (degrees: number): number => Math.floor(degrees * 100) / 100;
const roundedUp = (degrees: number): number => Math.ceil(degrees * 100) / 100;
