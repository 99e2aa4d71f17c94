import type { Footprint } from '../plateau/building.ts';

/**
 * Numbers by which equal IDs and equal solids are found among millions. Equal things have equal keys; the few
 * that share a key are compared in full afterwards, so a chance meeting of two keys does no harm.
 */

const halves = new Uint32Array(2);
const whole = new BigUint64Array(halves.buffer);
const number = new Float64Array(1);
const words = new Uint32Array(number.buffer);

/** Key of an ID; 0 for none. */
export function idKey(id: string | null): bigint {
  if (id === null) return 0n;
  halves[0] = 0x811c9dc5;
  halves[1] = 0x9e3779b9;
  for (let i = 0; i < id.length; i++) {
    halves[0] = Math.imul(halves[0]! ^ id.charCodeAt(i), 0x01000193);
    halves[1] = scramble(halves[1]! + id.charCodeAt(i), 0x85ebca6b);
  }
  return whole[0]!;
}

/** Key of a solid: the same wherever its rings start and whichever way they run. */
export function solidKey(footprints: readonly Footprint[], baseM: number, topM: number): bigint {
  let [low, high] = [mix(baseM, topM, 0x85ebca6b), mix(baseM, topM, 0xc2b2ae35)];
  for (const { rings } of footprints) {
    for (const ring of rings) {
      for (let i = 0; i < ring.length; i += 2) {
        low = (low + mix(ring[i]!, ring[i + 1]!, 0x27d4eb2f)) >>> 0;
        high = (high + mix(ring[i]!, ring[i + 1]!, 0x165667b1)) >>> 0;
      }
    }
  }
  halves[0] = low;
  halves[1] = high;
  return whole[0]!;
}

/** Are two solids the same but for where their rings start and which way they run? */
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

function mix(a: number, b: number, seed: number): number {
  let hash = seed;
  for (const value of [a, b]) {
    number[0] = value;
    hash = scramble(hash ^ words[0]!, 0x2c1b3c6d);
    hash = scramble(hash ^ words[1]!, 0x297a2d39);
  }
  return hash >>> 0;
}

function scramble(hash: number, factor: number): number {
  const mixed = Math.imul(hash ^ (hash >>> 16), factor);
  return mixed ^ (mixed >>> 13);
}
