import Type, { type TProperties, type TSchema } from 'typebox';
import Value from 'typebox/value';
import { Source, sourceFaults, wordsIn } from './detail-mapping.ts';
import { type FieldSource, MappingError } from './mapped-table.ts';
import { REGISTER_FIELDS, REGISTER_WORDS, type RegisterField } from './register-fields.ts';

export { REGISTER_FIELDS };

/**
 * Mappings of registers and of lists of filed additions: they name the columns of the fields. docs/registers.md
 * explains both files.
 */

const strict = { additionalProperties: false };
const optional = (names: readonly string[]): TProperties =>
  Object.fromEntries(names.map((name) => [name, Type.Optional(Source)]));
const Credit = Type.Object(
  {
    name: Type.String({ minLength: 1 }),
    url: Type.String({ pattern: '^https?://\\S+$' }),
    attribution: Type.String({ minLength: 1 }),
    date: Type.Optional(Type.String({ pattern: '^\\d{4}-\\d{2}-\\d{2}$' })),
  },
  strict,
);
/** `sheet`: name of the sheet of a workbook; the first without it. */
const about = {
  about: Type.Optional(Type.String()),
  sheet: Type.Optional(Type.String()),
  credit: Type.Optional(Credit),
};

const RegisterSchema = Type.Object(
  {
    schema: Type.Literal('hidamari-register/1'),
    ...about,
    fields: Type.Object(
      { ...optional(Object.keys(REGISTER_FIELDS)), name: Source, address: Source, kind: Source },
      strict,
    ),
  },
  strict,
);

/** Who publishes a table, and the day of its data, YYYY-MM-DD. */
export interface TableCredit {
  name: string;
  url: string;
  attribution: string;
  date?: string;
}

/** The columns of the fields of a register. */
export interface RegisterMapping {
  schema: 'hidamari-register/1';
  about?: string;
  /** Comes with the program: its columns are names that a table may have. */
  isBuiltIn?: true;
  sheet?: string;
  credit?: TableCredit;
  fields: Partial<Record<RegisterField, FieldSource>> & Record<'name' | 'address' | 'kind', FieldSource>;
}

const FilingSchema = Type.Object(
  {
    schema: Type.Literal('hidamari-filings/1'),
    ...about,
    fields: Type.Object({ facility_id: Source, service_code: Source, treatment: Type.Optional(Source) }, strict),
    additions: Type.Array(Source, { minItems: 1 }),
  },
  strict,
);

/** The columns of the filed additions of an office. */
export interface FilingMapping {
  schema: 'hidamari-filings/1';
  about?: string;
  /** Comes with the program: its columns are names that a table may have. */
  isBuiltIn?: true;
  sheet?: string;
  credit?: TableCredit;
  fields: Record<'facility_id' | 'service_code', FieldSource> & { treatment?: FieldSource };
  /** Each gives the names of additions, separated by spaces; `none` means no addition. */
  additions: readonly FieldSource[];
}

/** A mapping of a register read from JSON. Throws `MappingError` that names `file` and every fault. */
export function checkRegisterMapping(json: unknown, file: string): RegisterMapping {
  check(json, RegisterSchema, 'hidamari-register/1', file);
  const mapping = json as RegisterMapping;
  const words: Partial<Record<RegisterField, readonly string[]>> = REGISTER_WORDS;
  const fields = Object.entries(mapping.fields) as [RegisterField, FieldSource][];
  refuse(
    fields.flatMap(([name, source]) => sourceFaults(`/fields/${name}`, source, words[name])),
    file,
  );
  return mapping;
}

/** The same of filed additions. @param known names of the additions that the fee table has */
export function checkFilingMapping(json: unknown, file: string, known: ReadonlySet<string>): FilingMapping {
  check(json, FilingSchema, 'hidamari-filings/1', file);
  const mapping = json as FilingMapping;
  const words = mapping.additions.flatMap((source, i) =>
    wordsIn(source).flatMap((text) =>
      additionsIn(text).flatMap((id) =>
        known.has(id) ? [] : [`/additions/${i}: the fee table has no addition ${id} (docs/registers.md)`],
      ),
    ),
  );
  const fields = Object.entries(mapping.fields).flatMap(([name, source]) => sourceFaults(`/fields/${name}`, source));
  const additions = mapping.additions.flatMap((source, i) => sourceFaults(`/additions/${i}`, source));
  refuse([...fields, ...additions, ...words], file);
  return mapping;
}

/** The names of additions in a text; empty for `none`. */
export const additionsIn = (text: string): string[] => text.split(/\s+/).filter((id) => id !== '' && id !== 'none');

function check(json: unknown, schema: TSchema, name: string, file: string): void {
  const faults = Value.Errors(schema, json).map(({ instancePath, message }) => `${instancePath}: ${message}`);
  if (faults.length > 0) throw new MappingError(`${file}: not a mapping of schema ${name}:\n  ${faults.join('\n  ')}`);
}

function refuse(faults: readonly string[], file: string): void {
  if (faults.length > 0) throw new MappingError(`${file}: the mapping does not hold:\n  ${faults.join('\n  ')}`);
}
