import type { Logger } from 'pino';
import type { Dataset } from '../dataset/dataset.ts';
import { MemoryRateLimiter } from '../http/rate-limiter.ts';
import { unavailable } from './refused-error.ts';
import type { Serving } from './serving.ts';

/** Most open datasets besides the served one: the previous one, a newer one of other servers, and two more. */
const MOST_KEPT = 4;
/**
 * A client uses the dataset that it named last for this long. An opened dataset stays open at least as long.
 * Milliseconds.
 */
const IN_USE_MS = 60_000;
/** Datasets that one client may open in a minute. */
const OPENINGS_A_MINUTE = 2;
/** Most clients whose use is remembered: a bound against floods of addresses. */
const MOST_USERS = 10_000;

export interface KeepOptions {
  /** How long a dataset stays open after the last request that names it, milliseconds; 0: none is kept. */
  keepMs: number;
  /** True when the data folder has a dataset with this ID. Must be cheap, because clients can invent IDs. */
  has(id: string): Promise<boolean>;
  /** Opens a dataset of the data folder by its ID; null when it does not exist or is damaged. */
  open(id: string): Promise<Dataset | null>;
}

/** Keeps no dataset besides the served one. */
export const KEEP_NONE: KeepOptions = { keepMs: 0, has: async () => false, open: async () => null };

interface Kept {
  serving: Serving;
  timer: NodeJS.Timeout;
  keptAt: number;
}

/**
 * Open datasets besides the served one, for requests that name them. So a client that reads a list page by page gets
 * all pages from one dataset, even when servers move to another. A dataset in use is not closed for a request that
 * names another one. A client that names several datasets in turn uses only the last one.
 */
export class KeptDatasets {
  readonly #options: KeepOptions;
  readonly #serve: (dataset: Dataset) => Serving;
  readonly #log: Logger;
  readonly #closed: (folder: string) => void;
  /** By ID, in order of the last request; the oldest is first. */
  readonly #kept = new Map<string, Kept>();
  /** By client: the dataset that it named last, and when. In order of time; the oldest is first. */
  readonly #uses = new Map<string, { id: string; at: number }>();
  /** Datasets that are being opened, by ID. */
  readonly #openings = new Map<string, Promise<Serving | null>>();
  readonly #openingLimit = new MemoryRateLimiter(OPENINGS_A_MINUTE);

  /** @param closed called with the folder of each dataset that is closed */
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

  /** Keeps a dataset open for requests that name it. Closes it when none may be kept. */
  async keep(serving: Serving): Promise<void> {
    const { keepMs } = this.#options;
    if (keepMs === 0) return this.close(serving);
    const { dataset_id } = serving.dataset.manifest;
    const before = this.take(dataset_id);
    if (before !== null) void this.close(before);
    const [oldest] = this.#kept.keys();
    // A dataset that was served until now is always kept, even when all others are in use.
    if (this.#kept.size >= MOST_KEPT && oldest !== undefined) this.drop(this.#unused() ?? oldest);
    const timer = setTimeout(() => this.drop(dataset_id), keepMs).unref();
    this.#kept.set(dataset_id, { serving, timer, keptAt: performance.now() });
  }

  /**
   * The open dataset of an ID; null when it does not exist.
   * @param client that names it
   * @throws RefusedError when it cannot be opened for this client now
   */
  find(id: string, client: string): Serving | null | Promise<Serving | null> {
    const kept = this.#kept.get(id);
    if (kept === undefined) return this.#options.keepMs === 0 ? null : this.#search(id, client);
    this.#kept.delete(id);
    this.#kept.set(id, kept);
    kept.timer.refresh();
    this.#use(id, client);
    return kept.serving;
  }

  /** Removes a dataset without closing it; null when it is not kept. */
  take(id: string): Serving | null {
    const kept = this.#kept.get(id);
    if (kept === undefined) return null;
    clearTimeout(kept.timer);
    this.#kept.delete(id);
    return kept.serving;
  }

  /** Removes a dataset and closes it after the running requests. */
  drop(id: string): void {
    const serving = this.take(id);
    if (serving !== null) void this.close(serving);
  }

  /** Closes all datasets after the running requests. */
  async closeAll(): Promise<void> {
    await Promise.allSettled(this.#openings.values());
    const all = [...this.#kept.keys()].flatMap((id) => this.take(id) ?? []);
    await Promise.all(all.map((serving) => serving.retire()));
  }

  async #search(id: string, client: string): Promise<Serving | null> {
    if (!(await this.#options.has(id))) return null;
    // Another request may have opened it meanwhile.
    if (this.#kept.has(id)) return this.find(id, client);
    this.#use(id, client);
    return this.#openings.get(id) ?? this.#begin(id, client);
  }

  /**
   * Opens a dataset in a free place, or instead of an unused dataset.
   * @throws RefusedError when there is no such place, or the client has opened too many
   */
  #begin(id: string, client: string): Promise<Serving | null> {
    const isFull = this.#kept.size + this.#openings.size >= MOST_KEPT;
    const unused = isFull ? this.#unused() : undefined;
    if (isFull && unused === undefined)
      throw unavailable('Too many other datasets are in use. Try again a little later.');
    if (!this.#openingLimit.take(client).allowed)
      throw unavailable('Another dataset has just been opened for this client. Try again in a minute.');
    if (unused !== undefined) this.drop(unused);
    const opening = this.#open(id).finally(() => this.#openings.delete(id));
    this.#openings.set(id, opening);
    return opening;
  }

  async #open(id: string): Promise<Serving | null> {
    const dataset = await this.#options.open(id);
    if (dataset === null) return null;
    const serving = this.#serve(dataset);
    await this.keep(serving);
    this.#log.info({ dataset_id: id }, 'another dataset is open for requests that name it');
    return serving;
  }

  #use(id: string, client: string): void {
    this.#uses.delete(client);
    this.#uses.set(client, { id, at: performance.now() });
    for (const [other, { at }] of this.#uses) {
      if (this.#uses.size <= MOST_USERS && performance.now() - at < IN_USE_MS) break;
      this.#uses.delete(other);
    }
  }

  /** The least recently named dataset that no client uses. */
  #unused(): string | undefined {
    const now = performance.now();
    const inUse = new Set<string>();
    for (const { id, at } of this.#uses.values()) if (now - at < IN_USE_MS) inUse.add(id);
    for (const [id, { keptAt }] of this.#kept) if (!inUse.has(id) && now - keptAt >= IN_USE_MS) return id;
    return undefined;
  }

  /** Closes a dataset after the running requests. */
  async close(serving: Serving): Promise<void> {
    await serving.retire();
    const { folder, manifest } = serving.dataset;
    this.#log.info({ dataset_id: manifest.dataset_id }, 'old dataset closed');
    this.#closed(folder);
  }
}
