import { TextDecoder } from 'node:util';
import { CensusFileError } from './shapefile.ts';

/**
 * The text decoder that suits Japanese bytes: UTF-8 when they are valid UTF-8, else cp932 (WHATWG
 * `shift_jis`, which is Microsoft's table). cp932 text of more than a few characters is never valid UTF-8,
 * so the bytes themselves say more than a declaration, which these files often lack.
 * @throws CensusFileError when they are neither
 */
export function japaneseDecoder(bytes: Uint8Array, file: string): TextDecoder {
  for (const encoding of ['utf-8', 'shift_jis']) {
    const decoder = new TextDecoder(encoding, { fatal: true });
    try {
      decoder.decode(bytes);
      return decoder;
    } catch {
      // Not this one.
    }
  }
  throw new CensusFileError(`${file}: its text is neither cp932 (Shift_JIS) nor UTF-8`);
}
