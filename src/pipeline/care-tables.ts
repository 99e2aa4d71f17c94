import { createHash } from 'node:crypto';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { csvOf, type Sheet, xlsxSheets } from '../formats/xlsx.ts';
import { listZip, readZipEntry, type ZipEntry } from '../formats/zip.ts';
import { BUILT_IN_MAPPINGS, BUILT_IN_REGISTERS } from '../kaigo/facts/built-in.ts';
import type { FeeTable } from '../kaigo/fee-table.ts';
import { Findings } from '../kaigo/findings.ts';
import { type Detail, fitsDetails, readDetails } from '../kaigo/lists/details.ts';
import { builtInFilings, type FiledRow, fitsFilings, readFilings } from '../kaigo/lists/filings.ts';
import { type MappedTable, probableColumns, type TableMapping } from '../kaigo/lists/mapped-table.ts';
import { officeListName } from '../kaigo/lists/office-list.ts';
import { fitsRegister, type RegisterHome, readRegister } from '../kaigo/lists/registers.ts';
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

/** The rows of each kind of table. */
interface Rows {
  details: Detail;
  register: RegisterHome;
  'filed additions': FiledRow;
}
type Form = keyof Rows;

/** Tables of all kinds, each by its mapping. */
type CareTable = { [F in Form]: MappedTable<Rows[F]> }[Form];

/** A mapping, and the reader of tables by it. */
interface Bound<Row> {
  mapping: TableMapping;
  /** Whether a table has the columns that the mapping needs. */
  fits(bytes: Uint8Array, label: string): boolean;
  read(bytes: Uint8Array, label: string, findings: Findings): MappedTable<Row>;
}

/** How one kind of table is read. */
interface Reader<Row> {
  /** The `schema` of its mappings. */
  schema: string;
  /** What its rows are, in words. */
  rows: string;
  /** The document that explains its mappings. */
  docs: string;
  /** A mapping of the JSON of a file. Throws `MappingError`. */
  given(json: unknown, path: string): Promise<Bound<Row>>;
  /** The built-in mappings, in order. */
  builtIn: readonly Bound<Row>[];
}

/** Makes the reader of one kind of table from functions that check, find and use its mappings. */
function readerOf<Mapping extends TableMapping, Row>(
  about: Pick<Reader<Row>, 'schema' | 'rows' | 'docs'>,
  check: (json: unknown, path: string) => Promise<Mapping>,
  builtIn: readonly Mapping[],
  fits: (bytes: Uint8Array, label: string, mapping: Mapping) => boolean,
  read: (bytes: Uint8Array, label: string, mapping: Mapping, findings: Findings) => MappedTable<Row>,
): Reader<Row> {
  const bound = (mapping: Mapping): Bound<Row> => ({
    mapping,
    fits: (bytes, label) => fits(bytes, label, mapping),
    read: (bytes, label, findings) => read(bytes, label, mapping, findings),
  });
  return {
    ...about,
    given: async (json, path) => bound(await check(json, path)),
    builtIn: builtIn.map(bound),
  };
}

/** The checks load hundreds of files, so they are loaded only when needed. */
const checks = () => import('../kaigo/lists/mapping-check.ts');

/** The readers of all kinds of tables. @param fees has the additions that filings can name */
function readersOf({ filed_additions: additions = [], treatment_rates }: FeeTable): { [F in Form]: Reader<Rows[F]> } {
  const known = new Set(additions.map(({ id }) => id));
  const rates = new Set(treatment_rates.flatMap(({ permille }) => Object.keys(permille)));
  return {
    details: readerOf(
      { schema: 'hidamari-details/1', rows: 'details', docs: 'docs/details-mapping.md' },
      async (json, path) => (await checks()).checkDetailMapping(json, path),
      BUILT_IN_MAPPINGS,
      fitsDetails,
      readDetails,
    ),
    register: readerOf(
      { schema: 'hidamari-register/1', rows: 'homes', docs: 'docs/registers.md' },
      async (json, path) => (await checks()).checkRegisterMapping(json, path),
      BUILT_IN_REGISTERS,
      fitsRegister,
      readRegister,
    ),
    'filed additions': readerOf(
      { schema: 'hidamari-filings/1', rows: 'rows of filed additions', docs: 'docs/registers.md' },
      async (json, path) => (await checks()).checkFilingMapping(json, path, known),
      [builtInFilings(additions, [...rates])],
      fitsFilings,
      readFilings,
    ),
  };
}

/**
 * Reads every table of one kind.
 * @throws InputError for paths without tables and for a table without a mapping; MappingError, MappedTableError
 */
export async function readTables<F extends Form>(
  form: F,
  paths: string[],
  fees: FeeTable,
  findings: Findings,
  hashes: InputHashes,
  progress: Progress,
): Promise<MappedTable<Rows[F]>[]> {
  const tables: MappedTable<Rows[F]>[] = [];
  const reader = readersOf(fees)[form];
  for (const input of await findTables(paths)) {
    for await (const { label, bytes, mapping, read } of mapped(input, reader, findings, hashes)) {
      hashes.push({ label, sha256: sha256(bytes) });
      const table = read(bytes, label, findings);
      tables.push(table);
      const by = mapping.isBuiltIn ? ` (no mapping beside it; built-in mapping: ${mapping.about})` : '';
      progress(`${label}: ${table.rows.length} ${reader.rows}${by}`);
    }
  }
  return tables;
}

/** The tables of an input, each with its mapping. Of a workbook with several sheets those count that a mapping fits. */
async function* mapped<Row>(
  input: Input,
  { given, builtIn, docs }: Reader<Row>,
  findings: Findings,
  hashes: InputHashes,
): AsyncGenerator<Bound<Row> & { label: string; bytes: Uint8Array }> {
  const beside = await mappingBeside(input.path, hashes);
  const own = beside === null ? null : await given(beside.json, beside.path);
  const others: Unpacked[] = [];
  let found = 0;
  for await (const table of unpacked(input, own?.mapping.sheet)) {
    const { label, bytes, sheet } = table;
    const isAlone = sheet === null;
    const bound = own !== null && isAlone ? own : (own ? [own] : builtIn).find(({ fits }) => fits(bytes, label));
    if (bound === undefined && isAlone) throw unmapped(table, input.path, docs);
    if (bound === undefined) others.push(table);
    else {
      found++;
      yield { label, bytes, ...bound };
    }
  }
  for (const table of others) {
    if (found === 0) throw unmapped(table, input.path, docs);
    findings.note('sheet_other', { file: table.label, line: 0 });
  }
}

/** The error about a table that no mapping fits. */
function unmapped({ label, bytes }: Unpacked, path: string, docs: string): InputError {
  const columns = probableColumns(bytes, label);
  return new InputError(
    columns.length === 0
      ? `${label}: is empty: expected a line with the names of its columns`
      : `${label}: no mapping fits its columns (${columns.join(', ')}…): put one beside it as ` +
          `${basename(mappingPath(path))} (${docs})`,
  );
}

/** Checks the mappings of registers and filings before anything is computed. Throws as the reading of them. */
export async function checkMappings(
  { registers = [], filings = [] }: { registers?: string[]; filings?: string[] },
  fees: FeeTable,
): Promise<void> {
  const { register, 'filed additions': filed } = readersOf(fees);
  for (const input of await findTables(registers)) for await (const _ of mapped(input, register, new Findings(), []));
  for (const input of await findTables(filings)) for await (const _ of mapped(input, filed, new Findings(), []));
}

/** Reads a table by the mapping beside it, else by the built-in mapping that fits. Throws as `readTables`. */
export async function readCareTable(
  input: Input,
  fees: FeeTable,
  findings: Findings,
): Promise<{ form: Form; tables: CareTable[] }> {
  const readers = readersOf(fees);
  const schema = ((await mappingBeside(input.path, []))?.json as { schema?: unknown } | null | undefined)?.schema;
  const isA = async (form: Form): Promise<boolean> => {
    if (schema !== undefined) return readers[form].schema === schema;
    for await (const { label, bytes } of unpacked(input)) {
      if (readers[form].builtIn.some(({ fits }) => fits(bytes, label))) return true;
    }
    return false;
  };
  const form = (await isA('register')) ? 'register' : (await isA('filed additions')) ? 'filed additions' : 'details';
  const tables: CareTable[] = [];
  const docs = schema === undefined ? 'docs/details-mapping.md, docs/registers.md' : readers[form].docs;
  for await (const { label, bytes, read } of mapped<Rows[Form]>(input, { ...readers[form], docs }, findings, [])) {
    tables.push(read(bytes, label, findings) as CareTable);
  }
  return { form, tables };
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
  /** The name of one of several sheets of a workbook. */
  sheet: string | null;
}

/** First bytes of a zip, and of workbooks before XLSX. */
const ZIP = 'PK\u0003\u0004';
const OLE = '\u00d0\u00cf\u0011\u00e0';

/**
 * The tables of an input, one after the other. A download may be a zip though its name ends in `.csv`. The sheets of a workbook
 * are tables, as CSV; empty ones are not.
 * @param sheet the only sheet that is wanted
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
  if (start !== ZIP) yield { name: label, label, bytes, sheet: null };
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
    const sheets = sheetsOfWorkbook(input, all, sheet ?? null);
    for (const { name, rows } of sheets) {
      const one = sheets.length === 1 ? { label, sheet: null } : { label: `${label} (${name})`, sheet: name };
      yield { name: label, bytes: csvOf(rows), ...one };
    }
    return;
  }
  const entries = all.filter(({ name }) => /\.csv$/i.test(name));
  if (entries.length === 0) throw new InputError(`${input.name}: is a zip without a CSV file in it`);
  for (const entry of entries) {
    yield {
      name: officeListName(entry.name) === null ? label : entry.name,
      label: `${label}/${entry.name}`,
      bytes: await readInput({ ...input, name: `${input.name}/${entry.name}`, size: entry.uncompressedSize, entry }),
      sheet: null,
    };
  }
}

/**
 * The sheets of a workbook that have rows, or the one named; the first if all are empty.
 * @throws InputError for a workbook that cannot be read
 */
function sheetsOfWorkbook({ name, path }: Input, entries: readonly ZipEntry[], sheet: string | null): Sheet[] {
  // Of all parts that were read. Several sheets may refer to one part.
  let bytes = 0;
  const part = (wanted: string): string | null => {
    const entry = entries.find((one) => one.name === wanted);
    if (entry === undefined) return null;
    bytes += entry.uncompressedSize;
    if (bytes > LARGEST_HELD) throw new InputError(`${name}: is too large to be read: ${wanted}, with all before it`);
    return readZipEntry(path, entry).toString();
  };
  try {
    const sheets = xlsxSheets(part, sheet);
    const filled = sheets.filter(({ rows }) => rows.some((row) => row.some((cell) => cell.trim() !== '')));
    return filled.length > 0 ? filled : sheets.slice(0, 1);
  } catch (error) {
    if (error instanceof InputError) throw error;
    throw new InputError(`${name}: a workbook that ${(error as Error).message}`, { cause: error });
  }
}

export const sha256 = (bytes: Uint8Array | string): string => createHash('sha256').update(bytes).digest('hex');
