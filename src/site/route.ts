import type { Demand, DemandAnswers } from '../compute/on-demand/on-demand.ts';
import type { Contract } from '../contract/contract.ts';
import type { AnswerForm, Half, Operation } from '../contract/operation.ts';
import type { Outcome, Refused } from '../contract/outcome.ts';
import type { Parameter } from '../contract/parameter.ts';
import type { Pricing } from '../contract/pricing.ts';
import type { Violations } from '../contract/violations.ts';
import type { Dataset } from '../dataset/dataset.ts';
import type { BulkFile } from '../snapshot/dataset-files.ts';

/** A path and what answers there: an operation of the API, a page, or a file. */
export interface Route {
  /** Kebab-case; names it in the log and the metrics. */
  readonly id: string;
  /** Path template as in OpenAPI: `/problems/{kind}/`. */
  readonly path: string;
  readonly kind: RouteKind;
  /** What it reads of the dataset. */
  readonly half: Half;
  readonly parameters: readonly Parameter[];
  readonly answer: AnswerForm;
  /** One line for people. */
  readonly summary: string;
  /** What a 200 costs, or each thing found with it. */
  readonly costUnits: number;
  /**
   * `public`: the answer follows from the dataset and the parameters. It may be kept for five minutes, and is asked for again by its
   * ETag. `immutable`: it may be kept for ever. `no-store`: it depends on something else.
   */
  readonly cache: 'public' | 'immutable' | 'no-store';
  /** Headers of its own, name and value in turn: what the browser may load and do. */
  readonly headers: readonly string[];
  readonly deprecated: Operation['deprecated'];
  /** The operator has to switch it on; off, it answers 501. */
  readonly isOptional: boolean;
  /** It counts as a tile of the map, not as a page. */
  readonly isTile: boolean;
  /** It counts as a page for which something is computed: making it takes as long. */
  readonly isCostly: boolean;
  /** It is also served where the operator wants no pages: problems link to it. */
  readonly staysWithoutPages: boolean;
  /** The route that answers at the same path when the query has a parameter. */
  readonly variant: { readonly parameter: string; readonly route: Route } | null;
  /** The name under which a browser saves the answer, ASCII; null where the answer is shown. */
  fileName: ((values: Values) => string) | null;
  /** Reads the parameters of a request, where their schemas do not say how. */
  read: ((query: string, contract: Contract) => Values | Violations) | null;
  /** What comes of a request; a promise only where something has to be waited for. */
  find(values: Values, context: Context): RouteOutcome | Promise<RouteOutcome>;
}

/**
 * Decides the steps of a request (`LIVES` in `api/life.ts`). `api`: limited, authenticated, validated and charged; `document`: free,
 * its query is not looked at; `page`: for people, and whatever belongs to pages; `comparison`: answers of operations side by side,
 * limited and charged as they are; `download`: a file behind a signed URL; `map`: the whole map as a file.
 */
export type RouteKind = 'api' | 'document' | 'page' | 'comparison' | 'download' | 'map';

/** The values of a route's parameters by name. */
export type Values = Readonly<Record<string, unknown>>;

/** What a request costs beside the number of things found: parameters that are `true` may add to it. */
export const unitsOf = ({ costUnits, parameters }: Route, values: Values): number =>
  parameters.reduce((sum, { name, moreUnits = 0 }) => sum + (values[name] === true ? moreUnits : 0), costUnits);

/** The data belong to the form of the answer: a value or its JSON as bytes, or the body itself where the form is `other`. */
export type RouteOutcome = Outcome<unknown, Demand>;

/** What has to be said of a route; the rest has usual values. */
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

/** What finding an answer can use besides the values of the parameters. */
export interface Context {
  readonly dataset: Dataset;
  /** Without a slash at the end; may have a path. */
  readonly siteUrl: string;
  readonly pricing: Pricing;
  /** Another map, drawn below ours; null where the operator wants none. */
  readonly baseMap: BaseMap | null;
  readonly state: ServiceState;
  readonly offers: BulkOffers;
  readonly compute: PageCompute;
}

/** How the service is at the moment. */
export interface ServiceState {
  /** Damage is known of the dataset that is served. */
  isDamaged: boolean;
  /** It is shutting down. */
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

/** Where the URLs of bulk answers lead: to this server, or into a store. */
export interface BulkOffers {
  offer(datasetId: string, half: BulkHalf, code: string, file: BulkFile): BulkOffer | Promise<BulkOffer>;
}

/** Computes for a page what the dataset does not hold; where there is no room for it now, says why. */
export type PageCompute = <K extends Demand['kind']>(
  demand: Extract<Demand, { kind: K }>,
) => Promise<DemandAnswers[K] | Refused>;
