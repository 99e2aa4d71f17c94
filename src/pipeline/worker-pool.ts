import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import type { Worker } from 'node:worker_threads';
import type { End } from '../supervision/supervisor.ts';
import { type Answer, TaskThreads } from '../supervision/task-threads.ts';

/** A task for a worker thread, as plain data. `name` describes it in messages. */
export interface Task {
  kind: string;
  name: string;
  /** Data that many tasks share. A thread gets it once, with the first of them. */
  common?: object | undefined;
}

/** A task failed on a worker. The message is that of the failure. */
export class TaskError extends Error {
  override name = 'TaskError';
  /** Name of the error on the worker. */
  readonly causeName: string | undefined;
  /** Code of the system's error (`ENOSPC`, …), if it was one. */
  readonly code: string | undefined;
  constructor(message: string, causeName?: string, code?: string) {
    super(message);
    this.causeName = causeName;
    this.code = code;
  }

  /** True for the fault of an input file; false for one of the machine or the program. */
  get isOfFile(): boolean {
    return FILE_ERRORS.has(this.causeName ?? '');
  }
}

/** Names of the errors of input files. No other machine needs to try such a file. */
export const FILE_ERRORS: ReadonlySet<string> = new Set(['CityGmlError', 'ElevationFileError', 'InputError']);

/** Where the tasks of a build run: threads of this process, or other machines. */
export interface Runner {
  /** Number of tasks that run at a time. */
  readonly size: number;
  /**
   * Runs a task when there is room.
   * @throws TaskError when the task fails or its worker dies
   */
  run<Result>(task: Task): Promise<Result>;
  /** Frees its memory and abandons running tasks. */
  stop(): Promise<void>;
}

/** The results of concurrent work. When some of it fails, it rejects only after the rest has ended. */
export async function allSettled<Results extends readonly unknown[]>(
  work: {
    [At in keyof Results]: Promise<Results[At]>;
  },
): Promise<Results> {
  await Promise.allSettled(work);
  return (await Promise.all(work)) as unknown as Results;
}

/** A task that waits or runs, and the functions that settle its promise. */
interface Job {
  task: Task;
  resolve: (result: never) => void;
  reject: (error: Error) => void;
}

/**
 * Most memory for the newest objects of a thread, MB. By default V8 lets it grow to eight times as much during long
 * work, so a large city would seem to need more than a small one.
 */
const YOUNG_GENERATION_MB = 12;
/** MB of older objects at which a thread first collects garbage. V8 would wait for some hundreds. */
const OLD_GENERATION_START_MB = 32;
/**
 * Settings of V8 while a build has threads, and the defaults afterwards: they affect the whole process, which may serve
 * later. The threads keep all cores busy, so parallel helpers of one garbage collection would take time from the
 * others. Stages are short, so functions called a few thousand times are not worth the optimizing compiler. Objects of
 * a building are dropped with it, but V8 sometimes treats them as long-lived and collects them late.
 */
const V8_FLAGS = [
  { building: `--initial-old-space-size=${OLD_GENERATION_START_MB}`, usual: '--initial-old-space-size=0' },
  { building: '--no-parallel-scavenge', usual: '--parallel-scavenge' },
  { building: '--no-allocation-site-pretenuring', usual: '--allocation-site-pretenuring' },
  { building: '--invocation-count-for-turbofan=12000', usual: '--invocation-count-for-turbofan=3000' },
];

/** How long the first worker may take to start, milliseconds. */
const START_MS = 60_000;

interface PoolOptions {
  /** Passed to each worker at its start. */
  workerData?: unknown;
  startMs?: number;
  /** Called when a worker that did not start is replaced. */
  replaced?: ((problem: string) => void) | undefined;
}

/**
 * Worker threads that take tasks from one queue, in order. A thread starts when there is work for it. A worker that
 * dies fails its task and every later one, because a build must not continue as if nothing had happened. A worker that
 * hangs before it is ready has done nothing yet and is replaced.
 */
export class WorkerPool extends TaskThreads<Job, Answer<never>> implements Runner {
  readonly size: number;
  readonly #replaced: PoolOptions['replaced'];
  /** The shared data that each worker got last. */
  readonly #common = new WeakMap<Worker, object>();
  readonly #jobs: Job[];
  #failure: Error | null = null;

  /** `script` answers each task with one `Answer`. */
  constructor(script: URL, size: number, { workerData = null, startMs = START_MS, replaced }: PoolOptions = {}) {
    const jobs: Job[] = [];
    const queue = { hasNext: () => jobs.length > 0, next: () => jobs.shift() ?? null };
    const resourceLimits = { maxYoungGenerationSizeMb: YOUNG_GENERATION_MB };
    const notStarted = 'a worker thread has not started';
    super(script, queue, { threads: size, startMs, notStarted, workerData, resourceLimits });
    this.size = size;
    this.#replaced = replaced;
    this.#jobs = jobs;
  }

  /** Why a worker died; null when none did. */
  get failure(): Error | null {
    return this.#failure;
  }

  /**
   * Runs a task on the next free worker.
   * @throws TaskError when the task fails, or a worker has died
   */
  run<Result>(task: Task): Promise<Result> {
    return new Promise((resolve, reject) => {
      if (this.#failure) return reject(this.#failure);
      this.#jobs.push({ task, resolve, reject });
      this.dispatch();
    });
  }

  /** Ends the workers, frees their memory and abandons running tasks. A new task starts new workers. */
  async stop(): Promise<void> {
    this.#jobs.length = 0;
    await this.endAll();
    // This process may serve next: it gets the usual settings of V8 back (see `fork`).
    for (const { usual } of V8_FLAGS) setFlagsFromString(usual);
  }

  /** Starts a worker, with the settings of V8 for a build. */
  protected override fork(): Worker {
    for (const { building } of V8_FLAGS) setFlagsFromString(building);
    return super.fork();
  }

  /** The message to a worker: the task, without shared data that the worker already has. */
  protected messageOf({ task }: Job, worker: Worker): Task {
    const { common } = task;
    if (common === undefined) return task;
    if (this.#common.get(worker) === common) return { ...task, common: undefined };
    this.#common.set(worker, common);
    return task;
  }

  /** Settles a task by the answer of its worker. */
  protected answered(job: Job, answer: Answer<never>): void {
    if ('result' in answer) job.resolve(answer.result);
    else job.reject(failureOf(answer.error));
  }

  /** Called when a worker does not start in time: another replaces it, unless this happens again and again. */
  protected hung(problem: string, seconds: number): void {
    // "a worker thread has not started within 60 s"
    const late = `${problem} within ${seconds} s`;
    if (this.hangsAlways) this.#fail(`${late}, nor have ${this.hangs - 1} before it`);
    else this.#replaced?.(`${late}: another takes its place`);
  }

  /** Called when a worker ends. One that died fails all tasks. */
  protected threadEnded(_worker: Worker, job: Job | null, { cause, reason }: End): void {
    if (cause !== 'died') return;
    // Its task fails like those that wait.
    if (job !== null) this.#jobs.unshift(job);
    this.#fail(`a worker thread died while it worked on ${job?.task.name ?? 'nothing yet'}: ${reason}`);
  }

  /** Fails all tasks, also those that come later. */
  #fail(why: string): void {
    this.#failure ??= new TaskError(why);
    for (const job of [...this.tasks.values(), ...this.#jobs.splice(0)]) job?.reject(this.#failure);
  }
}

/** The error of a worker's answer. */
function failureOf({ name, message, code, stack }: Extract<Answer<never>, { error: unknown }>['error']): TaskError {
  const failure = new TaskError(message, name, code);
  if (stack) failure.stack = stack;
  return failure;
}

/**
 * Runs the garbage collector of this thread. After a stage much of its memory is unused, most of it outside the heap
 * (shared memory, buffers), which V8 rarely checks. Otherwise it would stay far into the next stage.
 */
export function collectGarbage(): void {
  setFlagsFromString('--expose-gc');
  runInNewContext('gc')();
}
