import { hash } from 'node:crypto';
import { posix } from 'node:path';
import { BUILT_IN_FEES } from '../kaigo/facts/built-in.ts';
import type { FeeTable } from '../kaigo/fee-table.ts';
import type { FindingKind, Findings } from '../kaigo/findings.ts';
import { type CleanRow, cleanRow, RowTexts } from '../kaigo/lists/clean-row.ts';
import { type OfficeList, type OfficeListName, officeListName, readOfficeList } from '../kaigo/lists/office-list.ts';
import { dayInJapan, priceListOn } from '../kaigo/price-list.ts';
import type { HashedInput } from '../snapshot/manifest.ts';
import { checkMappings, findTables, readJson, unpacked } from './care-tables.ts';
import { findInputs, type Input, InputError } from './inputs.ts';

/** Findings that make a whole list unreadable. */
const FATAL: readonly FindingKind[] = [
  'file_name',
  'file_service',
  'file_columns',
  'file_empty',
  'row_quoting',
  'row_columns',
  'row_facility_id',
];

/**
 * The fee table of a file, or the built-in one.
 * @param path null: the built-in one
 * @throws InputError when the file cannot be read
 * @throws Error when it is not a valid fee table
 */
export async function readFees(path: string | null, hashes: HashedInput[]): Promise<FeeTable> {
  if (path === null) return BUILT_IN_FEES;
  const { json, bytes } = await readJson(path);
  hashes.push({ label: 'fees', sha256: hash('sha256', bytes) });
  // The schema check has hundreds of files, so it is loaded only when needed.
  const { checkFeeTable } = await import('../kaigo/fee-table.ts');
  return checkFeeTable(json, path);
}

/**
 * The files of office lists.
 * @throws InputError for paths without any
 */
const findOfficeLists = (paths: string[]): ReturnType<typeof findInputs> => findInputs(paths, ['office_list']);

/**
 * Finds errors of the care half before anything is read or computed: missing paths, an invalid fee table, a day without
 * a price list.
 * @throws the errors of `buildKaigo`
 */
export async function checkKaigo(options: {
  offices: string[];
  details: string[];
  registers?: string[];
  filings?: string[];
  fees: string | null;
  asOf: string;
  /** Time of the build, ISO 8601. */
  generatedAt: string;
}): Promise<void> {
  const fees = await readFees(options.fees, []);
  priceListOn(fees, options.asOf);
  await findOfficeLists(options.offices);
  await findTables(options.details);
  await checkMappings(options, { fees, today: dayInJapan(new Date(options.generatedAt)) });
}

/** The choice of office lists. */
interface OfficeOptions {
  /** Use older lists too. */
  mergeLists: boolean;
  /** Days of lists by path, for files whose names do not have them. */
  listDays: ReadonlyMap<string, string>;
  /** Day of the build, YYYY-MM-DD. */
  builtOn: string;
}

/**
 * Reads and cleans the office lists: of each service only the newest; or with `mergeLists` all of them, the newest
 * first, so that its rows have priority. Service and day of a list come from its name. A list whose name does not say the
 * service is read, and its rows say it.
 * @throws InputError for paths without office lists, and for a file that cannot be read
 * @throws InputError for two lists of a service of which neither is known to be newer
 * @throws InputError when no row could be read
 */
export async function readOffices(
  paths: string[],
  { mergeLists, listDays, builtOn }: OfficeOptions,
  findings: Findings,
  hashes: HashedInput[],
  progress: (line: string) => void,
): Promise<{ lists: OfficeList[]; rows: CleanRow[] }> {
  const { inputs, passedOver } = await findOfficeLists(paths);
  for (const { name, kind } of passedOver) {
    if (kind === 'table' || kind === 'zip') findings.note('file_name', { file: posix.basename(name), line: 0 });
  }
  const lists: OfficeList[] = [];
  const rows: CleanRow[] = [];
  // By service, the newest list so far. A later one of the same service is older, and is not read without `mergeLists`.
  const newest = new Map<string, NamedList>();
  const texts = new RowTexts();
  for await (const { list: named, name, bytes } of namedLists(inputs, builtOn, findings)) {
    const { label, path } = named;
    hashes.push({ label, sha256: hash('sha256', bytes) });
    if (!mergeLists && noteIfSuperseded(named, newest, findings)) continue;
    const list = readOfficeList(bytes, name, label, findings, (row) =>
      rows.push(texts.detach(cleanRow(row, findings))),
    );
    // For the answers only: a day that is not in the name does not order the lists.
    list.extractedOn ??= listDays.get(path) ?? null;
    const { serviceCode } = list;
    // Only the rows say the service of a list whose name does not.
    if (!mergeLists) noteServiceOfRows(named, serviceCode, newest);
    if (serviceCode !== null && lists.some((other) => other.serviceCode === serviceCode)) {
      findings.note('file_same_service', { file: label, line: 0 }, serviceCode);
    }
    lists.push(list);
    progress(`${label}: ${list.rowsRead} rows`);
  }
  if (rows.length === 0) throw noOffices(paths, findings);
  return { lists, rows };
}

/** The office lists of inputs, the newest first, with their bytes. Of a workbook the first sheet is the list. */
async function* namedLists(
  inputs: readonly Input[],
  builtOn: string,
  findings: Findings,
): AsyncGenerator<{ list: NamedList; name: string; bytes: Uint8Array }> {
  for (const { input, nameFacts } of newestFirst(inputs, builtOn)) {
    let sheets = 0;
    for await (const { name, label, bytes, sheet } of unpacked(input)) {
      if (sheet !== null) sheets++;
      // A file beside a workbook in a zip is a list of its own.
      if (sheet !== null && sheets > 1) {
        findings.note('sheet_other', { file: label, line: 0 });
        continue;
      }
      // The name of a file in a zip counts before the name of the zip.
      yield { list: { label, path: input.path, nameFacts: factsInName(name, builtOn) ?? nameFacts }, name, bytes };
    }
  }
}

/** The error about paths of whose lists no row could be read, with the first example of each reason. */
function noOffices(paths: readonly string[], findings: Findings): InputError {
  const reasons = Object.entries(findings.report())
    .filter(([kind]) => FATAL.includes(kind as FindingKind))
    .map(([, { meaning, examples }]) => `${examples[0]}: ${meaning}`);
  return new InputError(`no office could be read from ${paths.join(', ')}:\n  ${reasons.join('\n  ')}`);
}

/** A list, and the facts that its name states. */
interface NamedList {
  label: string;
  /** The file on disk that contains it. */
  path: string;
  nameFacts: OfficeListName | null;
  /** True: its service is that of its rows, and its name has another one or none. */
  isNamedByRows?: boolean;
}

/**
 * The facts in a list's name; null when it has none. Their stamp orders the lists. A date after the build cannot be right:
 * such a list gets the stamp `WRONG_DATE`, and counts as the oldest.
 */
function factsInName(name: string, builtOn: string): OfficeListName | null {
  const nameFacts = officeListName(name);
  return nameFacts?.extractedOn != null && nameFacts.extractedOn > builtOn
    ? { ...nameFacts, stamp: WRONG_DATE }
    : nameFacts;
}

/** In place of the stamp of a list with a date after the build. `newestFirst` sorts it after all others. */
const WRONG_DATE = '-';
/** Stamps have different lengths. For comparison they are filled up to this length with zeros. */
const STAMP_CHARS = 20;

/**
 * By service, the newest list first. Lists without a date come after those with one; those with a future date come
 * last.
 */
function newestFirst(inputs: readonly Input[], builtOn: string): { input: Input; nameFacts: OfficeListName | null }[] {
  // A text that sorts later stamps first: each digit d becomes 9 − d. No stamp becomes 99…, which comes after all dates;
  // `z` comes after that.
  const newestFirstKey = (stamp = ''): string =>
    stamp === WRONG_DATE ? 'z' : stamp.padEnd(STAMP_CHARS, '0').replace(/\d/g, (digit) => String(9 - Number(digit)));
  const sortKey = ({ input, nameFacts }: { input: Input; nameFacts: OfficeListName | null }) =>
    `${nameFacts?.serviceCode ?? ''} ${newestFirstKey(nameFacts?.stamp)} ${input.label}`;
  return inputs
    .map((input) => ({ input, nameFacts: factsInName(input.label, builtOn) }))
    .sort((a, b) => (sortKey(a) < sortKey(b) ? -1 : 1));
}

/**
 * Remembers a list in `newest` by the service that its rows name, when its file name states another service or none.
 * Then nothing tells whether it is newer than another list of that service, so a second one is an error.
 * @param serviceCode of its rows; null: not known
 * @throws InputError when there is a list of that service already
 */
function noteServiceOfRows(list: NamedList, serviceCode: string | null, newest: Map<string, NamedList>): void {
  if (serviceCode === null || serviceCode === list.nameFacts?.serviceCode) return;
  const earlierList = newest.get(serviceCode);
  if (earlierList !== undefined) throw sameServiceError(earlierList, list, serviceCode, 'the second by its rows');
  newest.set(serviceCode, { ...list, isNamedByRows: true });
}

/** The error about two lists of a service of which neither is known to be newer. */
function sameServiceError(first: NamedList, second: NamedList, serviceCode: string, why: string): InputError {
  const nameOf = ({ label, path }: NamedList): string => (first.label === second.label ? `${label} (${path})` : label);
  return new InputError(
    `${nameOf(first)} and ${nameOf(second)} are both lists of service ${serviceCode}, ${why}: leave one out, or take both with --merge-lists`,
  );
}

/**
 * Notes a finding and returns true when a list of the service in the file name was read before: the newest are read
 * first. Else the list becomes the newest of its service.
 * @param newest the list of each service that was read first
 * @throws InputError when neither of the two lists is known to be newer
 */
function noteIfSuperseded(list: NamedList, newest: Map<string, NamedList>, findings: Findings): boolean {
  const { label, nameFacts } = list;
  if (nameFacts === null) return false;
  const newerList = newest.get(nameFacts.serviceCode);
  if (newerList === undefined) {
    newest.set(nameFacts.serviceCode, list);
    return false;
  }
  // Rows do not tell the date of their list.
  if (newerList.isNamedByRows) throw sameServiceError(newerList, list, nameFacts.serviceCode, 'the first by its rows');
  if (newerList.nameFacts?.stamp === nameFacts.stamp) {
    throw sameServiceError(newerList, list, nameFacts.serviceCode, 'and their names do not say which is newer');
  }
  findings.note('file_superseded', { file: label, line: 0 }, `by ${newerList.label}`);
  return true;
}
