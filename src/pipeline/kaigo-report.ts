import { type CostEstimate, costsDiffer } from '../contract/kaigo-cost.ts';
import type { AnswerContext } from '../dataset/kaigo-answer.ts';
import { costKey } from '../kaigo/comparison.ts';
import type { Facility } from '../kaigo/facility.ts';
import type { Findings } from '../kaigo/findings.ts';
import type { DetailTable } from '../kaigo/lists/details.ts';
import type { OfficeList } from '../kaigo/lists/office-list.ts';
import type { PriceList } from '../kaigo/price-list.ts';

/** Everything read, served, merged and left out. Of the rows read, each is served, a duplicate, or left out. */
export type KaigoReport = {
  price_list: string;
  office_lists: { file: string; service_code: string | null; extracted_on: string | null; rows: number }[];
  detail_tables: { file: string; rows: number }[];
  rows: { read: number; served: number; duplicates: number; left_out: number };
  details: { read: number; used: number; duplicates: number; unknown: number; left_out: number };
  facilities: number;
  positions: Record<Facility['location'], number>;
  /** Services with an estimate, and those without by reason. */
  estimates: Record<string, number>;
  /** What the figures rest on. */
  grounds: KaigoGrounds;
  findings: ReturnType<Findings['report']>;
};

/** Counts of what can mislead who reads the figures. */
interface KaigoGrounds {
  /** Comparison tables of a municipality and a service. */
  tables: number;
  /** Of those, tables in which costs tell the facilities apart. */
  tables_comparable: number;
  /** Of these, by where the food and the room of the cheapest come from. */
  first_by_food: Record<string, number>;
  first_by_room: Record<string, number>;
  /** Estimates by what `typical` has on top of the base units: additions, the treatment rate alone, or nothing. */
  typical: Record<'additions' | 'treatment_alone' | 'base_alone', number>;
  /** Estimates with an area that the notice does not name. */
  area_assumed: number;
  /** Estimates for the kind of room that most residents have, with other kinds beside them. */
  with_other_rooms: number;
  /** Published fees for rooms that are believed, and of these those that stand in no figure. */
  room_fees: number;
  room_fees_in_no_figure: number;
}

function kaigoGrounds(facilities: readonly Facility[], cost: AnswerContext['cost']): KaigoGrounds {
  const grounds: KaigoGrounds = {
    tables: 0,
    tables_comparable: 0,
    first_by_food: {},
    first_by_room: {},
    typical: { additions: 0, treatment_alone: 0, base_alone: 0 },
    area_assumed: 0,
    with_other_rooms: 0,
    room_fees: 0,
    room_fees_in_no_figure: 0,
  };
  const tables = new Map<string, CostEstimate[]>();
  for (const service of facilities.flatMap(({ services }) => services)) {
    const { estimate } = cost(service);
    if (service.municipalityCode !== null) {
      const key = `${service.municipalityCode} ${service.serviceCode}`;
      const table = tables.get(key);
      if (table === undefined) tables.set(key, [estimate]);
      else table.push(estimate);
    }
    if (estimate.monthly_yen === null) continue;
    const { additions, treatment_permille, room, other_rooms } = estimate;
    const typical =
      additions !== null ? 'additions' : treatment_permille !== null ? 'treatment_alone' : ('base_alone' as const);
    grounds.typical[typical]++;
    if (estimate.area_grade_from === 'assumed') grounds.area_assumed++;
    if (other_rooms.length > 0) grounds.with_other_rooms++;
    const shown = room === null ? null : [room, ...other_rooms.map((other) => other.room)];
    for (const kind of Object.keys(service.fees.roomFees)) {
      grounds.room_fees++;
      if (shown !== null && !shown.some((one) => one === kind)) grounds.room_fees_in_no_figure++;
    }
  }
  const count = (counts: Record<string, number>, key: string) => (counts[key] = (counts[key] ?? 0) + 1);
  for (const estimates of tables.values()) {
    grounds.tables++;
    if (!costsDiffer(estimates.map((estimate) => ({ service: '', estimate })))) continue;
    grounds.tables_comparable++;
    const key = (estimate: CostEstimate): number => costKey(estimate) ?? Infinity;
    const { basis } = estimates.reduce((least, one) => (key(one) < key(least) ? one : least));
    count(grounds.first_by_food, basis?.food ?? 'none');
    count(grounds.first_by_room, basis?.room ?? 'none');
  }
  return grounds;
}

/** The report of a build. Throws when a row went missing between reading and serving: that would be a bug. */
export function kaigoReport(
  prices: PriceList,
  lists: readonly OfficeList[],
  tables: readonly DetailTable[],
  facilities: readonly Facility[],
  context: AnswerContext,
  findings: Findings,
): KaigoReport {
  const counted = (...kinds: Parameters<Findings['count']>[0][]) =>
    kinds.reduce((sum, kind) => sum + findings.count(kind), 0);
  const services = facilities.flatMap((facility) => facility.services);
  const rows = {
    read: lists.reduce((sum, { rowsRead }) => sum + rowsRead, 0),
    served: services.length,
    duplicates: counted('row_duplicate'),
    left_out: counted('row_quoting', 'row_columns', 'row_facility_id'),
  };
  const details = {
    read: tables.reduce((sum, { rowsRead }) => sum + rowsRead, 0),
    used: services.filter(({ detail }) => detail !== null).length,
    duplicates: counted('detail_duplicate'),
    unknown: counted('detail_unknown'),
    left_out: counted('detail_row'),
  };
  for (const { read, ...parts } of [rows, details]) {
    const sum = Object.values(parts).reduce((a, b) => a + b, 0);
    if (sum !== read) throw new Error(`${read} rows were read, but ${sum} are accounted for`);
  }
  const positions = { published: 0, suspect: 0, unknown: 0 };
  for (const { location } of facilities) positions[location]++;
  const estimates: Record<string, number> = { estimated: 0 };
  for (const service of services) {
    const key = context.cost(service).estimate.reason ?? 'estimated';
    estimates[key] = (estimates[key] ?? 0) + 1;
  }
  return {
    price_list: prices.date,
    office_lists: lists.map(({ file, serviceCode, extractedOn, rowsRead }) => ({
      file,
      service_code: serviceCode,
      extracted_on: extractedOn,
      rows: rowsRead,
    })),
    detail_tables: tables.map(({ file, rowsRead }) => ({ file, rows: rowsRead })),
    rows,
    details,
    facilities: facilities.length,
    positions,
    estimates,
    grounds: kaigoGrounds(facilities, context.cost),
    findings: findings.report(),
  };
}
