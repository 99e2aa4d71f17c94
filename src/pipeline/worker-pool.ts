import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import type { Worker } from 'node:worker_threads';
import type { End } from '../supervision/supervisor.ts';
import { type Answer, TaskThreads } from '../supervision/task-threads.ts';

/** A task as it travels to a worker thread: plain data. `name` is for messages: what is being worked on. */
export interface Task {
  kind: string;
  name: string;
  /** What many tasks have in common: a thread is sent it once, with the first of them. */
  common?: object | undefined;
}

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

/** How long the first worker may take to start, milliseconds. */
const START_MS = 60_000;

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
 * before it says that it is ready has done nothing yet: another takes its place.
 */
export class WorkerPool extends TaskThreads<Job, Answer<never>> implements Runner {
  readonly size: number;
  readonly #replaced: PoolOptions['replaced'];
  /** What its tasks have in common, as each worker was sent it last. */
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

  /** Why a worker has died; null while all is well. */
  get failure(): Error | null {
    return this.#failure;
  }

  /** Runs a task on the next free worker. Rejects with `TaskError`. */
  run<Result>(task: Task): Promise<Result> {
    return new Promise((resolve, reject) => {
      if (this.#failure) return reject(this.#failure);
      this.#jobs.push({ task, resolve, reject });
      this.dispatch();
    });
  }

  /** Ends the workers and frees their memory; tasks under way are abandoned. A new task starts new workers. */
  async stop(): Promise<void> {
    this.#jobs.length = 0;
    await this.endAll();
    for (const { otherwise } of V8_FLAGS) setFlagsFromString(otherwise);
  }

  protected override fork(): Worker {
    for (const { building } of V8_FLAGS) setFlagsFromString(building);
    return super.fork();
  }

  protected messageOf({ task }: Job, worker: Worker): Task {
    const { common } = task;
    if (common === undefined) return task;
    if (this.#common.get(worker) === common) return { ...task, common: undefined };
    this.#common.set(worker, common);
    return task;
  }

  protected answered(job: Job, answer: Answer<never>): void {
    if ('result' in answer) job.resolve(answer.result);
    else job.reject(failureOf(answer.error));
  }

  protected hung(problem: string, seconds: number): void {
    const late = `${problem} within ${seconds} s`;
    if (this.hangsAlways) this.#fail(`${late}, nor have ${this.hangs - 1} before it`);
    else this.#replaced?.(`${late}: another takes its place`);
  }

  protected threadEnded(_: Worker, job: Job | null, { cause, reason }: End): void {
    if (cause !== 'died') return;
    if (job !== null) this.#jobs.unshift(job);
    this.#fail(`a worker thread died while it worked on ${job?.task.name ?? 'nothing yet'}: ${reason}`);
  }

  #fail(why: string): void {
    this.#failure ??= new TaskError(why);
    for (const job of [...this.tasks.values(), ...this.#jobs.splice(0)]) job?.reject(this.#failure);
  }
}

function failureOf({ name, message, code, stack }: Extract<Answer<never>, { error: unknown }>['error']): TaskError {
  const failure = new TaskError(message, name, code);
  if (stack) failure.stack = stack;
  return failure;
}

/**
 * Runs the garbage collector of this thread. After a stage much of what it held is free, most of it outside the heap
 * (shared memory, buffers), where V8 hardly looks: left alone, it would stay until long into the next stage.
 */
export function collectGarbage(): void {
  setFlagsFromString('--expose-gc');
  runInNewContext('gc')();
}
