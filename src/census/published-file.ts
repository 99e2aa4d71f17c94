import { TextDecoder } from 'node:util';
import { isInJapan } from '../geo/grid-square.ts';

/** The input is not a valid file of its kind. The message names the file and the place in it. */
export class PublishedFileError extends Error {
  override name = 'PublishedFileError';
}

/**
 * Checks that coordinates are longitude and latitude in Japan, degrees. A `.prj` may be wrong or missing.
 * @param parts `[x, y, …]` of each
 * @param where file and record, for the message
 * @throws PublishedFileError with the first point that is not in Japan
 */
export function checkInJapan(parts: readonly Float64Array[], where: string): void {
  for (const part of parts) {
    for (let i = 0; i + 1 < part.length; i += 2) {
      const [lon, lat] = [part[i], part[i + 1]];
      if (isInJapan(lat, lon)) continue;
      throw new PublishedFileError(
        `${where}: point ${lon}, ${lat} is not longitude and latitude of a place in Japan; expected degrees of JGD2011`,
      );
    }
  }
}

/** Bytes decoded at a time, so that the text of a large file is never in memory as a whole. */
const PIECE = 1024 * 1024;

/**
 * Chooses the decoder for Japanese bytes: UTF-8 when they are valid UTF-8, otherwise cp932 (WHATWG `shift_jis`, which
 * is Microsoft's table). cp932 text of more than a few characters is never valid UTF-8. So the bytes decide; many of
 * these files declare no encoding.
 * @throws PublishedFileError when they are neither
 */
export function japaneseDecoder(bytes: Uint8Array, file: string): TextDecoder {
  for (const encoding of ['utf-8', 'shift_jis']) {
    try {
      const check = new TextDecoder(encoding, { fatal: true });
      // In pieces: the text of a whole file is not needed here.
      for (let at = 0; at < bytes.length; at += PIECE) check.decode(bytes.subarray(at, at + PIECE), { stream: true });
      check.decode();
      return new TextDecoder(encoding, { fatal: true });
    } catch {
      // Try the next encoding.
    }
  }
  throw new PublishedFileError(`${file}: its text is neither cp932 (Shift_JIS) nor UTF-8: convert it to one of them`);
}
