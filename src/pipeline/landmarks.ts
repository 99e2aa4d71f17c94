import { PublishedFileError } from '../census/published-file.ts';
import { type Town, TownIndex } from '../census/town.ts';
import type { Station } from '../dataset/stations.ts';
import type { Box } from '../geo/grid-square.ts';
import { boundsOf } from '../geo/polygon.ts';
import { CityLandmarks } from '../landmarks/citygml.ts';
import { type FileLandmarks, readGeoJson } from '../landmarks/geojson.ts';
import { LANDMARK_LAYERS, type Landmark, stationsOnce } from '../landmarks/landmark.ts';
import { readShapefile } from '../landmarks/shapefile.ts';
import { stationReadings } from '../search/station-readings.ts';
import type { Credit } from '../snapshot/manifest.ts';
import { findAllInputs, type Input, openInput, readGeoJsonText, readInput } from './inputs.ts';
import { isShapefile, layerFiles, tableOf } from './layer-files.ts';

/** The credit of railways, rivers and parks. Roads and water of PLATEAU have the credit of the city model. */
export const LANDMARK_CREDIT: Credit = {
  name: '国土数値情報（鉄道・河川・都市公園）',
  url: 'https://nlftp.mlit.go.jp/ksj/',
  attribution: '国土交通省 国土数値情報を加工して作成',
};

/** Counts of what was read of landmarks. */
export interface LandmarkReport {
  /** Names of the files read. */
  files: string[];
  /** Files that have the same data as one of `files`. */
  same_data: string[];
  /** For each layer, the number in the area of the map. */
  roads: number;
  rails: number;
  stations: number;
  water: number;
  parks: number;
  /** Outside the area of the map. */
  elsewhere: number;
  /** Records that are not a railway, station, river, lake or park. */
  passed_over: number;
}

export interface LandmarksRead {
  landmarks: Landmark[];
  report: LandmarkReport;
  inputs: Input[];
  /** True when some are from 国土数値情報. */
  hasNationalLandData: boolean;
}

/** Landmarks are drawn up to this distance from the buildings, degrees. */
const MARGIN_DEG = 0.02;
/** Names of files that may have landmarks. */
const WANTED = /\.(geojson|json|shp|gml|citygml)$/i;

/**
 * Reads landmarks from paths (folders, files, zips): GeoJSON and shapefiles of 国土数値情報 N02, W05, W09 and P13, and city
 * models of roads and water.
 * @throws InputError for paths without files, and for a file that cannot be read
 * @throws PublishedFileError when there are no landmarks, or a file does not have the published form
 * @throws PublishedFileError for a damaged shapefile
 */
export async function readLandmarkPaths(paths: readonly string[]): Promise<LandmarksRead> {
  // A GML file whose name states no theme has the kind `buildings` too, and may have roads. Only one whose name states
  // buildings is left out.
  const isWanted = ({ name, kind }: Input): boolean =>
    WANTED.test(name) && !(kind === 'buildings' && /_bldg_|\/bldg\//.test(name));
  const { layers, sameData, all } = await layerFiles(await findAllInputs([...paths]), isWanted);
  const landmarks: Landmark[] = [];
  let passedOver = 0;
  let hasNationalLandData = false;
  for (const input of layers) {
    const file = await readLandmarkFile(input, all);
    landmarks.push(...file.landmarks);
    passedOver += file.passedOver;
    hasNationalLandData ||= !/gml$/i.test(input.name) && file.landmarks.length > 0;
  }
  if (landmarks.length === 0) {
    throw new PublishedFileError(
      `${paths.join(', ')}: no landmarks; expected GeoJSON or shapefiles of 国土数値情報 N02, W05, W09 or P13, or CityGML of roads (tran) or water (wtr)`,
    );
  }
  // `landmarksWithin` counts the layers, when the area of the map is known.
  const report = {
    files: layers.map(({ name }) => name),
    same_data: sameData.map(({ name }) => name),
    roads: 0,
    rails: 0,
    stations: 0,
    water: 0,
    parks: 0,
    elsewhere: 0,
    passed_over: passedOver,
  };
  const inputs = layers.flatMap((layer) => (isShapefile(layer) ? [layer, tableOf(layer, all)] : [layer]));
  return { landmarks: stationsOnce(landmarks), report, inputs, hasNationalLandData };
}

/**
 * The landmarks of a file, and the number of its records that are no landmarks (`passedOver`; not counted in CityGML).
 * @param all every file, among them the table of a shapefile
 * @throws PublishedFileError when it does not have the published form
 * @throws InputError when a shapefile lacks its table
 */
async function readLandmarkFile(input: Input, all: readonly Input[]): Promise<FileLandmarks> {
  const { name } = input;
  if (/gml$/i.test(name)) {
    const city = new CityLandmarks(name);
    for await (const chunk of openInput(input)) city.feed(chunk);
    city.end();
    return { landmarks: city.landmarks, passedOver: 0 };
  }
  if (!isShapefile(input)) return readGeoJson(await readGeoJsonText(input), name);
  return readShapefile(await readInput(input), await readInput(tableOf(input, all)), name);
}

/** The landmarks with a part whose box meets the area of a map. Writes their numbers into the report. */
export function landmarksWithin({ landmarks, report }: LandmarksRead, { west, south, east, north }: Box): Landmark[] {
  const isWithin = ({ parts }: Landmark): boolean =>
    parts.some((part) => {
      const [left, bottom, right, top] = boundsOf([part]);
      return (
        right > west - MARGIN_DEG && left < east + MARGIN_DEG && top > south - MARGIN_DEG && bottom < north + MARGIN_DEG
      );
    });
  const within = landmarks.filter(isWithin);
  for (const layer of LANDMARK_LAYERS) report[layer] = within.filter((landmark) => landmark.layer === layer).length;
  report.elsewhere = landmarks.length - within.length;
  return within;
}

/**
 * The same landmarks; stations get the reading of their name in kana, from the readings of the towns around them. A
 * station lies at the first point of its first part.
 */
export function withReadings(landmarks: readonly Landmark[], towns: readonly Town[]): Landmark[] {
  const readingOf = stationReadings(towns);
  return landmarks.map((landmark) => {
    const { layer, name, parts } = landmark;
    if (layer !== 'stations' || name === null) return landmark;
    const [firstPart = []] = parts;
    const [lon = 0, lat = 0] = firstPart;
    return { ...landmark, reading: readingOf({ name, lat, lon }) };
  });
}

/** The stations that have a name, each at the first point of its first part, for the search. */
export function stationsOf(landmarks: readonly Landmark[], towns: readonly Town[]): Station[] {
  const index = new TownIndex(towns);
  return landmarks.flatMap(({ layer, name, reading = null, parts }) => {
    const [[lon, lat] = []] = parts;
    if (layer !== 'stations' || name === null || lon === undefined || lat === undefined) return [];
    return [{ name, reading, town_code: index.townAt(lat, lon)?.townCode ?? null, lat, lon }];
  });
}
