import { readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { FileLock } from '../formats/file-lock.ts';
import { freeBytes, makeFolder } from '../formats/files.ts';
import { gridSquaresAround } from '../geo/grid-square.ts';
import { ElevationFileError } from '../terrain/elevation.ts';
import { citiesFor, cityModelsOf, type Edition } from './city-models.ts';
import { fetchCityZip, findCityZip } from './ckan.ts';
import { type Client, DiskFullError, FetchError, isDiskFull, NotThereError } from './client.ts';
import { download, isIntact, keep } from './download.ts';
import { citiesOfModels, elevationTiles, isWholeTile, squaresOfModels, type TileChoices } from './elevation-tiles.ts';
import type { Publishers, Resource } from './publishers.ts';
import { SourcesLock } from './sources-lock.ts';
import { addressBlocks, censusAreas, landmarkFiles, meshNormals, officeLists, postalNames } from './tables.ts';

export type InputPart =
  | ('citygml' | 'census' | 'readings' | 'offices')
  | ('addresses' | 'landmarks' | 'normals' | 'terrain');

/** All within `km` of a place, measured in degrees north, south, east and west. */
export interface Area {
  lat: number;
  lon: number;
  km: number;
}

export interface FetchOptions {
  /** The inputs folder. */
  into: string;
  /** Cities (5 digits), prefectures (2 digits) and `all`; empty with an area. */
  cities: readonly string[];
  area: Area | null;
  edition: Edition;
  /** How city models are fetched: as single files from the catalogue, or from the published zip. */
  route: 'catalogue' | 'zip';
  parts: ReadonlySet<InputPart>;
  publishers: Publishers;
  client: Client;
}

export type FetchEvent =
  | { event: 'plan'; files: number; bytes: number | null }
  | { event: 'bytes'; bytes: number }
  | { event: 'file'; path: string; status: 'fetched' | 'unchanged' | 'failed'; bytes: number }
  | { event: 'remark'; message: string };

export interface Fetched {
  fetched: number;
  unchanged: number;
  /** Bytes of the fetched files. */
  bytes: number;
  failed: { path: string; reason: string }[];
  /** Files that the publisher has withdrawn. They are now below `earlier/`. */
  withdrawn: string[];
  /** Places without an elevation tile: the sea, and places outside Japan. */
  absent: number;
}

/** Locked by the run that fills the folder. */
const RUN_LOCK = '.fetch.lock';

/** Connections at one time, to all publishers together. */
const CONNECTIONS = 4;

/**
 * Fetches everything that a build needs into the inputs folder, except files that are already there.
 * @throws FetchError when nothing can be planned or another run uses the folder, DiskFullError when the disk is full.
 * The result lists single files that fail.
 */
export async function fetchInputs(options: FetchOptions, listener: (event: FetchEvent) => void): Promise<Fetched> {
  const { into } = options;
  await makeFolder(into);
  const path = join(into, RUN_LOCK);
  const running = FileLock.take(path);
  if (running === null) throw new FetchError(`${into}: another fetch is filling this folder; wait until it has ended`);
  try {
    return await new Run(options, await SourcesLock.open(into), listener).all();
  } catch (error) {
    if (!isDiskFull(error)) throw error;
    throw new DiskFullError(`${into}: the disk is full; make room and run it again, it goes on from there`);
  } finally {
    await rm(path, { force: true });
    running.release();
  }
}

/** One run of `fetch`. */
class Run {
  readonly #options: FetchOptions;
  readonly #lock: SourcesLock;
  readonly #listener: (event: FetchEvent) => void;
  readonly #result: Fetched = { fetched: 0, unchanged: 0, bytes: 0, failed: [], withdrawn: [], absent: 0 };

  constructor(options: FetchOptions, lock: SourcesLock, listener: (event: FetchEvent) => void) {
    this.#options = options;
    this.#lock = lock;
    this.#listener = listener;
  }

  async all(): Promise<Fetched> {
    const { into, route, parts, area } = this.#options;
    try {
      const { resources, cities, gone } = await plan(this.#options, this.#lock, this.#listener);
      if (resources.length > 0) this.#listener({ event: 'plan', files: resources.length, bytes: totalOf(resources) });
      await checkRoom(into, bytesToCome(resources, this.#lock));
      await inParallel(resources, (resource) => this.#one(resource));
      const models = resources.filter(({ content }) => content === 'citygml').map(({ path }) => path);
      if (area === null && models.length > 0) for (const city of cities) await this.#withdraw(city, models);
      if (this.#result.failed.length === 0) for (const city of gone) await this.#withdraw(city, []);
      if (route === 'zip' && parts.has('citygml')) for (const city of cities) await this.#zip(city);
      if (parts.has('normals')) await this.#normals(cities);
      if (parts.has('terrain')) await this.#terrain(cities);
    } catch (error) {
      // A file that is not in the lock is fetched again; this only costs time.
      await this.#lock.write().catch(() => undefined);
      throw error;
    }
    await this.#lock.write();
    return this.#result;
  }

  async #one(resource: Resource): Promise<void> {
    const { path } = resource;
    const { publishers, client, into } = this.#options;
    const onBytes = (bytes: number) => this.#listener({ event: 'bytes', bytes });
    try {
      const publisher = publishers[resource.publisher];
      const { status, source } = await download(client, publisher, resource, into, this.#lock.get(path), onBytes);
      await this.#lock.set(path, source);
      this.#count(path, status, source.bytes);
    } catch (error) {
      if (!(error instanceof FetchError)) throw error;
      this.#fail(path, error.message);
    }
  }

  /** Fetches the mesh normals of the grid squares. */
  async #normals(cities: readonly string[]): Promise<void> {
    const resources = meshNormals(await this.#squares(cities), this.#options.publishers);
    this.#listener({ event: 'plan', files: resources.length, bytes: null });
    await inParallel(resources, (resource) => this.#one(resource));
  }

  /** Fetches the elevation tiles around the city models, or around the requested area. */
  async #terrain(cities: readonly string[]): Promise<void> {
    const { publishers, client } = this.#options;
    const places = elevationTiles(await this.#squares(cities), publishers);
    this.#listener({ event: 'plan', files: places.length, bytes: null });
    const turn = turns(client.options.tilesPerSecond);
    await inParallel(places, (choices) => this.#tile(choices, turn));
  }

  /** Grid squares of the area; otherwise of the city models in the folder; otherwise of the catalogue. */
  async #squares(cities: readonly string[]): Promise<string[]> {
    const { area, client, publishers, edition } = this.#options;
    if (area !== null) return gridSquaresAround(area);
    const here = squaresOfModels(cities.flatMap((city) => this.#lock.pathsBelow(`citygml/${city}/`)));
    if (here.length > 0) return here;
    const { resources } = await cityModelsOf(client, publishers.plateau, cities, edition);
    return squaresOfModels(resources.map(({ path }) => path));
  }

  /** Fetches the tile of a place from the models in order, up to the first one without gaps. */
  async #tile(choices: TileChoices, turn: () => Promise<void>): Promise<void> {
    const { into, client, publishers } = this.#options;
    let found = 0;
    for (const [i, resource] of choices.entries()) {
      const { path } = resource;
      try {
        if (isRecent(this.#lock.absentSince(path))) continue;
        const known = this.#lock.get(path);
        const isHere = known !== null && isRecent(known.fetched_at) && (await isIntact(join(into, path), known));
        if (isHere) this.#count(path, 'unchanged', known.bytes);
        else {
          await turn();
          const onBytes = (bytes: number) => this.#listener({ event: 'bytes', bytes });
          const { status, source } = await download(client, publishers.elevation, resource, into, known, onBytes);
          await this.#lock.set(path, { ...source, fetched_at: new Date().toISOString() });
          this.#count(path, status, source.bytes);
        }
        found++;
        if (i < choices.length - 1 && isWholeTile(await readFile(join(into, path)))) break;
      } catch (error) {
        if (error instanceof NotThereError) {
          await this.#lock.setAbsent(path);
          continue;
        }
        if (!(error instanceof FetchError || error instanceof ElevationFileError)) throw error;
        this.#fail(path, error.message);
        found++;
      }
    }
    if (found === 0) this.#result.absent++;
  }

  async #zip(city: string): Promise<void> {
    const { edition, client, publishers, into } = this.#options;
    try {
      const zip = await findCityZip(client, publishers.ckan, city, edition);
      const paths = await fetchCityZip(client, publishers.ckan, zip, into, this.#lock, {
        plan: (files, bytes) => {
          this.#listener({ event: 'plan', files, bytes });
          const held = this.#lock.bytesBelow(`citygml/${city}/`);
          return checkRoom(into, bytes - held);
        },
        bytes: (bytes) => this.#listener({ event: 'bytes', bytes }),
        file: (path, status, bytes) => this.#count(path, status, bytes),
        failed: (path, reason) => this.#fail(path, reason),
        remark: (message) => this.#listener({ event: 'remark', message }),
      });
      await this.#withdraw(city, paths);
    } catch (error) {
      if (!(error instanceof FetchError) || error instanceof DiskFullError) throw error;
      this.#fail(`citygml/${city}`, error.message);
    }
  }

  /** Moves the files away that the newest edition of a city no longer has, so that no build reads them. Does nothing while files of that edition are missing. */
  async #withdraw(city: string, published: readonly string[]): Promise<void> {
    const below = `citygml/${city}/`;
    const current = new Set(published);
    if (this.#result.failed.some(({ path }) => path.startsWith(below))) return;
    for (const path of this.#lock.pathsBelow(below)) {
      const source = this.#lock.get(path);
      if (source === null || current.has(path)) continue;
      await keep(this.#options.into, path, source).catch((error: NodeJS.ErrnoException) => {
        if (error.code !== 'ENOENT') throw error;
      });
      this.#lock.delete(path);
      this.#result.withdrawn.push(path);
      this.#listener({ event: 'remark', message: `${path}: the publisher has it no more; moved below earlier/` });
    }
  }

  #count(path: string, status: 'fetched' | 'unchanged', bytes: number): void {
    this.#result[status]++;
    if (status === 'fetched') this.#result.bytes += bytes;
    this.#listener({ event: 'file', path, status, bytes });
  }

  #fail(path: string, reason: string): void {
    this.#result.failed.push({ path, reason });
    this.#listener({ event: 'file', path, status: 'failed', bytes: 0 });
  }
}

/**
 * A tile that was requested within these days is not requested again: elevation changes seldom, and there are
 * thousands.
 */
const RECENT_DAYS = 30;
const isRecent = (time: string | null): boolean =>
  time !== null && Date.now() - Date.parse(time) < RECENT_DAYS * 86_400_000;

/** A function that waits, so that it returns at most this number of times per second. */
function turns(perSecond: number): () => Promise<void> {
  let next = 0;
  return async () => {
    const now = performance.now();
    const mine = Math.max(now, next);
    next = mine + 1000 / perSecond;
    await sleep(mine - now);
  };
}

/** Bytes of all; null when one is unknown. */
function totalOf(resources: readonly Resource[]): number | null {
  let total = 0;
  for (const { expectedBytes } of resources) {
    if (expectedBytes === null) return null;
    total += expectedBytes;
  }
  return total;
}

/** Each edition of 国土数値情報 has its own terms. Those of older rivers and parks do not allow all uses. */
const LANDMARK_TERMS =
  'landmarks: read the terms of each file before you serve them (https://nlftp.mlit.go.jp/ksj/): railways (N02) are open, older rivers (W05) and parks (P13) may exclude commercial use; delete the files you may not use';

/** What a run is to do: files to request, their cities, and cities of earlier runs that the catalogue lists no more. */
interface Plan {
  resources: Resource[];
  cities: readonly string[];
  gone: readonly string[];
}

async function plan(
  { parts, cities, area, edition, route, client, publishers }: FetchOptions,
  lock: SourcesLock,
  listener: (event: FetchEvent) => void,
): Promise<Plan> {
  const resources: Resource[] = [];
  const wanted = await citiesFor(client, publishers.plateau, cities);
  const whole = cities.filter((code) => code.length < 5).map((code) => (code === 'all' ? '' : code));
  const isGone = (city: string): boolean => !wanted.includes(city) && whole.some((prefix) => city.startsWith(prefix));
  const gone = parts.has('citygml') ? citiesOfModels(lock.pathsBelow('citygml/')).filter(isGone) : [];
  let found: readonly string[] = wanted;
  const byCatalogue = route === 'catalogue' || area !== null;
  // The catalogue lists the cities of an area.
  const needsCities = area !== null && (['census', 'addresses', 'landmarks'] as const).some((part) => parts.has(part));
  if (byCatalogue && (parts.has('citygml') || needsCities)) {
    const codes = area === null ? wanted : gridSquaresAround(area);
    const models = await cityModelsOf(client, publishers.plateau, codes, edition);
    for (const message of models.remarks) listener({ event: 'remark', message });
    if (parts.has('citygml')) resources.push(...models.resources);
    found = models.cities;
  }
  if (parts.has('census')) resources.push(...censusAreas(found, publishers));
  if (parts.has('readings')) resources.push(postalNames(publishers));
  if (parts.has('addresses')) resources.push(...addressBlocks(found, publishers));
  if (parts.has('landmarks')) {
    resources.push(...landmarkFiles(found, publishers));
    listener({ event: 'remark', message: LANDMARK_TERMS });
  }
  if (parts.has('offices')) {
    const lists = await officeLists(client, publishers);
    if (lists.remark !== null) listener({ event: 'remark', message: lists.remark });
    resources.push(...lists.resources);
  }
  return { resources, cities: found, gone };
}

/** Bytes of the missing files, as far as their sizes are known. */
const bytesToCome = (resources: readonly Resource[], lock: SourcesLock): number =>
  resources.reduce((sum, { path, expectedBytes }) => sum + (lock.get(path) ? 0 : (expectedBytes ?? 0)), 0);

/** @throws DiskFullError before any request, when the files do not fit */
async function checkRoom(folder: string, wanted: number): Promise<void> {
  const free = await freeBytes(folder);
  if (wanted <= free) return;
  throw new DiskFullError(`${folder}: ${wanted} bytes are to come and ${free} are free; make room first`);
}

/**
 * After a failure it starts no further item, waits for the running ones, and
 * @throws the first error.
 */
async function inParallel<T>(items: readonly T[], work: (item: T) => Promise<void>): Promise<void> {
  const rest = items.values();
  const failures: unknown[] = [];
  const lane = async (): Promise<void> => {
    for (const item of rest) {
      await work(item).catch((error: unknown) => failures.push(error));
      if (failures.length > 0) return;
    }
  };
  await Promise.all(Array.from({ length: CONNECTIONS }, lane));
  if (failures.length > 0) throw failures[0];
}
