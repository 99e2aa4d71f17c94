import { nestedPolygons, pointInPolygon, representativePoint, signedArea } from '../geo/polygon.ts';
import { readDbase } from './dbase.ts';
import { checkInJapan, PublishedFileError } from './published-file.ts';
import { type Readings, townPostalCodes, townReading } from './readings.ts';
import { checkProjection, readShapes } from './shapefile.ts';
import type { Town } from './town.ts';

/** One published shapefile of small areas: the contents of its files, and a name for messages. */
export interface CensusShapefile {
  /** The name of the `.shp` file. */
  name: string;
  shp: Uint8Array;
  /** Null when it is missing. That is an error, which names it. */
  dbf: Uint8Array | null;
  /** Text of the `.prj`. Without it the degrees are read as JGD2011. */
  prj: string | null;
}

/** Counts of what was read. Every record of the input has exactly one outcome. */
export interface TownReport {
  files: number;
  records: number;
  towns: number;
  /** Further records of a town with several detached parts. */
  merged_parts: number;
  /** Records that another file has too. */
  repeated: number;
  /** Water survey areas (HCODE 8154). */
  water: number;
  /** Records without an area, and deleted records. */
  without_area: number;
  /** Records whose KEY_CODE has neither 9 nor 11 digits. */
  without_code: { count: number; examples: string[] };
  without_name: { count: number; examples: string[] };
  /** Towns whose name the postal file does not have. Without a postal file: all towns. */
  without_reading: { count: number; examples: string[] };
}

const WATER = '8154';
const COLUMNS = ['KEY_CODE', 'CITY_NAME', 'S_NAME', 'HCODE'] as const;
/** Columns of the published centre, which not every file has. */
const CENTRE = ['X_CODE', 'Y_CODE'] as const;
/** Column of the households, which not every file has. */
const HOUSEHOLDS = 'SETAI';
const MAX_EXAMPLES = 20;

/** A town while its parts are collected. */
interface TownParts {
  row: Record<string, string>;
  rings: Float64Array[];
  /** Area of the largest ring so far. The attributes of the town are those of this ring's record. */
  largest: number;
  /** The points of its parts as texts, to find repeated parts. */
  identities: Set<string>;
  /** The largest value of its records. In some towns all records but one have 0. */
  households: number | null;
}

/**
 * Reads the towns of the census from its small-area shapefiles. Detached parts with one KEY_CODE become one town; water
 * is dropped. Touches no files: the caller passes the bytes.
 * @param readings of the postal file, or null
 * @returns towns in order of code, and the counts
 * @throws PublishedFileError when a file is not valid; nothing is guessed
 */
export function readTowns(files: CensusShapefile[], readings: Readings | null): { towns: Town[]; report: TownReport } {
  const report = emptyReport(files.length);
  const partsByCode = new Map<string, TownParts>();
  for (const file of files) {
    const [recordsBefore, withoutBefore] = [report.records, report.without_code.count];
    addFile(file, partsByCode, report);
    const records = report.records - recordsBefore;
    if (records > 0 && report.without_code.count - withoutBefore === records) {
      throw new PublishedFileError(`${file.name}: no record has a KEY_CODE of 9 or 11 digits`);
    }
  }

  const towns = [...partsByCode].map(([townCode, parts]) => townOf(townCode, parts, readings));
  towns.sort((a, b) => (a.townCode < b.townCode ? -1 : 1));
  for (const { townCode, name, reading } of towns) {
    if (name === null) count(report.without_name, townCode);
    if (reading === null) count(report.without_reading, `${townCode} ${name ?? ''}`.trim());
  }
  report.towns = towns.length;
  return { towns, report };
}

/**
 * Adds the areas of a file to their towns, and counts the records that are left out.
 * @throws PublishedFileError when one of its files is missing or does not have the published form
 */
function addFile(file: CensusShapefile, partsByCode: Map<string, TownParts>, report: TownReport): void {
  const tableName = file.name.replace(/shp$/i, 'dbf');
  if (file.dbf === null) {
    throw new PublishedFileError(`${file.name}: its table ${tableName} is missing; keep the published files together`);
  }
  if (file.prj !== null) checkProjection(file.prj, file.name.replace(/shp$/i, 'prj'));
  const shapes = readShapes(file.shp, file.name);
  const { columns, rows } = readDbase(file.dbf, tableName, [...COLUMNS, ...CENTRE, HOUSEHOLDS]);
  const missing = COLUMNS.filter((column) => !columns.includes(column));
  if (missing.length > 0) {
    throw new PublishedFileError(
      `${tableName}: no column ${missing.join(', ')}; expected the 2020 census small areas (r2ka…), found ${columns.join(', ')}`,
    );
  }
  if (shapes.length !== rows.length) {
    throw new PublishedFileError(`${file.name}: ${shapes.length} shapes, but ${rows.length} records in ${tableName}`);
  }

  for (const [i, shape] of shapes.entries()) {
    report.records++;
    const row = rows[i];
    const where = `${file.name}: record ${i + 1}`;
    if (!row || shape.length === 0) {
      report.without_area++;
    } else if (row.HCODE === WATER) {
      report.water++;
    } else if (!/^\d{9}(\d{2})?$/.test(row.KEY_CODE)) {
      count(report.without_code, `${where} (KEY_CODE ${JSON.stringify(row.KEY_CODE)})`);
    } else {
      addArea(partsByCode, row, shape, where, report);
    }
  }
}

/**
 * Adds the area of a record to its town. The record of the largest ring describes the town. The same area in another file
 * is counted as repeated.
 * @param where file and record, for messages
 * @throws PublishedFileError for a point outside Japan
 */
function addArea(
  partsByCode: Map<string, TownParts>,
  row: Record<string, string>,
  shape: Float64Array[],
  where: string,
  report: TownReport,
): void {
  const isFirst = !partsByCode.has(row.KEY_CODE);
  const noParts: TownParts = { row, rings: [], largest: 0, identities: new Set(), households: null };
  const parts = partsByCode.get(row.KEY_CODE) ?? noParts;
  partsByCode.set(row.KEY_CODE, parts);
  const identity = shape.map((ring) => ring.join()).join(';');
  if (parts.identities.has(identity)) {
    report.repeated++;
    return;
  }
  parts.identities.add(identity);
  if (/^\d+$/.test(row[HOUSEHOLDS] ?? '')) parts.households = Math.max(parts.households ?? 0, Number(row[HOUSEHOLDS]));
  if (!isFirst) report.merged_parts++;
  for (const ring of shape) {
    checkInJapan([ring], where);
    const area = Math.abs(signedArea(ring));
    if (area > parts.largest) {
      parts.largest = area;
      parts.row = row;
    }
    // x, y → lat, lon: `k ^ 1` is the index of the other number of a pair.
    parts.rings.push(ring.map((_, k) => ring[k ^ 1]));
  }
}

/** The town of the collected parts. */
function townOf(townCode: string, { row, rings, households }: TownParts, readings: Readings | null): Town {
  const wardCode = townCode.slice(0, 5);
  // A dash stands for an area without a name.
  const name = /^[-‐－―ー]*$/.test(row.S_NAME) ? null : row.S_NAME;
  const [lat, lon] = pointOf(row, rings);
  return {
    townCode,
    name,
    reading: name !== null && readings ? townReading(name, wardCode, readings) : null,
    postalCodes: name !== null && readings ? townPostalCodes(name, wardCode, readings) : [],
    wardCode,
    wardName: row.CITY_NAME,
    wardReading: readings?.municipalities.get(wardCode) ?? null,
    households,
    lat,
    lon,
    rings,
  };
}

/**
 * The representative point of a town: the published centre of its largest part when it lies inside the town, otherwise
 * a computed point inside the largest part.
 * @param row the census record of the largest part
 */
function pointOf(row: Record<string, string>, rings: Float64Array[]): [lat: number, lon: number] {
  const [lat, lon] = [Number(row.Y_CODE || Number.NaN), Number(row.X_CODE || Number.NaN)];
  // Not a number, where the centre is not published, lies in no polygon.
  if (pointInPolygon(lat, lon, rings)) return [lat, lon];
  const [innerLat, innerLon] = representativePoint(nestedPolygons(rings));
  return [Math.round(innerLat * 1e6) / 1e6, Math.round(innerLon * 1e6) / 1e6];
}

/** Counts a record, and keeps it as an example while there is room. */
function count(entry: { count: number; examples: string[] }, example: string): void {
  entry.count++;
  if (entry.examples.length < MAX_EXAMPLES) entry.examples.push(example);
}

/** The report before any record is read. */
const emptyReport = (files: number): TownReport => ({
  files,
  records: 0,
  towns: 0,
  merged_parts: 0,
  repeated: 0,
  water: 0,
  without_area: 0,
  without_code: { count: 0, examples: [] },
  without_name: { count: 0, examples: [] },
  without_reading: { count: 0, examples: [] },
});
