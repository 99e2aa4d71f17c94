import type { FieldForm } from './mapped-table.ts';

/** The fields of a register, and the form of each. */
export const REGISTER_FIELDS = {
  name: 'text',
  name_kana: 'text',
  kind: 'word',
  address: 'text',
  prefecture: 'text',
  municipality: 'text',
  facility_id: 'text',
  register_number: 'text',
  corporation: 'text',
  phone: 'text',
  url: 'address',
  lat: 'decimal',
  lon: 'decimal',
  capacity: 'whole',
  opened_on: 'day',
  rent_yen_per_month: 'whole',
  rent_most_yen_per_month: 'whole',
  management_yen_per_month: 'whole',
  service_yen_per_month: 'whole',
  food_yen_per_month: 'whole',
  deposit_yen: 'whole',
} as const satisfies Record<string, FieldForm>;

export type RegisterField = keyof typeof REGISTER_FIELDS;

/** The words that a field may hold: a home that no office list has is of one of these kinds. */
export const REGISTER_WORDS = { kind: ['serviced_housing', 'paid_home'] } as const;
export type RegisterKind = (typeof REGISTER_WORDS.kind)[number];
