import type { AnswerContext } from '../dataset/kaigo-answer.ts';
import type { Facility } from '../kaigo/facility.ts';
import type { Findings } from '../kaigo/findings.ts';
import { type KaigoGrounds, kaigoGrounds } from '../kaigo/grounds.ts';
import type { DetailTable } from '../kaigo/lists/details.ts';
import type { OfficeList } from '../kaigo/lists/office-list.ts';
import type { PriceList } from '../kaigo/price-list.ts';

/** Everything that was read, served, merged and left out. Each row is served, a duplicate, or left out. */
export type KaigoReport = {
  price_list: string;
  office_lists: { file: string; service_code: string | null; extracted_on: string | null; rows: number }[];
  detail_tables: { file: string; rows: number }[];
  rows: { read: number; served: number; duplicates: number; left_out: number };
  details: { read: number; used: number; duplicates: number; unknown: number; left_out: number };
  facilities: number;
  positions: Record<Facility['location'], number>;
  /** Services with an estimate; those without, by reason. */
  estimates: Record<string, number>;
  /** The basis of the figures. */
  grounds: KaigoGrounds;
  findings: ReturnType<Findings['report']>;
};

/** The report of a build. Throws when rows are not accounted for, which is an error of the program. */
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
    grounds: kaigoGrounds(facilities, (service) => context.cost(service).estimate),
    findings: findings.report(),
  };
}
