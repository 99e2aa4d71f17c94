import type { Static, TObject, TSchema } from 'typebox';
import { DATASET_ID, type Parameter } from './parameter.ts';

/** When an operation or member of the API ends, and what replaces it (docs/versions.md). */
interface Deprecation {
  /** First day of the deprecation, YYYY-MM-DD. */
  since: string;
  /** Last day of service, YYYY-MM-DD, at least half a year later. After it the answer may be 404. */
  until: string;
  /** A URL that describes the replacement. */
  link: string;
}

/** The beginning of a day in UTC, milliseconds since 1970. */
const startOfDay = (day: string): number => Date.parse(`${day}T00:00:00Z`);

/**
 * The headers of a deprecated operation (RFC 9745, RFC 8594) as names and values in turn; empty when it is not
 * deprecated.
 */
export function deprecationHeaders(deprecated: Deprecation | undefined): string[] {
  if (deprecated === undefined) return [];
  const { since, until, link } = deprecated;
  // The operation still answers on its last day.
  const sunset = new Date(`${until}T24:00:00Z`).toUTCString();
  return ['Deprecation', `@${startOfDay(since) / 1000}`, 'Sunset', sunset, 'Link', `<${link}>; rel="deprecation"`];
}

/**
 * One operation of the service. Routing, validation, OpenAPI, the published schemas, the tables in docs/ and the cost
 * all follow from this value.
 */
export interface Operation {
  /** Kebab-case. It names the schema (`/schemas/<id>.json`) and, in camel case, the `operationId`. */
  id: string;
  /** Path template as in OpenAPI: `/api/v1/sunlight/building/{building_id}`. */
  path: string;
  /** The part of the API to which it belongs, which is also the part of the dataset that it reads. */
  section: Section;
  /** One line, without a full stop. */
  summary: string;
  /** Markdown: what is returned, in which order, and the meaning of null. */
  description: string;
  /** The order is that of the documentation. */
  parameters: readonly Parameter[];
  /** Cost of a 200 in cost units; 0 for documents. */
  costUnits: number;
  /** `result`: `costUnits` is the price of each found thing, not of the answer. */
  costPer?: 'result';
  /** True when the answer is computed on demand: in another thread, and only after payment. */
  isComputed?: true;
  answer: AnswerForm;
  /** `no-store`: each call gives another answer (a signed URL), so it has no ETag either. */
  cache?: 'no-store';
  /** The statuses of GET, for an operation whose statuses do not follow the rules of `statusesOf`. */
  statuses?: readonly number[];
  /** Valid requests; absent: that of `examplesOf`. Tests call each of them. Texts for language models have the first. */
  examples?: readonly ParameterTexts[];
  /** True when the operator has to switch the operation on. When it is off, it answers 501. */
  isOptional?: true;
  /** Set when the operation will end. */
  deprecated?: Deprecation;
  /** A sentence that the server lacks the data of the operation; absent when it has the data. */
  whyNoData?: string;
  /** How agents use it; absent when no tool has it. */
  tool?: ToolUse;
  /** True when it always has an answer, possibly an empty one. It never answers 404. */
  alwaysFinds?: true;
}

/**
 * The parts of the API. `sunlight` and `kaigo` read that half of the dataset, `search` the index of both, `site` none. `title`: heading of their operations; `tag`: for
 * OpenAPI; `whyNoData`: what a server without it lacks; `notLoaded`: the detail of its 503.
 */
export const SECTIONS = {
  sunlight: {
    title: 'Sunlight',
    tag: 'Direct sun on the buildings of Tokyo.',
    whyNoData: 'This server has no data of sunlight.',
    notLoaded: 'The sunlight half of the data is not loaded on this server.',
  },
  kaigo: {
    title: 'Care facilities',
    tag: 'Care facilities, compared.',
    whyNoData: 'This server has no care data.',
    notLoaded: 'The kaigo half of the data is not loaded on this server.',
  },
  search: {
    title: 'Search',
    tag: 'Places by name.',
    whyNoData: 'This server has no index of names.',
    notLoaded: 'The index of names is not loaded on this server.',
  },
  // Every server has it.
  site: {
    title: 'Descriptions, downloads, health',
    tag: 'Descriptions, problem pages, downloads and health.',
    whyNoData: '',
    notLoaded: '',
  },
} as const;
export type Section = keyof typeof SECTIONS;

/** The body of a 200. */
export type AnswerForm =
  /** `{data, meta}`, with the schema of `data`. */
  | { form: 'envelope'; data: TSchema }
  /** A GeoJSON object (RFC 7946) with `meta` as a foreign member. `schema` describes the object without `meta`. */
  | { form: 'geojson'; schema: TObject }
  /** A JSON document without envelope. */
  | { form: 'json'; mediaType: string; schema: TSchema }
  /** A body without JSON Schema. */
  | { form: 'other'; mediaType: string };

/** The media type of a 200. */
export function mediaTypeOf(answer: AnswerForm): string {
  if (answer.form === 'geojson') return 'application/geo+json';
  return answer.form === 'envelope' ? 'application/json' : answer.mediaType;
}

/** The value that an operation returns: `data` of its envelope, or its whole document. */
export type AnswerOf<O extends Operation> = O['answer'] extends { data: infer Data extends TSchema }
  ? Static<Data>
  : O['answer'] extends { schema: infer Schema extends TSchema }
    ? Static<Schema>
    : never;

/** Values by parameter name, as written in a URL. */
type ParameterTexts = Readonly<Record<string, string>>;

/** The example requests of an operation; without own ones, that with the example of each required parameter. */
export const examplesOf = ({ examples, parameters }: Operation): readonly ParameterTexts[] =>
  examples ?? [
    Object.fromEntries(parameters.filter(({ required }) => required).map(({ name, example }) => [name, example])),
  ];

/**
 * The statuses that an operation lists for GET. All operations under /api/ list the same errors, also those that they
 * never give (`neverGiven`). An answer with `no-store` has no 304, because it has no ETag.
 */
export function statusesOf({ path, section, cache, alwaysFinds, statuses }: Operation): readonly number[] {
  if (statuses !== undefined) return statuses;
  const successes = cache === 'no-store' ? [200] : [200, 304];
  if (path.startsWith('/api/')) return [...successes, 400, 401, 402, 404, 429, 500, 501, 503];
  return [...successes, 400, ...(alwaysFinds ? [] : [404]), 500, ...(section === 'site' ? [] : [503])];
}

/** Statuses that every operation under /api/ lists, but this operation never gives. */
export function neverGiven(operation: Operation): number[] {
  const { isOptional, alwaysFinds, parameters } = operation;
  const never404 = alwaysFinds && parameters.every(({ name }) => name !== DATASET_ID);
  return statusesOf(operation).filter((status) => (status === 404 && never404) || (status === 501 && !isOptional));
}

/**
 * The tools for agents (Model Context Protocol). There are only eight, because many tools and large answers cost an
 * agent its attention.
 */
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

/** How a tool uses the operation. */
interface ToolUse {
  name: ToolName;
  /** Names for agents, for parameters whose own name is short or lacks the unit. */
  arguments?: Readonly<Record<string, string>>;
  /** Parameters that agents cannot set. */
  without?: readonly string[];
  /** The list in `data` that the argument `limit` cuts. */
  list?: string;
  /** Members of `data` that agents do not get, at any depth. */
  leaveOut: readonly string[];
}
