import type { Logger } from 'pino';

/** Exceptions outside the steps of a request. Each is counted and logged; none ends the server. */
export class Unexpected {
  /** How many there were. */
  count = 0;
  readonly #log: Logger;

  constructor(log: Logger) {
    this.#log = log;
  }

  /** @param about members of the line of the log */
  note(error: unknown, about: object): void {
    this.count++;
    this.#log.error({ ...about, err: error }, 'unexpected exception');
  }
}
