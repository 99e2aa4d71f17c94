import { METRES_PER_DEGREE, RADIANS } from '../geo/degree.ts';
import type { Footprint } from './building.ts';

/**
 * The limits of one building. A building beyond them is damaged or hostile, and is left out as `too_large`. The limits
 * keep every later step short. Of 186,204 published buildings (Tokyo's six wards, Osaka, Sagamihara) none has more than
 * 1,010 faces with 6,091 points, or footprints of more than 415 points in 95 rings. The widest of them is 470 m; the
 * longest building of Japan is an airport of 1.7 km.
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

/** A limit in words, for the issue of a building that exceeds it. */
export const beyond = (what: keyof typeof MOST): string => `more than ${MOST[what]} ${what}`;

/** Sums up the footprints of one building: their points, and their extent. */
export class Extent {
  #points = 0;
  #box = { south: Infinity, west: Infinity, north: -Infinity, east: -Infinity };

  /** Adds footprints and returns null. If they exceed a limit, adds nothing and returns the limit in words. */
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
    const metresPerLon = METRES_PER_DEGREE * Math.cos(south * RADIANS);
    const side = Math.max((north - south) * METRES_PER_DEGREE, (east - west) * metresPerLon);
    if (side > MOST['metres from side to side']) return beyond('metres from side to side');
    this.#points = points;
    this.#box = { south, west, north, east };
    return null;
  }
}
