import { ComputePool } from './pool.ts';
import type { DatasetDemand, Forget } from './thread.ts';

/** A reserved turn in the queue. Its holder must compute a demand with it, or leave. */
export interface Reservation {
  /**
   * The JSON of the answer.
   * @param signal aborts when the client no longer waits.
   * @param waitedMs the part of the deadline already used: its answer was begun this many milliseconds ago
   * @throws TooLate, Abandoned, ThreadEnded, or an error of the computation.
   */
  compute(demand: DatasetDemand, signal: AbortSignal, waitedMs: number): Promise<Buffer>;
  /** Gives up the reservation, if no demand was given. */
  leave(): void;
}

/** Computes answers that are not in the dataset. */
export interface Computer {
  /**
   * Reserves a turn in the queue; null when the queue is full. The result is a promise only when another process must
   * be asked.
   */
  reserve(client: string): Reservation | null | Promise<Reservation | null>;
  /** Closes the dataset of a folder in the threads. No more demands for it may follow. */
  forget(folder: string): void;
}

/** A pool whose threads have datasets open. */
class DatasetComputer extends ComputePool<DatasetDemand> implements Computer {
  forget(folder: string): void {
    this.broadcast({ forget: folder } satisfies Forget);
  }
}

/** Limit of the waiting demands of all clients, and of one client. */
const MOST_WAITING = 64;
const MOST_WAITING_OF_CLIENT = 16;
/** Demands of one client that are computed at once. */
const AT_ONCE_PER_CLIENT = 2;

/** Additional time for a cancelled task: as long as the start of a thread takes on a busy machine. */
const GRACE_MS = 2000;
/** Time limit for the start of a thread. It usually takes a second or two, but much longer on a busy machine. */
const START_MS = 30_000;

/**
 * A computer with a number of threads, each with a memory limit for trees. Answers that take longer than the deadline
 * are given up.
 * @param hangs called before a hanging thread is ended
 */
export const computerOf = (
  threads: number,
  deadlineMs: number,
  sceneMemory?: number,
  hangs?: (reason: string) => void,
): DatasetComputer =>
  new DatasetComputer(new URL('./thread.ts', import.meta.url), {
    threads,
    deadlineMs,
    graceMs: GRACE_MS,
    startMs: START_MS,
    ...(hangs !== undefined && { hangs }),
    threadData: { sceneMemory },
    mostWaiting: MOST_WAITING,
    mostWaitingOfClient: MOST_WAITING_OF_CLIENT,
    atOncePerClient: AT_ONCE_PER_CLIENT,
  });
