/**
 * An answer as the bytes of its JSON (UTF-8): it can be sent as it stands, without being parsed and put together again.
 * It is good until the dataset is asked for the next; whoever wants it for longer copies it. `JSON.stringify` gives the same.
 */
export class JsonBytes<Value = unknown> {
  readonly #show: Show;

  /** @param show shows the bytes to a function that must not keep them. */
  constructor(show: Show) {
    this.#show = show;
  }

  /** Of bytes that nobody else writes to. */
  static of<Value>(bytes: Buffer): JsonBytes<Value> {
    return new JsonBytes((look) => look(bytes));
  }

  /** Shows the bytes to a function that must not keep them. */
  show<T>(look: (bytes: Buffer) => T): T {
    return this.#show(look);
  }

  toJSON(): Value {
    return JSON.parse(this.#show(String)) as Value;
  }
}

type Show = <T>(look: (bytes: Buffer) => T) => T;
