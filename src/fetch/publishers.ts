import { readFile } from 'node:fs/promises';
import { FetchError } from './client.ts';

/** One publisher: where its files are and how it is to be credited. */
export interface Publisher {
  /** Addresses by purpose. In an address `{name}` stands for a value, such as the code of a city. */
  urls: Readonly<Record<string, string>>;
  /** Hosts a download may come from, redirects included. `*.example.org` stands for its subdomains. */
  hosts: readonly string[];
  /** Credit line that the data must carry. */
  credit: string;
}

/**
 * Publishers of the inputs. Gathered in November 2026 from public documentation; every member can be replaced by a
 * JSON file of the same form (`--publishers`).
 */
const PUBLISHERS = {
  plateau: {
    urls: {
      // Trial service of the PLATEAU catalogue, without any promise: the CKAN route below is the other way.
      files: 'https://api.plateauview.mlit.go.jp/datacatalog/citygml/{conditions}?types=bldg',
      list: 'https://api.plateauview.mlit.go.jp/datacatalog/plateau-datasets',
    },
    hosts: ['api.plateauview.mlit.go.jp', 'assets.cms.plateau.reearth.io', '*.plateauview.mlit.go.jp'],
    credit: '国土交通省 Project PLATEAU（3D都市モデル）を加工して作成, CC BY 4.0',
  },
  ckan: {
    urls: {
      search: 'https://www.geospatial.jp/ckan/api/3/action/package_search?q=name:plateau-{city}*&rows=100',
    },
    hosts: ['www.geospatial.jp', 'gic-plateau.s3.ap-northeast-1.amazonaws.com', 'assets.cms.plateau.reearth.io'],
    credit: '国土交通省 Project PLATEAU（3D都市モデル）を加工して作成, CC BY 4.0',
  },
  census: {
    urls: {
      // Datum 2011 is fixed. With 2000 the same towns are shifted by metres, without any notice.
      areas:
        'https://www.e-stat.go.jp/gis/statmap-search/data?dlserveyId=A002005212020&code={code}&coordSys=1&format=shape&downloadType=5&datum=2011',
    },
    hosts: ['www.e-stat.go.jp'],
    credit: '政府統計の総合窓口(e-Stat) 令和2年国勢調査 境界データを加工して作成',
  },
  postal: {
    urls: { names: 'https://www.post.japanpost.jp/service/search/zipcode/download/utf/zip/utf_ken_all.zip' },
    hosts: ['www.post.japanpost.jp'],
    credit: '日本郵便 郵便番号データを加工して作成',
  },
  addresses: {
    // Names and positions of blocks by prefecture. Its servers are reported to refuse (403) requests from outside
    // Japan.
    urls: {
      names: 'https://data.address-br.digital.go.jp/mt_rsdtdsp_blk/pref/mt_rsdtdsp_blk_pref{prefecture}.csv.zip',
      positions:
        'https://data.address-br.digital.go.jp/mt_rsdtdsp_blk_pos/pref/mt_rsdtdsp_blk_pos_pref{prefecture}.csv.zip',
    },
    hosts: ['data.address-br.digital.go.jp'],
    credit: 'デジタル庁 アドレス・ベース・レジストリを加工して作成, PDL 1.0',
  },
  landmarks: {
    // 国土数値情報: railways of the country (N02), parks (P13) and rivers (W05) by prefecture. The year in the name of
    // the rivers depends on the region.
    urls: {
      railways: 'https://nlftp.mlit.go.jp/ksj/gml/data/N02/N02-24/N02-24_GML.zip',
      parks: 'https://nlftp.mlit.go.jp/ksj/gml/data/P13/P13-11/P13-11_{prefecture}_GML.zip',
      rivers: 'https://nlftp.mlit.go.jp/ksj/gml/data/W05/W05-{year}/W05-{year}_{prefecture}_GML.zip',
    },
    hosts: ['nlftp.mlit.go.jp'],
    credit: '国土交通省 国土数値情報（鉄道・河川・都市公園）を加工して作成',
  },
  care: {
    urls: {
      // The page names the newest lists. A missing one is requested under its undated name.
      index: 'https://www.mhlw.go.jp/stf/kaigo-kouhyou_opendata.html',
      list: 'https://www.mhlw.go.jp/content/12300000/jigyosho_{service}.csv',
    },
    hosts: ['www.mhlw.go.jp'],
    credit: '厚生労働省 介護サービス情報公表システムのデータを加工して作成, CC BY 4.0',
  },
  elevation: {
    urls: {
      // DEM5A to DEM5C end at zoom 15, DEM10B at zoom 14: https://maps.gsi.go.jp/development/hyokochi.html
      dem5a: 'https://cyberjapandata.gsi.go.jp/xyz/dem5a_png/{z}/{x}/{y}.png',
      dem5b: 'https://cyberjapandata.gsi.go.jp/xyz/dem5b_png/{z}/{x}/{y}.png',
      dem5c: 'https://cyberjapandata.gsi.go.jp/xyz/dem5c_png/{z}/{x}/{y}.png',
      dem10b: 'https://cyberjapandata.gsi.go.jp/xyz/dem_png/{z}/{x}/{y}.png',
    },
    hosts: ['cyberjapandata.gsi.go.jp'],
    credit: '国土地理院 地理院タイル（標高タイル）を加工して作成',
  },
  normals: {
    // A zip for each grid square of the first order, with shapefile, GML and GeoJSON.
    urls: { mesh: 'https://nlftp.mlit.go.jp/ksj/gml/data/G02/G02-22/G02-22_{square}-jgd_GML.zip' },
    hosts: ['nlftp.mlit.go.jp'],
    credit: '国土交通省 国土数値情報（平年値メッシュ）と気象庁のメッシュ平年値を加工して作成',
  },
} as const satisfies Record<string, Publisher>;

type PublisherName = keyof typeof PUBLISHERS;
export type Publishers = Record<PublisherName, Publisher>;

/**
 * The table of publishers, with members replaced by those of a JSON file.
 * @param path of the JSON file; null for the built-in table
 * @throws {FetchError} When the file is not JSON, or a member is unknown or has a wrong type. The message names it.
 */
export async function readPublishers(path: string | null): Promise<Publishers> {
  if (path === null) return PUBLISHERS;
  const overrides = parseObject(path, await readFile(path, 'utf8'));
  const result: Publishers = { ...PUBLISHERS };
  for (const [name, members] of Object.entries(overrides)) {
    if (!Object.hasOwn(PUBLISHERS, name)) {
      throw new FetchError(`${path}: no publisher "${name}"; there are ${Object.keys(PUBLISHERS).join(', ')}`);
    }
    const builtIn = PUBLISHERS[name as PublisherName];
    result[name as PublisherName] = withOverrides(`${path}: ${name}`, builtIn, members);
  }
  return result;
}

/**
 * A publisher with some members replaced. Of its addresses, those that are not named stay.
 * @param where the file and the publisher, for errors
 * @throws {FetchError} When a member is unknown or has a wrong type.
 */
function withOverrides(where: string, builtIn: Publisher, members: unknown): Publisher {
  const { urls = {}, hosts = builtIn.hosts, credit = builtIn.credit, ...others } = asObject(where, members);
  const unknownUrls = Object.keys(asObject(where, urls)).filter((key) => !(key in builtIn.urls));
  const unknown = [...Object.keys(others), ...unknownUrls];
  if (unknown.length > 0) throw new FetchError(`${where}: unknown member ${unknown.join(', ')}`);
  const addresses = Object.values(urls as object);
  if (!addresses.every((url) => typeof url === 'string' && URL.canParse(url))) {
    throw new FetchError(`${where}.urls: every value must be an absolute URL`);
  }
  if (!Array.isArray(hosts) || !hosts.every((host) => typeof host === 'string') || typeof credit !== 'string') {
    throw new FetchError(`${where}: hosts must be a list of texts, credit a text`);
  }
  return { urls: { ...builtIn.urls, ...(urls as Record<string, string>) }, hosts, credit };
}

/**
 * The members of a JSON object.
 * @param path of its file, for errors
 * @throws {FetchError} When the text is not a JSON object.
 */
function parseObject(path: string, text: string): Record<string, unknown> {
  try {
    return asObject(path, JSON.parse(text));
  } catch (error) {
    if (error instanceof FetchError) throw error;
    throw new FetchError(`${path}: not JSON: ${(error as Error).message}`);
  }
}

/**
 * A value that is an object.
 * @param where its place, for errors
 * @throws {FetchError} When it is something else, also a list.
 */
function asObject(where: string, value: unknown): Record<string, unknown> {
  if (typeof value === 'object' && value !== null && !Array.isArray(value)) return value as Record<string, unknown>;
  throw new FetchError(`${where}: expected an object of members`);
}

/** The required format of a download, so that an error page is not taken for data. */
export type Content = 'citygml' | 'csv' | 'png' | 'zip';

/** One file to fetch. */
export interface Resource {
  /** Path below the inputs folder, with `/`. It is made of codes only, never of a publisher's file name. */
  path: string;
  url: string;
  publisher: PublisherName;
  content: Content;
  /** The size that the publisher states, bytes; null when it does not. */
  expectedBytes: number | null;
  /**
   * The edition: year and specification of a city model, the day of a list; null when the publisher does not state it.
   */
  edition: string | null;
  /** True to keep a previous version below `earlier/`: for lists that are overwritten in place. */
  keepEarlier: boolean;
}

/** Limit for the bytes of one file; published files are far smaller. */
export const MOST_BYTES: Readonly<Record<Content, number>> = {
  citygml: 4e9,
  csv: 1e9,
  png: 1e6,
  zip: 20e9,
};

/**
 * Bytes at the beginning and at the end of a file that `otherContent` tests. A zip's directory ends in its last 64 kB.
 */
export const END_BYTES = 66_000;

/**
 * What a download contains instead of a complete file of its kind, such as `a web page`; null when nothing shows it.
 * @param head first bytes, up to `END_BYTES`
 * @param tail last bytes, up to `END_BYTES`
 */
export function otherContent(content: Content, head: Uint8Array, tail: Uint8Array): string | null {
  const byteOrderMark = /^\xef\xbb\xbf/;
  const begin = latin1(head).replace(byteOrderMark, '').trimStart();
  if (begin === '') return 'nothing';
  if (/^<(!doctype\s+html|html)\b/i.test(begin)) return 'a web page';
  switch (content) {
    case 'zip':
      if (!begin.startsWith('PK')) return 'something that is not a zip';
      // Signature of the end of the central directory.
      return latin1(tail).includes('PK\x05\x06') ? null : 'a zip without its end';
    case 'citygml':
      if (!begin.startsWith('<')) return 'something that is not XML';
      return /CityModel\s*>\s*(<!--[\s\S]*-->\s*)?$/.test(latin1(tail)) ? null : 'a city model without its end';
    case 'png':
      if (!begin.startsWith('\x89PNG')) return 'something that is not a PNG';
      return latin1(tail).includes('IEND') ? null : 'a picture without its end';
    case 'csv':
      // Some servers return a line of text when they are busy.
      return /^(<|PK|\{)/.test(begin) || !/^[^\n]*,/.test(begin) ? 'something that is not a table' : null;
  }
}

/** A character for each byte, so that signatures can be searched in text. */
const latin1 = (bytes: Uint8Array): string => Buffer.from(bytes).toString('latin1');
