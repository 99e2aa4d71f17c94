import type { EventEmitter } from 'node:events';

/** How a worker ended. */
export interface End {
  reason: string;
  code: number | null;
  signal: NodeJS.Signals | null;
  /** `died`: by itself; `hung`: killed because it hung; `ended`: killed for another reason, which is no death. */
  cause: 'died' | 'hung' | 'ended';
  /** True when it was ready before. */
  wasReady: boolean;
}

/** The state of a worker that has not ended. `cause` stays `died` until `end` kills the worker and sets another. */
interface State extends Pick<End, 'cause'> {
  isReady: boolean;
  /** Number of reports that it is still starting. */
  delays: number;
  /** Why it ends, if that is known. */
  reason: string | null;
  exited: PromiseWithResolvers<void>;
}

/**
 * A worker hangs when this number of checks in succession find the same state. Checks are counted instead of time,
 * because this process may be stopped together with its workers.
 */
const MOST_EQUAL_CHECKS = 10;
/** Limit of the doublings of the start time. */
const MOST_DOUBLINGS = 4;
/** After this number of hangs in succession, another worker would hang too. */
const MOST_HANGS = 3;
/** A killed worker counts as ended after this time, even without a report of the system. Milliseconds. */
const KILL_MS = 5000;

/** Whether `end` has killed a worker that has not ended yet. */
const isBeingKilled = (state: State): boolean => state.cause !== 'died';

/**
 * Starts workers (threads or processes), watches them, kills those that hang, and reports each end once. A subclass
 * defines how to start and kill a worker, and decides whether to replace it.
 */
export abstract class Supervisor<W extends EventEmitter> {
  /** Number of workers that hung or ended by themselves. */
  deaths = 0;
  /** Hangs in succession. Workers that started together count once. A subclass resets it to 0. */
  protected hangs = 0;
  readonly #startMs: number;
  readonly #notStarted: string;
  readonly #workers = new Map<W, State>();

  /**
   * @param startMs how long a worker may take to become ready. It doubles after each hang, because the machine may be
   * slow.
   * @param notStarted describes the problem of a worker that takes longer
   */
  constructor(startMs: number, notStarted: string) {
    this.#startMs = startMs;
    this.#notStarted = notStarted;
  }

  /** Starts a worker. */
  protected abstract fork(): W;
  /** Kills a worker at once. */
  protected abstract kill(worker: W): unknown;
  /** Called before a worker that hangs is killed. */
  protected abstract hung(problem: string, seconds: number, worker: W): void;
  /** Called once for each worker that has ended. */
  protected abstract ended(worker: W, end: End): void;

  /** All running workers, ready or not. */
  protected get workers(): W[] {
    return [...this.#workers.keys()];
  }

  /** True for a running worker that has reported that it is ready. */
  protected isReady(worker: W): boolean {
    return this.#workers.get(worker)?.isReady === true;
  }

  /** How long the next worker may take to become ready, milliseconds. */
  protected get startMs(): number {
    return this.#startMs * 2 ** Math.min(this.hangs, MOST_DOUBLINGS);
  }

  /** True when so many workers have hung that another would hang too. */
  protected get hangsAlways(): boolean {
    return this.hangs >= MOST_HANGS;
  }

  /**
   * Starts a worker. It is killed when it is not ready in time; each report that it is still starting restarts the
   * time.
   */
  protected startWorker(): W {
    const worker = this.fork();
    const exited = Promise.withResolvers<void>();
    const state: State = { isReady: false, delays: 0, cause: 'died', reason: null, exited };
    this.#workers.set(worker, state);
    worker.on('error', (error) => (state.reason = deathReason(error)));
    worker.once('exit', (code, signal) => this.#onExit(worker, code, signal));
    // Each report changes the watched number, which restarts the time; null ends the watch.
    this.watch(worker, this.#notStarted, () => (state.isReady ? null : state.delays));
    return worker;
  }

  /**
   * Records that a worker is ready or still starting. `starting` changes the number that `startWorker` watches, so the
   * worker's time to start begins again. A worker that is being killed may still report; that has no effect.
   */
  protected reported(worker: W, what: 'ready' | 'starting'): void {
    const state = this.#workers.get(worker);
    if (state === undefined || isBeingKilled(state)) return;
    if (what === 'ready') state.isReady = true;
    else state.delays++;
  }

  /**
   * Kills a worker whose state does not change for too long.
   * @param stateOf called at each check; null ends the watch
   * @param lookMs time between two checks. Without it, the worker is starting: the checks are spread over the start time,
   * and a hang counts in `hangs`.
   */
  protected watch(worker: W, problem: string, stateOf: () => unknown, lookMs?: number): void {
    const hangsBefore = this.hangs;
    const intervalMs = lookMs ?? this.startMs / MOST_EQUAL_CHECKS;
    let last = stateOf();
    let equalChecks = 0;
    const timer = setInterval(() => {
      const state = stateOf();
      const watched = this.#workers.get(worker);
      if (state === null || watched === undefined || isBeingKilled(watched)) return clearInterval(timer);
      equalChecks = state === last ? equalChecks + 1 : 1;
      last = state;
      if (equalChecks < MOST_EQUAL_CHECKS) return;
      // Workers that were started together count as one hang.
      if (lookMs === undefined) this.hangs = Math.max(this.hangs, hangsBefore + 1);
      this.hung(problem, (intervalMs * MOST_EQUAL_CHECKS) / 1000, worker);
      this.end(worker, 'hung', problem);
    }, intervalMs);
    timer.unref();
  }

  /** Kills a worker. One that has not exited after `KILL_MS` counts as gone. */
  protected end(worker: W, cause: 'hung' | 'ended' = 'ended', reason = 'it was ended'): void {
    const state = this.#workers.get(worker);
    if (state === undefined) return;
    state.cause = cause;
    state.reason ??= reason;
    this.kill(worker);
    // Without effect on a worker that has gone.
    setTimeout(() => this.#onExit(worker, null, null), KILL_MS).unref();
  }

  /** Ends all workers with `end` (by default it kills them) and waits for them. */
  protected async endAll(end = (worker: W): void => this.end(worker)): Promise<void> {
    // Kept before the end: a worker that has ended leaves the map.
    const states = [...this.#workers.values()];
    for (const worker of this.workers) end(worker);
    await Promise.all(states.map(({ exited }) => exited.promise));
  }

  /** Reports the end of a worker, once. Its cause is `died` from the start, unless `end` has killed it and set another. */
  #onExit(worker: W, code: number | null, signal: NodeJS.Signals | null): void {
    const state = this.#workers.get(worker);
    if (state === undefined) return;
    this.#workers.delete(worker);
    const { cause, isReady: wasReady, reason, exited } = state;
    if (cause !== 'ended') this.deaths++;
    this.ended(worker, { reason: reason ?? `it ended with code ${code}`, code, signal, cause, wasReady });
    exited.resolve();
  }
}

/** Why a worker has ended, by its error. */
function deathReason(error: unknown): string {
  if ((error as NodeJS.ErrnoException).code === 'ERR_WORKER_OUT_OF_MEMORY') return 'it ran out of memory';
  return error instanceof Error ? error.message : String(error);
}
