import { PmtilesReader } from '../formats/pmtiles-reader.ts';
import type { DatasetFiles } from './dataset-files.ts';

/** The vector tiles of the sunlight half, relative to the dataset's folder. */
export const MAP_FILE = 'map.pmtiles';

/** The map of a dataset, as the pages see it. */
export interface MapAnswers {
  /** Around every building, degrees. */
  bounds: [west: number, south: number, east: number, north: number];
  /** A vector tile, gzipped; null where nothing is drawn. */
  tile(z: number, x: number, y: number): Buffer | null;
  /** The whole archive. */
  archive: { path: string; bytes: number; sha256: string };
}

/** Opens the map of a dataset; null where it has none. Throws when it is damaged. */
export function openMap(files: DatasetFiles): MapAnswers | null {
  const entry = files.manifest.files[MAP_FILE];
  if (entry === undefined) return null;
  const file = files.open(MAP_FILE);
  const reader = new PmtilesReader(file);
  const { minLon, minLat, maxLon, maxLat } = reader.header;
  return {
    bounds: [minLon, minLat, maxLon, maxLat],
    tile: (z, x, y) => reader.tile(z, x, y),
    archive: { path: file.path, bytes: entry.bytes, sha256: entry.sha256 },
  };
}
