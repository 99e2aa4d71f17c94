import type { Static, TObject, TSchema } from 'typebox';
import { DATASET_ID, fillPath, type Parameter } from './parameter.ts';

/** When an operation or member of the API ends, and what replaces it: docs/versions.md has the policy. */
interface Deprecation {
  /** The day from which it is deprecated, YYYY-MM-DD. */
  since: string;
  /** The day after which it may answer 404, YYYY-MM-DD: at least half a year later. */
  until: string;
  /** Where to read what replaces it. */
  link: string;
}

const midnight = (day: string): number => Date.parse(`${day}T00:00:00Z`);

/** The headers of a deprecated operation (RFC 9745, RFC 8594), name and value in turn; none for any other. */
export function deprecationHeaders(deprecated: Deprecation | undefined): string[] {
  if (deprecated === undefined) return [];
  const { since, until, link } = deprecated;
  const sunset = new Date(midnight(until)).toUTCString();
  return ['Deprecation', `@${midnight(since) / 1000}`, 'Sunset', sunset, 'Link', `<${link}>; rel="deprecation"`];
}

/**
 * One operation of the service. Routing, validation, OpenAPI, the published schemas, the tables in docs/ and the cost follow from this
 * value alone.
 */
export interface Operation {
  /** Kebab-case; names its schema (`/schemas/<id>.json`) and, in camel case, its `operationId`. */
  id: string;
  /** Path template as in OpenAPI: `/api/v1/sunlight/building/{building_id}`. */
  path: string;
  /** Which half of the dataset it reads; `search` reads the index of both, `site` needs none. */
  half: Half;
  /** One line, without a full stop. */
  summary: string;
  /** Markdown: what comes back, in which order, and what null means. */
  description: string;
  /** In the order in which they are documented. */
  parameters: readonly Parameter[];
  /** What a 200 costs; 0 for documents. */
  costUnits: number;
  /** `result`: `costUnits` is the price of each thing that was found, not of the answer. */
  costPer?: 'result';
  /** True where the answer is computed on demand, on a thread of its own and only once it is paid. */
  isComputed?: true;
  answer: AnswerForm;
  /** `no-store`: the answer differs from call to call (a signed URL); it has no ETag either. */
  cache: 'public' | 'no-store';
  /** Every status that GET can give. */
  statuses: readonly number[];
  /** Requests that work, for the docs; each is called in the tests. The first one is also the OpenAPI example. */
  examples: readonly RequestExample[];
  /** True while the operator has to switch the operation on; off, it answers 501. */
  optional?: true;
  /** That it ends; absent for what stays. */
  deprecated?: Deprecation;
  /** A sentence that the server lacks the data of the operation; absent where it has them. */
  missing?: string;
  /** How agents use it; absent where no tool offers it. */
  tool?: ToolUse;
  /** True where there is always an answer, even an empty one: it never answers 404. */
  alwaysFinds?: true;
}

export type Half = 'sunlight' | 'kaigo' | 'search' | 'site';

/** Why an operation or a page that reads a half cannot answer while it is not there. */
export const notLoaded = (half: string): string =>
  half === 'search'
    ? 'The index of names is not loaded on this server.'
    : `The ${half} half of the data is not loaded on this server.`;

/** What a 200 carries. */
export type AnswerForm =
  /** `{data, meta}`; `data` is the schema of the first member. */
  | { form: 'envelope'; data: TSchema }
  /** A GeoJSON object (RFC 7946) with `meta` as a foreign member; `schema` is that of the object without it. */
  | { form: 'geojson'; mediaType: 'application/geo+json'; schema: TObject }
  /** A JSON document of its own. */
  | { form: 'json'; mediaType: string; schema: TSchema }
  /** Something that JSON Schema does not describe. */
  | { form: 'other'; mediaType: string };

export const mediaTypeOf = (answer: AnswerForm): string =>
  answer.form === 'envelope' ? 'application/json' : answer.mediaType;

/** The value that an operation finds: `data` of its envelope, or the whole of its document. */
export type AnswerOf<O extends Operation> = O['answer'] extends { data: infer Data extends TSchema }
  ? Static<Data>
  : O['answer'] extends { schema: infer Schema extends TSchema }
    ? Static<Schema>
    : never;

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
export function neverGiven({ statuses, optional, alwaysFinds, parameters }: Operation): number[] {
  const isAlwaysThere = alwaysFinds && parameters.every(({ name }) => name !== DATASET_ID);
  return statuses.filter((status) => (status === 404 && isAlwaysThere) || (status === 501 && !optional));
}

/**
 * The path and query string of a request.
 * @param values by parameter name, as written in a URL; names that the operation does not know go to the query.
 * @throws Error when a path parameter is missing.
 */
export function requestTarget({ path }: Operation, values: Readonly<Record<string, string>>): string {
  return fillPath(path, values);
}

/** The tools that agents see (Model Context Protocol). Many tools and large answers cost an agent its attention: eight. */
export const TOOL_NAMES = [
  'find_place',
  'find_buildings',
  'building_sun',
  'compare_buildings',
  'find_care_facilities',
  'care_facility',
  'compare_care_facilities',
  'bulk_download',
] as const;
export type ToolName = (typeof TOOL_NAMES)[number];

/** How an operation is offered to agents. */
interface ToolUse {
  name: ToolName;
  /** What an agent calls a parameter, where its name lacks the unit or is short. */
  arguments?: Readonly<Record<string, string>>;
  /** Parameters that an agent does not get. */
  without?: readonly string[];
  /** The list in `data` that the argument `limit` cuts. */
  list?: string;
  /** Members of `data` that an agent does not get, at any depth. */
  leaveOut: readonly string[];
}
