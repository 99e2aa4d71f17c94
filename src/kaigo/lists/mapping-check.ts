import Type, { type TProperties, type TSchema } from 'typebox';
import Value from 'typebox/value';
import { day } from '../values.ts';
import { DETAIL_FIELDS, type DetailMapping, wordsOf } from './details.ts';
import { additionsIn, type FilingMapping } from './filings.ts';
import { type FieldSource, MappedTableError, type TableCredit } from './mapped-table.ts';
import { REGISTER_FIELDS, REGISTER_WORDS, type RegisterMapping } from './registers.ts';

/**
 * Checks of mappings, which name the columns of the fields of a table. docs/details-mapping.md and docs/registers.md
 * explain the files. These checks load hundreds of files of typebox, so a build imports them for mappings of its user
 * only.
 */

const strict = { additionalProperties: false };

/** The source of one field. */
const Source = Type.Object(
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

/** Sources that a mapping may have. */
const optional = (names: readonly string[]): TProperties =>
  Object.fromEntries(names.map((name) => [name, Type.Optional(Source)]));

const Credit = Type.Object(
  {
    name: Type.String({ minLength: 1 }),
    url: Type.String({ pattern: '^https?://\\S+$' }),
    attribution: Type.String({ minLength: 1 }),
    date: Type.Optional(Type.String()),
  },
  strict,
);

/** The form of a mapping: its schema, its fields, and what else it has. */
const mappingSchema = (schema: string, fields: TProperties, more: TProperties) =>
  Type.Object(
    {
      schema: Type.Literal(schema),
      about: Type.Optional(Type.String()),
      sheet: Type.Optional(Type.String()),
      fields: Type.Object(fields, strict),
      ...more,
    },
    strict,
  );

const office = { facility_id: Source, service_code: Source };
const DETAILS = mappingSchema('hidamari-details/1', { ...optional(Object.keys(DETAIL_FIELDS)), ...office }, {});
const REGISTER = mappingSchema(
  'hidamari-register/1',
  { ...optional(Object.keys(REGISTER_FIELDS)), name: Source, address: Source, kind: Source },
  { credit: Type.Optional(Credit) },
);
const FILINGS = mappingSchema(
  'hidamari-filings/1',
  { ...office, ...optional(['treatment', 'starts_on', 'ends_on']) },
  {
    credit: Type.Optional(Credit),
    additions: Type.Array(Source, { minItems: 1 }),
    addition_rows: Type.Optional(
      Type.Object({ name: Type.String({ minLength: 1 }), value: Type.String({ minLength: 1 }) }, strict),
    ),
  },
);

/**
 * A mapping read from JSON.
 * @param words the words that a field may have; undefined: any
 * @param more other faults than those of form and fields
 * @throws MappedTableError that names `file` and every fault
 */
function checkedMapping<Mapping extends { schema: string; fields: object }>(
  json: unknown,
  file: string,
  schema: TSchema & { properties: { schema: { const: unknown } } },
  words: (field: string) => readonly string[] | undefined,
  more: (mapping: Mapping) => string[] = () => [],
): Mapping {
  const refuse = (faults: readonly string[]): void => {
    if (faults.length === 0) return;
    const name = String(schema.properties.schema.const);
    throw new MappedTableError(`${file}: not a mapping of schema ${name}:\n  ${faults.join('\n  ')}`);
  };
  refuse(formFaults(schema, json));
  const mapping = json as Mapping;
  const fields = Object.entries(mapping.fields as Record<string, FieldSource>);
  refuse([
    ...fields.flatMap(([name, source]) => sourceFaults(`/fields/${name}`, source, words(name))),
    ...more(mapping),
  ]);
  return mapping;
}

/** What a mapping can be, for messages. */
const SCHEMAS =
  'expected hidamari-details/1 (details), hidamari-register/1 (a register) or hidamari-filings/1 (filed additions), as the option says';

/** The faults in the form of a mapping, each with its place. */
function formFaults(schema: TSchema, json: unknown): string[] {
  // A mapping names its kind in the member `schema`.
  const { schema: kind } = (json ?? {}) as { schema?: unknown };
  const expectedKind = (membersOf(schema).schema as { const?: unknown } | undefined)?.const;
  // A mapping of another kind has other fields, so the faults of its fields would mislead.
  if (kind !== expectedKind) return [`/schema: ${JSON.stringify(kind)}; ${SCHEMAS}`];
  return Value.Errors(schema, json).flatMap(({ instancePath, message }) => {
    const [, ...path] = instancePath.split('/');
    // typebox reports an unknown member twice: for its object, and as `schema is false` for itself.
    if (message === 'must not have additional properties') return [];
    if (message !== 'schema is false') return [`${instancePath}: ${message}`];
    // The schema of the object that has the unknown member: the path without its last name leads to it.
    const objectSchema = path.slice(0, -1).reduce<TSchema | undefined>((at, name) => membersOf(at)[name], schema);
    return [`${instancePath}: unknown; expected one of ${Object.keys(membersOf(objectSchema)).join(', ')}`];
  });
}

/** The members of an object by its schema. */
const membersOf = (schema: TSchema | undefined): Record<string, TSchema> =>
  (schema as { properties?: Record<string, TSchema> } | undefined)?.properties ?? {};

/**
 * A mapping of details.
 * @throws MappedTableError naming each fault of its form and its fields
 */
export const checkDetailMapping = (json: unknown, file: string): DetailMapping =>
  checkedMapping<DetailMapping>(json, file, DETAILS, wordsOf);

/**
 * A mapping of a register.
 * @param today YYYY-MM-DD; the date of the credit cannot be later
 * @throws MappedTableError naming each fault of its form and its fields
 */
export const checkRegisterMapping = (json: unknown, file: string, today: string): RegisterMapping =>
  checkedMapping<RegisterMapping>(
    json,
    file,
    REGISTER,
    (name) => (name === 'kind' || name === 'closed' ? REGISTER_WORDS[name] : undefined),
    ({ credit }) => creditFaults(credit, today),
  );

/**
 * A mapping of filed additions.
 * @param additionIds of the fee table
 * @param today YYYY-MM-DD; the date of the credit cannot be later
 * @throws MappedTableError naming each fault of its form and its fields
 */
export const checkFilingMapping = (
  json: unknown,
  file: string,
  additionIds: ReadonlySet<string>,
  today: string,
): FilingMapping =>
  checkedMapping<FilingMapping>(
    json,
    file,
    FILINGS,
    () => undefined,
    ({ additions, credit }) => [
      ...creditFaults(credit, today),
      ...additions.flatMap((source, i) => [
        ...sourceFaults(`/additions/${i}`, source),
        ...wordsIn(source)
          .flatMap(additionsIn)
          .filter((id) => !additionIds.has(id))
          .map((id) => `/additions/${i}: the fee table has no addition ${id} (docs/registers.md)`),
      ]),
    ],
  );

/** The faults in the date of a credit. */
function creditFaults(credit: TableCredit | undefined, today: string): string[] {
  const date = credit?.date;
  if (date === undefined) return [];
  const read = day(date);
  if (typeof read === 'string' || read.value.day !== date)
    return [`/credit/date: ${date} is no day; expected YYYY-MM-DD`];
  return date > today ? [`/credit/date: ${date} is in the future; expected the day of publication`] : [];
}

/**
 * The faults in the source of a field.
 * @param path of the source in the mapping
 * @param words that the field may have; absent: any
 */
function sourceFaults(path: string, source: FieldSource, words?: readonly string[]): string[] {
  const faults: string[] = [];
  if ((source.column === undefined) === (source.value === undefined)) {
    faults.push(`${path}: needs either a column or a value`);
  }
  try {
    if (source.pattern !== undefined) new RegExp(source.pattern, 'u');
  } catch (error) {
    faults.push(`${path}/pattern: ${(error as Error).message}`);
  }
  const otherWord = words && wordsIn(source).find((word) => !words.includes(word));
  if (otherWord !== undefined) faults.push(`${path}: ${otherWord} is none of ${words?.join(', ')}`);
  return faults;
}

/** The words that a source itself gives a field: its value, its default and the meanings of words. */
const wordsIn = ({ value, default: defaultWord, values = {} }: FieldSource): string[] =>
  [value, defaultWord, ...Object.values(values)].filter((word) => word !== undefined);
