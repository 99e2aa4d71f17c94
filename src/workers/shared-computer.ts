import type { ComputePlace, Computer } from '../compute/computer.ts';
import { Abandoned, TooLate } from '../compute/pool.ts';
import { DamageElsewhereError } from '../dataset/dataset-files.ts';
import type { Calls } from './calls.ts';

/** Computes for a worker on the threads of the primary: one line for all workers, fair to clients of each. */
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
  calls.answer('compute', async ({ place: number, demand }) => {
    const held = places.get(number);
    if (held === undefined) throw new Abandoned('the place was given up');
    try {
      return await held.place.compute(demand, held.gone.signal);
    } finally {
      places.delete(number);
    }
  });
  calls.hear('warmUp', (demand) => computer.warmUp(demand));
  calls.hear('forget', (folder) => computer.forget(folder));
  calls.hear('leave', leave);
  calls.hear('abandon', leave);
  return {
    leaveAll() {
      for (const number of [...places.keys()]) leave(number);
    },
  };
}

/** The errors of a computation that mean something to those who wait for it. */
const KINDS = [TooLate, Abandoned, DamageElsewhereError];

/** The computer of the primary, for a worker. */
export function sharedComputer(calls: Calls): Computer {
  return {
    warmUp: (demand) => calls.tell('warmUp', demand),
    forget: (folder) => calls.tell('forget', folder),
    async reserve(client) {
      const place = await calls.ask('reserve', client);
      if (place === null) return null;
      let isGiven = false;
      return {
        async compute(demand, signal) {
          isGiven = true;
          const abandon = (): void => calls.tell('abandon', place);
          signal.addEventListener('abort', abandon, { once: true });
          if (signal.aborted) abandon();
          try {
            return Buffer.from(await calls.ask('compute', { place, demand }));
          } catch (error) {
            const { name, message } = error as Error;
            const Kind = KINDS.find((kind) => kind.name === name);
            throw Kind === undefined ? error : new Kind(message);
          } finally {
            signal.removeEventListener('abort', abandon);
          }
        },
        leave() {
          if (!isGiven) calls.tell('leave', place);
        },
      };
    },
  };
}
