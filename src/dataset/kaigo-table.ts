import { OPEN_DAYS } from '../contract/kaigo-facility.ts';
import { ROW_FIELDS } from '../contract/operations/kaigo-municipality.ts';
import type { JsonWriter } from '../formats/json-bytes.ts';
import { type Case, isStandardCase, STANDARD_CASE } from '../kaigo/case.ts';
import type { ComparisonSort } from '../kaigo/comparison.ts';
import type { KaigoCases } from './kaigo-cases.ts';
import type { KaigoStore } from './kaigo-store.ts';
import type { MunicipalityMeta, RowField } from './kaigo-store-format.ts';

/** Which rows of a table are wanted; a member that is null asks nothing. */
export interface RowFilter {
  /** What is left to pay a month at least, yen; without a figure a row does not pass. */
  maxYen: number | null;
  minCapacity: number | null;
  openOn: (typeof OPEN_DAYS)[number] | null;
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

/** Whether a filter asks anything. */
export function isFiltered({ maxYen, minCapacity, openOn, has, name }: RowFilter): boolean {
  return has.length > 0 || [maxYen, minCapacity, openOn, name].some((one) => one !== null);
}

/** Rows of a table that pass, in order, as numbers. */
export function wantedRows(
  store: KaigoStore,
  cases: KaigoCases,
  place: MunicipalityMeta,
  service: string,
  sort: ComparisonSort,
  wishes: TableWishes,
): Uint32Array {
  const { case: wanted, filter } = wishes;
  const own = sort === 'cost' && !isStandardCase(wanted);
  const inOrder = store.rowNumbers(place, service, own ? 'id' : sort);
  const table = `${place.municipality_code} ${service}`;
  const rows = own ? cases.order(wanted, table, inOrder, (row) => store.rowFacts(row)) : inOrder;
  return isFiltered(filter) ? rows.filter(passes(store, cases, wishes)) : rows;
}

/** Whether a row passes the filters. */
function passes(store: KaigoStore, cases: KaigoCases, { case: wanted, filter }: TableWishes): (row: number) => boolean {
  const { minCapacity, maxYen } = filter;
  const day = filter.openOn === null ? 0 : 1 << OPEN_DAYS.indexOf(filter.openOn);
  // What the store knows of the cost is that of the standard scenario: in a case of one's own there may be no figure.
  const inCase = filter.has.includes('cost') && !isStandardCase(wanted);
  const fields = filter.has.reduce((mask, field) => mask | (1 << ROW_FIELDS.indexOf(field)), 0);
  const part = filter.name === null ? null : plainName(filter.name);
  const costOf = cases.costs(wanted);
  return (row) => {
    const { capacity, days, has } = store.rowTraits(row);
    if (minCapacity !== null && capacity < minCapacity) return false;
    if ((days & day) !== day || (has & fields) !== fields) return false;
    if (inCase && costOf(store.rowFacts(row)) === null) return false;
    if (maxYen !== null && (costOf(store.rowFacts(row)) ?? Infinity) > maxYen) return false;
    return part === null || nameOf(store.row(row)).includes(part);
  };
}

const plainName = (name: string): string => name.normalize('NFKC').replace(/\s/g, '').toLowerCase();

function nameOf(row: Buffer): string {
  return plainName((JSON.parse(row.toString()) as { name: string }).name);
}

/** Writes rows as JSON separated by commas, with the estimates of a case. */
export function writeRows(
  json: JsonWriter,
  store: KaigoStore,
  cases: KaigoCases,
  rows: ArrayLike<number>,
  wanted: Case,
): void {
  if (isStandardCase(wanted)) {
    store.writeRows(json, rows);
    return;
  }
  const writeEstimate = cases.estimateWriter(wanted, json);
  for (let i = 0; i < rows.length; i++) {
    if (i > 0) json.text(',');
    store.writeRowWith(json, rows[i] ?? 0, writeEstimate);
  }
}

/** The case of the standard scenario with nothing asked. */
export const PLAIN: TableWishes = { case: STANDARD_CASE, filter: NO_FILTER };
