import { constants, setPriority } from 'node:os';
import { parentPort, workerData } from 'node:worker_threads';
import { asShortage, DamageError } from '../formats/checked-file.ts';
import { DatasetError } from '../snapshot/manifest.ts';
import { Engine } from '../sunlight/engine.ts';
import { READY } from '../supervision/task-threads.ts';
import { type Demand, OnDemand } from './on-demand/on-demand.ts';
import type { ThreadAnswer } from './pool.ts';

/** A demand on the dataset of a folder. */
export interface DatasetDemand {
  folder: string;
  demand: Demand;
}

/** A message to a thread: the dataset of a folder is no longer needed. */
export interface Forget {
  forget: string;
}

/** Limit of the open datasets: the served one and the previous one. */
const MOST_OPEN = 2;

const encoder = new TextEncoder();

/** Answers the demands that a pool sends to this thread. */
class DemandThread {
  readonly #engine = new Engine((workerData as { sceneMemory?: number }).sceneMemory);
  readonly #open = new Map<string, Promise<OnDemand>>();
  /** Resolves when the current demand is answered. Its dataset stays open until then. */
  #answered: Promise<void> = Promise.resolve();

  /** Acts on a message of the pool. */
  take(message: DatasetDemand | Forget): void {
    if ('forget' in message) void this.#answered.then(() => this.#forget(message.forget));
    else this.#answered = this.#answer(message).then((answer) => this.#send(answer));
  }

  #send(answer: ThreadAnswer): void {
    // The whole buffer is transferred, not copied. The bytes of `#answer` have a buffer of their own.
    const transferred = 'result' in answer ? [answer.result.buffer as ArrayBuffer] : [];
    parentPort?.postMessage({ ...answer, sceneBytes: this.#engine.bytes }, transferred);
  }

  /** Computes the JSON of a demand on the dataset in a folder, or an error. A damaged dataset is opened anew next time. */
  async #answer({ folder, demand }: DatasetDemand): Promise<ThreadAnswer> {
    try {
      const dataset = await this.#datasetOf(folder);
      return { result: encoder.encode(JSON.stringify(await dataset.answer(demand))) };
    } catch (thrown) {
      // When the system lacks files or memory, the error says so and is no damage.
      const error = asShortage(thrown);
      const { name, message, stack } = error as Error;
      const isDamaged = error instanceof DamageError || error instanceof DatasetError;
      if (isDamaged) this.#forget(folder);
      return { error: { name, message, stack }, isDamage: isDamaged };
    }
  }

  /** Closes a dataset. A damaged one may be repaired at the same place, so the next demand opens it again. */
  #forget(folder: string): void {
    closeLater(this.#open.get(folder));
    this.#open.delete(folder);
  }

  /** The open dataset of a folder. Of more than `MOST_OPEN` datasets, it closes those used longest ago. */
  async #datasetOf(folder: string): Promise<OnDemand> {
    const opening = this.#open.get(folder) ?? OnDemand.open(folder, this.#engine);
    // Delete and set, to keep the order of use.
    this.#open.delete(folder);
    this.#open.set(folder, opening);
    opening.catch(() => this.#open.delete(folder));
    for (const [oldest, dataset] of this.#open) {
      if (this.#open.size <= MOST_OPEN) break;
      this.#open.delete(oldest);
      closeLater(dataset);
    }
    return opening;
  }
}

/** Closes a dataset when it is open. A dataset that could not be opened needs no closing. */
function closeLater(dataset: Promise<OnDemand> | undefined): void {
  dataset?.then((old) => old.close()).catch(() => {});
}

/**
 * Answers that need no computation have priority. Linux applies this to the calling thread only, other systems to the
 * process.
 */
if (process.platform === 'linux') setPriority(constants.priority.PRIORITY_BELOW_NORMAL);

const thread = new DemandThread();
parentPort?.on('message', (message: DatasetDemand | Forget) => thread.take(message));
parentPort?.postMessage(READY);
