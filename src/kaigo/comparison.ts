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

const VALUE: Record<ComparisonSort, (keys: SortKeys) => number | string | null> = {
  id: () => null,
  cost: ({ costLow }) => costLow,
  staff: ({ usersPerCareStaff }) => usersPerCareStaff,
  opened: ({ openedOn }) => openedOn,
};

/** Of values that are known, those that come first whatever they are. */
const CLASS: Record<ComparisonSort, (keys: SortKeys) => number> = {
  id: () => 0,
  cost: ({ costWhole }) => (costWhole ? 0 : 1),
  staff: ({ staffEstimated }) => (staffEstimated ? 1 : 0),
  opened: () => 0,
};

/**
 * The order of a comparison: cheapest, best staffed or oldest first; whole bills before parts of one, ratios of users or
 * published places before those of estimated ones; unknown last; ties by office number. It is a total order (an office stands once in a table), so pages never overlap.
 */
export function comparator(sort: ComparisonSort): (a: SortKeys, b: SortKeys) => number {
  const [value, rank] = [VALUE[sort], CLASS[sort]];
  return (a, b) => {
    const [x, y] = [value(a), value(b)];
    if (x !== y) {
      if (x === null) return 1;
      if (y === null) return -1;
    }
    if (x !== null && y !== null && rank(a) !== rank(b)) return rank(a) - rank(b);
    if (x !== y && x !== null && y !== null) {
      return x < y ? -1 : 1;
    }
    return a.facilityId < b.facilityId ? -1 : a.facilityId > b.facilityId ? 1 : 0;
  };
}
