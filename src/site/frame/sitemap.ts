import { LANGUAGES, prefixOf } from '../language.ts';
import type { PageContext } from '../page.ts';

const OF_SUNLIGHT = ['/map/', '/sunlight/', '/compare/'];
const OF_CARE = ['/kaigo/', '/kaigo/compare/'];
const FIXED = ['/', '/docs/', '/method/', '/about/', '/terms/', '/pricing/', '/problems/', '/status/'];

/** A map of a site holds at most so many addresses. */
const MOST = 50_000;

/** The pages that search engines should know: buildings are reached from their towns. */
export function sitemapText({
  dataset: { sunlight, kaigo },
  siteUrl,
}: Pick<PageContext, 'dataset' | 'siteUrl'>): string {
  const towns = sunlight?.towns() ?? [];
  const wards = new Set(towns.map(({ ward_code }) => ward_code));
  const paths = [
    ...FIXED,
    ...(sunlight === null ? [] : OF_SUNLIGHT),
    ...(kaigo === null ? [] : OF_CARE),
    ...[...wards].map((code) => `/sunlight/${code}/`),
    ...towns.map(({ town_code }) => `/sunlight/town/${town_code}/`),
    ...(kaigo?.municipalities() ?? []).flatMap(({ municipality_code, services }) =>
      services.map(({ service_code }) => `/kaigo/${municipality_code}/${service_code}/`),
    ),
  ];
  const urls = LANGUAGES.flatMap((language) => paths.map((path) => siteUrl + prefixOf(language) + path)).slice(0, MOST);
  const lines = urls.map((url) => `<url><loc>${url.replaceAll('&', '&amp;')}</loc></url>`);
  return `<?xml version="1.0" encoding="UTF-8"?>\n<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">\n${lines.join('\n')}\n</urlset>\n`;
}

/** What robots may ask for. */
export const robotsText = ({ siteUrl }: Pick<PageContext, 'siteUrl'>): string =>
  `User-agent: *\nDisallow: /api/\nDisallow: /search/\nDisallow: /en/search/\nSitemap: ${siteUrl}/sitemap.xml\n`;
