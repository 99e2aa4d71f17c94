import { convertIndexedToRgb, type DecodedPng, decode, hasPngSignature, type PngDataArray } from 'fast-png';
import { RADIANS } from '../geo/degree.ts';
import { EQUATOR_M, type Tile, tileBox } from '../geo/web-tile.ts';
import { ElevationFileError } from './elevation.ts';

/**
 * Elevation tiles of 国土地理院 (https://maps.gsi.go.jp/development/demtile.html): 256 × 256 heights in Web Mercator, as PNG
 * or as text with commas.
 */
export const TILE_SIDE = 256;

const MOST_ZOOM = 20;
/** A path that ends with the zoom, the column and the row of a tile. */
const TILE_PATH = /(?:^|[/\\])(\d{1,2})[/\\](\d{1,7})[/\\](\d{1,7})\.(?:png|txt|csv)$/i;
/** Unit of the numbers in a PNG tile, metres. */
const UNIT_M = 0.01;
/** The number of a pixel without a height. Larger numbers are negative heights. */
const NO_DATA = 2 ** 23;
/** The byte where a PNG says its width, and then its height. */
const PNG_SIZE_AT = 16;

/** The tile of a path that ends in `{z}/{x}/{y}.png` or `.txt`; null for other paths. */
export function tilePlaceOf(path: string): Tile | null {
  const [z, x, y] = (TILE_PATH.exec(path) ?? []).slice(1).map(Number);
  if (z === undefined || z > MOST_ZOOM || x >= 2 ** z || y >= 2 ** z) return null;
  return { z, x, y };
}

/** Distance between the pixels of a tile, metres. */
export function tileSpacing({ z, x, y }: Tile): number {
  const { south, north } = tileBox({ z, x, y });
  return (EQUATOR_M / (TILE_SIDE * 2 ** z)) * Math.cos(((south + north) / 2) * RADIANS);
}

/**
 * The heights of a PNG tile: red, green and blue of a pixel are one number of 24 bits.
 * @throws ElevationFileError when it is damaged or not a tile
 */
export function heightsOfPng(bytes: Buffer): Float32Array {
  checkPngHeader(bytes);
  const { samples, channels } = colours(bytes);
  return Float32Array.from({ length: TILE_SIDE ** 2 }, (_, i) => {
    const [red, green, blue, opacity = 255] = samples.subarray(channels * i, channels * (i + 1));
    const number = red * 2 ** 16 + green * 2 ** 8 + blue;
    if (number === NO_DATA || opacity === 0) return Number.NaN;
    return UNIT_M * (number < NO_DATA ? number : number - 2 ** 24);
  });
}

/**
 * Checks what a PNG says of its size, before memory is taken for its pixels.
 * @throws ElevationFileError when it is no PNG, or not as large as a tile
 */
function checkPngHeader(bytes: Buffer): void {
  if (!hasPngSignature(bytes)) throw new ElevationFileError('is no PNG');
  if (bytes.length < PNG_SIZE_AT + 8) throw new ElevationFileError('the PNG is cut off: get it again');
  const [width, height] = [bytes.readUInt32BE(PNG_SIZE_AT), bytes.readUInt32BE(PNG_SIZE_AT + 4)];
  if (width !== TILE_SIDE || height !== TILE_SIDE)
    throw new ElevationFileError(`has ${width} × ${height} pixels; expected ${TILE_SIDE} × ${TILE_SIDE}`);
}

/**
 * Red, green, blue and, with four channels, the opacity of each pixel, row by row.
 * @throws ElevationFileError when the image is damaged or has no colours of 8 bits
 */
function colours(bytes: Buffer): { samples: Uint8Array; channels: number } {
  let image: DecodedPng;
  let samples: PngDataArray;
  try {
    image = decode(bytes, { checkCrc: true });
    samples = image.palette === undefined ? image.data : convertIndexedToRgb(image);
  } catch (error) {
    throw new ElevationFileError(`the PNG is damaged (${(error as Error).message}): get it again`, { cause: error });
  }
  // The size was checked before (`checkPngHeader`).
  const channels = samples.length / TILE_SIDE ** 2;
  if (samples instanceof Uint8Array && (channels === 3 || channels === 4)) return { samples, channels };
  throw new ElevationFileError(
    `the PNG has ${image.channels} channels of ${image.depth} bits; expected RGB, RGBA or a palette, of 8 bits`,
  );
}

/**
 * The heights of a text tile: `e` is no data.
 * @throws ElevationFileError when it is damaged or not a tile
 */
export function heightsOfText(bytes: Buffer): Float32Array {
  const lines = bytes.toString('latin1').trimEnd().split(/\r?\n/);
  if (lines.length !== TILE_SIDE)
    throw new ElevationFileError(`expected ${TILE_SIDE} lines, found ${lines.length}: get it again`);
  const heights = new Float32Array(TILE_SIDE ** 2);
  for (const [row, line] of lines.entries()) {
    const values = line.split(',');
    if (values.length !== TILE_SIDE)
      throw new ElevationFileError(`line ${row + 1}: expected ${TILE_SIDE} values, found ${values.length}`);
    for (const [column, value] of values.entries()) heights[row * TILE_SIDE + column] = heightOfValue(value, row);
  }
  return heights;
}

/**
 * The height in metres; NaN for `e`, a place without a height.
 * @throws ElevationFileError for another text
 */
function heightOfValue(value: string, row: number): number {
  const text = value.trim();
  if (text === 'e') return Number.NaN;
  if (/^-?\d+(\.\d*)?$/.test(text)) return Number(text);
  throw new ElevationFileError(`line ${row + 1}: "${text.slice(0, 20)}"; expected a height in metres, or e`);
}
