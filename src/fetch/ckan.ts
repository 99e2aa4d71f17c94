import { createHash } from 'node:crypto';
import { mkdir, open, rename, rm, stat } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { Entry } from 'yauzl';
import { type Edition, readJson } from './city-models.ts';
import { type Client, FetchError, isDiskFull } from './client.ts';

import { MOST_BYTES, type Publisher } from './publishers.ts';
import { RemoteZip } from './remote-zip.ts';

import type { SourcesLock } from './sources-lock.ts';

/** The published zip of one city. */
interface CityZip {
  city: string;
  year: number;
  spec: number;
  url: string;
}

const BUILDINGS = /(?:^|\/)udx\/bldg\/(\d{6,11})_bldg_[\w.-]*\.gml$/;
/** `13101_chiyoda-ku_2023_citygml_1_op.zip`, `13100_tokyo23-ku_2020_citygml_3_2_op.zip`. */
const ZIP_NAME = /(\d{5})_[\w-]+?_(\d{4})_citygml_(\d+(?:_\d+)?)(?:_op)?\.zip$/;

/** The zip of a city's model at G空間情報センター. @throws FetchError when there is none */
export async function findCityZip(
  client: Client,
  publisher: Publisher,
  city: string,
  edition: Edition,
): Promise<CityZip> {
  const url = (publisher.urls.search ?? '').replace('{city}', city);
  const answer = (await readJson(client, publisher, url)) as {
    result?: { results?: { resources?: { url?: string }[] }[] };
  } | null;
  const packages = answer?.result?.results;
  if (!Array.isArray(packages)) throw new FetchError(`${url}: expected result.results with a list of packages`);
  const zips = packages
    .flatMap(({ resources = [] }) => resources)
    .flatMap((resource): CityZip[] => {
      const name = ZIP_NAME.exec(resource.url ?? '');
      if (name === null || name[1] !== city) return [];
      return [{ city, year: Number(name[2]), spec: Number(name[3]?.replace('_', '.')), url: resource.url ?? '' }];
    })
    .filter(
      ({ year, spec }) => (edition.year ?? year) === year && (edition.spec === null || Number(edition.spec) === spec),
    )
    .sort((a, b) => b.year - a.year || b.spec - a.spec);
  const newest = zips[0];
  if (newest === undefined)
    throw new FetchError(`${url}: no zip of ${city}'s city model among ${packages.length} packages`);
  return newest;
}

/**
 * Takes the building files out of a city's zip, reading only their ranges.
 * @param onFile called with every file, and whether it was there already
 * @throws FetchError; files that are whole stay
 */
export async function fetchCityZip(
  client: Client,
  publisher: Publisher,
  { city, url }: CityZip,
  folder: string,
  lock: SourcesLock,
  onFile: (path: string, status: 'fetched' | 'unchanged', bytes: number) => void,
): Promise<void> {
  const zip = await RemoteZip.open(client, url, publisher.hosts);
  try {
    const entries = await zip.entries(BUILDINGS);
    if (entries.length === 0) throw new FetchError(`${url}: holds no udx/bldg/*.gml`);
    for (const entry of entries) {
      const path = `citygml/${city}/${BUILDINGS.exec(entry.fileName)?.[1]}_bldg.gml`;
      const bytes = entry.uncompressedSize;
      if (bytes > MOST_BYTES.citygml)
        throw new FetchError(`${url}: ${entry.fileName}: says it unpacks to ${bytes} bytes`);
      const known = lock.get(path);
      const version = `${url}#${entry.fileName}`;
      const held = await stat(join(folder, path)).catch(() => null);
      if (known?.url === version && zip.etag !== null && known.etag === zip.etag && held?.size === known.bytes) {
        onFile(path, 'unchanged', bytes);
        continue;
      }
      const sha256 = await unpackPatiently(client, zip, entry, join(folder, path));
      await lock.set(path, {
        ...{ url: version, etag: zip.etag, last_modified: zip.lastModified, bytes, sha256 },
        ...{ fetched_at: new Date().toISOString(), credit: publisher.credit },
      });
      onFile(path, 'fetched', bytes);
    }
  } finally {
    zip.close();
  }
}

/** Unpacks an entry, again from its beginning where the connection broke. */
async function unpackPatiently(client: Client, zip: RemoteZip, entry: Entry, target: string): Promise<string> {
  const name = `${zip.url}: ${entry.fileName}`;
  for (let attempt = 1; ; attempt++) {
    try {
      return await unpack(zip.read(entry), target, entry.uncompressedSize, name);
    } catch (error) {
      if (error instanceof FetchError || isDiskFull(error)) throw error;
      if (attempt >= client.options.tries) throw new FetchError(`${name}: ${(error as Error).message}`);
      await client.pause(attempt, null, name);
    }
  }
}

/** Writes what arrives, whole or not at all; gives its SHA-256, hexadecimal. */
async function unpack(pieces: AsyncIterable<Buffer>, target: string, bytes: number, name: string): Promise<string> {
  await mkdir(dirname(target), { recursive: true });
  const draft = `${target}.part`;
  const file = await open(draft, 'w');
  const hash = createHash('sha256');
  let written = 0;
  try {
    for await (const piece of pieces) {
      written += piece.length;
      if (written > bytes) throw new FetchError(`${name}: unpacks to more than the ${bytes} bytes it says`);
      hash.update(piece);
      await file.writeFile(piece);
    }
    await file.sync();
    await file.close();
    await rename(draft, target);
    return hash.digest('hex');
  } catch (error) {
    await file.close();
    await rm(draft, { force: true });
    throw error;
  }
}
