import { ComputePool } from './pool.ts';
import type { DatasetDemand, Forget } from './thread.ts';

/** A reserved place in the queue: its holder must compute a demand with it, or leave it. */
export interface ComputePlace {
  /**
   * The JSON of the answer.
   * @param signal aborts when the client no longer waits.
   * @param waitedMs how much of the deadline is over: the demand is a part of an answer that was begun so long ago
   * @throws TooLate, Abandoned, ThreadEnded, or what the computation has thrown.
   */
  compute(demand: DatasetDemand, signal: AbortSignal, waitedMs: number): Promise<Buffer>;
  /** Gives the place up, where no demand has been given. */
  leave(): void;
}

/** Computes answers that the dataset does not hold. */
export interface Computer {
  /** A place to wait; null: there is none now. A promise comes back only where another process has to be asked. */
  reserve(client: string): ComputePlace | null | Promise<ComputePlace | null>;
  /** Starts all threads, one after another, with demands whose answers are dropped. */
  warmUp(examples: readonly DatasetDemand[]): void;
  /** Closes the dataset of a folder, where it is open for computing: nothing more of it is asked for. */
  forget(folder: string): void;
}

/** A pool whose threads have datasets open. */
class DatasetComputer extends ComputePool<DatasetDemand> implements Computer {
  forget(folder: string): void {
    this.dropExamples((example) => example.folder === folder);
    this.broadcast({ forget: folder } satisfies Forget);
  }
}

/** Demands that may wait, and of one client. */
const PLACES = 64;
const PLACES_PER_CLIENT = 16;
/** Demands of one client that are computed at once. */
const AT_ONCE_PER_CLIENT = 2;

/** A cancelled task may take as much longer as the start of a thread takes on a busy machine. */
const GRACE_MS = 2000;
/** A thread takes a second or two to start, and many times as long where the machine is busy. */
const START_MS = 30_000;

/**
 * A computer of a given number of threads, each with a budget of bytes for trees; an answer that takes longer than the deadline is
 * given up.
 * @param hangs is called before a thread is ended that hangs
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
    places: PLACES,
    placesPerClient: PLACES_PER_CLIENT,
    atOncePerClient: AT_ONCE_PER_CLIENT,
  });
