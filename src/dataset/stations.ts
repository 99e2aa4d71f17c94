import { writeFile } from 'node:fs/promises';
import { sevenDecimals } from '../geo/rounding.ts';
import type { DatasetFiles } from '../snapshot/dataset-files.ts';

/** The stations of the map as a file of a dataset. Datasets built without landmarks do not have it. */
export const STATIONS_FILE = 'stations.json';

/** A place farther away from a station is not at it, km: the station neither describes it nor lies in its ward. */
export const STATION_NEAR_KM = 1;

/** A station, by its name without 駅. */
export interface Station {
  name: string;
  /** Hiragana, from the towns around; null: not known. */
  reading: string | null;
  /** The code of the town that contains it; null: not known. */
  town_code: string | null;
  /** Degrees. */
  lat: number;
  lon: number;
}

/** Writes stations in order of their names, those of one name from west to east. */
export async function writeStations(path: string, stations: readonly Station[]): Promise<void> {
  const list = stations
    .map(({ lat, lon, ...station }) => ({ ...station, lat: sevenDecimals(lat), lon: sevenDecimals(lon) }))
    .sort((a, b) => {
      if (a.name === b.name) return a.lon - b.lon;
      return a.name < b.name ? -1 : 1;
    });
  await writeFile(path, JSON.stringify(list));
}

/** Parses what {@link writeStations} wrote. */
export const parseStations = (json: Buffer): Station[] => JSON.parse(json.toString()) as Station[];

/** The stations of a dataset; none without landmarks. */
export const stationsOf = async (files: Pick<DatasetFiles, 'manifest' | 'read'>): Promise<Station[]> =>
  STATIONS_FILE in files.manifest.files ? parseStations(await files.read(STATIONS_FILE)) : [];
