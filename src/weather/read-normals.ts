import { type Options, parse } from 'csv-parse/sync';
import { readDbase } from '../census/dbase.ts';
import { japaneseDecoder, PublishedFileError } from '../census/published-file.ts';
import { MONTHS } from '../solar/solar-day.ts';
import { possibleHours, type SunshineNormal } from './sunshine.ts';

/** Hours of sunshine in each month at a place, degrees. */
export interface PlacedNormal {
  lat: number;
  lon: number;
  hours: readonly number[];
}

/** A month has at most 31 days of 15 hours. */
const MOST_HOURS_OF_MONTH = 465;
/** A year of sunshine in Japan, hours: stations have 1,300 to 2,300. A value outside is another column or unit. */
const LEAST_YEAR = 800;
const MOST_YEAR = 3000;
/** The sum of twelve months differs by rounding from the published year; that of a wrong column differs by more. */
const SUM_TOLERANCE = 0.05;

/**
 * The hours of twelve months. Null when one of the values is missing or stands for a missing value (such as 999999 or
 * −9999).
 * @param months and `year`: tenths of an hour, as JMA publishes them
 * @param at file and line or record, for messages
 * @throws PublishedFileError when the months do not add up to the year, or no place in Japan has a year of so many hours
 */
function hoursOfTenths(months: readonly number[], year: number, at: string): number[] | null {
  const isKnown =
    months.every((value) => value >= 0 && value < MOST_HOURS_OF_MONTH * 10) &&
    year >= 0 &&
    year < MOST_HOURS_OF_MONTH * 10 * MONTHS;
  if (!isKnown) return null;
  const sum = months.reduce((total, value) => total + value, 0);
  if (Math.abs(sum - year) > SUM_TOLERANCE * year)
    throw new PublishedFileError(
      `${at}: the months add up to ${sum}, the year is ${year}; expected tenths of an hour of sunshine and their sum`,
    );
  const hours = months.map((value) => value / 10);
  checkYear(hours, at);
  return hours;
}

/**
 * Checks the sum of twelve months.
 * @throws PublishedFileError when it is no year of sunshine in Japan
 */
function checkYear(hours: readonly number[], at: string): void {
  const year = hours.reduce((sum, value) => sum + value, 0);
  if (year >= LEAST_YEAR && year <= MOST_YEAR) return;
  throw new PublishedFileError(
    `${at}: the year has ${year.toFixed(1)} hours of sunshine; expected ${LEAST_YEAR} to ${MOST_YEAR}, the sum of twelve months`,
  );
}

/**
 * Checks the months of a place in Japan.
 * @param at file, and line or record, for the message
 * @throws PublishedFileError when one has more sunshine than possible
 */
export function checkMonths({ lat, lon, hours }: PlacedNormal, at: string): void {
  const possible = possibleHours(lat, lon);
  const month = hours.findIndex((value, i) => value > possible[i]);
  if (month < 0) return;
  throw new PublishedFileError(
    `${at}: month ${month + 1} has ${hours[month]} hours of sunshine; expected at most ${possible[month].toFixed(0)}, all that are possible at ${lat}, ${lon}`,
  );
}

/** A decimal number; NaN for anything else. */
const numberOf = (text: string): number => (/^-?\d+(\.\d+)?$/.test(text) ? Number(text) : Number.NaN);

/** The mesh normals of a file: by code of the third-order grid square. */
export interface MeshNormals {
  squares: Map<string, readonly number[]>;
  /** Squares without a normal: sea, or not estimated. */
  unknown: number;
}

/**
 * Attributes of 国土数値情報 G02 (平年値メッシュ): the code of the square is the first. Sunshine of January to December and of the
 * year is in tenths of an hour. The GML names the columns in words, the shapefile by numbers; 999999 stands for a
 * missing value.
 */
const FIRST_G02_COLUMN = 59;
const G02_MONTHS = Array.from({ length: MONTHS }, (_, month) => ({
  number: `G02_0${FIRST_G02_COLUMN + month}`,
  words: `${month + 1}月日照時間`,
}));
const G02_YEAR = { number: 'G02_071', words: '年合計日照時間' };

/**
 * The columns of the months and of the year, as positions among all columns.
 * @throws PublishedFileError when one is missing
 */
function sunshineColumns(columns: readonly string[], file: string): number[] {
  const names = columns.map((name) => name.normalize('NFKC').trim());
  return [...G02_MONTHS, G02_YEAR].map(({ number, words }) => {
    const position = names.findIndex((name) => name === number || name.startsWith(words));
    if (position >= 0) return position;
    throw new PublishedFileError(
      `${file}: has no column ${number} (${words}); expected the attributes of 国土数値情報 G02, with sunshine in ${G02_MONTHS[0].number} to ${G02_YEAR.number}`,
    );
  });
}

/**
 * Adds a grid square to the mesh normals.
 * @param texts the values of twelve months and of the year
 * @param at file and record, for messages
 */
function addSquare(mesh: MeshNormals, code: string, texts: readonly string[], at: string): void {
  if (!/^\d{8}$/.test(code))
    throw new PublishedFileError(`${at}: the code is "${code}"; expected the 8 digits of a third-order grid square`);
  const numbers = texts.map(numberOf);
  const hours = hoursOfTenths(numbers.slice(0, MONTHS), numbers[MONTHS], at);
  if (hours === null) mesh.unknown++;
  else mesh.squares.set(code, hours);
}

/**
 * Reads mesh normals from the attribute table (`.dbf`) of a shapefile of G02.
 * @param file its name, for messages
 * @throws PublishedFileError when it does not have the published form
 */
export function readMeshTable(bytes: Uint8Array, file: string): MeshNormals {
  const { columns, rows } = readDbase(bytes, file);
  const sunshine = sunshineColumns(columns, file).map((column) => columns[column]);
  const [squareColumn] = columns;
  const mesh: MeshNormals = { squares: new Map(), unknown: 0 };
  for (const [index, row] of rows.entries()) {
    const isDeleted = row === null;
    if (isDeleted) continue;
    const texts = sunshine.map((column) => row[column]);
    addSquare(mesh, row[squareColumn], texts, `${file}, record ${index + 1}`);
  }
  return mesh;
}

/** The names of the columns, in their order. */
const COLUMN_NAME = /<(?:\w+:)?(?:Category|Count|Quantity)List\b[^>]*>([^<]*)</g;
const VALUES = /<(?:\w+:)?tupleList\b[^>]*>([^<]*)<\/(?:\w+:)?tupleList\s*>/;

/**
 * Reads mesh normals from the GML of G02: a coverage. `gml:CategoryList` and `gml:CountList` name the columns;
 * `gml:tupleList` has a tuple for each grid square, with commas or spaces between the values.
 * @throws PublishedFileError for an unknown encoding
 */
export function readMeshGml(bytes: Uint8Array, file: string): MeshNormals {
  const text = japaneseDecoder(bytes, file).decode(bytes);
  const columns = Array.from(text.matchAll(COLUMN_NAME), ([, name]) => name);
  const sunshine = sunshineColumns(columns, file);
  const list = VALUES.exec(text)?.[1];
  if (list === undefined)
    throw new PublishedFileError(
      `${file}: has no complete gml:tupleList; get it again, or give the .dbf of the shapefile in the same zip`,
    );
  const values = list.trim() === '' ? [] : list.trim().split(/\s*,\s*|\s+/);
  if (values.length === 0 || values.length % columns.length !== 0)
    throw new PublishedFileError(
      `${file}: gml:tupleList has ${values.length} values; expected ${columns.length} for each grid square`,
    );
  const mesh: MeshNormals = { squares: new Map(), unknown: 0 };
  for (let at = 0; at < values.length; at += columns.length) {
    const texts = sunshine.map((column) => values[at + column]);
    addSquare(mesh, values[at], texts, `${file}, grid square ${at / columns.length + 1}`);
  }
  return mesh;
}

/**
 * JMA's normals of stations (平年値ダウンロード): a file without header for each station, `nml_sfc_m_47662.csv` of a surface
 * station or `nml_amd_m_44132.csv` of AMeDAS, and a list of stations with their places. The columns of a row: kind of
 * normal, station, element, years of data, first and last year, then value and remark of January to December and of the
 * year.
 */
const SUNSHINE_ELEMENT = '3500';
const ELEMENT = 2;
const FIRST_VALUE = 6;
const CELLS = FIRST_VALUE + 2 * (MONTHS + 1);
/**
 * Remarks of a normal that may be used: 8 normal, 6 normal and never observed. 7 and 5 are for reference; 0: no normal.
 */
const USABLE = ['8', '6'];

/** The number of the station in the name of a file of monthly normals; null: another file. */
export const stationOfFile = (name: string): string | null => /nml_(?:sfc|amd)_m_(\d+)\.csv$/i.exec(name)?.[1] ?? null;

/** True for a file of JMA's archives of normals: of months or of other spans, of stations or of regions. */
export const isStationFile = (name: string): boolean =>
  /(?:^|\/)(?:normal_(?:surface|amedas)[^/]*\/.*|nml_[^/]+)\.csv$/i.test(name);

/** True for a list of JMA's stations with their places. */
export const isStationList = (name: string): boolean => /(?:surface|amedas)_station_index\.csv$/i.test(name);

/**
 * The hours of sunshine of a station by month; null when it has no usable normal of sunshine.
 * @throws PublishedFileError for an unknown encoding, a file without rows of elements, or a row with other cells
 */
export function readStationNormals(bytes: Uint8Array, file: string): number[] | null {
  const rows = rowsOf(bytes, file);
  const line = rows.findIndex((cells) => cells[ELEMENT] === SUNSHINE_ELEMENT);
  if (line < 0) {
    // A station may measure other elements only. Their codes have four digits, too.
    if (rows.some((cells) => /^\d{4}$/.test(cells[ELEMENT] ?? ''))) return null;
    throw new PublishedFileError(
      `${file}: has no elements; expected rows such as 11,47662,${SUNSHINE_ELEMENT},30,1991,2020,1926,8,…`,
    );
  }
  const cells = rows[line];
  const at = `${file}:${line + 1}`;
  if (cells.length < CELLS)
    throw new PublishedFileError(
      `${at}: has ${cells.length} cells; expected ${CELLS}: value and remark of twelve months and the year`,
    );
  const values = Array.from({ length: MONTHS + 1 }, (_, i) => numberOf(cells[FIRST_VALUE + 2 * i]));
  const remarks = Array.from({ length: MONTHS + 1 }, (_, i) => cells[FIRST_VALUE + 2 * i + 1]);
  if (remarks.some((remark) => !USABLE.includes(remark))) return null;
  return hoursOfTenths(values.slice(0, MONTHS), values[MONTHS], at);
}

/**
 * The places of stations by number: of `surface_station_index.csv` or `amedas_station_index.csv` (two lines of header;
 * degrees and minutes in columns 5 to 8).
 * @throws PublishedFileError for an unknown encoding
 */
export function readStationList(bytes: Uint8Array, file: string): Map<string, Pick<PlacedNormal, 'lat' | 'lon'>> {
  const places = new Map<string, Pick<PlacedNormal, 'lat' | 'lon'>>();
  for (const [index, cells] of rowsOf(bytes, file).entries()) {
    if (!/^\d+$/.test(cells[0])) continue;
    const [latDeg, latMin, lonDeg, lonMin] = cells.slice(4, 8).map(numberOf);
    const [lat, lon] = [latDeg + latMin / 60, lonDeg + lonMin / 60];
    if (!(Math.abs(lat) <= 90 && Math.abs(lon) <= 180))
      throw new PublishedFileError(
        `${file}:${index + 1}: the place of station ${cells[0]} is "${cells.slice(4, 8).join(' ')}"; expected degrees and minutes of latitude and longitude`,
      );
    places.set(cells[0], { lat, lon });
  }
  if (places.size > 0) return places;
  throw new PublishedFileError(`${file}: has no stations; expected rows of number, names, latitude and longitude`);
}

/** The cells of all lines; empty lines keep their number. */
const rowsOf = (bytes: Uint8Array, file: string): string[][] =>
  csvRecords(bytes, file, { relax_column_count: true, relax_quotes: true, trim: true });

const CLOCK_HOURS = 24;

/**
 * Reads a table with the columns `lat`, `lon`, `month` and `hours`: twelve rows for each place.
 * @throws PublishedFileError naming the line
 */
export function readPlacedNormals(bytes: Uint8Array, file: string): PlacedNormal[] {
  const places = new Map<string, { lat: number; lon: number; line: number; hours: number[] }>();
  for (const { line, values } of tableRows(bytes, file, ['lat', 'lon', 'month', 'hours'])) {
    const at = `${file}:${line}`;
    const lat = bounded(values.lat, 20, 46, `${at}: lat`);
    const lon = bounded(values.lon, 122, 154, `${at}: lon`);
    const month = monthOf(values.month, at);
    const key = `${lat}, ${lon}`;
    const place = places.get(key) ?? { lat, lon, line, hours: [] };
    if (place.hours[month] !== undefined)
      throw new PublishedFileError(`${at}: month ${month + 1} of ${key} stands twice`);
    place.hours[month] = bounded(values.hours, 0, MOST_HOURS_OF_MONTH, `${at}: hours`);
    places.set(key, place);
  }
  return [...places.values()].map(({ lat, lon, line, hours }) => {
    const missing = Array.from({ length: MONTHS }, (_, month) => month).filter((month) => hours[month] === undefined);
    if (missing.length > 0)
      throw new PublishedFileError(
        `${file}:${line}: ${lat}, ${lon} has no month ${missing.map((m) => m + 1).join(', ')}`,
      );
    checkYear(hours, `${file}:${line}`);
    checkMonths({ lat, lon, hours }, `${file}:${line}`);
    return { lat, lon, hours };
  });
}

/**
 * Reads a table with the columns `month`, `hour` (0: 00:00–01:00 JST) and `share`, the share of days with sunshine.
 * Missing hours have none.
 * @throws PublishedFileError naming the line
 */
export function readHourShares(bytes: Uint8Array, file: string): NonNullable<SunshineNormal['shares']> {
  const shares = emptyShares();
  for (const { line, values } of tableRows(bytes, file, ['month', 'hour', 'share'])) {
    const at = `${file}:${line}`;
    const hour = bounded(values.hour, 0, CLOCK_HOURS - 1, `${at}: hour`);
    if (!Number.isInteger(hour)) throw new PublishedFileError(`${at}: hour is ${values.hour}; expected a whole hour`);
    shares[monthOf(values.month, at)][hour] = bounded(values.share, 0, 1, `${at}: share`);
  }
  return checkedShares(shares, file);
}

/** Lines of an EPW file before its hours. */
const EPW_HEADER_LINES = 8;
/** Columns of an hour of an EPW file: month, hour (1: 00:00–01:00), direct normal radiation in Wh/m². */
const [EPW_MONTH, EPW_HOUR, EPW_DIRECT] = [1, 3, 14];
/** The number for a missing radiation. */
const EPW_MISSING = 9999;
/** Sunshine is direct irradiance of at least this, W/m². */
const SUNSHINE_W_M2 = 120;

/**
 * The share of days with sunshine by month and clock hour, from a file of hourly weather (EnergyPlus EPW). An hour
 * counts when its mean direct radiation is that of sunshine.
 * @throws PublishedFileError naming the line
 */
export function readEpwShares(bytes: Uint8Array, file: string): NonNullable<SunshineNormal['shares']> {
  const lines = japaneseDecoder(bytes, file).decode(bytes).split(/\r?\n/);
  if (!lines[0].startsWith('LOCATION,'))
    throw new PublishedFileError(`${file}:1: expected LOCATION, as an EPW file begins`);
  const [sunny, days] = [emptyShares(), emptyShares()];
  for (const [index, line] of lines.entries()) {
    if (index < EPW_HEADER_LINES || line.trim() === '') continue;
    const at = `${file}:${index + 1}`;
    const cells = line.split(',');
    const month = monthOf(cells[EPW_MONTH], at);
    const hour = bounded(cells[EPW_HOUR], 1, CLOCK_HOURS, `${at}: hour`) - 1;
    const direct = bounded(cells[EPW_DIRECT], 0, EPW_MISSING, `${at}: direct normal radiation`);
    if (direct === EPW_MISSING) continue;
    days[month][hour]++;
    if (direct >= SUNSHINE_W_M2) sunny[month][hour]++;
  }
  const shares = sunny.map((hours, month) => hours.map((count, hour) => count / Math.max(1, days[month][hour])));
  return checkedShares(shares, file);
}

/** A number for each month and clock hour, all 0. */
const emptyShares = (): number[][] => Array.from({ length: MONTHS }, () => new Array<number>(CLOCK_HOURS).fill(0));

/** The clock hours with some sunshine in every month in Japan. */
const MIDDAY = [10, 11, 12, 13];

/**
 * The shares of a file, when they are plausible.
 * @throws PublishedFileError when a month is dark at midday
 */
function checkedShares(shares: number[][], file: string): number[][] {
  const dark = shares.findIndex((hours) => MIDDAY.some((hour) => hours[hour] === 0));
  if (dark < 0) return shares;
  throw new PublishedFileError(
    `${file}: month ${dark + 1} has no sunshine from 10:00 to 14:00; expected all twelve months, in JST`,
  );
}

/** The rows of a CSV table with its line numbers. */
function* tableRows<Column extends string>(
  bytes: Uint8Array,
  file: string,
  columns: readonly Column[],
): Generator<{ line: number; values: Record<Column, string> }> {
  const records: { record: Record<Column, string>; info: { lines: number } }[] = csvRecords(bytes, file, {
    ...TABLE,
    columns: true,
    info: true,
  });
  const missing = columns.filter((column) => records[0]?.record[column] === undefined);
  if (missing.length > 0)
    throw new PublishedFileError(`${file}: has no column ${missing.join(', ')}; expected ${columns.join(',')}`);
  for (const { record, info } of records) yield { line: info.lines, values: record };
}

/** The columns of a CSV table. */
export const tableColumns = (bytes: Uint8Array, file: string): string[] =>
  csvRecords<string[]>(bytes, file, { ...TABLE, to: 1 })[0] ?? [];

/** Tables that the documentation describes. Lines that begin with # are notes. */
const TABLE: Options = { bom: true, trim: true, comment: '#', skip_empty_lines: true };

/**
 * The records of CSV in any encoding of Japan.
 * @throws PublishedFileError when it is no CSV
 */
function csvRecords<Parsed>(bytes: Uint8Array, file: string, options: Options): Parsed[] {
  const text = japaneseDecoder(bytes, file).decode(bytes);
  try {
    return parse(text, options) as unknown as Parsed[];
  } catch (error) {
    throw new PublishedFileError(`${file}: ${(error as Error).message}`, { cause: error });
  }
}

/**
 * The number of a text.
 * @param at where it stands, for the message
 * @throws PublishedFileError when it is not a number from `least` to `most`
 */
function bounded(text: string | undefined, least: number, most: number, at: string): number {
  const value = numberOf(text?.trim() ?? '');
  if (value >= least && value <= most) return value;
  throw new PublishedFileError(`${at} is "${text ?? ''}"; expected a number from ${least} to ${most}`);
}

/**
 * The index of a month (0: January), of a text from 1 to 12.
 * @throws PublishedFileError for another text
 */
function monthOf(text: string | undefined, at: string): number {
  const month = bounded(text, 1, MONTHS, `${at}: month`);
  if (!Number.isInteger(month)) throw new PublishedFileError(`${at}: month is ${text}; expected 1 to 12`);
  return month - 1;
}
