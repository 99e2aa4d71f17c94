import { readFileSync } from 'node:fs';
import { stripTypeScriptTypes } from 'node:module';
import { dirname, join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { PACKS_FILE, PACKS_FORMAT, type PacksAbout, type StaticAnswer } from '../client/packs.ts';
import { bulkFile } from '../contract/documents.ts';
import { OPERATIONS } from '../contract/operations.ts';
import { publishedSchemas } from '../contract/schema-document.ts';
import type { Dataset } from '../dataset/dataset.ts';
import { MAP_FILE } from '../dataset/map.ts';
import { type FileSink, intoFolder, SendingSink } from '../export/file-sink.ts';
import { type PackCounts, writePacks } from '../export/static-packs.ts';
import { isDiskFull, makeFolder } from '../formats/files.ts';
import { PmtilesReader } from '../formats/pmtiles.ts';
import { ask } from '../http/ask.ts';
import { contractOf } from '../site/example-urls.ts';
import { CODE_TYPES, HTML } from '../site/frame/assets.ts';
import { pagePaths } from '../site/frame/discovery.ts';
import { MAP_ASSETS, PINS_ZOOM } from '../site/map/map-files.ts';
import { metaOf } from '../snapshot/meta.ts';
import type { ObjectStore } from '../store/object-store.ts';
import { portOf } from './listening.ts';
import { bytesText, countText, remark } from './output.ts';
import { serviceWithin } from './service-within.ts';
import { httpUrl, isAddress } from './setting.ts';
import { openStore } from './store.ts';

/** Options of an export as files. */
interface StaticOptions {
  dataset: string;
  /** A folder, or s3://bucket/prefix. */
  out: string;
  /** The address at which the files are served; part of the answers. */
  siteUrl: string;
  version: string;
  /** Whether the bulk files are included. */
  bulk: boolean;
  /** True to gzip what browsers load: pages, tiles, scripts, styles. */
  gzip: boolean;
}

/** The address of the service during an export. */
const HOST = '127.0.0.1';
/** How long a page may take, milliseconds. */
const PATIENCE_MS = 60_000;

/**
 * Writes everything that needs no computation: pages, lists, tiles, bulk files, packs of buildings and facilities, and
 * the client that reads them. `packs.json` is written last: when it exists, all files that it names exist.
 */
export async function exportStatic(options: StaticOptions): Promise<void> {
  const { out, siteUrl, version } = options;
  const store = isAddress(out) ? openStore(out) : null;
  // Before the dataset is opened, which takes time.
  if (store === null) makeFolder(out);
  const { app, service, close } = await serviceWithin(options.dataset, version, siteUrl, { isStatic: true });
  const port = await portOf({ port: 0, host: HOST });
  const gzips = (name: string): boolean => options.gzip && GZIPPED.test(name);
  // Drafts of files are in their folder, so that each is moved to its place whole.
  const sink = await (store === null
    ? SendingSink.open(intoFolder(out), { folder: out, gzips })
    : SendingSink.open(sendTo(store, service.datasets.current.dataset.manifest.dataset_id), { gzips }));
  try {
    await app.listen({ host: HOST, port });
    const server = httpUrl(HOST, port);
    const { dataset } = service.datasets.current;
    const report = (what: string): void =>
      remark(`${what}: ${countText(sink.files)} files, ${bytesText(sink.bytes)} so far`);
    await writePages(server, siteUrl, dataset, sink);
    report('pages and lists');
    await writeTiles(server, dataset, sink);
    report('map');
    if (options.bulk) for (const name of bulkNames(dataset)) await sink.copy(name, join(dataset.folder, name));
    await writeClient(sink);
    report('bulk files and client');
    const counts = await writePacks(dataset, sink);
    await sink.write(PACKS_FILE, `${JSON.stringify(packsAbout(dataset, siteUrl))}\n`);
    remark(`${countsText(counts)}; ${countText(sink.files)} files, ${bytesText(sink.bytes)} in ${out}`);
  } catch (error) {
    if (!isDiskFull(error)) throw error;
    throw new Error(`${out}: no space left on the disk: make room, then run it again`, { cause: error });
  } finally {
    await sink.close();
    await close();
  }
}

/** The counts of the packs for people. */
const countsText = (counts: PackCounts): string =>
  `${countText(counts.buildings)} buildings, ${countText(counts.near)} strips, ${countText(counts.towns)} pages of towns, ${countText(counts.facilities)} facilities`;

/** The names of the bulk files of a dataset. */
const bulkNames = ({ manifest }: Dataset): string[] =>
  Object.keys(manifest.files).filter((name) => name.startsWith('bulk/'));

/** Media types by the end of the name. A file without one is a page, or a file that no browser displays. */
const MEDIA_TYPES: Readonly<Record<string, string>> = {
  ...CODE_TYPES,
  html: HTML,
  json: 'application/json',
  svg: 'image/svg+xml',
  png: 'image/png',
  txt: 'text/plain; charset=utf-8',
  xml: 'application/xml',
  atom: 'application/atom+xml',
  mvt: 'application/vnd.mapbox-vector-tile',
  parquet: bulkFile.answer.mediaType,
};

/** Names of files that only browsers load, so they may be gzipped. Programs read JSON and XML as they are. */
const GZIPPED = /^(?!client\/).*\.(html|mvt|m?js|css|svg)$/;

/** Cache-Control of a file whose path names its content, and of one that changes with the dataset. */
const LASTING = 'public, max-age=31536000, immutable';
const CHANGING = 'public, max-age=300';

/** Makes a function that puts files into a bucket, with the headers that a browser or a CDN in front of it needs. */
const sendTo =
  (store: ObjectStore, datasetId: string) =>
  (name: string, path: string, isGzipped: boolean): Promise<void> =>
    store.put(name, path, {
      mediaType: MEDIA_TYPES[name.slice(name.lastIndexOf('.') + 1)] ?? 'application/octet-stream',
      cacheControl: name.startsWith('assets/') || name.includes(`/${datasetId}`) ? LASTING : CHANGING,
      coding: isGzipped ? 'gzip' : null,
    });

/** Lists and descriptions besides the pages. */
const DOCUMENTS = ['/inputs.json', '/changes.atom', '/sitemap.xml', '/robots.txt'];

/** Requests every page from the service itself, and the files that the pages load and link to. */
async function writePages(server: string, siteUrl: string, dataset: Dataset, sink: FileSink): Promise<void> {
  const put = async (path: string, status = 200): Promise<string> => {
    const bytes = await bodyOf(server + path, status);
    await sink.write(fileOf(path), bytes);
    return bytes.toString();
  };
  /** The path of the site below its host. */
  const base = new URL(siteUrl).pathname.replace(/\/$/, '');
  const lists = [
    ...DOCUMENTS,
    ...(dataset.sunlight === null ? [] : ['/sunlight/towns.json', '/map/tiles.json']),
    ...(dataset.kaigo === null ? [] : ['/kaigo/municipalities.json']),
    ...publishedSchemas(contractOf(dataset))
      .keys()
      .map((name) => `/schemas/${name}.json`),
  ];
  // The pages do not name all scripts of the map: some are loaded by computed names.
  const assets = new Set(dataset.map === null ? [] : MAP_ASSETS.paths());
  for (const path of [...lists, ...pagePaths({ dataset, isStatic: true }), ...MISSING_PAGES]) {
    const text = await put(path, MISSING_PAGES.includes(path) ? 404 : 200);
    for (const asset of assetsOf(text, base)) assets.add(asset);
  }
  // The loop also reaches what is added to the set meanwhile: the files that these files import.
  for (const path of assets) {
    const text = await put(path);
    for (const imported of importsOf(text, path)) assets.add(imported);
  }
}

/** The pages that a host gives where it has no file. */
const MISSING_PAGES = ['/404.html', '/en/404.html'];

/**
 * The body of an answer of the service.
 * @param status the expected status
 * @throws Error when the answer has another status
 */
async function bodyOf(url: string, status = 200): Promise<Buffer> {
  const response = await ask(url, {
    // The pages for missing files come only to those who ask for HTML.
    headers: { accept: status === 404 ? 'text/html' : '*/*' },
    signal: AbortSignal.timeout(PATIENCE_MS),
  });
  const bytes = Buffer.from(await response.arrayBuffer());
  if (response.status === status) return bytes;
  throw new Error(`${url}: the service answers ${response.status}: ${bytes.toString().slice(0, 300)}`);
}

/** The file of a path. A page is the index of its folder. */
const fileOf = (path: string): string => `${path.slice(1)}${path.endsWith('/') ? 'index.html' : ''}`;

/**
 * The paths of the styles, scripts and pictures of a page.
 * @param base path of the site, which is removed
 */
const assetsOf = (page: string, base: string): string[] =>
  [...page.matchAll(/(?:href|src|content)="([^"?#]+\.(?:css|js|svg|png|woff2|json|webmanifest))"/g)].flatMap(
    ([, url = '']) => {
      const path = url.startsWith('http') ? new URL(url).pathname : url;
      return path.startsWith(`${base}/assets/`) || path.startsWith(`${base}/map/`) ? [path.slice(base.length)] : [];
    },
  );

/** The files of the same folder that a script imports or a style loads; imports of types are in comments. */
const importsOf = (text: string, path: string): string[] =>
  [
    ...text
      .replace(/\/\*\* @import .*$/gm, '')
      .matchAll(/(?:from|import\(?|url\(|new URL\()\s*["'](\.{1,2}\/[^"')]+)["']/g),
  ].map(([, relative = '']) => new URL(relative, `http://x${path}`).pathname);

/**
 * Writes the tiles of the map, with the care homes of each. They are unpacked, because a host may not support content
 * codings.
 */
async function writeTiles(server: string, { files, manifest, kaigo }: Dataset, sink: FileSink): Promise<void> {
  if (manifest.files[MAP_FILE] === undefined) return;
  const folder = `tiles/${manifest.dataset_id}`;
  // By this tile the map asks whether its dataset is still served.
  await sink.write(`${folder}/0/0/0.mvt`, '');
  for (const { z, x, y, bytes } of new PmtilesReader(files.open(MAP_FILE)).tiles()) {
    if (z > 0) await sink.write(`${folder}/${z}/${x}/${y}.mvt`, gunzipSync(bytes));
    if (z !== PINS_ZOOM || kaigo === null) continue;
    const homes = `${folder}/homes/${x}/${y}.json`;
    await sink.write(homes, await bodyOf(`${server}/${homes}`));
  }
}

/** Writes the client and the modules that it imports as scripts, and the script of the pages for missing files. */
async function writeClient(sink: FileSink): Promise<void> {
  const here = import.meta.url;
  const ending = here.endsWith('.ts') ? '.ts' : '.js';
  const modules = new Set(['client/static-client']);
  // The loop also visits what is added meanwhile.
  for (const name of modules) {
    const text = readFileSync(new URL(`../${name}${ending}`, here), 'utf8');
    const script = ending === '.ts' ? stripTypeScriptTypes(text) : text;
    for (const [, path] of script.matchAll(/ from '(\.[^']+)\.[jt]s'/g)) modules.add(join(dirname(name), path));
    await sink.write(`client/${name.replace(/^client\//, '')}.js`, withImportsBesideClient(script));
  }
  const page = readFileSync(new URL('../client/browser/missing-page.js', here), 'utf8');
  await sink.write('client/missing-page.js', withImportsBesideClient(page));
}

/** The script with imports of `.js` files inside `client/`: `../geo/x.ts` becomes `./geo/x.js`. */
const withImportsBesideClient = (script: string): string =>
  script
    .replaceAll("from '../geo/", "from './geo/")
    .replaceAll("from '../static-client", "from './static-client")
    .replace(/(?<=from '\.[^'\s]*)\.ts(?=')/g, '.js');

/** The operation of each answer in a pack. */
const OPERATION_OF: Readonly<Record<StaticAnswer, string>> = {
  building: 'sunlight-building',
  full: 'sunlight-building-full',
  near: 'sunlight-near',
  town: 'sunlight-town-buildings',
  facility: 'kaigo-facility',
};

/** The content of `packs.json`: the dataset, and the end of each kind of answer, which a pack does not repeat. */
function packsAbout({ manifest }: Dataset, siteUrl: string): PacksAbout {
  const tailOf = (id: string): string => {
    const operation = OPERATIONS.find((row) => row.id === id);
    if (operation === undefined) throw new Error(`no operation is named ${id}`);
    return `,"meta":${JSON.stringify(metaOf(manifest, operation, siteUrl, operation.costUnits))}}`;
  };
  const tails = Object.entries(OPERATION_OF).map(([answer, id]) => [answer, tailOf(id)]);
  return { format: PACKS_FORMAT, dataset_id: manifest.dataset_id, tails: Object.fromEntries(tails) };
}
