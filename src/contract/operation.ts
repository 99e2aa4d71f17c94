import type { TSchema } from 'typebox';

/**
 * One operation of the service: everything that anyone has to know about it. Routing, validation, OpenAPI, the
 * published schemas, the tables in docs/ and the cost are derived from this value and from nothing else.
 */
export interface Operation {
  /** Kebab-case; names its schema (`/schemas/<id>.json`) and, in camel case, its `operationId`. */
  id: string;
  /** Path template as in OpenAPI: `/api/v1/sunlight/building/{building_id}`. */
  path: string;
  /** Which half of the dataset it reads; `site` needs none. */
  half: Half;
  /** One line, without a full stop. */
  summary: string;
  /** Markdown: what comes back, in which order, and what null means. */
  description: string;
  /** In the order in which they are documented. */
  parameters: readonly Parameter[];
  /** What a 200 costs; 0 for pages. */
  costUnits: number;
  answer: AnswerForm;
  /** `no-store`: the answer differs from call to call (a signed URL); it has no ETag either. */
  cache: 'public' | 'no-store';
  /** Every status that GET can give. */
  statuses: readonly number[];
  /** Requests that work, for the docs; each is called in the tests. The first one is also the OpenAPI example. */
  examples: readonly RequestExample[];
  /** True while the operator has to switch the operation on; off, it answers 501. */
  optional?: true;
  /** True where there is always an answer, if an empty one: it never answers 404. */
  alwaysFinds?: true;
}

export type Half = 'sunlight' | 'kaigo' | 'site';

/** What a 200 carries. */
export type AnswerForm =
  /** `{data, meta}`; `data` is the schema of the first member. */
  | { form: 'envelope'; data: TSchema }
  /** A JSON document of its own. */
  | { form: 'json'; mediaType: string; schema: TSchema }
  /** Something that JSON Schema does not describe. */
  | { form: 'other'; mediaType: string };

export interface Parameter {
  name: string;
  in: 'path' | 'query';
  required: boolean;
  /** String (with a pattern or an enumeration), number or integer; its `default` stands in when it is absent. */
  schema: TSchema;
  description: string;
  /** A value that works, as it is written in a URL. */
  example: string;
  /** What JSON Schema cannot state, such as a check digit: asked once the schema holds, and a 400 when it does not. */
  rule?: ParameterRule;
}

/** A named rule of a parameter. `says` completes "must be …". */
export interface ParameterRule {
  name: string;
  says: string;
  holds: (value: string) => boolean;
}

export interface RequestExample {
  summary: string;
  /** By parameter name, as written in a URL. */
  parameters: Readonly<Record<string, string>>;
}

/** Everything an operation under /api/ can answer: the eight statuses of the contract, 304 and 500. */
export const API_STATUSES = [200, 304, 400, 401, 402, 404, 429, 500, 501, 503] as const;

/** The same where every answer is new (`no-store`), so that none is ever unchanged. */
export const UNCACHED_API_STATUSES = [200, 400, 401, 402, 404, 429, 500, 501, 503] as const;

/** The statuses of an operation that it lists because all under /api/ do, and that it never gives. */
export function neverGiven({ statuses, optional, alwaysFinds }: Operation): number[] {
  return statuses.filter((status) => (status === 404 && alwaysFinds) || (status === 501 && !optional));
}

/** What a page outside /api/ can answer. */
export const PAGE_STATUSES = [200, 304, 400, 404, 500] as const;

/**
 * The path and query string of a request.
 * @param values by parameter name, as written in a URL; names that the operation does not know go to the query.
 * @throws Error when a path parameter is missing.
 */
export function requestTarget(operation: Operation, values: Readonly<Record<string, string>>): string {
  const query = new URLSearchParams(values);
  const path = operation.path.replace(/\{(\w+)\}/g, (_, name: string) => {
    const value = values[name];
    if (value === undefined) throw new Error(`${operation.id}: no value for the path parameter ${name}`);
    query.delete(name);
    return encodeURIComponent(value);
  });
  return query.size > 0 ? `${path}?${query}` : path;
}
