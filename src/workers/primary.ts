import cluster, { type Worker } from 'node:cluster';
import { createInterface } from 'node:readline';
import type { Logger } from 'pino';
import type { Computer } from '../compute/computer.ts';
import type { DailyUnits } from '../http/daily-units.ts';
import type { Slots } from '../http/slots.ts';
import { type End, Supervisor } from '../supervision/supervisor.ts';
import { Calls, inTime, type Notices } from './calls.ts';
import { answerComputing, answerLimits, answerSlots, type Limiters } from './shared.ts';

/** A worker that ends sooner than this after its start is started again more slowly each time, milliseconds. */
const SOON_MS = 5000;
const FIRST_PAUSE_MS = 250;
const LONGEST_PAUSE_MS = 30_000;
/** How often each worker is asked whether it is alive, milliseconds. */
const LOOK_MS = 3000;
/** How long a worker may say nothing before it serves, milliseconds. */
const START_MS = 60_000;
/** How long a worker may take to say what it has counted, milliseconds. */
const METRICS_MS = 1000;

/** What the primary does for its workers. */
interface PrimaryParts {
  workers: number;
  port: number;
  secrets: [string, ...string[]];
  limiters: Limiters;
  dailyUnits: DailyUnits;
  /** For downloads. */
  downloads: Slots;
  computer: Computer;
  log: Logger;
  /** Takes a line that a worker has written to its log. */
  write(line: string): void;
  /** Called when a worker has ended. */
  ended(number: number): void;
  /** How often each worker is asked whether it is alive, milliseconds. */
  lookMs?: number;
  /** How long the first may say nothing before it serves, milliseconds. */
  startMs?: number;
}

/** A worker that lives. */
interface Running {
  number: number;
  calls: Calls;
  startedAt: number;
  /** Before the next start, where it ends soon, milliseconds. */
  pauseMs: number;
  /** What it prints once it, or what takes its place, serves. */
  served: PromiseWithResolvers<string[]>;
  /** Gives up what is computed for it, and the slots that it has taken. */
  leaveAll(): void;
}

/** The problem of a worker that takes too long to start. */
const NOT_SERVING = 'a worker does not get to serve';

/**
 * Starts the processes that answer, shares limits and computing among them, passes signals on, and starts another where
 * one ends. It answers no request itself.
 */
export class Primary extends Supervisor<Worker> {
  readonly #parts: PrimaryParts;
  readonly #running = new Map<Worker, Running>();
  /** They end with the last line of each log. */
  readonly #logs: Promise<void>[] = [];
  /** They keep this process alive: until the first worker serves nothing else may. */
  readonly #restarts = new Set<NodeJS.Timeout>();
  #isStopping = false;

  constructor(parts: PrimaryParts) {
    super(parts.startMs ?? START_MS, NOT_SERVING);
    this.#parts = parts;
    // Workers take connections from one queue themselves. Handed on by this process, those on their way to a worker that
    // dies would hang: neither answered nor closed.
    cluster.schedulingPolicy = cluster.SCHED_NONE;
    cluster.setupPrimary({ stdio: ['ignore', 'ignore', 'pipe', 'ipc'], serialization: 'advanced' } as object);
    // However this process ends, nothing stays behind.
    process.on('exit', this.#killAll);
  }

  /** Workers that serve now. */
  get size(): number {
    return this.workers.filter((child) => this.isReady(child)).length;
  }

  /**
   * Starts all workers: the first, which says what is wrong where it cannot, then the others.
   * @returns what is printed once all serve.
   * @throws WorkerFailed when a worker ends before it serves
   */
  async start(): Promise<string[]> {
    const lines = await this.#serving(1);
    const others = Array.from({ length: this.#parts.workers - 1 }, (_, i) => this.#serving(i + 2));
    await Promise.all(others);
    return lines;
  }

  /** Notifies all workers. */
  notifyAll<Name extends keyof Notices>(name: Name, value: Notices[Name]): void {
    for (const { calls } of this.#running.values()) calls.notify(name, value);
  }

  /** What each worker says of itself; those that end meanwhile, or do not answer, are left out. */
  async metrics(): Promise<Map<number, readonly object[]>> {
    const found = new Map<number, readonly object[]>();
    const asked = [...this.#running].map(async ([child, { number, calls }]) => {
      if (!this.isReady(child)) return;
      const said = await inTime(calls.ask('metrics', null), METRICS_MS).catch(() => null);
      if (said !== null) found.set(number, said);
    });
    await Promise.all(asked);
    return found;
  }

  /** Has all workers answer what is in flight and end, and waits for them and for the last line of each. */
  async stop(): Promise<void> {
    this.#isStopping = true;
    for (const timer of this.#restarts) clearTimeout(timer);
    await this.endAll((child) => {
      this.#running.get(child)?.calls.notify('stop', null);
      // What does not serve yet has nothing in flight, and may hang.
      if (!this.isReady(child)) child.process.kill('SIGTERM');
    });
    await Promise.all(this.#logs);
    process.off('exit', this.#killAll);
  }

  /** Starts a worker; resolves when it, or what takes its place, serves. */
  #serving(number: number): Promise<string[]> {
    const served = Promise.withResolvers<string[]>();
    this.#start(number, FIRST_PAUSE_MS, served);
    return served.promise;
  }

  #start(number: number, pauseMs: number, served: Running['served']): void {
    const { port, secrets, computer, limiters, dailyUnits, downloads, lookMs = LOOK_MS } = this.#parts;
    const child = this.startWorker();
    const calls = new Calls(child);
    const [computing, slots] = [answerComputing(calls, computer), answerSlots(calls, downloads)];
    const leaveAll = (): void => {
      computing.leaveAll();
      slots.leaveAll();
    };
    this.#running.set(child, { number, calls, startedAt: performance.now(), pauseMs, served, leaveAll });
    answerLimits(calls, limiters, dailyUnits);
    calls.answer('setup', () => ({ number, port, secrets }));
    calls.onNotice('damaged', (damage) => this.#passOn(number, damage));
    this.#logs.push(this.#readLog(child, number));
    calls.onNotice('starting', () => this.said(child, 'starting'));
    calls.onNotice('ready', ({ lines }) => {
      this.said(child, 'ready');
      let answers = 0;
      const ask = (): number => {
        calls.ask('alive', null).then(
          () => answers++,
          () => {},
        );
        return answers;
      };
      this.watch(child, 'a worker does not answer', ask, lookMs);
      served.resolve(lines);
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
    const about = { hangs: this.#running.get(child)?.number, seconds };
    if (problem === NOT_SERVING) log.error(about, 'a worker does not get to serve and is ended');
    else log.error(about, 'a worker does not answer and is ended');
  }

  /** Starts another. Where the first one fails, all would. */
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
    this.#parts.log.error({ ended: number, code, signal }, 'a worker has ended: another takes its place');
    const afterMs = performance.now() - startedAt < SOON_MS ? pauseMs : 0;
    const nextPauseMs = Math.min(LONGEST_PAUSE_MS, Math.max(2 * FIRST_PAUSE_MS, 2 * afterMs));
    const timer = setTimeout(() => {
      this.#restarts.delete(timer);
      this.#start(number, nextPauseMs, served);
    }, afterMs);
    this.#restarts.add(timer);
  }

  #passOn(from: number, damage: Notices['damaged']): void {
    for (const { number, calls } of this.#running.values()) if (number !== from) calls.notify('damaged', damage);
  }

  /** Passes the log of a worker on, each line with the worker's number; resolves after the last. */
  #readLog({ process: { stderr } }: Worker, number: number): Promise<void> {
    if (stderr === null) return Promise.resolve();
    const lines = createInterface({ input: stderr, crlfDelay: Number.POSITIVE_INFINITY });
    lines.on('line', (line) => {
      this.#parts.write(line.startsWith('{"') ? `{"worker":${number},${line.slice(1)}\n` : `${line}\n`);
    });
    return new Promise((resolve) => lines.once('close', resolve));
  }

  readonly #killAll = (): void => {
    for (const child of this.workers) this.kill(child);
  };
}

/** A worker has ended before it served; its own message says why. */
export class WorkerFailed extends Error {
  readonly code: number | null;

  constructor(number: number, code: number | null) {
    super(`worker ${number} could not start`);
    this.code = code;
  }
}
