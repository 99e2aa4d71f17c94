/** Values by key that can be made again, of which the last ones asked for are held. None of them is undefined. */
export class LastUsed<K, V> {
  readonly #most: number;
  /** In order of use, the latest last. */
  readonly #held = new Map<K, V>();

  /** @param most values that are held at a time */
  constructor(most: number) {
    this.#most = most;
  }

  /** The value of a key; makes it where it is not held. When there are too many, the least recently used value is dropped. */
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

  /** Holds the value of a key no longer. */
  drop(key: K): void {
    this.#held.delete(key);
  }
}
