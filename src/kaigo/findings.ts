/** The kinds of problems in the files of care data, and what is done about each. */
const FINDINGS = {
  file_name: 'not an office list by its name (`jigyosho_NNN.csv`, `jigyosho_NNN_all_*.csv`): not read',
  file_service: 'a service code that does not exist: not read',
  file_columns: 'columns missing without which no row can be read: not read',
  file_empty: 'no row in it',
  file_titles: 'a line above the names of the columns: skipped',
  sheet_other: 'another sheet of a workbook, or one without the columns of its table: not read',
  file_bytes: 'bytes that are neither UTF-8 nor Shift_JIS: shown as U+FFFD',
  file_shift_jis: 'encoded in Shift_JIS: read as such',
  file_utf16: 'encoded in UTF-16: read as such',
  file_separator: 'tabs or semicolons between the values in place of commas: read as such',
  file_without_bom: 'UTF-8 without a byte order mark',
  file_date: 'a list whose name has a day after the build, or a day that does not exist: the day is ignored',
  file_superseded: 'an older list of a service with a newer one: not read',
  file_same_service:
    'a second list of the same service (--merge-lists): used for offices that the first list does not have',
  file_other_service: 'a list in which every row names another service than its file name: the rows count',
  column_missing: 'a missing column: its values are unknown',
  column_extra: 'an unknown or repeated column: ignored',
  row_quoting: 'broken quoting: the row is left out',
  row_stray_quotes: 'quotes in wrong places, but a value for each column: read literally',
  row_columns: 'more or fewer values than columns: the row is left out',
  row_facility_id: 'an invalid office number: the row is left out',
  row_duplicate: 'a repeated office and service: the first row counts',
  row_blank: 'an empty line between rows',
  facility_id_padded: 'an office number without its leading zero: completed',
  facility_id_letter: 'an office number with a letter as third character',
  facility_id_column: '`No` and 事業所番号 differ: 事業所番号 counts',
  municipality_padded: 'a municipality code without its leading zero: completed',
  municipality_recovered: 'an invalid municipality code, or one of another place: taken from the names',
  municipality_unknown: 'a municipality that cannot be determined: the service is in no comparison table',
  service_text: 'an unofficial spelling of the service: the number in the file name counts',
  service_ended: 'offices of a service that has ended',
  name_missing: 'no name: the office number is used',
  text_control: 'control characters: dropped',
  days_unknown: 'opening days in unknown words: kept as published',
  text_width: 'full-width digits or spaces: made half-width',
  kana_missing: 'no reading',
  kana_other: 'a reading that is not in katakana',
  kana_swapped: 'name and reading exchanged: swapped back',
  address_missing: 'no address',
  address_prefix: 'an address without its prefecture or municipality: completed',
  address_repeated: 'an address that repeats its beginning: the repetition is removed',
  building_repeated: 'a building both in the address and in its own column: the repetition is removed',
  phone_text: 'an invalid telephone number: left out, kept as published',
  url_text: 'a web address without http(s): completed',
  url_none: 'an invalid web address (e-mail, words): left out, kept as published',
  position_missing: 'no position',
  position_zero: 'the position (0, 0): unknown',
  position_fallback: 'a geocoder’s answer for “don’t know” (Ireland, centre of Japan): unknown',
  position_swapped: 'latitude and longitude exchanged: suspect',
  position_abroad: 'a position outside the country: suspect',
  position_elsewhere: 'among offices of another municipality or prefecture, far from all of its own: suspect',
  position_census: 'in another municipality by the census, and more than 500 m from its own: suspect',
  position_far: 'more than 60 km from the middle of the municipality: suspect',
  capacity_missing: 'no capacity',
  capacity_zero: 'capacity 0: unknown',
  capacity_text: 'an invalid or impossible capacity: left out, kept as published',
  corporation_missing: 'no corporate number: its offices cannot be counted',
  corporation_number: 'a corporate number with a wrong check digit: left out, kept as published',
  corporation_names: 'a corporation with several spellings of its name',
  facility_several_services: 'offices with several services',
  facility_names: 'offices named differently by service',
  facility_addresses: 'offices with different addresses by service',
  facility_phones: 'offices with different telephone numbers by service: each service keeps its own',
  facility_faxes: 'offices with different fax numbers by service: each service keeps its own',
  facility_urls: 'offices with different web addresses by service: each service keeps its own',
  facility_corporations: 'offices with different corporate numbers by service',
  facility_municipalities: 'offices in different municipalities by service',
  facility_positions: 'offices whose services are more than 1 km apart: `near` finds each service at its own place',
  detail_row: 'a row of details that cannot be read: left out',
  detail_unknown: 'details of an office and service that no list has: left out',
  detail_duplicate: 'details of a repeated office and service: the first row counts',
  detail_value: 'an unreadable value, or one outside the bounds of the mapping: unknown, kept as published',
  detail_implausible: 'an impossible value of details, or one that contradicts another: unknown, kept as published',
  room_kind_name: 'a home whose kind of rooms is in its name but not in its details: the name counts',
  detail_beds_shared: 'more beds of a home than places, as with a short stay in the same house: kept',
  detail_staff_shared:
    'a home with the same head counts as another of its corporation on the same site: its ratio is that of both together',
  filing_row: 'a row of filed additions without an office, a service or a value that can be read: left out',
  filing_preventive:
    'filed additions of a preventive service: estimates for support levels have no additions: left out',
  filing_value: 'an unreadable value of filed additions: ignored',
  filing_unknown: 'filed additions of an office and service that no list has: left out',
  filing_joined: 'filed additions of an office and service that has a row already: put together',
  filing_not_in_force: 'filed additions that begin later or have ended on the day of the estimates: left out',
  filing_superseded: 'filed additions with a newer row in force: left out',
  filing_levels: 'levels of an addition of which a home charges one: the one with the fewest units counts',
  filing_addition: 'a filed addition that the fee table does not have for the service: not in the figure',
  filing_treatment: 'a filed treatment improvement rate that the fee table does not have: the typical one is used',
  register_row: 'a row of a register without a name, an address, a prefecture or a kind: left out',
  register_part: 'a row of another sheet of a register, with fees of a home: added to it',
  register_closed: 'a home that has closed, by the register: left out',
  register_value: 'an unreadable value of a register: unknown, kept as published',
  register_range: 'a fee of a register from a lowest to a highest sum: the bill has both, and the middle as typical',
  register_elsewhere: 'a home of a register with the number of an office in another municipality: not joined by it',
  register_prepaid:
    'a home of a register without a monthly rent: it is paid in advance, the bill of a month leaves it out',
  register_duplicate:
    'the same home once more: a row of the same register adds its rent and what was unknown, another register counts no more',
  register_with_care:
    'a home with care (介護付) of a register that no office list has: served as service 331; a list may have it by another name',
  register_ambiguous: 'a home of a register that fits several offices: left out',
  register_municipality: 'a home of a register whose municipality cannot be determined: it is in no comparison table',
  fee_food: 'an impossible published fee for food: the standard fee is used, kept as published',
  fee_room: 'an impossible published fee for a room: the standard fee is used, kept as published',
  fee_unsupported:
    'a published fee for a room below the standard one, which neither another field nor another home of the corporation confirms: the standard fee is used, kept as published',
  fee_former: 'a published fee that equals a former standard fee: the present standard fee is used, kept as published',
  detail_date_era: 'a year below 100, read as a year of Heisei (Shōwa above 31)',
  detail_date_unknown: 'a date of 0000-00-00: unknown',
  detail_date_to_come: 'a date of details after the day of the build: unknown, kept as published',
  detail_column: 'a column of the mapping that the table does not have',
} as const;

export type FindingKind = keyof typeof FINDINGS;

/** A line of a file, for messages; 0 stands for the whole file. */
export interface FileLine {
  file: string;
  line: number;
}

/** Published values that could not be used, by field. */
export type AsPublished = Record<string, string>;

/** Limit of the examples of each kind. The count is always complete. */
const MAX_EXAMPLES = 20;

/** Counts of the problems in files, by kind, with examples. */
export class Findings {
  readonly #entries = new Map<FindingKind, { count: number; examples: string[] }>();

  /** Counts one of a kind in a line of a file. */
  note(kind: FindingKind, { file, line }: FileLine, what = ''): void {
    const place = line === 0 ? file : `${file}:${line}`;
    this.#count(kind, () => (what === '' ? place : `${place}: ${what}`));
  }

  /** Counts one of a kind that belongs to an office or a corporation rather than to a row. */
  noteOf(kind: FindingKind, subject: string, what: string): void {
    this.#count(kind, () => `${subject}: ${what}`);
  }

  /** How many of a kind were noted. */
  count(kind: FindingKind): number {
    return this.#entries.get(kind)?.count ?? 0;
  }

  /** The noted kinds in the order of the table above: their counts, their meanings and their first examples. */
  report(): Record<string, { count: number; meaning: string; examples: string[] }> {
    return Object.fromEntries(
      (Object.keys(FINDINGS) as FindingKind[]).flatMap((kind) => {
        const entry = this.#entries.get(kind);
        return entry === undefined
          ? []
          : [[kind, { count: entry.count, meaning: FINDINGS[kind], examples: entry.examples }]];
      }),
    );
  }

  #count(kind: FindingKind, example: () => string): void {
    const entry = this.#entries.get(kind);
    if (entry === undefined) this.#entries.set(kind, { count: 1, examples: [example()] });
    else {
      entry.count++;
      if (entry.examples.length < MAX_EXAMPLES) entry.examples.push(example());
    }
  }
}
