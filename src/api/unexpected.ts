import type { Logger } from 'pino';

/** Counts and logs exceptions outside the steps of a request. None of them ends the server. */
export class Unexpected {
  /** Number of exceptions. */
  count = 0;
  readonly #log: Logger;

  constructor(log: Logger) {
    this.#log = log;
  }

  /** @param about members for the line in the log */
  note(error: unknown, about: object): void {
    this.count++;
    this.#log.error({ ...about, err: error }, 'unexpected exception');
  }
}
