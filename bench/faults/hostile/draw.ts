import { randomFrom } from '../../../samples/random.ts';

/**
 * A random generator for one item of many. It depends only on the seed and the number of the item, not on other items.
 */
export class Draw {
  readonly #next: () => number;

  constructor(seed: number, number: number) {
    this.#next = randomFrom(Math.imul(seed, 0x9e3779b1) ^ Math.imul(number + 1, 0x85ebca6b));
  }

  /** A whole number from 0 up to, but without, this one. */
  below(count: number): number {
    return Math.floor(this.#next() * count);
  }

  /** A whole number in a range, both ends included. */
  from(least: number, most: number): number {
    return least + this.below(most - least + 1);
  }

  /** True with this probability. */
  is(probability: number): boolean {
    return this.#next() < probability;
  }

  /** A random member of a list. @throws RangeError for an empty list. */
  of<T>(list: readonly T[]): T {
    if (list.length === 0) throw new RangeError('nothing to draw from');
    // `!`: the index is below the length.
    return list[this.below(list.length)]!;
  }

  /** A random member of a list in which each has a weight. */
  weighted<T>(list: readonly (readonly [weight: number, value: T])[]): T {
    let left = this.#next() * list.reduce((sum, [weight]) => sum + weight, 0);
    for (const [weight, value] of list) {
      left -= weight;
      if (left < 0) return value;
    }
    throw new RangeError('nothing to draw from');
  }
}
