import { createHash } from 'node:crypto';
import { listZip } from '../formats/zip.ts';
import type { FeeTable } from '../kaigo/fee-figures.ts';
import { BUILT_IN_FEES, checkFeeTable } from '../kaigo/fee-table.ts';
import type { FindingKind, Findings } from '../kaigo/findings.ts';
import { type CleanRow, cleanRow } from '../kaigo/lists/clean-row.ts';
import { checkDetailMapping, type DetailMapping } from '../kaigo/lists/detail-mapping.ts';
import { type DetailTable, readDetails } from '../kaigo/lists/details.ts';
import { type OfficeList, officeListName, readOfficeList } from '../kaigo/lists/office-list.ts';
import { findInputs, type Input, InputError, readInput, readNamedFile } from './inputs.ts';

/** What a build was made from: label and SHA-256 of each input. */
export type InputHashes = { label: string; sha256: string }[];

/** What can keep a whole list from being read. */
const FATAL: readonly FindingKind[] = [
  'file_name',
  'file_service',
  'file_columns',
  'file_empty',
  'row_quoting',
  'row_columns',
  'row_facility_id',
];

/** Office lists of which none could be read. */
export class NoOfficesError extends Error {
  override name = 'NoOfficesError';
}

/** The fee table of a file, or the one that comes with the program. Throws `InputError` and `FeeTableError`. */
export async function readFees(path: string | null, hashes: InputHashes): Promise<FeeTable> {
  if (path === null) return BUILT_IN_FEES;
  const { json, bytes } = await readJson(path);
  hashes.push({ label: 'fees', sha256: sha256(bytes) });
  return checkFeeTable(json, path);
}

/**
 * Every office list, cleaned; of two lists of one service the younger comes first, so that its rows count. Throws
 * `InputError`, and `NoOfficesError` when no row at all could be read.
 */
export async function readOffices(
  paths: string[],
  findings: Findings,
  hashes: InputHashes,
  progress: (line: string) => void,
): Promise<{ lists: OfficeList[]; rows: CleanRow[] }> {
  const { inputs, passedOver } = await findInputs(paths, ['office_list']);
  for (const { name, kind } of passedOver) {
    if (kind === 'table' || kind === 'zip') findings.note('file_name', { file: name.split('/').at(-1)!, line: 0 });
  }
  const order = (label: string) => {
    const named = officeListName(label);
    return `${named?.serviceCode ?? ''} ${99999999 - Number(named?.extractedOn?.replaceAll('-', '') ?? 0)} ${label}`;
  };
  inputs.sort((a, b) => (order(a.label) < order(b.label) ? -1 : 1));
  const lists: OfficeList[] = [];
  const rows: CleanRow[] = [];
  for (const input of inputs) {
    for await (const { name, label, bytes } of unpacked(input)) {
      hashes.push({ label, sha256: sha256(bytes) });
      const list = readOfficeList(bytes, name, label, findings, (row) => rows.push(cleanRow(row, findings)));
      if (lists.some(({ serviceCode }) => serviceCode !== null && serviceCode === list.serviceCode)) {
        findings.note('file_same_service', { file: label, line: 0 }, list.serviceCode!);
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

/** Every detail table. Throws `InputError`, `DetailMappingError` and `DetailTableError`. */
export async function readDetailTables(
  paths: string[],
  findings: Findings,
  hashes: InputHashes,
  progress: (line: string) => void,
): Promise<DetailTable[]> {
  if (paths.length === 0) return [];
  const tables: DetailTable[] = [];
  for (const input of (await findInputs(paths, ['table'])).inputs) {
    const mapping = await mappingBeside(input.path, hashes);
    for await (const { label, bytes } of unpacked(input)) {
      hashes.push({ label, sha256: sha256(bytes) });
      const table = readDetails(bytes, label, mapping, findings);
      tables.push(table);
      progress(`${label}: ${table.rowsRead} details`);
    }
  }
  return tables;
}

/** `details.mapping.json` beside `details.csv` says what its columns are. */
async function mappingBeside(table: string, hashes: InputHashes): Promise<DetailMapping | null> {
  const path = `${table.replace(/\.[^./\\]*$/, '')}.mapping.json`;
  try {
    const { json, bytes } = await readJson(path);
    hashes.push({ label: 'mapping', sha256: sha256(bytes) });
    return checkDetailMapping(json, path);
  } catch (error) {
    if (error instanceof InputError && (error.cause as NodeJS.ErrnoException)?.code === 'ENOENT') return null;
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

/** A table inside a file: usually the file itself. */
interface Unpacked {
  /** Carries the service code. */
  name: string;
  label: string;
  bytes: Uint8Array;
}

/** The tables of an input, one after the other. Some downloads are a zip though their name ends in `.csv`. */
async function* unpacked(input: Input): AsyncGenerator<Unpacked> {
  const { label } = input;
  const bytes = await readInput(input);
  const isZip = input.entry === null && bytes.toString('latin1', 0, 4) === 'PK\u0003\u0004';
  if (!isZip) {
    yield { name: label, label, bytes };
    return;
  }
  const entries = (await listZip(input.path)).filter(({ name }) => /\.csv$/i.test(name));
  if (entries.length === 0) throw new InputError(`${input.name}: is a zip without a CSV file in it`);
  for (const entry of entries) {
    yield {
      name: officeListName(entry.name) === null ? label : entry.name,
      label: `${label}/${entry.name}`,
      bytes: await readInput({ ...input, name: `${input.name}/${entry.name}`, size: entry.uncompressedSize, entry }),
    };
  }
}

const sha256 = (bytes: Uint8Array): string => createHash('sha256').update(bytes).digest('hex');
