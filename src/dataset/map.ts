import { PmtilesReader } from '../formats/pmtiles.ts';
import { type BulkFile, bulkFile, type DatasetFiles } from '../snapshot/dataset-files.ts';

/** The vector tiles of the sunlight half, relative to the dataset's folder. */
export const MAP_FILE = 'map.pmtiles';

/** The map of a dataset, as the pages use it. */
export interface MapAnswers {
  /** The box of all buildings, degrees. */
  bounds: [west: number, south: number, east: number, north: number];
  /** The lowest zoom with content. Without towns, it is that of buildings. */
  leastZoom: number;
  mostZoom: number;
  /** Name, credit and layers, as TileJSON has them. */
  about: Readonly<Record<string, unknown>>;
  /** A vector tile, gzipped; null when it is empty. */
  tile(z: number, x: number, y: number): Buffer | null;
  /** The file of the whole map. */
  whole(): BulkFile | null;
}

/**
 * Opens the map of a dataset; null when it has none.
 * @throws Error when it is damaged
 */
export function openMap(files: DatasetFiles): MapAnswers | null {
  if (files.manifest.files[MAP_FILE] === undefined) return null;
  const reader = new PmtilesReader(files.open(MAP_FILE));
  const { minLon, minLat, maxLon, maxLat, minZoom, maxZoom } = reader.header;
  return {
    bounds: [minLon, minLat, maxLon, maxLat],
    leastZoom: minZoom,
    mostZoom: maxZoom,
    about: reader.metadata(),
    tile: (z, x, y) => reader.tile(z, x, y),
    whole: () => bulkFile(files, MAP_FILE),
  };
}
