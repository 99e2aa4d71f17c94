/**
 * An answer as the bytes of its JSON (UTF-8): it can be sent as it stands, without being parsed and put together again.
 * It is good until the dataset is asked for the next; whoever wants it for longer copies it. `JSON.stringify` gives the same.
 */
export class JsonBytes<Value = unknown> {
  /** Pages of the list of which it shows one; null where it is no list. */
  readonly pages: number | null;
  readonly #show: Show;

  /** @param show shows the bytes to a function that must not keep them. */
  constructor(show: Show, pages: number | null = null) {
    this.#show = show;
    this.pages = pages;
  }

  /** Of bytes that nobody else writes to. */
  static of<Value>(bytes: Buffer, pages: number | null = null): JsonBytes<Value> {
    return new JsonBytes((look) => look(bytes), pages);
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
