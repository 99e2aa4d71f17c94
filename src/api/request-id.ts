const GIVEN_ID = /^[\w.-]{1,64}$/;

/** Names requests, so that an answer can be found in the log. */
export class RequestIds {
  readonly #process = Math.floor(Math.random() * 2 ** 40).toString(36);
  #count = 0;

  /** The client's own ID when it is harmless, else a new one. */
  of(given: string | string[] | undefined): string {
    return typeof given === 'string' && GIVEN_ID.test(given) ? given : this.next();
  }

  /** A new ID. */
  next(): string {
    return `${this.#process}-${(this.#count++).toString(36)}`;
  }
}
