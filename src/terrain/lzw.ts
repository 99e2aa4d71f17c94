import { ElevationFileError } from './elevation.ts';

const CLEAR = 256;
const END = 257;
const MOST_CODES = 4096;

/**
 * Unpacks LZW of TIFF 6.0 (section 13): codes of 9 to 12 bits, the highest bit first.
 * @param most limit of the unpacked bytes
 * @throws ElevationFileError for an invalid code
 */
export function unpackLzw(packed: Uint8Array, most: number): Uint8Array {
  const out = new Uint8Array(most);
  /** Each code is the text of an earlier code with one more byte. */
  const before = new Uint16Array(MOST_CODES);
  const last = Uint8Array.from({ length: MOST_CODES }, (_, code) => code);
  const first = Uint8Array.from({ length: MOST_CODES }, (_, code) => code);
  const lengths = new Uint16Array(MOST_CODES).fill(1);
  let [next, width, previous] = [END + 1, 9, -1];
  let [bits, held, written] = [0, 0, 0];
  for (const byte of packed) {
    bits = ((bits << 8) | byte) & 0xffffff;
    held += 8;
    if (held < width) continue;
    held -= width;
    const code = (bits >> held) & ((1 << width) - 1);
    if (code === END || written >= most) break;
    if (code === CLEAR) {
      [next, width, previous] = [END + 1, 9, -1];
      continue;
    }
    if (code > next || (code >= next && previous < 0) || (previous < 0 && code > 255))
      throw new ElevationFileError(`code ${code} of LZW, where at most ${next} can be`);
    if (previous >= 0 && next < MOST_CODES) {
      before[next] = previous;
      first[next] = first[previous];
      last[next] = code === next ? first[previous] : first[code];
      lengths[next] = lengths[previous] + 1;
      next++;
    }
    const length = lengths[code];
    for (let at = code, i = written + length - 1; i >= written; i--, at = before[at]) if (i < most) out[i] = last[at];
    written += length;
    previous = code;
    // Codes become longer one code early. The first writers of TIFF did so, and the format kept it.
    if (next >= (1 << width) - 1 && width < 12) width++;
  }
  return out.subarray(0, Math.min(written, most));
}
