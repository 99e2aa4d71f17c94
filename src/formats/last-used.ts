/** Values by key that can be made again, of which the last ones asked for are held. None of them is undefined. */
export class LastUsed<K, V> {
  readonly #most: number;
  readonly #weightOf: (value: V) => number;
  /** In order of use, the latest last. */
  readonly #held = new Map<K, V>();
  #weight = 0;

  /**
   * @param most how many values are held at a time, or how much they weigh together; the latest is held in any case
   * @param weightOf the weight of a value: without it, each counts 1
   */
  constructor(most: number, weightOf: (value: V) => number = () => 1) {
    this.#most = most;
    this.#weightOf = weightOf;
  }

  /** The value of a key; makes it where it is not held. When there are too many, the least recently used value is dropped. */
  get(key: K, make: () => V): V {
    const held = this.#held.get(key);
    const value = held ?? make();
    if (held === undefined) this.#weight += this.#weightOf(value);
    else this.#held.delete(key);
    this.#held.set(key, value);
    while (this.#weight > this.#most && this.#held.size > 1) {
      const [oldest] = this.#held.keys();
      this.drop(oldest);
    }
    return value;
  }

  /** Holds the value of a key no longer. */
  drop(key: K): void {
    const value = this.#held.get(key);
    if (value === undefined) return;
    this.#held.delete(key);
    this.#weight -= this.#weightOf(value);
  }
}
