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

  constructor(port: number, paths: readonly string[], perSecond: number) {
    this.#port = port;
    this.#paths = paths;
    this.#perSecond = perSecond;
  }

  /** Does some work beside the load. @throws Error when an answer is not 200. */
  async beside(work: () => Promise<void>): Promise<void> {
    let isOver = false;
    const load = Promise.all(Array.from({ length: CONNECTIONS }, (_, i) => this.#ask(i, () => isOver)));
    try {
      await work();
    } finally {
      isOver = true;
    }
    await load;
  }

  async #ask(connection: number, isOver: () => boolean): Promise<void> {
    const client = new Client(this.#port);
    const stepMs = (1000 * CONNECTIONS) / this.#perSecond;
    try {
      for (let due = performance.now() + (stepMs * connection) / CONNECTIONS; !isOver(); due += stepMs) {
        const early = due - performance.now();
        if (early > 0) await delay(early);
        await client.get(this.#paths[this.#next++ % this.#paths.length]);
        this.times.push(performance.now() - due);
      }
    } finally {
      client.close();
    }
  }
}
