/** What rows of a comparison are ordered by. */
export interface SortKeys {
  facilityId: string;
  /** Low end of the estimate, yen. */
  costLow: number | null;
  usersPerCareStaff: number | null;
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

/**
 * The order of a comparison: cheapest, best staffed or oldest first; unknown last; ties by office number. It is
 * a total order (an office stands once in a table), so pages never overlap.
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
