import type { Static, TSchema } from 'typebox';
import { Type } from './schema.ts';

/** A parameter of an operation or a page. */
export interface Parameter {
  name: string;
  in: 'path' | 'query';
  required: boolean;
  /** String (with a pattern, an enumeration or the format `date`), number, integer, boolean, or an array of them (a comma list). */
  schema: TSchema;
  /** Stands in when the parameter is absent. */
  default?: string | number | boolean;
  description: string;
  /** A value that works, as it is written in a URL. */
  example: string;
  /** What JSON Schema cannot state, such as a check digit. It is checked after the schema; where it does not hold, the answer is 400. */
  rule?: ParameterRule;
  /**
   * It says what a person looks for or how they live. A request with it is never logged with its URL, and its answer is
   * `private, no-store`.
   */
  isPrivate?: true;
  /** False where the value may say where a person is, or what they compare: the route's URLs are never logged. */
  isLogged?: false;
  /** What an answer costs more in cost units where it is `true`. */
  moreUnits?: number;
  /** A form may give it several times, once for each ticked box; pages join the values by commas. */
  repeats?: true;
}

/** The keywords of JSON Schema that parameters use. */
export interface ParameterRules {
  type: 'string' | 'number' | 'integer' | 'boolean' | 'array';
  format?: 'date';
  pattern?: string;
  enum?: readonly string[];
  minLength?: number;
  maxLength?: number;
  minimum?: number;
  maximum?: number;
  multipleOf?: number;
  items?: ParameterRules;
  minItems?: number;
  maxItems?: number;
}

/** Parameters are described by these keywords alone. */
export const rulesOf = (schema: TSchema): ParameterRules => schema as unknown as ParameterRules;

/** What a parameter must be, in words: completes "must be …". */
export function expectedText(rules: ParameterRules): string {
  const { type, format, pattern, enum: words, items, maxItems, maxLength } = rules;
  if (items !== undefined) {
    const most = maxItems === undefined ? '' : ` at most ${maxItems}`;
    return `a list with commas between its${most} members, each ${expectedText(items)}`;
  }
  if (type === 'boolean') return 'true or false';
  if (format === 'date') return 'a day of the calendar as YYYY-MM-DD';
  if (words !== undefined) return `one of ${words.join(', ')}`;
  if (pattern !== undefined) return `text that matches ${pattern}`;
  if (type === 'string') return maxLength === undefined ? 'text' : `text of at most ${maxLength} characters`;
  return expectedNumber(rules);
}

function expectedNumber({ type, minimum, maximum, multipleOf }: ParameterRules): string {
  const kind = type === 'integer' ? 'a whole number' : 'a plain decimal number';
  const step = multipleOf === undefined ? '' : ` in steps of ${multipleOf}`;
  if (minimum !== undefined && maximum !== undefined) return `${kind} from ${minimum} to ${maximum}${step}`;
  return minimum !== undefined ? `${kind} of at least ${minimum}` : kind;
}

/** A named rule of a parameter. `says` completes "must be …". */
export interface ParameterRule {
  name: string;
  says: string;
  holds: (value: string) => boolean;
}

/** The value of a parameter as a handler gets it. */
export type ParameterValue = string | number | boolean | readonly (string | number | boolean)[];

/** The values of a list of parameters by name: required ones and those with a default are always there. */
export type ValuesOf<Parameters extends readonly Parameter[]> = {
  readonly [P in Parameters[number] as P extends AlwaysThere ? P['name'] : never]: Static<P['schema']>;
} & {
  readonly [P in Parameters[number] as P extends AlwaysThere ? never : P['name']]?: Static<P['schema']>;
};

type AlwaysThere = { required: true } | { default: string | number | boolean };

/**
 * A path template with its parameters filled in, and the other values as a query string.
 * @param values by parameter name, as written in a URL.
 * @throws Error when a path parameter is missing.
 */
export function fillPath(template: string, values: Readonly<Record<string, string>>): string {
  const query = new URLSearchParams(values);
  const path = template.replace(/\{(\w+)\}/g, (_, name: string) => {
    const value = values[name];
    if (value === undefined) throw new Error(`${template}: no value for the path parameter ${name}`);
    query.delete(name);
    return encodeURIComponent(value);
  });
  return query.size > 0 ? `${path}?${query}` : path;
}

/** Parameters that several operations share. */

/** Latitude and longitude of the point asked about; the half says which are within its data. */
export const position = (south: number, north: number, west: number, east: number) =>
  [
    {
      name: 'lat',
      in: 'query',
      required: true,
      schema: Type.Number({ minimum: south, maximum: north }),
      description: 'Latitude of the point, degrees (JGD2011 or WGS 84).',
      example: '$lat',
      isLogged: false,
    },
    {
      name: 'lon',
      in: 'query',
      required: true,
      schema: Type.Number({ minimum: west, maximum: east }),
      description: 'Longitude of the point, degrees.',
      example: '$lon',
      isLogged: false,
    },
  ] as const satisfies Parameter[];

/** Radius of a search around a point, metres. */
export const radius = <const Fallback extends number>(longest: number, fallback: Fallback) =>
  ({
    name: 'r',
    in: 'query',
    required: false,
    schema: Type.Number({ minimum: 1, maximum: longest }),
    default: fallback,
    description: 'Radius, metres.',
    example: String(fallback),
  }) as const satisfies Parameter;

export const page = {
  name: 'page',
  in: 'query',
  required: false,
  schema: Type.Integer({ minimum: 1 }),
  default: 1,
  description: 'Number of the page; past the last is 404.',
  example: '1',
} as const satisfies Parameter;

/** Name of the parameter by which a request names its dataset. */
export const DATASET_ID = 'dataset_id';

export const datasetId = {
  name: DATASET_ID,
  in: 'query',
  required: false,
  schema: Type.String({ pattern: '^[\\w.-]{1,64}$' }),
  description:
    'Answer from this dataset, `meta.dataset_id` of another answer, so that several calls see the same data; 404 when it is ' +
    'no longer served.',
  example: '$dataset_id',
} as const satisfies Parameter;

/** Number of pages of a list; an empty list has one. */
export const pagesOf = (total: number, pageSize: number): number => Math.max(1, Math.ceil(total / pageSize));

/** The code or ID that a path names. */
export const inPath = <const Name extends string, Schema extends TSchema>(
  name: Name,
  schema: Schema,
  description: string,
  example: string,
) => ({ name, in: 'path', required: true, schema, description, example }) as const satisfies Parameter;
