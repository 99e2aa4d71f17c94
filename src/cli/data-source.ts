import { join, resolve } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import type { Logger } from 'pino';
import { type Opened, openNewest } from '../dataset/open.ts';
import type { FileLock } from '../formats/file-lock.ts';
import { makeFolder } from '../formats/files.ts';
import { listDatasets } from '../snapshot/listing.ts';
import type { Settings } from './settings.ts';

/** Number of requests to a store that does not answer, before the server uses its copies. */
const ATTEMPTS = 4;

/** How long the store may take before an existing copy is opened, milliseconds. */
const PATIENCE_MS = 10_000;

/** Interval of the attempts to take a lock, milliseconds. */
const LOCK_POLL_MS = 200;

/** The data folder of a server. With `--data s3://…` it receives copies of datasets from the store. */
export class DataSource {
  readonly folder: string;
  readonly #settings: Settings;
  readonly #log: Logger;
  readonly #isStore: boolean;
  /** The ID of the newest complete dataset of the store at the last check. */
  #newestInStore: string | null = null;
  /** The same when a dataset was last opened. */
  #newestWhenOpened: string | null = null;
  /** Folders of damaged copies that are not repaired yet: they are not opened. */
  readonly #damaged = new Set<string>();
  /** The problem of the store or of the folder of copies at the last check. */
  #problem: string | null = null;
  /** The last problem that was logged; null: its end was logged. */
  #loggedProblem: string | null = null;
  /** The reasons for refused datasets at the last check. */
  #loggedRefused: readonly string[] = [];
  /** Folders of copies that were repaired and are not opened yet. */
  readonly #repaired = new Set<string>();
  readonly #ended = new AbortController();
  /** Checks the store and calls back; null before `watch`. */
  #checkAndReport: (() => Promise<void>) | null = null;
  /** True when a dataset was opened before the check of the store ended. */
  #isOpenedUnchecked = false;
  #timer: NodeJS.Timeout | undefined;

  constructor(settings: Settings, log: Logger) {
    this.#settings = settings;
    this.#log = log;
    this.#isStore = settings.data.startsWith('s3://');
    this.folder = this.#isStore ? resolve(settings.copies) : settings.data;
  }

  /**
   * Opens the newest complete dataset after a check of the store. If there is already a dataset, a slow store is not
   * waited for; `watch` reports the end of the check.
   * @param unless the ID of a dataset that need not be opened again
   * @param damaged folders of datasets that are not opened
   */
  async open(unless?: string, damaged: ReadonlySet<string> = new Set()): Promise<Opened> {
    const refused = this.#isStore ? await this.#checkBeforeOpening(damaged) : [];
    // `watch` calls back when the store has another one later.
    this.#newestWhenOpened = this.#newestInStore;
    const trusted = this.#settings.trustKey ?? null;
    const allDamaged = new Set([...this.#damaged, ...damaged]);
    // `hold`: the dataset is locked, so that `prune` keeps it.
    const opened = await openNewest(this.folder, { unless, trusted, hold: true, damaged: allDamaged });
    this.#noteOpened(opened, allDamaged);
    // The caller logs them, so `watch` does not log them again.
    this.#loggedRefused = refused;
    const { dataset } = opened;
    const reasons = [...refused, ...opened.refused];
    // A server without a dataset cannot start, so the caller reports the problem of the store. Otherwise it is logged.
    const hasNone = dataset === null && unless === undefined;
    if (hasNone && this.#problem !== null) return { dataset, refused: [this.#problem, ...reasons] };
    this.#logProblem();
    return { dataset, refused: reasons };
  }

  /**
   * Notes what an attempt to open a dataset has shown about the copies.
   * @param notTried damaged copies, which it did not try to open
   */
  #noteOpened({ failed }: Opened, notTried: ReadonlySet<string>): void {
    // Each repaired copy gets one attempt to open it. Those repaired during this attempt wait for the next.
    for (const folder of this.#repaired) if (!notTried.has(folder)) this.#repaired.delete(folder);
    const newest = this.#folderOf(this.#newestInStore);
    // A copy of the newest dataset that cannot be opened is damaged.
    if (newest !== null && failed?.includes(newest)) this.#damaged.add(newest);
  }

  /** Checks the store at intervals. Calls back after each check, as long as a new or repaired copy is not opened. */
  watch(fetched: () => void): void {
    if (!this.#isStore) return;
    const scheduleNext = (): void => {
      if (this.#settings.refresh > 0) this.#checkIn(this.#settings.refresh * 1000);
    };
    this.#checkAndReport = async () => {
      const refused = await this.#check();
      if (this.#ended.signal.aborted) return;
      this.#logProblem();
      this.#logRefused(refused);
      if (this.#newestInStore !== this.#newestWhenOpened || this.#repaired.size > 0) fetched();
      scheduleNext();
    };
    // The dataset was opened before a check of the store ended, so the store is checked at once.
    if (this.#isOpenedUnchecked) this.#checkIn(0);
    else scheduleNext();
  }

  /** Ends checks of the store, also a running one. */
  close(): void {
    this.#ended.abort(new Error('the server ends'));
    clearTimeout(this.#timer);
  }

  /** Logs once that the store cannot be read, and once that it can be read again. */
  #logProblem(): void {
    const [reason, before] = [this.#problem, this.#loggedProblem];
    this.#loggedProblem = reason;
    if (reason !== null && before === null)
      this.#log.warn({ reason }, 'the store cannot be read: its copies are served');
    if (reason === null && before !== null) this.#log.info('the store can be read again');
  }

  /** Logs once for each dataset why it is refused. */
  #logRefused(refused: readonly string[]): void {
    // A failed check says nothing about refused datasets: the logged reasons stay.
    if (this.#problem !== null) return;
    for (const reason of refused) {
      if (!this.#loggedRefused.includes(reason)) this.#log.warn({ reason }, 'a newer dataset in the store is refused');
    }
    this.#loggedRefused = refused;
  }

  /**
   * Checks the store before a dataset is opened. With an existing dataset it waits only for a limited time, and the
   * check continues in the background.
   * @param damaged folders of copies that were found damaged; they are repaired in the background
   * @returns a line for each refused dataset
   */
  async #checkBeforeOpening(damaged: ReadonlySet<string>): Promise<string[]> {
    for (const folder of damaged) {
      this.#damaged.add(folder);
      this.#repaired.delete(folder);
    }
    // A damaged dataset is replaced at once, without a check: its files are compared and copied again while the
    // previous one is served. Null: the check will take place later, or has not ended.
    const refused = damaged.size > 0 ? null : await this.#checkForSomeTime();
    this.#isOpenedUnchecked = refused === null;
    if (this.#isOpenedUnchecked) this.#checkIn(0);
    return refused ?? [];
  }

  /**
   * Checks the store. Null when that takes too long and there is already a dataset; then the check goes on.
   * @returns a line for each refused dataset
   */
  async #checkForSomeTime(): Promise<string[] | null> {
    const check = this.#check();
    const { datasets } = await listDatasets(this.folder).catch(() => ({ datasets: [] }));
    return datasets.length > 0 ? Promise.race([check, delay(PATIENCE_MS, null, { ref: false })]) : check;
  }

  /** Checks the store after some milliseconds, and not at the time planned before. */
  #checkIn(ms: number): void {
    if (this.#checkAndReport === null || this.#ended.signal.aborted) return;
    clearTimeout(this.#timer);
    this.#timer = setTimeout(this.#checkAndReport, ms).unref();
  }

  /**
   * Copies the newest dataset of the store into the folder, if the folder lacks it or its copy is damaged. When that
   * fails, sets `#problem`.
   * @returns a line for each refused dataset
   */
  async #check(): Promise<string[]> {
    const { data, trustKey: trusted = null } = this.#settings;
    let lock: FileLock | null = null;
    try {
      // Loaded only when needed, because it would slow down every start.
      const [{ openStore }, { fetchNewest, takeCopyLock }] = await Promise.all([
        import('./store.ts'),
        import('../store/dataset-store.ts'),
      ]);
      makeFolder(this.folder);
      lock = await this.#waitForLock(takeCopyLock);
      const patience = { attempts: ATTEMPTS, signal: this.#ended.signal };
      const store = openStore(data, patience, this.#settings);
      // Copies that are found damaged during this check are left to the next one.
      const damaged = new Set(this.#damaged);
      const { datasetId, refused } = await fetchNewest(store, this.folder, { trusted, damaged });
      this.#newestInStore = datasetId;
      this.#problem = null;
      const folder = this.#folderOf(datasetId);
      if (folder !== null && damaged.has(folder)) {
        this.#damaged.delete(folder);
        this.#repaired.add(folder);
      }
      return refused;
    } catch (error) {
      this.#problem = `${data} into ${this.folder}: ${(error as Error).message}`;
      return [];
    } finally {
      lock?.release();
    }
  }

  /** The folder of a dataset's copy. */
  #folderOf(datasetId: string | null): string | null {
    return datasetId === null ? null : join(this.folder, datasetId);
  }

  /** The lock of the folder. Servers that share the folder wait for it, so that each dataset is copied once. */
  async #waitForLock(take: (dataFolder: string) => FileLock | null): Promise<FileLock> {
    for (;;) {
      const lock = take(this.folder);
      if (lock !== null) return lock;
      await delay(LOCK_POLL_MS, undefined, { signal: this.#ended.signal });
    }
  }
}
