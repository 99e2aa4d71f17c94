import { resolve, sep } from 'node:path';
import type { Logger } from 'pino';
import type { Dataset } from '../dataset/dataset.ts';
import type { Opened } from '../dataset/open.ts';
import { DamagedFileError } from '../formats/checked-file.ts';
import { DatasetGuard } from './dataset-guard.ts';
import { KEEP_NONE, type KeepOptions, KeptDatasets } from './kept-datasets.ts';
import { Serving } from './serving.ts';

/**
 * Opens the newest complete dataset. It skips the folders in `damaged`, and opens nothing when the newest dataset is
 * `unless`. Rejects with a message for people when the data cannot be read.
 */
export type OpenNewest = (unless?: string, damaged?: ReadonlySet<string>) => Promise<Opened>;

/**
 * Holds the served dataset. Replaces it between two requests: by a newer one, or by an older one when it is damaged.
 */
export class DatasetSlot {
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
  #swapping: Promise<void> = Promise.resolve();

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
   * @throws Error when there is none, with a line for each damaged one; or the rejection of `open`
   */
  static async open(
    open: OpenNewest,
    siteUrl: string,
    program: string,
    log: Logger,
    keep: KeepOptions = KEEP_NONE,
  ): Promise<DatasetSlot> {
    const { dataset, refused } = await open();
    if (dataset === null) throw new Error(['there is no complete dataset to serve', ...refused].join('; '));
    for (const reason of refused) log.warn({ reason }, 'dataset refused');
    return new DatasetSlot(open, (opened) => new Serving(opened, siteUrl, program), dataset, keep, log);
  }

  /** Checks every served dataset against its manifest in the background. */
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
   * have been repaired. Logs damaged ones and keeps the old dataset then. Resolves when the old dataset is closed, or
   * kept open for requests that name it.
   */
  swap(): Promise<void> {
    return this.#next(async () => {
      const { manifest } = this.current.dataset;
      const { isDamaged, current } = this;
      this.#damaged.clear();
      await this.#move(isDamaged ? undefined : manifest.dataset_id);
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
    return this.#next(async () => {
      if (this.current.dataset !== dataset) return;
      await this.#move(undefined);
      if (this.current.dataset !== dataset) this.stepBacks++;
    });
  }

  /** Call this when another process found damage in the dataset of a folder. It is replaced if it is the served one. */
  reportedDamage(folder: string, problem: string): void {
    const { dataset } = this.current;
    if (dataset.folder === folder) void this.stepBack(dataset, problem);
  }

  #next(work: () => Promise<void>): Promise<void> {
    this.#swapping = this.#swapping.then(work);
    return this.#swapping;
  }

  async #move(unless: string | undefined): Promise<void> {
    const old = this.current;
    const before = old.dataset.manifest.dataset_id;
    let opened: Opened;
    try {
      opened = await this.#open(unless, this.#damaged);
    } catch (error) {
      opened = { dataset: null, refused: [(error as Error).message] };
    }
    for (const reason of opened.refused) this.#log.error({ reason, dataset_id: before }, 'dataset refused');
    if (opened.dataset === null) {
      this.#log.info({ dataset_id: before }, 'the dataset that is served stays');
      return;
    }
    const { dataset_id } = opened.dataset.manifest;
    this.#kept.drop(dataset_id);
    const wasDamaged = this.isDamaged;
    this.current = this.#serve(opened.dataset);
    this.#guard?.watch(opened.dataset);
    this.#log.info({ dataset_id, before }, 'serving a new dataset');
    await (wasDamaged ? this.#kept.close(old) : this.#kept.keep(old));
  }

  /** Waits for running requests and closes. */
  async close(): Promise<void> {
    this.#guard?.end();
    await this.#swapping;
    await Promise.all([this.current.retire(), this.#kept.closeAll()]);
  }
}
