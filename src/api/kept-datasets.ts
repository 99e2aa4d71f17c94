import type { Logger } from 'pino';
import type { Dataset } from '../dataset/dataset.ts';
import { Unavailable } from './handler-errors.ts';
import type { Serving } from './serving.ts';

/** Datasets that are open besides the one that is served, at most: the one before it, and one that other servers moved to first. */
const MOST_KEPT = 2;
/** How often at most the data folder is searched for a dataset that a request names, milliseconds. */
const SEARCH_MS = 1000;

export interface KeepOptions {
  /** How long a dataset stays open after the last request that names it, milliseconds; 0: none is kept. */
  keepMs: number;
  /** Opens a dataset of the data folder by its ID; null where there is none that is whole. */
  open(id: string): Promise<Dataset | null>;
}

/** No dataset is open besides the one that is served. */
export const KEEP_NONE: KeepOptions = { keepMs: 0, open: async () => null };

/**
 * Datasets besides the one that is served, open for requests that name them: a client that reads a list page by page gets all
 * of it from one dataset, though servers move on.
 */
export class KeptDatasets {
  readonly #options: KeepOptions;
  readonly #serve: (dataset: Dataset) => Serving;
  readonly #log: Logger;
  readonly #closed: (folder: string) => void;
  /** By ID, the one that was asked for longest ago first. */
  readonly #kept = new Map<string, { serving: Serving; timer: NodeJS.Timeout }>();
  /** What is being searched for, by ID. */
  readonly #searches = new Map<string, Promise<Serving | null>>();
  #searchedAt = Number.NEGATIVE_INFINITY;

  /** @param closed is called with the folder of each dataset that is closed. */
  constructor(
    options: KeepOptions,
    serve: (dataset: Dataset) => Serving,
    log: Logger,
    closed: (folder: string) => void,
  ) {
    this.#options = options;
    this.#serve = serve;
    this.#log = log;
    this.#closed = closed;
  }

  /** Keeps a dataset for the next who name it. Resolves when it has found its place, or is closed where none is kept. */
  async keep(serving: Serving): Promise<void> {
    const { keepMs } = this.#options;
    if (keepMs === 0) return this.close(serving);
    const { dataset_id } = serving.dataset.manifest;
    const before = this.take(dataset_id);
    if (before !== null) void this.close(before);
    const timer = setTimeout(() => this.drop(dataset_id), keepMs).unref();
    this.#kept.set(dataset_id, { serving, timer });
    const [oldest] = this.#kept.keys();
    if (this.#kept.size > MOST_KEPT && oldest !== undefined) this.drop(oldest);
  }

  /**
   * The dataset of an ID, open; null where it is not there.
   * @throws Unavailable when the data folder has just been searched for another one.
   */
  find(id: string): Serving | null | Promise<Serving | null> {
    const kept = this.#kept.get(id);
    if (kept === undefined) return this.#options.keepMs === 0 ? null : this.#search(id);
    this.#kept.delete(id);
    this.#kept.set(id, kept);
    kept.timer.refresh();
    return kept.serving;
  }

  /** Takes a dataset away, open as it is; null where it is not kept. */
  take(id: string): Serving | null {
    const kept = this.#kept.get(id);
    if (kept === undefined) return null;
    clearTimeout(kept.timer);
    this.#kept.delete(id);
    return kept.serving;
  }

  /** Closes a dataset when the requests in flight are done with it. */
  drop(id: string): void {
    const serving = this.take(id);
    if (serving !== null) void this.close(serving);
  }

  /** Waits for the requests in flight and closes all. */
  async closeAll(): Promise<void> {
    await Promise.allSettled(this.#searches.values());
    const all = [...this.#kept.keys()].flatMap((id) => this.take(id) ?? []);
    await Promise.all(all.map((serving) => serving.retire()));
  }

  #search(id: string): Promise<Serving | null> {
    const known = this.#searches.get(id);
    if (known !== undefined) return known;
    const now = performance.now();
    if (now - this.#searchedAt < SEARCH_MS)
      throw new Unavailable('The server has just looked for another dataset. Try again a little later.');
    this.#searchedAt = now;
    const search = this.#open(id).finally(() => this.#searches.delete(id));
    this.#searches.set(id, search);
    return search;
  }

  async #open(id: string): Promise<Serving | null> {
    const dataset = await this.#options.open(id);
    if (dataset === null) return null;
    const serving = this.#serve(dataset);
    await this.keep(serving);
    this.#log.info({ dataset_id: id }, 'another dataset is open for requests that name it');
    return serving;
  }

  /** Waits for the requests in flight with a dataset and closes it. */
  async close(serving: Serving): Promise<void> {
    await serving.retire();
    const { folder, manifest } = serving.dataset;
    this.#log.info({ dataset_id: manifest.dataset_id }, 'old dataset closed');
    this.#closed(folder);
  }
}
