/** The vector tiles of the sunlight half, relative to the dataset's folder. */
export const MAP_FILE = 'map.pmtiles';
