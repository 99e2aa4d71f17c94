import type { Static, TSchema, TSchemaOptions, TUnsafe } from 'typebox';
import { type Keywords, Type } from './schema.ts';

/**
 * A value that may be unknown: null, never 0. `meaning` says what null means. An example that is null belongs to the union, not to the
 * value.
 */
export function orNull<T extends TSchema>(
  schema: T,
  meaning: string,
  description = describe(schema),
  example?: Static<T>,
) {
  const { examples } = schema as { examples?: unknown[] };
  const isNullExample = examples?.[0] === null;
  const value = isNullExample ? ({ ...schema, examples: undefined } as T) : schema;
  return Type.Union([value, Type.Null()], {
    description: `${description} Null: ${meaning}.`,
    ...(isNullExample && { examples }),
    ...(example !== undefined && { examples: [example] }),
  });
}

/** The description of a schema; where it can be null, with the meaning of null. */
export const describe = (schema: TSchema): string => (schema as Keywords).description ?? '';

/** A text of an enumeration that may grow: the known values are listed and not enforced. This program writes no others. */
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

/** A text of an enumeration that will not change. */
export function oneOf<const T extends string[]>(
  values: readonly [...T],
  description: string,
  options: TSchemaOptions = {},
) {
  return Type.Enum<T>(values, { type: 'string', description, examples: [values[0]], ...options });
}

/** Degrees of latitude of an answer. */
export const Latitude = Type.Number({ description: 'Latitude, degrees (JGD2011).', examples: ['$building_lat'] });

/** Degrees of longitude of an answer. */
export const Longitude = Type.Number({ description: 'Longitude, degrees (JGD2011).', examples: ['$building_lon'] });

/** A number of things. */
export function count(description: string, example = 1) {
  return Type.Integer({ minimum: 0, description, examples: [example] });
}

/** A text. */
export const Text = (description: string, example: string) => Type.String({ description, examples: [example] });

/** A date, `YYYY-MM-DD`. */
export const Day = (description: string) => Type.String({ format: 'date', description, examples: ['2026-06-30'] });
