import { hash } from 'node:crypto';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { isMissing } from '../formats/files.ts';
import { csvOf, type Sheet, xlsxSheets } from '../formats/xlsx.ts';
import { readZipEntry, type ZipEntry } from '../formats/zip.ts';
import { BUILT_IN_MAPPINGS, BUILT_IN_REGISTERS } from '../kaigo/facts/built-in.ts';
import type { FeeTable } from '../kaigo/fee-table.ts';
import { Findings } from '../kaigo/findings.ts';
import { probableColumns, separatorOf } from '../kaigo/lists/csv.ts';
import { decodeTable } from '../kaigo/lists/decode.ts';
import { DETAILS, type Detail } from '../kaigo/lists/details.ts';
import { builtInFilings, FILED_ADDITIONS, type FiledRow } from '../kaigo/lists/filings.ts';
import {
  lackedColumns,
  type MappedTable,
  readMappedTable,
  type TableKind,
  type TableMapping,
} from '../kaigo/lists/mapped-table.ts';
import { officeListName } from '../kaigo/lists/office-list.ts';
import { REGISTER, REGISTER_FEE_SHEET, type RegisterRow } from '../kaigo/lists/registers.ts';
import type { HashedInput } from '../snapshot/manifest.ts';
import { findInputs, type Input, InputError, LARGEST_HELD, readInput, readNamedFile, zipEntries } from './inputs.ts';

/**
 * Tables of care data with varying columns: details, registers of homes, lists of filed additions. A mapping beside a
 * table names its columns; without one, a built-in mapping that fits is used.
 */

/** Shows one line about the work. */
type Progress = (line: string) => void;

/**
 * The files of tables in some paths; none without paths.
 * @throws InputError for paths without any table
 */
export const findTables = async (paths: string[]): Promise<Input[]> =>
  paths.length === 0 ? [] : (await findInputs(paths, ['table'])).inputs;

/** The rows of each kind of table. */
interface Rows {
  details: Detail;
  register: RegisterRow;
  'filed additions': FiledRow;
}
type Form = keyof Rows;

/** Tables of all kinds, each by its mapping. */
type CareTable = { [F in Form]: MappedTable<Rows[F]> }[Form];

/** A mapping, with the functions that check and read a table by it. */
interface BoundMapping<Row> {
  mapping: TableMapping;
  /** The message about a table without the columns that the mapping needs; null when it has them. */
  missingColumns(bytes: Uint8Array, label: string): string | null;
  /** Reads the rows of a table. What cannot be read is noted in `findings`. */
  read(bytes: Uint8Array, label: string, findings: Findings): MappedTable<Row>;
  /**
   * The same mapping, for sheets with fees alone: those of homes in another sheet of the workbook. Null: only registers have such
   * sheets.
   */
  feeSheet: BoundMapping<Row> | null;
}

/** How one kind of table is read. */
interface Reader<Row> extends Pick<TableKind<TableMapping, Row>, 'schema' | 'docs'> {
  /**
   * The mapping in the JSON of a file.
   * @throws MappedTableError when the JSON is not a mapping of this kind
   */
  mappingFrom(json: unknown, path: string): Promise<BoundMapping<Row>>;
  /** The built-in mappings, in order. */
  builtIn: readonly BoundMapping<Row>[];
}

/**
 * Makes the reader of one kind of table from its built-in mappings.
 * @param check reads a mapping of the operator's own
 * @param feeSheetKind how the sheets with only fees are read; null: there are none
 */
function readerOf<Mapping extends TableMapping, Row>(
  kind: TableKind<Mapping, Row>,
  builtIn: readonly Mapping[],
  check: (json: unknown, path: string) => Promise<Mapping>,
  feeSheetKind: TableKind<Mapping, Row> | null = null,
): Reader<Row> {
  const { schema, docs } = kind;
  const bound = (
    sheetKind: TableKind<Mapping, Row>,
    mapping: Mapping,
    feeSheet: BoundMapping<Row> | null,
  ): BoundMapping<Row> => ({
    mapping,
    missingColumns: (bytes, label) => lackedColumns(bytes, label, sheetKind.columnsOf(mapping)),
    read: (bytes, label, findings) => readMappedTable(sheetKind, bytes, label, mapping, findings),
    feeSheet,
  });
  // One mapping describes the sheets of homes and, where there are any, those with fees alone.
  const boundMapping = (mapping: Mapping): BoundMapping<Row> =>
    bound(kind, mapping, feeSheetKind === null ? null : bound(feeSheetKind, mapping, null));
  return {
    schema,
    docs,
    mappingFrom: async (json, path) => boundMapping(await check(json, path)),
    builtIn: builtIn.map(boundMapping),
  };
}

/** The checks of mappings load hundreds of files, so they are loaded only when needed. */
const importChecks = () => import('../kaigo/lists/mapping-check.ts');

/**
 * The readers of all kinds of tables. Those of filings depend on the fee table, because a filing names additions and
 * treatment rates by its IDs.
 * @param today YYYY-MM-DD, against which dates in mappings are checked
 */
function readersOf(
  { filed_additions: additions = [], treatment_rates }: FeeTable,
  today: string,
): { [F in Form]: Reader<Rows[F]> } {
  const additionIds = new Set(additions.map(({ id }) => id));
  const rates = new Set(treatment_rates.flatMap(({ permille }) => Object.keys(permille)));
  return {
    details: readerOf(DETAILS, BUILT_IN_MAPPINGS, async (json, path) =>
      (await importChecks()).checkDetailMapping(json, path),
    ),
    register: readerOf(
      REGISTER,
      BUILT_IN_REGISTERS,
      async (json, path) => (await importChecks()).checkRegisterMapping(json, path, today),
      REGISTER_FEE_SHEET,
    ),
    'filed additions': readerOf(FILED_ADDITIONS, [builtInFilings(additions, [...rates])], async (json, path) =>
      (await importChecks()).checkFilingMapping(json, path, additionIds, today),
    ),
  };
}

/**
 * Reads every table of one kind.
 * @throws InputError for paths without tables and for a table without a mapping
 * @throws MappedTableError for an invalid mapping beside a table
 * @throws MappedTableError for a table that its mapping cannot read
 */
export async function readTables<F extends Form>(
  form: F,
  paths: string[],
  { fees, today }: { fees: FeeTable; today: string },
  findings: Findings,
  hashes: HashedInput[],
  progress: Progress,
): Promise<MappedTable<Rows[F]>[]> {
  const tables: MappedTable<Rows[F]>[] = [];
  const reader = readersOf(fees, today)[form];
  for (const input of await findTables(paths)) {
    for await (const { label, bytes, mapping, read } of mappedTables(input, reader, findings, hashes)) {
      // `mappedTables` adds the hash of the mapping.
      hashes.push({ label, sha256: hash('sha256', bytes) });
      const table = read(bytes, label, findings);
      tables.push(table);
      const by = mapping.isBuiltIn ? ` (no mapping beside it; built-in mapping: ${mapping.about})` : '';
      const { length } = table.rows;
      progress(`${label}: ${length} ${length === 1 ? 'row' : 'rows'}${by}`);
    }
  }
  return tables;
}

/**
 * The tables of an input, each with its mapping: the one beside the file, or else the first built-in one that fits. A
 * sheet with fees has the part of the mapping for fees. In a workbook with several sheets, the sheets that no mapping
 * fits are reported.
 * @throws InputError when no mapping fits a file with one table, or any sheet with homes of a workbook
 */
async function* mappedTables<Row>(
  input: Input,
  { mappingFrom, builtIn, docs }: Reader<Row>,
  findings: Findings,
  hashes: HashedInput[],
): AsyncGenerator<BoundMapping<Row> & { label: string; bytes: Uint8Array }> {
  const beside = await mappingBeside(input.path, hashes);
  const ownMapping = beside === null ? null : await mappingFrom(beside.json, beside.path);
  const candidates = ownMapping === null ? builtIn : [ownMapping];
  const feeSheet = ownMapping?.feeSheet ?? null;
  const withoutMapping: Unpacked[] = [];
  let hasTable = false;
  for await (const table of unpacked(input, ownMapping?.mapping.sheet)) {
    const { label, bytes, sheet } = table;
    const isAlone = sheet === null;
    // The mapping beside a file with one table is not tried here: the error of reading the table says which cell is wrong.
    const mapping =
      isAlone && ownMapping !== null
        ? ownMapping
        : candidates.find(({ missingColumns }) => missingColumns(bytes, label) === null);
    if (mapping !== undefined) {
      hasTable = true;
      yield { label, bytes, ...mapping };
    } else if (feeSheet?.missingColumns(bytes, label) === null) yield { label, bytes, ...feeSheet };
    else if (isAlone) throw noMapping(table, input.path, docs);
    else withoutMapping.push(table);
  }
  const [unmapped] = withoutMapping;
  // Sheets with fees alone are no table: there are no homes to which the fees belong.
  if (unmapped !== undefined && !hasTable) {
    throw ownMapping === null ? noMapping(unmapped, input.path, docs) : unfitSheets(withoutMapping, ownMapping, input);
  }
  for (const { label } of withoutMapping) findings.note('sheet_other', { file: label, line: 0 });
}

/** The error about a table that no mapping fits. */
function noMapping({ label, bytes }: Unpacked, path: string, docs: string): InputError {
  const text = decodeTable(bytes, label, new Findings());
  const columns = probableColumns(text, separatorOf(text));
  return new InputError(
    columns.length === 0
      ? `${label}: is empty: expected a line with the names of its columns`
      : `${label}: no mapping fits its columns (${columns.join(', ')}…): put one beside it as ` +
          `${basename(mappingPath(path))} (${docs})`,
  );
}

/** The error about a workbook whose own mapping fits none of its sheets: what each of them lacks. */
function unfitSheets<Row>(sheets: readonly Unpacked[], mapping: BoundMapping<Row>, { name, path }: Input): InputError {
  const lacks = sheets.map(({ bytes, label }) => mapping.missingColumns(bytes, label));
  return new InputError(`${name}: ${basename(mappingPath(path))} fits none of its sheets:\n  ${lacks.join('\n  ')}`);
}

/**
 * Checks the mappings of registers and filings before anything is computed: finds the mapping of each table, and reads
 * no rows.
 * @throws the errors of `readTables`
 */
export async function checkMappings(
  { registers: registerPaths = [], filings: filingPaths = [] }: { registers?: string[]; filings?: string[] },
  { fees, today }: { fees: FeeTable; today: string },
): Promise<void> {
  const { register, 'filed additions': filings } = readersOf(fees, today);
  // Only the errors matter: a table without a mapping throws.
  for (const input of await findTables(registerPaths))
    for await (const _ of mappedTables(input, register, new Findings(), []));
  for (const input of await findTables(filingPaths))
    for await (const _ of mappedTables(input, filings, new Findings(), []));
}

/**
 * Reads the tables of an input of any kind, and says which kind it is: that of the mapping beside it, or else that of a
 * built-in mapping that fits.
 * @throws the errors of `readTables`
 */
export async function readCareTable(
  input: Input,
  { fees, today }: { fees: FeeTable; today: string },
  findings: Findings,
): Promise<{ form: Form; tables: CareTable[] }> {
  const readers = readersOf(fees, today);
  const beside = await mappingBeside(input.path, []);
  const schema = (beside?.json as { schema?: unknown } | null | undefined)?.schema;
  // By the schema of the mapping beside the table; without one, by the built-in mappings.
  const isOfForm = async (form: Form): Promise<boolean> => {
    if (schema !== undefined) return readers[form].schema === schema;
    for await (const { label, bytes } of unpacked(input)) {
      if (readers[form].builtIn.some(({ missingColumns }) => missingColumns(bytes, label) === null)) return true;
    }
    return false;
  };
  // Details are not tried: a table that is none of the others is read as details, so its errors name what details expect.
  let form: Form = 'details';
  if (await isOfForm('register')) form = 'register';
  else if (await isOfForm('filed additions')) form = 'filed additions';
  const tables: CareTable[] = [];
  // Without a mapping beside the table its form is a guess, so an error names the documents of all forms.
  const docs = schema === undefined ? 'docs/details-mapping.md, docs/registers.md' : readers[form].docs;
  for await (const { label, bytes, read } of mappedTables<Rows[Form]>(
    input,
    { ...readers[form], docs },
    findings,
    [],
  )) {
    tables.push(read(bytes, label, findings) as CareTable);
  }
  return { form, tables };
}

/** `list.mapping.json` beside `list.csv` or `list.xlsx`. */
const mappingPath = (table: string): string => `${table.replace(/\.[^./\\]*$/, '')}.mapping.json`;

/** The JSON of the mapping beside a table; null without one. */
async function mappingBeside(table: string, hashes: HashedInput[]): Promise<{ json: unknown; path: string } | null> {
  const path = mappingPath(table);
  try {
    const { json, bytes } = await readJson(path);
    hashes.push({ label: 'mapping', sha256: hash('sha256', bytes) });
    return { json, path };
  } catch (error) {
    if (error instanceof InputError && isMissing(error.cause)) return null;
    throw error;
  }
}

/**
 * The JSON of a file, and its bytes.
 * @throws InputError when the file cannot be read or is not JSON
 */
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
  /** The file name that may contain the service code and the day of an office list. */
  name: string;
  /** For messages: the input, with the file in its zip or the sheet. */
  label: string;
  bytes: Uint8Array;
  /** The name of one of several sheets of a workbook. */
  sheet: string | null;
}

/** First bytes of a zip, such as a workbook of XLSX; and of an older workbook (OLE). */
const ZIP = 'PK\u0003\u0004';
const OLE = '\u00d0\u00cf\u0011\u00e0';

/**
 * The tables of an input, one after the other. A download may be a zip though its name ends in `.csv`. Each sheet of a
 * workbook is a table, as CSV, unless it is empty.
 * @param sheet the only sheet that is wanted
 * @throws InputError for a damaged workbook, one of an old form or with a password, and for a zip without tables
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
  if (start !== ZIP && /\.xls[mx]?$/i.test(input.name)) {
    const found = bytes.toString('hex', 0, 4);
    throw new InputError(
      `${input.name}: is no workbook: it begins with the bytes ${found}, expected 504b0304: get it again; if it is CSV, rename it`,
    );
  }
  if (start !== ZIP) yield { name: label, label, bytes, sheet: null };
  else if (input.entry === null) yield* unpackedZip(input, sheet);
  else {
    // A workbook in a zip is written to a file, because a zip is read from a file.
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

/** The tables of a zip: the sheets of a workbook, or the CSV files in it. */
async function* unpackedZip(input: Input, sheet?: string): AsyncGenerator<Unpacked> {
  const { label } = input;
  const allEntries = await zipEntries(input.path);
  if (allEntries.some(({ name }) => name === 'xl/workbook.xml')) {
    const sheets = sheetsOfWorkbook(input, allEntries, sheet ?? null);
    for (const { name, rows } of sheets) {
      const table = { name: label, bytes: csvOf(rows) };
      if (sheets.length === 1) yield { ...table, label, sheet: null };
      else yield { ...table, label: `${label} (${name})`, sheet: name };
    }
    return;
  }
  const entries = allEntries.filter(({ name }) => /\.csv$/i.test(name));
  if (entries.length === 0) throw new InputError(`${input.name}: is a zip without a CSV file in it`);
  for (const entry of entries) {
    yield {
      // The names in a zip may tell the services; else the name of the zip may.
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
function sheetsOfWorkbook({ name, path: zipPath }: Input, entries: readonly ZipEntry[], sheet: string | null): Sheet[] {
  // The bytes of all parts read so far. Several sheets may refer to one part, which then counts each time.
  let bytes = 0;
  const readPart = (path: string): string | null => {
    const entry = entries.find(({ name: entryName }) => entryName === path);
    if (entry === undefined) return null;
    bytes += entry.uncompressedSize;
    if (bytes > LARGEST_HELD) throw new InputError(`${name}: is too large to be read: ${path}, with all before it`);
    return readZipEntry(zipPath, entry).toString();
  };
  try {
    const sheets = xlsxSheets(readPart, sheet);
    const filled = sheets.filter(({ rows }) => rows.some((row) => row.some((cell) => cell.trim() !== '')));
    return filled.length > 0 ? filled : sheets.slice(0, 1);
  } catch (error) {
    if (error instanceof InputError) throw error;
    throw new InputError(`${name}: a workbook that ${(error as Error).message}`, { cause: error });
  }
}
