import type { Logger } from 'pino';

/** What was thrown where no request can be told of it: each is counted and has one line of the log, and none ends the server. */
export class Unexpected {
  /** How often. */
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
