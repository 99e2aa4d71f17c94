import { isDay } from '../formats/day.ts';
import { isDesignatedCity } from '../kaigo/municipality-codes.ts';
import { SERVICES } from '../kaigo/services.ts';
import { type Client, FetchError, MOST_PAGE_BYTES } from './client.ts';
import type { Publishers, Resource } from './publishers.ts';

/** A zip of which the publisher states neither size nor edition. */
const zipOf = (publisher: Resource['publisher'], path: string, url: string): Resource => ({
  path,
  url,
  publisher,
  content: 'zip',
  expectedBytes: null,
  edition: null,
  keepEarlier: false,
});

/** Census areas of the cities: by municipality; by prefecture for designated cities. */
export function censusAreas(cities: readonly string[], publishers: Publishers): Resource[] {
  const codes = new Set(cities.map((code) => (isDesignatedCity(code) || code === '13100' ? code.slice(0, 2) : code)));
  const whole = [...codes].filter((code) => code.length === 5 && !codes.has(code.slice(0, 2)));
  return [...codes]
    .filter((code) => code.length === 2 || whole.includes(code))
    .sort()
    .map((code) => zipOf('census', `census/${code}.zip`, (publishers.census.urls.areas ?? '').replace('{code}', code)));
}

export const postalNames = ({ postal }: Publishers): Resource =>
  zipOf('postal', 'readings/utf_ken_all.zip', postal.urls.names ?? '');

/** Mesh normals of the climate, by grid square of the first order; from squares of any order. */
export function meshNormals(squares: readonly string[], publishers: Publishers): Resource[] {
  const firstOrder = [...new Set(squares.map((square) => square.slice(0, 4)))].sort();
  return firstOrder.map((square) => {
    const url = (publishers.normals.urls.mesh ?? '').replace('{square}', square);
    return { ...zipOf('normals', `normals/G02-22_${square}.zip`, url), edition: '2022' };
  });
}

/** Blocks of addresses, by prefecture: names and positions. */
export function addressBlocks(cities: readonly string[], publishers: Publishers): Resource[] {
  const { names = '', positions = '' } = publishers.addresses.urls;
  const prefectures = [...new Set(cities.map((code) => code.slice(0, 2)))].sort();
  return prefectures.flatMap((prefecture) => {
    const file = (name: string, url: string): Resource =>
      zipOf('addresses', `addresses/${name}_pref${prefecture}.csv.zip`, url.replace('{prefecture}', prefecture));
    return [file('mt_rsdtdsp_blk', names), file('mt_rsdtdsp_blk_pos', positions)];
  });
}

/** The years of the rivers, by the prefectures of a region. */
const RIVER_YEARS: readonly [year: string, prefectures: string][] = [
  ['06', '36 37 38 39'],
  ['07', '02 03 04 05 06 07 15 16 17 18 40 41 42 43 44 45 46 47'],
  ['08', '08 09 10 11 12 13 14 19 20 21 22 23 24 31 32 33 34 35'],
  ['09', '01 25 26 27 28 29 30'],
];

/** Railways with stations of the country, parks and rivers of the prefectures of the cities. */
export function landmarkFiles(cities: readonly string[], publishers: Publishers): Resource[] {
  const { railways = '', parks = '', rivers = '' } = publishers.landmarks.urls;
  const prefectures = [...new Set(cities.map((code) => code.slice(0, 2)))].sort();
  const yearOf = (prefecture: string): string => RIVER_YEARS.find(([, list]) => list.includes(prefecture))?.[0] ?? '';
  const file = (name: string, url: string): Resource => zipOf('landmarks', `landmarks/${name}.zip`, url);
  const files = prefectures.flatMap((prefecture) => [
    file(`P13_${prefecture}`, parks.replace('{prefecture}', prefecture)),
    file(`W05_${prefecture}`, rivers.replaceAll('{prefecture}', prefecture).replaceAll('{year}', yearOf(prefecture))),
  ]);
  return [file('N02', railways), ...files];
}

/**
 * The newest office list of each service that the ministry's page names, and the services without one.
 * @throws FetchError when the page names none
 */
export async function officeLists(
  client: Client,
  publishers: Publishers,
): Promise<{ resources: Resource[]; remark: string | null }> {
  const { urls, hosts } = publishers.care;
  const page = urls.index ?? '';
  const { response, body } = await client.whole(page, hosts, MOST_PAGE_BYTES);
  if (response.status !== 200) throw new FetchError(`${page}: status ${response.status}, expected 200`);
  const newest = newestLists(body.toString(), page);
  if (newest.size === 0) throw new FetchError(`${page}: names no office list (jigyosho_NNN….csv); look at the page`);
  // The ministry publishes no list of homes that registers alone have.
  const services = SERVICES.filter(({ from_registers }) => !from_registers).map(({ service_code }) => service_code);
  const unnamed = services.filter((service) => !newest.has(service));
  const resources = services.map((service): Resource => {
    const url = newest.get(service) ?? (urls.list ?? '').replace('{service}', service);
    return {
      path: `offices/jigyosho_${service}.csv`,
      url,
      publisher: 'care',
      content: 'csv',
      expectedBytes: null,
      edition: dayOf(dateIn(nameIn(url).replace(service, ''))),
      keepEarlier: true,
    };
  });
  const remark =
    unnamed.length === 0
      ? null
      : `${page}: names no list of ${unnamed.join(', ')}; asked for under names without a date, which may be older`;
  return { resources, remark };
}

const LINK = /\shref\s*=\s*(?:"([^"]*)"|'([^']*)'|([^\s>"']+))/gi;
/** A longer text is not the address of a list. It is skipped, because regular expressions may take long on it. */
const MOST_ADDRESS_CHARS = 2000;
const LIST_NAME = /(?:^|[^/]*[^/a-z\d])jigyosho[-_]?(\d{3})(?!\d)[^/]*\.csv$/i;

/** Address of the newest list of each service among the links of a page: the latest date in the name wins. */
export function newestLists(html: string, page: string): Map<string, string> {
  const found = new Map<string, { date: string; url: string }>();
  for (const [, ...quoted] of withoutComments(html).matchAll(LINK)) {
    const address = (quoted.find((text) => text !== undefined) ?? '').replaceAll('&amp;', '&').trim();
    if (address.length > MOST_ADDRESS_CHARS || !URL.canParse(address, page)) continue;
    const url = new URL(address, page);
    const name = nameIn(url.href);
    const service = LIST_NAME.exec(name)?.[1];
    if (service === undefined) continue;
    const date = dateIn(name.replace(service, ''));
    const best = found.get(service);
    if (!best || date > best.date) found.set(service, { date, url: url.href });
  }
  return new Map([...found].map(([service, { url }]) => [service, url]));
}

/** The name of the file that an address leads to. */
function nameIn(url: string): string {
  const { pathname } = new URL(url);
  return pathname.slice(pathname.lastIndexOf('/') + 1);
}

/** The day at the beginning of some digits, YYYY-MM-DD; null when there is none. */
function dayOf(digits: string): string | null {
  const [, year, month, day] = /^(\d{4})(\d\d)(\d\d)/.exec(digits) ?? [];
  const text = `${year}-${month}-${day}`;
  return isDay(text) ? text : null;
}

/** A page without its comments, in linear time for any input. */
function withoutComments(html: string): string {
  const [before = '', ...pieces] = html.split('<!--');
  const after = (piece: string): string => (piece.includes('-->') ? piece.slice(piece.indexOf('-->') + 3) : '');
  return before + pieces.map(after).join('');
}

/** The year before the first year of the era Reiwa. */
const BEFORE_REIWA = 2018;

/** The date in a name as digits that sort by time, from 20260630, 2026-06 or r0806 (Reiwa); empty without a date. */
function dateIn(name: string): string {
  const [, year, month = '', day = ''] =
    /(?<![a-z\d])r(\d{1,2})[-_.]?(\d{2})(?:[-_.]?(\d{2}))?(?!\d)/i.exec(name) ?? [];
  if (year !== undefined) return `${BEFORE_REIWA + Number(year)}${month}${day}`;
  return /20\d{4,12}/.exec(name.replace(/(\d)[-_.](?=\d)/g, '$1'))?.[0] ?? '';
}
