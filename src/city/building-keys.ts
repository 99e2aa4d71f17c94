import type { Footprint } from '../plateau/building.ts';

/**
 * Numbers that find equal IDs and equal solids among millions. Equal things have equal keys. Things with the same key
 * are then compared in full, so accidental matches do no harm.
 */

/** Makes keys. It reuses its memory. */
export class BuildingKeys {
  readonly #halves = new Uint32Array(2);
  readonly #whole = new BigUint64Array(this.#halves.buffer);
  readonly #pair = new Float64Array(2);
  readonly #words = new Uint32Array(this.#pair.buffer);

  /** Key of an ID; 0 for null. */
  ofId(id: string | null): bigint {
    if (id === null) return 0n;
    let [low, high] = [0x811c9dc5, 0x9e3779b9];
    for (let i = 0; i < id.length; i++) {
      low = Math.imul(low ^ id.charCodeAt(i), 0x01000193);
      high = scramble((high + id.charCodeAt(i)) >>> 0, 0x85ebca6b);
    }
    return this.#join(low, high);
  }

  /** Key of a solid. It does not depend on where the rings start or on their direction. */
  ofSolid(footprints: readonly Footprint[], baseM: number, topM: number): bigint {
    this.#take(baseM, topM);
    let low = this.#mixed(0x85ebca6b);
    let high = this.#mixed(0xc2b2ae35);
    for (const { rings } of footprints) {
      for (const ring of rings) {
        for (let i = 0; i < ring.length; i += 2) {
          this.#take(ring[i], ring[i + 1]);
          low = (low + this.#mixed(0x27d4eb2f)) >>> 0;
          high = (high + this.#mixed(0x165667b1)) >>> 0;
        }
      }
    }
    return this.#join(low, high);
  }

  #join(low: number, high: number): bigint {
    this.#halves[0] = low;
    this.#halves[1] = high;
    return this.#whole[0] as bigint;
  }

  #take(a: number, b: number): void {
    this.#pair[0] = a;
    this.#pair[1] = b;
  }

  /** A number made of the two numbers of `#take`. */
  #mixed(seed: number): number {
    const words = this.#words;
    let hash = seed;
    for (let i = 0; i < 4; i += 2) {
      hash = scramble(hash ^ words[i], 0x2c1b3c6d);
      hash = scramble(hash ^ words[i + 1], 0x297a2d39);
    }
    return hash >>> 0;
  }
}

/** True when two solids differ at most in where their rings start and in their direction. */
export function sameSolid(a: Solid, b: Solid): boolean {
  if (a.baseM !== b.baseM || a.topM !== b.topM) return false;
  const [left, right] = [corners(a.footprints), corners(b.footprints)];
  return left.length === right.length && left.every((corner, i) => corner === right[i]);
}

interface Solid {
  footprints: readonly Footprint[];
  baseM: number;
  topM: number;
}

function corners(footprints: readonly Footprint[]): string[] {
  const found: string[] = [];
  for (const { rings } of footprints) {
    for (const ring of rings) for (let i = 0; i < ring.length; i += 2) found.push(`${ring[i]} ${ring[i + 1]}`);
  }
  return found.sort();
}

function scramble(hash: number, factor: number): number {
  const mixed = Math.imul(hash ^ (hash >>> 16), factor);
  return mixed ^ (mixed >>> 13);
}
