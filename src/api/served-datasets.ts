import { resolve, sep } from 'node:path';
import type { Logger } from 'pino';
import type { Dataset } from '../dataset/dataset.ts';
import type { Opened } from '../dataset/open.ts';
import { DamagedFileError } from '../formats/checked-file.ts';
import { MemoryRateLimiter } from '../http/rate-limiter.ts';
import { DatasetGuard } from './dataset-guard.ts';
import { unavailable } from './errors.ts';
import { Serving } from './serving.ts';

/**
 * Opens the newest complete dataset. Rejects with a message for people when the data cannot be read.
 * @param servedId opens nothing when the newest dataset has this ID
 * @param damaged folders to skip
 */
export type OpenNewest = (servedId?: string, damaged?: ReadonlySet<string>) => Promise<Opened>;

/**
 * Holds the served dataset. Replaces it between two requests: by a newer one, or by an older one when it is damaged.
 */
export class ServedDatasets {
  current: Serving;
  /** Number of requests and downloads that met damage. */
  damagedReads = 0;
  /** Number of times that a damaged dataset was replaced. */
  stepBacks = 0;
  /** Called with the damage of a dataset, once for each dataset. */
  onDamage: (folder: string, problem: string) => void = () => {};
  /** Called with the folder of each dataset that is closed while the server runs. */
  onClose: (folder: string) => void = () => {};
  readonly #open: OpenNewest;
  readonly #serve: (dataset: Dataset) => Serving;
  readonly #log: Logger;
  /** Folders of datasets with damage. */
  readonly #damaged = new Set<string>();
  readonly #kept: KeptDatasets;
  #guard: DatasetGuard | null = null;
  /** Resolves when all changes of the served dataset that were begun are done. */
  #changes: Promise<void> = Promise.resolve();

  private constructor(
    open: OpenNewest,
    serve: (dataset: Dataset) => Serving,
    first: Dataset,
    keep: KeepOptions,
    log: Logger,
  ) {
    this.#open = open;
    this.#serve = serve;
    this.#log = log;
    this.#kept = new KeptDatasets(keep, serve, log, (folder) => this.onClose(folder));
    this.current = serve(first);
  }

  /**
   * Opens the first dataset.
   * @param openNewest opens the newest dataset of the data folder
   * @param configuration the settings on which answers depend, as text: part of their ETags
   * @throws Error when there is none, with a line for each damaged one; or the rejection of `openNewest`
   */
  static async open(
    openNewest: OpenNewest,
    siteUrl: string,
    configuration: string,
    log: Logger,
    keep: KeepOptions = KEEP_NONE,
  ): Promise<ServedDatasets> {
    const { dataset, refused } = await openNewest();
    if (dataset === null) throw new Error(['there is no complete dataset to serve', ...refused].join('; '));
    for (const reason of refused) log.warn({ reason }, 'dataset refused');
    return new ServedDatasets(openNewest, (opened) => new Serving(opened, siteUrl, configuration), dataset, keep, log);
  }

  /**
   * Checks every served dataset against its manifest in the background, and steps back from a damaged one.
   * @param bytesPerSecond how fast the files are read
   */
  guard(bytesPerSecond: number): void {
    this.#guard = new DatasetGuard(
      bytesPerSecond,
      (dataset, difference) => void this.stepBack(dataset, difference),
      this.#log,
    );
    this.#guard.watch(this.current.dataset);
  }

  /**
   * The dataset of an ID, open for a request: the served one or another one of the data folder. Null when it does not
   * exist or is damaged.
   * @param client that requests it
   * @throws RefusedError when it cannot be opened for this client now
   */
  named(id: string, client: string): Serving | null | Promise<Serving | null> {
    return id === this.current.dataset.manifest.dataset_id ? this.current : this.#kept.find(id, client);
  }

  /** Bytes of the served dataset that the current check has read. */
  get checkedBytes(): number {
    return this.#guard?.checkedBytes ?? 0;
  }

  /** True when the served dataset is damaged and no other can replace it. */
  get isDamaged(): boolean {
    return this.#damaged.has(this.current.dataset.folder);
  }

  /**
   * Moves to the newest dataset, if it is another one. Tries datasets again that were damaged before, because they may
   * have been repaired. Logs those that cannot be opened; when none can, the old dataset stays. Resolves when the old
   * dataset is closed, or kept open for requests that name it.
   */
  swap(): Promise<void> {
    return this.#inTurn(async () => {
      const { manifest } = this.current.dataset;
      const { isDamaged, current } = this;
      this.#damaged.clear();
      // A damaged one is opened again, for it may have been repaired.
      await this.#serveNewest(isDamaged ? undefined : manifest.dataset_id);
      // The old dataset is still served, and still damaged.
      if (isDamaged && this.current === current) this.#damaged.add(current.dataset.folder);
    });
  }

  /**
   * Call this when a request or a download finds damage. A download can be of another dataset, whose URL is still
   * valid; then the damage concerns only that one.
   */
  foundDamage(dataset: Dataset, damage: Error): void {
    this.damagedReads++;
    const isElsewhere = damage instanceof DamagedFileError && !resolve(damage.path).startsWith(dataset.folder + sep);
    if (isElsewhere) this.#log.error({ problem: damage.message }, 'a dataset that is not served is damaged');
    else void this.stepBack(dataset, damage.message);
  }

  /**
   * Replaces a damaged dataset by the newest other one. Without another, it stays, because its undamaged blocks can
   * still be served.
   */
  stepBack(dataset: Dataset, problem: string): Promise<void> {
    const { folder, manifest } = dataset;
    if (this.#damaged.has(folder)) return Promise.resolve();
    this.#damaged.add(folder);
    this.#log.error({ dataset_id: manifest.dataset_id, problem }, 'the dataset is damaged');
    this.#kept.drop(manifest.dataset_id);
    this.onDamage(folder, problem);
    return this.#inTurn(async () => {
      if (this.current.dataset !== dataset) return;
      // Without an ID: an older one may replace it, too.
      await this.#serveNewest(undefined);
      if (this.current.dataset !== dataset) this.stepBacks++;
    });
  }

  /** Call this when another process found damage in the dataset of a folder. It is replaced if it is the served one. */
  reportedDamage(folder: string, problem: string): void {
    const { dataset } = this.current;
    if (dataset.folder === folder) void this.stepBack(dataset, problem);
  }

  /** Begins a change of the served dataset when the earlier ones are done. */
  #inTurn(change: () => Promise<void>): Promise<void> {
    this.#changes = this.#changes.then(change);
    return this.#changes;
  }

  /**
   * Serves the newest undamaged dataset. Changes nothing when there is none or it is served already.
   * @param servedId the ID of the served dataset, which need not be opened again; undefined: it is damaged and must be
   * replaced, also by an older one
   */
  async #serveNewest(servedId: string | undefined): Promise<void> {
    const old = this.current;
    const oldId = old.dataset.manifest.dataset_id;
    let opened: Opened;
    try {
      opened = await this.#open(servedId, this.#damaged);
    } catch (error) {
      opened = { dataset: null, refused: [(error as Error).message] };
    }
    for (const reason of opened.refused) this.#log.error({ reason, dataset_id: oldId }, 'dataset refused');
    if (opened.dataset === null) {
      this.#log.info({ dataset_id: oldId }, 'the dataset that is served stays');
      return;
    }
    const { dataset_id } = opened.dataset.manifest;
    // It may be open already, for requests that name it. From now on the one opened now answers them.
    this.#kept.drop(dataset_id);
    const wasDamaged = this.isDamaged;
    this.current = this.#serve(opened.dataset);
    this.#guard?.watch(opened.dataset);
    this.#log.info({ dataset_id, before: oldId }, 'serving a new dataset');
    await (wasDamaged ? this.#kept.close(old) : this.#kept.keep(old));
  }

  /** Waits for a running change of datasets and for running requests, and closes all datasets. */
  async close(): Promise<void> {
    this.#guard?.end();
    await this.#changes;
    await Promise.all([this.current.retire(), this.#kept.closeAll()]);
  }
}

/** Most open datasets besides the served one: the previous one, a newer one of other servers, and two more. */
const MOST_KEPT = 4;
/** For this long after a request, a client counts as using the dataset that it named. A dataset stays open as long. */
const IN_USE_MS = 60_000;
/** Datasets that one client may open in a minute. */
const OPENINGS_A_MINUTE = 2;
/** Most clients whose use is remembered: a bound against floods of addresses. */
const MOST_USERS = 10_000;

interface KeepOptions {
  /** How long a dataset stays open after the last request that names it, milliseconds; 0: none is kept. */
  keepMs: number;
  /** True when the data folder has a dataset with this ID. Must be cheap, because clients can invent IDs. */
  has(id: string): Promise<boolean>;
  /** Opens a dataset of the data folder by its ID; null when it does not exist or is damaged. */
  open(id: string): Promise<Dataset | null>;
}

/** Keeps no dataset besides the served one. */
const KEEP_NONE: KeepOptions = { keepMs: 0, has: async () => false, open: async () => null };

/** An open dataset that is not served. */
interface KeptDataset {
  serving: Serving;
  /** Closes the dataset. It starts again with each request. */
  timer: NodeJS.Timeout;
  /** When it was opened or replaced; milliseconds of `performance.now()`. */
  keptAt: number;
}

/**
 * Open datasets besides the served one, for requests that name them. So a client that reads a list page by page gets
 * all pages from one dataset, even when servers move to another. A dataset in use is not closed for a request that
 * names another one. A client that names several datasets in turn uses only the last one.
 */
class KeptDatasets {
  readonly #options: KeepOptions;
  readonly #serve: (dataset: Dataset) => Serving;
  readonly #log: Logger;
  readonly #onClose: (folder: string) => void;
  /** By ID, in order of the last request; the oldest is first. */
  readonly #kept = new Map<string, KeptDataset>();
  /** By client: the dataset that it named last, and when. In order of time; the oldest is first. */
  readonly #uses = new Map<string, { id: string; at: number }>();
  /** Datasets that are being opened, by ID. */
  readonly #openings = new Map<string, Promise<Serving | null>>();
  readonly #openingLimit = new MemoryRateLimiter(OPENINGS_A_MINUTE);

  /** @param onClose called with the folder of each dataset that is closed */
  constructor(
    options: KeepOptions,
    serve: (dataset: Dataset) => Serving,
    log: Logger,
    onClose: (folder: string) => void,
  ) {
    this.#options = options;
    this.#serve = serve;
    this.#log = log;
    this.#onClose = onClose;
  }

  /** Keeps a dataset open for requests that name it. Closes it when none may be kept. */
  async keep(serving: Serving): Promise<void> {
    const { keepMs } = this.#options;
    if (keepMs === 0) return this.close(serving);
    const { dataset_id } = serving.dataset.manifest;
    // The same dataset may be kept already, opened a second time.
    const sameDataset = this.take(dataset_id);
    if (sameDataset !== null) void this.close(sameDataset);
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
    if (kept === undefined) return this.#options.keepMs === 0 ? null : this.#findClosed(id, client);
    // Delete and set, to keep the order of the last request.
    this.#kept.delete(id);
    this.#kept.set(id, kept);
    kept.timer.refresh();
    this.#noteUse(id, client);
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
    const servings = [...this.#kept.keys()].flatMap((id) => this.take(id) ?? []);
    await Promise.all(servings.map((serving) => serving.retire()));
  }

  /**
   * Opens a dataset of the data folder, or waits for another request that is opening it; null when it does not exist.
   */
  async #findClosed(id: string, client: string): Promise<Serving | null> {
    if (!(await this.#options.has(id))) return null;
    // Another request may have opened it meanwhile.
    if (this.#kept.has(id)) return this.find(id, client);
    this.#noteUse(id, client);
    return this.#openings.get(id) ?? this.#beginOpening(id, client);
  }

  /**
   * Opens a dataset. When `MOST_KEPT` are open, it closes one that nobody uses.
   * @throws RefusedError when all of them are in use, or the client has opened too many
   */
  #beginOpening(id: string, client: string): Promise<Serving | null> {
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

  /** Opens a dataset of the data folder and keeps it; null when it does not exist or is damaged. */
  async #open(id: string): Promise<Serving | null> {
    const dataset = await this.#options.open(id);
    if (dataset === null) return null;
    const serving = this.#serve(dataset);
    await this.keep(serving);
    this.#log.info({ dataset_id: id }, 'another dataset is open for requests that name it');
    return serving;
  }

  /** Notes that a client uses a dataset. Forgets old uses, and the oldest ones when there are too many. */
  #noteUse(id: string, client: string): void {
    const now = performance.now();
    this.#uses.delete(client);
    this.#uses.set(client, { id, at: now });
    for (const [oldest, { at }] of this.#uses) {
      if (this.#uses.size <= MOST_USERS && now - at < IN_USE_MS) break;
      this.#uses.delete(oldest);
    }
  }

  /**
   * The ID of the dataset that was asked for longest ago, of those that no client uses; undefined when all are in use.
   */
  #unused(): string | undefined {
    const now = performance.now();
    const inUse = new Set<string>();
    for (const { id, at } of this.#uses.values()) if (now - at < IN_USE_MS) inUse.add(id);
    // The one that was asked for longest ago is the first. One that was just put here counts as in use.
    for (const [id, { keptAt }] of this.#kept) if (!inUse.has(id) && now - keptAt >= IN_USE_MS) return id;
    return undefined;
  }

  /** Closes a dataset after the running requests. */
  async close(serving: Serving): Promise<void> {
    await serving.retire();
    const { folder, manifest } = serving.dataset;
    this.#log.info({ dataset_id: manifest.dataset_id }, 'old dataset closed');
    this.#onClose(folder);
  }
}
