import { closeSync, openSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import Flatbush from 'flatbush';
import { OPEN_DAYS } from '../contract/kaigo-facility.ts';
import { type ComparisonRow, ROW_FIELDS } from '../contract/operations/kaigo-municipality.ts';
import { encodeColumns } from '../formats/column-file.ts';
import { writeWhole } from '../formats/files.ts';
import { LocalPlane } from '../geo/plane.ts';
import type { CostFacts } from '../kaigo/bill.ts';
import { COMPARISON_SORTS, comparator, type SortKeys } from '../kaigo/comparison.ts';
import type { Facility, FacilityService } from '../kaigo/facility.ts';
import type { FeeTable } from '../kaigo/fee-figures.ts';
import { cityOfWard } from '../kaigo/municipalities.ts';
import { geodesicMetres, type LatLon, middleOf } from '../kaigo/position.ts';
import { SERVICES } from '../kaigo/services.ts';
import { type AnswerContext, facilityAnswer, rowAnswer, type ServiceCost, sortKeysOf } from './kaigo-answer.ts';
import {
  KAIGO_INDEX,
  KAIGO_INDEX_KIND,
  KAIGO_RECORDS,
  type KaigoIndexMeta,
  type MunicipalityMeta,
  ORDER_COLUMNS,
  type RowField,
} from './kaigo-store-format.ts';

/** One row of the comparison tables. */
interface TableRow extends SortKeys {
  facility: Facility;
  service: FacilityService;
  municipalityCode: string;
  municipality: string | null;
}

/** The tables of a place: rows by service, as numbers into all rows. */
interface PlaceTables {
  code: string;
  name: string;
  prefectureCode: string;
  prefecture: string;
  rows: Map<string, number[]>;
}

/** Bytes gathered before they are written. */
const BUFFER_BYTES = 1 << 20;

/**
 * Writes the serving store of the care half. `facilities` are in order of ID; the same ones give the same bytes.
 * Returns the number of municipalities, designated cities not counted.
 */
export async function writeKaigoStore(
  folder: string,
  facilities: readonly Facility[],
  context: AnswerContext,
  prices: { fees: FeeTable; asOf: string },
): Promise<{ municipalities: number }> {
  const rows = tableRows(facilities);
  const rowAt = new Float64Array(rows.length + 1);
  const numbers = new CostNumbers();
  const shared = new SharedJson();
  const rowColumns = new RowColumns(rows.length);
  const facilityAt = new Float64Array(facilities.length + 1);
  const records = new RecordsFile(join(folder, KAIGO_RECORDS));
  try {
    rows.forEach(({ facility, service }, i) => {
      const answer = rowAnswer(facility, service, context);
      Object.assign(rows[i], sortKeysOf(answer));
      const pieces = shared.piecesOf({ ...answer, cost_estimate: SHARED }, [answer.cost_estimate]);
      rowAt[i] = records.add(pieces);
      rowColumns.set(i, service, answer, pieces, numbers.of(context.cost(service)));
    });
    rowAt[rows.length] = records.size;
    facilities.forEach((facility, i) => {
      const answer = facilityAnswer(facility, context);
      const services = answer.services.map((one) => ({ ...one, cost_estimate: SHARED, compared_with: SHARED }));
      const parts = answer.services.flatMap((one) => [one.cost_estimate, one.compared_with]);
      facilityAt[i] = records.add(shared.piecesOf({ ...answer, services }, parts));
    });
    facilityAt[facilities.length] = records.size;
  } finally {
    records.close();
  }
  const serviceColumns = factsOfServices(facilities, (service) => numbers.of(context.cost(service)));
  const { meta, columns } = orderTables(rows);
  const index = encodeColumns<KaigoIndexMeta>(KAIGO_INDEX_KIND, {
    meta: {
      municipalities: withNeighbours(meta, rows),
      fees: prices.fees,
      as_of: prices.asOf,
      facts: numbers.facts,
      compared: context.comparisons.places,
    },
    columns: {
      row_at: rowAt,
      ...columns,
      ...rowColumns.columns(),
      ...serviceColumns,
      facility_id: Buffer.from(facilities.map(({ facilityId }) => facilityId).join(''), 'latin1'),
      facility_at: facilityAt,
      ...pointColumns(facilities),
    },
  });
  await writeWhole(join(folder, KAIGO_INDEX), index);
  return { municipalities: new Set(rows.map(({ municipalityCode }) => municipalityCode)).size };
}

/** Keys before a row's answer is made. */
const UNSORTED: Omit<SortKeys, 'facilityId'> = {
  costLow: null,
  costWhole: true,
  usersPerCareStaff: null,
  staffEstimated: false,
  openedOn: null,
};

/** Municipalities that a table names as lying around. */
const MOST_AROUND = 12;
/** Metres of a degree of latitude, at least. */
const LATITUDE_METRES = 110_500;

/** The municipalities with those around them, by the middles of their offices; a city is none of its wards' neighbours. */
function withNeighbours(meta: readonly MunicipalityMeta[], rows: readonly TableRow[]): MunicipalityMeta[] {
  const positions = new Map<string, LatLon[]>();
  for (const { service, municipalityCode } of rows) {
    if (service.position === null) continue;
    for (const code of [municipalityCode, cityOfWard(municipalityCode)?.code]) {
      if (code === undefined) continue;
      const others = positions.get(code);
      if (others === undefined) positions.set(code, [service.position]);
      else others.push(service.position);
    }
  }
  const middles = meta.map(({ municipality_code: code }) => middleOf(positions.get(code) ?? []));
  const cities = meta.map(({ municipality_code: code }) => cityOfWard(code)?.code);
  return meta.map((one, i) => {
    const middle = middles[i] ?? null;
    if (middle === null) return one;
    const plane = new LocalPlane(middle.lat, middle.lon);
    const around: [number, number][] = [];
    middles.forEach((other, j) => {
      if (other === null || j === i) return;
      // Who lies farther north or south than the last of them is not measured.
      const last = around[MOST_AROUND - 1]?.[1] ?? Infinity;
      if (Math.abs(other.lat - middle.lat) * LATITUDE_METRES > last) return;
      if (meta[j]?.municipality_code === cities[i] || cities[j] === one.municipality_code) return;
      const distance = Math.round(Math.hypot(plane.x(other.lat, other.lon), plane.y(other.lat)));
      if (distance >= last) return;
      const place = around.findLastIndex(([, nearer]) => nearer <= distance) + 1;
      around.splice(place, 0, [j, distance]);
      if (around.length > MOST_AROUND) around.pop();
    });
    // The plane is good for choosing; far from its middle its distances are not.
    for (const found of around) found[1] = Math.round(geodesicMetres(middle, middles[found[0]] ?? middle));
    return { ...one, around: around.sort(([, a], [, b]) => a - b) };
  });
}

/** Numbers for what bears on the cost: most services of a place share it. */
class CostNumbers {
  readonly facts: CostFacts[] = [];
  readonly #numbers = new Map<ServiceCost, number>();

  of(cost: ServiceCost): number {
    const number = this.#numbers.get(cost) ?? this.facts.push(cost.facts) - 1;
    this.#numbers.set(cost, number);
    return number;
  }
}

/** Stands in an answer for a part that many answers share. */
const SHARED = 0;
/** Where one stands in the JSON: within a text the quotes would be escaped. */
const SHARED_PLACES = /(?<="(?:cost_estimate|compared_with)":)0/;

/** JSON of answers as bytes, in pieces: what many of them share is made once. */
class SharedJson {
  readonly #made = new Map<object, Buffer>();

  /**
   * @param answer with `SHARED` in place of the parts
   * @param parts in the order in which they stand in it; the same object for the same part
   */
  piecesOf(answer: object, parts: readonly object[]): Buffer[] {
    return JSON.stringify(answer)
      .split(SHARED_PLACES)
      .flatMap((text, i) => {
        const part = parts[i];
        return part === undefined ? [Buffer.from(text)] : [Buffer.from(text), this.#jsonOf(part)];
      });
  }

  #jsonOf(part: object): Buffer {
    const made = this.#made.get(part) ?? Buffer.from(JSON.stringify(part));
    this.#made.set(part, made);
    return made;
  }
}

/** What filters and cases ask of the rows. */
class RowColumns {
  readonly #facts: Uint32Array;
  readonly #costAt: Uint32Array;
  readonly #costEnd: Uint32Array;
  readonly #capacity: Uint32Array;
  readonly #days: Uint8Array;
  readonly #has: Uint32Array;

  constructor(rows: number) {
    this.#facts = new Uint32Array(rows);
    this.#costAt = new Uint32Array(rows);
    this.#costEnd = new Uint32Array(rows);
    this.#capacity = new Uint32Array(rows);
    this.#days = new Uint8Array(rows);
    this.#has = new Uint32Array(rows);
  }

  /** @param pieces of the JSON: what stands before the estimate, the estimate, what stands behind it */
  set(
    row: number,
    service: FacilityService,
    answer: ComparisonRow,
    [before, estimate]: readonly Buffer[],
    facts: number,
  ): void {
    const at = before?.length ?? 0;
    this.#facts[row] = facts;
    this.#costAt[row] = at;
    this.#costEnd[row] = at + (estimate?.length ?? 0);
    this.#capacity[row] = answer.capacity ?? 0;
    this.#days[row] = OPEN_DAYS.reduce((mask, day, i) => mask | (service.openDays?.includes(day) ? 1 << i : 0), 0);
    const { detail } = service;
    const known: Record<RowField, boolean> = {
      capacity: answer.capacity !== null,
      users: answer.users !== null,
      waiting: detail?.waiting != null,
      vacancies: detail?.vacancies != null,
      opened_on: answer.opened_on !== null,
      rooms: answer.rooms !== null,
      staffing: answer.staffing !== null,
      cost: answer.cost_estimate.monthly_yen !== null,
      position: answer.lat !== null,
      open_days: service.openDays !== null,
    };
    this.#has[row] = ROW_FIELDS.reduce((mask, field, i) => mask | (known[field] ? 1 << i : 0), 0);
  }

  columns() {
    return {
      row_facts: this.#facts,
      row_cost_at: this.#costAt,
      row_cost_end: this.#costEnd,
      row_capacity: this.#capacity,
      row_days: this.#days,
      row_has: this.#has,
    };
  }
}

function factsOfServices(facilities: readonly Facility[], numberOf: (service: FacilityService) => number) {
  const first = new Uint32Array(facilities.length + 1);
  const numbers: number[] = [];
  facilities.forEach(({ services }, i) => {
    first[i] = numbers.length;
    for (const service of services) numbers.push(numberOf(service));
  });
  first[facilities.length] = numbers.length;
  return { service_first: first, service_facts: Uint32Array.from(numbers) };
}

/** Every service whose municipality is known, by municipality, service and office number. */
function tableRows(facilities: readonly Facility[]): TableRow[] {
  const rows: (TableRow & { key: string })[] = [];
  for (const facility of facilities) {
    const { facilityId } = facility;
    for (const service of facility.services) {
      const { municipalityCode, municipality } = service;
      if (municipalityCode === null) continue;
      const key = municipalityCode + service.serviceCode + facilityId;
      rows.push({ key, facility, service, municipalityCode, municipality, ...UNSORTED, facilityId });
    }
  }
  return rows.sort((a, b) => (a.key < b.key ? -1 : 1));
}

/** The tables of every municipality and designated city, and each in every order. */
function orderTables(rows: readonly TableRow[]) {
  const places = new Map<string, PlaceTables>();
  const add = (code: string, name: string, { facility, service }: TableRow, row: number): void => {
    let place = places.get(code);
    if (place === undefined) {
      place = { code, name, prefectureCode: code.slice(0, 2), prefecture: facility.prefecture, rows: new Map() };
      places.set(code, place);
    }
    const table = place.rows.get(service.serviceCode);
    if (table === undefined) place.rows.set(service.serviceCode, [row]);
    else table.push(row);
  };
  rows.forEach((row, i) => {
    const { municipalityCode, municipality } = row;
    add(municipalityCode, municipality ?? '', row, i);
    const city = cityOfWard(municipalityCode);
    if (city !== undefined) add(city.code, city.name, row, i);
  });
  const meta: MunicipalityMeta[] = [];
  const tableFirst = [0];
  const orders = COMPARISON_SORTS.map((sort) => ({ sort, compare: comparator(sort), rows: [] as number[] }));
  for (const place of [...places.values()].sort((a, b) => (a.code < b.code ? -1 : 1))) {
    const services = [...place.rows].sort(([a], [b]) => (a < b ? -1 : 1));
    meta.push({
      municipality_code: place.code,
      name: place.name,
      prefecture_code: place.prefectureCode,
      prefecture: place.prefecture,
      facilities: new Set(services.flatMap(([, table]) => table.map((row) => rows[row].facilityId))).size,
      services: services.map(([service_code, table]) => ({ service_code, facilities: table.length })),
      around: [],
      first_table: tableFirst.length - 1,
    });
    for (const [, table] of services) {
      for (const order of orders) {
        for (const row of table.sort((a, b) => order.compare(rows[a], rows[b]))) order.rows.push(row);
      }
      tableFirst.push(tableFirst[tableFirst.length - 1] + table.length);
    }
  }
  const columns = {
    table_first: Uint32Array.from(tableFirst),
    ...Object.fromEntries(orders.map((order) => [ORDER_COLUMNS[order.sort], Uint32Array.from(order.rows)])),
  };
  return { meta, columns };
}

/** The facilities whose position is believed, for `near`. */
function pointColumns(facilities: readonly Facility[]) {
  const placed = facilities.flatMap(({ position, services }, facility) =>
    position === null ? [] : [{ facility, position, services }],
  );
  const tree = placed.length === 0 ? null : new Flatbush(placed.length);
  const lat = new Float64Array(placed.length);
  const lon = new Float64Array(placed.length);
  const services = new Float64Array(placed.length);
  placed.forEach(({ position, services: offered }, i) => {
    lat[i] = position.lat;
    lon[i] = position.lon;
    services[i] = serviceMask(offered.map(({ serviceCode }) => serviceCode));
    tree?.add(position.lon, position.lat);
  });
  tree?.finish();
  return {
    point_lat: lat,
    point_lon: lon,
    point_facility: Uint32Array.from(placed, ({ facility }) => facility),
    point_services: services,
    point_tree: new Uint8Array(tree?.data ?? new ArrayBuffer(0)),
  };
}

/** Services as a number whose bit i stands for the i-th of the 35. */
function serviceMask(codes: readonly string[]): number {
  return codes.reduce((mask, code) => mask + 2 ** SERVICES.findIndex((one) => one.service_code === code), 0);
}

const COMMA = Buffer.from(',');

/** Texts written one after the other, each followed by a comma. */
class RecordsFile {
  /** Bytes so far. */
  size = 0;
  readonly #file: number;
  #parts: Buffer[] = [];
  #waiting = 0;

  constructor(path: string) {
    this.#file = openSync(path, 'w');
  }

  /** Adds a text in pieces, and returns its offset. */
  add(pieces: readonly Buffer[]): number {
    const at = this.size;
    for (const bytes of [...pieces, COMMA]) {
      this.#parts.push(bytes);
      this.size += bytes.length;
      this.#waiting += bytes.length;
    }
    if (this.#waiting >= BUFFER_BYTES) this.#write();
    return at;
  }

  close(): void {
    this.#write();
    closeSync(this.#file);
  }

  #write(): void {
    const bytes = Buffer.concat(this.#parts);
    for (let done = 0; done < bytes.length; ) done += writeSync(this.#file, bytes, done);
    this.#parts = [];
    this.#waiting = 0;
  }
}
