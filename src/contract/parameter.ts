import type { Static, TSchema } from 'typebox';
import { type Keywords, Type } from './schema.ts';

/** A parameter of an operation or a page. */
export interface Parameter {
  name: string;
  /** Other names under which a query may have it. */
  alsoNamed?: readonly string[];
  in: 'path' | 'query';
  required: boolean;
  /**
   * String (with a pattern, an enumeration or the format `date`), number, integer, boolean, or an array of them (a
   * comma-separated list).
   */
  schema: TSchema;
  /** The value when the parameter is absent. */
  default?: string | number | boolean;
  description: string;
  /** A valid value, as written in a URL. */
  example: string;
  /**
   * A condition that JSON Schema cannot state, such as a check digit. It is checked after the schema; a violation is a
   * 400.
   */
  rule?: ParameterRule;
  /**
   * True when the value shows what a person looks for or how they live. The URL of such a request is never logged, and
   * its answer is `private, no-store`.
   */
  isPrivate?: true;
  /** False when the value may show where a person is or what they compare. URLs of the route are never logged. */
  isLogged?: false;
  /** Additional cost units when the value is `true`. */
  moreUnits?: number;
  /** A form may send it several times, once for each ticked box. Pages join the values that are not empty by commas. */
  repeats?: true;
}

/** The expected value in words, to complete "must be …". */
export function expectedText(rules: Keywords): string {
  const { type, format, pattern, enum: words, items, maxItems, minLength = 0, maxLength } = rules;
  if (items !== undefined) {
    const limit = maxItems === undefined ? '' : ` at most ${maxItems}`;
    return `a list with commas between its${limit} members, each ${expectedText(items)}`;
  }
  if (type === 'boolean') return 'true or false';
  if (format === 'date') return 'a day of the calendar as YYYY-MM-DD';
  if (words !== undefined) return `one of ${words.join(', ')}`;
  if (pattern !== undefined) return `text that matches ${pattern}`;
  if (type === 'string' && maxLength !== undefined)
    return `text of ${minLength === 0 ? 'at most' : `${minLength} to`} ${maxLength} characters`;
  if (type === 'string') return 'text';
  return expectedNumber(rules);
}

/** The expected number in words. */
function expectedNumber({ type, minimum, maximum, multipleOf }: Keywords): string {
  const kind = type === 'integer' ? 'a whole number' : 'a plain decimal number';
  const step = multipleOf === undefined ? '' : ` in steps of ${multipleOf}`;
  if (minimum !== undefined && maximum !== undefined) return `${kind} from ${minimum} to ${maximum}${step}`;
  // No parameter has a maximum alone, or steps without both bounds.
  return minimum !== undefined ? `${kind} of at least ${minimum}` : kind;
}

/** A condition for the text of a parameter. */
export interface ParameterRule {
  name: string;
  /** What the text must be; completes "must be …". */
  says: string;
  /** True when a text meets the condition. */
  holds: (text: string) => boolean;
  /** What a wrong text is; completes "but …". Absent: the text itself is quoted. */
  found?: (text: string) => string;
}

/** The value of a parameter for a handler. */
export type ParameterValue = string | number | boolean | readonly (string | number | boolean)[];

/** The values of some parameters, by name. Required parameters, and parameters with a default, are always present. */
export type ValuesOf<Parameters extends readonly Parameter[]> = {
  readonly [P in Parameters[number] as P extends AlwaysPresent ? P['name'] : never]: Static<P['schema']>;
} & {
  readonly [P in Parameters[number] as P extends AlwaysPresent ? never : P['name']]?: Static<P['schema']>;
};

/** A parameter that has a value in every request. */
type AlwaysPresent = { required: true } | { default: string | number | boolean };

/**
 * The path and query of a request: fills the path template, and the other values become the query.
 * @param values by parameter name, as written in a URL
 * @throws {Error} When a path parameter is missing.
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

// Parameters that several operations share.

/** Latitude and longitude of a point. The bounds differ by half. */
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
    alsoNamed: ['radius', 'radius_m'],
    in: 'query',
    required: false,
    schema: Type.Number({ minimum: 1, maximum: longest }),
    default: fallback,
    description: 'Radius, metres; also as `radius` or `radius_m`.',
    example: String(fallback),
  }) as const satisfies Parameter;

/** The number of a list's page. */
export const page = {
  name: 'page',
  in: 'query',
  required: false,
  schema: Type.Integer({ minimum: 1 }),
  default: 1,
  description: 'Number of the page; 404 after the last.',
  example: '1',
} as const satisfies Parameter;

/** The parameter with which a request selects its dataset. */
export const DATASET_ID = 'dataset_id';

/** The dataset from which to answer. */
export const datasetId = {
  name: DATASET_ID,
  in: 'query',
  required: false,
  schema: Type.String({ pattern: '^[\\w.-]{1,64}$' }),
  description:
    'Answer from this dataset (`meta.dataset_id` of another answer), so that several calls use the same data; 404 when it is no longer served.',
  example: '$dataset_id',
} as const satisfies Parameter;

/** Results on a page of a list. */
export const PAGE_SIZE = 100;

/** The number of pages of a list. An empty list has one page. */
export const pagesOf = (total: number, pageSize: number): number => Math.max(1, Math.ceil(total / pageSize));

/** A parameter in the path. */
export const inPath = <const Name extends string, Schema extends TSchema>(
  name: Name,
  schema: Schema,
  description: string,
  example: string,
) => ({ name, in: 'path', required: true, schema, description, example }) as const satisfies Parameter;

/** An optional parameter in the query, without a default. */
export const inQuery = <const Name extends string, Schema extends TSchema>(
  name: Name,
  schema: Schema,
  description: string,
  example: string,
) => ({ name, in: 'query', required: false, schema, description, example }) as const satisfies Parameter;
