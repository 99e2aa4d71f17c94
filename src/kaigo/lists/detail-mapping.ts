import Type, { type Static } from 'typebox';
import Value from 'typebox/value';
import tokuyo from '../facts/details-tokuyo.json' with { type: 'json' };

/**
 * A mapping says where the fields of a detail table stand. Detail tables of different origin name their columns
 * differently; docs/details-mapping.md explains the file.
 */

const strict = { additionalProperties: false };

/** Where one field comes from. */
const Source = Type.Object(
  {
    /** The column's name, or several of which the first that exists is taken. */
    column: Type.Optional(Type.Union([Type.String(), Type.Array(Type.String(), { minItems: 1 })])),
    /** The same value for every row, instead of a column. */
    value: Type.Optional(Type.String()),
    /** What an empty cell stands for. */
    default: Type.Optional(Type.String()),
    /** A regular expression whose first group is the value. */
    pattern: Type.Optional(Type.String()),
    /** Words of the table and what they mean; a word that is not listed cannot be read. */
    values: Type.Optional(Type.Record(Type.String(), Type.String())),
    /** Bounds of a number; beyond them it is not believed. */
    min: Type.Optional(Type.Number()),
    max: Type.Optional(Type.Number()),
  },
  strict,
);

/** What can be known of one service of one facility, and how each is read. */
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
  food_yen_per_day: 'whole',
  food_yen_per_month: 'whole',
  room_yen_per_day: 'whole',
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

/** The words that a field of words may hold. */
const DETAIL_WORDS = {
  capacity_estimated: ['yes', 'no'],
  room_kind: ['unit', 'conventional'],
  staff_basis: ['fte', 'head_count'],
} as const;

/** What a field holds. */
export type DetailValue<F extends DetailField> = F extends keyof typeof DETAIL_WORDS
  ? (typeof DETAIL_WORDS)[F][number]
  : (typeof DETAIL_FIELDS)[F] extends 'whole' | 'decimal'
    ? number
    : string;

/** The words that a field may hold, or undefined for one that holds something else. */
export function wordsOf(name: DetailField): readonly string[] | undefined {
  return name in DETAIL_WORDS ? DETAIL_WORDS[name as keyof typeof DETAIL_WORDS] : undefined;
}

const fieldNames = Object.keys(DETAIL_FIELDS) as DetailField[];

const MappingSchema = Type.Object(
  {
    schema: Type.Literal('hidamari-details/1'),
    about: Type.Optional(Type.String()),
    fields: Type.Object(
      {
        ...(Object.fromEntries(fieldNames.map((name) => [name, Type.Optional(Source)])) as Record<
          DetailField,
          ReturnType<typeof Type.Optional<typeof Source>>
        >),
        facility_id: Source,
        service_code: Source,
      },
      strict,
    ),
  },
  strict,
);

export type FieldSource = Static<typeof Source>;
export interface DetailMapping {
  schema: 'hidamari-details/1';
  about?: string;
  fields: Partial<Record<DetailField, FieldSource>>;
}

/** A mapping that does not hold together; the message lists what is wrong and where. */
class DetailMappingError extends Error {
  override name = 'DetailMappingError';
}

/** A mapping read from JSON. Throws `DetailMappingError` that names `file` and every fault. */
export function checkDetailMapping(json: unknown, file: string): DetailMapping {
  const faults = Value.Errors(MappingSchema, json).map(({ instancePath, message }) => `${instancePath}: ${message}`);
  if (faults.length === 0) faults.push(...inconsistencies(json as DetailMapping));
  if (faults.length > 0) {
    throw new DetailMappingError(`${file}: not a mapping of schema hidamari-details/1:\n  ${faults.join('\n  ')}`);
  }
  return json as DetailMapping;
}

function inconsistencies({ fields }: DetailMapping): string[] {
  const faults: string[] = [];
  for (const [name, source] of Object.entries(fields) as [DetailField, FieldSource][]) {
    if ((source.column === undefined) === (source.value === undefined)) {
      faults.push(`/fields/${name}: needs either a column or a value`);
    }
    try {
      if (source.pattern !== undefined) new RegExp(source.pattern, 'u');
    } catch (error) {
      faults.push(`/fields/${name}/pattern: ${(error as Error).message}`);
    }
    const words = wordsOf(name);
    const given = [source.value, source.default, ...Object.values(source.values ?? {})].filter(
      (word) => word !== undefined,
    );
    const strange = words === undefined ? undefined : given.find((word) => !words.includes(word));
    if (strange !== undefined) faults.push(`/fields/${name}: ${strange} is none of ${words?.join(', ')}`);
  }
  return faults;
}

/** The mappings that come with the program. */
export const BUILT_IN_MAPPINGS: readonly DetailMapping[] = [
  checkDetailMapping(tokuyo, 'src/kaigo/facts/details-tokuyo.json'),
];

/** The column of a source that a header has, or undefined. */
export function columnOf(source: FieldSource | undefined, header: readonly string[]): string | undefined {
  return [source?.column ?? []].flat().find((name) => header.includes(name));
}

/**
 * The mapping that fits a table's header best: it finds what names office and service, and the most of the rest.
 * Undefined when none fits.
 */
export function mappingFor(header: readonly string[], mappings: readonly DetailMapping[]): DetailMapping | undefined {
  const found = ({ fields }: DetailMapping) =>
    Object.values(fields).filter((source) => columnOf(source, header)).length;
  return mappings
    .filter(({ fields }) =>
      [fields.facility_id, fields.service_code].every(
        (source) => source?.value !== undefined || columnOf(source, header),
      ),
    )
    .sort((a, b) => found(b) - found(a))[0];
}
