import type { Half } from '../contract/operation.ts';
import { type Refused, refused } from '../contract/outcome.ts';
import type { Parameter } from '../contract/parameter.ts';
import type { KaigoAnswers } from '../dataset/kaigo.ts';
import type { SunlightAnswers } from '../dataset/sunlight.ts';
import { type Language, prefixOf } from './language.ts';
import type { Html } from './markup.ts';
import type { Context } from './route.ts';
import { TEXTS, type Texts } from './texts/texts.ts';

/** What a page is asked for. */
export interface PageAsk extends Omit<Context, 'offers'> {
  language: Language;
  /** Of the path, percent-decoded. */
  values: Readonly<Record<string, string>>;
  query: URLSearchParams;
}

/** What a page about buildings is asked for: the dataset has a sunlight half. */
export interface SunlightAsk extends PageAsk {
  sunlight: SunlightAnswers;
}

/** What a page about care is asked for: the dataset has a care half. */
export interface KaigoAsk extends PageAsk {
  kaigo: KaigoAnswers;
}

/** What a page is asked for, by the half of the dataset that it shows. */
interface AskOf {
  site: PageAsk;
  search: PageAsk;
  sunlight: SunlightAsk;
  kaigo: KaigoAsk;
}

/** A link on the way from the first page to this one. */
export interface Crumb {
  name: string;
  path: string;
}

/** A page for people, without its frame. */
export interface PageView {
  kind: 'page';
  title: string;
  description: string;
  crumbs?: readonly Crumb[];
  main: Html;
  /** Names of scripts that the page is better with. */
  scripts?: readonly string[];
  /** It has a search field of its own: the frame needs none. */
  hasSearch?: boolean;
  /** Kept from search engines: it shows one person's question. */
  isPersonal?: boolean;
  /** It shows less than it could at another time; `isShort`: not even what was asked for. */
  passing?: { because: Refused; isShort: boolean };
}

/** What comes of asking for a page. */
export type PageResult = PageView | { kind: 'document'; text: string } | Refused;

/** A row of the table of pages: where a page stands and what shows it. What it shows belongs to its half. */
export type PageRow = { [H in Half]: RowOf<H> }[Half];

/** The same for what has one address for all languages. */
export type DocumentRow = PageRow & { mediaType: string };

interface RowOf<H extends Half> {
  id: string;
  /** From the root of a language, with `{names}`; `…/` for pages. */
  path: string;
  /** What it needs of the dataset. */
  half: H;
  parameters: readonly Parameter[];
  /** The operation whose answer stands at `<page>/index.json`; without one, what the page says does. */
  twin?: string;
  twinWith?: TwinWith;
  /** In place of that, for a page that compares: the answers of several operations. */
  twinOfParts?: Pick<ComparisonTwin, 'parameter' | 'most' | 'partOf'>;
  /** What the browser may load and do, where that is more than for other pages. */
  headers?: readonly string[];
  /** It depends on settings of the server. */
  isUncached?: true;
  /** It counts as a page for which something is computed: making it takes as long. */
  isCostly?: true;
  /** It is served where the operator wants no pages, too. */
  staysWithoutPages?: true;
  /** What shows it, loaded when it is first needed. */
  load(): Promise<(ask: AskOf[H]) => PageResult | Promise<PageResult>>;
}

/** The operation that answers at a page's `index.json` when the query has a parameter, which in its own path is a part of the path. */
export interface TwinWith {
  parameter: string;
  operationId: string;
}

/** What stands beside a page that compares: the answers about what the words of a parameter name. */
export interface ComparisonTwin {
  id: string;
  path: string;
  half: 'sunlight' | 'kaigo';
  parameter: Parameter;
  /** Words at most. */
  most: number;
  /** The call of an operation that answers for a word; null for a word that names nothing. */
  partOf(entry: string): PartCall | null;
}

/** A call of an operation: its parameters in the path and in the query, name and value. */
interface PartCall {
  operationId: string;
  path: [string, string][];
  query: [string, string][];
}

/** A parameter of the query; a page can do without it. */
export const inQuery = (
  name: string,
  schema: Parameter['schema'],
  description: string,
  example: string,
): Parameter => ({
  name,
  in: 'query',
  required: false,
  schema,
  description,
  example,
});

/** The path part of the site URL: what every link begins with. */
export function basePath(siteUrl: string): string {
  return new URL(siteUrl).pathname.replace(/\/$/, '');
}

/** A link to a page in the language of the page at hand. */
export const pageLink = ({ siteUrl, language }: Pick<PageAsk, 'siteUrl' | 'language'>, path: string): string =>
  basePath(siteUrl) + prefixOf(language) + path;

/** A link to what has no language: data, assets, the API. */
export const fileLink = ({ siteUrl }: Pick<PageAsk, 'siteUrl'>, path: string): string => basePath(siteUrl) + path;

/** The texts in the language of the page at hand. */
export const textsOf = ({ language }: Pick<PageAsk, 'language'>): Texts => TEXTS[language];

/** There is no such thing. */
export const notFound = (detail: string): PageResult => refused('not-found', detail);

/** A parameter that the page knows has a value it cannot have. */
export const invalid = (detail: string): PageResult => refused('invalid-parameter', detail);

/** The words of comma lists in the query. */
export const listed = ({ query }: Pick<PageAsk, 'query'>, ...names: string[]): string[] =>
  names.flatMap((name) => (query.get(name) ?? '').split(/[\s,]+/)).filter((word) => word !== '');
