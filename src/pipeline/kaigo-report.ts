import type { AnswerContext } from '../dataset/kaigo-answer.ts';
import type { Facility, FacilityService } from '../kaigo/facility.ts';
import type { Findings } from '../kaigo/findings.ts';
import { type KaigoGrounds, kaigoGrounds } from '../kaigo/grounds.ts';
import type { MappedTable } from '../kaigo/lists/mapped-table.ts';
import type { OfficeList } from '../kaigo/lists/office-list.ts';
import type { PriceList } from '../kaigo/price-list.ts';
import type { MatchedBy } from '../kaigo/register.ts';
import type { HazardReport } from './hazards.ts';

/** Everything that was read, served, merged and left out. Each row is served, a duplicate, or left out. */
export type KaigoReport = {
  price_list: string;
  office_lists: { file: string; service_code: string | null; extracted_on: string | null; rows: number }[];
  detail_tables: { file: string; rows: number }[];
  rows: { read: number; served: number; duplicates: number; left_out: number };
  details: { read: number; used: number; duplicates: number; unknown: number; left_out: number };
  /**
   * Rows of registers: matched with an office of the lists, added as homes of their own, repeated, matched with several
   * offices (`ambiguous`), or left out.
   */
  registers: {
    read: number;
    matched: { number: number; name_and_address: number; name_and_phone: number };
    added: number;
    duplicates: number;
    ambiguous: number;
    left_out: number;
  };
  /**
   * Rows of filed additions: one for each service whose estimate uses them; `joined`: further rows of such a service;
   * `unknown`: rows of offices that no list has.
   */
  filings: { read: number; services: number; joined: number; unknown: number; left_out: number };
  /** Zones at the facilities; null without layers. */
  hazards: HazardReport | null;
  facilities: number;
  positions: Record<Facility['location'], number>;
  /** Services with an estimate; those without, by reason. */
  estimates: Record<string, number>;
  /** The basis of the figures. */
  grounds: KaigoGrounds;
  findings: ReturnType<Findings['report']>;
};

/** The rows that were read, and the facilities made of them. */
interface KaigoRead {
  lists: readonly OfficeList[];
  tables: readonly MappedTable<unknown>[];
  registers: readonly MappedTable<unknown>[];
  filingTables: readonly MappedTable<unknown>[];
  facilities: readonly Facility[];
  detailsUsed: number;
}

/**
 * The report of a build.
 * @throws Error when rows are not accounted for, which is an error of the program
 */
export function kaigoReport(
  prices: PriceList,
  read: KaigoRead,
  context: AnswerContext,
  findings: Findings,
): Omit<KaigoReport, 'hazards'> {
  const { lists, tables, facilities } = read;
  const services = facilities.flatMap((facility) => facility.services);
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
    ...rowAccounts(read, services, findings),
    facilities: facilities.length,
    positions,
    estimates,
    grounds: kaigoGrounds(facilities, (service) => context.cost(service).estimate),
    findings: findings.report(),
  };
}

/**
 * The counts of what became of the rows that were read.
 * @throws Error when one is not accounted for
 */
function rowAccounts(
  { lists, tables, registers, filingTables, detailsUsed }: KaigoRead,
  services: readonly FacilityService[],
  findings: Findings,
): Pick<KaigoReport, 'rows' | 'details' | 'registers' | 'filings'> {
  const countOf = (...kinds: Parameters<Findings['count']>[0][]) =>
    kinds.reduce((sum, kind) => sum + findings.count(kind), 0);
  // Null: the home is in a register only, and was added.
  const matchedBy = (by: MatchedBy | null) => services.filter(({ register }) => register?.matchedBy === by).length;
  const added = matchedBy(null);
  const rows = {
    read: rowsOf(lists),
    served: services.length - added,
    duplicates: countOf('row_duplicate'),
    left_out: countOf('row_quoting', 'row_columns', 'row_facility_id'),
  };
  const details = {
    read: rowsOf(tables),
    used: detailsUsed,
    duplicates: countOf('detail_duplicate'),
    unknown: countOf('detail_unknown'),
    left_out: countOf('detail_row'),
  };
  const matched = {
    number: matchedBy('number'),
    name_and_address: matchedBy('name_and_address'),
    name_and_phone: matchedBy('name_and_phone'),
  };
  const registerRows = {
    read: rowsOf(registers),
    added,
    duplicates: countOf('register_duplicate', 'register_part'),
    ambiguous: countOf('register_ambiguous'),
    left_out: countOf('register_row', 'register_closed'),
  };
  const filings = {
    read: rowsOf(filingTables),
    services: services.filter(({ filing }) => filing !== null).length,
    // Put together with an earlier row of the same service.
    joined: countOf('filing_joined'),
    unknown: countOf('filing_unknown'),
    left_out: countOf('filing_row', 'filing_preventive', 'filing_not_in_force', 'filing_superseded'),
  };
  for (const { read, ...parts } of [rows, details, { ...registerRows, ...matched }, filings]) {
    const sum = Object.values(parts).reduce((a, b) => a + b, 0);
    if (sum !== read) throw new Error(`${read} rows were read, but ${sum} are accounted for`);
  }
  return { rows, details, registers: { ...registerRows, matched }, filings };
}

/** The rows read of all tables. */
const rowsOf = (tables: readonly { rowsRead: number }[]): number =>
  tables.reduce((sum, { rowsRead }) => sum + rowsRead, 0);
