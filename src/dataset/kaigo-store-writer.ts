import { closeSync, openSync } from 'node:fs';
import { join } from 'node:path';
import Flatbush from 'flatbush';
import { comparableCost, hasPublishedFees } from '../contract/kaigo-cost.ts';
import { OPEN_DAYS } from '../contract/kaigo-facility.ts';
import { QUALITY, QUALITY_NAMES, type QualityName } from '../contract/kaigo-quality.ts';
import { ROW_FIELDS, STORED_SORTS } from '../contract/operations/kaigo-municipality.ts';
import { encodeColumns } from '../formats/column-file.ts';
import { GatheredOutput, writeWhole } from '../formats/files.ts';
import { type LatLon, LEAST_METRES_PER_LAT } from '../geo/degree.ts';
import { LocalPlane } from '../geo/plane.ts';
import { comparator, type SortKeys } from '../kaigo/comparison.ts';
import type { Facility, FacilityService } from '../kaigo/facility.ts';
import { cityOfWard } from '../kaigo/municipalities.ts';
import { PREFECTURES } from '../kaigo/municipality-codes.ts';
import { geodesicMetres, middleOf } from '../kaigo/position.ts';
import { homesFirst } from '../kaigo/services.ts';
import {
  type AnswerContext,
  facilityAnswer,
  rowAnswer,
  serviceAnswer,
  sortKeysOf,
  type UncomparedService,
} from './kaigo-answer.ts';
import {
  KAIGO_INDEX,
  KAIGO_INDEX_KIND,
  KAIGO_RECORDS,
  type KaigoIndexMeta,
  type MunicipalityMeta,
  orderColumn,
  type RowField,
  serviceBit,
  serviceNumber,
} from './kaigo-store.ts';
import { insertSorted } from './sorted-list.ts';

/** One row of the comparison tables. */
interface TableRow {
  facility: Facility;
  service: FacilityService;
}

/** The tables of a municipality: rows by service, as numbers into all rows. */
interface MunicipalityTables {
  code: string;
  name: string;
  rows: Map<string, number[]>;
}

/**
 * Writes the serving store of the care half: a file of records, and an index of their places and of the values that
 * filters and orders read. The same facilities give the same bytes.
 * @param facilities in order of ID
 * @returns the number of municipalities; a designated city counts by its wards, which the offices name
 */
export async function writeKaigoStore(
  folder: string,
  facilities: readonly Facility[],
  context: AnswerContext,
  pricing: Pick<KaigoIndexMeta, 'fees' | 'as_of' | 'facts'>,
): Promise<{ municipalities: number }> {
  const rows = tableRows(facilities);
  const file = openSync(join(folder, KAIGO_RECORDS), 'w');
  const records = new GatheredOutput(file);
  let writtenRows: WrittenRows;
  let facilityOffsets: Float64Array<ArrayBuffer>;
  try {
    writtenRows = writeRows(records, rows, context);
    facilityOffsets = writeFacilities(records, facilities, context);
    records.flush();
  } finally {
    closeSync(file);
  }
  const { rowOffsets, rowColumns, keys, quality } = writtenRows;
  const { meta, columns } = orderTables(rows, keys);
  const index = encodeColumns<KaigoIndexMeta>(KAIGO_INDEX_KIND, {
    meta: { municipalities: withNeighbours(meta, rows), ...pricing, compared: context.compared },
    columns: {
      row_at: rowOffsets,
      ...columns,
      ...rowColumns,
      quality: Float64Array.from(quality),
      ...serviceColumns(facilities, rows),
      facility_id: Buffer.from(facilities.map(({ facilityId }) => facilityId).join(''), 'latin1'),
      facility_at: facilityOffsets,
      facility_prefecture: Uint8Array.from(facilities, ({ prefectureCode }) => Number(prefectureCode)),
      ...pointColumns(facilities),
    },
  });
  await writeWhole(join(folder, KAIGO_INDEX), index);
  return { municipalities: new Set(rows.flatMap(({ service }) => service.municipalityCode ?? [])).size };
}

/** What the index has about the written rows. */
type WrittenRows = ReturnType<typeof writeRows>;

/**
 * Writes the JSON of the rows of comparison tables.
 * @returns where each row begins and where the last one ends, the columns of the index, the keys of orders, and the
 *   quality figures of rows that have some
 */
function writeRows(records: GatheredOutput, rows: readonly TableRow[], context: AnswerContext) {
  const rowOffsets = new Float64Array(rows.length + 1);
  const rowColumns = emptyRowColumns(rows.length);
  const keys: SortKeys[] = [];
  const quality: number[] = [];
  // Costs and their groups are texts that are only compared. A column has their numbers; 0: no cost.
  const [costGroups, costs] = [new TextNumbers(), new TextNumbers()];
  rows.forEach(({ facility, service }, i) => {
    const about = serviceAnswer(facility, service, context);
    const answer = rowAnswer(facility, about, context);
    const json = JSON.stringify(answer);
    // In another case, another estimate is written in place of these bytes. No other member has the same JSON.
    const estimate = JSON.stringify(answer.cost_estimate);
    const estimateAt = Buffer.byteLength(json.slice(0, json.indexOf(estimate)));
    rowOffsets[i] = records.size;
    records.add(Buffer.from(`${json},`));
    rowColumns.row_cost_at[i] = estimateAt;
    rowColumns.row_cost_end[i] = estimateAt + Buffer.byteLength(estimate);
    keys.push(sortKeysOf(answer));
    rowColumns.row_service[i] = serviceNumber(service.serviceCode);
    rowColumns.row_facts[i] = context.cost(service).facts;
    const cost = comparableCost(service.serviceCode, answer.cost_estimate);
    rowColumns.row_cost_group[i] = cost === null ? 0 : costGroups.numberOf(cost.group);
    rowColumns.row_cost[i] = cost === null ? 0 : costs.numberOf(cost.cost);
    rowColumns.row_capacity[i] = answer.capacity ?? 0;
    rowColumns.row_days[i] = bitsOf(OPEN_DAYS, (day) => service.openDays?.includes(day) ?? false);
    if (answer.quality !== null) {
      quality.push(...QUALITY_NAMES.map((name) => answer.quality?.[name]?.value ?? Number.NaN));
      // The number of the figures that were just added. It begins with 1: 0 means none.
      rowColumns.row_quality[i] = quality.length / QUALITY_NAMES.length;
    }
    rowColumns.row_has[i] = bitsOf(ROW_FIELDS, (field) => isKnown(field, about));
  });
  rowOffsets[rows.length] = records.size;
  return { rowOffsets, rowColumns, keys, quality };
}

/** Writes the JSON of the facilities. Returns where each begins and where the last one ends. */
function writeFacilities(
  records: GatheredOutput,
  facilities: readonly Facility[],
  context: AnswerContext,
): Float64Array<ArrayBuffer> {
  const facilityOffsets = new Float64Array(facilities.length + 1);
  facilities.forEach((facility, i) => {
    facilityOffsets[i] = records.size;
    records.add(Buffer.from(`${JSON.stringify(facilityAnswer(facility, context))},`));
  });
  facilityOffsets[facilities.length] = records.size;
  return facilityOffsets;
}

/** Empty columns for the values of rows that filters and estimates read. The table in kaigo-store.ts says what they hold. */
function emptyRowColumns(rows: number) {
  return {
    row_service: new Uint8Array(rows),
    row_facts: new Uint32Array(rows),
    row_cost: new Uint32Array(rows),
    row_cost_group: new Uint32Array(rows),
    row_cost_at: new Uint32Array(rows),
    row_cost_end: new Uint32Array(rows),
    row_capacity: new Uint32Array(rows),
    row_days: new Uint8Array(rows),
    row_has: new Uint32Array(rows),
    row_quality: new Uint32Array(rows),
  };
}

/** Numbers texts from 1, in the order in which they come. In a column 0 means none. */
class TextNumbers {
  readonly #numbers = new Map<string, number>();

  /** The number of a text; a new text gets the next one. */
  numberOf(text: string): number {
    const number = this.#numbers.get(text) ?? this.#numbers.size + 1;
    this.#numbers.set(text, number);
    return number;
  }
}

/** Bit i is set when the condition holds for the i-th name. */
function bitsOf<Name>(names: readonly Name[], holds: (name: Name) => boolean): number {
  return names.reduce((bits, name, i) => bits | (holds(name) ? 1 << i : 0), 0);
}

/** Whether a field that the filter `has` can require is known. Most are members of the answer. */
function isKnown(field: RowField, service: UncomparedService): boolean {
  if (field === 'cost') return service.cost_estimate.monthly_yen !== null;
  if (field === 'published_fees') return hasPublishedFees(service.cost_estimate);
  if (field === 'position') return service.lat !== null;
  return isQuality(field) ? service.quality?.[field] != null : service[field] !== null;
}

const isQuality = (field: RowField): field is QualityName => field in QUALITY;

/** Most neighbours of a municipality. */
const MOST_AROUND = 12;

/**
 * The municipalities, each with the nearest others, measured between the middles of their offices. A city is not a neighbour
 * of its own wards.
 */
function withNeighbours(municipalities: readonly MunicipalityMeta[], rows: readonly TableRow[]): MunicipalityMeta[] {
  const positions = positionsByMunicipality(rows);
  const middles = municipalities.map(({ municipality_code: code }) => middleOf(positions.get(code) ?? []));
  const cities = municipalities.map(({ municipality_code: code }) => cityOfWard(code)?.code);
  const isCityAndWard = (i: number, j: number): boolean =>
    municipalities[j]?.municipality_code === cities[i] || cities[j] === municipalities[i]?.municipality_code;
  return municipalities.map((municipality, i) => {
    const middle = middles[i] ?? null;
    if (middle === null) return municipality;
    const nearest = nearestTo(middle, middles, (j) => j !== i && !isCityAndWard(i, j));
    // The plane is exact enough to choose neighbours, but not to state distances far from its middle.
    const around = nearest.map(([j]): Neighbour => [j, Math.round(geodesicMetres(middle, middles[j] ?? middle))]);
    return { ...municipality, around: around.sort(([, a], [, b]) => a - b) };
  });
}

/** Another municipality, by its number, and its distance, metres. */
type Neighbour = [number: number, distance: number];

/**
 * The nearest middles of other municipalities, measured in the plane around a middle.
 * @param isOther true for the number of a municipality that may be a neighbour
 */
function nearestTo(
  middle: LatLon,
  middles: readonly (LatLon | null)[],
  isOther: (number: number) => boolean,
): Neighbour[] {
  const plane = new LocalPlane(middle.lat, middle.lon);
  const nearest: Neighbour[] = [];
  middles.forEach((other, j) => {
    if (other === null) return;
    // The difference of latitude alone excludes most municipalities, which is faster than measuring all.
    const farthest = nearest[MOST_AROUND - 1]?.[1] ?? Infinity;
    if (Math.abs(other.lat - middle.lat) * LEAST_METRES_PER_LAT > farthest || !isOther(j)) return;
    const distance = Math.round(Math.hypot(plane.x(other.lat, other.lon), plane.y(other.lat)));
    if (distance >= farthest) return;
    insertSorted(nearest, [j, distance], ([, a], [, b]) => a - b, MOST_AROUND);
  });
  return nearest;
}

/** The positions of the services of each municipality and designated city, by code. */
function positionsByMunicipality(rows: readonly TableRow[]): Map<string, LatLon[]> {
  const positions = new Map<string, LatLon[]>();
  for (const { service } of rows) {
    const { municipalityCode, position } = service;
    if (position === null || municipalityCode === null) continue;
    const city = cityOfWard(municipalityCode);
    for (const code of city === undefined ? [municipalityCode] : [municipalityCode, city.code]) {
      const others = positions.get(code);
      if (others === undefined) positions.set(code, [position]);
      else others.push(position);
    }
  }
  return positions;
}

/** Groups the services of a facility by their positions. */
const servicesByPosition = ({ services }: Facility): Map<string, FacilityService[]> =>
  Map.groupBy(services, ({ position }) => `${position?.lat},${position?.lon}`);

/** The columns of the services of each facility: where they begin, and their rows. */
function serviceColumns(facilities: readonly Facility[], rows: readonly TableRow[]) {
  const rowOf = new Map(rows.map(({ service }, row) => [service, row]));
  const firsts = [0];
  for (const { services } of facilities) firsts.push((firsts.at(-1) ?? 0) + services.length);
  // `!`: every service has a row.
  const serviceRows = facilities.flatMap(({ services }) => services.map((service) => rowOf.get(service)!));
  return { service_first: Uint32Array.from(firsts), service_row: Uint32Array.from(serviceRows) };
}

/** Every service, by municipality (unknown last), service and office number. */
function tableRows(facilities: readonly Facility[]): TableRow[] {
  const rows = facilities.flatMap((facility) =>
    facility.services.map((service) => {
      // A tilde sorts after all digits.
      const key = (service.municipalityCode ?? '~') + service.serviceCode + facility.facilityId;
      return { key, facility, service };
    }),
  );
  return rows.sort((a, b) => (a.key < b.key ? -1 : 1));
}

/** Groups rows into tables, one for each service of a municipality or designated city; the municipalities by code. */
function groupTables(rows: readonly TableRow[]): MunicipalityTables[] {
  const municipalities = new Map<string, MunicipalityTables>();
  const add = (code: string, name: string, { service }: TableRow, row: number): void => {
    let municipality = municipalities.get(code);
    if (municipality === undefined) {
      municipality = { code, name, rows: new Map() };
      municipalities.set(code, municipality);
    }
    const table = municipality.rows.get(service.serviceCode);
    if (table === undefined) municipality.rows.set(service.serviceCode, [row]);
    else table.push(row);
  };
  rows.forEach((row, i) => {
    const { municipalityCode, municipality } = row.service;
    if (municipalityCode === null) return;
    add(municipalityCode, municipality ?? '', row, i);
    const city = cityOfWard(municipalityCode);
    if (city !== undefined) add(city.code, city.name, row, i);
  });
  return [...municipalities.values()].sort((a, b) => (a.code < b.code ? -1 : 1));
}

/**
 * Sorts the table of each service of each municipality in every stored order.
 * @returns `columns`: the row numbers of all tables, one table after another, in each order, and in `table_first` where
 * each table begins in these lists; `meta`: the municipalities, without their neighbours
 */
function orderTables(rows: readonly TableRow[], keys: readonly SortKeys[]) {
  const meta: MunicipalityMeta[] = [];
  // Where each table begins; the last one is where the next table will begin.
  const tableStarts = [0];
  const orders = STORED_SORTS.map((sort) => ({ sort, compare: comparator(sort), rows: [] as number[] }));
  for (const municipality of groupTables(rows)) {
    const services = [...municipality.rows].sort(([a], [b]) => (a < b ? -1 : 1));
    // Not of a facility: one of its services may lie in another prefecture.
    const prefectureCode = municipality.code.slice(0, 2);
    meta.push({
      municipality_code: municipality.code,
      name: municipality.name,
      prefecture_code: prefectureCode,
      // `!`: a code in the lists counts only if it begins with that of a prefecture.
      prefecture: PREFECTURES.get(prefectureCode)!,
      facilities: new Set(services.flatMap(([, table]) => table.map((row) => keys[row].id))).size,
      services: services.map(([service_code, table]) => ({ service_code, facilities: table.length })),
      // `withNeighbours` fills it.
      around: [],
      // The number of its first table: an index of `tableStarts`.
      first_table: tableStarts.length - 1,
    });
    for (const [, table] of services) {
      for (const order of orders) {
        for (const row of table.toSorted((a, b) => order.compare(keys[a], keys[b]))) order.rows.push(row);
      }
      tableStarts.push(tableStarts[tableStarts.length - 1] + table.length);
    }
  }
  const columns = {
    table_first: Uint32Array.from(tableStarts),
    ...Object.fromEntries(orders.map((order) => [orderColumn(order.sort), Uint32Array.from(order.rows)])),
  };
  return { meta, columns };
}

/**
 * The points of facilities, for `near`: one for all services of a facility with the same position. The main point of a
 * facility is that of its first service, homes first.
 */
function pointColumns(facilities: readonly Facility[]) {
  const points = facilities.flatMap((facility, number) =>
    [...servicesByPosition(facility).values()].flatMap((services) => {
      const position = services[0]?.position ?? null;
      return position === null ? [] : [{ facility, number, position, services }];
    }),
  );
  const tree = points.length === 0 ? null : new Flatbush(points.length);
  const lat = new Float64Array(points.length);
  const lon = new Float64Array(points.length);
  const services = new Float64Array(points.length);
  const isMain = new Uint8Array(points.length);
  points.forEach(({ facility, position, services: offered }, i) => {
    lat[i] = position.lat;
    lon[i] = position.lon;
    // A bit for each service. They are added, because `|` has 32 bits and there are more services.
    services[i] = offered.reduce((mask, { serviceCode }) => mask + serviceBit(serviceCode), 0);
    const [main] = facility.services.toSorted((a, b) => homesFirst(a.serviceCode, b.serviceCode));
    isMain[i] = offered.includes(main) ? 1 : 0;
    tree?.add(position.lon, position.lat);
  });
  tree?.finish();
  return {
    point_lat: lat,
    point_lon: lon,
    point_facility: Uint32Array.from(points, ({ number }) => number),
    point_services: services,
    point_is_main: isMain,
    point_tree: new Uint8Array(tree?.data ?? new ArrayBuffer(0)),
  };
}
