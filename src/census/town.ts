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
 * Whether `townCode` is `code` itself or one of the chome of the town that `code` names: a 9-digit code
 * stands for all the 11-digit codes that begin with it.
 */
export const isTownWithin = (townCode: string, code: string): boolean =>
  townCode === code || (code.length === 9 && townCode.length === 11 && townCode.startsWith(code));
