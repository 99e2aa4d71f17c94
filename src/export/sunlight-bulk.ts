import { mkdir, readFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { ARRAY, BLOB, DOUBLE, DuckDBBlobValue, DuckDBStructValue, FLOAT, STRUCT, VARCHAR } from '@duckdb/node-api';
import { BuildingProperties, propertiesOf } from '../contract/geojson.ts';
import { describe } from '../contract/schema.ts';
import { sunlightBulkName } from '../dataset/sunlight.ts';
import type { WardBuildings } from '../dataset/sunlight-writer.ts';
import { TOWNS_FILE, TownDirectory } from '../dataset/town-directory.ts';
import { type ParquetColumn, writeParquet } from '../formats/parquet.ts';
import { DIRECTIONS } from '../geo/compass.ts';
import type { Box } from '../geo/grid-square.ts';
import { summaryAnswer, type TownNames } from '../record/answers.ts';
import { type BuildingHead, boxOf, idNamesCity, prefixOf } from '../record/building-record.ts';
import { decodeHead } from '../record/codec.ts';
import { type ComputedBuilding, type FaceHundredths, faceHours } from '../record/face-hours.ts';
import { minutesOf } from '../record/units.ts';
import { FLOOR_CLASSES, MONTHS } from '../sunlight/result.ts';
import { fileMetadata, multiPolygonMetadata, multiPolygonWkb } from './geoparquet.ts';
import { columnType } from './schema-column.ts';

/** The metadata of the bulk file of a ward, under the key `hidamari`. */
export interface BulkCredit {
  dataset_id: string;
  generated_at: string;
  license: string;
  attribution: string;
  reference_year: number;
}

/**
 * Writes the Parquet file of one ward: one row for each building, in the given order.
 * @param box contains all footprints
 * @returns the number of rows
 * @throws {DamageError} When the bytes of a building are not a record.
 */
export function writeSunlightBulk(
  path: string,
  buildings: Iterable<ComputedBuilding>,
  townName: TownNames,
  box: Box,
  credit: BulkCredit,
): Promise<number> {
  const metadata = { geo: multiPolygonMetadata(box), ...fileMetadata(credit, SUNLIGHT_COLUMNS) };
  return writeParquet(path, SUNLIGHT_COLUMNS, rows(buildings, townName), metadata);
}

/** The bulk file of one ward to write. It is plain data, so that any thread can write it. */
export interface WardBulk extends WardBuildings {
  /** The folder in which the dataset is built. It contains the towns of the dataset. */
  draft: string;
  credit: BulkCredit;
}

/**
 * Writes the bulk file of one ward.
 * @param buildings in order of ID, also those of other wards, which are skipped
 * @returns the number of rows
 * @throws {DamageError} When the bytes of a building are not a record.
 */
export async function writeWardBulk(
  { draft, wardCode, box, credit }: WardBulk,
  buildings: Iterable<ComputedBuilding>,
): Promise<number> {
  const towns = TownDirectory.parse(await readFile(join(draft, TOWNS_FILE)));
  const path = join(draft, sunlightBulkName(wardCode));
  await mkdir(dirname(path), { recursive: true });
  return writeSunlightBulk(path, ofWard(wardCode, buildings), (code) => towns.name(code), box, credit);
}

/** The buildings of one ward. */
function* ofWard(wardCode: string, buildings: Iterable<ComputedBuilding>): Generator<ComputedBuilding> {
  for (const building of buildings) {
    const { buildingId, bytes } = building;
    // An ID begins with the code of its ward. In designated cities, it may begin with the code of the city instead.
    const ward = idNamesCity(buildingId) ? decodeHead(buildingId, bytes).wardCode : prefixOf(buildingId);
    if (ward === wardCode) yield building;
  }
}

/** One building: a row of the file. */
interface Row {
  properties: BuildingProperties;
  record: BuildingHead;
  /** By index into DIRECTIONS; undefined for a face that the building does not have. */
  faces: (FaceHundredths | undefined)[];
}

/** The rows of some buildings. */
function* rows(buildings: Iterable<ComputedBuilding>, townName: TownNames): Generator<Row> {
  for (const { buildingId, bytes, hours } of buildings) {
    const record = decodeHead(buildingId, bytes);
    const faces: Row['faces'] = new Array(DIRECTIONS.length).fill(undefined);
    for (const ofFace of faceHours(hours)) faces[ofFace.face] = ofFace;
    yield { properties: propertiesOf(summaryAnswer(record, townName)), record, faces };
  }
}

/** The type of a column with minutes for each month. */
const MINUTES = ARRAY(FLOAT, MONTHS);

/**
 * Writes the minutes of twelve months into a column.
 * @param hundredths hundredths of hours, the first month at `from`; undefined: the building has no such face
 * @param at index in `out` of the first month
 * @returns false when there are no hours: the cell of the table is then null
 */
function copyMonths(hundredths: Uint16Array | undefined, from: number, out: Float32Array, at: number): boolean {
  if (hundredths === undefined) return false;
  for (let month = 0; month < MONTHS; month++) out[at + month] = minutesOf(hundredths[from + month]);
  return true;
}

const FACE_NAMES = DIRECTIONS.map((face) => face.toLowerCase());

/** The column of a property of GeoJSON features. Its type and description are those of the contract. */
function propertyColumn(name: keyof BuildingProperties): ParquetColumn<Row> {
  const schema = BuildingProperties.properties[name];
  return {
    name,
    description: describe(schema),
    type: columnType(schema),
    value: ({ properties }) => properties[name],
  };
}

/** The columns, in order: the properties of GeoJSON, the footprint, the months. */
export const SUNLIGHT_COLUMNS: readonly ParquetColumn<Row>[] = [
  ...(Object.keys(BuildingProperties.properties) as (keyof BuildingProperties)[]).map(propertyColumn),
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
  {
    name: 'headline_faces',
    description:
      'The faces that count for `december_top_best_…`, `december_first_south_…` and `annual_mean_hours`, with commas between ' +
      'them: those whose walls are at least 10 m long, or at least 2 m and 5 % of all.',
    type: VARCHAR,
    value: ({ faces }) => DIRECTIONS.filter((_, face) => faces[face]?.headline).join(','),
  },
  ...FLOOR_CLASSES.flatMap((floor, floorIndex) =>
    FACE_NAMES.map(
      (name, face): ParquetColumn<Row> => ({
        name: `direct_sun_minutes_${name}_${floor}`,
        description:
          `Minutes of direct sun on the 15th of each month, January to December: mean of the receptors of face ` +
          `${DIRECTIONS[face]}, ${floor} floor; to 0.6; null: no such face.`,
        type: MINUTES,
        numbers: ({ faces }, out, at) => copyMonths(faces[face]?.sun, floorIndex * MONTHS, out, at),
      }),
    ),
  ),
  ...FACE_NAMES.map(
    (name, face): ParquetColumn<Row> => ({
      name: `unshaded_minutes_${name}`,
      description: `The same with no obstacle but the wall itself, face ${DIRECTIONS[face]}; null: no such face.`,
      type: MINUTES,
      numbers: ({ faces }, out, at) => copyMonths(faces[face]?.unshaded, 0, out, at),
    }),
  ),
];
