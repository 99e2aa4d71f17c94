import { createHash } from 'node:crypto';
import { mkdir, open, rename, rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { byCodeUnits } from '../formats/files.ts';
import { type Edition, editionText, FileNames, isWardOfTokyo, readJson } from './city-models.ts';
import { ChangedError, type Client, FetchError, plainText } from './client.ts';
import { isIntact, otherContentIn } from './download.ts';
import { MOST_BYTES, type Publisher } from './publishers.ts';
import { type RemoteEntry, RemoteZip } from './remote-zip.ts';
import type { Source, SourcesLock } from './sources-lock.ts';

/** The published zip of one city. */
interface CityZip {
  city: string;
  year: number;
  spec: number;
  url: string;
}

/** What is called while a zip is extracted. */
interface ZipListener {
  /**
   * Called first, with the number of files and their unpacked bytes.
   * @throws {DiskFullError} When they do not fit on the disk.
   */
  plan(files: number, bytes: number): Promise<void>;
  /** Called with the length of every unpacked piece. */
  bytes(bytes: number): void;
  /** Called for each file that is complete. */
  file(path: string, status: 'fetched' | 'unchanged', bytes: number): void;
  /**
   * Called for each file that could not be extracted.
   * @throws {FetchError} When so many files failed that the rest of the zip is not requested.
   */
  failed(path: string, error: FetchError): void;
  /** Called with one line about a file that is left out. */
  remark(message: string): void;
}

/** City models of buildings: all below `udx/bldg`, except files that macOS adds to a zip. */
const BUILDINGS = /^(?!__MACOSX\/)(?:.*\/)?udx\/bldg\/(?:[^/]+\/)*(?!\._)[^/]+\.gml$/i;
/** `53394611_bldg_6697_op.gml`; the group is the grid square. */
const GRID_SQUARE = /(?:^|[/_])(\d{6,11})_bldg[^/]*$/i;
/** `13101_chiyoda-ku_2023_citygml_1_op.zip`, `13100_tokyo23-ku_2020_citygml_3_2_op.zip`. */
const ZIP_NAME = /(\d{5})_[\w-]+?_(\d{4})_citygml_(\d+(?:_\d+)?)(?:_\w+)?\.zip$/;
/** The 23 wards of Tokyo have one zip with a special name. */
const TOKYO_23 = { code: '13100', name: 'tokyo23ku' };

/**
 * The newest zip of a city's model in an edition at G空間情報センター.
 * @throws {FetchError} When there is none, or the answer of the catalogue is not the list of packages that is expected.
 */
export async function findCityZip(
  client: Client,
  publisher: Publisher,
  city: string,
  edition: Edition,
): Promise<CityZip> {
  const url = (publisher.urls.search ?? '').replace('{city}', city === TOKYO_23.code ? TOKYO_23.name : city);
  const answer = (await readJson(client, publisher, url)) as {
    result?: { results?: ({ resources?: ({ url?: unknown } | null)[] | null } | null)[] };
  } | null;
  const packages = answer?.result?.results;
  if (!Array.isArray(packages)) throw new FetchError(`${url}: expected result.results with a list of packages`);
  const zips = packages
    .flatMap((entry) => entry?.resources ?? [])
    .flatMap((resource): CityZip[] => {
      const address = String(resource?.url ?? '');
      const name = URL.canParse(address) ? ZIP_NAME.exec(new URL(address).pathname) : null;
      if (name === null || name[1] !== city) return [];
      return [{ city, year: Number(name[2]), spec: Number(name[3]?.replace('_', '.')), url: address }];
    })
    .filter(
      ({ year, spec }) => (edition.year ?? year) === year && (edition.spec === null || Number(edition.spec) === spec),
    )
    .sort((a, b) => b.year - a.year || b.spec - a.spec);
  const newest = zips[0];
  if (newest !== undefined) return newest;
  const hint = isWardOfTokyo(city) ? '; --city 13100 takes the one of all 23 wards' : '';
  throw new FetchError(`${url}: no zip of ${city}'s city model among ${packages.length} packages${hint}`);
}

/**
 * Extracts the building files of a city's zip. Requests only the ranges of these files.
 * @returns the paths of all building files, also of those that could not be extracted; null when some were left out
 * @throws {FetchError} When the zip cannot be read, or changes. Files that are complete stay.
 */
export async function fetchCityZip(
  client: Client,
  publisher: Publisher,
  { city, year, spec, url }: CityZip,
  folder: string,
  lock: SourcesLock,
  listener: ZipListener,
): Promise<string[] | null> {
  const zip = await RemoteZip.open(client, url, publisher.hosts);
  try {
    const entries = await zip.entries(BUILDINGS);
    const files = filesOf(city, entries, url, listener);
    const sizes = files.map(({ remote }) => remote.entry.uncompressedSize);
    await listener.plan(
      files.length,
      sizes.reduce((sum, size) => sum + size, 0),
    );
    for (const { path, remote } of files) {
      const entryUrl = `${url}#${remote.name}`;
      const earlier = lock.get(path);
      if (earlier?.url === entryUrl && isSameVersion(zip, earlier) && (await isIntact(join(folder, path), earlier))) {
        listener.file(path, 'unchanged', earlier.bytes);
        continue;
      }
      try {
        const { bytes, sha256 } = await unpackWithRetries(client, zip, remote, join(folder, path), listener);
        await lock.set(path, {
          url: entryUrl,
          edition: editionText(year, spec),
          etag: zip.etag,
          last_modified: zip.lastModified,
          bytes,
          sha256,
          fetched_at: new Date().toISOString(),
          credit: publisher.credit,
        });
        listener.file(path, 'fetched', bytes);
      } catch (error) {
        if (!(error instanceof FetchError) || error instanceof ChangedError) throw error;
        listener.failed(path, error);
      }
    }
    return files.length < entries.length ? null : files.map(({ path }) => path);
  } finally {
    zip.close();
  }
}

/**
 * The building files of a zip with their paths below the inputs folder, in order of their names in the zip. A file
 * whose name has no grid square is left out with a remark.
 * @throws {FetchError} When no file is left.
 */
function filesOf(
  city: string,
  entries: readonly RemoteEntry[],
  url: string,
  { remark }: ZipListener,
): { path: string; remote: RemoteEntry }[] {
  if (entries.length === 0) throw new FetchError(`${url}: holds no udx/bldg/*.gml`);
  const names = new FileNames();
  const files = [...entries]
    .sort((a, b) => byCodeUnits(a.name, b.name))
    .flatMap((remote) => {
      const code = GRID_SQUARE.exec(remote.name)?.[1];
      if (code !== undefined) return [{ path: names.next(city, code), remote }];
      remark(plainText(`${url}: "${remote.name}": left out, since its name does not begin with a grid square`));
      return [];
    });
  if (files.length === 0) throw new FetchError(`${url}: no name below udx/bldg begins with a grid square`);
  return files;
}

/** True when a file was extracted from this version of the zip. A zip without ETag and date may have changed. */
function isSameVersion(zip: RemoteZip, source: Source): boolean {
  if (zip.etag !== null) return zip.etag === source.etag;
  return zip.lastModified !== null && zip.lastModified === source.last_modified;
}

/**
 * Extracts an entry (`unpack`). Starts again when the connection broke.
 * @throws {FetchError} When every attempt failed or the entry is not a city model.
 */
async function unpackWithRetries(
  client: Client,
  zip: RemoteZip,
  remote: RemoteEntry,
  target: string,
  listener: ZipListener,
): Promise<{ bytes: number; sha256: string }> {
  const name = `${zip.url}: ${remote.name}`;
  const bytes = remote.entry.uncompressedSize;
  if (bytes > MOST_BYTES.citygml) throw new FetchError(`${name}: says it unpacks to ${bytes} bytes`);
  const sha256 = await client.withRetries(name, () => unpack(zip.read(remote), target, bytes, name, listener));
  return { bytes, sha256 };
}

/**
 * Writes the bytes of an entry into a file, complete or not at all.
 * @param bytes the size that the zip states
 * @param name of the entry, for errors
 * @returns the SHA-256 of the file, hexadecimal
 * @throws {FetchError} When there are more bytes, or they are not a city model.
 */
async function unpack(
  pieces: AsyncIterable<Buffer>,
  target: string,
  bytes: number,
  name: string,
  listener: ZipListener,
): Promise<string> {
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
      listener.bytes(piece.length);
    }
    await file.sync();
    await file.close();
    const fault = await otherContentIn('citygml', draft, written);
    if (fault !== null) throw new FetchError(`${name}: holds ${fault}`);
    await rename(draft, target);
    return hash.digest('hex');
  } catch (error) {
    await file.close();
    await rm(draft, { force: true });
    throw error;
  }
}
