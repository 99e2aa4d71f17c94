import type { City } from '../../test/kernel/cities.ts';

/** The suns over one building: unit vectors east, north, up, all twelve days, one after the other. */
export interface Suns {
  directions: Float32Array;
  month: Uint8Array;
}

/** What a ray caster is asked: how many of its suns each eye sees, by month, looking past its wall's plane. */
export interface Question {
  city: City;
  /** Eyes as x, y, z, normal x, normal y, index into `suns`; six numbers each. */
  eyes: Float64Array;
  suns: Suns[];
}

export interface Answer {
  /** Per eye and month: suns seen. */
  seen: Uint16Array;
  cpuMs: number;
  bytes: number;
}
