/** What rows of a comparison are ordered by. */
export interface SortKeys {
  facilityId: string;
  /** Low end of the estimate, yen. */
  costLow: number | null;
  /** False for a part of a bill: it comes after the whole ones. */
  costWhole: boolean;
  usersPerCareStaff: number | null;
  /** True where an estimated capacity stands for the users: it comes after the others. */
  staffEstimated: boolean;
  /** YYYY-MM-DD. */
  openedOn: string | null;
}

export type ComparisonSort = 'id' | 'cost' | 'staff' | 'opened';

export const COMPARISON_SORTS: readonly ComparisonSort[] = ['id', 'cost', 'staff', 'opened'];

/** Added to what comes after all others of its kind: no cost and no ratio is as large. */
const BEHIND = 2 ** 31;

/** Place of no cost in a comparison: the last. */
export const NO_COST_PLACE = 2 * BEHIND;

/** Place of a cost in a comparison: whole bills before parts of one. */
export function costPlace(low: number, isWhole: boolean): number {
  return isWhole ? low : BEHIND + low;
}

/** What orders a row; null where it is not known. */
const VALUE: Record<ComparisonSort, (keys: SortKeys) => number | string | null> = {
  id: () => null,
  cost: ({ costLow, costWhole }) => (costLow === null ? null : costPlace(costLow, costWhole)),
  staff: ({ usersPerCareStaff: ratio, staffEstimated }) => (ratio !== null && staffEstimated ? BEHIND + ratio : ratio),
  opened: ({ openedOn }) => openedOn,
};

/**
 * The order of a comparison: cheapest, best staffed or oldest first; whole bills before parts of one, ratios of users or
 * published places before those of estimated ones; unknown last; ties by office number. It is a total order (an office stands
 * once in a table), so pages never overlap.
 */
export function comparator(sort: ComparisonSort): (a: SortKeys, b: SortKeys) => number {
  const value = VALUE[sort];
  return (a, b) => {
    const [x, y] = [value(a), value(b)];
    if (x !== y) {
      if (x === null) return 1;
      if (y === null) return -1;
      return x < y ? -1 : 1;
    }
    return a.facilityId < b.facilityId ? -1 : a.facilityId > b.facilityId ? 1 : 0;
  };
}

/** A value rounded to a number of decimals, halves up: 0.575 is 0.58, though the number nearest to it lies below. */
export function rounded(value: number, decimals: number): number {
  const scale = 10 ** decimals;
  return Math.round(Number((value * scale).toPrecision(12))) / scale;
}

/** Where a value lies among others of its kind. */
interface Quartiles {
  /** Values that are known. */
  count: number;
  lower_quartile: number;
  median: number;
  upper_quartile: number;
}

/** Fewer values than this say nothing. */
const LEAST_VALUES = 5;

/** Median and quartiles (by linear interpolation between the values, to two decimals); null of fewer than five. */
export function quartilesOf(values: readonly number[]): Quartiles | null {
  if (values.length < LEAST_VALUES) return null;
  const sorted = [...values].sort((a, b) => a - b);
  const at = (share: number): number => {
    const place = share * (sorted.length - 1);
    const [below, above] = [sorted[Math.floor(place)] ?? 0, sorted[Math.ceil(place)] ?? 0];
    return rounded(below + (above - below) * (place % 1), 2);
  };
  return { count: values.length, lower_quartile: at(0.25), median: at(0.5), upper_quartile: at(0.75) };
}

/** What is compared of a service. */
export interface ComparedValues {
  /** Typical bill of a month, yen. */
  cost: number | null;
  /** Of those whose care staff are counted by heads. */
  users_per_care_staff: number | null;
  /** Of those whose care staff are counted in full-time equivalents. */
  users_per_care_staff_fte: number | null;
  occupancy: number | null;
}

type ComparedName = keyof ComparedValues;
const NAMES = [
  'cost',
  'users_per_care_staff',
  'users_per_care_staff_fte',
  'occupancy',
] as const satisfies readonly ComparedName[];

/** Something for each of the values compared. */
function each<T>(make: (name: ComparedName) => T): Record<ComparedName, T> {
  return Object.fromEntries(NAMES.map((name) => [name, make(name)])) as Record<ComparedName, T>;
}

/** Each of the values compared, in a prefecture and in the country. */
type ComparedWith = Record<ComparedName, { prefecture: Quartiles | null; japan: Quartiles | null }>;

/** Where values lie, by service, and by service and prefecture (510 and 51013). */
export type ComparedPlaces = Readonly<Record<string, Readonly<Record<ComparedName, Quartiles | null>>>>;

/** Where the values of a service lie in a prefecture and in the country. */
export function comparedWith(places: ComparedPlaces, serviceCode: string, prefectureCode: string): ComparedWith {
  const [prefecture, japan] = [places[serviceCode + prefectureCode], places[serviceCode]];
  return each((name) => ({ prefecture: prefecture?.[name] ?? null, japan: japan?.[name] ?? null }));
}

/** Gathers the values of services over their prefectures. */
export class Comparisons {
  readonly #values = new Map<string, Record<ComparedName, number[]>>();
  readonly #compared = new Map<string, ComparedWith>();
  #places: ComparedPlaces | null = null;

  add(serviceCode: string, prefectureCode: string, values: ComparedValues): void {
    for (const key of [serviceCode, serviceCode + prefectureCode]) {
      let gathered = this.#values.get(key);
      if (gathered === undefined) {
        gathered = each(() => []);
        this.#values.set(key, gathered);
      }
      for (const name of NAMES) {
        const value = values[name];
        if (value !== null) gathered[name].push(value);
      }
    }
  }

  /** What values of a service are set beside, when all are added. The same object for the same service and prefecture. */
  with(serviceCode: string, prefectureCode: string): ComparedWith {
    const key = serviceCode + prefectureCode;
    const compared = this.#compared.get(key) ?? comparedWith(this.places, serviceCode, prefectureCode);
    this.#compared.set(key, compared);
    return compared;
  }

  /** Where the values lie; to be asked when all of them are added. */
  get places(): ComparedPlaces {
    this.#places ??= Object.fromEntries(
      [...this.#values].map(([key, gathered]) => [key, each((name) => quartilesOf(gathered[name]))]),
    );
    return this.#places;
  }
}
