import Type, { type TProperties, type TSchema } from 'typebox';
import Value from 'typebox/value';
import { Source } from './detail-mapping.ts';
import type { FieldSource } from './mapped-table.ts';
import { REGISTER_FIELDS, REGISTER_WORDS, type RegisterField } from './register-fields.ts';

export { REGISTER_FIELDS };

/**
 * Mappings of registers and of lists of filed additions: they say where the fields of a table stand. docs/registers.md explains both files.
 */

const strict = { additionalProperties: false };
const optional = (names: readonly string[]): TProperties =>
  Object.fromEntries(names.map((name) => [name, Type.Optional(Source)]));
/** Name of the sheet of a workbook; the first without it. */
const about = { about: Type.Optional(Type.String()), sheet: Type.Optional(Type.String()) };

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

/** Where the fields of a register stand. */
export interface RegisterMapping {
  sheet?: string;
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

/** Where the filed additions of an office stand. */
export interface FilingMapping {
  sheet?: string;
  fields: Record<'facility_id' | 'service_code', FieldSource> & { treatment?: FieldSource };
  /** Each gives the names of additions, separated by blanks; `none` is none. */
  additions: readonly FieldSource[];
}

/** A mapping that does not hold together; the message lists what is wrong and where. */
class ListMappingError extends Error {
  override name = 'ListMappingError';
}

/** A mapping of a register read from JSON. Throws `ListMappingError` that names `file` and every fault. */
export function checkRegisterMapping(json: unknown, file: string): RegisterMapping {
  check(json, RegisterSchema, 'hidamari-register/1', file);
  const mapping = json as RegisterMapping;
  const { kind } = mapping.fields;
  const given = [kind.value, kind.default, ...Object.values(kind.values ?? {})].filter((word) => word !== undefined);
  const strange = given.find((word) => !(REGISTER_WORDS.kind as readonly string[]).includes(word));
  refuse(
    [
      ...sourceFaults(Object.entries(mapping.fields)),
      ...(strange === undefined ? [] : [`/fields/kind: ${strange} is none of ${REGISTER_WORDS.kind.join(', ')}`]),
    ],
    file,
  );
  return mapping;
}

/** The same of filed additions. @param known names of the additions that the fee table has */
export function checkFilingMapping(json: unknown, file: string, known: ReadonlySet<string>): FilingMapping {
  check(json, FilingSchema, 'hidamari-filings/1', file);
  const mapping = json as FilingMapping;
  const words = mapping.additions.flatMap((source, i) =>
    [source.value, source.default, ...Object.values(source.values ?? {})].flatMap((text) =>
      additionsIn(text ?? '').flatMap((id) =>
        known.has(id) ? [] : [`/additions/${i}: the fee table has no addition ${id} (docs/registers.md)`],
      ),
    ),
  );
  const additions = mapping.additions.map((source, i) => [`additions/${i}`, source] as const);
  refuse([...sourceFaults(Object.entries(mapping.fields)), ...sourceFaults(additions, ''), ...words], file);
  return mapping;
}

/** The names of additions in a text; `none` is none. */
export const additionsIn = (text: string): string[] => text.split(/\s+/).filter((id) => id !== '' && id !== 'none');

function check(json: unknown, schema: TSchema, name: string, file: string): void {
  const faults = Value.Errors(schema, json).map(({ instancePath, message }) => `${instancePath}: ${message}`);
  if (faults.length > 0)
    throw new ListMappingError(`${file}: not a mapping of schema ${name}:\n  ${faults.join('\n  ')}`);
}

function refuse(faults: readonly string[], file: string): void {
  if (faults.length > 0) throw new ListMappingError(`${file}: the mapping does not hold:\n  ${faults.join('\n  ')}`);
}

function sourceFaults(sources: readonly (readonly [string, FieldSource])[], under = 'fields/'): string[] {
  return sources.flatMap(([name, source]) => {
    const faults: string[] = [];
    if ((source.column === undefined) === (source.value === undefined)) {
      faults.push(`/${under}${name}: needs either a column or a value`);
    }
    try {
      if (source.pattern !== undefined) new RegExp(source.pattern, 'u');
    } catch (error) {
      faults.push(`/${under}${name}/pattern: ${(error as Error).message}`);
    }
    return faults;
  });
}
