import type { Logger } from 'pino';
import type { Dataset } from '../dataset/dataset.ts';
import { type MemoryRateLimiter, memoryRateLimiter } from '../http/rate-limiter.ts';
import { Unavailable } from './handler-errors.ts';
import type { Serving } from './serving.ts';

/** Datasets that are open besides the one that is served, at most: the one before it, one that other servers moved to first, and two more. */
const MOST_KEPT = 4;
/** For how long a client uses the dataset that it named last, and for how long each stays at least that has been opened, milliseconds. */
const IN_USE_MS = 60_000;
/** Datasets that one client may have opened in a minute. */
const OPENINGS_A_MINUTE = 2;
/** Clients whose use is known: a flood of addresses has to end somewhere. */
const MOST_USERS = 10_000;

export interface KeepOptions {
  /** How long a dataset stays open after the last request that names it, milliseconds; 0: none is kept. */
  keepMs: number;
  /** Whether the data folder holds a dataset of an ID; it is asked for every ID that a client makes up, and has to be cheap. */
  has(id: string): Promise<boolean>;
  /** Opens a dataset of the data folder by its ID; null where there is none that is whole. */
  open(id: string): Promise<Dataset | null>;
}

/** No dataset is open besides the one that is served. */
export const KEEP_NONE: KeepOptions = { keepMs: 0, has: async () => false, open: async () => null };

interface Kept {
  serving: Serving;
  timer: NodeJS.Timeout;
  keptAt: number;
}

/** Milliseconds that never jump. */
type Clock = () => number;

/**
 * Datasets besides the one that is served, open for requests that name them: a client that reads a list page by page gets all
 * of it from one dataset, though servers move on. One that is in use gives way to none that a request names: a client
 * which names many datasets in turn uses the last of them alone.
 */
export class KeptDatasets {
  readonly #options: KeepOptions;
  readonly #serve: (dataset: Dataset) => Serving;
  readonly #log: Logger;
  readonly #closed: (folder: string) => void;
  readonly #now: Clock;
  /** By ID, the one that was asked for longest ago first. */
  readonly #kept = new Map<string, Kept>();
  /** By client: which dataset it named last and when; who has named none for the longest time is first. */
  readonly #uses = new Map<string, { id: string; at: number }>();
  /** What is being opened, by ID. */
  readonly #openings = new Map<string, Promise<Serving | null>>();
  readonly #openingLimit: MemoryRateLimiter;

  /** @param closed is called with the folder of each dataset that is closed. */
  constructor(
    options: KeepOptions,
    serve: (dataset: Dataset) => Serving,
    log: Logger,
    closed: (folder: string) => void,
    now: Clock = () => performance.now(),
  ) {
    this.#options = options;
    this.#serve = serve;
    this.#log = log;
    this.#closed = closed;
    this.#now = now;
    this.#openingLimit = memoryRateLimiter(OPENINGS_A_MINUTE, now);
  }

  /** Keeps a dataset for the next who name it. Resolves when it has found its place, or is closed where none is kept. */
  async keep(serving: Serving): Promise<void> {
    const { keepMs } = this.#options;
    if (keepMs === 0) return this.close(serving);
    const { dataset_id } = serving.dataset.manifest;
    const before = this.take(dataset_id);
    if (before !== null) void this.close(before);
    const [oldest] = this.#kept.keys();
    // One that was served until now finds a place, though all be in use.
    if (this.#kept.size >= MOST_KEPT && oldest !== undefined) this.drop(this.#unused() ?? oldest);
    const timer = setTimeout(() => this.drop(dataset_id), keepMs).unref();
    this.#kept.set(dataset_id, { serving, timer, keptAt: this.#now() });
  }

  /**
   * The dataset of an ID, open; null where it is not there.
   * @param client that names it
   * @throws Unavailable when it cannot be opened for this client now.
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
    await Promise.allSettled(this.#openings.values());
    const all = [...this.#kept.keys()].flatMap((id) => this.take(id) ?? []);
    await Promise.all(all.map((serving) => serving.retire()));
  }

  async #search(id: string, client: string): Promise<Serving | null> {
    if (!(await this.#options.has(id))) return null;
    // Another request may have had it opened meanwhile.
    if (this.#kept.has(id)) return this.find(id, client);
    this.#use(id, client);
    return this.#openings.get(id) ?? this.#begin(id, client);
  }

  /**
   * Opens a dataset in a place that is free, or in that of one which nobody uses.
   * @throws Unavailable where there is none, or the client has had enough opened.
   */
  #begin(id: string, client: string): Promise<Serving | null> {
    const isFull = this.#kept.size + this.#openings.size >= MOST_KEPT;
    const unused = isFull ? this.#unused() : undefined;
    if (isFull && unused === undefined)
      throw new Unavailable('As many other datasets are in use as may be open at once. Try again a little later.');
    if (!this.#openingLimit.take(client).allowed)
      throw new Unavailable('Another dataset has just been opened for this client. Try again in a minute.');
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
    this.#uses.set(client, { id, at: this.#now() });
    for (const [other, { at }] of this.#uses) {
      if (this.#uses.size <= MOST_USERS && this.#now() - at < IN_USE_MS) break;
      this.#uses.delete(other);
    }
  }

  /** Of the datasets that nobody uses, the one that was asked for longest ago. */
  #unused(): string | undefined {
    const now = this.#now();
    const inUse = new Set<string>();
    for (const { id, at } of this.#uses.values()) if (now - at < IN_USE_MS) inUse.add(id);
    for (const [id, { keptAt }] of this.#kept) if (!inUse.has(id) && now - keptAt >= IN_USE_MS) return id;
    return undefined;
  }

  /** Waits for the requests in flight with a dataset and closes it. */
  async close(serving: Serving): Promise<void> {
    await serving.retire();
    const { folder, manifest } = serving.dataset;
    this.#log.info({ dataset_id: manifest.dataset_id }, 'old dataset closed');
    this.#closed(folder);
  }
}
