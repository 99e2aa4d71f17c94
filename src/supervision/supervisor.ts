import type { EventEmitter } from 'node:events';

/** How a worker has ended. */
export interface End {
  reason: string;
  code: number | null;
  signal: NodeJS.Signals | null;
  /** `died`: by itself; `hung`: killed because it hung; `ended`: killed for another reason. */
  cause: 'died' | 'hung' | 'ended';
  /** Whether it was ready before. */
  wasReady: boolean;
}

interface State extends Pick<End, 'cause'> {
  isReady: boolean;
  /** How often it has reported that it is still starting. */
  delays: number;
  reason: string | null;
  over: PromiseWithResolvers<void>;
}

/** A worker hangs when so many checks find the same state. Checks are counted, not time: this process may be stopped with its workers. */
const LOOKS = 10;
/** The time for a start doubles at most so many times. */
const MOST_DOUBLINGS = 4;
/** After so many hangs in succession another worker would hang, too. */
const MOST_HANGS = 3;
/** A killed worker counts as ended after this time, even if the system does not report its end, milliseconds. */
const KILL_MS = 5000;

/**
 * Starts workers (threads or processes), watches them, kills those that hang, and reports each end once. A subclass defines how a worker
 * is started and killed, and decides whether to replace it.
 */
export abstract class Supervisor<W extends EventEmitter> {
  /** Workers that hung, or ended by themselves. */
  deaths = 0;
  /** Hangs in succession; workers that were started together count once. A subclass resets it to 0. */
  protected hangs = 0;
  readonly #startMs: number;
  readonly #notStarted: string;
  readonly #workers = new Map<W, State>();

  /**
   * @param startMs how long a worker may take to become ready. It doubles after each hang: the machine may be slow.
   * @param notStarted describes the problem of a worker that takes longer
   */
  constructor(startMs: number, notStarted: string) {
    this.#startMs = startMs;
    this.#notStarted = notStarted;
  }

  protected abstract fork(): W;
  /** Kills a worker at once. */
  protected abstract kill(worker: W): unknown;
  /** Called before a worker that hangs is killed. */
  protected abstract hung(problem: string, seconds: number, worker: W): void;
  protected abstract ended(worker: W, end: End): void;

  /** All running workers, ready or not. */
  protected get workers(): W[] {
    return [...this.#workers.keys()];
  }

  protected isReady(worker: W): boolean {
    return this.#workers.get(worker)?.isReady === true;
  }

  /** How long the next worker may take to become ready, milliseconds. */
  protected get startMs(): number {
    return this.#startMs * 2 ** Math.min(this.hangs, MOST_DOUBLINGS);
  }

  protected get hangsAlways(): boolean {
    return this.hangs >= MOST_HANGS;
  }

  protected startWorker(): W {
    const worker = this.fork();
    const over = Promise.withResolvers<void>();
    const state: State = { isReady: false, delays: 0, cause: 'died', reason: null, over };
    this.#workers.set(worker, state);
    worker.on('error', (error) => (state.reason = reasonOf(error)));
    worker.once('exit', (code, signal) => this.#over(worker, code, signal));
    this.watch(worker, this.#notStarted, () => (state.isReady ? null : state.delays));
    return worker;
  }

  /** Records that a worker is ready, or that it is still starting: then its time to start begins anew. */
  protected reported(worker: W, what: 'ready' | 'starting'): void {
    const state = this.#workers.get(worker);
    if (state === undefined) return;
    if (what === 'ready') state.isReady = true;
    else state.delays++;
  }

  /**
   * Kills a worker whose state stays the same for too long.
   * @param stateOf is called at each check; null ends the watch
   * @param lookMs time between two checks; by default the time for a start is divided among them, and a hang counts in `hangs`
   */
  protected watch(worker: W, problem: string, stateOf: () => unknown, lookMs?: number): void {
    const before = this.hangs;
    const intervalMs = lookMs ?? this.startMs / LOOKS;
    let [last, looks] = [stateOf(), 0];
    const timer = setInterval(() => {
      const state = stateOf();
      if (state !== last) [last, looks] = [state, 0];
      if (state === null || this.#workers.get(worker)?.cause !== 'died') clearInterval(timer);
      else if (++looks >= LOOKS) {
        if (lookMs === undefined) this.hangs = Math.max(this.hangs, before + 1);
        this.hung(problem, (intervalMs * LOOKS) / 1000, worker);
        this.end(worker, 'hung', problem);
      }
    }, intervalMs);
    timer.unref();
  }

  protected end(worker: W, cause: 'hung' | 'ended' = 'ended', reason = 'it was ended'): void {
    const state = this.#workers.get(worker);
    if (state === undefined) return;
    state.cause = cause;
    state.reason ??= reason;
    this.kill(worker);
    setTimeout(() => this.#over(worker, null, null), KILL_MS).unref();
  }

  /** Kills all workers, or asks them to end by `end`, and waits for them. */
  protected async endAll(end = (worker: W): void => this.end(worker)): Promise<void> {
    const states = [...this.#workers.values()];
    for (const worker of this.workers) end(worker);
    await Promise.all(states.map(({ over }) => over.promise));
  }

  #over(worker: W, code: number | null, signal: NodeJS.Signals | null): void {
    const state = this.#workers.get(worker);
    if (state === undefined) return;
    this.#workers.delete(worker);
    const { cause, isReady: wasReady, reason, over } = state;
    if (cause !== 'ended') this.deaths++;
    this.ended(worker, { reason: reason ?? `it ended with code ${code}`, code, signal, cause, wasReady });
    over.resolve();
  }
}

function reasonOf(error: unknown): string {
  if ((error as NodeJS.ErrnoException).code === 'ERR_WORKER_OUT_OF_MEMORY') return 'it ran out of memory';
  return error instanceof Error ? error.message : String(error);
}
