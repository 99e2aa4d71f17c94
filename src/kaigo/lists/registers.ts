import type { Findings, Place } from '../findings.ts';
import { tidy } from '../text.ts';
import type { RegisterMapping } from './list-mapping.ts';
import { type MappedRow, mappedRows, readField } from './mapped-table.ts';
import { REGISTER_FIELDS, REGISTER_WORDS, type RegisterField, type RegisterKind } from './register-fields.ts';

type Value<F extends RegisterField> = F extends 'kind'
  ? RegisterKind
  : (typeof REGISTER_FIELDS)[F] extends 'whole' | 'decimal'
    ? number
    : string;

/** A home as a register has it; null where it does not say. */
export type RegisterHome = Place & { name: string; address: string; kind: RegisterKind } & {
  [F in Exclude<RegisterField, 'name' | 'address' | 'kind'>]: Value<F> | null;
};

/** What one register came to. Every row read is kept, or counted in the findings. */
export interface Register {
  file: string;
  rowsRead: number;
  homes: RegisterHome[];
}

/** Reads a register. Rows without a name, an address or a kind are noted and left out. Throws `MappedTableError`. */
export function readRegister(
  bytes: Uint8Array,
  file: string,
  { fields }: RegisterMapping,
  findings: Findings,
): Register {
  const register: Register = { file, rowsRead: 0, homes: [] };
  const before = findings.count('register_row');
  const required = [fields.name, fields.address, fields.kind];
  const rows = mappedRows(bytes, file, { required, columns: Object.values(fields), fault: 'register_row' }, findings);
  for (const row of rows) {
    const home = homeOf(row, fields, findings);
    if (home !== null) register.homes.push(home);
  }
  register.rowsRead = register.homes.length + findings.count('register_row') - before;
  return register;
}

function homeOf(row: MappedRow, fields: RegisterMapping['fields'], findings: Findings): RegisterHome | null {
  const place = { file: row.file, line: row.line };
  const read = (name: RegisterField): string | number | null => {
    const source = fields[name];
    if (source === undefined) return null;
    const published = row.cell(source);
    const words = name === 'kind' ? REGISTER_WORDS.kind : undefined;
    const typed = readField(REGISTER_FIELDS[name], source, published, words);
    if (typed === 'unreadable') findings.note('register_value', place, `${name}: ${tidy(published)}`);
    return typeof typed === 'string' ? null : typed.value;
  };
  const names = Object.keys(REGISTER_FIELDS) as RegisterField[];
  const home = { ...Object.fromEntries(names.map((name) => [name, read(name)])), ...place };
  if (isWhole(home)) return home;
  findings.note('register_row', place, 'no name, no address or no kind');
  return null;
}

const isWhole = (home: object): home is RegisterHome =>
  (['name', 'address', 'kind'] as const).every((name) => (home as Record<string, unknown>)[name] !== null);
