import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
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
  #timer: NodeJS.Timeout | undefined;

  constructor(settings: Settings) {
    this.#settings = settings;
    this.#isStore = settings.data.startsWith('s3://');
    this.folder = this.#isStore ? settings.copies : settings.data;
  }

  /** Opens the newest whole dataset, after a look into the store; `openNewest` says more. */
  async open(unless?: string, damaged?: ReadonlySet<string>): Promise<Opened> {
    const { refused } = await this.#look();
    const trusted = this.#settings.trustKey ?? null;
    const opened = await openNewest(this.folder, { unless, trusted, hold: true, ...(damaged ? { damaged } : {}) });
    return { dataset: opened.dataset, refused: [...refused, ...opened.refused] };
  }

  /** Looks into the store at intervals, and calls back after each dataset that it has copied. */
  watch(log: Logger, fetched: () => void): void {
    const { refresh } = this.#settings;
    if (!this.#isStore || refresh === 0) return;
    const look = async (): Promise<void> => {
      const { datasetId, refused } = await this.#look();
      for (const reason of refused) log.warn({ reason }, 'a newer dataset in the store is refused');
      if (datasetId !== null) fetched();
      this.#timer = setTimeout(look, refresh * 1000).unref();
    };
    this.#timer = setTimeout(look, refresh * 1000).unref();
  }

  close(): void {
    clearTimeout(this.#timer);
  }

  /** What cannot be had from the store now is no reason to end. */
  async #look(): Promise<{ datasetId: string | null; refused: string[] }> {
    if (!this.#isStore) return { datasetId: null, refused: [] };
    // Loaded only where it is needed: every start would have to wait for it.
    const [{ openStore }, { fetchNewest }] = await Promise.all([
      import('./store.ts'),
      import('../store/dataset-store.ts'),
    ]);
    await mkdir(this.folder, { recursive: true });
    const lock = await this.#alone();
    try {
      return await fetchNewest(openStore(this.#settings.data, ATTEMPTS), this.folder, this.#settings.trustKey ?? null);
    } catch (error) {
      return { datasetId: null, refused: [(error as Error).message] };
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
