import { setTimeout as delay } from 'node:timers/promises';
import { Client } from './client.ts';

/** Connections that share the rate. */
const CONNECTIONS = 10;

/** Requests at a steady rate, however long the answers take. */
export class SteadyLoad {
  /** Of each answer, milliseconds from the moment at which it was to be asked for. */
  readonly times: number[] = [];
  readonly #port: number;
  readonly #paths: readonly string[];
  readonly #perSecond: number;
  #next = 0;

  /** @throws RangeError for a rate that is not above zero, and without paths. */
  constructor(port: number, paths: readonly string[], perSecond: number) {
    if (!(perSecond > 0)) throw new RangeError(`${perSecond} requests a second: expected a number above 0`);
    if (paths.length === 0) throw new RangeError('no paths to ask for');
    this.#port = port;
    this.#paths = paths;
    this.#perSecond = perSecond;
  }

  /** Does some work beside the load. @throws Error when an answer is not 200, at once. */
  async beside(work: () => Promise<void>): Promise<void> {
    let end = Infinity;
    const load = Array.from({ length: CONNECTIONS }, (_, i) => this.#ask(i, () => end));
    const worked = work().finally(() => {
      end = performance.now();
    });
    await Promise.all([worked, ...load]);
  }

  /** Asks for all that is due up to the end: later the server has less to do. */
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
