import type { AsPublished, FileLine, Findings } from '../findings.ts';
import { serviceOf } from '../services.ts';
import { DAYS_OF_MONTH, day, perDay, type Typed } from '../values.ts';
import { type FieldSource, type MappedRow, readField, type TableKind, type TableMapping } from './mapped-table.ts';

/** The fields of detail tables, about one service of one facility, and the form of each. */
export const DETAIL_FIELDS = {
  facility_id: 'office',
  service_code: 'text',
  opened_on: 'day',
  capacity: 'whole',
  capacity_estimated: 'word',
  users: 'decimal',
  waiting: 'whole',
  waiting_on: 'day',
  vacancies: 'whole',
  vacancies_on: 'day',
  rooms_private: 'whole',
  rooms_shared: 'whole',
  rooms_shared_beds: 'whole',
  room_kind: 'word',
  staff_total: 'decimal',
  care_staff: 'decimal',
  nurses: 'decimal',
  staff_basis: 'word',
  staff_joined: 'decimal',
  staff_left: 'decimal',
  experienced_percent: 'decimal',
  experience_years: 'decimal',
  nurses_at_night: 'decimal',
  qualified_staff: 'decimal',
  qualified_percent: 'decimal',
  third_party_evaluation: 'word',
  evaluated_on: 'day',
  food_yen_per_day: 'whole',
  food_yen_per_month: 'whole',
  room_yen_per_day: 'whole',
  room_yen_per_month: 'whole',
  unit_room_yen_per_day: 'whole',
  private_room_yen_per_day: 'whole',
  shared_room_yen_per_day: 'whole',
  rent_yen_per_month: 'whole',
  management_yen_per_month: 'whole',
  deposit_yen: 'whole',
  care_level_1: 'whole',
  care_level_2: 'whole',
  care_level_3: 'whole',
  care_level_4: 'whole',
  care_level_5: 'whole',
  minimum_care_level: 'whole',
  medical_acceptance: 'text',
  inspected_on: 'day',
  ministry_url: 'address',
} as const;

export type DetailField = keyof typeof DETAIL_FIELDS;
export const DETAIL_NAMES = Object.keys(DETAIL_FIELDS) as DetailField[];

/** The words that a field of the form `word` may have. */
const DETAIL_WORDS = {
  capacity_estimated: ['yes', 'no'],
  third_party_evaluation: ['yes', 'no'],
  room_kind: ['unit', 'conventional'],
  staff_basis: ['fte', 'head_count'],
} as const;

/** The type of a field's value. */
export type DetailValue<F extends DetailField> = F extends keyof typeof DETAIL_WORDS
  ? (typeof DETAIL_WORDS)[F][number]
  : (typeof DETAIL_FIELDS)[F] extends 'whole' | 'decimal'
    ? number
    : string;

/** The words that a field may have; undefined for a field of another form. */
export function wordsOf(name: string): readonly string[] | undefined {
  return name in DETAIL_WORDS ? DETAIL_WORDS[name as keyof typeof DETAIL_WORDS] : undefined;
}

/** The columns of the fields of a detail table. */
export interface DetailMapping extends Omit<TableMapping, 'credit'> {
  schema: 'hidamari-details/1';
  fields: Partial<Record<DetailField, FieldSource>> & Record<'facility_id' | 'service_code', FieldSource>;
}

/** The details themselves, without those that name the service. */
export type DetailValues = { [F in Exclude<DetailField, 'facility_id' | 'service_code'>]: DetailValue<F> | null };

/** The details of one service of one facility, by field of the mapping; null when unknown. */
export type Detail = FileLine & { facility_id: string; service_code: string } & DetailValues & {
    /** Rejected values, by field. */
    as_published: AsPublished;
  };

export const DETAILS: TableKind<DetailMapping, Detail> = {
  schema: 'hidamari-details/1',
  docs: 'docs/details-mapping.md',
  columnsOf: ({ fields }) => ({
    required: [fields.facility_id, fields.service_code],
    sources: Object.entries(fields),
  }),
  fault: 'detail_row',
  rowOf: detailOf,
};

/** The details of a service about which no table says anything. */
export const NO_DETAIL = Object.fromEntries(DETAIL_NAMES.map((name) => [name, null])) as unknown as DetailValues;

/** The details of a row; null, and noted, for a row without an office or a service. */
function detailOf(row: MappedRow, { fields }: DetailMapping, findings: Findings): Detail | null {
  const place = { file: row.file, line: row.line };
  const as_published: AsPublished = {};
  const field = (name: DetailField): string | number | null => {
    const source = fields[name];
    if (source === undefined) return null;
    const text = row.cell(source);
    const result = fieldValue(name, source, text);
    if (result === 'unreadable') {
      findings.note('detail_value', place, row.unreadable(name, DETAIL_FIELDS[name], source));
      as_published[name] = text;
      return null;
    }
    if (name === 'opened_on') noteDay(result, text, place, findings);
    return result === 'blank' ? null : result.value;
  };
  const facility_id = field('facility_id') as string | null;
  const service_code = String(field('service_code') ?? '');
  if (facility_id === null || serviceOf(service_code) === undefined) {
    findings.note('detail_row', place, `office ${facility_id ?? 'none'}, service ${service_code || 'none'}`);
    return null;
  }
  // `fieldValue` gives each field a value of its form, as `Detail` has it. Office and service are read once more: both
  // can be read, so nothing is noted twice.
  const values = Object.fromEntries(DETAIL_NAMES.map((name) => [name, field(name)])) as unknown as Detail;
  return { ...values, ...place, facility_id, service_code, as_published };
}

/**
 * The value of a field. A sum that its cell states for a day (1,500円/日) is read as a sum for a day, and multiplied in a
 * field of a month. A field with a `pattern` is not read so: the pattern says which part of the cell counts.
 */
function fieldValue(name: DetailField, source: FieldSource, published: string): Typed<string | number> {
  const isPerMonth = name.endsWith('_yen_per_month');
  const mayBePerDay = (isPerMonth || name.endsWith('_yen_per_day')) && source.pattern === undefined;
  const sumOfDay = mayBePerDay ? perDay(published) : null;
  if (sumOfDay === null) return readField(DETAIL_FIELDS[name], source, published, wordsOf(name));
  return readField('whole', { ...source, times: isPerMonth ? DAYS_OF_MONTH : 1 }, String(sumOfDay));
}

/**
 * Notes a day that counts as blank although a text is published, and a day whose era (昭和, 平成, …) was assumed.
 * @param result of reading the field, which does not tell about the era
 */
function noteDay(result: Typed<unknown>, published: string, place: FileLine, findings: Findings): void {
  const date = day(published);
  if (result === 'blank' && published.trim() !== '') findings.note('detail_date_unknown', place, published);
  else if (typeof date === 'object' && date.value.assumedEra) findings.note('detail_date_era', place, published);
}
