import type { Parameter, ValuesOf } from '../contract/parameter.ts';
import type { Pricing } from '../contract/pricing.ts';
import type { Dataset } from '../dataset/dataset.ts';

/** What a page can use besides the values of its parameters. */
export interface PageContext {
  readonly dataset: Dataset;
  /** Without a slash at the end. */
  readonly siteUrl: string;
  readonly pricing: Pricing;
}

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
  /** The page, or null where there is none at this path. */
  render(values: PageValues, context: PageContext): PageBody | null | Promise<PageBody | null>;
}

/** The values of a page's parameters by name. */
export type PageValues = Readonly<Record<string, unknown>>;

export type PageBody = string | Buffer;

/** A page whose `render` knows the types of its parameters. */
type TypedPage<Parameters extends readonly Parameter[]> = Omit<Page, 'parameters' | 'render'> & {
  parameters: Parameters;
  render(values: ValuesOf<Parameters>, context: PageContext): PageBody | null | Promise<PageBody | null>;
};

/** Makes a row of the table of pages. */
export function page<const Parameters extends readonly Parameter[]>(typed: TypedPage<Parameters>): Page {
  // The values are read by the page's own list of parameters, of which their type is made.
  return { ...typed, render: (values, context) => typed.render(values as ValuesOf<Parameters>, context) };
}
