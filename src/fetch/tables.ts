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

/** The code of a municipality's prefecture: its first two digits. */
const prefectureCode = (city: string): string => city.slice(0, 2);

/** The prefectures of some cities, each once, in order. */
const prefecturesOf = (cities: readonly string[]): string[] => [...new Set(cities.map(prefectureCode))].sort();

/**
 * The files with the census areas of the cities: one for each municipality. A designated city and Tokyo (13100: all 23
 * wards) have no file, only their wards have. For these the file of the whole prefecture is taken, which also has the
 * other cities of the prefecture.
 */
export function censusAreas(cities: readonly string[], publishers: Publishers): Resource[] {
  const hasWards = (city: string): boolean => isDesignatedCity(city) || city === '13100';
  const prefectures = new Set(cities.filter(hasWards).map(prefectureCode));
  const others = cities.filter((city) => !prefectures.has(prefectureCode(city)));
  return [...new Set([...prefectures, ...others])]
    .sort()
    .map((code) => zipOf('census', `census/${code}.zip`, (publishers.census.urls.areas ?? '').replace('{code}', code)));
}

/** The readings of the names of all towns of Japan, from the table of postal codes. */
export const postalNames = ({ postal }: Publishers): Resource =>
  zipOf('postal', 'readings/utf_ken_all.zip', postal.urls.names ?? '');

/**
 * The climate normals by grid square. Each file covers a square of the first order.
 * @param squares of any order. Their first four digits name the square of the first order
 */
export function meshNormals(squares: readonly string[], publishers: Publishers): Resource[] {
  const firstOrder = [...new Set(squares.map((square) => square.slice(0, 4)))].sort();
  return firstOrder.map((square) => {
    const url = (publishers.normals.urls.mesh ?? '').replace('{square}', square);
    return { ...zipOf('normals', `normals/G02-22_${square}.zip`, url), edition: '2022' };
  });
}

/** The blocks of addresses: two files for each prefecture, names and positions. */
export function addressBlocks(cities: readonly string[], publishers: Publishers): Resource[] {
  const { names = '', positions = '' } = publishers.addresses.urls;
  return prefecturesOf(cities).flatMap((prefecture) => {
    const file = (name: string, url: string): Resource =>
      zipOf('addresses', `addresses/${name}_pref${prefecture}.csv.zip`, url.replace('{prefecture}', prefecture));
    return [file('mt_rsdtdsp_blk', names), file('mt_rsdtdsp_blk_pos', positions)];
  });
}

/**
 * Years in which the rivers were published (`06`: 2006), each with its prefectures; together they are all prefectures.
 * The name of a prefecture's file contains its year.
 */
const RIVER_YEARS: readonly [year: string, prefectures: string][] = [
  ['06', '36 37 38 39'],
  ['07', '02 03 04 05 06 07 15 16 17 18 40 41 42 43 44 45 46 47'],
  ['08', '08 09 10 11 12 13 14 19 20 21 22 23 24 31 32 33 34 35'],
  ['09', '01 25 26 27 28 29 30'],
];

/** The railways and stations of all Japan, and the parks (P13) and rivers (W05) of the prefectures of the cities. */
export function landmarkFiles(cities: readonly string[], publishers: Publishers): Resource[] {
  const { railways = '', parks = '', rivers = '' } = publishers.landmarks.urls;
  const yearOf = (prefecture: string): string => RIVER_YEARS.find(([, list]) => list.includes(prefecture))?.[0] ?? '';
  const file = (name: string, url: string): Resource => zipOf('landmarks', `landmarks/${name}.zip`, url);
  const files = prefecturesOf(cities).flatMap((prefecture) => [
    file(`P13_${prefecture}`, parks.replace('{prefecture}', prefecture)),
    file(`W05_${prefecture}`, rivers.replaceAll('{prefecture}', prefecture).replaceAll('{year}', yearOf(prefecture))),
  ]);
  return [file('N02', railways), ...files];
}

/**
 * The newest office list of each service. The ministry's page links to them. A list without a link is requested under
 * its name without a date.
 * @returns the lists, and a remark about lists without a link; null when each has one
 * @throws {FetchError} When the page cannot be read or links to no list.
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
  // Some services exist only in the registers of prefectures. The ministry publishes no list of those.
  const services = SERVICES.filter(({ from_registers }) => !from_registers).map(({ service_code }) => service_code);
  const withoutLink = services.filter((service) => !newest.has(service));
  const resources = services.map((service): Resource => {
    const url = newest.get(service) ?? (urls.list ?? '').replace('{service}', service);
    return {
      path: `offices/jigyosho_${service}.csv`,
      url,
      publisher: 'care',
      content: 'csv',
      expectedBytes: null,
      edition: dayOf(dateOfList(fileName(url))),
      keepEarlier: true,
    };
  });
  const remark =
    withoutLink.length === 0
      ? null
      : `${page}: names no list of ${withoutLink.join(', ')}; asked for under names without a date, which may be older`;
  return { resources, remark };
}

/** The address of a link in HTML: between double quotes, between single quotes, or without quotes. */
const LINK = /\shref\s*=\s*(?:"([^"]*)"|'([^']*)'|([^\s>"']+))/gi;
/** A longer text is not the address of a list. It is skipped, because regular expressions may take long on it. */
const MOST_ADDRESS_CHARS = 2000;
/** `jigyosho_510.csv`, also with a date before or behind; the group is the service. */
const LIST_NAME = /(?:^|[^/]*[^/a-z\d])jigyosho[-_]?(\d{3})(?!\d)[^/]*\.csv$/i;

/**
 * The address of the newest list of each service among the links of a page: the one with the latest date in its name.
 * @param page its address, to which links are relative
 * @returns addresses by service code
 */
export function newestLists(html: string, page: string): Map<string, string> {
  const newest = new Map<string, { date: string; url: string }>();
  for (const [, inDoubleQuotes, inSingleQuotes, unquoted] of withoutComments(html).matchAll(LINK)) {
    const address = (inDoubleQuotes ?? inSingleQuotes ?? unquoted ?? '').replaceAll('&amp;', '&').trim();
    if (address.length > MOST_ADDRESS_CHARS || !URL.canParse(address, page)) continue;
    const url = new URL(address, page);
    const name = fileName(url.href);
    const service = LIST_NAME.exec(name)?.[1];
    if (service === undefined) continue;
    const date = dateOfList(name);
    const best = newest.get(service);
    if (!best || date > best.date) newest.set(service, { date, url: url.href });
  }
  return new Map([...newest].map(([service, { url }]) => [service, url]));
}

/** The date in the name of a list, as `dateIn` returns it. The digits of the service are not part of it. */
const dateOfList = (name: string): string => dateIn(name.replace(/jigyosho[-_]?\d{3}/i, ''));

/** The last part of the path of an address, with full-width digits as digits. */
function fileName(url: string): string {
  const { pathname } = new URL(url);
  return readable(pathname.slice(pathname.lastIndexOf('/') + 1)).normalize('NFKC');
}

/** The text of a part of an address; a part that is wrongly encoded stays. */
function readable(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    return part;
  }
}

/** The day YYYY-MM-DD that eight leading digits `YYYYMMDD` state; null when they state none. */
function dayOf(digits: string): string | null {
  const parts = /^(\d{4})(\d\d)(\d\d)/.exec(digits);
  if (parts === null) return null;
  const [, year, month, day] = parts;
  const text = `${year}-${month}-${day}`;
  return isDay(text) ? text : null;
}

/**
 * HTML without its comments. It is split at their ends, because a regular expression could take quadratic time for a
 * hostile page.
 */
function withoutComments(html: string): string {
  const [beforeFirst = '', ...comments] = html.split('<!--');
  const textAfter = (comment: string): string => comment.split('-->').slice(1).join('-->');
  return beforeFirst + comments.map(textAfter).join('');
}

/** The year before the first year of the era Reiwa. */
const BEFORE_REIWA = 2018;

/** A date whose month and day may have one digit: `R8.6.30`, `令和8年6月30日`, `2026-6-30`, `2026年6月`. */
const PARTED =
  /(?<![a-z\d])(r|令和|20(?=\d\d\D))(\d{1,2}|元)(?:年(\d{1,2})月(?:(\d{1,2})日)?|[-_.](\d{1,2})[-_.](\d{1,2}))(?!\d)/i;
/** A date of Reiwa with two digits for month and day: `r0806`, `R8.06`, `r080630`. */
const REIWA = /(?<![a-z\d])r(\d{1,2})[-_.]?(\d{2})(?:[-_.]?(\d{2}))?(?!\d)/i;

const yearOfReiwa = (year: string): number => BEFORE_REIWA + (year === '元' ? 1 : Number(year));

/**
 * The date in the name of a file, as digits that sort by time: 20260630 or 202606. Names have it as `20260630`,
 * `2026-06`, with the time of day as `20260630123000`, or as in `PARTED` and `REIWA`. Empty without a date.
 */
function dateIn(name: string): string {
  const inDigits = name
    .replace(PARTED, (_, era: string, year: string, ...parts: (string | undefined)[]) => {
      const [month = parts[2] ?? '', day = parts[3] ?? ''] = parts;
      const whole = era === '20' ? 2000 + Number(year) : yearOfReiwa(year);
      return `${whole}${month.padStart(2, '0')}${day === '' ? '' : day.padStart(2, '0')}`;
    })
    .replace(REIWA, (_, year: string, month: string, day = '') => `${yearOfReiwa(year)}${month}${day}`)
    .replace(/(\d)[-_.](?=\d)/g, '$1');
  return /20\d{4,12}/.exec(inDigits)?.[0] ?? '';
}
