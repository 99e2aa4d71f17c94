import type { AsPublished, FileLine, Findings } from '../findings.ts';
import { mostOf, mostPlaces } from '../plausible.ts';
import { FOOD_WITHOUT_STANDARD } from '../published-fees.ts';
import { tidy, withoutFootnote } from '../text.ts';
import { amountPerDay, DAYS_OF_MONTH, mealsOfDay, numberRange, perDay, sumsOfRooms, type Typed } from '../values.ts';
import {
  type FieldForm,
  type FieldSource,
  type MappedRow,
  type MappedTable,
  readField,
  type TableKind,
  type TableMapping,
} from './mapped-table.ts';

/** The fields of a register, and the form of each. */
export const REGISTER_FIELDS = {
  name: 'text',
  name_kana: 'text',
  kind: 'word',
  address: 'text',
  prefecture: 'text',
  municipality: 'text',
  facility_id: 'office',
  register_number: 'text',
  corporation: 'text',
  phone: 'text',
  url: 'address',
  lat: 'decimal',
  lon: 'decimal',
  capacity: 'whole',
  opened_on: 'day',
  closed_on: 'day',
  closed: 'word',
  rent_yen_per_month: 'whole',
  rent_most_yen_per_month: 'whole',
  management_yen_per_month: 'whole',
  management_most_yen_per_month: 'whole',
  service_yen_per_month: 'whole',
  service_most_yen_per_month: 'whole',
  food_yen_per_month: 'whole',
  food_most_yen_per_month: 'whole',
  deposit_yen: 'whole',
} as const satisfies Record<string, FieldForm>;

type RegisterField = keyof typeof REGISTER_FIELDS;

/** The fees of a month, each with the field of its highest sum. */
export const MONTHLY_FEES = [
  ['rent_yen_per_month', 'rent_most_yen_per_month'],
  ['management_yen_per_month', 'management_most_yen_per_month'],
  ['service_yen_per_month', 'service_most_yen_per_month'],
  ['food_yen_per_month', 'food_most_yen_per_month'],
] as const satisfies readonly (readonly [RegisterField, RegisterField])[];

const FEE_FIELDS = [...MONTHLY_FEES.flat(), 'deposit_yen'] as const;

/** The words that a field may hold. A home that no office list has is of one of these kinds. */
export const REGISTER_WORDS = {
  kind: ['serviced_housing', 'paid_home', 'paid_home_with_care'],
  closed: ['yes', 'no'],
} as const;
export type RegisterKind = (typeof REGISTER_WORDS.kind)[number];

/** The columns of the fields of a register. */
export interface RegisterMapping extends TableMapping {
  schema: 'hidamari-register/1';
  fields: Partial<Record<RegisterField, FieldSource>> & Record<'name' | 'address' | 'kind', FieldSource>;
}

/** The type of a field's value. */
type Value<F extends RegisterField> = F extends 'kind'
  ? RegisterKind
  : (typeof REGISTER_FIELDS)[F] extends 'whole' | 'decimal'
    ? number
    : string;

/** A row of a register; null where it says nothing. */
export type RegisterRow = FileLine & {
  /** The texts of fields that cannot be read. */
  as_published: AsPublished;
} & {
  [F in RegisterField]: Value<F> | null;
};

/** A home: a row with what every home has. */
export type RegisterHome = RegisterRow & { name: string; address: string; kind: RegisterKind };

export const REGISTER: TableKind<RegisterMapping, RegisterRow> = {
  schema: 'hidamari-register/1',
  docs: 'docs/registers.md',
  columnsOf: ({ fields }) => ({
    required: [fields.name, fields.address, fields.kind],
    sources: Object.entries(fields),
  }),
  fault: 'register_row',
  rowOf: homeOf,
};

/**
 * Another sheet of a workbook, with the fees of homes by their number in the register: the rooms of each home, or its
 * services. Its rows are not homes: {@link joinFeeSheets} adds them to the homes.
 */
export const REGISTER_FEE_SHEET: TableKind<RegisterMapping, RegisterRow> = {
  ...REGISTER,
  columnsOf: ({ fields }) => ({
    // Without a number no sheet is one.
    required: [fields.register_number ?? { column: [] }],
    anyOf: FEE_FIELDS.flatMap((name) => fields[name] ?? []),
    sources: Object.entries(fields).filter(
      ([name]) => name === 'register_number' || FEE_FIELDS.some((fee) => fee === name),
    ),
  }),
  rowOf: (row, mapping, findings) => {
    const part = fieldsOf(row, mapping, findings);
    if (part.register_number !== null) return { ...part, name: null, address: null, kind: null };
    findings.note('register_row', row, 'no register_number');
    return null;
  },
};

/** A workbook without the name of its sheet. */
const workbookOf = (file: string): string => file.replace(/ \([^()]*\)$/, '');

/** Adds each row of another sheet of a workbook to the home of its main sheet with the same number, and notes it. */
export function joinFeeSheets(
  tables: readonly MappedTable<RegisterRow>[],
  findings: Findings,
): MappedTable<RegisterHome>[] {
  const keyOf = ({ file, register_number: number }: RegisterRow): string => `${workbookOf(file)} ${number}`;
  const rows = tables.flatMap((table) => table.rows);
  const homes = new Map(rows.filter(isHome).map((home) => [keyOf(home), home]));
  for (const part of rows.filter((row) => !isHome(row))) {
    const home = homes.get(keyOf(part));
    if (home === undefined) findings.note('register_row', part, `no home has the number ${part.register_number}`);
    else {
      findings.note('register_part', part, home.name);
      addRow(home, part);
    }
  }
  return tables.map((table) => ({ ...table, rows: table.rows.filter(isHome) }));
}

/**
 * Adds what another row of the same register says about a home: values that the home lacks, and fees. A register may have
 * a row for each kind of room, so the monthly fees of all rows make ranges.
 */
export function addRow(home: RegisterHome, laterRow: RegisterRow): void {
  home.as_published = { ...laterRow.as_published, ...home.as_published };
  for (const [name, value] of Object.entries(laterRow)) {
    const member = name as Exclude<keyof RegisterHome, 'file' | 'line' | 'as_published'>;
    if (home[member] === null) Object.assign(home, { [member]: value });
  }
  for (const [least, most] of MONTHLY_FEES) {
    const sums = [home, laterRow].flatMap((row) => [row[least], row[most]]).filter((sum) => sum !== null);
    if (sums.length === 0) continue;
    home[least] = Math.min(...sums);
    home[most] = Math.max(...sums);
  }
}

const FIELDS = Object.keys(REGISTER_FIELDS) as RegisterField[];

/** The home of a row; null, and noted, for a row without a name, an address or a kind. */
function homeOf(row: MappedRow, mapping: RegisterMapping, findings: Findings): RegisterHome | null {
  const home = fieldsOf(row, mapping, findings);
  if (isHome(home)) return home;
  const missing = (['name', 'address', 'kind'] as const).filter((name) => home[name] === null);
  findings.note('register_row', row, `no ${missing.join(', no ')}`);
  return null;
}

/** The values of a row; null where they are empty or, noted, cannot be read. */
function fieldsOf(row: MappedRow, { fields }: RegisterMapping, findings: Findings): RegisterRow {
  const place = { file: row.file, line: row.line };
  const as_published: AsPublished = {};
  const fieldValue = (name: RegisterField): string | number | null => {
    const source = fields[name];
    if (source === undefined) return null;
    const text = row.cell(source);
    const range = name.endsWith('_yen_per_month') ? sumRange(name, source, text) : null;
    const result = range === null ? valueIn(name, source, text) : { value: range.low };
    if (result === 'unreadable') {
      findings.note('register_value', place, row.unreadable(name, REGISTER_FIELDS[name], source));
      as_published[name] = tidy(text);
    }
    if (typeof result === 'string') return null;
    // The rent is paid in advance: 0 yen a month would make such a home the cheapest.
    const isPrepaid = name === 'rent_yen_per_month' && result.value === 0;
    if (isPrepaid) findings.note('register_prepaid', place, tidy(text));
    return isPrepaid ? null : result.value;
  };
  const home = {
    ...Object.fromEntries(FIELDS.map((name) => [name, fieldValue(name)])),
    ...place,
    as_published,
  } as RegisterRow;
  // The lowest sum of a range is already in its field; here the highest comes into the other.
  for (const [least, most] of MONTHLY_FEES) {
    const range = fields[least] === undefined ? null : sumRange(least, fields[least], row.cell(fields[least]));
    if (range === null) continue;
    findings.note('register_range', place, `${least}: ${range.low} to ${range.high}`);
    home[most] ??= range.high;
  }
  // The management fee of a home is the sum of both fields (`feesOfHome`). If one of them cannot be read (要相談), the
  // other alone would look like the whole fee.
  if ('management_yen_per_month' in as_published || 'service_yen_per_month' in as_published) {
    home.management_yen_per_month = null;
    home.service_yen_per_month = null;
  }
  return home;
}

/**
 * The lowest and the highest yen per month of a cell such as 55,000円～70,000円, 1,500円～1,800円/日 or
 * 個室 5万円、2人部屋 8万円; null for another text, and for a sum that is too small.
 */
function sumRange(
  name: RegisterField,
  { times = 1 }: FieldSource,
  published: string,
): { low: number; high: number } | null {
  const text = withoutFootnote(tidy(published));
  const dayText = amountPerDay(text);
  // Sums of rooms may stand on lines of their own, which `tidy` joins.
  const range = sumsOfRooms(published) ?? numberRange(dayText ?? text);
  if (range === null) return null;
  // A sum for a day is written in yen, also where the column is in thousands (`times`).
  const factor = dayText === null ? times : DAYS_OF_MONTH;
  const [low, high] = [range.low, range.high].map((end) => Math.round(end * factor)) as [number, number];
  return isBelievedFee(name, low) && isBelievedFee(name, high) ? { low, high } : null;
}

/**
 * Smaller sums of a fee are ignored: they are in thousands of yen (a rent of 120), or a slip (120.000円). Some homes charge no
 * rent at all. Charges and services may cost some hundred yen.
 */
const leastYen = (name: RegisterField): number => (/^(management|service)/.test(name) ? 100 : 1000);

/** True for a sum that a fee of a home can be. The services of homes in registers have equal bounds. */
function isBelievedFee(name: RegisterField, yen: number): boolean {
  return (yen === 0 || yen >= leastYen(name)) && yen <= mostYen(name);
}

/** The largest plausible sum of a fee, yen. */
function mostYen(name: RegisterField): number {
  if (name.startsWith('food')) return FOOD_WITHOUT_STANDARD[1] * DAYS_OF_MONTH;
  if (name.startsWith('rent')) return mostOf('920', 'rent_yen_per_month');
  return mostOf('920', name === 'deposit_yen' ? name : 'management_yen_per_month');
}

/** A postal code before an address: 〒102-0073 東京都千代田区. */
const POSTAL_CODE = /^〒?\s*\d{3}[-‐‑‒–—―−－ー]?\d{4}(?!\d)\s*/;

/** The value of a field; unreadable when it cannot be that of a home. A sum for a day becomes one for a month. */
function valueIn(name: RegisterField, source: FieldSource, published: string): Typed<string | number> {
  const text = withoutFootnote(tidy(published));
  const isFee = name.endsWith('_yen_per_month');
  const feePerDay = isFee ? ((name.startsWith('food') ? mealsOfDay(text) : null) ?? perDay(text)) : null;
  if (feePerDay !== null) {
    const value = feePerDay * DAYS_OF_MONTH;
    return isBelievedFee(name, value) ? { value } : 'unreadable';
  }
  const words = name === 'kind' || name === 'closed' ? REGISTER_WORDS[name] : undefined;
  const result = readField(REGISTER_FIELDS[name], source, published, words);
  if (typeof result === 'string') return result;
  const { value } = result;
  // A value without letters, such as a postal code, is no address. In some lists the address is in the next column,
  // which has no name and is not read.
  if (name === 'address') {
    const address = String(value).replace(POSTAL_CODE, '');
    return /\p{L}/u.test(address) ? { value: address } : 'unreadable';
  }
  if (name === 'capacity' && (Number(value) <= 0 || Number(value) > mostPlaces('920'))) return 'unreadable';
  return name.includes('_yen') && !isBelievedFee(name, Number(value)) ? 'unreadable' : result;
}

/** True when the members that every home needs are known. */
const isHome = (row: RegisterRow): row is RegisterHome =>
  row.name !== null && row.address !== null && row.kind !== null;
