import type { Static, TSchema, TSchemaOptions, TUnsafe } from 'typebox';
import { type Keywords, Type } from './schema.ts';

/**
 * A schema that also allows null, which means unknown; it is never written as 0.
 * @param meaning of null, for the description
 * @param example null means: the value of the example is unknown
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

/** The description of a schema. For a nullable schema it includes the meaning of null. */
export const describe = (schema: TSchema): string => (schema as Keywords).description ?? '';

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

/** A number of things. */
export function count(description: string, example = 1) {
  return Type.Integer({ minimum: 0, description, examples: [example] });
}

export const Text = (description: string, example: string) => Type.String({ description, examples: [example] });

/** A date, `YYYY-MM-DD`. */
export const Day = (description: string) => Type.String({ format: 'date', description, examples: ['2026-06-30'] });
