import Type from 'typebox';
import Value from 'typebox/value';
import { DETAIL_FIELDS, type DetailField, wordsOf } from './detail-fields.ts';
import { type FieldSource, MappingError } from './mapped-table.ts';

export { DETAIL_FIELDS };

/**
 * A mapping names the columns of the fields of a detail table. Tables of different origin have different column names;
 * docs/details-mapping.md explains the file.
 */

const strict = { additionalProperties: false };

/** The source of one field. */
export const Source = Type.Object(
  {
    /** The column's name, or several names, of which the first existing one is used. */
    column: Type.Optional(Type.Union([Type.String(), Type.Array(Type.String(), { minItems: 1 })])),
    /** The same value for every row, instead of a column. */
    value: Type.Optional(Type.String()),
    /** The meaning of an empty cell. */
    default: Type.Optional(Type.String()),
    /** A regular expression whose first group is the value. */
    pattern: Type.Optional(Type.String()),
    /** Words of the table and their meanings. Other words cannot be read; in a field of numbers, numbers can. */
    values: Type.Optional(Type.Record(Type.String(), Type.String())),
    /** A factor of a number: 1000 for a column in thousands of yen. */
    times: Type.Optional(Type.Number({ exclusiveMinimum: 0 })),
    /** Bounds of a number. Values outside are rejected. */
    min: Type.Optional(Type.Number()),
    max: Type.Optional(Type.Number()),
  },
  strict,
);

const fieldNames = Object.keys(DETAIL_FIELDS) as DetailField[];

const MappingSchema = Type.Object(
  {
    schema: Type.Literal('hidamari-details/1'),
    about: Type.Optional(Type.String()),
    /** Name of the sheet of a workbook; the first without it. */
    sheet: Type.Optional(Type.String()),
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

export interface DetailMapping {
  schema: 'hidamari-details/1';
  about?: string;
  sheet?: string;
  fields: Partial<Record<DetailField, FieldSource>>;
}

/** A mapping read from JSON. Throws `MappingError` that names `file` and every fault. */
export function checkDetailMapping(json: unknown, file: string): DetailMapping {
  const faults = Value.Errors(MappingSchema, json).map(({ instancePath, message }) => `${instancePath}: ${message}`);
  if (faults.length === 0) faults.push(...inconsistencies(json as DetailMapping));
  if (faults.length > 0) {
    throw new MappingError(`${file}: not a mapping of schema hidamari-details/1:\n  ${faults.join('\n  ')}`);
  }
  return json as DetailMapping;
}

const inconsistencies = ({ fields }: DetailMapping): string[] =>
  (Object.entries(fields) as [DetailField, FieldSource][]).flatMap(([name, source]) =>
    sourceFaults(`/fields/${name}`, source, wordsOf(name)),
  );

/**
 * The faults in the source of a field.
 * @param path of the source in the mapping
 * @param words that the field may have; absent: any
 */
export function sourceFaults(path: string, source: FieldSource, words?: readonly string[]): string[] {
  const faults: string[] = [];
  if ((source.column === undefined) === (source.value === undefined)) {
    faults.push(`${path}: needs either a column or a value`);
  }
  try {
    if (source.pattern !== undefined) new RegExp(source.pattern, 'u');
  } catch (error) {
    faults.push(`${path}/pattern: ${(error as Error).message}`);
  }
  const strange = wordsIn(source).find((word) => !(words?.includes(word) ?? true));
  if (strange !== undefined) faults.push(`${path}: ${strange} is none of ${words?.join(', ')}`);
  return faults;
}

/** The words that a source itself gives a field: its value, its default and the meanings of words. */
export const wordsIn = ({ value, default: other, values = {} }: FieldSource): string[] =>
  [value, other, ...Object.values(values)].filter((word) => word !== undefined);
