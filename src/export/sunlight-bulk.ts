import { mkdir, readFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import {
  ARRAY,
  BLOB,
  BOOLEAN,
  DOUBLE,
  DuckDBBlobValue,
  DuckDBStructValue,
  FLOAT,
  INTEGER,
  STRUCT,
  VARCHAR,
} from '@duckdb/node-api';
import type { BuildingSummary } from '../contract/sunlight-shapes.ts';
import { sunlightBulkName } from '../dataset/sunlight.ts';
import type { WardBuildings } from '../dataset/sunlight-writer.ts';
import { TOWNS_FILE, TownDirectory } from '../dataset/town-directory.ts';
import { type ParquetColumn, writeParquet } from '../formats/parquet.ts';
import type { Box } from '../geo/grid-square.ts';
import { summaryAnswer, type TownNames } from '../record/answers.ts';
import { type BuildingHead, boxOf, idNamesCity, prefixOf } from '../record/building-record.ts';
import { decodeHead } from '../record/codec.ts';
import { type ComputedBuilding, type FaceHundredths, faceHours } from '../record/face-hours.ts';
import { minutesOf } from '../record/units.ts';
import { FACES, FLOOR_CLASSES } from '../sunlight/result.ts';
import { hidamariKey, multiPolygonKey, multiPolygonWkb } from './geoparquet.ts';

/** What the bulk file of a ward says of itself, in its metadata under the key `hidamari`. */
export interface BulkCredit {
  dataset_id: string;
  generated_at: string;
  license: string;
  attribution: string;
  reference_year: number;
}

/**
 * Writes the Parquet file of one ward: a row for each building in the order in which they come. `box` holds all
 * their footprints. Returns the number of rows. Throws `DamagedRecordError` for bytes that are no record.
 */
export function writeSunlightBulk(
  path: string,
  buildings: Iterable<ComputedBuilding>,
  townName: TownNames,
  box: Box,
  credit: BulkCredit,
): Promise<number> {
  const metadata = { geo: multiPolygonKey(box), ...hidamariKey(credit, SUNLIGHT_COLUMNS) };
  return writeParquet(path, SUNLIGHT_COLUMNS, rows(buildings, townName), metadata);
}

/** The bulk file of one ward, to be written: plain data, so that any thread may do it. */
export interface WardBulk extends WardBuildings {
  /** Folder of the dataset, with its towns. */
  draft: string;
  credit: BulkCredit;
}

/** Writes one bulk file; `buildings` are in order of ID, and others than those of the ward are passed over. Returns its rows. Throws as `writeSunlightBulk`. */
export async function writeWardBulk(
  { draft, wardCode, box, credit }: WardBulk,
  buildings: Iterable<ComputedBuilding>,
): Promise<number> {
  const towns = TownDirectory.parse(await readFile(join(draft, TOWNS_FILE)));
  const path = join(draft, sunlightBulkName(wardCode));
  await mkdir(dirname(path), { recursive: true });
  return writeSunlightBulk(path, ofWard(wardCode, buildings), (code) => towns.name(code), box, credit);
}

function* ofWard(wardCode: string, buildings: Iterable<ComputedBuilding>): Generator<ComputedBuilding> {
  for (const building of buildings) {
    const { buildingId, bytes } = building;
    // Only under a city's own code do the wards lie mixed.
    const ward = idNamesCity(buildingId) ? decodeHead(buildingId, bytes).wardCode : prefixOf(buildingId);
    if (ward === wardCode) yield building;
  }
}

interface Row {
  summary: BuildingSummary;
  record: BuildingHead;
  /** By index into FACES. */
  faces: (FaceHundredths | undefined)[];
}

function* rows(buildings: Iterable<ComputedBuilding>, townName: TownNames): Generator<Row> {
  for (const { buildingId, bytes, hours } of buildings) {
    const record = decodeHead(buildingId, bytes);
    const faces: Row['faces'] = new Array(FACES.length).fill(undefined);
    for (const face of faceHours(hours)) faces[face.face] = face;
    yield { summary: summaryAnswer(record, townName), record, faces };
  }
}

const MONTHS = 12;
const MINUTES = ARRAY(FLOAT, MONTHS);

/** Copies the minutes of twelve months from a position on; false where there is no such face. */
function copyMonths(hundredths: Uint16Array | undefined, from: number, out: Float32Array, at: number): boolean {
  if (hundredths === undefined) return false;
  for (let month = 0; month < MONTHS; month++) out[at + month] = minutesOf(hundredths[from + month]);
  return true;
}

const FACE_NAMES = FACES.map((face) => face.toLowerCase());

/** The columns, in order: the summary's, the footprint's, the months'. */
export const SUNLIGHT_COLUMNS: readonly ParquetColumn<Row>[] = [
  {
    name: 'building_id',
    description: 'Building ID of the 3D city model.',
    type: VARCHAR,
    value: ({ summary }) => summary.building_id,
  },
  {
    name: 'ward_code',
    description: 'First five digits of the building ID; of a designated city that numbered for itself, the ward.',
    type: VARCHAR,
    value: ({ summary }) => summary.ward_code,
  },
  {
    name: 'town_code',
    description: 'Small area of the 2020 census in which the building stands; null: in no known one.',
    type: VARCHAR,
    value: ({ summary }) => summary.town_code,
  },
  {
    name: 'town_name',
    description: 'Name of the town; null: not known.',
    type: VARCHAR,
    value: ({ summary }) => summary.town_name,
  },
  {
    name: 'lat',
    description: 'Latitude of a point in the footprint, degrees (JGD2011).',
    type: DOUBLE,
    value: ({ summary }) => summary.lat,
  },
  {
    name: 'lon',
    description: 'Longitude of that point, degrees (JGD2011).',
    type: DOUBLE,
    value: ({ summary }) => summary.lon,
  },
  {
    name: 'usage',
    description: 'Use of the building; null: not published, or a code that the list does not name.',
    type: VARCHAR,
    value: ({ summary }) => summary.usage,
  },
  {
    name: 'usage_code',
    description: 'Code of the use as published; null: not published.',
    type: VARCHAR,
    value: ({ summary }) => summary.usage_code,
  },
  {
    name: 'height_m',
    description: 'Height of the solid for which the sun is computed, metres.',
    type: DOUBLE,
    value: ({ summary }) => summary.height_m,
  },
  {
    name: 'measured_height_m',
    description: 'Measured height as published, metres; null: none was measured.',
    type: DOUBLE,
    value: ({ summary }) => summary.measured_height_m,
  },
  {
    name: 'storeys',
    description: 'Storeys above ground.',
    type: INTEGER,
    value: ({ summary }) => summary.storeys,
  },
  {
    name: 'storeys_estimated',
    description: 'True where the storeys are not published but estimated at 3 m each.',
    type: BOOLEAN,
    value: ({ summary }) => summary.storeys_estimated,
  },
  ...decemberFace('december_top_best', 'with most sun on the top floor', ({ december_top_best }) => december_top_best),
  ...decemberFace(
    'december_first_south',
    'nearest to due south, and on the first floor',
    ({ december_first_south }) => december_first_south,
  ),
  {
    name: 'annual_mean_hours',
    description: 'Mean of the twelve days on the best face of the top floor, hours a day; null: no walls.',
    type: DOUBLE,
    value: ({ summary }) => summary.annual_mean_hours,
  },
  {
    name: 'quality_lod',
    description: 'Level of detail of the model from which the shape comes.',
    type: INTEGER,
    value: ({ summary }) => summary.quality.lod,
  },
  {
    name: 'quality_height_source',
    description: 'Where the height comes from: solid, measured_height.',
    type: VARCHAR,
    value: ({ summary }) => summary.quality.height_source,
  },
  {
    name: 'quality_base_source',
    description: 'Where the height of the ground comes from: solid, lod0, assumed_zero.',
    type: VARCHAR,
    value: ({ summary }) => summary.quality.base_source,
  },
  {
    name: 'quality_surroundings',
    description:
      'complete, or open: a grid square without any building of the dataset, or a part of one that was not loaded, begins within 1 km, so that the sun is an upper bound.',
    type: VARCHAR,
    value: ({ summary }) => summary.quality.surroundings,
  },
  {
    name: 'quality_surveyed_on',
    description: 'When the building was last surveyed: YYYY or YYYY-MM-DD, as published; null: not published.',
    type: VARCHAR,
    value: ({ summary }) => summary.quality.surveyed_on,
  },
  {
    name: 'geometry',
    description: 'Footprint: WKB MultiPolygon, longitude and latitude in degrees (JGD2011).',
    type: BLOB,
    value: ({ record }) => new DuckDBBlobValue(multiPolygonWkb(record.footprints)),
  },
  {
    name: 'bbox',
    description: 'Bounds of the footprint, degrees.',
    type: STRUCT({ xmin: DOUBLE, ymin: DOUBLE, xmax: DOUBLE, ymax: DOUBLE }),
    value: ({ record }) => {
      const { west, south, east, north } = boxOf(record);
      return new DuckDBStructValue({ xmin: west, ymin: south, xmax: east, ymax: north });
    },
  },
  ...FLOOR_CLASSES.flatMap((floor, floorIndex) =>
    FACE_NAMES.map(
      (name, face): ParquetColumn<Row> => ({
        name: `direct_sun_minutes_${name}_${floor}`,
        description:
          `Minutes of direct sun on the 15th of each month, January to December: mean of the receptors of face ` +
          `${FACES[face]}, ${floor} floor; to 0.6; null: no such face.`,
        type: MINUTES,
        numbers: ({ faces }, out, at) => copyMonths(faces[face]?.sun, floorIndex * MONTHS, out, at),
      }),
    ),
  ),
  ...FACE_NAMES.map(
    (name, face): ParquetColumn<Row> => ({
      name: `unshaded_minutes_${name}`,
      description: `The same with no obstacle but the wall itself, face ${FACES[face]}; null: no such face.`,
      type: MINUTES,
      numbers: ({ faces }, out, at) => copyMonths(faces[face]?.unshaded, 0, out, at),
    }),
  ),
];

/** The three columns of a face and its hours on 15 December. */
function decemberFace(
  name: 'december_top_best' | 'december_first_south',
  which: string,
  of: (summary: BuildingSummary) => BuildingSummary['december_top_best'],
): ParquetColumn<Row>[] {
  return [
    {
      name: `${name}_face`,
      description: `15 December: the face ${which}: N, NE, E, SE, S, SW, W, NW; null: no walls.`,
      type: VARCHAR,
      value: ({ summary }) => of(summary)?.face ?? null,
    },
    {
      name: `${name}_azimuth_deg`,
      description: 'Its direction, degrees clockwise from true north.',
      type: DOUBLE,
      value: ({ summary }) => of(summary)?.azimuth_deg ?? null,
    },
    {
      name: `${name}_direct_sun_hours`,
      description: 'Its hours of direct sun on that day.',
      type: DOUBLE,
      value: ({ summary }) => of(summary)?.direct_sun_hours ?? null,
    },
  ];
}
