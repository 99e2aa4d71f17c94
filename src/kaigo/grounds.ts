import { type CostEstimate, comparableCost, costsDiffer } from '../contract/kaigo-cost.ts';
import { costKey } from './comparison.ts';
import type { Facility, FacilityService } from './facility.ts';

/**
 * Counts of the data behind the cost figures. They show where a reader may be misled: a figure may rest on standard fees,
 * on typical additions or on an assumed area, and not on what the home publishes.
 */
export interface KaigoGrounds {
  /** Tables: the facilities with a service in a municipality, by cost. */
  tables: number;
  /** Of those, tables in which costs tell the facilities apart. */
  tables_comparable: number;
  /** Of these, the origin of food and room of the cheapest bill. */
  first_by_food: Record<string, number>;
  first_by_room: Record<string, number>;
  /**
   * Estimates by what `typical` has on top of the base units: filed additions, typical ones, the treatment rate alone,
   * or nothing.
   */
  typical: Record<'filed' | 'additions' | 'treatment_alone' | 'base_alone', number>;
  /** Estimates with an area that the notice does not name. */
  area_assumed: number;
  /** Estimates for the kind of room that most residents have, with other kinds beside them. */
  with_other_rooms: number;
  /** Believed published fees for rooms, and those of them for kinds of room of which the estimate shows no cost. */
  room_fees: number;
  room_fees_in_no_figure: number;
}

/** A service of a facility, and its estimate. */
interface Estimated {
  service: FacilityService;
  estimate: CostEstimate;
}

/** Counts the data behind the cost figures of some facilities. */
export function kaigoGrounds(
  facilities: readonly Facility[],
  estimateOf: (service: FacilityService) => CostEstimate,
): KaigoGrounds {
  const grounds: KaigoGrounds = {
    tables: 0,
    tables_comparable: 0,
    first_by_food: {},
    first_by_room: {},
    typical: { filed: 0, additions: 0, treatment_alone: 0, base_alone: 0 },
    area_assumed: 0,
    with_other_rooms: 0,
    room_fees: 0,
    room_fees_in_no_figure: 0,
  };
  const estimated: Estimated[] = facilities.flatMap(({ services }) =>
    services.map((service) => ({ service, estimate: estimateOf(service) })),
  );
  for (const { service, estimate } of estimated) countEstimate(grounds, service, estimate);
  const ofMunicipalities = estimated.filter(({ service }) => service.municipalityCode !== null);
  const tables = Map.groupBy(ofMunicipalities, ({ service }) => `${service.municipalityCode} ${service.serviceCode}`);
  for (const table of tables.values()) countTable(grounds, table);
  return grounds;
}

/** Adds the data behind one estimate to the counts. */
function countEstimate(grounds: KaigoGrounds, { fees }: FacilityService, estimate: CostEstimate): void {
  if (estimate.monthly_yen === null) return;
  const { room, other_rooms } = estimate;
  grounds.typical[typicalBasis(estimate)]++;
  if (estimate.area_grade_from === 'assumed') grounds.area_assumed++;
  if (other_rooms.length > 0) grounds.with_other_rooms++;
  // An estimate without a room is for all kinds.
  const roomsInFigures: string[] | null = room === null ? null : [room, ...other_rooms.map((other) => other.room)];
  for (const kind of Object.keys(fees.roomFees)) {
    grounds.room_fees++;
    if (roomsInFigures !== null && !roomsInFigures.includes(kind)) grounds.room_fees_in_no_figure++;
  }
}

/** Counts a table, and the origin of food and room of its cheapest estimate, which is its first row. */
function countTable(grounds: KaigoGrounds, table: readonly Estimated[]): void {
  grounds.tables++;
  if (!costsDiffer(table.map(({ service, estimate }) => comparableCost(service.serviceCode, estimate)))) return;
  grounds.tables_comparable++;
  const key = (estimate: CostEstimate): number => costKey(estimate) ?? Infinity;
  const estimates = table.map(({ estimate }) => estimate);
  const { basis } = estimates.reduce((cheapest, other) => (key(other) < key(cheapest) ? other : cheapest));
  count(grounds.first_by_food, basis?.food ?? 'none');
  count(grounds.first_by_room, basis?.room ?? 'none');
}

/**
 * What the typical bill of an estimate has on top of the base units: the additions that the home has filed; those that
 * most homes of its service have; only the treatment improvement rate (処遇改善加算); or nothing.
 */
function typicalBasis({ basis, additions, treatment_permille }: CostEstimate): keyof KaigoGrounds['typical'] {
  if (basis?.additions === 'filed') return 'filed';
  if (additions !== null) return 'additions';
  return treatment_permille === null ? 'base_alone' : 'treatment_alone';
}

/** Adds one to a count; a new key begins with 0. */
function count(counts: Record<string, number>, key: string): void {
  counts[key] = (counts[key] ?? 0) + 1;
}
