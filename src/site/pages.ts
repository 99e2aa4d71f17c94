import { pageParametersFor } from '../contract/contract.ts';
import { llmsFullText, llmsText } from '../contract/llms.ts';
import { SECTIONS, type Section } from '../contract/operation.ts';
import { OPERATIONS } from '../contract/operations.ts';
import { found, refused } from '../contract/outcome.ts';
import { DATASET_ID, fillPath, type Parameter } from '../contract/parameter.ts';
import { PROBLEM_KINDS } from '../contract/problems.ts';
import { PAGE_SCHEMA } from '../contract/schema-document.ts';
import type { Manifest } from '../snapshot/manifest.ts';
import { metaOf } from '../snapshot/meta.ts';
import { contractOf } from './example-urls.ts';
import { Assets, HTML, HTML_HEADERS, pageAssets, SVG_HEADERS } from './frame/assets.ts';
import { changesFeed, robotsText, sitemapText } from './frame/discovery.ts';
import { framed } from './frame/frame.ts';
import { careTableCsv } from './kaigo/table-csv.ts';
import { LANGUAGES, type Language, prefixOf } from './language.ts';
import { MAP_ROUTES } from './map/map-files.ts';
import { DOCUMENT_TABLE, PAGE_TABLE } from './page-table.ts';
import { canBeLinked, type PageProblem, problemView } from './prose/problem-pages.ts';
import { type BaseMap, type Context, type Route, type RouteOutcome, routeOf, type Values } from './route.ts';
import { TEXTS } from './texts/texts.ts';
import {
  type ComparisonTwin,
  type DocumentRow,
  type PageAsk,
  type PageResult,
  type PageRow,
  type PageView,
  type TwinWith,
  withQuery,
} from './view.ts';

/** Media type of Markdown: browsers show plain text instead of saving it. */
const MARKDOWN = 'text/plain; charset=utf-8';

const assets = new Assets(pageAssets());

/** Every route of the site, in the order of matching. */
const SITE_ROUTES: readonly Route[] = [
  ...LANGUAGES.flatMap((language) => PAGE_TABLE.map((row) => pageRoute(row, language))),
  ...LANGUAGES.flatMap((language) =>
    PAGE_TABLE.filter(({ twin, twinOfParts }) => twin === undefined && twinOfParts === undefined).map((row) =>
      twinRoute(row, language),
    ),
  ),
  ...DOCUMENT_TABLE.map(documentRoute),
  ...assets.all().map(([path, { name, mediaType, content }]) =>
    routeOf({
      id: `asset-${name.replaceAll('.', '-')}`,
      path,
      kind: 'page',
      section: 'site',
      parameters: [],
      answer: { form: 'other', mediaType },
      cache: 'immutable',
      staysWithoutPages: true,
      find: () => found(content),
    }),
  ),
  careTableCsv,
  ...MAP_ROUTES,
  textRoute('changes', '/changes.atom', 'application/atom+xml', changesFeed),
  textRoute('sitemap', '/sitemap.xml', 'application/xml', sitemapText),
  textRoute('llms', '/llms.txt', MARKDOWN, ({ dataset, siteUrl }) => llmsText(contractOf(dataset).operations, siteUrl)),
  textRoute('llms-full', '/llms-full.txt', MARKDOWN, ({ dataset, siteUrl }) =>
    llmsFullText(contractOf(dataset).operations, siteUrl),
  ),
  textRoute('robots', '/robots.txt', 'text/plain; charset=utf-8', robotsText),
];

/** The routes of the site. With a base map of another provider, the map's pages may also load its tiles. */
export function siteRoutes(baseMap: BaseMap | null): readonly Route[] {
  if (baseMap === null) return SITE_ROUTES;
  // With braces, such as those of `{z}`, the address would not be a valid URL.
  const { origin } = new URL(baseMap.tiles.replace(/[{}]/g, ''));
  const allowed = (header: string): string =>
    header
      .replace("img-src 'self'", `img-src 'self' ${origin}`)
      .replace("connect-src 'self'", `connect-src 'self' ${origin}`);
  return SITE_ROUTES.map((route) =>
    /^map-page-/.test(route.id) ? { ...route, headers: route.headers.map(allowed) } : route,
  );
}

/** A page path, and the operation whose answer is the JSON beside the page (its twin). */
interface Twin {
  path: string;
  operationId: string;
  twinWith: TwinWith | null;
}

/** The pages that have the answer of an operation at `<page>/index.json`. */
export const TWINS: readonly Twin[] = PAGE_TABLE.flatMap(({ path, twin, twinWith = null }) =>
  twin === undefined ? [] : [{ path, operationId: twin, twinWith }],
);

/** The `index.json` of comparison pages, in every language. */
export const COMPARISON_TWINS: readonly ComparisonTwin[] = PAGE_TABLE.flatMap(({ id, path, section, twinOfParts }) =>
  twinOfParts === undefined || section === 'site' || section === 'search'
    ? []
    : LANGUAGES.map((language) => ({
        id: `${id}-twin`,
        path: `${prefixOf(language)}${path}index.json`,
        section,
        ...twinOfParts,
      })),
);

/** Makes the route of a page in one language. */
function pageRoute(row: PageRow, language: Language): Route {
  return routeOf({
    id: `${row.id}-page-${language}`,
    path: prefixOf(language) + row.path,
    kind: 'page',
    section: row.section,
    parameters: row.parameters,
    answer: { form: 'other', mediaType: HTML },
    cache: row.isUncached ? 'no-store' : 'public',
    headers: row.headers ?? HTML_HEADERS,
    isCostly: row.isCostly ?? false,
    staysWithoutPages: row.staysWithoutPages ?? false,
    async find(values, context) {
      const result = await resultOf(row, language, values, context);
      if (result.kind !== 'page') return outcomeOf(result);
      const { siteUrl, isStatic, dataset } = context;
      const requested = requestedIn(row, values);
      const text = framed(result, {
        siteUrl,
        isStatic,
        language,
        path: fillPath(row.path, textsIn('path', row, values)),
        query: String(new URLSearchParams(requested)),
        manifest: dataset.manifest,
        asset: assetLink(siteUrl),
        hasAddress: true,
        isRefusal: result.incomplete?.lacksAnswer ?? false,
        twinPath: isStatic ? null : twinPathOf(row, values, requested),
      });
      if (result.incomplete === undefined) return found(text);
      // The page says that a part could not be computed. When that part is what was asked for, the status says so too.
      // In both cases the page is temporary: it is not cached.
      const { refusal, lacksAnswer } = result.incomplete;
      return { ...found(text), temporaryStatus: lacksAnswer ? PROBLEM_KINDS[refusal.problem].status : 200 };
    },
  });
}

/** The parameters that choose the part and the order of a list. */
const OF_LISTS: readonly string[] = ['page', 'sort', DATASET_ID];

/**
 * The path and query of the JSON of a page below the root of its language. The text of a page takes its whole query; an
 * operation those of `OF_LISTS` that it has. Null when there is none: a comparison of nothing, or an operation of which a
 * parameter has no value.
 */
function twinPathOf(row: PageRow, values: Values, requested: readonly [name: string, value: string][]): string | null {
  if (row.twinOfParts !== undefined) return null;
  const { parameters = null } = OPERATIONS.find(({ id }) => id === row.twin) ?? {};
  if (parameters?.some(({ name, required }) => required && values[name] === undefined)) return null;
  const taken = requested.filter(
    ([name]) => parameters?.some((parameter) => parameter.name === name && OF_LISTS.includes(name)) ?? true,
  );
  return withQuery(`${fillPath(row.path, textsIn('path', row, values))}index.json`, taken);
}

/** Makes the route of the JSON twin of a page without an operation: the page's text. */
function twinRoute(row: PageRow, language: Language): Route {
  const page = pageRoute(row, language);
  return {
    ...page,
    id: `${row.id}-twin-${language}`,
    path: `${page.path}index.json`,
    answer: { form: 'other', mediaType: 'application/json' },
    headers: [],
    async find(values, context) {
      const result = await resultOf(row, language, values, context);
      if (result.kind !== 'page') return outcomeOf(result);
      const { siteUrl, dataset } = context;
      const url = siteUrl + prefixOf(language) + fillPath(row.path, textsIn('path', row, values));
      return found(pageTwin(result, { siteUrl, url, language, section: row.section, manifest: dataset.manifest }));
    },
  };
}

/**
 * Makes the route of a document, such as a drawing. It is answered like a page; its words are Japanese unless `lang` is
 * `en`.
 * @throws {Error} When its code gives a page.
 */
function documentRoute(row: DocumentRow): Route {
  return routeOf({
    id: row.id,
    path: row.path,
    kind: 'page',
    section: row.section,
    parameters: row.parameters,
    answer: { form: 'other', mediaType: row.mediaType },
    headers: row.mediaType === 'image/svg+xml' ? SVG_HEADERS : [],
    async find(values, context) {
      const language = values.lang === 'en' ? 'en' : 'ja';
      const result = await resultOf(row, language, values, context, SECTIONS[row.section].notLoaded);
      // Documents (drawings, texts) and pages are made in the same way. A row of this table must not make a page.
      if (result.kind === 'page') throw new Error(`${row.id}: a page instead of a document`);
      return outcomeOf(result);
    },
  });
}

/** The outcome of a request whose result is a document or a refusal. */
const outcomeOf = (result: Exclude<PageResult, PageView>): RouteOutcome =>
  result.kind === 'document' ? found(result.text) : result;

/** Makes the route of a text without parameters, such as `robots.txt`. */
function textRoute(
  id: string,
  path: string,
  mediaType: string,
  text: (context: Context) => string | Promise<string>,
): Route {
  return routeOf({
    id,
    path,
    kind: 'page',
    section: 'site',
    parameters: [],
    answer: { form: 'other', mediaType },
    find: async (_, context) => found(await text(context)),
  });
}

/**
 * Loads the module of a page or document and calls it with the section of the dataset that it reads. Refuses when the
 * dataset lacks this section.
 * @param missing the detail of this refusal
 */
async function resultOf(
  row: PageRow,
  language: Language,
  values: Values,
  context: Context,
  missing = TEXTS[language].prose.notLoaded[row.section],
): Promise<PageResult> {
  const ask = pageAsk(row, language, values, context);
  const { sunlight, kaigo, search } = context.dataset;
  if (row.section === 'sunlight' && sunlight !== null) return (await row.load())({ ...ask, sunlight });
  if (row.section === 'kaigo' && kaigo !== null) return (await row.load())({ ...ask, kaigo });
  if (row.section === 'site' || (row.section === 'search' && search !== null)) return (await row.load())(ask);
  return refused('unavailable', missing);
}

/** Loads the code of all pages, so that no visitor waits for it. */
export async function loadPages(): Promise<void> {
  for (const { load } of [...PAGE_TABLE, ...DOCUMENT_TABLE]) await load();
}

/** The input of a page's code from the values of a request. */
function pageAsk(row: PageRow, language: Language, values: Values, context: Context): PageAsk {
  const { dataset, siteUrl, isStatic, pricing, compute, baseMap, state } = context;
  const query = new URLSearchParams(textsIn('query', row, values));
  const pathValues = textsIn('path', row, values);
  return { dataset, siteUrl, isStatic, pricing, compute, baseMap, state, language, values: pathValues, query };
}

/** The values of the parameters in the path or in the query, as text. */
function textsIn(place: Parameter['in'], { parameters }: PageRow, values: Values): Record<string, string> {
  const requested = parameters.filter((parameter) => parameter.in === place && values[parameter.name] !== undefined);
  return Object.fromEntries(requested.map(({ name }) => [name, String(values[name])]));
}

/** The values in the query that are not the defaults of their parameters, as text: those that the visitor chose. */
function requestedIn(row: PageRow, values: Values): [name: string, value: string][] {
  const defaults = new Map(row.parameters.map((parameter) => [parameter.name, String(parameter.default)]));
  return Object.entries(textsIn('query', row, values)).filter(([name, value]) => value !== defaults.get(name));
}

/** Gives the function that makes the link to an asset from its name. */
const assetLink =
  (siteUrl: string) =>
  (name: string): string =>
    new URL(siteUrl).pathname.replace(/\/$/, '') + assets.path(name);

/**
 * A problem as a page, in the language of the requested path: Japanese, or English when the path begins with any other
 * language.
 */
export function problemHtml(problem: PageProblem, context: Pick<Context, 'siteUrl' | 'isStatic' | 'dataset'>): string {
  const { siteUrl, isStatic, dataset } = context;
  // A path that must not be linked is cut to its beginning, which tells the language.
  const { path, query } = canBeLinked(problem) ? problem : { path: problem.path.slice(0, '/en/'.length), query: '' };
  const requestedLanguage = /^\/([a-z]{2})(?:\/|$)/.exec(path)?.[1] ?? 'ja';
  const language: Language = requestedLanguage === 'ja' ? 'ja' : 'en';
  const parts = {
    siteUrl,
    isStatic,
    language,
    // One slash only: after two, the next part would be a host.
    path: `/${path.slice(prefixOf(language).length).replace(/^\/+/, '')}`,
    query,
    manifest: dataset.manifest,
    asset: assetLink(siteUrl),
    hasAddress: false,
    isRefusal: true,
    twinPath: null,
  };
  // The examples in its messages are those of the dataset.
  const parameters = pageParametersFor(problem.parameters, contractOf(dataset).place);
  return framed(
    problemView({ siteUrl, isStatic, language }, { ...problem, parameters }, dataset.manifest.halves),
    parts,
  );
}

/** The letters that `html` escapes, by their HTML names. */
const LETTERS: Readonly<Record<string, string>> = { lt: '<', gt: '>', amp: '&', quot: '"', '#39': "'" };

/** What the JSON beside a page says about it: its address, and its section. */
interface PageTwin {
  siteUrl: string;
  url: string;
  language: Language;
  section: Section;
  manifest: Manifest;
}

/** The JSON beside a page without an operation: the text of the page for programs. */
const pageTwin = (
  { title, description, main }: PageView,
  { siteUrl, url, language, section, manifest }: PageTwin,
): string =>
  JSON.stringify({
    data: { url, language, title, description, text: textOf(String(main)) },
    meta: metaOf(manifest, { id: PAGE_SCHEMA, section }, siteUrl, 0),
  });

/** The text of HTML that `html` made: a line for each block, without scripts, drawings and forms. */
const textOf = (html: string): string =>
  html
    .replace(/<(script|style|svg|noscript|form|button)\b.*?<\/\1>/gs, '')
    .replace(/<\/(th|td)>/g, '\t')
    .replace(/<\/(p|h\d|li|tr|div|section|label|summary|figcaption|dt|dd)>|<br>/g, '\n')
    .replace(/<[^>]*>/g, '')
    .replace(/&(lt|gt|amp|quot|#39);/g, (_, name: string) => LETTERS[name] ?? '')
    .replace(/[ \t]*\n\s*/g, '\n')
    .trim();
