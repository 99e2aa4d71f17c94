import Flatbush from 'flatbush';
import { pointInPolygon } from '../geo/polygon.ts';

/** A small area of the national census (町丁・字等), identified by `town_code`. */
export interface Town {
  /** KEY_CODE: 9 digits for a town without chome, 11 with. */
  townCode: string;
  /** As published, chome in kanji: `丸の内一丁目`. Null where the census gives no name. */
  name: string | null;
  /** Hiragana, chome as number + ちょうめ: `まるのうち1ちょうめ`. Null when not known. */
  reading: string | null;
  /** Prefecture and municipality, 5 digits. */
  wardCode: string;
  /** `千代田区` */
  wardName: string;
  /** Hiragana: `ちよだく`. Null when not known. */
  wardReading: string | null;
  /** Households at the census; null where the file has no such column. */
  households: number | null;
  /** Representative point: lies in the largest part of the town. Degrees, JGD2011. */
  lat: number;
  lon: number;
  /**
   * Its area: every ring of every detached part, outer rings and holes alike, to be read by the even-odd rule.
   * Each ring is `[lat, lon, lat, lon, …]` in degrees, open (the first point is not repeated).
   */
  rings: Float64Array[];
}

/**
 * The code of the whole town that a chome belongs to, which names all of its chome: the first 9 of 11 digits. Null for a
 * town without chome, whose code has 9.
 */
export function wholeTownCode(townCode: string): string | null {
  return townCode.length === 11 ? townCode.slice(0, 9) : null;
}

/** Which town a point lies in. */
export class TownIndex {
  readonly towns: readonly Town[];
  readonly #boxes: Flatbush | null;
  readonly #wards: ReadonlySet<string>;

  constructor(towns: readonly Town[]) {
    this.towns = towns;
    this.#wards = new Set(towns.map(({ wardCode }) => wardCode));
    this.#boxes = towns.length === 0 ? null : new Flatbush(towns.length);
    for (const { rings } of towns) {
      let [south, west, north, east] = [Infinity, Infinity, -Infinity, -Infinity];
      for (const ring of rings) {
        for (let i = 0; i < ring.length; i += 2) {
          south = Math.min(south, ring[i]);
          north = Math.max(north, ring[i]);
          west = Math.min(west, ring[i + 1]);
          east = Math.max(east, ring[i + 1]);
        }
      }
      this.#boxes?.add(south, west, north, east);
    }
    this.#boxes?.finish();
  }

  /** Whether there are towns of a municipality. */
  hasWard(wardCode: string): boolean {
    return this.#wards.has(wardCode);
  }

  /**
   * The town that contains a point (degrees), or null. Towns share borders without overlap; should a file hold
   * two that do overlap, the one that comes first in `towns` is taken.
   */
  townAt(lat: number, lon: number): Town | null {
    let found: number | null = null;
    for (const i of this.#boxes?.search(lat, lon, lat, lon) ?? []) {
      if ((found === null || i < found) && pointInPolygon(lat, lon, this.towns[i].rings)) found = i;
    }
    return found === null ? null : this.towns[found];
  }
}
