import { setTimeout as delay } from 'node:timers/promises';
import type { Logger } from 'pino';
import type { Dataset } from '../dataset/dataset.ts';
import { checkFiles } from '../dataset/verification.ts';

/** Pause between two readings of the same dataset. */
const PAUSE_MS = 24 * 3600 * 1000;

/**
 * Reads every file of the dataset that is served beside other work, and compares it with its SHA-256: after a dataset was
 * opened, and then once a day. So damage is found before somebody asks for what is damaged.
 */
export class DatasetGuard {
  /** Bytes of the served dataset read so far. */
  checkedBytes = 0;
  readonly #bytesPerSecond: number;
  readonly #found: (dataset: Dataset, difference: string) => void;
  readonly #log: Logger;
  #watching: AbortController | null = null;

  /** @param found hears of damage, once for each dataset. */
  constructor(bytesPerSecond: number, found: (dataset: Dataset, difference: string) => void, log: Logger) {
    this.#bytesPerSecond = bytesPerSecond;
    this.#found = found;
    this.#log = log;
  }

  /** Begins with a dataset, in place of the one before. */
  watch(dataset: Dataset): void {
    this.end();
    this.#watching = new AbortController();
    const { signal } = this.#watching;
    this.#run(dataset, signal).catch((error) => {
      if (!signal.aborted) this.#log.error({ err: error }, 'the check of the dataset has ended');
    });
  }

  end(): void {
    this.#watching?.abort();
    this.#watching = null;
  }

  async #run(dataset: Dataset, signal: AbortSignal): Promise<void> {
    const read = (bytes: number): void => {
      this.checkedBytes += bytes;
    };
    for (;;) {
      this.checkedBytes = 0;
      const pace = { bytesPerSecond: this.#bytesPerSecond, signal, read };
      for await (const { name, difference } of checkFiles(dataset.folder, dataset.manifest, pace)) {
        if (difference !== null) return this.#found(dataset, `${name}: ${difference}`);
      }
      this.#log.info({ dataset_id: dataset.manifest.dataset_id }, 'every file of the dataset is as it was built');
      await delay(PAUSE_MS, undefined, { signal, ref: false });
    }
  }
}
