import type { Footprint } from '../plateau/building.ts';

/**
 * Numbers that find equal IDs and equal solids among millions. Equal things have equal keys. Things with the same key
 * are then compared in full, so accidental matches do no harm.
 */

/**
 * The lower half of the key of an ID is its FNV-1a hash. The other large numbers here are seeds and factors of hashes.
 */
const FNV_OFFSET = 0x811c9dc5;
const FNV_PRIME = 0x01000193;

/** Makes keys. It reuses its memory. */
export class BuildingKeys {
  /** The two halves of a key, and the key over the same bytes. */
  readonly #halves = new Uint32Array(2);
  readonly #key = new BigUint64Array(this.#halves.buffer);
  /** Two numbers to hash, and the same as words. */
  readonly #pair = new Float64Array(2);
  readonly #words = new Uint32Array(this.#pair.buffer);

  /** The 64-bit key of an ID, made of two hashes; 0 for null. */
  ofId(id: string | null): bigint {
    if (id === null) return 0n;
    let [low, high] = [FNV_OFFSET, 0x9e3779b9];
    for (let i = 0; i < id.length; i++) {
      low = Math.imul(low ^ id.charCodeAt(i), FNV_PRIME);
      high = scramble((high + id.charCodeAt(i)) >>> 0, 0x85ebca6b);
    }
    return this.#join(low, high);
  }

  /** Key of a solid. It does not depend on where the rings start or on their direction. */
  ofSolid(footprints: readonly Footprint[], baseM: number, topM: number): bigint {
    this.#setPair(baseM, topM);
    let low = this.#hashOfPair(0x85ebca6b);
    let high = this.#hashOfPair(0xc2b2ae35);
    for (const { rings } of footprints) {
      for (const ring of rings) {
        for (let i = 0; i < ring.length; i += 2) {
          this.#setPair(ring[i], ring[i + 1]);
          // A sum, so that the order of the points does not matter.
          low = (low + this.#hashOfPair(0x27d4eb2f)) >>> 0;
          high = (high + this.#hashOfPair(0x165667b1)) >>> 0;
        }
      }
    }
    return this.#join(low, high);
  }

  /** The key of two halves. `#key` is a view of the same bytes as `#halves`. */
  #join(low: number, high: number): bigint {
    this.#halves[0] = low;
    this.#halves[1] = high;
    return this.#key[0] as bigint;
  }

  /** Sets the two numbers that `#hashOfPair` reads. */
  #setPair(a: number, b: number): void {
    this.#pair[0] = a;
    this.#pair[1] = b;
  }

  /** A hash of the two numbers of `#setPair`; each seed gives another one. */
  #hashOfPair(seed: number): number {
    const words = this.#words;
    let hash = seed;
    for (let i = 0; i < 4; i += 2) {
      hash = scramble(hash ^ words[i], 0x2c1b3c6d);
      hash = scramble(hash ^ words[i + 1], 0x297a2d39);
    }
    return hash >>> 0;
  }
}

/**
 * True when two solids differ at most in where their rings start and in their direction. Only heights and corners are
 * compared: the same corners in another order count as the same solid.
 */
export function sameSolid(a: Solid, b: Solid): boolean {
  if (a.baseM !== b.baseM || a.topM !== b.topM) return false;
  const [left, right] = [sortedCorners(a.footprints), sortedCorners(b.footprints)];
  return left.length === right.length && left.every((corner, i) => corner === right[i]);
}

/** What two solids are compared by. */
interface Solid {
  footprints: readonly Footprint[];
  baseM: number;
  topM: number;
}

/** The points of footprints as texts, sorted, so that their order does not matter. */
function sortedCorners(footprints: readonly Footprint[]): string[] {
  const points: string[] = [];
  for (const { rings } of footprints) {
    for (const ring of rings) for (let i = 0; i < ring.length; i += 2) points.push(`${ring[i]} ${ring[i + 1]}`);
  }
  return points.sort();
}

/** Mixes the bits of a hash, so that each depends on many of them. */
function scramble(hash: number, factor: number): number {
  const mixed = Math.imul(hash ^ (hash >>> 16), factor);
  return mixed ^ (mixed >>> 13);
}
