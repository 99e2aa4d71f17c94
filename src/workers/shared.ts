import cluster from 'node:cluster';
import type { Logger } from 'pino';
import type { Computer } from '../compute/computer.ts';
import { Abandoned, ThreadEnded, TooLate } from '../compute/pool.ts';
import type { DatasetDemand } from '../compute/thread.ts';
import { DamageError, ShortageError } from '../formats/checked-file.ts';
import { type DailyUnits, MemoryDailyUnits } from '../http/daily-units.ts';
import { type Limiters, type LimitName, MemoryRateLimiter, type RateLimiter } from '../http/rate-limiter.ts';
import { MemorySlots, type SlotLimits, type Slots } from '../http/slots.ts';
import { Calls, NoAnswer, type Port, PrimaryLink, type WorkerSetup } from './calls.ts';

/** What the primary shares among its workers. */
export interface Shared {
  limiters: Limiters;
  dailyUnits: DailyUnits;
  /** The slots of downloads. */
  downloads: Slots;
  /** Has one queue for all workers, fair to their clients. */
  computer: Computer;
}

/** What a worker holds in the primary: a download slot, or a turn in the queue of computations. */
interface Holding {
  leave(): void;
  compute?(demand: DatasetDemand, waitedMs: number): Promise<Uint8Array>;
}

/**
 * In the primary: answers the requests of a worker, for which it counts and computes.
 * @returns a function that gives up all slots and turns that the worker holds
 */
export function answerWorker(calls: Calls, { limiters, dailyUnits, downloads, computer }: Shared): () => void {
  const holdings = new Map<number, Holding>();
  let lastNumber = 0;
  const add = (holding: Holding): number => {
    holdings.set(++lastNumber, holding);
    return lastNumber;
  };
  const leave = (number: number): void => {
    const holding = holdings.get(number);
    holdings.delete(number);
    holding?.leave();
  };
  calls.answer('take', ({ limiter: name, client, limit }) => {
    const limiter = limiters[name];
    if (limiter === null) throw new Error(`there is no limit of ${name}`);
    return limiter.take(client, limit);
  });
  calls.answer('takeUnits', ({ client, units, limit }) => dailyUnits.take(client, units, limit));
  calls.onNotice('giveBackUnits', ({ client, units, endsAtMs }) => dailyUnits.giveBack(client, units, endsAtMs));
  calls.answer('takeSlot', async (client) => {
    // A text says why there is no slot.
    const slot = await downloads.take(client);
    return typeof slot === 'string' ? slot : add(slot);
  });
  calls.answer('reserve', async (client) => {
    const reservation = await computer.reserve(client);
    if (reservation === null) return null;
    const abandoned = new AbortController();
    return add({
      leave() {
        abandoned.abort();
        reservation.leave();
      },
      compute: (demand, waitedMs) => reservation.compute(demand, abandoned.signal, waitedMs),
    });
  });
  calls.answer('compute', async ({ turn, demand, waitedMs }) => {
    const compute = holdings.get(turn)?.compute;
    if (compute === undefined) throw new Abandoned('the turn was given up');
    try {
      return await compute(demand, waitedMs);
    } finally {
      // The computation has used up its turn: nothing is left to give up.
      holdings.delete(turn);
    }
  });
  calls.onNotice('forget', (folder) => computer.forget(folder));
  calls.onNotice('leave', leave);
  return () => {
    for (const number of [...holdings.keys()]) leave(number);
  };
}

/** What a worker has from its primary. While the primary is gone, the worker counts alone. */
export interface PrimaryServices extends WorkerSetup {
  calls: Calls;
  /** A limiter that counts in the primary. */
  limiter(name: LimitName, limit: number): RateLimiter;
  dailyUnits: DailyUnits;
  /** Slots that the primary counts. */
  slots(limits: SlotLimits): Slots;
  computer: Computer;
}

/**
 * Connects this process to its primary; null when it is not a worker.
 * @param deadlineMs the time after which the primary gives up a computation, milliseconds
 */
export async function joinPrimary(log: Logger, deadlineMs: number): Promise<PrimaryServices | null> {
  const port = portToPrimary();
  if (port === null) return null;
  const calls = new Calls(port);
  calls.answer('alive', () => null);
  const setup = await calls.ask('setup', null);
  const link = new PrimaryLink(calls, log);
  return {
    ...setup,
    calls,
    limiter: (name, limit) => sharedLimiter(link, name, limit),
    dailyUnits: sharedDailyUnits(link),
    slots: (limits) => sharedSlots(link, limits),
    computer: sharedComputer(link, deadlineMs),
  };
}

/** The channel to the primary; null when this process is not a worker. */
function portToPrimary(): Port | null {
  const send = process.send?.bind(process);
  if (!cluster.isWorker || send === undefined) return null;
  return {
    send: (message) => send(message),
    on: (event, listener) => process.on(event, listener),
    once: (event, listener) => process.once(event, listener),
  };
}

/** Counts in the primary; while the primary is gone, in this process. */
function sharedLimiter(link: PrimaryLink, name: LimitName, defaultLimit: number): RateLimiter {
  const local = new MemoryRateLimiter(defaultLimit);
  return {
    take: (client, limit) => link.ask('take', { limiter: name, client, limit }).catch(() => local.take(client, limit)),
  };
}

/** Counts cost units in the primary; while the primary is gone, in this process. */
function sharedDailyUnits(link: PrimaryLink): DailyUnits {
  const local = new MemoryDailyUnits();
  return {
    take: (client, units, limit) =>
      link.ask('takeUnits', { client, units, limit }).catch(() => local.take(client, units, limit)),
    giveBack(client, units, endsAtMs) {
      if (link.isThere) link.calls.notify('giveBackUnits', { client, units, endsAtMs });
      else local.giveBack(client, units, endsAtMs);
    },
  };
}

/** Takes download slots of the primary; while the primary is gone, of this process. */
function sharedSlots(link: PrimaryLink, limits: SlotLimits): Slots {
  const local = new MemorySlots(limits);
  const leave = (slot: number): void => link.calls.notify('leave', slot);
  /** Gives back a slot that came after the time limit of the call: the client has one of this process. */
  const tooLate = (slot: number | string): void => {
    if (typeof slot === 'number') leave(slot);
  };
  return {
    take: (client) =>
      link.ask('takeSlot', client, { tooLate }).then(
        // The primary gives each number once, so leaving a slot twice has no effect.
        // A text says why the client gets no slot.
        (slot) => (typeof slot === 'string' ? slot : { leave: () => leave(slot) }),
        () => local.take(client),
      ),
  };
}

/** Classes of errors of a computation. */
const ERROR_CLASSES = [TooLate, Abandoned, ThreadEnded, DamageError, ShortageError];

/**
 * Makes an error of the primary again in its own class. A worker receives only its name and message. A primary that
 * does not answer counts as too late.
 */
function asThrownInPrimary(error: Error): Error {
  if (error.name === NoAnswer.name) return new TooLate(error.message);
  const ErrorClass = ERROR_CLASSES.find(({ name }) => name === error.name);
  return ErrorClass === undefined ? error : new ErrorClass(error.message);
}

/**
 * Computes in the primary. While the primary is gone, the queue counts as full, and running computations count as too
 * late.
 * @param deadlineMs the time after which the primary gives up a computation, milliseconds
 */
function sharedComputer(link: PrimaryLink, deadlineMs: number): Computer {
  const { calls } = link;
  /** Gives back a turn, also one that came after the time limit of `reserve`. Null: the queue was full. */
  const giveBack = (turn: number | null): void => {
    if (turn !== null) calls.notify('leave', turn);
  };
  return {
    forget: (folder) => calls.notify('forget', folder),
    async reserve(client) {
      // A turn that arrives after the wait was given up goes back.
      const turn = await link.ask('reserve', client, { tooLate: giveBack }).catch(() => null);
      if (turn === null) return null;
      let isUsed = false;
      return {
        // Lets the primary compute in the reserved turn; gives the turn up when the client goes away (`signal`).
        async compute(demand, signal, waitedMs) {
          isUsed = true; // `leave` then does nothing.
          const abandon = (): void => giveBack(turn);
          signal.addEventListener('abort', abandon, { once: true });
          if (signal.aborted) abandon();
          try {
            const workMs = Math.max(deadlineMs - waitedMs, 0);
            return Buffer.from(await link.ask('compute', { turn, demand, waitedMs }, { workMs }));
          } catch (error) {
            throw asThrownInPrimary(error as Error);
          } finally {
            signal.removeEventListener('abort', abandon);
          }
        },
        // A used turn ends with its computation.
        leave() {
          if (!isUsed) giveBack(turn);
        },
      };
    },
  };
}
