import Type from 'typebox';
import Value from 'typebox/value';
import { DETAIL_FIELDS, type DetailField, wordsOf } from './detail-fields.ts';
import type { FieldSource } from './mapped-table.ts';

export { DETAIL_FIELDS };

/**
 * A mapping says where the fields of a detail table stand. Detail tables of different origin name their columns
 * differently; docs/details-mapping.md explains the file.
 */

const strict = { additionalProperties: false };

/** Where one field comes from. */
export const Source = Type.Object(
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
