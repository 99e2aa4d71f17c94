import { mkdir, readFile, rename, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { isDay } from '../formats/day.ts';
import { nullIfMissing } from '../formats/files.ts';
import { dayInJapan } from '../kaigo/price-list.ts';
import { FetchError } from './client.ts';

/** Where one input came from, as `sources.lock.json` records it. */
export interface Source {
  url: string;
  /** Of a city model: its year and specification. Of a list: its day. Null or absent: unknown. */
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
 * @throws {FetchError} When `sources.lock.json` exists but does not have its form.
 */
export const readSources = async (folder: string): Promise<Map<string, Source>> =>
  (await SourcesLock.open(folder)).all();

/**
 * The day of an office list, YYYY-MM-DD: the date in its name, otherwise the day in Japan of the server's
 * Last-Modified; null when neither is known.
 */
export function listDay({ edition, last_modified }: Source): string | null {
  if (edition && isDay(edition)) return edition;
  const modified = new Date(last_modified ?? '');
  return Number.isNaN(modified.getTime()) ? null : dayInJapan(modified);
}

export const LOCK_FILE = 'sources.lock.json';
const VERSION = 1;
/** Shortest time between two writes of the file, milliseconds: a city has thousands of inputs. */
const WRITE_INTERVAL_MS = 1000;
/** After an input of this size the file is written at once: an input that it does not list would be fetched again. */
const LARGE_BYTES = 20e6;

/** The sources of an inputs folder, by path below it. */
export class SourcesLock {
  readonly #path: string;
  readonly #files: Map<string, Source>;
  /** Files that the publisher does not have, by path, with the time of the request, RFC 3339. */
  readonly #absent: Map<string, string>;
  #writtenAt = 0;
  /** The last write, which may be under way. */
  #lastWrite: Promise<void> = Promise.resolve();

  private constructor(path: string, { files, absent }: Entries) {
    this.#path = path;
    this.#files = files;
    this.#absent = absent;
  }

  /**
   * Reads the file of an inputs folder; without a file there are no sources.
   * @throws {FetchError} When the file exists but does not have its form.
   */
  static async open(folder: string): Promise<SourcesLock> {
    const path = join(folder, LOCK_FILE);
    const text = await readFile(path, 'utf8').catch(nullIfMissing);
    return new SourcesLock(path, text === null ? { files: new Map(), absent: new Map() } : parse(path, text));
  }

  /** A copy of all sources, by path. */
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

  /** The time at which the publisher last answered that it does not have this file, RFC 3339; null if it never did. */
  absentSince(path: string): string | null {
    return this.#absent.get(path) ?? null;
  }

  /** Records that the publisher has just answered that it does not have this file. */
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

  /** Writes the file, complete or not at all. Writes wait for each other, because all use the same draft. */
  write(): Promise<void> {
    this.#writtenAt = Date.now();
    const writeNow = () => this.#writeNow();
    this.#lastWrite = this.#lastWrite.then(writeNow, writeNow);
    return this.#lastWrite;
  }

  /** Writes the file in order of path. */
  async #writeNow(): Promise<void> {
    const byPath = <T>(map: Map<string, T>) => Object.fromEntries([...map].sort(([a], [b]) => (a < b ? -1 : 1)));
    const files = byPath(this.#files);
    const absent = this.#absent.size > 0 ? { absent: byPath(this.#absent) } : {};
    const draft = `${this.#path}.${process.pid}.part`;
    await mkdir(dirname(this.#path), { recursive: true });
    await writeFile(draft, `${JSON.stringify({ version: VERSION, files, ...absent }, null, 2)}\n`, { flush: true });
    await rename(draft, this.#path);
  }
}

/** The contents of the file; see the fields of `SourcesLock`. */
interface Entries {
  files: Map<string, Source>;
  absent: Map<string, string>;
}

/**
 * Reads the text of the file.
 * @throws {FetchError} When the text does not have the form of the file.
 */
function parse(path: string, text: string): Entries {
  const hint = 'move it away to fetch everything again';
  try {
    const { version, files, absent = {} } = JSON.parse(text) as { version: unknown; files: unknown; absent?: unknown };
    if (version !== VERSION) throw new FetchError(`${path}: version ${String(version)}, expected ${VERSION}; ${hint}`);
    const entries = Object.entries(files as Record<string, Source>);
    const incomplete = entries.find(([, { url, bytes, sha256 }]) => !url || !Number.isInteger(bytes) || !sha256);
    if (incomplete) throw new FetchError(`${path}: ${incomplete[0]} lacks url, bytes or sha256; ${hint}`);
    return { files: new Map(entries), absent: new Map(Object.entries(absent as Record<string, string>)) };
  } catch (error) {
    if (error instanceof FetchError) throw error;
    throw new FetchError(`${path}: cannot be read (${(error as Error).message}); ${hint}`);
  }
}
