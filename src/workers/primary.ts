import cluster, { type Worker } from 'node:cluster';
import { createInterface } from 'node:readline';
import type { Logger } from 'pino';
import type { Computer } from '../compute/computer.ts';
import type { DailyUnits } from '../http/daily-units.ts';
import { Calls, inTime, type Notices } from './calls.ts';
import { answerComputing, answerLimits, type Limiters } from './shared.ts';

/** A worker that ends sooner than this after its start is started again more slowly each time, milliseconds. */
const SOON_MS = 5000;
const FIRST_PAUSE_MS = 250;
const LONGEST_PAUSE_MS = 30_000;
/** How often each worker is asked whether it is alive, milliseconds, and how many such questions it may leave unanswered. */
const LOOK_MS = 5000;
const MOST_UNANSWERED = 6;
/** How long a worker may say nothing before it serves, milliseconds; what takes the place of one has twice as long, since the machine may just be busy. */
const START_MS = 60_000;
const LONGEST_START_MS = 600_000;
/** How long a worker may take to say what it has counted, milliseconds. */
const METRICS_MS = 1000;

/** What the primary does for its workers. */
interface PrimaryParts {
  workers: number;
  port: number;
  secrets: [string, ...string[]];
  limiters: Limiters;
  dailyUnits: DailyUnits;
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

interface Running {
  process: Worker;
  calls: Calls;
  serves: boolean;
  /** Whether it did not get to serve and was ended for it. */
  hangs: boolean;
}

/**
 * Starts the processes that answer, shares limits and computing among them, passes signals on, and starts another where
 * one ends. It answers no request itself.
 */
export class Primary {
  /** Workers that ended without being asked to. */
  deaths = 0;
  readonly #parts: PrimaryParts;
  readonly #running = new Map<number, Running>();
  readonly #ends: Promise<void>[] = [];
  /** They keep this process alive: until the first worker serves nothing else may. */
  readonly #restarts = new Set<NodeJS.Timeout>();
  #isStopping = false;

  constructor(parts: PrimaryParts) {
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
    return [...this.#running.values()].filter(({ serves }) => serves).length;
  }

  /**
   * Starts all workers: the first, which says what is wrong where it cannot, then the others.
   * @returns what is printed once all serve.
   * @throws WorkerFailed when a worker ends before it serves
   */
  async start(): Promise<string[]> {
    const lines = await this.#start(1);
    const others = Array.from({ length: this.#parts.workers - 1 }, (_, i) => this.#start(i + 2));
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
    const asked = [...this.#running]
      .filter(([, { serves }]) => serves)
      .map(async ([number, { calls }]) => {
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
    this.notifyAll('stop', null);
    // What does not serve yet has nothing in flight, and may hang.
    for (const { serves, process: child } of this.#running.values()) if (!serves) child.process.kill('SIGTERM');
    await Promise.all(this.#ends);
    process.off('exit', this.#killAll);
  }

  /** Starts a worker; resolves when it serves. */
  #start(number: number, pauseMs = FIRST_PAUSE_MS, startMs = this.#parts.startMs ?? START_MS): Promise<string[]> {
    const { port, secrets, log, computer, limiters, dailyUnits } = this.#parts;
    const startedAt = performance.now();
    const child = cluster.fork();
    // A message to one that has just ended fails; `exit` reports the end.
    child.on('error', () => {});
    const calls = new Calls(child);
    const computing = answerComputing(calls, computer);
    const running: Running = { process: child, calls, serves: false, hangs: false };
    this.#running.set(number, running);
    answerLimits(calls, limiters, dailyUnits);
    calls.answer('setup', () => ({ number, port, secrets }));
    calls.onNotice('damaged', (damage) => this.#passOn(number, damage));
    const written = this.#readLog(child, number);
    this.#watchStart(number, running, startMs);
    return new Promise((resolve, reject) => {
      calls.onNotice('ready', ({ lines }) => {
        running.serves = true;
        this.#watch(number, running);
        resolve(lines);
        if (this.#isStopping) calls.notify('stop', null);
      });
      const end = new Promise<void>((ended) => {
        child.once('exit', (code, signal) => {
          computing.leaveAll();
          this.#running.delete(number);
          this.#parts.ended(number);
          void written.then(ended);
          const { serves, hangs } = running;
          if (this.#isStopping || (!serves && !hangs && pauseMs === FIRST_PAUSE_MS && this.deaths === 0)) {
            reject(new WorkerFailed(number, code));
            return;
          }
          this.deaths++;
          log.error({ ended: number, code, signal }, 'a worker has ended: another takes its place');
          const wasSoon = performance.now() - startedAt < SOON_MS;
          this.#startLater(
            number,
            wasSoon ? pauseMs : 0,
            hangs ? Math.min(2 * startMs, LONGEST_START_MS) : startMs,
          ).then(resolve, reject);
        });
      });
      this.#ends.push(end);
    });
  }

  /** Resolves when the worker that takes the place serves. */
  #startLater(number: number, pauseMs: number, startMs: number): Promise<string[]> {
    const next = Math.min(LONGEST_PAUSE_MS, Math.max(FIRST_PAUSE_MS * 2, pauseMs * 2));
    return new Promise((resolve, reject) => {
      const timer = setTimeout(() => {
        this.#restarts.delete(timer);
        this.#start(number, next, startMs).then(resolve, reject);
      }, pauseMs);
      this.#restarts.add(timer);
    });
  }

  /** Ends a worker that neither serves nor says that it is starting. */
  #watchStart(number: number, running: Running, startMs: number): void {
    const { log } = this.#parts;
    const { process: child, calls } = running;
    const end = (): void => {
      if (running.serves) return;
      running.hangs = true;
      log.error({ hangs: number, seconds: startMs / 1000 }, 'a worker does not get to serve and is ended');
      child.process.kill('SIGKILL');
    };
    const timer = setTimeout(end, startMs).unref();
    calls.onNotice('starting', () => timer.refresh());
    child.once('exit', () => clearTimeout(timer));
  }

  /**
   * Ends a worker that hangs, so that another takes its place. Questions are counted, not seconds: this process may have been
   * stopped meanwhile, with its workers.
   */
  #watch(number: number, { process: child, calls }: Running): void {
    let unanswered = 0;
    const timer = setInterval(() => {
      if (unanswered++ < MOST_UNANSWERED) {
        calls.ask('alive', null).then(
          () => (unanswered = 0),
          () => {},
        );
        return;
      }
      clearInterval(timer);
      this.#parts.log.error({ hangs: number }, 'a worker does not answer and is ended');
      child.process.kill('SIGKILL');
    }, this.#parts.lookMs ?? LOOK_MS).unref();
    child.once('exit', () => clearInterval(timer));
  }

  #passOn(from: number, damage: Notices['damaged']): void {
    for (const [number, { calls }] of this.#running) if (number !== from) calls.notify('damaged', damage);
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
    for (const { process: child } of this.#running.values()) child.process.kill('SIGKILL');
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
