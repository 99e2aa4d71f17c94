/** Keeps the values that were used last, by key. Values can be made again and are never undefined. */
export class LastUsed<K, V> {
  readonly #most: number;
  readonly #weightOf: (value: V) => number;
  /** In order of use, the latest last. */
  readonly #values = new Map<K, V>();
  #weight = 0;

  /**
   * @param most weight of all values together. The latest value is always kept.
   * @param weightOf a value; by default 1
   */
  constructor(most: number, weightOf: (value: V) => number = () => 1) {
    this.#most = most;
    this.#weightOf = weightOf;
  }

  /**
   * Returns the value of a key, and makes it when it is not there. Over the limit, the least recently used value is
   * dropped.
   */
  get(key: K, make: () => V): V {
    const present = this.#values.get(key);
    const value = present ?? make();
    if (present === undefined) this.#weight += this.#weightOf(value);
    else this.#values.delete(key);
    this.#values.set(key, value);
    while (this.#weight > this.#most && this.#values.size > 1) {
      const [oldest] = this.#values.keys();
      this.drop(oldest);
    }
    return value;
  }

  /** Removes a value. */
  drop(key: K): void {
    const value = this.#values.get(key);
    if (value === undefined) return;
    this.#values.delete(key);
    this.#weight -= this.#weightOf(value);
  }
}
