import { createHash } from 'node:crypto';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { csvOf, xlsxRows } from '../formats/xlsx.ts';
import { listZip, readZipEntry, type ZipEntry } from '../formats/zip.ts';
import { BUILT_IN_FEES, BUILT_IN_REGISTERS } from '../kaigo/facts/built-in.ts';
import type { FeeTable } from '../kaigo/fee-schema.ts';
import type { Findings } from '../kaigo/findings.ts';
import type { DetailMapping } from '../kaigo/lists/detail-mapping.ts';
import { type DetailTable, readDetails } from '../kaigo/lists/details.ts';
import { builtInFilings, type FilingTable, fitsFilings, readFilings } from '../kaigo/lists/filings.ts';
import type { FilingMapping, RegisterMapping } from '../kaigo/lists/list-mapping.ts';
import { officeListName } from '../kaigo/lists/office-list.ts';
import { fitsRegister, type Register, readRegister } from '../kaigo/lists/registers.ts';
import { findInputs, type Input, InputError, LARGEST_HELD, readInput, readNamedFile } from './inputs.ts';

/**
 * Tables of care data with varying columns: details, registers of homes, lists of filed additions. A mapping beside a
 * table names its columns; without one, a built-in mapping that fits is used.
 */

/** The inputs of a build: label and SHA-256 of each. */
export type InputHashes = { label: string; sha256: string }[];

/** Shows one line about the work. */
type Progress = (line: string) => void;

/** The detail tables. Throws `InputError` for paths without any. */
export const findTables = async (paths: string[]): Promise<Input[]> =>
  paths.length === 0 ? [] : (await findInputs(paths, ['table'])).inputs;

/** How one kind of table is read. */
interface Reader<Mapping, Table> {
  /** Makes a mapping of the JSON of a file. Throws when it is not valid. */
  check(json: unknown, path: string): Mapping;
  /** The built-in mapping for a table; undefined when none fits. */
  builtIn(bytes: Uint8Array, label: string): Mapping | undefined;
  read(bytes: Uint8Array, label: string, mapping: Mapping, findings: Findings): Table;
  /** What was read, in words. */
  said(table: Table): string;
}

async function detailReader(): Promise<Reader<DetailMapping | null, DetailTable>> {
  const { checkDetailMapping } = await import('../kaigo/lists/detail-mapping.ts');
  return {
    check: checkDetailMapping,
    // `readDetails` looks for it.
    builtIn: () => null,
    read: readDetails,
    said: ({ rowsRead }) => `${rowsRead} details`,
  };
}

async function registerReader(): Promise<Reader<RegisterMapping, Register>> {
  const { checkRegisterMapping } = await import('../kaigo/lists/list-mapping.ts');
  return {
    check: checkRegisterMapping,
    builtIn: (bytes, label) => BUILT_IN_REGISTERS.find((mapping) => fitsRegister(bytes, label, mapping)),
    read: readRegister,
    said: ({ homes }) => `${homes.length} homes`,
  };
}

async function filingReader({
  filed_additions: additions = [],
  treatment_rates,
}: FeeTable): Promise<Reader<FilingMapping, FilingTable>> {
  const { checkFilingMapping } = await import('../kaigo/lists/list-mapping.ts');
  const known = new Set(additions.map(({ id }) => id));
  const rates = new Set(treatment_rates.flatMap(({ permille }) => Object.keys(permille)));
  const common = builtInFilings(additions, [...rates]);
  return {
    check: (json, path) => checkFilingMapping(json, path, known),
    builtIn: (bytes, label) => (fitsFilings(bytes, label, common) ? common : undefined),
    read: readFilings,
    said: ({ filings }) => `${filings.length} rows of filed additions`,
  };
}

/** Reads every detail table. Throws `InputError`, `MappingError` and `DetailTableError`. */
export const readDetailTables = async (
  paths: string[],
  findings: Findings,
  hashes: InputHashes,
  progress: Progress,
): Promise<DetailTable[]> =>
  paths.length === 0 ? [] : readTables(paths, await detailReader(), findings, hashes, progress);

/** Reads every register. Throws `InputError`, `MappingError` and `MappedTableError`. */
export const readRegisters = async (
  paths: string[],
  findings: Findings,
  hashes: InputHashes,
  progress: Progress,
): Promise<Register[]> =>
  paths.length === 0 ? [] : readTables(paths, await registerReader(), findings, hashes, progress);

/** Reads every list of filed additions. Throws as `readRegisters`. */
export const readFilingTables = async (
  paths: string[],
  fees: FeeTable,
  findings: Findings,
  hashes: InputHashes,
  progress: Progress,
): Promise<FilingTable[]> =>
  paths.length === 0 ? [] : readTables(paths, await filingReader(fees), findings, hashes, progress);

async function readTables<Mapping extends { sheet?: string; about?: string; isBuiltIn?: true } | null, Table>(
  paths: string[],
  reader: Reader<Mapping, Table>,
  findings: Findings,
  hashes: InputHashes,
  progress: Progress,
): Promise<Table[]> {
  const tables: Table[] = [];
  for (const input of await findTables(paths)) {
    for await (const { label, bytes, mapping } of mapped(input, reader, hashes)) {
      hashes.push({ label, sha256: sha256(bytes) });
      const table = reader.read(bytes, label, mapping, findings);
      tables.push(table);
      const by = mapping?.isBuiltIn ? ` (no mapping beside it; built-in mapping: ${mapping.about})` : '';
      progress(`${label}: ${reader.said(table)}${by}`);
    }
  }
  return tables;
}

/** The tables of an input, each with its mapping. */
async function* mapped<Mapping extends { sheet?: string } | null>(
  input: Input,
  { check, builtIn }: Pick<Reader<Mapping, unknown>, 'check' | 'builtIn'>,
  hashes: InputHashes,
): AsyncGenerator<{ label: string; bytes: Uint8Array; mapping: Mapping }> {
  const given = await mappingBeside(input.path, hashes);
  const own = given === null ? null : check(given.json, given.path);
  for await (const { label, bytes } of unpacked(input, own?.sheet)) {
    const mapping = own ?? builtIn(bytes, label);
    if (mapping === undefined) {
      throw new InputError(
        `${input.path}: no mapping ${mappingPath(input.path)} lies beside it, and its columns are not the common ones: ` +
          'a mapping says what the columns are (docs/registers.md)',
      );
    }
    yield { label, bytes, mapping };
  }
}

/** Checks the mappings of registers and filings before anything is computed. Throws as the reading of them. */
export async function checkMappings(
  { registers = [], filings = [] }: { registers?: string[]; filings?: string[] },
  fees: FeeTable,
): Promise<void> {
  const check = async <Mapping extends { sheet?: string } | null>(
    paths: string[],
    reader: Reader<Mapping, unknown>,
  ) => {
    for (const input of await findTables(paths)) for await (const _ of mapped(input, reader, []));
  };
  if (registers.length > 0) await check(registers, await registerReader());
  if (filings.length > 0) await check(filings, await filingReader(fees));
}

/** A table of any of the three kinds. */
type CareTable =
  | { form: 'details'; table: DetailTable }
  | { form: 'register'; table: Register }
  | { form: 'filed additions'; table: FilingTable };

/** Reads a table by the mapping beside it, else by the built-in mapping that fits. Throws as the reading of each kind. */
export async function readCareTable(input: Input, findings: Findings): Promise<CareTable[]> {
  const given = await mappingBeside(input.path, []);
  const schema = (given?.json as { schema?: unknown } | null | undefined)?.schema;
  const [details, registers, filings] = [
    await detailReader(),
    await registerReader(),
    await filingReader(BUILT_IN_FEES),
  ];
  const found: CareTable[] = [];
  const readWith = async <Mapping extends { sheet?: string } | null, Table>(
    reader: Reader<Mapping, Table>,
    keep: (table: Table) => void,
  ) => {
    for await (const { label, bytes, mapping } of mapped(input, reader, [])) {
      keep(reader.read(bytes, label, mapping, findings));
    }
  };
  const isA = async <Mapping>(name: string, { builtIn }: Reader<Mapping, unknown>): Promise<boolean> => {
    if (given !== null) return schema === name;
    for await (const { label, bytes } of unpacked(input)) return builtIn(bytes, label) !== undefined;
    return false;
  };
  if (await isA('hidamari-register/1', registers)) {
    await readWith(registers, (table) => found.push({ form: 'register', table }));
  } else if (await isA('hidamari-filings/1', filings)) {
    await readWith(filings, (table) => found.push({ form: 'filed additions', table }));
  } else await readWith(details, (table) => found.push({ form: 'details', table }));
  return found;
}

/** `list.mapping.json` beside `list.csv` or `list.xlsx`. */
const mappingPath = (table: string): string => `${table.replace(/\.[^./\\]*$/, '')}.mapping.json`;

/** The JSON of the mapping beside a table; null without one. */
async function mappingBeside(table: string, hashes: InputHashes): Promise<{ json: unknown; path: string } | null> {
  const path = mappingPath(table);
  try {
    const { json, bytes } = await readJson(path);
    hashes.push({ label: 'mapping', sha256: sha256(bytes) });
    return { json, path };
  } catch (error) {
    if (error instanceof InputError && (error.cause as NodeJS.ErrnoException | undefined)?.code === 'ENOENT')
      return null;
    throw error;
  }
}

/** The JSON of a file. Throws `InputError` when it is not JSON. */
export async function readJson(path: string): Promise<{ json: unknown; bytes: Buffer }> {
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

/** First bytes of a zip, and of workbooks before XLSX. */
const ZIP = 'PK\u0003\u0004';
const OLE = '\u00d0\u00cf\u0011\u00e0';

/**
 * The tables of an input, one after the other. A download may be a zip though its name ends in `.csv`. Of a workbook one sheet is read,
 * as CSV.
 */
export async function* unpacked(input: Input, sheet?: string): AsyncGenerator<Unpacked> {
  const { label } = input;
  const bytes = await readInput(input);
  const start = bytes.toString('latin1', 0, 4);
  if (start === OLE) {
    throw new InputError(
      `${input.name}: is an old workbook (.xls) or one with a password: save it as .xlsx without a password, or as CSV`,
    );
  }
  if (start !== ZIP) yield { name: label, label, bytes };
  else if (input.entry === null) yield* unpackedZip(input, sheet);
  else {
    // A workbook in a zip.
    const folder = await mkdtemp(join(tmpdir(), 'hidamari-table-'));
    try {
      const path = join(folder, 'table.zip');
      await writeFile(path, bytes);
      yield* unpackedZip({ ...input, path, entry: null }, sheet);
    } finally {
      await rm(folder, { recursive: true, force: true });
    }
  }
}

async function* unpackedZip(input: Input, sheet?: string): AsyncGenerator<Unpacked> {
  const { label } = input;
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

export const sha256 = (bytes: Uint8Array): string => createHash('sha256').update(bytes).digest('hex');
