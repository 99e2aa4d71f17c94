import { isTokyo } from '../../dataset/dataset.ts';
import type { Manifest } from '../../snapshot/manifest.ts';
import { caseQuery } from '../kaigo/case.ts';
import { LANGUAGES, type Language, prefixOf } from '../language.ts';
import { type Fragment, type Html, html, raw, unbroken } from '../markup.ts';
import { searchForm } from '../parts.ts';
import { TEXTS } from '../texts/texts.ts';
import { basePath, type PageView, pageLink, textsOf, withQuery } from '../view.ts';
import { PAGE_STYLE } from './assets.ts';

/** Input of the frame, besides the page. */
interface FrameParts {
  siteUrl: string;
  isStatic: boolean;
  language: Language;
  /** Requested path without the language. */
  path: string;
  /** Requested query: the page in the other language answers the same question. */
  query: string;
  manifest: Manifest;
  /** The URL of an asset. */
  asset: (name: string) => string;
  /** False for problems: they stand at any requested path, so no link may lead there. */
  hasAddress: boolean;
  /** True for a page that refuses: it is short, so it links to its style. */
  isRefusal: boolean;
  /** Path and query, without the language, of the JSON with the same content for programs; null: none. */
  twinPath: string | null;
}

/** A complete HTML document: a page with the head, header, breadcrumb and footer that all pages have. */
export function framed(view: PageView, parts: FrameParts): string {
  const { language } = parts;
  const t = textsOf(parts).frame;
  const document = html`<html lang="${language}">
${head(view, parts)}
<body>
<a class="skip" href="#main">${t.skip}</a>
${header(view, parts)}
<main id="main" tabindex="-1">
${crumbs(view, parts)}
${view.main}
</main>
${footer(view, parts)}
</body>
</html>
`;
  return `<!doctype html>\n${document}`;
}

/** The `<head>` of a page. Search engines leave out personal pages and problems. */
function head(view: PageView, parts: FrameParts): Html {
  const { siteUrl, language, path, manifest, asset, hasAddress, isRefusal } = parts;
  const t = textsOf(parts).frame;
  const addressIn = (page: Language): string => siteUrl + prefixOf(page) + path;
  // Links of assets begin with the base path, with which `siteUrl` ends.
  const imageUrl = siteUrl + asset(cardOf(path)).slice(basePath(siteUrl).length);
  const title =
    path === '/' ? `${view.title} · ${t.tagline(isTokyo({ manifest }), manifest.halves)}` : `${view.title} · ${t.name}`;
  const addresses = html`<link rel="canonical" href="${addressIn(language)}">
${LANGUAGES.map((one) => html`<link rel="alternate" hreflang="${one}" href="${addressIn(one)}">`)}
<link rel="alternate" hreflang="x-default" href="${addressIn('ja')}">
<meta property="og:url" content="${addressIn(language)}">`;
  return html`<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width,initial-scale=1">
<title>${title}</title>
<meta name="description" content="${view.description}">
${view.isPersonal || !hasAddress ? html`<meta name="robots" content="noindex">` : null}
<meta name="color-scheme" content="light dark">
${hasAddress ? addresses : null}
<meta property="og:type" content="website">
<meta property="og:site_name" content="${t.name}">
<meta property="og:title" content="${view.title}">
<meta property="og:description" content="${view.description}">
<meta property="og:locale" content="${language === 'ja' ? 'ja_JP' : 'en_GB'}">
<meta property="og:image" content="${imageUrl}">
<meta property="og:image:width" content="1200">
<meta property="og:image:height" content="630">
<meta property="og:image:alt" content="${view.title}">
<meta name="twitter:card" content="summary_large_image">
<link rel="alternate" type="application/atom+xml" href="${basePath(siteUrl)}/changes.atom">
<link rel="icon" href="${asset('icon.svg')}" type="image/svg+xml">
${isRefusal ? html`<link rel="stylesheet" href="${asset('site.css')}">` : html`<style>${STYLE}</style>`}
${scriptsOf(view, parts).map((name) => html`<script type="module" src="${asset(name)}"></script>`)}
</head>`;
}

const STYLE = raw(PAGE_STYLE);

/** The scripts of a page. All pages have a form and count what is saved, but a refusal is short and an export has neither. */
const scriptsOf = ({ scripts = [] }: PageView, { isStatic, isRefusal }: FrameParts): readonly string[] =>
  isStatic || isRefusal ? scripts : [...scripts, 'forms.js', 'saved.js'];

/** The preview picture for links to a page, by its kind. */
function cardOf(path: string): string {
  if (/^\/(sunlight|compare)\//.test(path)) return 'card-sun.png';
  return path.startsWith('/kaigo/') ? 'card-care.png' : 'card.png';
}

/** The header: the site's name, the search field, and the menu. A page with a search field of its own has none here. */
function header({ hasSearch = false }: PageView, parts: FrameParts): Html {
  const t = textsOf(parts).frame;
  /** The first part of the path: `/kaigo/` of `/kaigo/near/`. */
  const menuPath = `/${parts.path.split('/')[1] ?? ''}/`;
  const { halves } = parts.manifest;
  // Links keep what is chosen; those on the page of a problem, which has no address, do not: its query is not checked.
  const chosen = new URLSearchParams(parts.hasAddress ? parts.query : '');
  const careCase = caseQuery(chosen);
  const month = chosen.getAll('month').map((value): [string, string] => ['month', value]);
  const link = (path: string, name: string, query: [string, string][] = []): Html =>
    html`<li><a href="${withQuery(pageLink(parts, path), query)}"${raw(menuPath === path ? ' aria-current="true"' : '')}>${name}</a></li>`;
  // In an export, `searchForm` gives no field.
  const search = hasSearch ? null : searchForm(parts, 'q', t.searchLabel(halves), '', t.searchHint(halves));
  return html`<header class="site">
<a class="brand" href="${pageLink(parts, '/')}">${SUN}<span>${t.name}</span></a>
${search ?? html`<span class="gap"></span>`}
<nav aria-label="${t.menu}"><ul>${[
    ...(halves.sunlight === null
      ? []
      : [link('/map/', t.map, [...month, ...careCase]), link('/sunlight/', t.sunlight)]),
    ...(halves.kaigo === null ? [] : [link('/kaigo/', t.kaigo, careCase)]),
    parts.isStatic ? null : savedLink(parts),
    link('/docs/', parts.isStatic ? t.files : t.docs),
  ]}<li><a href="${linkInOtherLanguage(parts)}" hreflang="${otherLanguage(parts)}" lang="${otherLanguage(parts)}">${t.otherLanguage}</a></li></ul></nav>
</header>`;
}

/** The link to all that is saved. The script `saved.js` counts it, and shows the link where there is something. */
function savedLink(parts: FrameParts): Html {
  const { saved } = textsOf(parts).frame;
  return html`<li hidden><a data-count="${saved.count('{}')}" href="${pageLink(parts, '/')}#saved"></a></li>`;
}

const otherLanguage = ({ language }: FrameParts): Language => (language === 'ja' ? 'en' : 'ja');

/** A link to the same page with the same query in the other language. */
const linkInOtherLanguage = (parts: FrameParts): string =>
  pageLink({ siteUrl: parts.siteUrl, language: otherLanguage(parts) }, parts.path) + queryOf(parts);

/** The requested query with its question mark, without some parameters; empty without a query. */
const queryOf = ({ query }: FrameParts, without: readonly string[] = []): string =>
  withQuery(
    '',
    [...new URLSearchParams(query)].filter(([name]) => !without.includes(name)),
  );

/** The mark of the site as a drawing: a sun with rays. */
const SUN = raw(
  '<svg class="mark" viewBox="0 0 32 32" width="28" height="28" aria-hidden="true"><circle class="lit" cx="16" cy="16" r="7"/><path class="ray" d="M16 1v5M16 26v5M1 16h5M26 16h5M5.4 5.4l3.5 3.5M23.1 23.1l3.5 3.5M5.4 26.6l3.5-3.5M23.1 8.9l3.5-3.5"/></svg>',
);

/** The breadcrumb, which begins with the first page of the site; null for a page without one. */
function crumbs({ crumbs: links = [], title }: PageView, parts: FrameParts): Fragment {
  if (links.length === 0) return null;
  const { home } = TEXTS[parts.language].frame;
  const all = [{ name: home, path: '/' }, ...links];
  return html`<nav class="crumbs" aria-label="${title}"><ol>${all.map(({ name, path }) => html`<li><a href="${pageLink(parts, path)}"><bdi>${unbroken(name)}</bdi></a></li>`)}</ol></nav>`;
}

/** The footer: dates, licence and sources of the data, links to pages about the site, and the address for print. */
function footer(view: PageView, parts: FrameParts): Html {
  const t = textsOf(parts).frame;
  const { halves, generated_at } = parts.manifest;
  const loadedHalves = [halves.sunlight, halves.kaigo].filter((half) => half !== null);
  // A source that both halves use stands there once.
  const sources = new Map(loadedHalves.flatMap((half) => half.sources).map((source) => [source.attribution, source]));
  const link = (path: string, name: string): Html => html`<li><a href="${pageLink(parts, path)}">${name}</a></li>`;
  return html`<footer class="site">
<p>${t.sentences(t.builtOn(generated_at.slice(0, 10)), t.license)}<a rel="license" href="https://creativecommons.org/licenses/by/4.0/">${t.licenseName}</a></p>
<p>${t.credit}</p>
<ul class="credits">${[...sources.values()].map(({ url, attribution, date }) => html`<li><a href="${url}" lang="ja">${attribution}</a> <span class="nowrap">(${date ?? t.dataUndated})</span></li>`)}</ul>
<ul class="links">${link('/about/', t.about)}${link('/method/', t.method)}${parts.isStatic ? null : link('/pricing/', t.pricing)}${link('/terms/', t.terms)}${parts.isStatic ? null : link('/status/', t.status)}
${parts.twinPath === null || view.isPersonal ? null : html`<li><a href="${pageLink(parts, parts.twinPath)}">${t.asJson}</a></li>`}</ul>
${parts.hasAddress ? html`<p class="print-only">${t.address}${parts.siteUrl}${prefixOf(parts.language)}${parts.path}${queryOf(parts, view.notPrinted)}</p>` : null}
</footer>`;
}
