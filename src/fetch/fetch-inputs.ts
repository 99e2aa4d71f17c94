import { mkdir, statfs } from 'node:fs/promises';
import { type Area, gridSquaresOf } from './area.ts';
import { cityModelsOf, type Edition } from './city-models.ts';
import { fetchCityZip, findCityZip } from './ckan.ts';
import { type Client, DiskFullError, FetchError, isDiskFull } from './client.ts';
import { download } from './download.ts';

import type { Publishers, Resource } from './publishers.ts';

import { SourcesLock } from './sources-lock.ts';
import { addressBlocks, censusAreas, officeLists, postalNames } from './tables.ts';

export type InputPart = 'citygml' | 'census' | 'readings' | 'offices' | 'addresses';

export interface FetchOptions {
  /** The inputs folder. */
  into: string;
  /** 5 digits each; empty with an area. */
  cities: readonly string[];
  area: Area | null;
  edition: Edition;
  /** How city models are had: file by file from the catalogue, or out of the published zip. */
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
}

/** Connections at one time, to all publishers together. */
const CONNECTIONS = 4;

/**
 * Brings everything a build needs into the inputs folder, or finds that it is there.
 * @throws FetchError when nothing can be planned, DiskFullError when the disk is full; single files that fail are in
 * the result
 */
export async function fetchInputs(options: FetchOptions, listener: (event: FetchEvent) => void): Promise<Fetched> {
  await mkdir(options.into, { recursive: true });
  const lock = await SourcesLock.open(options.into);
  const result: Fetched = { fetched: 0, unchanged: 0, bytes: 0, failed: [] };
  const count = (path: string, status: 'fetched' | 'unchanged', bytes: number): void => {
    result[status]++;
    if (status === 'fetched') result.bytes += bytes;
    listener({ event: 'file', path, status, bytes });
  };
  const fail = (path: string, reason: string): void => {
    result.failed.push({ path, reason });
    listener({ event: 'file', path, status: 'failed', bytes: 0 });
  };
  try {
    const { resources, cities } = await plan(options, listener);
    listener({ event: 'plan', files: resources.length, bytes: totalOf(resources) });
    await checkRoom(options.into, resources, lock);
    await inParallel(resources, async (resource) => {
      const { path } = resource;
      const onBytes = (bytes: number) => listener({ event: 'bytes', bytes });
      try {
        const publisher = options.publishers[resource.publisher];
        const known = lock.get(path);
        const { status, source } = await download(options.client, publisher, resource, options.into, known, onBytes);
        if (status === 'fetched') await lock.set(path, source);
        count(path, status, source.bytes);
      } catch (error) {
        if (!(error instanceof FetchError)) throw error;
        fail(path, error.message);
      }
    });
    if (options.route === 'zip' && options.parts.has('citygml')) await fetchZips(options, cities, lock, count, fail);
    await lock.write();
  } catch (error) {
    if (!isDiskFull(error)) {
      await lock.write();
      throw error;
    }
    // What the lock does not know is fetched again, so that nothing is lost but time.
    await lock.write().catch(() => undefined);
    throw new DiskFullError(`${options.into}: the disk is full; make room and run it again, it goes on from there`);
  }
  return result;
}

/** Bytes of all; null where one of them is not known. */
function totalOf(resources: readonly Resource[]): number | null {
  let total = 0;
  for (const { expectedBytes } of resources) {
    if (expectedBytes === null) return null;
    total += expectedBytes;
  }
  return total;
}

async function plan(
  { parts, cities, area, edition, route, client, publishers }: FetchOptions,
  listener: (event: FetchEvent) => void,
): Promise<{ resources: Resource[]; cities: readonly string[] }> {
  const resources: Resource[] = [];
  let found = cities;
  const byCatalogue = route === 'catalogue' || area !== null;
  if (byCatalogue && (parts.has('citygml') || area !== null)) {
    const codes = area === null ? cities : gridSquaresOf(area);
    const models = await cityModelsOf(client, publishers.plateau, codes, edition);
    for (const message of models.remarks) listener({ event: 'remark', message });
    if (parts.has('citygml')) resources.push(...models.resources);
    found = models.cities;
  }
  if (parts.has('census')) resources.push(...censusAreas(found, publishers));
  if (parts.has('readings')) resources.push(postalNames(publishers));
  if (parts.has('addresses')) resources.push(...addressBlocks(found, publishers));
  if (parts.has('offices')) resources.push(...(await officeLists(client, publishers)));
  return { resources, cities: found };
}

async function fetchZips(
  { edition, client, publishers, into }: FetchOptions,
  cities: readonly string[],
  lock: SourcesLock,
  count: (path: string, status: 'fetched' | 'unchanged', bytes: number) => void,
  fail: (path: string, reason: string) => void,
): Promise<void> {
  for (const city of cities) {
    try {
      const zip = await findCityZip(client, publishers.ckan, city, edition);
      await fetchCityZip(client, publishers.ckan, zip, into, lock, count);
    } catch (error) {
      if (!(error instanceof FetchError)) throw error;
      fail(`citygml/${city}`, error.message);
    }
  }
}

/** @throws DiskFullError before anything is asked for, where the sizes are known and do not fit */
async function checkRoom(folder: string, resources: readonly Resource[], lock: SourcesLock): Promise<void> {
  const wanted = resources.reduce(
    (sum, { path, expectedBytes }) => sum + (lock.get(path) ? 0 : (expectedBytes ?? 0)),
    0,
  );
  const { bavail, bsize } = await statfs(folder);
  if (wanted <= bavail * bsize) return;
  throw new DiskFullError(`${folder}: ${wanted} bytes are to come and ${bavail * bsize} are free; make room first`);
}

async function inParallel<T>(items: readonly T[], work: (item: T) => Promise<void>): Promise<void> {
  const rest = items.values();
  const lane = async (): Promise<void> => {
    for (const item of rest) await work(item);
  };
  await Promise.all(Array.from({ length: CONNECTIONS }, lane));
}
