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

/** Marks optional members. It is no keyword of JSON Schema, and does not appear in schemas. */
const OPTIONAL = Symbol('optional');

/** Plain JSON Schema, typed as a schema of typebox, so that `Static` gives the type of its values. */
const made = <T extends TSchema>(keywords: object, options: TSchemaOptions): T =>
  ({ ...keywords, ...options }) as TSchema as T;

/** The keywords of JSON Schema that the contract uses. */
export interface Keywords {
  type?: string;
  description?: string;
  examples?: readonly unknown[];
  default?: unknown;
  enum?: readonly unknown[];
  'x-extensible-enum'?: readonly string[];
  minimum?: number;
  maximum?: number;
  anyOf?: readonly TSchema[];
  properties?: Record<string, TSchema>;
  required?: readonly string[];
  items?: TSchema;
  minItems?: number;
  maxItems?: number;
}

/** Whether a value can be null. */
export const isNullable = (schema: TSchema): boolean => (schema as Keywords).anyOf !== undefined;

/** The keywords of a value; where it can be null, those of its other type. */
export const valueKeywords = (schema: TSchema): Keywords => ((schema as Keywords).anyOf?.[0] ?? schema) as Keywords;

function requiredOf(properties: TProperties): { required?: string[] } {
  const required = Object.keys(properties).filter((name) => !(OPTIONAL in (properties[name] as object)));
  return required.length > 0 ? { required } : {};
}

/** Any text as the name of a member. */
const ANY_NAME = '^.*$';

/**
 * Makes the schemas of the contract: the same JSON as typebox, with its types. The builders of typebox are in 373 files, which every start
 * of a server and of a thread would load.
 */
export const Type = {
  String: (options: TStringOptions = {}) => made<TString>({ type: 'string' }, options),
  /** Any text; its type is a union of known texts. */
  StringOf: <V extends string>(options: TStringOptions = {}) => made<TUnsafe<V>>({ type: 'string' }, options),
  Number: (options: TNumberOptions = {}) => made<TNumber>({ type: 'number' }, options),
  Integer: (options: TNumberOptions = {}) => made<TInteger>({ type: 'integer' }, options),
  Boolean: (options: TSchemaOptions = {}) => made<TBoolean>({ type: 'boolean' }, options),
  Null: (options: TSchemaOptions = {}) => made<TNull>({ type: 'null' }, options),
  Literal: <V extends TLiteralValue>(value: V, options: TSchemaOptions = {}) =>
    made<TLiteral<V>>({ type: typeof value, const: value }, options),
  Enum: <V extends TEnumValue[]>(values: readonly [...V], options: TSchemaOptions = {}) =>
    made<TEnum<V>>({ enum: values }, options),
  Array: <T extends TSchema>(items: T, options: TArrayOptions = {}) =>
    made<TArray<T>>({ type: 'array', items }, options),
  Union: <T extends TSchema[]>(anyOf: [...T], options: TSchemaOptions = {}) => made<TUnion<T>>({ anyOf }, options),
  Object: <P extends TProperties>(properties: P, options: TObjectOptions = {}) =>
    made<TObject<P>>({ type: 'object', ...requiredOf(properties), properties }, options),
  /** An object whose members have any names, and values of one schema. */
  Record: <T extends TSchema>(values: T, options: TObjectOptions = {}) =>
    made<TRecord<typeof ANY_NAME, T>>({ type: 'object', patternProperties: { [ANY_NAME]: values } }, options),
  /** A member that an object may lack. */
  Optional: <T extends TSchema>(schema: T) =>
    Object.defineProperty(made<TOptional<T>>(schema, {}), OPTIONAL, { value: true }),
  /** A list of fixed length; each position has its own meaning. */
  Tuple: <const T extends TSchema[]>(members: T, options: TSchemaOptions = {}) =>
    made<TUnsafe<{ [I in keyof T]: Static<T[I]> }>>(
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
