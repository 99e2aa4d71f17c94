import { type Case, isStandardCase, STANDARD_CASE } from '../kaigo/case.ts';
import { type ComparisonSort, comparator } from '../kaigo/comparison.ts';
import { OPEN_DAYS, type OpenDay } from '../kaigo/lists/clean-row.ts';
import type { KaigoCases } from './kaigo-cases.ts';
import type { KaigoStore } from './kaigo-store.ts';
import { type MunicipalityMeta, ROW_FIELDS, type RowField } from './kaigo-store-format.ts';

/** Which rows of a table are wanted; a member that is null asks nothing. */
export interface RowFilter {
  /** What is left to pay a month at least, yen; without a figure a row does not pass. */
  maxYen: number | null;
  minCapacity: number | null;
  openOn: OpenDay | null;
  /** Fields that must be known. */
  has: readonly RowField[];
  /** Part of the name, however wide its signs are written. */
  name: string | null;
}

/** A table for a family: their case, and what they look for. */
export interface TableWishes {
  case: Case;
  filter: RowFilter;
}

/** What every row passes. */
export const NO_FILTER: RowFilter = { maxYen: null, minCapacity: null, openOn: null, has: [], name: null };

/** Whether the tables of the dataset answer as they stand. */
export function isPlain(wishes: TableWishes): boolean {
  const { maxYen, minCapacity, openOn, has, name } = wishes.filter;
  const asked = [maxYen, minCapacity, openOn, name].some((one) => one !== null) || has.length > 0;
  return !asked && isStandardCase(wishes.case);
}

/** Rows of a table that pass, in order, as numbers. */
export function wantedRows(
  store: KaigoStore,
  cases: KaigoCases,
  place: MunicipalityMeta,
  service: string,
  sort: ComparisonSort,
  wishes: TableWishes,
): number[] {
  const own = sort === 'cost' && !isStandardCase(wishes.case);
  const rows = [...store.rowNumbers(place, service, own ? 'id' : sort)].filter((row) =>
    passes(store, cases, row, wishes),
  );
  if (!own) return rows;
  const compare = comparator('cost');
  const keyed = rows.map((row) => {
    const cost = cases.cost(wishes.case, store.rowFacts(row));
    // The rows come in order of ID: their place stands for it.
    return {
      row,
      facilityId: '',
      costLow: cost?.low ?? null,
      costWhole: cost?.whole ?? true,
      usersPerCareStaff: null,
      staffEstimated: false,
      openedOn: null,
    };
  });
  return keyed.sort(compare).map(({ row }) => row);
}

function passes(store: KaigoStore, cases: KaigoCases, row: number, { case: wanted, filter }: TableWishes): boolean {
  const { capacity, days, has } = store.rowTraits(row);
  if (filter.minCapacity !== null && capacity < filter.minCapacity) return false;
  if (filter.openOn !== null && (days & (1 << OPEN_DAYS.indexOf(filter.openOn))) === 0) return false;
  if (filter.has.some((field) => (has & (1 << ROW_FIELDS.indexOf(field))) === 0)) return false;
  if (filter.maxYen !== null) {
    const cost = cases.cost(wanted, store.rowFacts(row));
    if (cost === null || cost.low > filter.maxYen) return false;
  }
  return filter.name === null || nameOf(store.row(row)).includes(plainName(filter.name));
}

const plainName = (name: string): string => name.normalize('NFKC').replace(/\s/g, '').toLowerCase();

function nameOf(row: Buffer): string {
  return plainName((JSON.parse(row.toString()) as { name: string }).name);
}

/** Rows as JSON separated by commas, with the estimates of a case. */
export function rowsInCase(store: KaigoStore, cases: KaigoCases, rows: readonly number[], wanted: Case): Buffer {
  if (isStandardCase(wanted)) return store.rowsOf(rows);
  const parts: Buffer[] = [];
  for (const row of rows) {
    const bytes = store.row(row);
    const { from, to } = store.rowCost(row);
    if (parts.length > 0) parts.push(COMMA);
    parts.push(bytes.subarray(0, from), Buffer.from(cases.estimate(wanted, store.rowFacts(row))), bytes.subarray(to));
  }
  return Buffer.concat(parts);
}

const COMMA = Buffer.from(',');

/** The case of the standard scenario with nothing asked. */
export const PLAIN: TableWishes = { case: STANDARD_CASE, filter: NO_FILTER };
