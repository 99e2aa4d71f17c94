import type { Demand, DemandAnswers } from '../compute/on-demand/on-demand.ts';
import type { Found, Refused } from '../contract/outcome.ts';
import type { Parameter } from '../contract/parameter.ts';
import type { Pricing } from '../contract/pricing.ts';
import type { Dataset } from '../dataset/dataset.ts';

/** What a page can use besides the values of its parameters. */
export interface PageContext {
  readonly dataset: Dataset;
  /** Without a slash at the end. */
  readonly siteUrl: string;
  readonly pricing: Pricing;
  readonly compute: PageCompute;
  readonly baseMap: BaseMap | null;
  readonly state: ServiceState;
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

/** Computes what the dataset does not hold; where there is no room for it now, says why. */
export type PageCompute = <K extends Demand['kind']>(
  demand: Extract<Demand, { kind: K }>,
) => Promise<DemandAnswers[K] | Refused>;

/** A page for people, and whatever belongs to pages: style sheets, scripts, pictures, tiles. */
export interface Page {
  /** Kebab-case; names it in the log and the metrics. */
  readonly id: string;
  /** Path template as in OpenAPI: `/problems/{kind}/`. */
  readonly path: string;
  /** Query parameters that are not in the list are passed over. */
  readonly parameters: readonly Parameter[];
  readonly mediaType: string;
  /**
   * `public`: it follows from the dataset and the parameters, may be kept for five minutes, and is asked for again by
   * its ETag; `immutable`: it may be kept for ever; `no-store`: it depends on something else.
   */
  readonly cache: 'public' | 'immutable' | 'no-store';
  /** Headers of its own, name and value in turn: what the browser may load and do. */
  readonly headers: readonly string[];
  /** The name under which a browser saves it, ASCII; absent where it is shown. */
  fileName?(values: PageValues): string;
  /** Counts as a tile of the map, not as a page. */
  readonly isTile?: boolean;
  /** Counts as a page for which something is computed: making it takes as long. */
  readonly isCostly?: boolean;
  /** Whether it is also served where the operator wants no pages: problems link to it. */
  readonly staysWithoutPages?: boolean;
  render(values: PageValues, context: PageContext): PageOutcome | Promise<PageOutcome>;
}

/** Null: there is nothing at this path. */
export type PageOutcome = Found<PageBody> | Refused | null;

/** The values of a page's parameters by name. */
export type PageValues = Readonly<Record<string, unknown>>;

export type PageBody = string | Buffer | Packed;

/** Content that is kept packed and goes out as it is. */
export class Packed {
  readonly gzip: Buffer;
  readonly brotli: Buffer | null;

  constructor(gzip: Buffer, brotli: Buffer | null = null) {
    this.gzip = gzip;
    this.brotli = brotli;
  }
}
