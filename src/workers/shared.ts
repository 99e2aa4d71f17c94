import cluster from 'node:cluster';
import type { Logger } from 'pino';
import type { Computer } from '../compute/computer.ts';
import { Abandoned, ThreadEnded, TooLate } from '../compute/pool.ts';
import type { DatasetDemand } from '../compute/thread.ts';
import { DamageError, ShortageError } from '../formats/checked-file.ts';
import { type DailyUnits, MemoryDailyUnits } from '../http/daily-units.ts';
import { MemoryRateLimiter, type RateLimiter } from '../http/rate-limiter.ts';
import { MemorySlots, type SlotLimits, type Slots } from '../http/slots.ts';
import { Calls, type LimitName, NoAnswer, type Port, PrimaryLink, type WorkerSetup } from './calls.ts';

/** What the primary shares among its workers. */
export interface Shared {
  /** Null: no limit, or one that is counted elsewhere. */
  limiters: Readonly<Record<LimitName, RateLimiter | null>>;
  dailyUnits: DailyUnits;
  /** For downloads. */
  downloads: Slots;
  /** There is one queue for all workers, fair to their clients. */
  computer: Computer;
}

/** A download slot or a place in the queue that a worker holds. */
interface Held {
  leave(): void;
  compute?(demand: DatasetDemand, waitedMs: number): Promise<Uint8Array>;
}

/**
 * In the primary: counts and computes for a worker.
 * @returns gives up all that the worker holds
 */
export function answerWorker(calls: Calls, { limiters, dailyUnits, downloads, computer }: Shared): () => void {
  const held = new Map<number, Held>();
  let last = 0;
  const hold = (one: Held): number => {
    held.set(++last, one);
    return last;
  };
  const leave = (number: number): void => {
    const one = held.get(number);
    held.delete(number);
    one?.leave();
  };
  calls.answer('take', ({ of, client, limit }) => {
    const limiter = limiters[of];
    if (limiter === null) throw new Error(`there is no limit of ${of}`);
    return limiter.take(client, limit);
  });
  calls.answer('takeUnits', ({ client, units, limit }) => dailyUnits.take(client, units, limit));
  calls.onNotice('giveBackUnits', ({ client, units }) => dailyUnits.giveBack(client, units));
  calls.answer('takeSlot', async (client) => {
    const slot = await downloads.take(client);
    return typeof slot === 'string' ? slot : hold(slot);
  });
  calls.answer('reserve', async (client) => {
    const place = await computer.reserve(client);
    if (place === null) return null;
    const gone = new AbortController();
    return hold({
      leave() {
        gone.abort();
        place.leave();
      },
      compute: (demand, waitedMs) => place.compute(demand, gone.signal, waitedMs),
    });
  });
  calls.answer('compute', async ({ place, demand, waitedMs }) => {
    const compute = held.get(place)?.compute;
    if (compute === undefined) throw new Abandoned('the place was given up');
    try {
      return await compute(demand, waitedMs);
    } finally {
      held.delete(place);
    }
  });
  calls.onNotice('warmUp', (examples) => computer.warmUp(examples));
  calls.onNotice('forget', (folder) => computer.forget(folder));
  calls.onNotice('leave', leave);
  return () => {
    for (const number of [...held.keys()]) leave(number);
  };
}

/** What the primary gives to a worker. While the primary is gone, the worker counts alone. */
export interface Primaried extends WorkerSetup {
  calls: Calls;
  limiter(of: LimitName, limit: number): RateLimiter;
  dailyUnits: DailyUnits;
  slots(limits: SlotLimits): Slots;
  computer: Computer;
}

/**
 * Connects this process to the primary; null when it is no worker.
 * @param deadlineMs after which the primary gives up a computation
 */
export async function joinPrimary(log: Logger, deadlineMs: number): Promise<Primaried | null> {
  const port = portToPrimary();
  if (port === null) return null;
  const calls = new Calls(port);
  calls.answer('alive', () => null);
  const setup = await calls.ask('setup', null);
  const link = new PrimaryLink(calls, log);
  return {
    ...setup,
    calls,
    limiter: (of, limit) => sharedLimiter(link, of, limit),
    dailyUnits: sharedDailyUnits(link),
    slots: (limits) => sharedSlots(link, limits),
    computer: sharedComputer(link, deadlineMs),
  };
}

function portToPrimary(): Port | null {
  const send = process.send?.bind(process);
  if (!cluster.isWorker || send === undefined) return null;
  return {
    send: (message) => send(message),
    on: (event, listener) => process.on(event, listener),
    once: (event, listener) => process.once(event, listener),
  };
}

function sharedLimiter(link: PrimaryLink, of: LimitName, limit: number): RateLimiter {
  const here = new MemoryRateLimiter(limit);
  return {
    take: (client, own) => link.ask('take', { of, client, limit: own }).catch(() => here.take(client, own)),
  };
}

function sharedDailyUnits(link: PrimaryLink): DailyUnits {
  const here = new MemoryDailyUnits();
  return {
    take: (client, units, limit) =>
      link.ask('takeUnits', { client, units, limit }).catch(() => here.take(client, units, limit)),
    giveBack(client, units) {
      if (link.isThere) link.calls.notify('giveBackUnits', { client, units });
      else here.giveBack(client, units);
    },
  };
}

function sharedSlots(link: PrimaryLink, limits: SlotLimits): Slots {
  const here = new MemorySlots(limits);
  const leave = (slot: number): void => link.calls.notify('leave', slot);
  const tooLate = (slot: number | string): void => {
    if (typeof slot === 'number') leave(slot);
  };
  return {
    take: (client) =>
      link.ask('takeSlot', client, { tooLate }).then(
        // A number is never given twice, so a second notice has no effect.
        (slot) => (typeof slot === 'string' ? slot : { leave: () => leave(slot) }),
        () => here.take(client),
      ),
  };
}

/** Errors of a computation that keep their class on the way to a worker. */
const KINDS = [TooLate, Abandoned, ThreadEnded, DamageError, ShortageError];

/**
 * Computes in the primary. While the primary is gone the queue counts as full, and computations under way as too late.
 * @param deadlineMs after which the primary gives up a computation
 */
function sharedComputer(link: PrimaryLink, deadlineMs: number): Computer {
  const { calls } = link;
  const leave = (place: number | null): void => {
    if (place !== null) calls.notify('leave', place);
  };
  return {
    warmUp: (examples) => calls.notify('warmUp', examples),
    forget: (folder) => calls.notify('forget', folder),
    async reserve(client) {
      const place = await link.ask('reserve', client, { tooLate: leave }).catch(() => null);
      if (place === null) return null;
      let isGiven = false;
      return {
        async compute(demand, signal, waitedMs) {
          isGiven = true;
          const abandon = (): void => leave(place);
          signal.addEventListener('abort', abandon, { once: true });
          if (signal.aborted) abandon();
          try {
            const afterMs = Math.max(deadlineMs - waitedMs, 0);
            return Buffer.from(await link.ask('compute', { place, demand, waitedMs }, { afterMs }));
          } catch (error) {
            const { name, message } = error as Error;
            const Kind = name === NoAnswer.name ? TooLate : KINDS.find((kind) => kind.name === name);
            throw Kind === undefined ? error : new Kind(message);
          } finally {
            signal.removeEventListener('abort', abandon);
          }
        },
        leave() {
          if (!isGiven) leave(place);
        },
      };
    },
  };
}
