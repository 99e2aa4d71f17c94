import type { City } from '../../test/kernel/cities.ts';

/** The suns over a building: unit vectors east, north, up, of all twelve days in order. */
export interface Suns {
  directions: Float32Array;
  month: Uint8Array;
}

/**
 * The input of a ray caster. It must count the suns that each eye sees, by month, in front of the plane of its wall.
 */
export interface Question {
  city: City;
  /** Eyes as x, y, z, normal x, normal y, index into `suns`; six numbers each. */
  eyes: Float64Array;
  suns: Suns[];
}

export interface Answer {
  /** The number of suns seen, by eye and month. */
  seen: Uint16Array;
  cpuMs: number;
  bytes: number;
}
