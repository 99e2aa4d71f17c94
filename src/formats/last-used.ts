/** Keeps the values that were used last, by key. Values can be made again and are never undefined. */
export class LastUsed<K, V> {
  readonly #most: number;
  /** In order of use, the latest last. */
  readonly #held = new Map<K, V>();

  /** @param most number of values to keep */
  constructor(most: number) {
    this.#most = most;
  }

  /**
   * Returns the value of a key, and makes it when it is not there. Over the limit, the least recently used value is
   * dropped.
   */
  get(key: K, make: () => V): V {
    const value = this.#held.get(key) ?? make();
    this.#held.delete(key);
    this.#held.set(key, value);
    if (this.#held.size > this.#most) {
      const [oldest] = this.#held.keys();
      this.#held.delete(oldest);
    }
    return value;
  }

  /** Removes a value. */
  drop(key: K): void {
    this.#held.delete(key);
  }
}
