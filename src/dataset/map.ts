import { PmtilesReader } from '../formats/pmtiles-reader.ts';
import { type BulkFile, bulkFile, type DatasetFiles } from '../snapshot/dataset-files.ts';

/** The vector tiles of the sunlight half, relative to the dataset's folder. */
export const MAP_FILE = 'map.pmtiles';

/** The map of a dataset, as the pages see it. */
export interface MapAnswers {
  /** Around every building, degrees. */
  bounds: [west: number, south: number, east: number, north: number];
  /** The zoom from which on something is drawn: without towns that of buildings. */
  leastZoom: number;
  /** A vector tile, gzipped; null where nothing is drawn. */
  tile(z: number, x: number, y: number): Buffer | null;
  /** The whole map. */
  whole(): BulkFile | null;
}

/** Opens the map of a dataset; null where it has none. Throws when it is damaged. */
export function openMap(files: DatasetFiles): MapAnswers | null {
  if (files.manifest.files[MAP_FILE] === undefined) return null;
  const reader = new PmtilesReader(files.open(MAP_FILE));
  const { minLon, minLat, maxLon, maxLat, minZoom } = reader.header;
  return {
    bounds: [minLon, minLat, maxLon, maxLat],
    leastZoom: minZoom,
    tile: (z, x, y) => reader.tile(z, x, y),
    whole: () => bulkFile(files, MAP_FILE),
  };
}
