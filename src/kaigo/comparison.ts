import { type CostEstimate, isPartOfBill, leftToPay } from '../contract/kaigo-cost.ts';
import type { ComparedWith, Quartiles } from '../contract/kaigo-facility.ts';
import type { STORED_SORTS } from '../contract/operations/kaigo-municipality.ts';

/** The sort orders in the store. */
export type ComparisonSort = (typeof STORED_SORTS)[number];

/** The sort keys of a row; null when unknown. */
export interface SortKeys {
  /** Office number. */
  id: string;
  cost: number | null;
  staff: number | null;
  /** YYYY-MM-DD. */
  opened: string | null;
}

/** An offset that puts a key after all others: it exceeds every cost and every ratio. */
const BEHIND = 2 ** 31;

/**
 * The sort key of a cost: the lowest amount after reductions. Partial bills come after whole bills. Null: no figure.
 */
export function costKey(estimate: Pick<CostEstimate, 'after_refund' | 'couple' | 'basis'>): number | null {
  const yen = leftToPay(estimate);
  if (yen === null) return null;
  return yen.low + (isPartOfBill(estimate) ? BEHIND : 0);
}

/** The sort key of staffing: users per care staff. Ratios from an estimated capacity come last. */
export function staffKey(ratio: number | null, isEstimated: boolean): number | null {
  return ratio === null ? null : ratio + (isEstimated ? BEHIND : 0);
}

/**
 * The order of a comparison: the smallest key first, which is the cheapest, the best staffed (fewest users per member of
 * staff) or the oldest; unknown last; ties by office number. It is a total order (an office is once in a table), so pages
 * never overlap.
 */
export function comparator(sort: ComparisonSort): (a: SortKeys, b: SortKeys) => number {
  return (a, b) => {
    const [x, y] = a[sort] === b[sort] ? [a.id, b.id] : [a[sort], b[sort]];
    if (x === y) return 0;
    if (x === null) return 1;
    if (y === null) return -1;
    return x < y ? -1 : 1;
  };
}

/** A value rounded to a number of decimals, halves up: 0.575 becomes 0.58, although the nearest double is below it. */
export function rounded(value: number, decimals: number): number {
  const scale = 10 ** decimals;
  return Math.round(Number((value * scale).toPrecision(12))) / scale;
}

/** Minimum number of values for a comparison. */
export const LEAST_VALUES = 5;

/** Median and quartiles (linear interpolation between the values, to two decimals); null for fewer than five values. */
export function quartilesOf(values: readonly number[]): Quartiles | null {
  if (values.length < LEAST_VALUES) return null;
  const sorted = [...values].sort((a, b) => a - b);
  const quantile = (share: number): number => {
    const index = share * (sorted.length - 1);
    const [below, above] = [sorted[Math.floor(index)] ?? 0, sorted[Math.ceil(index)] ?? 0];
    return rounded(below + (above - below) * (index % 1), 2);
  };
  return {
    count: values.length,
    lower_quartile: quantile(0.25),
    median: quantile(0.5),
    upper_quartile: quantile(0.75),
  };
}

/** The compared values of a service. */
export interface ComparedValues {
  /** Typical bill of a month, yen. */
  cost: number | null;
  /** For services whose care staff are counted by heads. */
  users_per_care_staff: number | null;
  /** For services whose care staff are counted in full-time equivalents. */
  users_per_care_staff_fte: number | null;
  occupancy: number | null;
}

const NAMES = ['cost', 'users_per_care_staff', 'users_per_care_staff_fte', 'occupancy'] as const;

/** An object with a member for each of the compared values. */
function each<T>(make: (name: keyof ComparedValues) => T): Record<keyof ComparedValues, T> {
  return Object.fromEntries(NAMES.map((name) => [name, make(name)])) as Record<keyof ComparedValues, T>;
}

/** Quartiles of the compared values, by service, and by service and prefecture (510 and 51013). */
export type QuartilesByGroup = Readonly<Record<string, Readonly<Record<keyof ComparedValues, Quartiles | null>>>>;

/** The quartiles of a service in a prefecture and in the country. */
export function comparedWith(quartiles: QuartilesByGroup, serviceCode: string, prefectureCode: string): ComparedWith {
  const [prefecture, japan] = [quartiles[serviceCode + prefectureCode], quartiles[serviceCode]];
  return each((name) => ({ prefecture: prefecture?.[name] ?? null, japan: japan?.[name] ?? null }));
}

/** Values of services in groups: a group has a service in all of Japan (510), or in a prefecture (51013). */
export class GroupValues<Name extends string> {
  readonly #counts = new Map<string, number>();
  readonly #values = new Map<string, number[]>();

  /** Adds the values of a service; null: unknown. */
  add(serviceCode: string, prefectureCode: string, values: Readonly<Record<Name, number | null>>): void {
    for (const group of [serviceCode, serviceCode + prefectureCode]) {
      this.#counts.set(group, this.count(group) + 1);
      for (const [name, value] of Object.entries<number | null>(values)) {
        if (value === null) continue;
        const list = this.#values.get(`${group} ${name}`);
        if (list === undefined) this.#values.set(`${group} ${name}`, [value]);
        else list.push(value);
      }
    }
  }

  get groups(): string[] {
    return [...this.#counts.keys()];
  }

  /** Number of services of a group, with or without a value. */
  count(group: string): number {
    return this.#counts.get(group) ?? 0;
  }

  /** The known values of a group; in ascending order after `sort`. */
  of(group: string, name: Name): readonly number[] {
    return this.#values.get(`${group} ${name}`) ?? [];
  }

  /** Puts the values of every group in ascending order. */
  sort(): void {
    for (const values of this.#values.values()) values.sort((a, b) => a - b);
  }
}

/** The quartiles of the compared values of every group. */
export function quartilesOfGroups(values: GroupValues<keyof ComparedValues>): QuartilesByGroup {
  return Object.fromEntries(values.groups.map((group) => [group, each((name) => quartilesOf(values.of(group, name)))]));
}
