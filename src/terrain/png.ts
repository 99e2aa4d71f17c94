import { crc32, inflateSync } from 'node:zlib';
import { ElevationFileError } from './elevation.ts';

/** An image with 8 bits for each sample. */
interface Picture {
  width: number;
  height: number;
  /** Red, green, blue and opacity of each pixel, row by row. */
  pixels: Uint8Array;
}

const SIGNATURE = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);
const MOST_SIDE = 4096;

/** The colour types that are read, and the number of samples of a pixel. */
const RGB = 2;
const PALETTE = 3;
const RGBA = 6;
const SAMPLES: Readonly<Record<number, number>> = { [RGB]: 3, [PALETTE]: 1, [RGBA]: 4 };

/** The facts of the header chunk. */
interface Header {
  width: number;
  height: number;
  /** Of a sample. */
  bits: number;
  /** Colour type. */
  colour: number;
}

/** True when the bytes begin like a PNG. */
const isPng = (bytes: Uint8Array): boolean =>
  SIGNATURE.compare(bytes, 0, Math.min(bytes.length, SIGNATURE.length)) === 0;

/**
 * Reads a PNG with colours (RGB, RGBA or a palette) that is not interlaced.
 * @throws ElevationFileError for other images and for damaged ones
 */
export function readPng(bytes: Buffer): Picture {
  if (!isPng(bytes)) throw new ElevationFileError('is no PNG');
  let header: Header | null = null;
  const data: Uint8Array[] = [];
  let [palette, opacity]: Uint8Array[] = [new Uint8Array(), new Uint8Array()];
  let hasEnd = false;
  for (let at = SIGNATURE.length; at < bytes.length && !hasEnd; ) {
    const { type, body, next } = chunkAt(bytes, at);
    if (type === 'IHDR') header = headerOf(body);
    else if (type === 'PLTE') palette = body;
    else if (type === 'tRNS') opacity = body;
    else if (type === 'IDAT') data.push(body);
    else hasEnd = type === 'IEND';
    at = next;
  }
  if (header === null || data.length === 0 || !hasEnd) throw new ElevationFileError('the PNG is cut off: get it again');
  const { width, height, bits, colour } = header;
  const stride = Math.ceil((width * bits * SAMPLES[colour]) / 8);
  const rows = unfiltered(inflated(Buffer.concat(data), height * (stride + 1)), header, stride);
  return { width, height, pixels: pixelsOf(rows, header, stride, palette, opacity) };
}

/**
 * The chunk that begins at a byte: length, type, body, checksum.
 * @throws ElevationFileError when it is cut off or its checksum does not match
 */
function chunkAt(bytes: Buffer, at: number): { type: string; body: Buffer; next: number } {
  // Length, type and checksum take four bytes each.
  const end = at + 12 <= bytes.length ? at + 12 + bytes.readUInt32BE(at) : Infinity;
  if (end > bytes.length) throw new ElevationFileError(`byte ${at}: the PNG is cut off: get it again`);
  const sum = bytes.readUInt32BE(end - 4);
  if (crc32(bytes.subarray(at + 4, end - 4)) !== sum)
    throw new ElevationFileError(`byte ${at}: the PNG is damaged (its CRC-32 does not match): get it again`);
  return { type: bytes.toString('latin1', at + 4, at + 8), body: bytes.subarray(at + 8, end - 4), next: end };
}

/**
 * Reads the body of the header chunk.
 * @throws ElevationFileError for an image that is not read
 */
function headerOf(body: Buffer): Header {
  if (body.length !== 13) throw new ElevationFileError('the PNG has a header of another length');
  const [width, height] = [body.readUInt32BE(0), body.readUInt32BE(4)];
  const [bits, colour, interlaced] = [body[8], body[9], body[12]];
  if (width === 0 || height === 0 || width > MOST_SIDE || height > MOST_SIDE)
    throw new ElevationFileError(`the PNG has ${width} × ${height} pixels; expected at most ${MOST_SIDE} a side`);
  const isSupported =
    colour === PALETTE ? [1, 2, 4, 8].includes(bits) : (colour === RGB || colour === RGBA) && bits === 8;
  if (!isSupported || interlaced !== 0) {
    const form = `colour type ${colour}, ${bits} bits${interlaced === 0 ? '' : ', interlaced'}`;
    throw new ElevationFileError(`the PNG has ${form}; expected 8-bit RGB, RGBA or a palette, not interlaced`);
  }
  return { width, height, bits, colour };
}

/**
 * The decompressed rows of the image.
 * @throws ElevationFileError when they are damaged or have another length
 */
function inflated(data: Uint8Array, expected: number): Buffer {
  let bytes: Buffer;
  try {
    bytes = inflateSync(data, { maxOutputLength: expected });
  } catch (error) {
    throw new ElevationFileError(`the pixels of the PNG are damaged (${(error as Error).message}): get it again`);
  }
  if (bytes.length === expected) return bytes;
  throw new ElevationFileError(`the PNG has ${bytes.length} bytes of pixels, expected ${expected}: get it again`);
}

/** Undoes the filters of the rows (PNG specification, 9.2). */
function unfiltered(bytes: Buffer, { height, bits, colour }: Header, stride: number): Uint8Array {
  const rows = new Uint8Array(height * stride);
  const step = Math.max(1, (bits * SAMPLES[colour]) >> 3);
  for (let row = 0; row < height; row++) {
    // Before each row there is a byte with its filter.
    const [from, to] = [row * (stride + 1) + 1, row * stride];
    const filter = bytes[from - 1];
    if (filter > 4) throw new ElevationFileError(`row ${row} of the PNG has the unknown filter ${filter}`);
    for (let i = 0; i < stride; i++) {
      const left = i >= step ? rows[to + i - step] : 0;
      const above = row > 0 ? rows[to + i - stride] : 0;
      const corner = row > 0 && i >= step ? rows[to + i - stride - step] : 0;
      rows[to + i] = bytes[from + i] + predicted(filter, left, above, corner);
    }
  }
  return rows;
}

/** The prediction of a byte by a filter: none, left, above, average, Paeth. */
function predicted(filter: number, left: number, above: number, corner: number): number {
  if (filter === 0) return 0;
  if (filter === 1) return left;
  if (filter === 2) return above;
  if (filter === 3) return (left + above) >> 1;
  // Paeth: the neighbour that is nearest to left + above − corner.
  const [dLeft, dAbove] = [Math.abs(above - corner), Math.abs(left - corner)];
  const dCorner = Math.abs(left + above - 2 * corner);
  if (dLeft <= dAbove && dLeft <= dCorner) return left;
  return dAbove <= dCorner ? above : corner;
}

/** Converts decoded rows to pixels of four bytes: red, green, blue and opacity. */
function pixelsOf(
  rows: Uint8Array,
  { width, height, bits, colour }: Header,
  stride: number,
  palette: Uint8Array,
  opacity: Uint8Array,
): Uint8Array {
  const pixels = new Uint8Array(width * height * 4);
  for (let i = 0; i < width * height; i++) {
    const [row, column] = [Math.floor(i / width), i % width];
    if (colour !== PALETTE) {
      const from = row * stride + column * SAMPLES[colour];
      for (let sample = 0; sample < 3; sample++) pixels[4 * i + sample] = rows[from + sample];
      pixels[4 * i + 3] = colour === RGBA ? rows[from + 3] : 255;
      continue;
    }
    // The number of the colour in the palette. A byte holds several, the first in its highest bits.
    const bit = column * bits;
    const entry = (rows[row * stride + (bit >> 3)] >> (8 - bits - (bit & 7))) & ((1 << bits) - 1);
    if (3 * entry + 3 > palette.length)
      throw new ElevationFileError(`pixel ${i} of the PNG has colour ${entry}, which is not in its palette`);
    for (let sample = 0; sample < 3; sample++) pixels[4 * i + sample] = palette[3 * entry + sample];
    pixels[4 * i + 3] = opacity[entry] ?? 255;
  }
  return pixels;
}
