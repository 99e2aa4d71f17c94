import { Worker } from 'node:worker_threads';
import { DamageError, ShortageError } from '../formats/checked-file.ts';
import { FairQueue, type QueueLimits } from './fair-queue.ts';
import { Place } from './place.ts';

/** What a thread answers: the bytes of a JSON value, or what went wrong. */
export type ThreadAnswer = ({ json: Uint8Array } | { error: ThreadError }) & {
  /** Bytes that the thread has for trees. */
  sceneBytes?: number;
};

interface ThreadError {
  name: string;
  message: string;
  stack?: string;
  /** Whether it says that a file of the dataset is not as it was written. */
  isDamage: boolean;
}

export interface PoolLimits extends QueueLimits {
  threads: number;
  /** From the moment that the first task of an answer is given until its result, milliseconds. */
  deadlineMs: number;
  /** How long a thread may go on with a cancelled task before it is ended, milliseconds: a start costs time, too. */
  graceMs: number;
  /**
   * How long a thread may take to start, and then for each of its examples, milliseconds: one that takes longer hangs, and the next
   * has twice as long, since the machine may just be slow.
   */
  startMs: number;
  /** Called before a thread that hangs is ended. */
  hangs?(reason: string): void;
  /** What each thread is given when it starts. */
  threadData?: unknown;
}

/** Tasks by outcome. */
interface PoolCounts {
  done: number;
  failed: number;
  /** Not done in time. */
  late: number;
  /** Cancelled: the client no longer waits for the result. */
  abandoned: number;
  /** Refused because the queue was full. */
  refused: number;
}

/** The result was not there in time. */
export class TooLate extends Error {
  override name = 'TooLate';
}

/** The client no longer waits for the result. */
export class Abandoned extends Error {
  override name = 'Abandoned';
}

/** The thread that computed the result has ended: its memory ran out, or it could not start. */
export class ThreadEnded extends Error {
  override name = 'ThreadEnded';
}

/** What a thread says first. */
export const READY = 'ready';

/** Tasks that a thread does for nobody, so that its code is compiled before the first request; it says `Warming` after each. */
export interface Examples<Task> {
  examples: readonly Task[];
}

/** `isWarm`: the last of the examples is done. */
export type Warming = Required<Pick<ThreadAnswer, 'sceneBytes'>> & { isWarm: boolean };

/** Most memory for the objects of a thread, MB; what it maps and its buffers come on top. */
const HEAP_MB = 512;

/**
 * How often it is looked whether a thread hangs in the time that it has: looks are counted, since this process may have been stopped
 * meanwhile, with its threads.
 */
const LOOKS = 10;
/** Threads that may hang in turn before no more examples are done, and the time for a start is doubled no more. */
const MOST_HANGS = 3;

/**
 * Worker threads for what takes too long to be done between two requests. Tasks wait in a bounded queue; each has a
 * deadline. One that is late, or whose client has gone, is cancelled; a thread that does not finish it soon after is ended,
 * and another started. So is a thread that hangs before it takes its first task, or at its examples. A thread that has never
 * answered has as long for it as for its start: its code is still being compiled, and on a slow machine none would ever answer.
 */
export class ComputePool<Task> {
  readonly counts: PoolCounts = { done: 0, failed: 0, late: 0, abandoned: 0, refused: 0 };
  /** Threads that hung, or ended of themselves. */
  deaths = 0;
  readonly #script: URL;
  readonly #limits: PoolLimits;
  readonly #queue: FairQueue<Place<Task>>;
  /** Threads that are not ready for a task yet. */
  readonly #starting = new Set<Worker>();
  readonly #idle: Worker[] = [];
  readonly #busy = new Map<Worker, Place<Task>>();
  readonly #sceneBytes = new Map<Worker, number>();
  /** Threads that have done the examples, and the one that does them. */
  readonly #warm = new Set<Worker>();
  #warming: Worker | null = null;
  /** Examples that are done of those which are being done. */
  #examplesDone = 0;
  /** Threads that have answered a task or an example. */
  readonly #proven = new WeakSet<Worker>();
  readonly #hung = new WeakSet<Worker>();
  /** How often threads hung in turn: those that were begun together count once. At most `MOST_HANGS`. */
  #hangs = 0;
  /** Threads that are ended because nobody waits for their task. */
  readonly #givenUp = new WeakSet<Worker>();
  #examples: readonly Task[] = [];
  #isClosed = false;

  /** @param script says `READY` to `parentPort`, then answers each task that it receives there with one `ThreadAnswer`. */
  constructor(script: URL, limits: PoolLimits) {
    this.#script = script;
    this.#limits = limits;
    this.#queue = new FairQueue(limits);
  }

  /** Tasks that wait, and places that are reserved without a task yet. */
  get waiting(): number {
    return this.#queue.length;
  }

  get running(): number {
    return this.#busy.size;
  }

  /** Bytes that all threads have for trees. */
  get sceneBytes(): number {
    return [...this.#sceneBytes.values()].reduce((sum, bytes) => sum + bytes, 0);
  }

  /** A place in the queue, where there is one. Its holder must give a task or leave. */
  reserve(client: string): Place<Task> | null {
    const place = new Place<Task>(client, {
      submitted: (signal, waitedMs) => this.#submitted(place, signal, waitedMs),
      cancelled: () => void this.#queue.leave(place),
    });
    if (this.#queue.enter(place)) return place;
    this.counts.refused++;
    return null;
  }

  /** Starts all threads, one after another, and has each do the examples; so does every thread that is started later. */
  warmUp(examples: readonly Task[]): void {
    this.#examples = examples;
    this.#warmNext();
  }

  /** Threads that are started from now on do these examples no more. */
  dropExamples(isOver: (example: Task) => boolean): void {
    this.#examples = this.#examples.filter((example) => !isOver(example));
  }

  /** Sends every thread a message that is not a task, after what was sent to it before. */
  broadcast(message: unknown): void {
    for (const worker of this.#workers()) worker.postMessage(message);
  }

  /** Ends all threads; tasks under way are given up. */
  async close(): Promise<void> {
    this.#isClosed = true;
    await Promise.all(this.#workers().map((worker) => worker.terminate()));
  }

  #workers(): Worker[] {
    return [...this.#starting, ...this.#idle, ...this.#busy.keys()];
  }

  #submitted(place: Place<Task>, signal: AbortSignal, waitedMs: number): void {
    const end = (error: Error, count: 'late' | 'abandoned'): void => {
      if (!place.settle(error)) return;
      this.counts[count]++;
      this.#queue.leave(place);
      for (const [worker, at] of this.#busy) if (at === place) this.#endSoon(worker, place);
    };
    const abandon = (): void => end(new Abandoned('the client no longer waits'), 'abandoned');
    const leftMs = Math.max(this.#limits.deadlineMs - waitedMs, 0);
    const timer = setTimeout(() => end(new TooLate('it takes too long'), 'late'), leftMs);
    // The connection of the client that waits keeps the process alive; a timer need not.
    timer.unref();
    signal.addEventListener('abort', abandon, { once: true });
    place.onSettled = () => {
      clearTimeout(timer);
      signal.removeEventListener('abort', abandon);
    };
    if (signal.aborted) abandon();
    else this.#dispatch();
  }

  /** Ends a thread that is still at this place's task when the grace is over. */
  #endSoon(worker: Worker, place: Place<Task>): void {
    const end = (): void => {
      if (this.#busy.get(worker) !== place) return;
      this.#givenUp.add(worker);
      void worker.terminate();
    };
    setTimeout(end, this.#proven.has(worker) ? this.#limits.graceMs : this.#patienceMs).unref();
  }

  /** How long a thread may take to start, milliseconds. */
  get #patienceMs(): number {
    return this.#limits.startMs * 2 ** this.#hangs;
  }

  /** Gives idle threads what is next, and starts one where all are busy and there may be more. */
  #dispatch(): void {
    if (this.#isClosed) return;
    for (let worker = this.#idle.pop(); worker !== undefined; worker = this.#idle.pop()) {
      const place = this.#queue.next();
      if (place === null) {
        this.#idle.push(worker);
        return;
      }
      this.#busy.set(worker, place);
      worker.postMessage(place.task);
    }
    const isOneMore = this.#starting.size + this.#busy.size < this.#limits.threads;
    if (isOneMore && this.#queue.hasNext) this.#start();
  }

  /** Has the next thread that has not done the examples do them; where there is none, starts one more. */
  #warmNext(): void {
    if (this.#isClosed || this.#warming !== null || this.#examples.length === 0) return;
    const cold = [...this.#idle, ...this.#busy.keys()].find((worker) => !this.#warm.has(worker));
    if (cold !== undefined) {
      this.#warming = cold;
      this.#examplesDone = 0;
      cold.postMessage({ examples: this.#examples } satisfies Examples<Task>);
      this.#watch(cold, () => (this.#warming === cold ? this.#examplesDone : null), 'an example is not done');
    } else if (this.#starting.size === 0 && this.#warm.size < this.#limits.threads) this.#start();
  }

  #warmed(worker: Worker, { isWarm, sceneBytes }: Warming): void {
    this.#sceneBytes.set(worker, sceneBytes);
    this.#proven.add(worker);
    this.#examplesDone++;
    if (!isWarm) return;
    this.#hangs = 0;
    this.#warm.add(worker);
    this.#warming = null;
    const at = this.#idle.indexOf(worker);
    if (at >= 0) this.#idle.push(...this.#idle.splice(at, 1));
    this.#warmNext();
  }

  #start(): void {
    const worker = new Worker(this.#script, {
      workerData: this.#limits.threadData,
      resourceLimits: { maxOldGenerationSizeMb: HEAP_MB },
    });
    this.#starting.add(worker);
    worker.on('message', (message: typeof READY | Warming | ThreadAnswer) => {
      if (message === READY) this.#started(worker);
      else if ('isWarm' in message) this.#warmed(worker, message);
      // Under `node --watch` threads also report the files that they load.
      else if ('json' in message || 'error' in message) this.#answered(worker, message);
    });
    let reason = 'the thread has ended';
    worker.on('error', (error) => (reason = (error as Error).message));
    worker.once('exit', () => this.#threadEnded(worker, reason));
    worker.unref();
    this.#watch(worker, () => (this.#starting.has(worker) ? 0 : null), 'it has not started');
  }

  /**
   * Ends a thread whose state stays the same for the time that a start may take.
   * @param stateOf null: there is nothing more to wait for
   */
  #watch(worker: Worker, stateOf: () => number | null, problem: string): void {
    const [patienceMs, before] = [this.#patienceMs, this.#hangs];
    let [state, looks] = [stateOf(), 0];
    const timer = setInterval(() => {
      const now = stateOf();
      // A thread that has a task is ended by that task's deadline.
      if (now !== state || this.#busy.has(worker)) [state, looks] = [now, 0];
      if (now === null || this.#isClosed) clearInterval(timer);
      else if (++looks >= LOOKS) {
        clearInterval(timer);
        this.#hangs = Math.min(Math.max(this.#hangs, before + 1), MOST_HANGS);
        this.#hung.add(worker);
        this.#limits.hangs?.(`${problem} after ${patienceMs / 1000} s`);
        void worker.terminate();
      }
    }, patienceMs / LOOKS);
    timer.unref();
    worker.once('exit', () => clearInterval(timer));
  }

  #started(worker: Worker): void {
    this.#starting.delete(worker);
    // The last is taken first: those that are warm.
    this.#idle.unshift(worker);
    this.#dispatch();
    this.#warmNext();
  }

  #answered(worker: Worker, answer: ThreadAnswer): void {
    const place = this.#release(worker);
    this.#proven.add(worker);
    if (answer.sceneBytes !== undefined) this.#sceneBytes.set(worker, answer.sceneBytes);
    this.#idle.push(worker);
    if (place !== undefined) this.#answer(place, answer);
    this.#dispatch();
  }

  /** A thread has ended. One that could not start fails the next task, so that it is not tried forever. */
  #threadEnded(worker: Worker, reason: string): void {
    if (!this.#givenUp.has(worker) && !this.#isClosed) this.deaths++;
    let place = this.#release(worker);
    // Nor are examples tried forever that a thread does not get to or survive.
    const isBeforeTasks = this.#starting.has(worker) || this.#warming === worker;
    if (isBeforeTasks && (!this.#hung.has(worker) || this.#hangs === MOST_HANGS)) this.#examples = [];
    if (this.#starting.delete(worker)) {
      place = this.#queue.next() ?? undefined;
      if (place !== undefined) this.#queue.done(place);
    }
    if (this.#warming === worker) this.#warming = null;
    this.#warm.delete(worker);
    this.#sceneBytes.delete(worker);
    const at = this.#idle.indexOf(worker);
    if (at >= 0) this.#idle.splice(at, 1);
    if (place?.settle(new ThreadEnded(reason))) this.counts.failed++;
    this.#dispatch();
    this.#warmNext();
  }

  /** The thread is done with its task: frees it for the next. */
  #release(worker: Worker): Place<Task> | undefined {
    const place = this.#busy.get(worker);
    this.#busy.delete(worker);
    if (place !== undefined) this.#queue.done(place);
    return place;
  }

  #answer(place: Place<Task>, answer: ThreadAnswer): void {
    if ('json' in answer) {
      const { buffer, byteOffset, byteLength } = answer.json;
      if (place.settle(Buffer.from(buffer, byteOffset, byteLength))) this.counts.done++;
      return;
    }
    const { name, message, stack, isDamage } = answer.error;
    const Kind = isDamage ? DamageError : name === 'ShortageError' ? ShortageError : null;
    const error = Kind === null ? Object.assign(new Error(message), { name }) : new Kind(message);
    if (stack !== undefined) error.stack = stack;
    if (place.settle(error)) this.counts.failed++;
  }
}
