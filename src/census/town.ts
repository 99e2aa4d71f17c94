import Flatbush from 'flatbush';
import { boundsOf, pointInPolygon } from '../geo/polygon.ts';

/** A small area of the national census (町丁・字等), identified by `town_code`. */
export interface Town {
  /** KEY_CODE: 9 digits for a town without chome, 11 with. */
  townCode: string;
  /** As published, with the chome in kanji: `丸の内一丁目`. Null when the census gives no name. */
  name: string | null;
  /** Hiragana, with the chome as number and ちょうめ: `まるのうち1ちょうめ`. Null when not known. */
  reading: string | null;
  /** 7 digits each, in order; empty when not known. */
  postalCodes: string[];
  /** Code of prefecture and municipality, 5 digits. */
  wardCode: string;
  /** Name of the municipality: `千代田区`. */
  wardName: string;
  /** Hiragana of the municipality: `ちよだく`. Null when not known. */
  wardReading: string | null;
  /** Households at the census; null when the file has no such column. */
  households: number | null;
  /** Representative point, in the largest part of the town. Degrees, JGD2011. */
  lat: number;
  lon: number;
  /**
   * All rings of all parts, outer rings and holes alike; the even-odd rule decides what is inside. Each ring is `[lat,
   * lon, lat, lon, …]` in degrees. The first point is not repeated.
   */
  rings: Float64Array[];
}

/**
 * The code of the town that a chome belongs to: the first 9 of its 11 digits. Null for a town without chome, whose code
 * has 9.
 */
export function wholeTownCode(townCode: string): string | null {
  return townCode.length === 11 ? townCode.slice(0, 9) : null;
}

/** Finds the town that contains a point. */
export class TownIndex {
  readonly towns: readonly Town[];
  readonly #boxes: Flatbush | null;
  readonly #wards: ReadonlySet<string>;

  constructor(towns: readonly Town[]) {
    this.towns = towns;
    this.#wards = new Set(towns.map(({ wardCode }) => wardCode));
    this.#boxes = towns.length === 0 ? null : new Flatbush(towns.length);
    for (const { rings } of towns) {
      this.#boxes?.add(...boundsOf(rings));
    }
    this.#boxes?.finish();
  }

  /** True when a municipality has towns here. */
  hasWard(wardCode: string): boolean {
    return this.#wards.has(wardCode);
  }

  /**
   * The town that contains a point (degrees), or null. Towns do not overlap. If two in a file do, the first in `towns`
   * is returned.
   */
  townAt(lat: number, lon: number): Town | null {
    let firstTown: number | null = null;
    for (const i of this.#boxes?.search(lat, lon, lat, lon) ?? []) {
      if ((firstTown === null || i < firstTown) && pointInPolygon(lat, lon, this.towns[i].rings)) firstTown = i;
    }
    return firstTown === null ? null : this.towns[firstTown];
  }
}
