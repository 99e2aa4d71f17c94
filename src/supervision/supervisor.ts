import type { EventEmitter } from 'node:events';

/** How a worker has ended. */
export interface End {
  reason: string;
  code: number | null;
  signal: NodeJS.Signals | null;
  /** `died`: by itself; `hung`: it was killed because it hung; `ended`: it was killed for another reason. */
  cause: 'died' | 'hung' | 'ended';
  /** Whether it was ready before. */
  wasReady: boolean;
}

interface State extends Pick<End, 'cause'> {
  isReady: boolean;
  /** How often it said that it is still starting. */
  delays: number;
  reason: string | null;
  over: PromiseWithResolvers<void>;
}

/** Looks at a worker before it counts as hanging. Looks are counted, not time: this process may be stopped meanwhile, with its workers. */
const LOOKS = 10;
/** The time for a start is doubled this many times at most. */
const MOST_DOUBLINGS = 4;
/** Hangs in succession after which another worker would only hang, too. */
const MOST_HANGS = 3;
/** A killed worker counts as ended after this time even if the system does not report its end, milliseconds. */
const KILL_MS = 5000;

/**
 * Starts workers (threads or processes), watches them, kills those that hang, and reports each end once. A subclass says how a worker
 * is started and killed, and starts another where it needs one.
 */
export abstract class Supervisor<W extends EventEmitter> {
  /** Workers that hung, or ended by themselves. */
  deaths = 0;
  /** Hangs in succession: workers that were started together count once. A subclass sets it back to 0. */
  protected hangs = 0;
  readonly #startMs: number;
  readonly #notStarted: string;
  readonly #workers = new Map<W, State>();

  /**
   * @param startMs how long a worker may take to become ready. After each hang the next has twice as long: the machine may be slow.
   * @param notStarted the problem of one that takes longer
   */
  constructor(startMs: number, notStarted: string) {
    this.#startMs = startMs;
    this.#notStarted = notStarted;
  }

  protected abstract fork(): W;
  /** Ends a worker at once, whatever it does. */
  protected abstract kill(worker: W): unknown;
  /** Called before a worker that hangs is killed. */
  protected abstract hung(problem: string, seconds: number, worker: W): void;
  protected abstract ended(worker: W, end: End): void;

  /** All that live, ready or not. */
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

  /** A worker has said that it is ready, or that it is still starting: its time for that begins anew. */
  protected said(worker: W, what: 'ready' | 'starting'): void {
    const state = this.#workers.get(worker);
    if (state === undefined) return;
    if (what === 'ready') state.isReady = true;
    else state.delays++;
  }

  /**
   * Kills a worker whose state stays the same for too long.
   * @param stateOf is called at each look; null: the watch is over
   * @param lookMs from one look to the next; by default it has the time for a start, and a hang counts in `hangs`
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

  /** Ends all workers, or asks them to end, and waits for them. */
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
