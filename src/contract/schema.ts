import type {
  Static,
  TArray,
  TArrayOptions,
  TBoolean,
  TEnum,
  TEnumValue,
  TInteger,
  TLiteral,
  TLiteralValue,
  TNull,
  TNumber,
  TNumberOptions,
  TObject,
  TObjectOptions,
  TOptional,
  TProperties,
  TRecord,
  TSchema,
  TSchemaOptions,
  TString,
  TStringOptions,
  TUnion,
  TUnsafe,
} from 'typebox';

/** Marks optional members. It is a symbol, so it does not appear in the JSON. */
const OPTIONAL = Symbol('optional');

/** Makes plain JSON Schema with the type of a typebox schema, so that `Static` gives the type of its values. */
const jsonSchema = <T extends TSchema>(keywords: object, options: TSchemaOptions): T =>
  ({ ...keywords, ...options }) as TSchema as T;

/** The keywords of JSON Schema that the contract reads. */
export interface Keywords {
  type?: string;
  format?: string;
  pattern?: string;
  description?: string;
  examples?: readonly unknown[];
  default?: unknown;
  enum?: readonly string[];
  'x-extensible-enum'?: readonly string[];
  minLength?: number;
  maxLength?: number;
  minimum?: number;
  maximum?: number;
  multipleOf?: number;
  anyOf?: readonly TSchema[];
  properties?: Record<string, TSchema>;
  required?: readonly string[];
  items?: Keywords;
  minItems?: number;
  maxItems?: number;
}

/** The keywords of a schema. */
export const keywordsOf = (schema: TSchema): Keywords => schema;

/** True when the value can be null. */
export const isNullable = (schema: TSchema): boolean => keywordsOf(schema).anyOf !== undefined;

/** The keywords of a value. For a nullable value, those of its other type. */
export const valueKeywords = (schema: TSchema): Keywords => keywordsOf(schema).anyOf?.[0] ?? schema;

/** The keyword `required` with the members that are not optional; nothing when all are optional. */
function requiredOf(properties: TProperties): { required?: string[] } {
  const required = Object.keys(properties).filter((name) => !(OPTIONAL in (properties[name] as object)));
  return required.length > 0 ? { required } : {};
}

/** A pattern that matches any member name. */
const ANY_NAME = '^.*$';

/**
 * Functions that make the schemas of the contract. They give the same JSON as the functions of typebox and use its types.
 * Those of typebox are in 373 files, which every start of a server or thread would have to load.
 */
export const Type = {
  String: (options: TStringOptions = {}) => jsonSchema<TString>({ type: 'string' }, options),
  /** Any text. Its TypeScript type is a union of the known texts. */
  StringOf: <V extends string>(options: TStringOptions = {}) => jsonSchema<TUnsafe<V>>({ type: 'string' }, options),
  Number: (options: TNumberOptions = {}) => jsonSchema<TNumber>({ type: 'number' }, options),
  Integer: (options: TNumberOptions = {}) => jsonSchema<TInteger>({ type: 'integer' }, options),
  Boolean: (options: TSchemaOptions = {}) => jsonSchema<TBoolean>({ type: 'boolean' }, options),
  Null: () => jsonSchema<TNull>({ type: 'null' }, {}),
  Literal: <V extends TLiteralValue>(value: V, options: TSchemaOptions = {}) =>
    jsonSchema<TLiteral<V>>({ type: typeof value, const: value }, options),
  Enum: <V extends TEnumValue[]>(values: readonly [...V], options: TSchemaOptions = {}) =>
    jsonSchema<TEnum<V>>({ enum: values }, options),
  Array: <T extends TSchema>(items: T, options: TArrayOptions = {}) =>
    jsonSchema<TArray<T>>({ type: 'array', items }, options),
  Union: <T extends TSchema[]>(anyOf: [...T], options: TSchemaOptions = {}) =>
    jsonSchema<TUnion<T>>({ anyOf }, options),
  Object: <P extends TProperties>(properties: P, options: TObjectOptions = {}) =>
    jsonSchema<TObject<P>>({ type: 'object', ...requiredOf(properties), properties }, options),
  /** An object with any member names and one schema for all values. */
  Record: <T extends TSchema>(values: T, options: TObjectOptions = {}) =>
    jsonSchema<TRecord<typeof ANY_NAME, T>>({ type: 'object', patternProperties: { [ANY_NAME]: values } }, options),
  /** An optional member of an object. */
  Optional: <T extends TSchema>(schema: T) =>
    Object.defineProperty(jsonSchema<TOptional<T>>(schema, {}), OPTIONAL, { value: true }),
  /** A list of fixed length in which each position has its own schema. */
  Tuple: <const T extends TSchema[]>(members: T, options: TSchemaOptions = {}) =>
    jsonSchema<TUnsafe<{ [I in keyof T]: Static<T[I]> }>>(
      {
        type: 'array',
        prefixItems: members,
        items: false,
        minItems: members.length,
        maxItems: members.length,
      },
      options,
    ),
};

/**
 * A schema that also allows null. An unknown value is null, never 0.
 * @param meaning of null, for the description
 * @param example by default that of `schema`
 */
export function orNull<T extends TSchema>(
  schema: T,
  meaning: string,
  description = describe(schema),
  example?: Static<T>,
) {
  const { examples } = schema as { examples?: unknown[] };
  // `schema` may be written with null as its example. It does not allow null itself, so the example moves to the union.
  const isNullExample = examples?.[0] === null;
  const value = isNullExample ? ({ ...schema, examples: undefined } as T) : schema;
  return Type.Union([value, Type.Null()], {
    description: `${description} Null: ${meaning}.`,
    ...(isNullExample && { examples }),
    ...(example !== undefined && { examples: [example] }),
  });
}

/** The description of a schema. For a nullable schema it includes the meaning of null. */
export const describe = (schema: TSchema): string => keywordsOf(schema).description ?? '';

/** A text with known values that may become more. The schema lists them but allows others. */
export function openEnum<T extends string>(
  values: readonly T[],
  description: string,
  options: TSchemaOptions = {},
): TUnsafe<T> {
  return Type.StringOf<T>({
    description: `${description} Known values: ${values.map((value) => `\`${value}\``).join(', ')}; new ones may come.`,
    'x-extensible-enum': values,
    examples: [values[0]],
    ...options,
  });
}

/** A text with a fixed set of values. */
export function oneOf<const T extends string[]>(
  values: readonly [...T],
  description: string,
  options: TSchemaOptions = {},
) {
  return Type.Enum<T>(values, { type: 'string', description, examples: [values[0]], ...options });
}

/** Latitude in an answer, degrees. */
export const Latitude = Type.Number({ description: 'Latitude, degrees (JGD2011).', examples: ['$building_lat'] });

/** Longitude in an answer, degrees. */
export const Longitude = Type.Number({ description: 'Longitude, degrees (JGD2011).', examples: ['$building_lon'] });

/** A number in an answer. The description says its unit; the example may be a `$name` of a place. */
export const Quantity = (description: string, example: number | string, minimum?: number, maximum?: number) =>
  Type.Number({ ...limits(minimum, maximum), description, examples: [example] });

/** A whole number in an answer. */
export const Whole = (description: string, example: number, minimum: number, maximum?: number) =>
  Type.Integer({ ...limits(minimum, maximum), description, examples: [example] });

/**
 * The members of a page of a list.
 * @param things what the list has, in the plural
 * @param whenEmpty when a list has one page without things
 */
export const pageMembers = (things: string, whenEmpty: string) => ({
  page: Whole('This page.', 1, 1),
  page_size: Whole(`${things} on a full page.`, 100, 1),
  page_count: Whole(`Number of pages; 1 ${whenEmpty}.`, 1, 1),
});

/** The keywords of the bounds that are given. */
const limits = (minimum?: number, maximum?: number) => ({
  ...(minimum !== undefined && { minimum }),
  ...(maximum !== undefined && { maximum }),
});

/** True or false in an answer. */
export const Flag = (description: string, example: boolean) => Type.Boolean({ description, examples: [example] });

/** A number of things. */
export function count(description: string, example = 1) {
  return Type.Integer({ minimum: 0, description, examples: [example] });
}

/** A text in an answer. */
export const Text = (description: string, example: string) => Type.String({ description, examples: [example] });

/** A date, `YYYY-MM-DD`. */
export const Day = (description: string) => Type.String({ format: 'date', description, examples: ['2026-06-30'] });
