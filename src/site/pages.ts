import { llmsFullText, llmsText } from '../contract/llms.ts';
import { notLoaded } from '../contract/operation.ts';
import { type Found, found, type Refused, refused } from '../contract/outcome.ts';
import type { Parameter, ParameterValue } from '../contract/parameter.ts';
import { PROBLEM_KINDS } from '../contract/problems.ts';
import { contractOf } from './example-urls.ts';
import { Assets, HTML, HTML_HEADERS, pageAssets, SVG_HEADERS } from './frame/assets.ts';
import { changesFeed, robotsText, sitemapText } from './frame/discovery.ts';
import { framed } from './frame/frame.ts';
import { pageTwin } from './frame/page-twin.ts';
import { careTableCsv } from './kaigo/table-csv.ts';
import { LANGUAGES, type Language, prefixOf } from './language.ts';
import { MAP_PAGES } from './map/map-files.ts';
import type { BaseMap, Page, PageBody, PageContext, PageValues } from './page.ts';
import { canBeLinked, type PageProblem, problemView } from './prose/problem-pages.ts';
import { DOCUMENT_ROUTES, PAGE_ROUTES } from './routes.ts';
import { TEXTS } from './texts/texts.ts';
import type { ComparisonTwin, PageAsk, PageResult, PageRoute } from './view.ts';

const MARKDOWN = 'text/plain; charset=utf-8';

const assets = new Assets(pageAssets());

/** Every page, in the order in which their paths are tried. */
const PAGES: readonly Page[] = [
  ...LANGUAGES.flatMap((language) => PAGE_ROUTES.map((route) => inLanguage(route, language))),
  ...LANGUAGES.flatMap((language) =>
    PAGE_ROUTES.filter(({ twin, twinOfParts }) => twin === undefined && twinOfParts === undefined).map((route) =>
      twinInLanguage(route, language),
    ),
  ),
  ...DOCUMENT_ROUTES.map(documentPage),
  ...assets.all().map(
    ([path, { name, mediaType, content }]): Page => ({
      id: `asset-${name.replaceAll('.', '-')}`,
      path,
      parameters: [],
      mediaType,
      cache: 'immutable',
      headers: [],
      staysWithoutPages: true,
      render: () => found(content),
    }),
  ),
  careTableCsv,
  ...MAP_PAGES,
  plain('changes', '/changes.atom', 'application/atom+xml', changesFeed),
  plain('sitemap', '/sitemap.xml', 'application/xml', sitemapText),
  plain('llms', '/llms.txt', MARKDOWN, (context) => llmsText(contractOf(context.dataset).operations, context.siteUrl)),
  plain('llms-full', '/llms-full.txt', MARKDOWN, (context) =>
    llmsFullText(contractOf(context.dataset).operations, context.siteUrl),
  ),
  plain('robots', '/robots.txt', 'text/plain; charset=utf-8', robotsText),
];

/** The same, the map with another one below it where the operator wants that: then it may load those tiles, too. */
export function pagesWith(baseMap: BaseMap | null): readonly Page[] {
  if (baseMap === null) return PAGES;
  const { origin } = new URL(baseMap.tiles.replace(/[{}]/g, ''));
  const allowed = (header: string): string =>
    header
      .replace("img-src 'self'", `img-src 'self' ${origin}`)
      .replace("connect-src 'self'", `connect-src 'self' ${origin}`);
  return PAGES.map((page) => (/^map-page-/.test(page.id) ? { ...page, headers: page.headers.map(allowed) } : page));
}

/** What stands beside a page as JSON. */
interface Twin {
  path: string;
  operationId: string;
  twinWith: PageRoute['twinWith'] | null;
}

/** The operations whose answers stand at `<page>/index.json`. */
export const TWINS: readonly Twin[] = PAGE_ROUTES.flatMap(({ path, twin, twinWith = null }) =>
  twin === undefined ? [] : [{ path, operationId: twin, twinWith }],
);

/** What stands at `index.json` beside pages that compare, in every language. */
export const COMPARISON_TWINS: readonly ComparisonTwin[] = PAGE_ROUTES.flatMap(({ id, path, half, twinOfParts }) =>
  twinOfParts === undefined || half === 'site' || half === 'search'
    ? []
    : LANGUAGES.map((language) => ({
        ...{ id: `${id}-twin`, path: `${prefixOf(language)}${path}index.json`, half, ...twinOfParts },
      })),
);

function inLanguage(route: PageRoute, language: Language): Page {
  const path = prefixOf(language) + route.path;
  return {
    id: `${route.id}-page-${language}`,
    path,
    parameters: route.parameters,
    mediaType: HTML,
    cache: route.isUncached ? 'no-store' : 'public',
    headers: route.headers ?? HTML_HEADERS,
    isCostly: route.isCostly ?? false,
    staysWithoutPages: route.staysWithoutPages ?? false,
    async render(values, context) {
      const result = await show(route, askOf(route, language, values, context));
      if (result === null) return refused('unavailable', TEXTS[language].prose.notLoaded[route.half]);
      if (result.kind === 'refused') return result;
      if (result.kind === 'document') return found(result.text);
      const { siteUrl, dataset } = context;
      const at = fill(route, values);
      const text = framed(result, {
        siteUrl,
        language,
        path: at,
        query: queryText(route, values),
        manifest: dataset.manifest,
        asset: assetLink(siteUrl),
        hasAddress: true,
        hasTwin: true,
      });
      if (result.passing === undefined) return found(text);
      const { because, isShort } = result.passing;
      return { ...found(text), passingStatus: isShort ? PROBLEM_KINDS[because.problem].status : 200 };
    },
  };
}

/** What a page says, beside it at `index.json`, where that is not an answer of an operation. */
function twinInLanguage(route: PageRoute, language: Language): Page {
  const page = inLanguage(route, language);
  return {
    ...page,
    id: `${route.id}-twin-${language}`,
    path: `${page.path}index.json`,
    mediaType: 'application/json',
    headers: [],
    async render(values, context) {
      const result = await show(route, askOf(route, language, values, context));
      if (result === null) return refused('unavailable', TEXTS[language].prose.notLoaded[route.half]);
      if (result.kind === 'refused') return result;
      if (result.kind === 'document') return found(result.text);
      const url = context.siteUrl + prefixOf(language) + fill(route, values);
      return found(pageTwin(result, { url, language, manifest: context.dataset.manifest }));
    },
  };
}

function documentPage(route: PageRoute & { mediaType: string }): Page {
  return {
    id: route.id,
    path: route.path,
    parameters: route.parameters,
    mediaType: route.mediaType,
    cache: 'public',
    headers: route.mediaType === 'image/svg+xml' ? SVG_HEADERS : [],
    async render(values, context) {
      const language = values.lang === 'en' ? 'en' : 'ja';
      const result = await show(route, askOf(route, language, values, context));
      return result === null ? refused('unavailable', notLoaded(route.half)) : bodyOf(result);
    },
  };
}

function plain(
  id: string,
  path: string,
  mediaType: string,
  text: (context: PageContext) => string | Promise<string>,
): Page {
  return {
    id,
    path,
    parameters: [],
    mediaType,
    cache: 'public',
    headers: [],
    render: async (_, context) => found(await text(context)),
  };
}

function bodyOf(result: PageResult): Found<PageBody> | Refused {
  if (result.kind === 'refused') return result;
  if (result.kind === 'document') return found(result.text);
  throw new Error('a page is no document');
}

/** What a page shows; null where the dataset lacks its half. */
async function show(route: PageRoute, ask: PageAsk): Promise<PageResult | null> {
  const { sunlight, kaigo, search } = ask.dataset;
  if (route.half === 'sunlight') return sunlight && (await route.load())({ ...ask, sunlight });
  if (route.half === 'kaigo') return kaigo && (await route.load())({ ...ask, kaigo });
  return route.half === 'search' && search === null ? null : (await route.load())(ask);
}

/** Loads what shows pages, so that no visitor waits for it. */
export async function loadPages(): Promise<void> {
  for (const { load } of [...PAGE_ROUTES, ...DOCUMENT_ROUTES]) await load();
}

function askOf(route: PageRoute, language: Language, values: PageValues, context: PageContext): PageAsk {
  const given = (place: Parameter['in']): Record<string, string> =>
    Object.fromEntries(
      route.parameters
        .filter((parameter) => parameter.in === place && values[parameter.name] !== undefined)
        .map(({ name }) => [name, String(values[name] as ParameterValue)]),
    );
  const { dataset, siteUrl, pricing, compute, baseMap, state } = context;
  return {
    dataset,
    siteUrl,
    pricing,
    compute,
    baseMap,
    state,
    language,
    values: given('path'),
    query: new URLSearchParams(given('query')),
  };
}

const fill = ({ path }: PageRoute, values: PageValues): string =>
  path.replace(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(String(values[name])));

/** What of the query a page has read, for the link to it in the other language. */
function queryText({ parameters }: PageRoute, values: PageValues): string {
  const given = parameters.filter(({ in: place, name }) => place === 'query' && values[name] !== undefined);
  return String(new URLSearchParams(given.map(({ name }): [string, string] => [name, String(values[name])])));
}

const assetLink =
  (siteUrl: string) =>
  (name: string): string =>
    new URL(siteUrl).pathname.replace(/\/$/, '') + assets.path(name);

/** A problem as a page, in the language of the path that was asked for. */
export function problemHtml(
  problem: PageProblem,
  { siteUrl, dataset }: Pick<PageContext, 'siteUrl' | 'dataset'>,
): string {
  const { path, query } = canBeLinked(problem) ? problem : { path: problem.path.slice(0, '/en/'.length), query: '' };
  // Who asks for a language that there is not is answered in English, rather than in Japanese.
  const language: Language = /^\/[a-z]{2}(\/|$)/.test(path) && !/^\/ja(\/|$)/.test(path) ? 'en' : 'ja';
  const parts = {
    siteUrl,
    language,
    // One slash only: with two, what follows would name a host.
    path: `/${path.slice(prefixOf(language).length).replace(/^\/+/, '')}`,
    query,
    manifest: dataset.manifest,
    asset: assetLink(siteUrl),
    hasAddress: false,
    hasTwin: false,
  };
  return framed(problemView({ siteUrl, language }, problem, dataset.manifest.halves), parts);
}
