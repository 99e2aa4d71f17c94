/** A small area of the national census (町丁・字等): what `town_code` stands for. */
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
