import {
  type Case,
  type CostEstimate,
  comparableCost,
  costsDiffer,
  hasPublishedFees,
  leftToPay,
  type Room,
  STANDARD_CASE,
} from '../contract/kaigo-cost.ts';
import { OPEN_DAYS } from '../contract/kaigo-facility.ts';
import { QUALITY, type QualityName } from '../contract/kaigo-quality.ts';
import { ROW_FIELDS, type Sort } from '../contract/operations/kaigo-municipality.ts';
import type { JsonWriter } from '../formats/json-bytes.ts';
import type { CostFacts } from '../kaigo/bill.ts';
import { type CaseFault, caseFault, isStandardCase, roomFault, roomsOf, STANDARD_TERMS } from '../kaigo/case.ts';
import { type ComparisonSort, costKey } from '../kaigo/comparison.ts';
import { type BriefEstimate, briefEstimate, type CostLimit, estimate, withRoomWithin } from '../kaigo/estimate.ts';
import type { CapClass } from '../kaigo/fee-table.ts';
import { combinedCapsOf, priceListOn } from '../kaigo/price-list.ts';
import { Tariffs } from '../kaigo/tariff.ts';
import type { KaigoIndexMeta, KaigoStore, MunicipalityMeta, RowField } from './kaigo-store.ts';

/** The filters of a table. A member that is null does not filter. */
export interface RowFilter {
  /**
   * The most that may be left to pay a month (the low end of the estimate), yen, in one of the rooms of the home: the
   * figures of the row are for that room. A row without an estimate does not pass.
   */
  maxYen: number | null;
  minCapacity: number | null;
  openOn: (typeof OPEN_DAYS)[number] | null;
  /** Fields that must be known. */
  has: readonly RowField[];
  /** Part of the name, however wide its signs are written. */
  name: string | null;
  /** Bounds of quality figures. An unknown figure does not pass. */
  atLeast: readonly QualityBound[];
  atMost: readonly QualityBound[];
}

/** A figure of quality and a bound of it. */
export type QualityBound = readonly [QualityName, number];

/** The case of a family and the filters for their table. */
export interface TableRequest {
  case: Case;
  filter: RowFilter;
}

/** The filter that every row passes. */
export const NO_FILTER: RowFilter = {
  maxYen: null,
  minCapacity: null,
  openOn: null,
  has: [],
  name: null,
  atLeast: [],
  atMost: [],
};

/** Whether a filter has a condition. */
function isFiltered({ maxYen, minCapacity, openOn, has, name, atLeast, atMost }: RowFilter): boolean {
  const hasListed = has.length + atLeast.length + atMost.length > 0;
  return hasListed || [maxYen, minCapacity, openOn, name].some((value) => value !== null);
}

/** The standard case without filters. */
export const STANDARD_REQUEST: TableRequest = { case: STANDARD_CASE, filter: NO_FILTER };

/** The costs of homes in a case, by the number of their cost inputs. */
interface CaseCosts {
  /** What is left to pay, for the order and the filter; null for a home without a room within the limit. */
  leftToPay(facts: number): BriefEstimate | null;
  /** The estimate to show. A home without a room within the limit has that of its usual room. */
  estimate(facts: number): CostEstimate;
}

/** Estimates for any case, from the prices and cost inputs that a dataset was built with. */
export class KaigoCases {
  readonly #facts: KaigoIndexMeta['facts'];
  readonly #tariffs: Tariffs;

  constructor({ fees, as_of, facts }: Pick<KaigoIndexMeta, 'fees' | 'as_of' | 'facts'>) {
    this.#facts = facts;
    this.#tariffs = new Tariffs(priceListOn(fees, as_of), STANDARD_TERMS);
  }

  /** Why a case is not possible, in general or for a service; null when it is. */
  fault(careCase: Case, serviceCode: string | null): CaseFault | null {
    const fault = caseFault(careCase);
    if (fault !== null || careCase.room === null || serviceCode === null) return fault;
    return roomFault(this.#tariffs.list, serviceCode, careCase.room);
  }

  /** The yearly caps on medical and care costs together that a case can have, the highest first. */
  combinedCaps(careCase: Case): CapClass[] {
    return combinedCapsOf(this.#tariffs.list, careCase);
  }

  /** The kinds of room that the price of a service depends on. */
  rooms(serviceCode: string): readonly Room[] {
    return roomsOf(this.#tariffs.list, serviceCode);
  }

  /**
   * The costs of a case.
   * @param limit where a home has a room within it, its costs are for that room; null: no limit
   */
  costs(careCase: Case, limit: CostLimit | null): CaseCosts {
    const tariffs = this.#tariffs;
    /** The home, with a room within the limit as its main room; null when it has no such room. */
    const homeWithin = this.#onceForFacts((facts) =>
      limit === null ? facts : withRoomWithin(limit, facts, careCase, tariffs),
    );
    return {
      leftToPay: this.#onceForFacts((_facts, number) => {
        const home = homeWithin(number);
        return home && briefEstimate(home, careCase, tariffs);
      }),
      estimate: this.#onceForFacts((facts, number) => estimate(homeWithin(number) ?? facts, careCase, tariffs)),
    };
  }

  /**
   * Makes a function of the number of cost inputs. It makes the value of each number only once, because many services
   * have the same inputs.
   */
  #onceForFacts<T>(make: (facts: CostFacts, number: number) => T): (number: number) => T {
    const byNumber = new Map<number, T>();
    return (number) => {
      const facts = this.#facts[number];
      if (facts === undefined) throw new Error(`the care index holds no cost facts ${number}`);
      const value = byNumber.get(number);
      if (value !== undefined) return value;
      const made = make(facts, number);
      byNumber.set(number, made);
      return made;
    };
  }
}

/** True when the stored estimates do not apply: for a case other than the standard one, or a limit that chooses the rooms. */
export const mustEstimate = (careCase: Case, limit: CostLimit | null): boolean =>
  !isStandardCase(careCase) || limit !== null;

/** A table of a municipality with a family's case and filters. */
export class RequestedTable {
  /** The rows that pass the filters, in order, by number. */
  readonly rows: Uint32Array;
  readonly #store: KaigoStore;
  /** Null in the standard case without a limit, whose estimates the rows have. */
  readonly #estimateOf: RowEstimates | null;

  constructor(
    store: KaigoStore,
    cases: KaigoCases,
    municipality: MunicipalityMeta,
    service: string,
    sort: Sort,
    { case: careCase, filter }: TableRequest,
  ) {
    // As the order by cost, the limit goes by the low figure.
    const limit = filter.maxYen === null ? null : { maxYen: filter.maxYen, figure: 'low' as const };
    const isEstimated = mustEstimate(careCase, limit);
    const costs = cases.costs(careCase, limit);
    const costOf: RowCosts = (row) => costs.leftToPay(store.rowFacts(row));
    const rowsBy = (stored: ComparisonSort): Uint32Array => store.rowNumbers(municipality, service, stored);
    const sorted = (): Uint32Array => {
      if (isQuality(sort)) return byQuality(rowsBy('id'), sort, store);
      if (sort === 'cost' && isEstimated) return byCost(rowsBy('id'), costOf);
      return rowsBy(sort);
    };
    this.rows = isFiltered(filter) ? sorted().filter(passes(store, filter, isEstimated, costOf)) : sorted();
    this.#store = store;
    this.#estimateOf = isEstimated ? (row) => costs.estimate(store.rowFacts(row)) : null;
  }

  /** Whether comparable costs of its rows differ. For most tables two rows are enough to know. */
  isComparable(): boolean {
    return rowsDiffer(this.#store, this.rows, this.#estimateOf);
  }

  /** Writes rows of the table as a JSON array. Their estimates are those of the request's case. */
  write(json: JsonWriter, rows: Uint32Array): void {
    const estimateOf = this.#estimateOf;
    json.text('[');
    if (estimateOf === null) this.#store.writeRows(json, rows);
    else {
      for (const [i, row] of rows.entries()) {
        if (i > 0) json.text(',');
        this.#store.writeRow(json, row, estimateOf(row));
      }
    }
    json.text(']');
  }
}

/** The cost in a row that is left to pay; null when it has no room within the limit. */
type RowCosts = (row: number) => BriefEstimate | null;

/** The estimate of a row in a case. */
type RowEstimates = (row: number) => CostEstimate;

/**
 * Whether comparable costs of some rows differ.
 * @param estimateOf null: the standard case
 */
export function rowsDiffer(store: KaigoStore, rows: Iterable<number>, estimateOf: RowEstimates | null): boolean {
  const rowNumbers = Iterator.from(rows);
  if (estimateOf === null) return costsDiffer(rowNumbers.map((row) => store.rowCost(row)));
  return costsDiffer(rowNumbers.map((row) => comparableCost(store.rowService(row), estimateOf(row))));
}

/** Rows by their costs: the cheapest first, those without a cost last. Ties stay in the order of `rows`. */
function byCost(rows: Uint32Array, costOf: RowCosts): Uint32Array {
  const keyOf = (row: number): number => {
    const cost = costOf(row);
    // For unknown values MAX_VALUE, not Infinity: the difference of two infinities is no number.
    return (cost === null ? null : costKey(cost)) ?? Number.MAX_VALUE;
  };
  const keyed = Array.from(rows, (row) => ({ row, key: keyOf(row) }));
  return Uint32Array.from(
    keyed.sort((a, b) => a.key - b.key),
    ({ row }) => row,
  );
}

const isQuality = (sort: Sort): sort is QualityName => sort in QUALITY;

/** Rows by a figure of quality, unknown last; ties stay in the order of `rows`. */
function byQuality(rows: Uint32Array, name: QualityName, store: KaigoStore): Uint32Array {
  const sign = QUALITY[name].first === 'lowest' ? 1 : -1;
  // For unknown values MAX_VALUE, not Infinity: the difference of two infinities is no number.
  const keyed = Array.from(rows, (row) => {
    const value = store.rowQuality(row, name);
    return { row, key: value === null ? Number.MAX_VALUE : sign * value };
  });
  return Uint32Array.from(
    keyed.sort((a, b) => a.key - b.key),
    ({ row }) => row,
  );
}

/**
 * Makes a function that tells whether a row passes the filters.
 * @param isEstimated true when the stored estimates do not apply ({@link mustEstimate}): `costOf` decides about costs
 * @param costOf null for a row without a room within the limit `maxYen`
 */
function passes(
  store: KaigoStore,
  filter: RowFilter,
  isEstimated: boolean,
  costOf: RowCosts,
): (row: number) => boolean {
  const { minCapacity, maxYen } = filter;
  const dayBit = filter.openOn === null ? 0 : 1 << OPEN_DAYS.indexOf(filter.openOn);
  // The stored marks `cost` and `published_fees` are those of the standard case.
  const isStored = (field: RowField): boolean => !(isEstimated && (field === 'cost' || field === 'published_fees'));
  const fieldBits = filter.has.filter(isStored).reduce((bits, field) => bits | (1 << ROW_FIELDS.indexOf(field)), 0);
  const testsCost = isEstimated && filter.has.includes('cost');
  const testsFees = isEstimated && filter.has.includes('published_fees');
  const namePart = filter.name === null ? null : plainName(filter.name);
  const hasCost = (row: number): boolean => {
    const cost = costOf(row);
    return cost !== null && leftToPay(cost) !== null;
  };
  const hasFees = (row: number): boolean => {
    const cost = costOf(row);
    return cost !== null && hasPublishedFees(cost);
  };
  return (row) => {
    const { capacity, days, has } = store.rowTraits(row);
    if (minCapacity !== null && capacity < minCapacity) return false;
    if ((days & dayBit) !== dayBit || (has & fieldBits) !== fieldBits) return false;
    if (!filter.atLeast.every(([name, least]) => (store.rowQuality(row, name) ?? -1) >= least)) return false;
    if (!filter.atMost.every(([name, most]) => (store.rowQuality(row, name) ?? Infinity) <= most)) return false;
    // With `maxYen`, `costOf` is null for a row above the limit.
    if ((testsCost || maxYen !== null) && !hasCost(row)) return false;
    if (testsFees && !hasFees(row)) return false;
    return namePart === null || nameOf(store.row(row)).includes(namePart);
  };
}

/** A name as the filter compares it. */
const plainName = (name: string): string => name.normalize('NFKC').replace(/\s/g, '').toLowerCase();

/** @param row the JSON of a row */
function nameOf(row: Buffer): string {
  return plainName((JSON.parse(row.toString()) as { name: string }).name);
}
