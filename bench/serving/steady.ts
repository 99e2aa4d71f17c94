import { setTimeout as delay } from 'node:timers/promises';
import { Client } from './client.ts';

/** Number of connections that share the rate. */
const CONNECTIONS = 10;

/** Sends requests at a constant rate, even when answers are late. */
export class SteadyLoad {
  /** Time of each answer, milliseconds, from the moment when its request was due. */
  readonly times: number[] = [];
  readonly #port: number;
  readonly #paths: readonly string[];
  readonly #perSecond: number;
  #next = 0;

  /** @throws RangeError for a rate that is not above zero, or without paths */
  constructor(port: number, paths: readonly string[], perSecond: number) {
    if (!(perSecond > 0)) throw new RangeError(`${perSecond} requests a second: expected a number above 0`);
    if (paths.length === 0) throw new RangeError('no paths to ask for');
    this.#port = port;
    this.#paths = paths;
    this.#perSecond = perSecond;
  }

  /** Runs a function during the load. @throws Error at once when the status of an answer is not 200. */
  async beside(work: () => Promise<void>): Promise<void> {
    let end = Infinity;
    const load = Array.from({ length: CONNECTIONS }, (_, i) => this.#ask(i, () => end));
    const worked = work().finally(() => {
      end = performance.now();
    });
    await Promise.all([worked, ...load]);
  }

  /** Sends all requests that are due before the end: after it the server has less to do. */
  async #ask(connection: number, end: () => number): Promise<void> {
    const client = new Client(this.#port);
    const stepMs = (1000 * CONNECTIONS) / this.#perSecond;
    try {
      for (let due = performance.now() + (stepMs * connection) / CONNECTIONS; ; due += stepMs) {
        const early = due - performance.now();
        if (early > 0) await delay(early);
        if (due > end()) break;
        await client.get(this.#paths[this.#next++ % this.#paths.length]);
        this.times.push(performance.now() - due);
      }
    } finally {
      client.close();
    }
  }
}
