import { TextDecoder } from 'node:util';
import { CensusFileError } from './shapefile.ts';

/** Bytes that are decoded at a time: the text of a large file is never held. */
const PIECE = 1 << 20;

/**
 * The text decoder that suits Japanese bytes: UTF-8 when they are valid UTF-8, else cp932 (WHATWG
 * `shift_jis`, which is Microsoft's table). cp932 text of more than a few characters is never valid UTF-8,
 * so the bytes themselves say more than a declaration, which these files often lack.
 * @throws CensusFileError when they are neither
 */
export function japaneseDecoder(bytes: Uint8Array, file: string): TextDecoder {
  for (const encoding of ['utf-8', 'shift_jis']) {
    try {
      const check = new TextDecoder(encoding, { fatal: true });
      for (let at = 0; at < bytes.length; at += PIECE) check.decode(bytes.subarray(at, at + PIECE), { stream: true });
      check.decode();
      return new TextDecoder(encoding, { fatal: true });
    } catch {
      // Not this one.
    }
  }
  throw new CensusFileError(`${file}: its text is neither cp932 (Shift_JIS) nor UTF-8`);
}
