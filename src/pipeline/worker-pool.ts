import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { Worker } from 'node:worker_threads';

/** A task as it travels to a worker thread: plain data. `name` is for messages: what is being worked on. */
export interface Task {
  kind: string;
  name: string;
  /** What many tasks have in common: a thread is sent it once, with the first of them. */
  common?: object | undefined;
}

/** What a worker answers to a task. */
export type Answer<Result> =
  | { result: Result }
  | { error: { name: string; message: string; code?: string | undefined; stack?: string | undefined } };

/** What a worker says once it can take a task. */
export const READY = 'ready';

/** A task that failed on a worker, with the message of the failure. */
export class TaskError extends Error {
  override name = 'TaskError';
  /** Name of the error that was thrown there. */
  readonly causeName: string | undefined;
  /** Code of the system's error (`ENOSPC`, …), where it was one. */
  readonly code: string | undefined;
  constructor(message: string, causeName?: string, code?: string) {
    super(message);
    this.causeName = causeName;
    this.code = code;
  }
}

/** Where the tasks of a build run: the threads of this process, or other machines. */
export interface Runner {
  /** How many tasks it runs at a time. */
  readonly size: number;
  /** Runs a task as soon as there is room. Rejects with `TaskError`. */
  run<Result>(task: Task): Promise<Result>;
  /** Gives back what it holds in memory; what runs is given up. */
  stop(): Promise<void>;
}

/** What comes of work that goes on at once; where some of it fails, not before the rest is done with. */
export async function sideBySide<Results extends readonly unknown[]>(
  work: {
    [At in keyof Results]: Promise<Results[At]>;
  },
): Promise<Results> {
  await Promise.allSettled(work);
  return (await Promise.all(work)) as unknown as Results;
}

interface Job {
  task: Task;
  resolve: (result: never) => void;
  reject: (error: Error) => void;
}

/**
 * Most memory for the newest objects of a thread, MB. Left to itself V8 lets it grow to eight times as much the longer
 * a thread works, so that a large city would seem to need more than a small one.
 */
const YOUNG_GENERATION_MB = 12;
/** At how many MB of older objects a thread first looks which of them are still used; V8 would gather some hundreds. */
const OLD_GENERATION_START_MB = 32;
/**
 * Settings of V8 while there are threads of a build, and what they are otherwise: they hold for the whole process, which may serve
 * afterwards. The threads keep all cores busy: helpers of one that collects its newest objects would take time from the others. And a
 * stage is short: what it calls a few thousand times is not worth the optimizing compiler. What is made for a building is dropped with it:
 * V8 would now and then take it for what lasts, and collect it late.
 */
const V8_FLAGS = [
  { building: `--initial-old-space-size=${OLD_GENERATION_START_MB}`, otherwise: '--initial-old-space-size=0' },
  { building: '--no-parallel-scavenge', otherwise: '--parallel-scavenge' },
  { building: '--no-allocation-site-pretenuring', otherwise: '--allocation-site-pretenuring' },
  { building: '--invocation-count-for-turbofan=12000', otherwise: '--invocation-count-for-turbofan=3000' },
];

/** How long a worker may take to start, milliseconds; those that take the place of one have twice as long, since the machine may just be busy. */
const START_MS = 60_000;
/** How often it is looked in that time whether it has: looks are counted, since this process may have been stopped meanwhile, with its workers. */
const LOOKS = 10;
/** Workers that may hang at their start, each in the place of the one before, until the pool fails. */
const MOST_HANGS = 3;

interface PoolOptions {
  /** What each worker is given when it starts. */
  workerData?: unknown;
  startMs?: number;
  /** Called when another worker takes the place of one that has not started. */
  replaced?: ((problem: string) => void) | undefined;
}

/**
 * Up to a number of worker threads that take tasks from one queue, in order; each is started when there is work for
 * it. A worker that dies fails its task and every later one: a build must not go on as if nothing had happened. One that hangs
 * before it says that it is ready has done nothing yet: another takes its place and its task.
 */
export class WorkerPool implements Runner {
  readonly size: number;
  readonly #script: URL;
  readonly #options: PoolOptions;
  readonly #workers = new Set<Worker>();
  readonly #idle: Worker[] = [];
  readonly #running = new Map<Worker, Job>();
  /** What its tasks have in common, as each worker was sent it last. */
  readonly #common = new WeakMap<Worker, object>();
  readonly #queue: Job[] = [];
  #failure: Error | null = null;
  /** Workers that hung at their start, one in the place of the other. */
  #hangs = 0;

  /** `script` says `READY` to `parentPort`, and answers each task that it receives there with one `Answer`. */
  constructor(script: URL, size: number, options: PoolOptions = {}) {
    this.size = size;
    this.#script = script;
    this.#options = options;
  }

  /** Why a worker has died; null while all is well. */
  get failure(): Error | null {
    return this.#failure;
  }

  /** Runs a task on the next free worker. Rejects with `TaskError`. */
  run<Result>(task: Task): Promise<Result> {
    return new Promise((resolve, reject) => {
      if (this.#failure) return reject(this.#failure);
      this.#queue.push({ task, resolve, reject });
      this.#next();
    });
  }

  /** Ends the workers and frees their memory; tasks under way are abandoned. A new task starts new workers. */
  async stop(): Promise<void> {
    const workers = [...this.#workers];
    this.#workers.clear();
    this.#idle.length = 0;
    for (const worker of workers) worker.removeAllListeners();
    await Promise.all(workers.map((worker) => worker.terminate()));
    for (const { otherwise } of V8_FLAGS) setFlagsFromString(otherwise);
  }

  #start(): Worker {
    for (const { building } of V8_FLAGS) setFlagsFromString(building);
    const worker = new Worker(this.#script, {
      workerData: this.#options.workerData ?? null,
      resourceLimits: { maxYoungGenerationSizeMb: YOUNG_GENERATION_MB },
    });
    const late = this.#watchStart(worker);
    worker.on('message', (answer: typeof READY | Answer<never>) => {
      if (answer === READY) clearInterval(late);
      // Under `node --watch` threads also report the files that they load.
      else if ('result' in answer || 'error' in answer) this.#answered(worker, answer);
    });
    worker.on('error', (error) => this.#died(worker, whyDied(error)));
    worker.on('exit', (code) => {
      clearInterval(late);
      this.#died(worker, `it ended with code ${code}`);
    });
    this.#workers.add(worker);
    return worker;
  }

  #watchStart(worker: Worker): NodeJS.Timeout {
    const before = this.#hangs;
    const startMs = (this.#options.startMs ?? START_MS) * 2 ** before;
    let looks = 0;
    const timer = setInterval(() => {
      if (++looks < LOOKS) return;
      clearInterval(timer);
      this.#hung(worker, startMs, before);
    }, startMs / LOOKS);
    return timer.unref();
  }

  /**
   * A worker has not started in time: its task goes to another one, unless too many have hung.
   * @param before how many had when it was begun: those that were begun together count once
   */
  #hung(worker: Worker, afterMs: number, before: number): void {
    if (!this.#workers.has(worker) || this.#failure) return;
    const problem = `a worker thread has not started within ${afterMs / 1000} s`;
    this.#hangs = Math.max(this.#hangs, before + 1);
    if (before + 1 >= MOST_HANGS) {
      this.#died(worker, `${problem}, nor have ${MOST_HANGS - 1} before it`);
      return;
    }
    this.#workers.delete(worker);
    worker.removeAllListeners().on('error', () => {});
    void worker.terminate();
    const job = this.#running.get(worker);
    this.#running.delete(worker);
    if (job !== undefined) this.#queue.unshift(job);
    this.#options.replaced?.(`${problem}: another takes its place`);
    this.#next();
  }

  #next(): void {
    while (this.#idle.length > 0 || this.#workers.size < this.size) {
      const job = this.#queue.shift();
      if (job === undefined) return;
      const worker = this.#idle.pop() ?? this.#start();
      this.#running.set(worker, job);
      worker.postMessage(this.#messageOf(job.task, worker));
    }
  }

  #messageOf(task: Task, worker: Worker): Task {
    const { common } = task;
    if (common === undefined) return task;
    if (this.#common.get(worker) === common) return { ...task, common: undefined };
    this.#common.set(worker, common);
    return task;
  }

  #answered(worker: Worker, answer: Answer<never>): void {
    const job = this.#running.get(worker);
    this.#running.delete(worker);
    this.#idle.push(worker);
    if ('result' in answer) job?.resolve(answer.result);
    else job?.reject(failureOf(answer.error));
    this.#next();
  }

  #died(worker: Worker, why: string): void {
    if (this.#failure) return;
    const task = this.#running.get(worker)?.task.name ?? 'nothing yet';
    this.#failure = new TaskError(`a worker thread died while it worked on ${task}: ${why}`);
    for (const job of [...this.#running.values(), ...this.#queue]) job.reject(this.#failure);
    this.#running.clear();
    this.#queue.length = 0;
  }
}

function failureOf({ name, message, code, stack }: Extract<Answer<never>, { error: unknown }>['error']): TaskError {
  const failure = new TaskError(message, name, code);
  if (stack) failure.stack = stack;
  return failure;
}

function whyDied(error: unknown): string {
  if ((error as NodeJS.ErrnoException).code === 'ERR_WORKER_OUT_OF_MEMORY') return 'it ran out of memory';
  return error instanceof Error ? error.message : String(error);
}

/**
 * Runs the garbage collector of this thread. After a stage much of what it held is free, most of it outside the heap
 * (shared memory, buffers), where V8 hardly looks: left alone, it would stay until long into the next stage.
 */
export function collectGarbage(): void {
  setFlagsFromString('--expose-gc');
  runInNewContext('gc')();
}
