import type { ComputePlace, Computer } from '../compute/computer.ts';
import { Abandoned, ThreadEnded, TooLate } from '../compute/pool.ts';
import { DamageError, ShortageError } from '../formats/checked-file.ts';
import { type DailyUnits, MemoryDailyUnits } from '../http/daily-units.ts';
import { MemoryRateLimiter, type RateLimiter } from '../http/rate-limiter.ts';
import { MemorySlots, type Slot, type SlotLimits, type Slots } from '../http/slots.ts';
import { type Calls, type LimitName, NoAnswer } from './calls.ts';
import type { PrimaryLink } from './primary-link.ts';

/** In the primary: computes for a worker. There is one queue for all workers, fair to their clients. */
export function answerComputing(calls: Calls, computer: Computer): { leaveAll(): void } {
  const places = new Map<number, { place: ComputePlace; gone: AbortController }>();
  let last = 0;
  const leave = (number: number): void => {
    const held = places.get(number);
    places.delete(number);
    held?.gone.abort();
    held?.place.leave();
  };
  calls.answer('reserve', async (client) => {
    const place = await computer.reserve(client);
    if (place === null) return null;
    places.set(++last, { place, gone: new AbortController() });
    return last;
  });
  calls.answer('compute', async ({ place: number, demand, waitedMs }) => {
    const held = places.get(number);
    if (held === undefined) throw new Abandoned('the place was given up');
    try {
      return await held.place.compute(demand, held.gone.signal, waitedMs);
    } finally {
      places.delete(number);
    }
  });
  calls.onNotice('warmUp', (examples) => computer.warmUp(examples));
  calls.onNotice('forget', (folder) => computer.forget(folder));
  calls.onNotice('leave', leave);
  calls.onNotice('abandon', leave);
  return {
    leaveAll() {
      for (const number of [...places.keys()]) leave(number);
    },
  };
}

/** Errors of a computation that keep their class on the way to a worker. */
const KINDS = [TooLate, Abandoned, ThreadEnded, DamageError, ShortageError];

/**
 * In a worker: computes in the primary. While the primary is gone the queue counts as full, and computations under way as too late.
 * @param deadlineMs after which the primary gives up a computation
 */
export function sharedComputer(link: PrimaryLink, deadlineMs: number): Computer {
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
          const abandon = (): void => calls.notify('abandon', place);
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

/** The rate limits of all workers; null: no limit, or one that is counted elsewhere. */
export type Limiters = Readonly<Record<LimitName, RateLimiter | null>>;

/** In the primary: counts requests and cost units for a worker. */
export function answerLimits(calls: Calls, limiters: Limiters, units: DailyUnits): void {
  calls.answer('take', ({ of, client, limit }) => {
    const limiter = limiters[of];
    if (limiter === null) throw new Error(`there is no limit of ${of}`);
    return limiter.take(client, limit);
  });
  calls.answer('takeUnits', ({ client, units: wanted, limit }) => units.take(client, wanted, limit));
  calls.onNotice('giveBackUnits', ({ client, units: unused }) => units.giveBack(client, unused));
}

/** In a worker: a limit that the primary counts. While the primary is gone, this worker counts alone. */
export function sharedLimiter(link: PrimaryLink, of: LimitName, limit: number): RateLimiter {
  const here = new MemoryRateLimiter(limit);
  return {
    take: (client, own) => link.ask('take', { of, client, limit: own }).catch(() => here.take(client, own)),
  };
}

/** In the primary: counts the downloads of a worker with those of the others. */
export function answerSlots(calls: Calls, slots: Slots): { leaveAll(): void } {
  const taken = new Map<number, Slot>();
  let last = 0;
  const leave = (number: number): void => {
    taken.get(number)?.leave();
    taken.delete(number);
  };
  calls.answer('takeSlot', async (client) => {
    const slot = await slots.take(client);
    if (typeof slot === 'string') return slot;
    taken.set(++last, slot);
    return last;
  });
  calls.onNotice('leaveSlot', leave);
  return {
    leaveAll() {
      for (const number of [...taken.keys()]) leave(number);
    },
  };
}

/** In a worker: slots that the primary counts. While the primary is gone, this worker counts alone. */
export function sharedSlots(link: PrimaryLink, limits: SlotLimits): Slots {
  const here = new MemorySlots(limits);
  const leave = (slot: number): void => link.calls.notify('leaveSlot', slot);
  const slotOf = (slot: number): Slot => {
    let isTaken = true;
    return {
      leave() {
        if (isTaken) leave(slot);
        isTaken = false;
      },
    };
  };
  return {
    take: (client) =>
      link.ask('takeSlot', client, { tooLate: (late) => typeof late === 'number' && leave(late) }).then(
        (slot) => (typeof slot === 'string' ? slot : slotOf(slot)),
        () => here.take(client),
      ),
  };
}

/** In a worker: cost units that the primary counts. While the primary is gone, this worker counts alone. */
export function sharedDailyUnits(link: PrimaryLink): DailyUnits {
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
