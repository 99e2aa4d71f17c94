import { watch } from 'node:fs';
import { dirname, join, posix } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import type { Logger } from 'pino';
import type { Dataset } from '../dataset/dataset.ts';
import { checkFiles } from '../snapshot/verification.ts';

/** Pause between two checks of the same dataset. */
const PAUSE_MS = 24 * 3600 * 1000;

/**
 * Finds damage before a request meets it. In the background it reads every file of the served dataset and compares it
 * with its SHA-256: when the dataset is opened, then once a day. A file that changes meanwhile is checked at once, if
 * the system reports changes.
 */
export class DatasetGuard {
  /** Bytes of the served dataset read so far. */
  checkedBytes = 0;
  readonly #bytesPerSecond: number;
  readonly #onDamage: (dataset: Dataset, difference: string) => void;
  readonly #log: Logger;
  #watching: AbortController | null = null;

  /** @param onDamage called with each file that differs from its checksum */
  constructor(bytesPerSecond: number, onDamage: (dataset: Dataset, difference: string) => void, log: Logger) {
    this.#bytesPerSecond = bytesPerSecond;
    this.#onDamage = onDamage;
    this.#log = log;
  }

  /** Watches a dataset instead of the previous one. */
  watch(dataset: Dataset): void {
    this.end();
    this.#watching = new AbortController();
    const { signal } = this.#watching;
    const logFailure = (error: unknown): void => {
      if (!signal.aborted) this.#log.error({ err: error }, 'the check of the dataset has ended');
    };
    this.#checkDaily(dataset, signal).catch(logFailure);
    // Changed files are checked one after another. A file that waits for its check needs no second one.
    const waiting = new Set<string>();
    let checks = Promise.resolve();
    const check = (name: string): void => {
      if (waiting.has(name)) return;
      waiting.add(name);
      checks = checks.then(() => {
        waiting.delete(name);
        return this.#checkFile(dataset, name, signal).catch(logFailure);
      });
    };
    const folders = new Set(Object.keys(dataset.manifest.files).map((name) => dirname(name)));
    for (const folder of folders) {
      watchFolder(join(dataset.folder, folder), signal, (file) => check(posix.join(folder, file)));
    }
  }

  /** Stops all checks. */
  end(): void {
    this.#watching?.abort();
    this.#watching = null;
  }

  /** Checks a file that has changed, if it belongs to the dataset. */
  async #checkFile(dataset: Dataset, name: string, signal: AbortSignal): Promise<void> {
    const file = dataset.manifest.files[name];
    if (file === undefined) return;
    const pace = { bytesPerSecond: this.#bytesPerSecond, signal };
    for await (const { difference } of checkFiles(dataset.folder, { files: { [name]: file } }, pace)) {
      if (difference !== null) this.#onDamage(dataset, `${name}: ${difference}`);
    }
  }

  /** Checks all files of the dataset, once a day, until the signal or the first damage. */
  async #checkDaily(dataset: Dataset, signal: AbortSignal): Promise<void> {
    const countBytes = (bytes: number): void => {
      this.checkedBytes += bytes;
    };
    for (;;) {
      this.checkedBytes = 0;
      const pace = { bytesPerSecond: this.#bytesPerSecond, signal, read: countBytes };
      for await (const { name, difference } of checkFiles(dataset.folder, dataset.manifest, pace)) {
        if (difference !== null) return this.#onDamage(dataset, `${name}: ${difference}`);
      }
      this.#log.info({ dataset_id: dataset.manifest.dataset_id }, 'every file of the dataset is as it was built');
      await delay(PAUSE_MS, undefined, { signal, ref: false });
    }
  }
}

/** Calls `changed` with each file of a folder that changes, until the signal. Some systems report no changes. */
function watchFolder(folder: string, signal: AbortSignal, changed: (file: string) => void): void {
  try {
    const watcher = watch(folder, { signal, persistent: false }, (_, file) => {
      if (file !== null) changed(file);
    });
    watcher.on('error', () => watcher.close());
  } catch {
    // The system has no free watchers. The daily check will find the damage.
  }
}
