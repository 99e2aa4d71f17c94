import { mkdir, readFile, rename, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { isDay } from '../formats/day.ts';
import { dayInJapan } from '../kaigo/price-list.ts';
import { FetchError } from './client.ts';

/** The origin of one input in `sources.lock.json`. */
export interface Source {
  url: string;
  /** Of a city model year and specification, of a list its day; null or absent when unknown. */
  edition?: string | null;
  etag: string | null;
  last_modified: string | null;
  bytes: number;
  /** Hexadecimal. */
  sha256: string;
  /** RFC 3339, UTC. */
  fetched_at: string;
  credit: string;
}

/**
 * The sources of an inputs folder by path; empty when `fetch` did not fill it.
 * @throws FetchError when the file exists but does not have this form
 */
export const readSources = async (folder: string): Promise<Map<string, Source>> =>
  (await SourcesLock.open(folder)).all();

/** The day of a list, YYYY-MM-DD: that of its name, otherwise the day in Japan of the server's Last-Modified. */
export function listDay({ edition, last_modified }: Source): string | null {
  if (edition && isDay(edition)) return edition;
  const placed = new Date(last_modified ?? '');
  return Number.isNaN(placed.getTime()) ? null : dayInJapan(placed);
}

export const LOCK_FILE = 'sources.lock.json';
const VERSION = 1;
/** Shortest time between two writes of the file, milliseconds: a city has thousands of inputs. */
const WRITE_INTERVAL_MS = 1000;
/** After a file of this size it is written at once, because a file that it does not list is fetched again. */
const LARGE_BYTES = 20e6;

/** The sources of an inputs folder, by path below it. */
export class SourcesLock {
  readonly #path: string;
  readonly #files: Map<string, Source>;
  /** Files that the publisher does not have, by path, with the time of the request, RFC 3339. */
  readonly #absent: Map<string, string>;
  #writtenAt = 0;

  private constructor(path: string, { files, absent }: Kept) {
    this.#path = path;
    this.#files = files;
    this.#absent = absent;
  }

  /** @throws FetchError when the file exists but does not have this form */
  static async open(folder: string): Promise<SourcesLock> {
    const path = join(folder, LOCK_FILE);
    const text = await readFile(path, 'utf8').catch((error: NodeJS.ErrnoException) => {
      if (error.code === 'ENOENT') return null;
      throw error;
    });
    return new SourcesLock(path, text === null ? { files: new Map(), absent: new Map() } : parse(path, text));
  }

  all(): Map<string, Source> {
    return new Map(this.#files);
  }

  get(path: string): Source | null {
    return this.#files.get(path) ?? null;
  }

  /** The files in a folder. */
  pathsBelow(folder: string): string[] {
    return [...this.#files.keys()].filter((path) => path.startsWith(folder));
  }

  /** Removes the entry of a moved file. */
  delete(path: string): void {
    this.#files.delete(path);
  }

  /** When the publisher last answered that it does not have a file, RFC 3339; null if it never did. */
  absentSince(path: string): string | null {
    return this.#absent.get(path) ?? null;
  }

  /** Records that the publisher does not have a file. */
  async setAbsent(path: string): Promise<void> {
    this.#absent.set(path, new Date().toISOString());
    if (Date.now() - this.#writtenAt >= WRITE_INTERVAL_MS) await this.write();
  }

  /** Bytes of the files in a folder. */
  bytesBelow(folder: string): number {
    return this.#files.entries().reduce((sum, [path, { bytes }]) => sum + (path.startsWith(folder) ? bytes : 0), 0);
  }

  /** Records a source. The file is written from time to time, and by `write`. */
  async set(path: string, source: Source): Promise<void> {
    this.#files.set(path, source);
    this.#absent.delete(path);
    if (source.bytes >= LARGE_BYTES || Date.now() - this.#writtenAt >= WRITE_INTERVAL_MS) await this.write();
  }

  /** Writes the file, complete or not at all, in order of path. */
  async write(): Promise<void> {
    this.#writtenAt = Date.now();
    const byPath = <T>(map: Map<string, T>) => Object.fromEntries([...map].sort(([a], [b]) => (a < b ? -1 : 1)));
    const files = byPath(this.#files);
    const absent = this.#absent.size > 0 ? { absent: byPath(this.#absent) } : {};
    const draft = `${this.#path}.${process.pid}.part`;
    await mkdir(dirname(this.#path), { recursive: true });
    await writeFile(draft, `${JSON.stringify({ version: VERSION, files, ...absent }, null, 2)}\n`, { flush: true });
    await rename(draft, this.#path);
  }
}

interface Kept {
  files: Map<string, Source>;
  absent: Map<string, string>;
}

function parse(path: string, text: string): Kept {
  const hint = 'move it away to fetch everything again';
  try {
    const { version, files, absent = {} } = JSON.parse(text) as { version: unknown; files: unknown; absent?: unknown };
    if (version !== VERSION) throw new FetchError(`${path}: version ${String(version)}, expected ${VERSION}; ${hint}`);
    const entries = Object.entries(files as Record<string, Source>);
    const wrong = entries.find(([, { url, bytes, sha256 }]) => !url || !Number.isInteger(bytes) || !sha256);
    if (wrong) throw new FetchError(`${path}: ${wrong[0]} lacks url, bytes or sha256; ${hint}`);
    return { files: new Map(entries), absent: new Map(Object.entries(absent as Record<string, string>)) };
  } catch (error) {
    if (error instanceof FetchError) throw error;
    throw new FetchError(`${path}: cannot be read (${(error as Error).message}); ${hint}`);
  }
}
