import { parse } from 'csv-parse/sync';
import { japaneseDecoder } from '../census/shapefile.ts';
import { checkYear, MONTHS, MOST_MONTH, NormalsFileError, numberOf, type PlacedNormal } from './normals-file.ts';
import type { SunshineNormal } from './sunshine.ts';

const CLOCK_HOURS = 24;

/**
 * Reads a table with the columns `lat`, `lon`, `month` and `hours`: twelve rows for each place.
 * @throws NormalsFileError naming the line
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
      throw new NormalsFileError(`${at}: month ${month + 1} of ${key} stands twice`);
    place.hours[month] = bounded(values.hours, 0, MOST_MONTH, `${at}: hours`);
    places.set(key, place);
  }
  return [...places.values()].map(({ lat, lon, line, hours }) => {
    const missing = Array.from({ length: MONTHS }, (_, month) => month).filter((month) => hours[month] === undefined);
    if (missing.length > 0)
      throw new NormalsFileError(
        `${file}:${line}: ${lat}, ${lon} has no month ${missing.map((m) => m + 1).join(', ')}`,
      );
    checkYear(hours, `${file}:${line}`);
    return { lat, lon, hours };
  });
}

/**
 * Reads a table with the columns `month`, `hour` (0: 00:00–01:00 JST) and `share`, the share of days with sunshine.
 * Missing hours have none.
 * @throws NormalsFileError naming the line
 */
export function readHourShares(bytes: Uint8Array, file: string): NonNullable<SunshineNormal['shares']> {
  const shares = emptyShares();
  for (const { line, values } of tableRows(bytes, file, ['month', 'hour', 'share'])) {
    const at = `${file}:${line}`;
    const hour = bounded(values.hour, 0, CLOCK_HOURS - 1, `${at}: hour`);
    if (!Number.isInteger(hour)) throw new NormalsFileError(`${at}: hour is ${values.hour}; expected a whole hour`);
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
const SUNSHINE = 120;

/**
 * The share of days with sunshine by month and clock hour, from a file of hourly weather (EnergyPlus EPW). An hour
 * counts when its mean direct radiation is that of sunshine.
 * @throws NormalsFileError naming the line
 */
export function readEpwShares(bytes: Uint8Array, file: string): NonNullable<SunshineNormal['shares']> {
  const lines = japaneseDecoder(bytes, file).decode(bytes).split(/\r?\n/);
  if (!lines[0].startsWith('LOCATION,'))
    throw new NormalsFileError(`${file}:1: expected LOCATION, as an EPW file begins`);
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
    if (direct >= SUNSHINE) sunny[month][hour]++;
  }
  const shares = sunny.map((hours, month) => hours.map((count, hour) => count / Math.max(1, days[month][hour])));
  return checkedShares(shares, file);
}

const emptyShares = (): number[][] => Array.from({ length: MONTHS }, () => new Array<number>(CLOCK_HOURS).fill(0));

/** The clock hours with some sunshine in every month in Japan. */
const MIDDAY = [10, 11, 12, 13];

function checkedShares(shares: number[][], file: string): number[][] {
  const dark = shares.findIndex((hours) => MIDDAY.some((hour) => hours[hour] === 0));
  if (dark < 0) return shares;
  throw new NormalsFileError(
    `${file}: month ${dark + 1} has no sunshine from 10:00 to 14:00; expected all twelve months, in JST`,
  );
}

/** The rows of a CSV table with its line numbers. Lines that begin with # are notes. */
function* tableRows<Column extends string>(
  bytes: Uint8Array,
  file: string,
  columns: readonly Column[],
): Generator<{ line: number; values: Record<Column, string> }> {
  let records: { record: Record<Column, string>; info: { lines: number } }[];
  try {
    records = parse(japaneseDecoder(bytes, file).decode(bytes), {
      columns: true,
      bom: true,
      trim: true,
      comment: '#',
      skip_empty_lines: true,
      info: true,
    });
  } catch (error) {
    throw new NormalsFileError(`${file}: ${(error as Error).message}`, { cause: error });
  }
  const missing = columns.filter((column) => records[0]?.record[column] === undefined);
  if (missing.length > 0)
    throw new NormalsFileError(`${file}: has no column ${missing.join(', ')}; expected ${columns.join(',')}`);
  for (const { record, info } of records) yield { line: info.lines, values: record };
}

/** The columns of a CSV table. */
export function tableColumns(bytes: Uint8Array, file: string): string[] {
  const text = japaneseDecoder(bytes, file).decode(bytes);
  const [columns = []] = parse(text, {
    bom: true,
    trim: true,
    comment: '#',
    skip_empty_lines: true,
    to: 1,
  }) as string[][];
  return columns;
}

function bounded(text: string | undefined, least: number, most: number, at: string): number {
  const value = numberOf(text?.trim() ?? '');
  if (value >= least && value <= most) return value;
  throw new NormalsFileError(`${at} is "${text ?? ''}"; expected a number from ${least} to ${most}`);
}

function monthOf(text: string | undefined, at: string): number {
  const month = bounded(text, 1, MONTHS, `${at}: month`);
  if (!Number.isInteger(month)) throw new NormalsFileError(`${at}: month is ${text}; expected 1 to 12`);
  return month - 1;
}
