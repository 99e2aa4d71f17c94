/** The fields of detail tables, about one service of one facility, and the form of each. */
export const DETAIL_FIELDS = {
  facility_id: 'text',
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
export function wordsOf(name: DetailField): readonly string[] | undefined {
  return name in DETAIL_WORDS ? DETAIL_WORDS[name as keyof typeof DETAIL_WORDS] : undefined;
}
