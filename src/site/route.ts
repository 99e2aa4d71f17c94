import type { Demand, DemandAnswers } from '../compute/on-demand/on-demand.ts';
import type { Contract } from '../contract/contract.ts';
import type { AnswerForm, Operation, Section } from '../contract/operation.ts';
import type { Outcome, Refused } from '../contract/outcome.ts';
import type { Parameter } from '../contract/parameter.ts';
import type { Pricing } from '../contract/pricing.ts';
import type { Violations } from '../contract/problems.ts';
import type { Dataset } from '../dataset/dataset.ts';
import type { BulkFile } from '../snapshot/dataset-files.ts';

/** A path and its handler: an operation of the API, a page, or a file. */
export interface Route {
  /** Kebab-case; names it in the log and the metrics. */
  readonly id: string;
  /** Path template as in OpenAPI: `/problems/{kind}/`. */
  readonly path: string;
  readonly kind: RouteKind;
  /** What it reads of the dataset. */
  readonly section: Section;
  readonly parameters: readonly Parameter[];
  readonly answer: AnswerForm;
  /** One line for people. */
  readonly summary: string;
  /** Cost in units of an answer with status 200, or of each thing found when a request asks for several. */
  readonly costUnits: number;
  /**
   * `public`: the answer depends only on the dataset and the parameters. It may be cached for five minutes and then
   * revalidated by its ETag. `immutable`: it may be cached for ever. `no-store`: it depends on something else.
   */
  readonly cache: 'public' | 'immutable' | 'no-store';
  /** Its own headers, name and value alternating: what the browser may load and do. */
  readonly headers: readonly string[];
  readonly deprecated: Operation['deprecated'];
  /** True when the operator has to switch it on; otherwise it answers 501. */
  readonly isOptional: boolean;
  /** True when the limits count it as a map tile, not as a page. */
  readonly isTile: boolean;
  /** True when the limits count it as a computed page, because it takes as long. */
  readonly isCostly: boolean;
  /** True when it is served even when the operator has switched off pages: problems link to it. */
  readonly staysWithoutPages: boolean;
  /** The route that answers at the same path when the query has a parameter. */
  readonly variant: { readonly parameter: string; readonly route: Route } | null;
  /** The file name for saving the answer, ASCII; null when the browser shows it. */
  fileName: ((values: Values) => string) | null;
  /** Reads the parameters of a request, if their schemas do not suffice. */
  read: ((query: string, contract: Contract) => Values | Violations) | null;
  /** The outcome of a request; a promise only when it has to wait. */
  find(values: Values, context: Context): RouteOutcome | Promise<RouteOutcome>;
}

/**
 * Selects the steps of a request (`LIVES` in `api/life.ts`). `api`: limited, authenticated, validated and charged;
 * `document`: free, its query is ignored; `page`: for people, with everything that belongs to pages; `comparison`:
 * answers of several operations, limited and charged as these; `download`: a file behind a signed URL; `map`: the whole
 * map as a file.
 */
export type RouteKind = 'api' | 'document' | 'page' | 'comparison' | 'download' | 'map';

/** The values of a route's parameters by name. */
export type Values = Readonly<Record<string, unknown>>;

/** Cost of a request in units, for one thing. A parameter with `moreUnits` adds them when its value is `true`. */
export const unitsOf = ({ costUnits, parameters }: Route, values: Values): number =>
  parameters.reduce((sum, { name, moreUnits = 0 }) => sum + (values[name] === true ? moreUnits : 0), costUnits);

/** The outcome of a request. Its data are a value or the JSON of one as bytes; for the form `other`, the whole body. */
export type RouteOutcome = Outcome<unknown, Demand>;

/** The members that every route states; the others have default values. */
type RequiredMember = 'id' | 'path' | 'kind' | 'section' | 'parameters' | 'answer';

const DEFAULTS: Omit<Route, RequiredMember> = {
  summary: '',
  costUnits: 0,
  cache: 'public',
  headers: [],
  deprecated: undefined,
  isOptional: false,
  isTile: false,
  isCostly: false,
  staysWithoutPages: false,
  variant: null,
  fileName: null,
  read: null,
  find() {
    throw new Error('a file is sent, not looked up');
  },
};

/** A route from its own members; the others get their default values. */
export const routeOf = <Id extends string>(
  members: Pick<Route, RequiredMember> & Partial<Route> & { readonly id: Id },
): Route & { readonly id: Id } => ({ ...DEFAULTS, ...members });

/** The context of a request, besides the values of the parameters. */
export interface Context {
  readonly dataset: Dataset;
  /** Without a slash at the end; may have a path. */
  readonly siteUrl: string;
  readonly pricing: Pricing;
  /** A map of another provider below the buildings; null: none. */
  readonly baseMap: BaseMap | null;
  /** True when pages become files of an export: they offer nothing that needs a server. */
  readonly isStatic: boolean;
  readonly state: ServiceState;
  readonly offers: BulkOffers;
  readonly compute: PageCompute;
}

/** The present state of the service. */
export interface ServiceState {
  /** True when the served dataset is known to be damaged. */
  isDamaged: boolean;
  /** True during shutdown. */
  isDraining: boolean;
}

/** A map of another provider, which the operator chose, as raster tiles. */
export interface BaseMap {
  /** With `{z}`, `{x}` and `{y}`. */
  tiles: string;
  credit: string;
  maxzoom: number;
}

export type BulkHalf = 'sunlight' | 'kaigo';

/** A URL that works without a key until it expires. */
export interface BulkOffer {
  url: string;
  expiresAt: Date;
}

/** Makes the URLs of bulk answers: to this server, or into a store. */
export interface BulkOffers {
  /** A URL of a bulk file of this ward or prefecture, and when it expires. */
  offer(datasetId: string, half: BulkHalf, code: string, file: BulkFile): BulkOffer | Promise<BulkOffer>;
}

/** Computes an answer for a page that is not in the dataset, or says why it cannot now. */
export type PageCompute = <K extends Demand['kind']>(
  demand: Extract<Demand, { kind: K }>,
) => Promise<DemandAnswers[K] | Refused>;
