import type { Queued } from './fair-queue.ts';

interface PlaceEvents {
  submitted(signal: AbortSignal, waitedMs: number): void;
  cancelled(): void;
}

/** A place in the queue. Later it has the task that was submitted there. */
export class Place<Task> implements Queued {
  readonly client: string;
  onSettled: () => void = () => {};
  readonly #events: PlaceEvents;
  #task: Task | null = null;
  #settle: ((outcome: Buffer | Error) => void) | null = null;

  constructor(client: string, events: PlaceEvents) {
    this.client = client;
    this.#events = events;
  }

  get isReady(): boolean {
    return this.#task !== null;
  }

  get task(): Task {
    if (this.#task === null) throw new Error('no task has been given');
    return this.#task;
  }

  /**
   * The JSON of the task's result.
   * @param signal aborts when the client no longer waits
   * @param waitedMs the used part of the deadline: the task belongs to an answer that was begun so long ago
   * @throws TooLate, Abandoned, ThreadEnded, DamageError, ShortageError, or another error of the thread, by name and
   * message.
   */
  compute(task: Task, signal: AbortSignal, waitedMs = 0): Promise<Buffer> {
    return new Promise((resolve, reject) => {
      this.#task = task;
      this.#settle = (outcome) => (outcome instanceof Error ? reject(outcome) : resolve(outcome));
      this.#events.submitted(signal, waitedMs);
    });
  }

  /** Gives up the place, if no task was given. */
  leave(): void {
    if (this.#task === null) this.#events.cancelled();
  }

  /** False when the outcome was already known. */
  settle(outcome: Buffer | Error): boolean {
    if (this.#settle === null) return false;
    const settle = this.#settle;
    this.#settle = null;
    this.onSettled();
    settle(outcome);
    return true;
  }
}
