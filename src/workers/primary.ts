import cluster, { type Worker } from 'node:cluster';
import { createInterface } from 'node:readline';
import type { Logger } from 'pino';
import { type End, Supervisor } from '../supervision/supervisor.ts';
import { Calls, inTime, type Notices, type Ready, type WorkerSetup } from './calls.ts';
import { answerWorker, type Shared } from './shared.ts';

/** A worker that ends sooner than this after its start is started again after a pause, milliseconds. */
const SOON_MS = 5000;
/** The first pause, and the longest; it doubles each time. Milliseconds. */
const FIRST_PAUSE_MS = 250;
const LONGEST_PAUSE_MS = 30_000;
/** How often each worker is asked whether it is alive, milliseconds. */
const LOOK_MS = 3000;
/** How long a worker may take to serve, milliseconds; a notice that it is still starting begins this time anew. */
const START_MS = 60_000;
/** How long a worker may take to give its metrics, milliseconds. */
const METRICS_MS = 1000;

/** What the primary does for its workers. */
interface PrimaryParts extends Shared, Pick<WorkerSetup, 'port' | 'secrets'> {
  /** Number of workers. */
  workers: number;
  log: Logger;
  /** Writes a line of a worker's log. */
  write(line: string): void;
  /** Called when a worker has ended. */
  ended(number: number): void;
  /** How often each worker is asked whether it is alive, milliseconds. */
  lookMs?: number;
  /** How long a worker may take to serve, milliseconds. */
  startMs?: number;
}

/** A running worker. */
interface Running {
  number: number;
  calls: Calls;
  /** By `performance.now()`. */
  startedAt: number;
  /** Pause before the next start if the worker ends soon, milliseconds. */
  pauseMs: number;
  /** Resolves once this worker or its replacement serves. */
  served: PromiseWithResolvers<Ready>;
  /** Gives up its computations and its download slots. */
  leaveAll(): void;
}

/** The problem of a worker that takes too long to start. */
const NOT_SERVING = 'a worker does not start in time';

/**
 * Starts the worker processes, shares limits and computing among them, forwards signals, and replaces a worker that
 * ends. It answers no request itself.
 */
export class Primary extends Supervisor<Worker> {
  readonly #parts: PrimaryParts;
  readonly #running = new Map<Worker, Running>();
  /** Each resolves after the last line of a worker's log. */
  readonly #logs: Promise<void>[] = [];
  /** Timers of restarts. Until the first worker serves, only they keep this process running. */
  readonly #restarts = new Set<NodeJS.Timeout>();
  #isStopping = false;

  constructor(parts: PrimaryParts) {
    super(parts.startMs ?? START_MS, NOT_SERVING);
    this.#parts = parts;
    // Workers accept connections themselves. If this process handed them on, those handed to a worker that dies would
    // hang.
    cluster.schedulingPolicy = cluster.SCHED_NONE;
    cluster.setupPrimary({ stdio: ['ignore', 'ignore', 'pipe', 'ipc'], serialization: 'advanced' } as object);
    // No worker outlives this process, however it ends.
    process.on('exit', this.#killAll);
  }

  /** Workers that serve now. */
  get size(): number {
    return this.workers.filter((child) => this.isReady(child)).length;
  }

  /**
   * Starts one worker, which reports what is wrong if it cannot serve, then the others.
   * @returns what they serve, once all serve
   * @throws WorkerFailed when a worker ends before it serves
   */
  async start(): Promise<Ready> {
    const ready = await this.#startUntilServed(1);
    const others = Array.from({ length: this.#parts.workers - 1 }, (_, i) => this.#startUntilServed(i + 2));
    await Promise.all(others);
    return ready;
  }

  /** Notifies all workers. */
  notifyAll<Name extends keyof Notices>(name: Name, value: Notices[Name]): void {
    for (const { calls } of this.#running.values()) calls.notify(name, value);
  }

  /** The metrics of each worker, by its number; those that end or do not answer are left out. */
  async metrics(): Promise<Map<number, readonly object[]>> {
    const metricsByWorker = new Map<number, readonly object[]>();
    const requests = [...this.#running].map(async ([child, { number, calls }]) => {
      if (!this.isReady(child)) return;
      const metrics = await inTime(calls.ask('metrics', null), METRICS_MS).catch(() => null);
      if (metrics !== null) metricsByWorker.set(number, metrics);
    });
    await Promise.all(requests);
    return metricsByWorker;
  }

  /** Stops all workers after their requests in flight, and waits for the last line of each log. */
  async stop(): Promise<void> {
    this.#isStopping = true;
    for (const timer of this.#restarts) clearTimeout(timer);
    await this.endAll((child) => {
      this.#running.get(child)?.calls.notify('stop', null);
      // A worker that does not serve yet has no requests in flight, and may hang.
      if (!this.isReady(child)) child.process.kill('SIGTERM');
    });
    await Promise.all(this.#logs);
    process.off('exit', this.#killAll);
  }

  /** Starts a worker; resolves when it or its replacement serves. */
  #startUntilServed(number: number): Promise<Ready> {
    const served = Promise.withResolvers<Ready>();
    this.#start(number, FIRST_PAUSE_MS, served);
    return served.promise;
  }

  /**
   * Starts the worker with a number, watches it and answers it.
   * @param pauseMs before the next start if the worker ends soon
   * @param served is resolved when the worker serves; its replacement has the same
   */
  #start(number: number, pauseMs: number, served: Running['served']): void {
    const { port, secrets, lookMs = LOOK_MS } = this.#parts;
    const child = this.startWorker();
    const calls = new Calls(child);
    // Called when the worker has ended: gives up what it has taken.
    const leaveAll = answerWorker(calls, this.#parts);
    this.#running.set(child, { number, calls, startedAt: performance.now(), pauseMs, served, leaveAll });
    calls.answer('setup', () => ({ number, port, secrets }));
    calls.onNotice('damaged', (damage) => this.#forward(number, damage));
    this.#logs.push(this.#readLog(child, number));
    calls.onNotice('starting', () => this.reported(child, 'starting'));
    calls.onNotice('ready', (ready) => {
      // Up to here `startWorker` watches it. From now on it is alive while this number of its answers grows.
      this.reported(child, 'ready');
      let answers = 0;
      const askAgain = (): number => {
        calls.ask('alive', null).then(
          () => answers++,
          () => {},
        );
        return answers;
      };
      this.watch(child, 'a worker does not answer', askAgain, lookMs);
      served.resolve(ready);
      if (this.#isStopping) calls.notify('stop', null);
    });
  }

  protected fork(): Worker {
    return cluster.fork();
  }

  protected kill(child: Worker): void {
    child.process.kill('SIGKILL');
  }

  protected hung(problem: string, seconds: number, child: Worker): void {
    const { log } = this.#parts;
    const about = { worker: this.#running.get(child)?.number, seconds };
    if (problem === NOT_SERVING) log.error(about, 'a worker does not start in time and is ended');
    else log.error(about, 'a worker does not answer and is ended');
  }

  /**
   * Starts a replacement for a worker that has ended: at once, if it has run for `SOON_MS`; otherwise after a pause, which
   * doubles with each end up to `LONGEST_PAUSE_MS`. When the very first worker fails, all would: it rejects `served`, the
   * promise of the first start, and gives up.
   */
  protected ended(child: Worker, { code, signal, cause, wasReady }: End): void {
    const running = this.#running.get(child);
    if (running === undefined) return;
    const { number, startedAt, pauseMs, served, leaveAll } = running;
    leaveAll();
    this.#running.delete(child);
    this.#parts.ended(number);
    if (this.#isStopping || (cause === 'died' && !wasReady && this.deaths === 1)) {
      served.reject(new WorkerFailed(number, code));
      return;
    }
    this.#parts.log.error({ worker: number, code, signal }, 'a worker has ended: another takes its place');
    const afterMs = performance.now() - startedAt < SOON_MS ? pauseMs : 0;
    // The pause if the replacement ends soon, too.
    const nextPauseMs = Math.min(LONGEST_PAUSE_MS, Math.max(2 * FIRST_PAUSE_MS, 2 * afterMs));
    const timer = setTimeout(() => {
      this.#restarts.delete(timer);
      this.#start(number, nextPauseMs, served);
    }, afterMs);
    this.#restarts.add(timer);
  }

  /** Tells the other workers of damage that one has found. */
  #forward(from: number, damage: Notices['damaged']): void {
    for (const { number, calls } of this.#running.values()) if (number !== from) calls.notify('damaged', damage);
  }

  /** Writes the log of a worker, each line with its number; resolves after the last line. */
  #readLog({ process: { stderr } }: Worker, number: number): Promise<void> {
    if (stderr === null) return Promise.resolve();
    const lines = createInterface({ input: stderr, crlfDelay: Number.POSITIVE_INFINITY });
    lines.on('line', (line) => {
      // Other lines than those of the log are no JSON objects.
      this.#parts.write(line.startsWith('{"') ? `{"worker":${number},${line.slice(1)}\n` : `${line}\n`);
    });
    return new Promise((resolve) => lines.once('close', resolve));
  }

  readonly #killAll = (): void => {
    for (const child of this.workers) this.kill(child);
  };
}

/** A worker has ended before it served; its own log says why. */
export class WorkerFailed extends Error {
  readonly code: number | null;

  constructor(number: number, code: number | null) {
    super(`worker ${number} could not start`);
    this.code = code;
  }
}
