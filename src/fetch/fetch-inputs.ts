import { readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { FileLock } from '../formats/file-lock.ts';
import { freeBytes, isDiskFull, makeFolder, nullIfMissing } from '../formats/files.ts';
import { mapInParallel } from '../formats/in-parallel.ts';
import { gridSquaresAround } from '../geo/grid-square.ts';
import { ElevationFileError } from '../terrain/elevation.ts';
import { citiesFor, cityModelsOf, type Edition, isOlderEdition } from './city-models.ts';
import { fetchCityZip, findCityZip } from './ckan.ts';
import { type Client, DiskFullError, FetchError, NotThereError, UnreachableError } from './client.ts';
import { download, isIntact, moveToEarlier } from './download.ts';
import { citiesOfModels, elevationTiles, isWithoutGaps, squaresOfModels, type TileChoices } from './elevation-tiles.ts';
import type { Publishers, Resource } from './publishers.ts';
import { SourcesLock } from './sources-lock.ts';
import { addressBlocks, censusAreas, landmarkFiles, meshNormals, officeLists, postalNames } from './tables.ts';

/** The kinds of inputs that can be fetched. */
export const INPUT_KINDS = [
  'citygml',
  'census',
  'readings',
  'offices',
  'addresses',
  'landmarks',
  'normals',
  'terrain',
] as const;
export type InputKind = (typeof INPUT_KINDS)[number];

/** A box around a point (degrees): its edges are `km` kilometres north, south, east and west of the point. */
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
  kinds: ReadonlySet<InputKind>;
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
  /** Number of elevation tiles that no model has: those of the sea, and those outside Japan. */
  absent: number;
}

/** The file that a run locks, so that no other run fills the same folder. */
const RUN_LOCK = '.fetch.lock';

/** Connections at one time, to all publishers together. */
const CONNECTIONS = 4;

/**
 * When this number of files of one kind failed in every attempt, one after the other, the rest of the kind is not
 * requested: each file of a publisher that is down or too slow takes minutes, and a country has thousands of files.
 */
const MOST_FAILURES_IN_A_ROW = 20;

/**
 * Fetches everything that a build needs into the inputs folder, except files that are already there.
 * @returns the counts, and the files that could not be fetched
 * @throws {FetchError} When nothing can be planned or another run uses the folder.
 * @throws {DiskFullError} When the disk is full.
 */
export async function fetchInputs(options: FetchOptions, listener: (event: FetchEvent) => void): Promise<Fetched> {
  const { into } = options;
  makeFolder(into);
  const path = join(into, RUN_LOCK);
  const runLock = FileLock.take(path);
  if (runLock === null) throw new FetchError(`${into}: another fetch is filling this folder; wait until it has ended`);
  const client = options.client.reportingTo((message) => listener({ event: 'remark', message }));
  try {
    return await new Run({ ...options, client }, await SourcesLock.open(into), listener).all();
  } catch (error) {
    if (!isDiskFull(error)) throw error;
    throw new DiskFullError(`${into}: the disk is full; make room and run it again, it goes on from there`);
  } finally {
    await rm(path, { force: true });
    runLock.release();
  }
}

/** One run of `fetch`. */
class Run {
  readonly #options: FetchOptions;
  readonly #lock: SourcesLock;
  readonly #listener: (event: FetchEvent) => void;
  readonly #result: Fetched = { fetched: 0, unchanged: 0, bytes: 0, failed: [], withdrawn: [], absent: 0 };
  /** Files of each kind that failed one after the other, since the last one of the kind that did not. */
  readonly #failuresInARow = new Map<string, number>();

  constructor(options: FetchOptions, lock: SourcesLock, listener: (event: FetchEvent) => void) {
    this.#options = options;
    this.#lock = lock;
    this.#listener = listener;
  }

  /**
   * Fetches the files of the plan, then the zips, the normals and the elevation tiles, which depend on city models.
   * @throws {FetchError} When nothing can be planned.
   * @throws {DiskFullError} When the files do not fit on the disk.
   */
  async all(): Promise<Fetched> {
    const { into, route, kinds, area } = this.#options;
    try {
      const planned = await plan(this.#options, this.#lock, this.#listener);
      const { resources, cities, incomplete, withdrawnCities, failures } = planned;
      for (const { path, error } of failures) this.#fail(path, error);
      if (resources.length > 0) this.#listener({ event: 'plan', files: resources.length, bytes: totalOf(resources) });
      await checkRoom(into, missingBytes(resources, this.#lock));
      await mapInParallel(resources, CONNECTIONS, (resource) => this.#fetchFile(resource));
      const models = resources.filter(({ content }) => content === 'citygml').map(({ path }) => path);
      // The files of an area are only some of the files of its cities.
      const whole = area === null && models.length > 0 ? cities.filter((city) => !incomplete.has(city)) : [];
      for (const city of whole) await this.#moveWithdrawn(city, models);
      // All files of a city that the catalogue no longer lists are moved, but only when nothing has failed.
      if (this.#result.failed.length === 0) for (const city of withdrawnCities) await this.#moveWithdrawn(city, []);
      if (route === 'zip' && kinds.has('citygml')) for (const city of cities) await this.#fetchZip(city);
      if (kinds.has('normals')) await this.#fetchNormals(cities);
      if (kinds.has('terrain')) await this.#fetchTerrain(cities);
    } catch (error) {
      // The first error is the one to report. A file that is missing in the lock is fetched again by the next run.
      await this.#lock.write().catch(() => undefined);
      throw error;
    }
    await this.#lock.write();
    return this.#result;
  }

  /** Fetches one file and records the result. */
  async #fetchFile(resource: Resource): Promise<void> {
    const { path } = resource;
    if (this.#isGivenUp(path)) return this.#fail(path, givenUp());
    const { publishers, client, into } = this.#options;
    const onBytes = (bytes: number) => this.#listener({ event: 'bytes', bytes });
    try {
      const publisher = publishers[resource.publisher];
      const { status, source } = await download(client, publisher, resource, into, this.#lock.get(path), onBytes);
      await this.#lock.set(path, source);
      this.#count(path, status, source.bytes);
    } catch (error) {
      if (!(error instanceof FetchError)) throw error;
      this.#fail(path, error);
    }
  }

  /** Fetches the climate normals of the grid squares. */
  async #fetchNormals(cities: readonly string[]): Promise<void> {
    const resources = meshNormals(await this.#squares(cities), this.#options.publishers);
    this.#listener({ event: 'plan', files: resources.length, bytes: null });
    await mapInParallel(resources, CONNECTIONS, (resource) => this.#fetchFile(resource));
  }

  /** Fetches the elevation tiles around the city models, or around the requested area. */
  async #fetchTerrain(cities: readonly string[]): Promise<void> {
    const { publishers, client } = this.#options;
    const tiles = elevationTiles(await this.#squares(cities), publishers);
    this.#listener({ event: 'plan', files: tiles.length, bytes: null });
    const waitForTurn = rateLimit(client.options.tilesPerSecond);
    await mapInParallel(tiles, CONNECTIONS, (choices) => this.#fetchTile(choices, waitForTurn));
  }

  /** The grid squares of the requested area; without one, those of the city models in the folder or the catalogue. */
  async #squares(cities: readonly string[]): Promise<string[]> {
    const { area, client, publishers, edition } = this.#options;
    if (area !== null) return gridSquaresAround(area);
    const ofFolder = squaresOfModels(cities.flatMap((city) => this.#lock.pathsBelow(`citygml/${city}/`)));
    if (ofFolder.length > 0) return ofFolder;
    const { resources } = await cityModelsOf(client, publishers.plateau, cities, edition);
    return squaresOfModels(resources.map(({ path }) => path));
  }

  /**
   * Fetches a tile from one model after the other, up to the first model without gaps. The next model also stands
   * in for a tile that could not be fetched.
   * @param waitForTurn waits until the next request is allowed
   */
  async #fetchTile(choices: TileChoices, waitForTurn: () => Promise<void>): Promise<void> {
    let isAbsentEverywhere = true;
    for (const [i, resource] of choices.entries()) {
      const { path } = resource;
      if (this.#isGivenUp(path)) return this.#fail(path, givenUp());
      try {
        const isThere = await this.#fetchTileOfModel(resource, waitForTurn);
        if (!isThere) continue;
        isAbsentEverywhere = false;
        const isLast = i === choices.length - 1;
        if (!isLast && isWithoutGaps(await readFile(join(this.#options.into, path)))) return;
      } catch (error) {
        if (!(error instanceof FetchError || error instanceof ElevationFileError)) throw error;
        this.#fail(path, error);
        // A failure does not tell whether the model has the tile.
        isAbsentEverywhere = false;
      }
    }
    if (isAbsentEverywhere) this.#result.absent++;
  }

  /** Fetches a tile of one model, unless the folder has a recent copy. False when the model does not have the tile. */
  async #fetchTileOfModel(resource: Resource, waitForTurn: () => Promise<void>): Promise<boolean> {
    const { into, client, publishers } = this.#options;
    const { path } = resource;
    if (isRecent(this.#lock.absentSince(path))) return false;
    const earlier = this.#lock.get(path);
    if (earlier !== null && isRecent(earlier.fetched_at) && (await isIntact(join(into, path), earlier))) {
      this.#count(path, 'unchanged', earlier.bytes);
      return true;
    }
    await waitForTurn();
    const onBytes = (bytes: number) => this.#listener({ event: 'bytes', bytes });
    try {
      const { status, source } = await download(client, publishers.elevation, resource, into, earlier, onBytes);
      await this.#lock.set(path, { ...source, fetched_at: new Date().toISOString() });
      this.#count(path, status, source.bytes);
      return true;
    } catch (error) {
      if (!(error instanceof NotThereError)) throw error;
      await this.#lock.setAbsent(path);
      return false;
    }
  }

  /** Fetches the city models of a city from its published zip. */
  async #fetchZip(city: string): Promise<void> {
    const { edition, client, publishers, into } = this.#options;
    try {
      const zip = await findCityZip(client, publishers.ckan, city, edition);
      // Only years are compared: the catalogue and the names of zips count specifications in different ways.
      checkEditionNotOlder(this.#lock, city, String(zip.year), edition);
      const paths = await fetchCityZip(client, publishers.ckan, zip, into, this.#lock, {
        plan: (files, bytes) => {
          this.#listener({ event: 'plan', files, bytes });
          const present = this.#lock.bytesBelow(`citygml/${city}/`);
          return checkRoom(into, bytes - present);
        },
        bytes: (bytes) => this.#listener({ event: 'bytes', bytes }),
        file: (path, status, bytes) => this.#count(path, status, bytes),
        failed: (path, error) => {
          this.#fail(path, error);
          // After too many failures in a row, this ends the fetch of the zip.
          if (this.#isGivenUp(path)) throw givenUp();
        },
        remark: (message) => this.#listener({ event: 'remark', message }),
      });
      if (paths !== null) await this.#moveWithdrawn(city, paths);
    } catch (error) {
      if (!(error instanceof FetchError) || error instanceof DiskFullError) throw error;
      this.#fail(`citygml/${city}`, error);
    }
  }

  /**
   * Moves the files of a city that its newest edition does not contain below `earlier/`, so that no build reads them.
   * Does nothing when a file of that edition could not be fetched.
   * @param published the paths of the newest edition
   */
  async #moveWithdrawn(city: string, published: readonly string[]): Promise<void> {
    const folder = `citygml/${city}/`;
    const current = new Set(published);
    // The failure of a whole city has the path of its folder, without the slash.
    if (this.#result.failed.some(({ path }) => `${path}/`.startsWith(folder))) return;
    for (const path of this.#lock.pathsBelow(folder)) {
      const source = this.#lock.get(path);
      if (source === null || current.has(path)) continue;
      // A user may have deleted the file.
      await moveToEarlier(this.#options.into, path, source).catch(nullIfMissing);
      this.#lock.delete(path);
      this.#result.withdrawn.push(path);
      this.#listener({ event: 'remark', message: `${path}: the publisher has it no more; moved below earlier/` });
    }
  }

  /** Counts a file that is in the folder. */
  #count(path: string, status: 'fetched' | 'unchanged', bytes: number): void {
    this.#result[status]++;
    this.#failuresInARow.delete(kindOf(path));
    if (status === 'fetched') this.#result.bytes += bytes;
    this.#listener({ event: 'file', path, status, bytes });
  }

  /** Records a failure. Only an unreachable publisher counts for giving up: any other error is an answer. */
  #fail(path: string, error: Error): void {
    const kind = kindOf(path);
    const isReached = !(error instanceof UnreachableError);
    this.#failuresInARow.set(kind, isReached ? 0 : (this.#failuresInARow.get(kind) ?? 0) + 1);
    this.#result.failed.push({ path, reason: error.message });
    this.#listener({ event: 'file', path, status: 'failed', bytes: 0 });
  }

  /** True when so many files of a kind failed in a row that its other files are not requested. */
  #isGivenUp(path: string): boolean {
    return (this.#failuresInARow.get(kindOf(path)) ?? 0) >= MOST_FAILURES_IN_A_ROW;
  }
}

/** The kind of a file: the first folder of its path. */
const kindOf = (path: string): string => path.split('/', 1)[0] ?? path;

/** The error of a file that is not requested, because too many of its kind failed. */
const givenUp = (): FetchError =>
  new UnreachableError(
    `not requested, since ${MOST_FAILURES_IN_A_ROW} files failed one after the other; run it again when the publisher answers`,
  );

/** A tile is not requested again within these days: elevations change seldom, and a city has thousands of tiles. */
const RECENT_DAYS = 30;
/** True for a time (RFC 3339) within these days; false for null. */
const isRecent = (time: string | null): boolean =>
  // A time in the future comes from a clock that was wrong.
  time !== null && Math.abs(Date.now() - Date.parse(time)) < RECENT_DAYS * 86_400_000;

/** A function to call before each request. It waits, so that at most `perSecond` calls return in a second. */
function rateLimit(perSecond: number): () => Promise<void> {
  let nextStart = 0;
  return async () => {
    const now = performance.now();
    const start = Math.max(now, nextStart);
    nextStart = start + 1000 / perSecond;
    await sleep(start - now);
  };
}

/** The sum of the expected bytes; null when the size of any file is unknown. */
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

/** What a run has to do. */
interface Plan {
  /** The files to request. Models by `route` zip are not among them: the run extracts them afterwards. */
  resources: Resource[];
  /** The codes of their cities. */
  cities: readonly string[];
  /** Those of which the catalogue lists some files in an unknown form: what is here of them stays. */
  incomplete: ReadonlySet<string>;
  /** Cities whose models an earlier run fetched, and which the catalogue does not list now. */
  withdrawnCities: readonly string[];
  /** What cannot be requested: a kind of files, or the models of a city. */
  failures: { path: string; error: FetchError }[];
}

/**
 * Finds out what to request. A kind of files or a city that cannot be requested becomes a failure of the plan.
 * @throws {FetchError} When nothing can be requested.
 */
async function plan(
  { kinds, cities, area, edition, route, client, publishers }: FetchOptions,
  lock: SourcesLock,
  listener: (event: FetchEvent) => void,
): Promise<Plan> {
  const resources: Resource[] = [];
  const failures: Plan['failures'] = [];
  // A publisher that fails does not keep the files of the others away.
  const orFailure = async (path: string, work: () => Promise<void> | void): Promise<void> => {
    try {
      await work();
    } catch (error) {
      if (!(error instanceof FetchError)) throw error;
      failures.push({ path, error });
    }
  };
  // The requested cities. Once the catalogue has answered, those that it has models of.
  let cityCodes = await citiesFor(client, publishers.plateau, cities);
  let incomplete: Plan['incomplete'] = new Set();
  const withdrawnCities = kinds.has('citygml') ? withdrawnIn(cities, cityCodes, lock) : [];
  /** Requests the models that the catalogue has, and sets `cityCodes` to their cities. */
  const askCatalogue = async (): Promise<void> => {
    const citiesOrSquares = area === null ? cityCodes : gridSquaresAround(area);
    const models = await cityModelsOf(client, publishers.plateau, citiesOrSquares, edition);
    for (const message of models.remarks) listener({ event: 'remark', message });
    ({ cities: cityCodes, incomplete } = models);
    for (const city of kinds.has('citygml') ? cityCodes : [])
      await orFailure(`citygml/${city}`, () => {
        const ofCity = models.resources.filter(({ path }) => path.startsWith(`citygml/${city}/`));
        checkEditionNotOlder(lock, city, ofCity[0]?.edition ?? null, edition);
        resources.push(...ofCity);
      });
  };
  // Only the catalogue knows which models and cities an area has. Models of whole cities come from it, too, unless the route
  // is zip: then the caller takes them out of the zip files of the cities.
  const kindsByCity = ['citygml', 'census', 'addresses', 'landmarks'] as const;
  const needsCatalogue = area !== null && kindsByCity.some((kind) => kinds.has(kind));
  if (needsCatalogue || (kinds.has('citygml') && route === 'catalogue')) await orFailure('citygml', askCatalogue);
  if (kinds.has('census')) resources.push(...censusAreas(cityCodes, publishers));
  if (kinds.has('readings')) resources.push(postalNames(publishers));
  if (kinds.has('addresses')) resources.push(...addressBlocks(cityCodes, publishers));
  if (kinds.has('landmarks')) {
    resources.push(...landmarkFiles(cityCodes, publishers));
    listener({ event: 'remark', message: LANDMARK_TERMS });
  }
  if (kinds.has('offices'))
    await orFailure('offices', async () => {
      const lists = await officeLists(client, publishers);
      if (lists.remark !== null) listener({ event: 'remark', message: lists.remark });
      resources.push(...lists.resources);
    });
  const [failure] = failures;
  if (resources.length === 0 && failure !== undefined) throw failure.error;
  return { resources, cities: cityCodes, incomplete, withdrawnCities, failures };
}

/**
 * The cities with models in the folder that a request covers, and that the catalogue has removed. Only a request for a
 * prefecture or for all Japan covers such cities.
 */
function withdrawnIn(requested: readonly string[], listed: readonly string[], lock: SourcesLock): string[] {
  const prefixes = requested.filter((code) => code.length < 5).map((code) => (code === 'all' ? '' : code));
  return citiesOfModels(lock.pathsBelow('citygml/')).filter(
    (city) => !listed.includes(city) && prefixes.some((prefix) => city.startsWith(prefix)),
  );
}

/**
 * Checks that a publisher does not go back to an older edition of a city than the folder has. An edition that the user
 * names may be older.
 * @param published the edition that the publisher has now; null: unknown
 * @throws {FetchError} When it is older.
 */
function checkEditionNotOlder(lock: SourcesLock, city: string, published: string | null, requested: Edition): void {
  if (published === null || requested.year !== null || requested.spec !== null) return;
  for (const path of lock.pathsBelow(`citygml/${city}/`)) {
    const here = lock.get(path)?.edition ?? null;
    if (here !== null && isOlderEdition(published, here))
      throw new FetchError(
        `the publisher's newest edition of ${city} is now ${published}, older than ${here}, which is here and stays; --year and --spec take the older one`,
      );
  }
}

/** Bytes of the files that the folder lacks. A file of unknown size counts as 0. */
const missingBytes = (resources: readonly Resource[], lock: SourcesLock): number =>
  resources.reduce((sum, { path, expectedBytes }) => sum + (lock.get(path) ? 0 : (expectedBytes ?? 0)), 0);

/**
 * Checks that the disk of a folder has room for this number of bytes.
 * @throws {DiskFullError} When it has not.
 */
async function checkRoom(folder: string, bytes: number): Promise<void> {
  const free = await freeBytes(folder);
  if (bytes <= free) return;
  throw new DiskFullError(`${folder}: ${bytes} bytes are to come and ${free} are free; make room first`);
}
