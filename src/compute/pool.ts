import type { Worker } from 'node:worker_threads';
import { DamageError, ShortageError } from '../formats/checked-file.ts';
import type { End } from '../supervision/supervisor.ts';
import { type Answer, TaskThreads } from '../supervision/task-threads.ts';
import { FairQueue, type Queued, type QueueLimits } from './fair-queue.ts';

/** The answer of a thread: the bytes of a JSON value, or an error. */
export type ThreadAnswer = Answer<Uint8Array> & {
  /** Bytes of the thread's trees. */
  sceneBytes?: number;
  /** True when the error says that a file of the dataset is damaged. */
  isDamage?: boolean;
};

/** Limits of a pool, and the data of its threads. */
export interface PoolLimits extends QueueLimits {
  threads: number;
  /** Time limit from the first task of an answer to its result, milliseconds. */
  deadlineMs: number;
  /**
   * How long a thread may continue a cancelled task before it is ended, milliseconds. Starting a new thread costs time
   * too.
   */
  graceMs: number;
  /**
   * Time limit for the start of a thread, milliseconds. A thread that takes longer hangs. The next one has twice as
   * long, because the machine may just be slow.
   */
  startMs: number;
  /** Called before a hanging thread is ended. */
  hangs?(reason: string): void;
  /** The data that each thread receives at its start. */
  threadData?: unknown;
}

/** Number of tasks by outcome. */
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

/** Limit of the objects of a thread, MB. Mapped memory and buffers are additional. */
const HEAP_MB = 512;
/** Limit of new objects, MB. Without it V8 lets them grow to 134 MB, and the computation is not faster. */
const NEW_OBJECTS_MB = 12;

/**
 * Worker threads for tasks that take too long between two requests. Tasks wait in a bounded queue; each has a deadline.
 * A task that is late, or whose client has gone, is cancelled. A thread that does not finish it soon afterwards is
 * ended and replaced. The same holds for a thread that hangs before its first task. A thread that has never answered has
 * as long for it as for its start, because its code is still being compiled.
 */
export class ComputePool<Task> extends TaskThreads<QueuedTask<Task>, ThreadAnswer> {
  readonly counts: PoolCounts = { done: 0, failed: 0, late: 0, abandoned: 0, refused: 0 };
  readonly #limits: PoolLimits;
  readonly #queue: FairQueue<QueuedTask<Task>>;
  readonly #sceneBytes = new Map<Worker, number>();
  /** Threads that have answered a task. */
  readonly #proven = new WeakSet<Worker>();
  #isClosed = false;

  /** @param script answers each task with one `ThreadAnswer`. */
  constructor(script: URL, limits: PoolLimits) {
    const { threads, startMs, threadData: workerData } = limits;
    const queue = new FairQueue<QueuedTask<Task>>(limits);
    const resourceLimits = { maxOldGenerationSizeMb: HEAP_MB, maxYoungGenerationSizeMb: NEW_OBJECTS_MB };
    super(script, queue, { threads, startMs, notStarted: 'it has not started', workerData, resourceLimits });
    this.#limits = limits;
    this.#queue = queue;
  }

  /** Number of waiting tasks and of reserved slots without a task. */
  get waiting(): number {
    return this.#queue.length;
  }

  get running(): number {
    return [...this.tasks.values()].filter((task) => task !== null).length;
  }

  /** Bytes of the trees of all threads. */
  get sceneBytes(): number {
    return [...this.#sceneBytes.values()].reduce((sum, bytes) => sum + bytes, 0);
  }

  /** Reserves a slot in the queue, if there is one. Its holder must give a task or leave. */
  reserve(client: string): QueuedTask<Task> | null {
    const queued = new QueuedTask<Task>(
      client,
      (signal, waitedMs) => this.#submit(queued, signal, waitedMs),
      () => this.#queue.leave(queued),
    );
    if (this.#queue.enter(queued)) return queued;
    this.counts.refused++;
    return null;
  }

  /** Sends every thread a message that is not a task, after earlier messages. */
  broadcast(message: unknown): void {
    for (const thread of this.workers) thread.postMessage(message);
  }

  /** Ends all threads and gives up running tasks. */
  async close(): Promise<void> {
    this.#isClosed = true;
    await this.endAll();
  }

  /** Lets a submitted task wait for a thread, until the deadline or until its client no longer waits. */
  #submit(queued: QueuedTask<Task>, signal: AbortSignal, waitedMs: number): void {
    const end = (error: Error, count: 'late' | 'abandoned'): void => {
      if (!queued.settle(error)) return;
      this.counts[count]++;
      this.#queue.leave(queued);
      for (const [thread, task] of this.tasks) if (task === queued) this.#endSoon(thread, queued);
    };
    const abandon = (): void => end(new Abandoned('the client no longer waits'), 'abandoned');
    const leftMs = Math.max(this.#limits.deadlineMs - waitedMs, 0);
    const timer = setTimeout(() => end(new TooLate('it takes too long'), 'late'), leftMs);
    // The waiting client's connection keeps the process alive; a timer need not.
    timer.unref();
    signal.addEventListener('abort', abandon, { once: true });
    queued.onSettled = () => {
      clearTimeout(timer);
      signal.removeEventListener('abort', abandon);
    };
    if (signal.aborted) abandon();
    else this.dispatch();
  }

  /** Ends a thread that still runs this task after the grace period. */
  #endSoon(thread: Worker, queued: QueuedTask<Task>): void {
    const end = (): void => {
      if (this.tasks.get(thread) === queued) this.end(thread);
    };
    // A thread that has not answered yet may still be starting, which takes longer.
    setTimeout(end, this.#proven.has(thread) ? this.#limits.graceMs : this.startMs).unref();
  }

  protected messageOf({ task }: QueuedTask<Task>): Task {
    return task;
  }

  protected hung(problem: string, seconds: number): void {
    this.#limits.hangs?.(`${problem} after ${seconds} s`);
  }

  protected override fork(): Worker {
    const thread = super.fork();
    // It does not keep the process alive: the connections of waiting clients do.
    thread.unref();
    return thread;
  }

  protected override dispatch(): void {
    if (!this.#isClosed) super.dispatch();
  }

  protected answered(queued: QueuedTask<Task>, answer: ThreadAnswer, thread: Worker): void {
    this.#proven.add(thread);
    // A thread that answers works, so hangs are counted anew.
    this.hangs = 0;
    if (answer.sceneBytes !== undefined) this.#sceneBytes.set(thread, answer.sceneBytes);
    this.#queue.done(queued);
    this.#settle(queued, answer);
  }

  /**
   * Called when a thread has ended: its task fails. A thread that could not start fails the next task of the queue, so
   * that starting is not tried forever.
   */
  protected threadEnded(thread: Worker, task: QueuedTask<Task> | null, { reason, wasReady }: End): void {
    const queued = wasReady ? task : this.#queue.next();
    this.#sceneBytes.delete(thread);
    if (queued === null) return;
    this.#queue.done(queued);
    if (queued.settle(new ThreadEnded(reason))) this.counts.failed++;
  }

  /** Gives the answer of a thread to the client: the bytes, or an error of the same class. */
  #settle(queued: QueuedTask<Task>, answer: ThreadAnswer): void {
    if ('result' in answer) {
      const { buffer, byteOffset, byteLength } = answer.result;
      if (queued.settle(Buffer.from(buffer, byteOffset, byteLength))) this.counts.done++;
      return;
    }
    const { name, message, stack } = answer.error;
    const error = errorOf(name, message, answer.isDamage ?? false);
    if (stack !== undefined) error.stack = stack;
    if (queued.settle(error)) this.counts.failed++;
  }
}

/** An error of a thread, of its class where callers distinguish it. */
function errorOf(name: string, message: string, isDamage: boolean): Error {
  if (isDamage) return new DamageError(message);
  if (name === 'ShortageError') return new ShortageError(message);
  return Object.assign(new Error(message), { name });
}

/** A slot of the queue. Later it has the task that was submitted there. */
class QueuedTask<Task> implements Queued {
  readonly client: string;
  onSettled: () => void = () => {};
  readonly #submit: (signal: AbortSignal, waitedMs: number) => void;
  readonly #cancel: () => void;
  #task: Task | null = null;
  #settle: ((outcome: Buffer | Error) => void) | null = null;

  /** @param submit lets the given task wait for a thread; `cancel` gives up the slot without one */
  constructor(client: string, submit: (signal: AbortSignal, waitedMs: number) => void, cancel: () => void) {
    this.client = client;
    this.#submit = submit;
    this.#cancel = cancel;
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
   * @param waitedMs the part of the deadline already used: its answer was begun this many milliseconds ago
   * @throws TooLate, Abandoned, ThreadEnded, DamageError, ShortageError, or another error of the thread, by name and
   * message.
   */
  compute(task: Task, signal: AbortSignal, waitedMs = 0): Promise<Buffer> {
    return new Promise((resolve, reject) => {
      this.#task = task;
      this.#settle = (outcome) => (outcome instanceof Error ? reject(outcome) : resolve(outcome));
      this.#submit(signal, waitedMs);
    });
  }

  /** Gives up the slot, if no task was given. */
  leave(): void {
    if (this.#task === null) this.#cancel();
  }

  /** Reports the outcome of the task to the client. False when an outcome was reported before. */
  settle(outcome: Buffer | Error): boolean {
    if (this.#settle === null) return false;
    const report = this.#settle;
    this.#settle = null;
    this.onSettled();
    report(outcome);
    return true;
  }
}
