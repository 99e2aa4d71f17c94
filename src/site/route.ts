import type { Demand, DemandAnswers } from '../compute/on-demand/on-demand.ts';
import type { Contract } from '../contract/contract.ts';
import type { AnswerForm, Half, Operation } from '../contract/operation.ts';
import type { Outcome, Refused } from '../contract/outcome.ts';
import type { Parameter } from '../contract/parameter.ts';
import type { Pricing } from '../contract/pricing.ts';
import type { Violations } from '../contract/violations.ts';
import type { Dataset } from '../dataset/dataset.ts';
import type { BulkFile } from '../snapshot/dataset-files.ts';

/** A path and its handler: an operation of the API, a page, or a file. */
export interface Route {
  /** Kebab-case; names it in the log and the metrics. */
  readonly id: string;
  /** Path template as in OpenAPI: `/problems/{kind}/`. */
  readonly path: string;
  readonly kind: RouteKind;
  /** The half of the dataset that it reads. */
  readonly half: Half;
  readonly parameters: readonly Parameter[];
  readonly answer: AnswerForm;
  /** One line for people. */
  readonly summary: string;
  /** Cost of a 200, or of each found thing. */
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
  /** True when it counts as a map tile, not as a page. */
  readonly isTile: boolean;
  /** True when it counts as a computed page, because it takes as long. */
  readonly isCostly: boolean;
  /** True when it is served even without pages: problems link to it. */
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

/** Cost of a request, without the number of found things. Parameters that are `true` may add to it. */
export const unitsOf = ({ costUnits, parameters }: Route, values: Values): number =>
  parameters.reduce((sum, { name, moreUnits = 0 }) => sum + (values[name] === true ? moreUnits : 0), costUnits);

/** The data have the form of the answer: a value or its JSON as bytes, or the body itself for the form `other`. */
export type RouteOutcome = Outcome<unknown, Demand>;

/** The required members of a route. The others have defaults. */
type Given = Pick<Route, 'id' | 'path' | 'kind' | 'half' | 'parameters' | 'answer'> & Partial<Route>;

const USUAL: Omit<Route, 'id' | 'path' | 'kind' | 'half' | 'parameters' | 'answer'> = {
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

export const routeOf = <Id extends string>(given: Given & { readonly id: Id }): Route & { readonly id: Id } => ({
  ...USUAL,
  ...given,
});

/** The context of a request, besides the values of the parameters. */
export interface Context {
  readonly dataset: Dataset;
  /** Without a slash at the end; may have a path. */
  readonly siteUrl: string;
  readonly pricing: Pricing;
  /** Another map, drawn below ours; null: none. */
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

/** Another map, drawn below ours: raster tiles of a provider that the operator chose. */
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
  offer(datasetId: string, half: BulkHalf, code: string, file: BulkFile): BulkOffer | Promise<BulkOffer>;
}

/** Computes an answer for a page that is not in the dataset, or says why it cannot now. */
export type PageCompute = <K extends Demand['kind']>(
  demand: Extract<Demand, { kind: K }>,
) => Promise<DemandAnswers[K] | Refused>;
