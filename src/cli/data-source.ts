import { join, resolve } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import type { Logger } from 'pino';
import { type Opened, openNewest } from '../dataset/open.ts';
import type { FileLock } from '../formats/file-lock.ts';
import { makeFolder } from '../formats/files.ts';
import { listDatasets } from '../snapshot/listing.ts';
import type { Settings } from './settings.ts';

/** How often a server asks a store that does not answer, before it uses the copies it has. */
const ATTEMPTS = 4;

/** How long the store may take before a dataset that was copied earlier is opened. */
const PATIENCE_MS = 10_000;

const LOCK_POLL_MS = 200;

/** The data folder of a server. With `--data s3://…` datasets are copied into it from the store. */
export class DataSource {
  readonly folder: string;
  readonly #settings: Settings;
  readonly #log: Logger;
  readonly #isStore: boolean;
  /** The newest dataset of the store that was whole at the last look, and at the last before something was opened. */
  #newest: string | null = null;
  #opened: string | null = null;
  /** Folders of copies that were found damaged and are not whole again. */
  readonly #damaged = new Set<string>();
  /** What is wrong with the store or the folder of its copies, by the last look, and by what the log says. */
  #problem: string | null = null;
  #toldProblem: string | null = null;
  /** The reasons for which datasets were refused at the last look. */
  #toldRefused: readonly string[] = [];
  /** Folders of copies that were made whole again and not tried since. */
  readonly #mended = new Set<string>();
  readonly #ended = new AbortController();
  #again: (() => Promise<void>) | null = null;
  /** Whether something was opened before the look into the store had come to its end. */
  #isLate = false;
  #timer: NodeJS.Timeout | undefined;

  constructor(settings: Settings, log: Logger) {
    this.#settings = settings;
    this.#log = log;
    this.#isStore = settings.data.startsWith('s3://');
    this.folder = this.#isStore ? resolve(settings.copies) : settings.data;
  }

  /**
   * Opens the newest whole dataset, after a look into the store; `openNewest` says more. Where there is one already, a store
   * that takes long is not waited for: `watch` tells when it has come to an end.
   */
  async open(unless?: string, damaged: ReadonlySet<string> = new Set()): Promise<Opened> {
    const refused = this.#isStore ? await this.#lookFirst(damaged) : [];
    this.#opened = this.#newest;
    const trusted = this.#settings.trustKey ?? null;
    const passed = new Set([...this.#damaged, ...damaged]);
    const opened = await openNewest(this.folder, { unless, trusted, hold: true, damaged: passed });
    for (const folder of this.#mended) if (!passed.has(folder)) this.#mended.delete(folder);
    const newest = this.#folderOf(this.#newest);
    if (newest !== null && opened.failed?.includes(newest)) this.#damaged.add(newest);
    this.#toldRefused = refused;
    const { dataset } = opened;
    const all = [...refused, ...opened.refused];
    // A server with nothing to serve reports the reason at once.
    if (dataset === null && unless === undefined && this.#problem !== null) all.unshift(this.#problem);
    else this.#tellProblem();
    return { dataset, refused: all };
  }

  /** Looks into the store at intervals, and calls back after each dataset that was copied from it, or made whole again. */
  watch(fetched: () => void): void {
    if (!this.#isStore) return;
    const next = (): void => {
      if (this.#settings.refresh > 0) this.#lookIn(this.#settings.refresh * 1000);
    };
    this.#again = async () => {
      const refused = await this.#look();
      if (this.#ended.signal.aborted) return;
      this.#tellProblem();
      this.#tellRefused(refused);
      if (this.#newest !== this.#opened || this.#mended.size > 0) fetched();
      next();
    };
    if (this.#isLate) this.#lookIn(0);
    else next();
  }

  close(): void {
    this.#ended.abort(new Error('the server ends'));
    clearTimeout(this.#timer);
  }

  /** Says once that the store cannot be read, and once that it can be again. */
  #tellProblem(): void {
    const [reason, before] = [this.#problem, this.#toldProblem];
    this.#toldProblem = reason;
    if (reason !== null && before === null)
      this.#log.warn({ reason }, 'the store cannot be read: its copies are served');
    if (reason === null && before !== null) this.#log.info('the store can be read again');
  }

  /** Says of each dataset once why it is refused. */
  #tellRefused(refused: readonly string[]): void {
    // A look that came to nothing has refused nothing, and nothing is known to be mended.
    if (this.#problem !== null) return;
    for (const reason of refused) {
      if (!this.#toldRefused.includes(reason)) this.#log.warn({ reason }, 'a newer dataset in the store is refused');
    }
    this.#toldRefused = refused;
  }

  /** A line for each dataset that was refused. */
  async #lookFirst(damaged: ReadonlySet<string>): Promise<string[]> {
    for (const folder of damaged) {
      this.#damaged.add(folder);
      this.#mended.delete(folder);
    }
    let refused: string[] | null = null;
    // A damaged dataset is replaced at once. Its files are compared and copied again while the one before it is served.
    if (damaged.size === 0) {
      const look = this.#look();
      const { manifests } = await listDatasets(this.folder).catch(() => ({ manifests: [] }));
      refused = await (manifests.length > 0 ? Promise.race([look, longEnough()]) : look);
    }
    this.#isLate = refused === null;
    if (this.#isLate) this.#lookIn(0);
    return refused ?? [];
  }

  #lookIn(ms: number): void {
    if (this.#again === null || this.#ended.signal.aborted) return;
    clearTimeout(this.#timer);
    this.#timer = setTimeout(this.#again, ms).unref();
  }

  /** A line for each dataset that was refused; that the store cannot be read now is no reason to end. */
  async #look(): Promise<string[]> {
    const { data, trustKey: trusted = null } = this.#settings;
    let lock: FileLock | null = null;
    try {
      // Loaded only where it is needed: every start would have to wait for it.
      const [{ openStore }, { fetchNewest, takeCopyLock }] = await Promise.all([
        import('./store.ts'),
        import('../store/dataset-store.ts'),
      ]);
      await makeFolder(this.folder);
      lock = await this.#alone(takeCopyLock);
      const patience = { attempts: ATTEMPTS, signal: this.#ended.signal };
      const store = openStore(data, patience, this.#settings);
      // As they are now: what is found damaged later has not been compared.
      const damaged = new Set(this.#damaged);
      const { datasetId, refused } = await fetchNewest(store, this.folder, { trusted, damaged });
      this.#newest = datasetId;
      this.#problem = null;
      const folder = this.#folderOf(datasetId);
      if (folder !== null && damaged.has(folder)) {
        this.#damaged.delete(folder);
        this.#mended.add(folder);
      }
      return refused;
    } catch (error) {
      this.#problem = `${data} into ${this.folder}: ${(error as Error).message}`;
      return [];
    } finally {
      lock?.release();
    }
  }

  #folderOf(datasetId: string | null): string | null {
    return datasetId === null ? null : join(this.folder, datasetId);
  }

  /** Servers that share the folder copy a dataset once. */
  async #alone(take: (dataFolder: string) => FileLock | null): Promise<FileLock> {
    for (;;) {
      const lock = take(this.folder);
      if (lock !== null) return lock;
      await delay(LOCK_POLL_MS, undefined, { signal: this.#ended.signal });
    }
  }
}

const longEnough = (): Promise<null> => delay(PATIENCE_MS, null, { ref: false });
