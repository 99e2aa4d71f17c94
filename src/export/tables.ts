import { DOUBLE, INTEGER, VARCHAR } from '@duckdb/node-api';
import type { ShadingSource } from '../city/shading-sources.ts';
import { featureOf, propertiesOf } from '../contract/geojson.ts';
import { DATA_LICENSE } from '../contract/schema-document.ts';
import type { BuildingContents, DatasetContents } from '../dataset/contents.ts';
import { type ParquetColumn, writeParquet } from '../formats/parquet.ts';
import { DIRECTIONS } from '../geo/compass.ts';
import type { Box } from '../geo/grid-square.ts';
import { multiPolygonOf, timeOfDay } from '../record/answers.ts';
import { type BuildingHead, boxOf } from '../record/building-record.ts';
import type { Manifest } from '../snapshot/manifest.ts';
import { FLOOR_CLASSES, MONTHS } from '../sunlight/result.ts';
import { fileMetadata } from './geoparquet.ts';

/**
 * Buildings of a dataset as files for other programs: GeoJSON features, and tables of the data that the bulk files do
 * not have.
 */

/** The buildings to export; null: no restriction. */
export interface Selection {
  ward: string | null;
  /** Degrees. A building is exported when the box of its footprint meets this box. */
  box: Box | null;
}

/** The buildings of a selection with their decoded heads, in order of ID. */
function* selectedBuildings(
  contents: DatasetContents,
  { ward, box }: Selection,
): Generator<[BuildingHead, BuildingContents]> {
  for (const building of contents.buildings()) {
    const head = building.head();
    if (ward !== null && head.wardCode !== ward) continue;
    if (box === null || intersects(boxOf(head), box)) yield [head, building];
  }
}

/** True when two boxes have a common point. */
const intersects = (a: Box, b: Box): boolean =>
  a.south <= b.north && a.north >= b.south && a.west <= b.east && a.east >= b.west;

/** One GeoJSON feature for each building, as text without line breaks. */
export function* featureTexts(contents: DatasetContents, selection: Selection): Generator<string> {
  for (const [head, building] of selectedBuildings(contents, selection)) {
    yield JSON.stringify(featureOf(multiPolygonOf(head.footprints), propertiesOf(building.summary(head))));
  }
}

/** A sunlit window. */
interface WindowRow {
  buildingId: string;
  face: string;
  floorClass: string;
  floor: number;
  month: number;
  /** Minutes of the day, as `end`. */
  start: number;
  end: number;
}

/** The sunlit windows of all faces, floor classes and months of the selected buildings. */
function* windowRows(contents: DatasetContents, selection: Selection): Generator<WindowRow> {
  for (const [{ buildingId }, building] of selectedBuildings(contents, selection)) {
    const { faces, floors } = building.body();
    for (const { face, windows } of faces) {
      // The lists of a face lie by floor class, then by month. A list has the beginning and the end of each window.
      for (const [index, ends] of windows.entries()) {
        const [level, month] = [Math.floor(index / MONTHS), (index % MONTHS) + 1];
        const [floorClass, { floor }] = [FLOOR_CLASSES[level], floors[level]];
        for (let i = 0; i < ends.length; i += 2)
          yield { buildingId, face: DIRECTIONS[face], floorClass, floor, month, start: ends[i], end: ends[i + 1] };
      }
    }
  }
}

const BUILDING_ID = { name: 'building_id', description: 'Building ID of the 3D city model.', type: VARCHAR };

export const WINDOW_COLUMNS: readonly ParquetColumn<WindowRow>[] = [
  { ...BUILDING_ID, value: ({ buildingId }) => buildingId },
  { name: 'face', description: 'N, NE, E, SE, S, SW, W or NW.', type: VARCHAR, value: ({ face }) => face },
  {
    name: 'floor_class',
    description: 'first, middle or top.',
    type: VARCHAR,
    value: ({ floorClass }) => floorClass,
  },
  { name: 'floor', description: 'Number of the storey.', type: INTEGER, value: ({ floor }) => floor },
  { name: 'month', description: 'The month; its 15th day is computed.', type: INTEGER, value: ({ month }) => month },
  {
    name: 'start',
    description: 'Beginning of an interval in which at least half of the receptors are lit, HH:MM, JST.',
    type: VARCHAR,
    value: ({ start }) => timeOfDay(start),
  },
  { name: 'end', description: 'Its end, HH:MM, JST.', type: VARCHAR, value: ({ end }) => timeOfDay(end) },
  { name: 'minutes', description: 'Its length.', type: INTEGER, value: ({ start, end }) => end - start },
];

/** A shading source of a building. */
interface SourceRow {
  buildingId: string;
  rank: number;
  source: ShadingSource;
}

/** The shading sources of the selected buildings. */
function* sourceRows(contents: DatasetContents, selection: Selection): Generator<SourceRow> {
  for (const [{ buildingId }, building] of selectedBuildings(contents, selection)) {
    for (const [i, source] of building.body().shadingSources.entries()) yield { buildingId, rank: i + 1, source };
  }
}

export const SOURCE_COLUMNS: readonly ParquetColumn<SourceRow>[] = [
  { ...BUILDING_ID, value: ({ buildingId }) => buildingId },
  { name: 'rank', description: '1 for what takes most sun, up to 5.', type: INTEGER, value: ({ rank }) => rank },
  {
    name: 'kind',
    description: '`building`, or `terrain`: the ground all around.',
    type: VARCHAR,
    value: ({ source }) => source.kind,
  },
  {
    name: 'source_building_id',
    description: 'The building that casts the shade; null: it has no published ID, or it is the terrain.',
    type: VARCHAR,
    value: ({ source }) => source.buildingId,
  },
  {
    name: 'distance_m',
    description: 'Between the two footprints, metres; null: the terrain.',
    type: DOUBLE,
    value: ({ source }) => source.distanceM,
  },
  {
    name: 'azimuth_deg',
    description: 'From the representative point of the building to that of the source, degrees clockwise from north.',
    type: DOUBLE,
    value: ({ source }) => source.azimuthDeg,
  },
  {
    name: 'height_m',
    description: 'Height of the source, metres; null: the terrain.',
    type: DOUBLE,
    value: ({ source }) => source.heightM,
  },
  {
    name: 'blocked_hours',
    description: 'Hours a day that one receptor loses to it, mean of the twelve days.',
    type: DOUBLE,
    value: ({ source }) => source.blockedHours,
  },
  {
    name: 'share',
    description: 'Share of all blocked time, 0 to 1.',
    type: DOUBLE,
    value: ({ source }) => source.share,
  },
];

/**
 * Writes the sunlit windows of all faces and floor classes as a Parquet file.
 * @returns the number of rows
 */
export function writeWindows(path: string, contents: DatasetContents, selection: Selection): Promise<number> {
  return writeTable(path, WINDOW_COLUMNS, windowRows(contents, selection), contents.files.manifest);
}

/**
 * Writes the shading sources as a Parquet file.
 * @returns the number of rows
 */
export function writeSources(path: string, contents: DatasetContents, selection: Selection): Promise<number> {
  return writeTable(path, SOURCE_COLUMNS, sourceRows(contents, selection), contents.files.manifest);
}

/** Writes rows as a Parquet file, with facts about the dataset in its metadata. */
function writeTable<Row>(
  path: string,
  columns: readonly ParquetColumn<Row>[],
  rows: Iterable<Row>,
  { dataset_id, generated_at, reference_year, halves }: Manifest,
): Promise<number> {
  const attribution = halves.sunlight?.attribution ?? null;
  const about = { dataset_id, generated_at, license: DATA_LICENSE, attribution, reference_year };
  return writeParquet(path, columns, rows, fileMetadata(about, columns));
}
