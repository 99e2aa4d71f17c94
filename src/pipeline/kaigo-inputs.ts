import { createHash } from 'node:crypto';
import { posix } from 'node:path';
import { csvOf, xlsxRows } from '../formats/xlsx.ts';
import { listZip, readZipEntry, type ZipEntry } from '../formats/zip.ts';
import { BUILT_IN_FEES } from '../kaigo/facts/built-in.ts';
import type { FeeTable } from '../kaigo/fee-schema.ts';
import type { FindingKind, Findings } from '../kaigo/findings.ts';
import { type CleanRow, cleanRow, RowTexts } from '../kaigo/lists/clean-row.ts';
import { type DetailTable, readDetails } from '../kaigo/lists/details.ts';
import { type FilingTable, readFilings } from '../kaigo/lists/filings.ts';
import { type OfficeList, type OfficeListName, officeListName, readOfficeList } from '../kaigo/lists/office-list.ts';
import { type Register, readRegister } from '../kaigo/lists/registers.ts';
import { priceListOn } from '../kaigo/price-list.ts';
import { findInputs, type Input, InputError, LARGEST_HELD, readInput, readNamedFile } from './inputs.ts';

/** The inputs of a build: label and SHA-256 of each. */
export type InputHashes = { label: string; sha256: string }[];

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

/** No office list could be read. */
class NoOfficesError extends Error {
  override name = 'NoOfficesError';
}

/** The fee table of a file, or the built-in one. Throws `InputError` and `FeeTableError`. */
export async function readFees(path: string | null, hashes: InputHashes): Promise<FeeTable> {
  if (path === null) return BUILT_IN_FEES;
  const { json, bytes } = await readJson(path);
  hashes.push({ label: 'fees', sha256: sha256(bytes) });
  // The schema check has hundreds of files, so it is loaded only when needed.
  const { checkFeeTable } = await import('../kaigo/fee-table.ts');
  return checkFeeTable(json, path);
}

/** The office lists. Throws `InputError` for paths without any. */
const findOfficeLists = (paths: string[]): ReturnType<typeof findInputs> => findInputs(paths, ['office_list']);

/** The detail tables. Throws `InputError` for paths without any. */
const findDetailTables = async (paths: string[]): Promise<Input[]> =>
  paths.length === 0 ? [] : (await findInputs(paths, ['table'])).inputs;

/**
 * Finds errors of the care half before anything is read or computed: missing paths, an invalid fee table, a day without
 * a price list. Throws like `buildKaigo`.
 */
export async function checkKaigo(given: {
  offices: string[];
  details: string[];
  registers?: string[];
  filings?: string[];
  fees: string | null;
  asOf: string;
}): Promise<void> {
  const fees = await readFees(given.fees, []);
  priceListOn(fees, given.asOf);
  await findOfficeLists(given.offices);
  await findDetailTables(given.details);
  const { checkFilingMapping, checkRegisterMapping } = await import('../kaigo/lists/list-mapping.ts');
  for (const input of await findDetailTables(given.registers ?? [])) {
    await neededMapping(input.path, checkRegisterMapping, []);
  }
  const known = additionNames(fees);
  for (const input of await findDetailTables(given.filings ?? [])) {
    await neededMapping(input.path, (json, path) => checkFilingMapping(json, path, known), []);
  }
}

/** Two lists of one service, and it is not known which is newer. */
export class SameServiceError extends Error {
  override name = 'SameServiceError';
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
 * first, so that its rows have priority.
 * @throws InputError, SameServiceError, and NoOfficesError when no row could be read
 */
export async function readOffices(
  paths: string[],
  { mergeLists: merge, listDays, builtOn }: OfficeOptions,
  findings: Findings,
  hashes: InputHashes,
  progress: (line: string) => void,
): Promise<{ lists: OfficeList[]; rows: CleanRow[] }> {
  const { inputs, passedOver } = await findOfficeLists(paths);
  for (const { name, kind } of passedOver) {
    if (kind === 'table' || kind === 'zip') findings.note('file_name', { file: posix.basename(name), line: 0 });
  }
  const lists: OfficeList[] = [];
  const rows: CleanRow[] = [];
  const newest = new Map<string, Named>();
  const texts = new RowTexts();
  for (const { input, named } of newestFirst(inputs, builtOn)) {
    for await (const { name, label, bytes } of unpacked(input)) {
      const inside = { label, path: input.path, named: believedName(name, builtOn) ?? named };
      if (!merge && supersededBy(inside, newest, findings)) {
        hashes.push({ label, sha256: sha256(bytes) });
        continue;
      }
      hashes.push({ label, sha256: sha256(bytes) });
      const list = readOfficeList(bytes, name, label, findings, (row) =>
        rows.push(texts.detach(cleanRow(row, findings))),
      );
      list.extractedOn ??= listDays.get(input.path) ?? null;
      const { serviceCode } = list;
      if (!merge && serviceCode !== null && serviceCode !== inside.named?.serviceCode) {
        // The names decide which of two lists is newer, before they are read.
        const before = newest.get(serviceCode);
        if (before !== undefined) throw sameService(before, inside, serviceCode, 'the second by its rows');
        newest.set(serviceCode, { ...inside, isByRows: true });
      }
      if (serviceCode !== null && lists.some((other) => other.serviceCode === serviceCode)) {
        findings.note('file_same_service', { file: label, line: 0 }, serviceCode);
      }
      lists.push(list);
      progress(`${label}: ${list.rowsRead} rows`);
    }
  }
  if (rows.length === 0) {
    const why = Object.entries(findings.report())
      .filter(([kind]) => FATAL.includes(kind as FindingKind))
      .map(([, { meaning, examples }]) => `${examples[0]}: ${meaning}`);
    throw new NoOfficesError(`no office could be read from ${paths.join(', ')}:\n  ${why.join('\n  ')}`);
  }
  return { lists, rows };
}

/** A list and the facts in its name. */
interface Named {
  label: string;
  /** The file on disk that contains it. */
  path: string;
  named: OfficeListName | null;
  /** Its rows have another service than its name. */
  isByRows?: boolean;
}

/** The facts in a list's name. A date after the build cannot be right, so it makes the list the oldest. */
function believedName(name: string, builtOn: string): OfficeListName | null {
  const named = officeListName(name);
  return named?.extractedOn != null && named.extractedOn > builtOn ? { ...named, stamp: TO_COME } : named;
}

/** Sorted after the empty stamp of a list without a date. */
const TO_COME = '-';

/**
 * By service, the newest list first. Lists without a date come after those with one; those with a future date come
 * last.
 */
function newestFirst(inputs: readonly Input[], builtOn: string): { input: Input; named: OfficeListName | null }[] {
  const age = (stamp = ''): string =>
    stamp === TO_COME ? 'z' : stamp.padEnd(20, '0').replace(/\d/g, (digit) => String(9 - Number(digit)));
  const order = ({ input, named }: { input: Input; named: OfficeListName | null }) =>
    `${named?.serviceCode ?? ''} ${age(named?.stamp)} ${input.label}`;
  return inputs
    .map((input) => ({ input, named: believedName(input.label, builtOn) }))
    .sort((a, b) => (order(a) < order(b) ? -1 : 1));
}

function sameService(first: Named, second: Named, serviceCode: string, why: string): SameServiceError {
  const said = ({ label, path }: Named): string => (first.label === second.label ? `${label} (${path})` : label);
  return new SameServiceError(
    `${said(first)} and ${said(second)} are both lists of service ${serviceCode}, ${why}: leave one out, or take both with --merge-lists`,
  );
}

/** True when a newer list of its service was read before. Records the list. */
function supersededBy(list: Named, newest: Map<string, Named>, findings: Findings): boolean {
  const { label, named } = list;
  if (named === null) return false;
  const before = newest.get(named.serviceCode);
  if (before === undefined) {
    newest.set(named.serviceCode, list);
    return false;
  }
  if (before.isByRows) throw sameService(before, list, named.serviceCode, 'the first by its rows');
  if (before.named?.stamp === named.stamp) {
    throw sameService(before, list, named.serviceCode, 'and their names do not say which is newer');
  }
  findings.note('file_superseded', { file: label, line: 0 }, `by ${before.label}`);
  return true;
}

/** All detail tables. Throws `InputError`, `DetailMappingError` and `DetailTableError`. */
export async function readDetailTables(
  paths: string[],
  findings: Findings,
  hashes: InputHashes,
  progress: (line: string) => void,
): Promise<DetailTable[]> {
  const tables: DetailTable[] = [];
  const { checkDetailMapping } = await import('../kaigo/lists/detail-mapping.ts');
  const mappingOf = (path: string) => mappingBeside(path, checkDetailMapping, hashes);
  for await (const { label, bytes, mapping } of mappedTables(paths, mappingOf, hashes)) {
    const table = readDetails(bytes, label, mapping, findings);
    tables.push(table);
    progress(`${label}: ${table.rowsRead} details`);
  }
  return tables;
}

/** Every register. Throws `InputError`, `ListMappingError` and `MappedTableError`. */
export async function readRegisters(
  paths: string[],
  findings: Findings,
  hashes: InputHashes,
  progress: (line: string) => void,
): Promise<Register[]> {
  const registers: Register[] = [];
  const { checkRegisterMapping } = await import('../kaigo/lists/list-mapping.ts');
  const mappingOf = (path: string) => neededMapping(path, checkRegisterMapping, hashes);
  for await (const { label, bytes, mapping } of mappedTables(paths, mappingOf, hashes)) {
    const register = readRegister(bytes, label, mapping, findings);
    registers.push(register);
    progress(`${label}: ${register.homes.length} homes`);
  }
  return registers;
}

/** Every list of filed additions. Throws as `readRegisters`. */
export async function readFilingTables(
  paths: string[],
  fees: FeeTable,
  findings: Findings,
  hashes: InputHashes,
  progress: (line: string) => void,
): Promise<FilingTable[]> {
  const tables: FilingTable[] = [];
  const known = additionNames(fees);
  const { checkFilingMapping } = await import('../kaigo/lists/list-mapping.ts');
  const check = (json: unknown, path: string) => checkFilingMapping(json, path, known);
  const mappingOf = (path: string) => neededMapping(path, check, hashes);
  for await (const { label, bytes, mapping } of mappedTables(paths, mappingOf, hashes)) {
    const table = readFilings(bytes, label, mapping, findings);
    tables.push(table);
    progress(`${label}: ${table.filings.length} rows of filed additions`);
  }
  return tables;
}

/** Every table of some paths, with its mapping. */
async function* mappedTables<Mapping extends { sheet?: string } | null>(
  paths: string[],
  mappingOf: (path: string) => Promise<Mapping>,
  hashes: InputHashes,
): AsyncGenerator<{ label: string; bytes: Uint8Array; mapping: Mapping }> {
  for (const input of await findDetailTables(paths)) {
    const mapping = await mappingOf(input.path);
    for await (const { label, bytes } of unpacked(input, mapping?.sheet)) {
      hashes.push({ label, sha256: sha256(bytes) });
      yield { label, bytes, mapping };
    }
  }
}

const additionNames = ({ filed_additions = [] }: FeeTable): Set<string> => new Set(filed_additions.map(({ id }) => id));

/** `list.mapping.json` beside `list.csv` or `list.xlsx`. */
const mappingPath = (table: string): string => `${table.replace(/\.[^./\\]*$/, '')}.mapping.json`;

/** Makes a mapping of the JSON of a file. Throws when it does not hold. */
type CheckMapping<Mapping> = (json: unknown, path: string) => Mapping;

/** The mapping beside a table that must have one. */
async function neededMapping<Mapping>(
  table: string,
  check: CheckMapping<Mapping>,
  hashes: InputHashes,
): Promise<Mapping> {
  const mapping = await mappingBeside(table, check, hashes);
  if (mapping !== null) return mapping;
  throw new InputError(
    `${table}: no mapping ${mappingPath(table)} lies beside it: it says what the columns are (docs/registers.md)`,
  );
}

/** The mapping of a table in the file beside it; null without one. */
async function mappingBeside<Mapping>(
  table: string,
  check: CheckMapping<Mapping>,
  hashes: InputHashes,
): Promise<Mapping | null> {
  const path = mappingPath(table);
  try {
    const { json, bytes } = await readJson(path);
    hashes.push({ label: 'mapping', sha256: sha256(bytes) });
    return check(json, path);
  } catch (error) {
    if (error instanceof InputError && (error.cause as NodeJS.ErrnoException | undefined)?.code === 'ENOENT')
      return null;
    throw error;
  }
}

async function readJson(path: string): Promise<{ json: unknown; bytes: Buffer }> {
  const bytes = await readNamedFile(path);
  try {
    return { json: JSON.parse(bytes.toString().replace(/^\ufeff/, '')), bytes };
  } catch (error) {
    throw new InputError(`${path}: not JSON: ${(error as Error).message}`, { cause: error });
  }
}

/** A table in a file, which usually is the file itself. */
interface Unpacked {
  /** Contains the service code. */
  name: string;
  label: string;
  bytes: Uint8Array;
}

/**
 * The tables of an input, one after the other. Some downloads are a zip though their name ends in `.csv`; of a workbook (XLSX) it is one
 * sheet, as CSV.
 */
async function* unpacked(input: Input, sheet?: string): AsyncGenerator<Unpacked> {
  const { label } = input;
  const bytes = await readInput(input);
  const isZip = input.entry === null && bytes.toString('latin1', 0, 4) === 'PK\u0003\u0004';
  if (!isZip) {
    yield { name: label, label, bytes };
    return;
  }
  const all = await listZip(input.path);
  if (all.some(({ name }) => name === 'xl/workbook.xml')) {
    yield { name: label, label, bytes: csvOf(rowsOfWorkbook(input, all, sheet ?? null)) };
    return;
  }
  const entries = all.filter(({ name }) => /\.csv$/i.test(name));
  if (entries.length === 0) throw new InputError(`${input.name}: is a zip without a CSV file in it`);
  for (const entry of entries) {
    yield {
      name: officeListName(entry.name) === null ? label : entry.name,
      label: `${label}/${entry.name}`,
      bytes: await readInput({ ...input, name: `${input.name}/${entry.name}`, size: entry.uncompressedSize, entry }),
    };
  }
}

/** The rows of one sheet. Throws `InputError` for a workbook that cannot be read. */
function rowsOfWorkbook({ name, path }: Input, entries: readonly ZipEntry[], sheet: string | null): string[][] {
  const part = (wanted: string): string | null => {
    const entry = entries.find((one) => one.name === wanted);
    if (entry === undefined) return null;
    if (entry.uncompressedSize > LARGEST_HELD) throw new InputError(`${name}: ${wanted} is too large to be read`);
    return readZipEntry(path, entry).toString();
  };
  try {
    return xlsxRows(part, sheet);
  } catch (error) {
    if (error instanceof InputError) throw error;
    throw new InputError(`${name}: a workbook that ${(error as Error).message}`, { cause: error });
  }
}

const sha256 = (bytes: Uint8Array): string => createHash('sha256').update(bytes).digest('hex');
