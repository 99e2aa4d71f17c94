import { hash, randomUUID } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import { type Job, Queue, UnrecoverableError, WaitingChildrenError, Worker } from 'bullmq';
import { Redis } from 'ioredis';
import { programVersion } from '../pipeline/program.ts';
import type { MakeDoSteps } from './build-by-store.ts';
import type { StepStore } from './step-store.ts';
import { isDone, mapTransfers, OtherProgramError, otherProgram, type StepWorker } from './step-worker.ts';
import type { StepName } from './steps.ts';

/**
 * Steps as jobs of BullMQ. Redis has only names: a job for each build, which waits for the jobs of its missing steps.
 * The store knows which steps are done, so Redis may lose everything at any time.
 */

/** Takes messages about the progress of the work. */
type Note = (line: string) => void;

/** The queue that a coordinator and its workers use. */
export interface QueueOptions {
  redis: Redis;
  store: StepStore;
  /** How long a process may be silent before its job goes to another process, milliseconds. */
  lockMs: number;
  /** The pause before a failed step is tried again; it doubles each time, milliseconds. */
  retryMs?: number;
  /** How long a coordinator waits while no machine takes steps, milliseconds; null: without limit. */
  waitForWorkersMs?: number | null;
  /** Interval of the messages about what a coordinator waits for, milliseconds. */
  tellMs?: number;
  note: Note;
}

/** Number of attempts of a step that fails. */
const ATTEMPTS = 5;
/** The pause before the second attempt, milliseconds. */
const RETRY_MS = 1000;
/** How often a step may be lost with its worker. After that the step counts as the cause. */
const MOST_STALLS = 10;
/** Interval of the checks whether steps are done or a process is to stop, milliseconds. */
const POLL_MS = 500;
/** Interval of the checks whether the job of a build exists, milliseconds. */
const WATCH_MS = 2000;
/** Interval of the messages of a coordinator, milliseconds. */
const TELL_MS = 60_000;
/** The hash in Redis with the programs of running builds: by coordinator, what `ProgramEntry` says as JSON. */
const PROGRAMS = 'hidamari:programs';
/** The program of a running build: its identity, its version, and how long the entry is valid (ms since 1970). */
interface ProgramEntry {
  program: string;
  version: string;
  until: number;
}

/** How long an entry of `PROGRAMS` is valid, milliseconds. */
const VALID_MS = 30_000;
/** How often a worker looks whether a build still needs its program: several times while an entry is valid. */
const PROGRAM_CHECK_MS = VALID_MS / 3;

/** The name of the queue with the steps of a program. */
const stepQueueName = (program: string): string => `hidamari-steps-${program.slice(0, 16)}`;

/**
 * A connection to Redis that tries again without limit.
 * @param url `redis://[[user]:password@]host:port/database`, `rediss://` with TLS
 */
export function queueRedis(url: string, note: Note): Redis {
  const redis = new Redis(url, { maxRetriesPerRequest: null, enableReadyCheck: true });
  let lastLine = '';
  const noteOnce = (line: string): void => {
    if (line !== lastLine) note(line);
    lastLine = line;
  };
  redis.on('error', (error) => noteOnce(`the queue is not there: ${error.message}`));
  redis.on('ready', () => {
    if (lastLine !== '') noteOnce('the queue is there again');
  });
  return redis;
}

/** The coordinator of one build. */
export class QueueBuild {
  readonly #options: QueueOptions;
  readonly #program: string;
  /** Names this coordinator in `PROGRAMS`. */
  readonly #coordinator = randomUUID();
  /** ID of the build's job. It begins with letters because BullMQ refuses an ID of digits only. */
  readonly #jobId: string;
  readonly #builds: Queue;
  readonly #steps: Queue;
  readonly #worker: Worker;
  /** The steps that the build waits for. */
  #wanted: readonly StepName[] = [];
  /** Number of these steps that are not done. */
  #missing = 0;
  /** Number of machines that took steps at the last look. */
  #workers = 0;
  /** When this coordinator last wrote a message, and when it last saw a machine that takes steps. */
  #notedAt = performance.now();
  #sawWorkersAt = performance.now();
  /** Why the build cannot be completed. */
  #failure: Error | null = null;
  #isOver = false;
  /** True after the first look at the queue. */
  #hasLooked = false;
  readonly #watching: Promise<void>;

  constructor(options: QueueOptions, program: string, run: string) {
    this.#options = options;
    this.#program = program;
    this.#jobId = `build-${run}`;
    const connection = options.redis;
    this.#builds = quiet(new Queue(`hidamari-build-${run}`, { connection }));
    this.#steps = quiet(new Queue(stepQueueName(program), { connection }));
    const { lockMs: lockDuration } = options;
    const locks = { lockDuration, stalledInterval: lockDuration, maxStalledCount: Number.MAX_SAFE_INTEGER };
    this.#worker = quiet(
      new Worker(this.#builds.name, (job, token) => this.#addUntilDone(job, token), { connection, ...locks }),
    );
    this.#watching = this.#watch();
  }

  /**
   * Waits until steps are done, by any worker and for any build.
   * @throws Error when a step has failed, or no machine takes steps for too long
   */
  async doSteps(steps: readonly StepName[], done: (step: StepName) => void): Promise<void> {
    this.#wanted = steps;
    this.#missing = steps.length;
    try {
      await mapTransfers(steps, async (step) => {
        while (!(await isDone(this.#options.store, step))) {
          await delay(POLL_MS);
          if (this.#failure !== null) throw this.#failure;
        }
        this.#missing--;
        done(step);
      });
    } finally {
      this.#wanted = [];
    }
  }

  /** Ends the job of the build. Without Redis it does not wait for it. */
  async close(): Promise<void> {
    const { redis } = this.#options;
    this.#isOver = true;
    await this.#watching;
    const isThere = redis.status === 'ready';
    await this.#worker.close(!isThere);
    if (isThere) await redis.hdel(PROGRAMS, this.#coordinator);
    await Promise.all([this.#builds.close(), this.#steps.close()]);
  }

  /**
   * The work of the build's job: adds the missing steps to the queue and pauses. BullMQ starts the job again when they
   * are done, in any coordinator. Between two stages of the build nothing is missing; then the job waits for `doSteps`
   * to set other steps. It ends with this coordinator.
   */
  async #addUntilDone(job: Job, token: string | undefined): Promise<void> {
    // The job may run here before `#keepJob` does. When it fails, it is removed, and `#keepJob` adds it anew.
    if (await this.#hasOldFailures(job)) throw new UnrecoverableError('it has failures of an earlier run');
    /** The last wanted steps of which all were done. */
    let doneSteps: readonly StepName[] = [];
    for (; !this.#isOver; await delay(POLL_MS)) {
      const wanted = this.#wanted;
      if (wanted === doneSteps) continue;
      const areDone = await mapTransfers(wanted, (step) => isDone(this.#options.store, step));
      const missing = wanted.filter((_, i) => !areDone[i]);
      if (missing.length === 0) doneSteps = wanted;
      else {
        this.#failure ??= await this.#failureOf(job, missing);
        if (this.#failure === null) await this.#addMissing(job, missing);
        // Pauses while steps are in the queue, also after a failure, which `doSteps` throws. If all have left it,
        // checks again what is missing.
        if (await job.moveToWaitingChildren(token ?? '')) throw new WaitingChildrenError();
      }
    }
  }

  /** Adds steps to the queue, as children of the build's job. */
  async #addMissing(job: Job, missing: readonly StepName[]): Promise<void> {
    const workers = (await this.#steps.getWorkers()).length;
    const machines = workers === 1 ? '1 machine' : `${workers} machines`;
    const who = workers === 0 ? 'no machine, start hidamari work --queue' : machines;
    this.#options.note(`steps to ${missing[0].step}: ${missing.length} handed out; taken by ${who}`);
    await this.#steps.addBulk(
      missing.map((data) => ({
        name: data.step,
        data,
        opts: {
          jobId: this.#stepId(data),
          parent: { id: job.id ?? this.#jobId, queue: job.queueQualifiedName },
          attempts: ATTEMPTS,
          backoff: { type: 'exponential', delay: this.#options.retryMs ?? RETRY_MS },
          removeOnComplete: true,
          removeOnFail: true,
          // A failed step does not end the job of the build, which finds it among the ignored failures.
          ignoreDependencyOnFailure: true,
        },
      })),
    );
  }

  /** The ID of the job of a step in this build. */
  #stepId({ step, key }: StepName): string {
    return `${this.#jobId}-${step}-${key}`;
  }

  /** Why a step will not be done; null when it may still be done. */
  async #failureOf(job: Job, missing: readonly StepName[]): Promise<Error | null> {
    // Steps are children of the build's job. Their failures do not end it (they are "ignored"); a key ends in a job ID.
    const failures = Object.entries(await job.getIgnoredChildrenFailures());
    for (const step of missing) {
      const [, reason] = failures.find(([key]) => key.endsWith(this.#stepId(step))) ?? [];
      if (reason !== undefined) return new Error(`a step to ${step.step} has failed: ${reason}`);
    }
    return null;
  }

  /** Looks at the queue again and again, and tells what the build waits for. */
  async #watch(): Promise<void> {
    let look: Promise<void> | null = null;
    for (; !this.#isOver; await delay(WATCH_MS)) {
      look ??= this.#keepJob().finally(() => (look = null));
      // Without Redis a look ends when Redis is there again.
      await Promise.race([look, delay(WATCH_MS)]);
      this.#tell();
    }
  }

  /**
   * Adds the job of the build whenever Redis has lost it, and keeps the entry of the program valid. A job that waits
   * for a lost step or has failures of an earlier run is removed, to be added afresh. Never rejects.
   */
  async #keepJob(): Promise<void> {
    const { redis, note } = this.#options;
    try {
      const entry: ProgramEntry = { program: this.#program, version: programVersion(), until: Date.now() + VALID_MS };
      await redis.hset(PROGRAMS, this.#coordinator, JSON.stringify(entry));
      // A coordinator that was killed leaves its entry.
      await redis.pexpire(PROGRAMS, 2 * VALID_MS);
      const job = await this.#builds.getJob(this.#jobId);
      if (job !== undefined && ((await this.#hasLostSteps(job)) || (await this.#hasOldFailures(job))))
        await job.remove({ removeChildren: false });
      this.#hasLooked = true;
      const opts = { jobId: this.#jobId, removeOnComplete: true, removeOnFail: true };
      // BullMQ does not add a job whose ID is in the queue.
      if (this.#wanted.length > 0) await this.#builds.add('build', {}, opts);
      this.#workers = (await this.#steps.getWorkers()).length;
      if (this.#workers > 0) this.#sawWorkersAt = performance.now();
    } catch (error) {
      if (!this.#isOver) note(`the queue: ${(error as Error).message}`);
    }
  }

  /** True until the first look when the job has failures: those of an earlier run, after which a cause may be gone. */
  async #hasOldFailures(job: Job): Promise<boolean> {
    return !this.#hasLooked && Object.keys(await job.getIgnoredChildrenFailures()).length > 0;
  }

  /** Writes from time to time what the build waits for. Sets `#failure` when no machine takes steps for too long. */
  #tell(): void {
    const { note, tellMs = TELL_MS, waitForWorkersMs = null } = this.#options;
    const now = performance.now();
    const [first] = this.#wanted;
    if (first === undefined) {
      this.#sawWorkersAt = now;
      return;
    }
    const workers = this.#workers;
    const idleMs = now - this.#sawWorkersAt;
    const idleSeconds = Math.round(idleMs / 1000);
    if (now - this.#notedAt >= tellMs) {
      this.#notedAt = now;
      const who = workers > 0 ? `${workers} machines take steps` : `no machine has taken steps for ${idleSeconds} s`;
      note(`waiting for ${this.#missing} of ${this.#wanted.length} steps to ${first.step}; ${who}`);
    }
    if (waitForWorkersMs !== null && idleMs > waitForWorkersMs)
      this.#failure ??= new Error(
        `no machine has taken steps for ${idleSeconds} s (--wait-for-workers): start hidamari work --queue, then repeat this build with --resume`,
      );
  }

  /**
   * True when a job waits for a step that Redis has lost. It looks at the first page of the steps only, because a job can
   * have thousands.
   */
  async #hasLostSteps(job: Job): Promise<boolean> {
    if (!(await job.isWaitingChildren())) return false;
    const { unprocessed = [] } = await job.getDependencies({ unprocessed: { count: 1, cursor: 0 } });
    // A key ends in the ID of its step.
    const ids = unprocessed.map((key) => key.split(':').at(-1) ?? '');
    const jobs = await Promise.all(ids.map((id) => this.#steps.getJob(id)));
    return jobs.some((step) => step === undefined);
  }
}

/**
 * Gives a build the function that has its missing steps done by the workers of a queue.
 * @param run name of the build; null: one that follows from its program and inputs
 * @param onOpen called with the coordinator, which the caller closes
 */
export function byQueue(options: QueueOptions, run: string | null, onOpen: (build: QueueBuild) => void): MakeDoSteps {
  return (program, _folder, inputs) => {
    const build = new QueueBuild(options, program, run ?? hash('sha256', program + inputs).slice(0, 16));
    onOpen(build);
    return (steps, done) => build.doSteps(steps, done);
  };
}

/**
 * Takes steps from the queue until `stop` resolves; running steps are finished.
 * @throws OtherProgramError when all running builds are of other versions
 * @throws Error when a thread has died
 */
export async function takeSteps(
  options: QueueOptions,
  worker: StepWorker,
  program: string,
  stop: Promise<unknown>,
): Promise<void> {
  const { redis } = options;
  // While Redis is not there, a request to it waits. `stop` ends the waiting.
  const faultUntilStop = () => Promise.race([programFault(redis, program), stop.then(() => null)]);
  const fault = await faultUntilStop();
  if (fault !== null) throw fault;
  const { threads } = worker;
  const consumer = consumerOf(options, worker, program);
  let isOver = false;
  void stop.then(() => (isOver = true));
  let reason: Error | null = null;
  for (let lastCheck = Date.now(); !isOver && reason === null; await delay(POLL_MS)) {
    reason = threads.failure;
    if (Date.now() - lastCheck < PROGRAM_CHECK_MS) continue;
    lastCheck = Date.now();
    // An error of Redis is no fault of the program: it is asked again later.
    reason ??= await faultUntilStop().catch(() => null);
  }
  // Without Redis the end of a step cannot be reported, so the worker does not wait for its steps.
  await consumer.close(reason !== null || redis.status !== 'ready');
  if (reason !== null) throw reason;
}

/** The consumer of the queue: does each step of it with the worker. */
function consumerOf({ redis, lockMs, note }: QueueOptions, worker: StepWorker, program: string): Worker<StepName> {
  const doStep = async ({ data }: Job<StepName>): Promise<void> => {
    await worker.do(data).catch((error: Error) => {
      note(`${data.step}: ${error.message}`);
      throw error instanceof OtherProgramError ? new UnrecoverableError(error.message) : error;
    });
  };
  const consumer = new Worker(stepQueueName(program), doStep, {
    connection: redis,
    // One step more than there are threads: its inputs are fetched while the others compute.
    concurrency: worker.threads.size + 1,
    lockDuration: lockMs,
    stalledInterval: lockMs,
    maxStalledCount: MOST_STALLS,
  });
  return quiet(consumer);
}

/** The error when builds run, but none with this program: a worker of it would be of no use to them. Else null. */
async function programFault(redis: Redis, program: string): Promise<OtherProgramError | null> {
  const entries = Object.values(await redis.hgetall(PROGRAMS)).map((text): ProgramEntry => JSON.parse(text));
  const current = entries.filter(({ until }) => until > Date.now());
  if (current.length === 0 || current.some((other) => other.program === program)) return null;
  return otherProgram(current[0].program, program);
}

/** A queue or worker whose errors of connection are not reported: those of `queueRedis` are. */
function quiet<T extends { on(event: 'error', listener: () => void): unknown }>(connected: T): T {
  connected.on('error', () => {});
  return connected;
}
