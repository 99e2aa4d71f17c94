import { mkdir } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import type { Logger } from 'pino';
import { type Opened, openNewest } from '../dataset/open.ts';
import { FileLock } from '../formats/file-lock.ts';
import type { Settings } from './settings.ts';

/** How often a server asks a store that does not answer, before it goes on with what it has. */
const ATTEMPTS = 4;

const LOCK_POLL_MS = 200;

/** Where a server has its datasets from: a data folder, into which those of a store are copied first. */
export class DataSource {
  readonly folder: string;
  readonly #settings: Settings;
  readonly #isStore: boolean;
  /** The newest dataset of the store that was whole at the last look. */
  #newest: string | null = null;
  /** Folders of copies that were found damaged and are not whole again. */
  readonly #damaged = new Set<string>();
  #again: (() => Promise<void>) | null = null;
  #timer: NodeJS.Timeout | undefined;

  constructor(settings: Settings) {
    this.#settings = settings;
    this.#isStore = settings.data.startsWith('s3://');
    this.folder = this.#isStore ? resolve(settings.copies) : settings.data;
  }

  /** Opens the newest whole dataset, after a look into the store; `openNewest` says more. */
  async open(unless?: string, damaged: ReadonlySet<string> = new Set()): Promise<Opened> {
    // A damaged dataset gives way at once, whatever the store does.
    const refused = damaged.size === 0 ? await this.#look() : this.#later(damaged);
    const trusted = this.#settings.trustKey ?? null;
    const passed = new Set([...this.#damaged, ...damaged]);
    const opened = await openNewest(this.folder, { unless, trusted, hold: true, damaged: passed });
    return { dataset: opened.dataset, refused: [...refused, ...opened.refused] };
  }

  /** Looks into the store at intervals, and calls back after each dataset that was copied from it, or made whole again. */
  watch(log: Logger, fetched: () => void): void {
    const { refresh } = this.#settings;
    if (!this.#isStore || refresh === 0) return;
    this.#again = async () => {
      const before = this.#newest;
      const wasDamaged = this.#damaged.size;
      for (const reason of await this.#look()) log.warn({ reason }, 'a newer dataset in the store is refused');
      if (this.#newest !== before || this.#damaged.size < wasDamaged) fetched();
      this.#lookIn(refresh * 1000);
    };
    this.#lookIn(refresh * 1000);
  }

  close(): void {
    this.#again = null;
    clearTimeout(this.#timer);
  }

  /** Damaged datasets are copied again where they differ from those of the store, in the background. */
  #later(damaged: ReadonlySet<string>): string[] {
    if (this.#isStore) for (const folder of damaged) this.#damaged.add(folder);
    this.#lookIn(0);
    return [];
  }

  #lookIn(ms: number): void {
    const again = this.#again;
    if (again === null) return;
    clearTimeout(this.#timer);
    this.#timer = setTimeout(again, ms).unref();
  }

  /** A line for each dataset that was refused; what cannot be had from the store now is no reason to end. */
  async #look(): Promise<string[]> {
    if (!this.#isStore) return [];
    // Loaded only where it is needed: every start would have to wait for it.
    const [{ openStore }, { fetchNewest }] = await Promise.all([
      import('./store.ts'),
      import('../store/dataset-store.ts'),
    ]);
    await mkdir(this.folder, { recursive: true });
    const lock = await this.#alone();
    try {
      const { data, trustKey = null } = this.#settings;
      const of = { trusted: trustKey, damaged: this.#damaged };
      const { datasetId, refused } = await fetchNewest(openStore(data, ATTEMPTS, this.#settings), this.folder, of);
      if (datasetId !== null) this.#damaged.delete(join(this.folder, datasetId));
      this.#newest = datasetId;
      return refused;
    } catch (error) {
      return [(error as Error).message];
    } finally {
      lock.release();
    }
  }

  /** Servers that share the folder copy a dataset once. */
  async #alone(): Promise<FileLock> {
    for (;;) {
      const lock = FileLock.take(join(this.folder, '.copying'));
      if (lock !== null) return lock;
      await delay(LOCK_POLL_MS);
    }
  }
}
