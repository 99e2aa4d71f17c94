import type { Logger } from 'pino';
import type { Dataset } from '../dataset/dataset.ts';
import type { Opened } from '../dataset/open.ts';
import { Serving } from './serving.ts';

/**
 * Opens the newest complete dataset, unless that is the one named; rejects with a message for people when the data
 * cannot be read at all.
 */
export type OpenNewest = (unless?: string) => Promise<Opened>;

/** Holds the dataset that is served, and exchanges it for a newer one between two requests. */
export class DatasetSlot {
  current: Serving;
  readonly #open: OpenNewest;
  readonly #serve: (dataset: Dataset) => Serving;
  readonly #log: Logger;
  #swapping: Promise<void> = Promise.resolve();

  private constructor(open: OpenNewest, serve: (dataset: Dataset) => Serving, first: Dataset, log: Logger) {
    this.#open = open;
    this.#serve = serve;
    this.#log = log;
    this.current = serve(first);
  }

  /**
   * Opens the first dataset.
   * @throws Error when there is none, with a line for each that is damaged; or what `open` rejects with.
   */
  static async open(open: OpenNewest, siteUrl: string, program: string, log: Logger): Promise<DatasetSlot> {
    const { dataset, refused } = await open();
    if (dataset === null) throw new Error(['there is no complete dataset to serve', ...refused].join('; '));
    for (const reason of refused) log.warn({ reason }, 'dataset refused');
    return new DatasetSlot(open, (opened) => new Serving(opened, siteUrl, program), dataset, log);
  }

  /**
   * Moves to the newest dataset, if it is another one. Damaged ones are refused with a line in the log, and the old
   * one stays. Resolves when the old one is closed.
   */
  swap(): Promise<void> {
    this.#swapping = this.#swapping.then(() => this.#swapNow());
    return this.#swapping;
  }

  async #swapNow(): Promise<void> {
    const old = this.current;
    const before = old.dataset.manifest.dataset_id;
    let opened: Opened;
    try {
      opened = await this.#open(before);
    } catch (error) {
      opened = { dataset: null, refused: [(error as Error).message] };
    }
    for (const reason of opened.refused) this.#log.error({ reason, dataset_id: before }, 'dataset refused');
    if (opened.dataset === null) {
      this.#log.info({ dataset_id: before }, 'the dataset that is served stays');
      return;
    }
    this.current = this.#serve(opened.dataset);
    this.#log.info({ dataset_id: opened.dataset.manifest.dataset_id, before }, 'serving a new dataset');
    await old.retire();
    this.#log.info({ dataset_id: before }, 'old dataset closed');
  }

  /** Waits for the requests in flight and closes. */
  async close(): Promise<void> {
    await this.#swapping;
    await this.current.retire();
  }
}
