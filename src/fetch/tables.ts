import { type Client, FetchError, MOST_PAGE_BYTES } from './client.ts';

import type { Publishers, Resource } from './publishers.ts';

/** The 35 services whose office lists the ministry publishes. */
const CARE_SERVICES: readonly string[] = [
  ...['110', '120', '130', '140', '150', '155', '160', '170', '210', '220', '230', '320', '331', '332', '334', '335'],
  ...['336', '337', '361', '362', '364', '410', '430', '510', '520', '530', '540', '550', '551', '710', '720', '730'],
  ...['760', '770', '780'],
];

/** Designated cities: the census knows their wards, the city models their own code. */
const DESIGNATED = new Set([
  ...['01100', '04100', '11100', '12100', '14100', '14130', '14150', '15100', '22100', '22130', '23100', '26100'],
  ...['27100', '27140', '28100', '33100', '34100', '40100', '40130', '43100'],
]);

/** Census areas of the cities: by municipality, by prefecture where the city is one of wards. */
export function censusAreas(cities: readonly string[], publishers: Publishers): Resource[] {
  const codes = new Set(cities.map((code) => (DESIGNATED.has(code) || code === '13100' ? code.slice(0, 2) : code)));
  const whole = [...codes].filter((code) => code.length === 5 && !codes.has(code.slice(0, 2)));
  return [...codes]
    .filter((code) => code.length === 2 || whole.includes(code))
    .sort()
    .map((code) => ({
      path: `census/${code}.zip`,
      url: (publishers.census.urls.areas ?? '').replace('{code}', code),
      publisher: 'census',
      content: 'zip',
      expectedBytes: null,
      keepEarlier: false,
    }));
}

export const postalNames = (publishers: Publishers): Resource => ({
  path: 'readings/utf_ken_all.zip',
  url: publishers.postal.urls.names ?? '',
  publisher: 'postal',
  content: 'zip',
  expectedBytes: null,
  keepEarlier: false,
});

/** Blocks of addresses, by prefecture: names and positions. */
export function addressBlocks(cities: readonly string[], publishers: Publishers): Resource[] {
  const { names = '', positions = '' } = publishers.addresses.urls;
  const prefectures = [...new Set(cities.map((code) => code.slice(0, 2)))].sort();
  return prefectures.flatMap((prefecture) =>
    [
      { path: `addresses/mt_rsdtdsp_blk_pref${prefecture}.csv.zip`, url: names },
      { path: `addresses/mt_rsdtdsp_blk_pos_pref${prefecture}.csv.zip`, url: positions },
    ].map(({ path, url }) => ({
      path,
      url: url.replace('{prefecture}', prefecture),
      publisher: 'addresses',
      content: 'zip',
      expectedBytes: null,
      keepEarlier: false,
    })),
  );
}

/**
 * The newest office list of each service, as the ministry's page names them.
 * @throws FetchError when the page names none
 */
export async function officeLists(client: Client, publishers: Publishers): Promise<Resource[]> {
  const { urls, hosts } = publishers.care;
  const page = urls.index ?? '';
  const response = await client.get(page, hosts);
  const html = (await client.body(response, page, MOST_PAGE_BYTES)).toString();
  if (response.status !== 200) throw new FetchError(`${page}: status ${response.status}, expected 200`);
  const newest = newestLists(html, page);
  if (newest.size === 0) throw new FetchError(`${page}: names no office list (jigyosho_NNN….csv); look at the page`);
  return CARE_SERVICES.map((service) => ({
    path: `offices/jigyosho_${service}.csv`,
    url: newest.get(service) ?? (urls.list ?? '').replace('{service}', service),
    publisher: 'care',
    content: 'csv',
    expectedBytes: null,
    keepEarlier: true,
  }));
}

/** Address of the newest list of each service among the links of a page: the latest date in the name wins. */
export function newestLists(html: string, page: string): Map<string, string> {
  const found = new Map<string, { date: string; url: string }>();
  for (const [, href = ''] of html.matchAll(/href\s*=\s*["']([^"']+)["']/gi)) {
    const address = href.replaceAll('&amp;', '&');
    if (!URL.canParse(address, page)) continue;
    const url = new URL(address, page);
    const name = /jigyosho_(\d{3})((?:_[a-z]+)?_?(\d{6,14}))?\.csv$/i.exec(url.pathname);
    if (name === null) continue;
    const [, service = '', , date = ''] = name;
    const best = found.get(service);
    if (!best || date > best.date) found.set(service, { date, url: url.href });
  }
  return new Map([...found].map(([service, { url }]) => [service, url]));
}
