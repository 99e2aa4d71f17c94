import type { DailyUnits, DayStanding } from '../http/daily-units.ts';
import { memoryRateLimiter, type RateLimiter } from '../http/rate-limiter.ts';
import type { Calls, LimitName } from './calls.ts';

/** The limits of all workers, counted by the primary; null: no limit, or one that is counted elsewhere. */
export type Limiters = Readonly<Record<LimitName, RateLimiter | null>>;

/** Counts for a worker what it asks about. */
export function answerLimits(calls: Calls, limiters: Limiters, units: DailyUnits): void {
  calls.answer('take', ({ of, client, limit }) => {
    const limiter = limiters[of];
    if (limiter === null) throw new Error(`there is no limit of ${of}`);
    return limiter.take(client, limit);
  });
  calls.answer('takeUnits', ({ client, units: wanted, limit }) => units.take(client, wanted, limit));
  calls.hear('giveBackUnits', ({ client, units: unused }) => units.giveBack(client, unused));
}

/** A limit that the primary counts for all workers. Without the primary, which takes its workers along, this one counts alone. */
export function sharedLimiter(calls: Calls, of: LimitName, limit: number): RateLimiter {
  const here = memoryRateLimiter(limit);
  return {
    take: (client, own) => calls.ask('take', { of, client, limit: own }).catch(() => here.take(client, own)),
  };
}

/** The cost units of days, counted by the primary. */
export function sharedDailyUnits(calls: Calls): DailyUnits {
  return {
    take: (client, units, limit): Promise<DayStanding> => calls.ask('takeUnits', { client, units, limit }),
    giveBack: (client, units) => calls.tell('giveBackUnits', { client, units }),
  };
}
