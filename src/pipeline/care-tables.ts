import { createHash } from 'node:crypto';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { csvOf, xlsxRows } from '../formats/xlsx.ts';
import { listZip, readZipEntry, type ZipEntry } from '../formats/zip.ts';
import { BUILT_IN_MAPPINGS, BUILT_IN_REGISTERS } from '../kaigo/facts/built-in.ts';
import type { FeeTable } from '../kaigo/fee-table.ts';
import type { Findings } from '../kaigo/findings.ts';
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
  /** The built-in mapping for a table; undefined when none fits. */
  builtIn(bytes: Uint8Array, label: string): Bound<Row> | undefined;
}

/** Makes the reader of one kind of table from functions that check, find and use its mappings. */
function readerOf<Mapping extends TableMapping, Row>(
  about: Pick<Reader<Row>, 'schema' | 'rows' | 'docs'>,
  check: (json: unknown, path: string) => Promise<Mapping>,
  builtIn: (bytes: Uint8Array, label: string) => Mapping | undefined,
  read: (bytes: Uint8Array, label: string, mapping: Mapping, findings: Findings) => MappedTable<Row>,
): Reader<Row> {
  const bound = (mapping: Mapping): Bound<Row> => ({
    mapping,
    read: (bytes, label, findings) => read(bytes, label, mapping, findings),
  });
  return {
    ...about,
    given: async (json, path) => bound(await check(json, path)),
    builtIn(bytes, label) {
      const mapping = builtIn(bytes, label);
      return mapping && bound(mapping);
    },
  };
}

/** The checks load hundreds of files, so they are loaded only when needed. */
const checks = () => import('../kaigo/lists/mapping-check.ts');

/** The readers of all kinds of tables. @param fees has the additions that filings can name */
function readersOf({ filed_additions: additions = [], treatment_rates }: FeeTable): { [F in Form]: Reader<Rows[F]> } {
  const known = new Set(additions.map(({ id }) => id));
  const rates = new Set(treatment_rates.flatMap(({ permille }) => Object.keys(permille)));
  const commonFilings = builtInFilings(additions, [...rates]);
  return {
    details: readerOf(
      { schema: 'hidamari-details/1', rows: 'details', docs: 'docs/details-mapping.md' },
      async (json, path) => (await checks()).checkDetailMapping(json, path),
      (bytes, label) => BUILT_IN_MAPPINGS.find((mapping) => fitsDetails(bytes, label, mapping)),
      readDetails,
    ),
    register: readerOf(
      { schema: 'hidamari-register/1', rows: 'homes', docs: 'docs/registers.md' },
      async (json, path) => (await checks()).checkRegisterMapping(json, path),
      (bytes, label) => BUILT_IN_REGISTERS.find((mapping) => fitsRegister(bytes, label, mapping)),
      readRegister,
    ),
    'filed additions': readerOf(
      { schema: 'hidamari-filings/1', rows: 'rows of filed additions', docs: 'docs/registers.md' },
      async (json, path) => (await checks()).checkFilingMapping(json, path, known),
      (bytes, label) => (fitsFilings(bytes, label, commonFilings) ? commonFilings : undefined),
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
    for await (const { label, bytes, mapping, read } of mapped(input, reader, hashes)) {
      hashes.push({ label, sha256: sha256(bytes) });
      const table = read(bytes, label, findings);
      tables.push(table);
      const by = mapping.isBuiltIn ? ` (no mapping beside it; built-in mapping: ${mapping.about})` : '';
      progress(`${label}: ${table.rows.length} ${reader.rows}${by}`);
    }
  }
  return tables;
}

/** The tables of an input, each with its mapping. */
async function* mapped<Row>(
  input: Input,
  { given, builtIn, docs }: Reader<Row>,
  hashes: InputHashes,
): AsyncGenerator<Bound<Row> & { label: string; bytes: Uint8Array }> {
  const beside = await mappingBeside(input.path, hashes);
  const own = beside === null ? null : await given(beside.json, beside.path);
  for await (const { label, bytes } of unpacked(input, own?.mapping.sheet)) {
    const bound = own ?? builtIn(bytes, label);
    if (bound === undefined) {
      const columns = probableColumns(bytes, label);
      throw new InputError(
        columns.length === 0
          ? `${label}: is empty: expected a line with the names of its columns`
          : `${label}: no mapping fits its columns (${columns.join(', ')}…): put one beside it as ` +
              `${basename(mappingPath(input.path))} (${docs})`,
      );
    }
    yield { label, bytes, ...bound };
  }
}

/** Checks the mappings of registers and filings before anything is computed. Throws as the reading of them. */
export async function checkMappings(
  { registers = [], filings = [] }: { registers?: string[]; filings?: string[] },
  fees: FeeTable,
): Promise<void> {
  const { register, 'filed additions': filed } = readersOf(fees);
  for (const input of await findTables(registers)) for await (const _ of mapped(input, register, []));
  for (const input of await findTables(filings)) for await (const _ of mapped(input, filed, []));
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
    for await (const { label, bytes } of unpacked(input)) return readers[form].builtIn(bytes, label) !== undefined;
    return false;
  };
  const form = (await isA('register')) ? 'register' : (await isA('filed additions')) ? 'filed additions' : 'details';
  const tables: CareTable[] = [];
  const docs = schema === undefined ? 'docs/details-mapping.md, docs/registers.md' : readers[form].docs;
  for await (const { label, bytes, read } of mapped<Rows[Form]>(input, { ...readers[form], docs }, [])) {
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

export const sha256 = (bytes: Uint8Array | string): string => createHash('sha256').update(bytes).digest('hex');
