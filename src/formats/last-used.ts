/** Keeps the values that were used last, by key. Values can be made again and are never undefined. */
export class LastUsed<K, V> {
  readonly #most: number;
  readonly #weightOf: (value: V, key: K) => number;
  /** In order of use, the latest last. */
  readonly #values = new Map<K, V>();
  #weight = 0;

  /**
   * @param most weight of all values together. The latest value is always kept.
   * @param weightOf a value; by default 1
   */
  constructor(most: number, weightOf: (value: V, key: K) => number = () => 1) {
    this.#most = most;
    this.#weightOf = weightOf;
  }

  /** Returns the value of a key, and makes it when it is not there. */
  get(key: K, make: () => V): V {
    const present = this.find(key);
    if (present !== undefined) return present;
    const value = make();
    this.put(key, value);
    return value;
  }

  /** The value of a key, which is now the one used last; undefined when it is not there. */
  find(key: K): V | undefined {
    const value = this.#values.get(key);
    if (value === undefined) return undefined;
    this.#values.delete(key);
    this.#values.set(key, value);
    return value;
  }

  /** Keeps a value, however large. Over the limit, the least recently used of the others are dropped. */
  put(key: K, value: V): void {
    this.drop(key);
    this.#values.set(key, value);
    this.#weight += this.#weightOf(value, key);
    while (this.#weight > this.#most && this.#values.size > 1) {
      const [oldest] = this.#values.keys();
      this.drop(oldest);
    }
  }

  /** Removes a value. */
  drop(key: K): void {
    const value = this.#values.get(key);
    if (value === undefined) return;
    this.#values.delete(key);
    this.#weight -= this.#weightOf(value, key);
  }
}
