import type { Section } from '../contract/operation.ts';
import { type Refused, refused } from '../contract/outcome.ts';
import type { Parameter } from '../contract/parameter.ts';
import type { KaigoAnswers } from '../dataset/kaigo.ts';
import type { SunlightAnswers } from '../dataset/sunlight.ts';
import { type Language, prefixOf } from './language.ts';
import type { Html } from './markup.ts';
import type { Context } from './route.ts';
import { TEXTS, type Texts } from './texts/texts.ts';

/** The input of a page: what the visitor asks for, and the context of the request. */
export interface PageAsk extends Omit<Context, 'offers'> {
  language: Language;
  /** Values of the parameters in the path, percent-decoded. */
  values: Readonly<Record<string, string>>;
  /** Values of the parameters in the query. */
  query: URLSearchParams;
}

/** The input of a page about buildings: the dataset has a sunlight half. */
export interface SunlightAsk extends PageAsk {
  sunlight: SunlightAnswers;
}

/** The input of a page about care: the dataset has a care half. */
export interface KaigoAsk extends PageAsk {
  kaigo: KaigoAnswers;
}

/** The input of a page by its section. */
interface AskOf {
  site: PageAsk;
  search: PageAsk;
  sunlight: SunlightAsk;
  kaigo: KaigoAsk;
}

/** A link on the way from the first page to this one (breadcrumb). */
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
  /** Names of the scripts of the page. */
  scripts?: readonly string[];
  /** True when it has its own search field, so the frame has none. */
  hasSearch?: boolean;
  /** True for a page about one person's question: it is hidden from search engines. */
  isPersonal?: boolean;
  /** Names of the parameters that its printed address leaves out. */
  notPrinted?: readonly string[];
  /** Set when a part was not computed this time; `lacksAnswer`: not even the requested part is there. */
  incomplete?: { refusal: Refused; lacksAnswer: boolean };
}

/** What the code of a row of the table of pages gives: a page, the text of a document, or a refusal. */
export type PageResult = PageView | { kind: 'document'; text: string } | Refused;

/** A row of the table of pages: the path and the code of a page. Its section decides what the code gets. */
export type PageRow = { [H in Section]: RowOf<H> }[Section];

/** A row for a document that has one address for all languages. */
export type DocumentRow = PageRow & { mediaType: string };

interface RowOf<H extends Section> {
  id: string;
  /** Path below the root of a language, with `{names}`; it ends in `/` for pages. */
  path: string;
  /** What it needs of the dataset. */
  section: H;
  parameters: readonly Parameter[];
  /** ID of the operation whose answer is at `<page>/index.json`; without one, the text of the page is there. */
  twin?: string;
  /** Another operation for `<page>/index.json` when the query has a certain parameter. */
  twinWith?: TwinWith;
  /** For a comparison page: `<page>/index.json` has the answers of several operations. */
  twinOfParts?: Pick<ComparisonTwin, 'parameter' | 'most' | 'callOf'>;
  /** HTTP headers, names and values alternating, of a page that may load or do more than other pages. */
  headers?: readonly string[];
  /** True when it depends on settings of the server. */
  isUncached?: true;
  /** True for a page that takes as long as a computed one: the limit of computed pages counts it. */
  isCostly?: true;
  /** True for a page that is served even when the operator has switched off pages. */
  staysWithoutPages?: true;
  /** The code of the page, loaded when it is first needed. */
  load(): Promise<(ask: AskOf[H]) => PageResult | Promise<PageResult>>;
}

/**
 * The operation that answers at a page's `index.json` when the query has a parameter. In the operation's path this
 * parameter is a part of the path.
 */
export interface TwinWith {
  parameter: string;
  operationId: string;
}

/** The JSON of a comparison page: the answers about the things that a parameter lists. */
export interface ComparisonTwin {
  id: string;
  path: string;
  section: 'sunlight' | 'kaigo';
  parameter: Parameter;
  /** Limit of the entries. */
  most: number;
  /** The API call for an entry; null for an invalid entry. */
  callOf(entry: string): PartCall | null;
}

/** An API call: its parameters in the path and in the query, name and value. */
interface PartCall {
  operationId: string;
  path: [string, string][];
  query: [string, string][];
}

/** A query parameter of a page; it is optional. */
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

/** The path part of the site URL, with which every link begins. */
export function basePath(siteUrl: string): string {
  return new URL(siteUrl).pathname.replace(/\/$/, '');
}

/** A link to a page in the language of the current page. */
export const pageLink = ({ siteUrl, language }: Pick<PageAsk, 'siteUrl' | 'language'>, path: string): string =>
  basePath(siteUrl) + prefixOf(language) + path;

/** A path with a query; without one when there are no pairs. */
export const withQuery = (path: string, pairs: [string, string][]): string =>
  pairs.length === 0 ? path : `${path}?${new URLSearchParams(pairs)}`;

/** A link to things without a language: data, assets, the API. */
export const fileLink = ({ siteUrl }: Pick<PageAsk, 'siteUrl'>, path: string): string => basePath(siteUrl) + path;

/** The texts in the language of the current page. */
export const textsOf = ({ language }: Pick<PageAsk, 'language'>): Texts => TEXTS[language];

/** The refusal of a page about a thing that does not exist. */
export const notFound = (detail: string): PageResult => refused('not-found', detail);

/** The refusal of a request in which a known parameter has an invalid value. */
export const invalid = (detail: string): PageResult => refused('invalid-parameter', detail);

/** What stands between two sentences: a space in English, nothing in Japanese. */
export const sentenceGap = ({ frame }: Pick<Texts, 'frame'>): string => frame.sentences('', '');

/** The entries of parameters in the query that are lists, separated by commas or spaces; without empty entries. */
export const listed = ({ query }: Pick<PageAsk, 'query'>, ...names: string[]): string[] =>
  names.flatMap((name) => (query.get(name) ?? '').split(/[\s,]+/)).filter((word) => word !== '');
