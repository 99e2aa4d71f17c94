import { readFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { PROBLEM_KINDS } from '../../contract/problems.ts';
import { type ChangeNote, readNotes } from '../../snapshot/change-note.ts';
import { listDatasets } from '../../snapshot/listing.ts';
import type { Manifest } from '../../snapshot/manifest.ts';
import { LANGUAGES, prefixOf } from '../language.ts';
import { townOfEachWard } from '../names.ts';
import { changesLine } from '../prose/changes-page.ts';
import type { Context } from '../route.ts';
import { basePath } from '../view.ts';

const CHANGELOG = new URL('../../../CHANGELOG.md', import.meta.url);

/** A feed has this number of the newest entries. */
const MOST_ENTRIES = 50;

/** An entry of the feed: a dataset or a version of the program. */
interface Entry {
  id: string;
  title: string;
  /** RFC 3339. */
  updated: string;
  link: string;
  summary: string;
}

/**
 * News as an Atom feed (RFC 4287), the newest first: the served dataset, older ones of the data folder, and versions of
 * the program. When the data folder cannot be listed, the older datasets are left out.
 */
export async function changesFeed({ dataset, siteUrl }: Pick<Context, 'dataset' | 'siteUrl'>): Promise<string> {
  const { manifest, folder } = dataset;
  const listing = await listDatasets(dirname(folder)).catch(() => ({ datasets: [] }));
  const older = listing.datasets.map((one) => one.manifest).filter((one) => one.generated_at < manifest.generated_at);
  const notes = new Map((await readNotes(dirname(folder))).map((note) => [note.new.dataset_id, note]));
  const datasets = [manifest, ...older].map((one) => datasetEntry(one, notes.get(one.dataset_id), siteUrl));
  const entries = [...datasets, ...versionEntries(readFileSync(CHANGELOG, 'utf8'), siteUrl)];
  entries.sort((a, b) => {
    if (a.updated === b.updated) return 0;
    return a.updated < b.updated ? 1 : -1;
  });
  return feed(entries.slice(0, MOST_ENTRIES), siteUrl, `${siteUrl}/changes.atom`);
}

/** The entry of a dataset: first the changes that its note lists, if it has a note, then its sources. */
function datasetEntry(
  { dataset_id, generated_at, halves }: Manifest,
  note: ChangeNote | undefined,
  siteUrl: string,
): Entry {
  const loadedHalves = [halves.sunlight, halves.kaigo].filter((half) => half !== null);
  const sources = loadedHalves.flatMap((half) => half.sources.map(({ name, date }) => `${name}: ${date ?? 'undated'}`));
  return {
    id: `${siteUrl}/changes.atom#dataset-${dataset_id}`,
    title: `Data of ${generated_at.slice(0, 10)} (${dataset_id})`,
    updated: generated_at,
    link: `${siteUrl}/changes/`,
    summary: [...(note === undefined ? [] : [changesLine(note)]), ...sources].join('; '),
  };
}

/** An entry for each version of a changelog that has a date in its heading: `## 1.2.0, 2026-12-01`. */
export function versionEntries(changelog: string, siteUrl: string): Entry[] {
  return changelog.split(/^## /m).flatMap((section) => {
    const [heading = ''] = section.split('\n', 1);
    const [, version, day] = /^(\d+\.\d+\.\d+), (\d{4}-\d\d-\d\d)$/m.exec(heading) ?? [];
    if (version === undefined) return [];
    return {
      id: `${siteUrl}/changes.atom#version-${version}`,
      title: `Program ${version}`,
      updated: `${day}T00:00:00Z`,
      link: `${siteUrl}/changes/`,
      summary: section.slice(section.indexOf('\n')).trim(),
    };
  });
}

/**
 * The XML of a feed.
 * @param self URL of the feed
 */
function feed(entries: readonly Entry[], siteUrl: string, self: string): string {
  const items = entries.map(
    ({ id, title, updated, link, summary }) =>
      `<entry><id>${escaped(id)}</id><title>${escaped(title)}</title><updated>${updated}</updated>` +
      `<link href="${escaped(link)}"/><summary>${escaped(summary)}</summary></entry>`,
  );
  return `<?xml version="1.0" encoding="UTF-8"?>
<feed xmlns="http://www.w3.org/2005/Atom"><id>${escaped(self)}</id><title>Hidamari: data and program</title>
<author><name>Hidamari</name></author><updated>${entries[0]?.updated ?? ''}</updated>
<link rel="self" type="application/atom+xml" href="${escaped(self)}"/><link href="${escaped(siteUrl)}/"/>
${items.join('\n')}
</feed>
`;
}

/** Text for XML, outside of elements and in quoted attributes. */
const escaped = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;');

/** Paths without parameters by the half of the data, in an export and on a server. */
const FIXED = {
  site: ['/', '/docs/', '/method/', '/about/', '/terms/', '/changes/'],
  sunlight: ['/map/', '/sunlight/'],
  kaigo: ['/kaigo/'],
} as const;
/** Further paths that only a server offers. */
const NEED_SERVER = {
  site: ['/pricing/', '/problems/', '/status/', ...Object.keys(PROBLEM_KINDS).map((kind) => `/problems/${kind}/`)],
  sunlight: ['/compare/'],
  kaigo: ['/kaigo/near/', '/kaigo/compare/'],
} as const;

/** Limit of the addresses in a sitemap. */
const MOST_ADDRESSES = 50_000;

/** What decides which pages a site has. */
type SiteContent = Pick<Context, 'dataset' | 'isStatic'>;

/** The paths of the pages in all languages, without those of single buildings and facilities. */
export function pagePaths({ dataset, isStatic }: SiteContent): string[] {
  const { sunlight, kaigo } = dataset;
  const towns = sunlight?.towns() ?? [];
  const municipalities = kaigo?.municipalities() ?? [];
  const prefectures = new Set(municipalities.map(({ municipality_code: code }) => code.slice(0, 2)));
  const fixed = (half: keyof typeof FIXED): string[] => [...FIXED[half], ...(isStatic ? [] : NEED_SERVER[half])];
  const paths = [
    ...fixed('site'),
    ...(sunlight === null ? [] : fixed('sunlight')),
    ...(kaigo === null ? [] : fixed('kaigo')),
    ...Array.from(townOfEachWard(dataset).keys(), (code) => `/sunlight/${code}/`),
    ...towns.map(({ town_code }) => `/sunlight/town/${town_code}/`),
    // With one prefecture, its page has the content of `/kaigo/`.
    ...(prefectures.size < 2 ? [] : [...prefectures].map((code) => `/kaigo/${code}/`)),
    ...municipalities.flatMap(({ municipality_code, services }) =>
      services.map(({ service_code }) => `/kaigo/${municipality_code}/${service_code}/`),
    ),
  ];
  return LANGUAGES.flatMap((language) => paths.map((path) => prefixOf(language) + path));
}

/** The sitemap: the pages for search engines. They reach buildings by the links of their towns. */
export function sitemapText({ siteUrl, dataset, isStatic }: SiteContent & Pick<Context, 'siteUrl'>): string {
  const urls = pagePaths({ dataset, isStatic }).map((path) => siteUrl + path);
  const lines = urls.slice(0, MOST_ADDRESSES).map((url) => `<url><loc>${url.replaceAll('&', '&amp;')}</loc></url>`);
  return `<?xml version="1.0" encoding="UTF-8"?>\n<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">\n${lines.join('\n')}\n</urlset>\n`;
}

/** The text of `robots.txt`: answers of the API and searches are closed to robots. */
export function robotsText({ siteUrl }: Pick<Context, 'siteUrl'>): string {
  const closed = ['/api/', '/search/', '/en/search/'].map((path) => `Disallow: ${basePath(siteUrl)}${path}\n`).join('');
  return `User-agent: *\n${closed}Sitemap: ${siteUrl}/sitemap.xml\n`;
}
