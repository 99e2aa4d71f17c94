import cluster from 'node:cluster';
import type { Logger } from 'pino';
import type { Computer } from '../compute/computer.ts';
import type { DailyUnits } from '../http/daily-units.ts';
import type { RateLimiter } from '../http/rate-limiter.ts';
import type { SlotLimits, Slots } from '../http/slots.ts';
import { Calls, type LimitName, type Port, type WorkerSetup } from './calls.ts';
import { PrimaryLink } from './primary-link.ts';
import { sharedComputer, sharedDailyUnits, sharedLimiter, sharedSlots } from './shared.ts';

/** What the primary gives to a worker. */
export interface Primaried extends WorkerSetup {
  calls: Calls;
  limiter(of: LimitName, limit: number): RateLimiter;
  dailyUnits: DailyUnits;
  slots(limits: SlotLimits): Slots;
  computer: Computer;
}

/**
 * Connects this process to the primary; null where it is no worker.
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
