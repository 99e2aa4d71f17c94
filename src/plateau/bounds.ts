import type { Footprint } from './building.ts';

/**
 * What one building may have. What has more is damaged or meant to take time, and is left out as `too_large`: with so much, no later step
 * takes long, whatever it does with the points of one building. Of 186,204 published ones (Tokyo's six wards, Osaka, Sagamihara) none has
 * more than 1,010 faces with 6,091 points, and none is made into more than 415 points in 95 rings; the widest is 470 m, and the longest
 * building of Japan is an airport's of 1.7 km.
 */
export const MOST = {
  faces: 100_000,
  'coordinates of faces': 3_000_000,
  'references to faces': 100_000,
  'IDs around a face': 100,
  parts: 10_000,
  IDs: 1000,
  'values of attributes': 1000,
  'points of footprints': 10_000,
  'metres from side to side': 2000,
} as const;

export const beyond = (what: keyof typeof MOST): string => `more than ${MOST[what]} ${what}`;

/** The footprints of one building together: how many points they have, and how far they reach. */
export class Extent {
  #points = 0;
  #box = { south: Infinity, west: Infinity, north: -Infinity, east: -Infinity };

  /** Adds footprints. What the building then has too much of, in words: they are not added; null where it is a building. */
  add(footprints: readonly Footprint[]): string | null {
    let points = this.#points;
    let { south, west, north, east } = this.#box;
    for (const { rings } of footprints) {
      for (const ring of rings) {
        points += ring.length / 2;
        for (let i = 0; i < ring.length; i += 2) {
          south = Math.min(south, ring[i]);
          north = Math.max(north, ring[i]);
          west = Math.min(west, ring[i + 1]);
          east = Math.max(east, ring[i + 1]);
        }
      }
    }
    if (points > MOST['points of footprints']) return beyond('points of footprints');
    const perLon = METRES_PER_DEGREE * Math.cos((south * Math.PI) / 180);
    const side = Math.max((north - south) * METRES_PER_DEGREE, (east - west) * perLon);
    if (side > MOST['metres from side to side']) return beyond('metres from side to side');
    this.#points = points;
    this.#box = { south, west, north, east };
    return null;
  }
}

/** Metres of a degree of latitude, nearly. */
export const METRES_PER_DEGREE = 111_000;
