import { inflateSync } from 'node:zlib';
import { DEGREES, METRES_PER_DEGREE, RADIANS } from '../geo/degree.ts';
import type { Box } from '../geo/grid-square.ts';
import { MERCATOR_RADIUS } from '../geo/web-tile.ts';
import { ElevationFileError, latitudeOfMercator } from './elevation.ts';

/**
 * Elevation as GeoTIFF: one band of numbers, in strips or tiles, by TIFF 6.0 (and BigTIFF) and OGC GeoTIFF 1.1. It is
 * read in two steps: `readTiff` reads the layout with the position of each block, `readTiffBlock` the heights of one
 * block.
 */
/** Limit of the columns and of the rows of an image. */
const MOST_SIDE = 2 ** 20;
/** Limit of the cells of a strip or tile, which must fit in memory. */
const MOST_BLOCK_CELLS = 2 ** 25;
/** Thin strips are read together, up to this number of cells. */
const CELLS_TOGETHER = 2 ** 18;
const MOST_BLOCKS = 2 ** 21;
/** A strip may be packed with more rows than the image has. */
const MOST_EXTRA_BYTES = 2 ** 26;
const MOST_TAGS = 500;

/** The tags that are read. */
const TAG = {
  width: 256,
  height: 257,
  bits: 258,
  compression: 259,
  stripOffsets: 273,
  samples: 277,
  rowsPerStrip: 278,
  stripBytes: 279,
  predictor: 317,
  tileWidth: 322,
  tileHeight: 323,
  tileOffsets: 324,
  tileBytes: 325,
  format: 339,
  scale: 33550,
  tiepoint: 33922,
  transformation: 34264,
  geoKeys: 34735,
  noData: 42113,
} as const;
/** Bytes of a value of each type of a tag; 0: not used here. */
const TYPE_BYTES = [0, 1, 1, 2, 4, 8, 1, 1, 2, 4, 8, 4, 8, 4, 0, 0, 8, 8, 8];

/** Values of the tag `compression`. */
const [NONE, LZW, DEFLATE, OLD_DEFLATE] = [1, 5, 8, 32946];
/** Values of the tag `format`. */
const [UNSIGNED, SIGNED, FLOAT] = [1, 2, 3];
/** Values of the tag `predictor`. */
const [HORIZONTAL, FLOATING] = [2, 3];
/** Types of the values of tags. An IFD value is the offset of a directory. */
const [UINT16, UINT32, INT8, INT16, INT32, FLOAT32, FLOAT64, IFD] = [3, 4, 6, 8, 9, 11, 12, 13];
/** Their types of 64 bits. */
const [UINT64, INT64, IFD64] = [16, 17, 18];

/**
 * Keys of GeoTIFF: the geographic and the projected coordinate system, and whether a height is that of a cell or of a
 * point.
 */
const [GEOGRAPHIC_KEY, PROJECTED_KEY, RASTER_TYPE_KEY] = [2048, 3072, 1025];
const PIXEL_IS_POINT = 2;

/** Geographic systems whose degrees agree with JGD2011 to a few metres, and Web Mercator. */
const GEOGRAPHIC: readonly number[] = [4326, 6668, 6697, 4612, 4979];
const WEB_MERCATOR: readonly number[] = [3857, 3785, 900913];

/** Reads bytes of a file; fewer at its end. */
type ReadBytes = (offset: number, length: number) => Buffer;

/** The layout of the numbers in a file. */
export interface TiffLayout {
  littleEndian: boolean;
  compression: number;
  predictor: number;
  bits: number;
  format: number;
  noData: number | null;
  /** Columns of a strip or tile, including those beyond the edge of the image. */
  stride: number;
}

/** A tile, or some consecutive strips. */
export interface TiffBlock extends Box {
  columns: number;
  rows: number;
  /** Offset and length in the file (bytes), and rows, of its tile or of each of its strips. */
  pieces: { offset: number; bytes: number; rows: number }[];
}

/** The layout of an image. */
interface Tiff {
  layout: TiffLayout;
  blocks: TiffBlock[];
  mercator: boolean;
  /** Metres between the centres of cells, north to south. */
  spacing: number;
}

const isTiff = (bytes: Buffer): boolean => /^(II[*+]\0|MM\0[*+])/.test(bytes.toString('latin1', 0, 4));

/**
 * The layout of a file.
 * @throws {ElevationFileError} When the file is damaged or has a form that is not read.
 */
export function readTiff(read: ReadBytes, size: number): Tiff {
  const tags = new Tags(read, size);
  const [width, height] = [tags.one(TAG.width), tags.one(TAG.height)];
  if (!(width > 0 && height > 0 && width <= MOST_SIDE && height <= MOST_SIDE))
    throw new ElevationFileError(`has ${width} × ${height} cells; expected at most ${MOST_SIDE} a side`);
  const { mercator, extent } = extentOf(tags, width, height);
  const layout = { ...layoutOf(tags), stride: tags.one(TAG.tileWidth, width) };
  const blocks = blocksOf(tags, layout, width, height, size).map((block) => ({
    ...block,
    ...extentOfBlock(extent, block, width, height, mercator),
  }));
  return { layout, blocks, mercator, spacing: spacingOf(extent, height, mercator) };
}

/**
 * The heights of a block, row by row.
 * @throws {ElevationFileError} When its bytes are damaged.
 */
export function readTiffBlock(read: ReadBytes, layout: TiffLayout, block: TiffBlock): Float32Array {
  const { columns, rows, pieces } = block;
  const heights = new Float32Array(columns * rows).fill(Number.NaN);
  let row = 0;
  for (const piece of pieces) {
    // A tile or strip without bytes has no data: its heights stay NaN. Sparse files omit tiles in this way.
    if (piece.bytes > 0) {
      const numbers = numbersOf(read, layout, piece);
      copyHeights(
        numbers,
        layout,
        { columns, rows: Math.min(piece.rows, rows - row) },
        heights.subarray(row * columns),
      );
    }
    row += piece.rows;
  }
  return heights;
}

/** The version number of a BigTIFF. */
const BIG_TIFF = 43;

/** The tags of the first image of a file. */
class Tags {
  readonly #values = new Map<number, { type: number; count: number; at: number }>();
  readonly #read: ReadBytes;
  readonly #size: number;
  readonly littleEndian: boolean;

  constructor(read: ReadBytes, size: number) {
    this.#read = read;
    this.#size = size;
    const head = read(0, 16);
    if (!isTiff(head)) throw new ElevationFileError('is no TIFF');
    this.littleEndian = head[0] === 0x49;
    const isBig = this.#number(head, UINT16, 2) === BIG_TIFF;
    // In a BigTIFF offsets and counts have 64 bits. A value that fits the place of an offset stands there itself.
    const [entryBytes, inlineBytes, countBytes] = isBig ? [20, 8, 8] : [12, 4, 2];
    const offsetType = isBig ? UINT64 : UINT32;
    const at = isBig ? this.#number(head, UINT64, 8) : this.#number(head, UINT32, 4);
    const count = this.#number(this.#bytes(at, countBytes), isBig ? UINT64 : UINT16, 0);
    if (!(count > 0 && count <= MOST_TAGS))
      throw new ElevationFileError(`byte ${at}: ${count} tags; expected 1 to ${MOST_TAGS}: the TIFF is damaged`);
    const first = at + countBytes;
    const entries = this.#bytes(first, count * entryBytes);
    for (let i = 0; i < count; i++) {
      const entry = entries.subarray(i * entryBytes, (i + 1) * entryBytes);
      const [tag, type] = [this.#number(entry, UINT16, 0), this.#number(entry, UINT16, 2)];
      const values = this.#number(entry, offsetType, 4);
      const inlineAt = entryBytes - inlineBytes;
      const isInline = (TYPE_BYTES[type] ?? 0) * values <= inlineBytes;
      const offset = isInline ? first + i * entryBytes + inlineAt : this.#number(entry, offsetType, inlineAt);
      this.#values.set(tag, { type, count: values, at: offset });
    }
  }

  /** The values of a tag; none when it is absent. */
  all(tag: number, most: number): number[] {
    const entry = this.#values.get(tag);
    if (entry === undefined) return [];
    const { type, count, at } = entry;
    const size = TYPE_BYTES[type] ?? 0;
    if (size === 0 || count > most)
      throw new ElevationFileError(`tag ${tag} has ${count} values of type ${type}: the TIFF is damaged`);
    const bytes = this.#bytes(at, size * count);
    return Array.from({ length: count }, (_, i) => this.#number(bytes, type, i * size));
  }

  /** The value of a tag, the first of several, or `otherwise` when it is absent. */
  one(tag: number, otherwise?: number): number {
    const [value = otherwise] = this.all(tag, MOST_BLOCKS);
    if (value === undefined) throw new ElevationFileError(`has no tag ${tag}: the TIFF is damaged`);
    return value;
  }

  /** Whether the file has a tag. */
  has(tag: number): boolean {
    return this.#values.has(tag);
  }

  /** The text of a tag, or null. */
  text(tag: number): string | null {
    const bytes = this.all(tag, 1000);
    return bytes.length === 0 ? null : String.fromCharCode(...bytes.filter((byte) => byte > 0)).trim();
  }

  /** @throws {ElevationFileError} When the file ends before. */
  #bytes(at: number, length: number): Buffer {
    const bytes = at + length <= this.#size ? this.#read(at, length) : null;
    if (bytes?.length === length) return bytes;
    throw new ElevationFileError(`byte ${at}: the TIFF is cut off: get it again`);
  }

  /**
   * Reads one number of `bytes` at an offset.
   * @param type the code of the TIFF specification; codes without a case below are unsigned bytes
   */
  #number(bytes: Buffer, type: number, at: number): number {
    const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
    switch (type) {
      case UINT16:
        return view.getUint16(at, this.littleEndian);
      case INT16:
        return view.getInt16(at, this.littleEndian);
      case UINT32:
      case IFD:
        return view.getUint32(at, this.littleEndian);
      case INT32:
        return view.getInt32(at, this.littleEndian);
      case FLOAT32:
        return view.getFloat32(at, this.littleEndian);
      case FLOAT64:
        return view.getFloat64(at, this.littleEndian);
      case UINT64:
      case IFD64:
        return Number(view.getBigUint64(at, this.littleEndian));
      case INT64:
        return Number(view.getBigInt64(at, this.littleEndian));
      case INT8:
        return view.getInt8(at);
      default:
        return view.getUint8(at);
    }
  }
}

/**
 * The layout of the numbers.
 * @throws {ElevationFileError} When it is not one that is read.
 */
function layoutOf(tags: Tags): Omit<TiffLayout, 'stride'> {
  const samples = tags.one(TAG.samples, 1);
  if (samples !== 1) throw new ElevationFileError(`has ${samples} bands; expected one, of heights`);
  const [bits, format] = [tags.one(TAG.bits, 1), tags.one(TAG.format, UNSIGNED)];
  const isInteger = format === UNSIGNED || format === SIGNED;
  if (!(isInteger && [8, 16, 32].includes(bits)) && !(format === FLOAT && [32, 64].includes(bits)))
    throw new ElevationFileError(
      `has numbers of ${bits} bits, sample format ${format}; ` +
        'expected whole numbers of 8, 16 or 32 bits, or floats of 32 or 64',
    );
  const [compression, predictor] = [tags.one(TAG.compression, NONE), tags.one(TAG.predictor, 1)];
  if (![NONE, LZW, DEFLATE, OLD_DEFLATE].includes(compression))
    throw new ElevationFileError(
      `is packed by method ${compression}; expected none, LZW or deflate: gdal_translate -co COMPRESS=DEFLATE converts it`,
    );
  if (predictor > FLOATING || (predictor === FLOATING && format !== FLOAT))
    throw new ElevationFileError(`has predictor ${predictor}; expected 1, 2, or 3 with floats`);
  const text = tags.text(TAG.noData);
  const noData = text === null || text === '' ? null : Number(text);
  return { littleEndian: tags.littleEndian, compression, predictor, bits, format, noData };
}

/**
 * The extent of the image, in degrees, or in metres of Web Mercator.
 * @throws {ElevationFileError} When its coordinate system or its position is not one that is read.
 */
function extentOf(tags: Tags, width: number, height: number): { mercator: boolean; extent: Box } {
  const keys = tags.all(TAG.geoKeys, 4000);
  // Four numbers are the head. Then each key has four: its ID, 0 when the last of the four is its value, a count, the
  // value.
  const key = (id: number): number | null => {
    for (let i = 4; i + 3 < keys.length; i += 4) if (keys[i] === id && keys[i + 1] === 0) return keys[i + 3];
    return null;
  };
  const [geographic, projected] = [key(GEOGRAPHIC_KEY), key(PROJECTED_KEY)];
  const mercator = projected !== null && WEB_MERCATOR.includes(projected);
  const isSupported = mercator || (projected === null && geographic !== null && GEOGRAPHIC.includes(geographic));
  if (!isSupported) {
    const system = projected === null && geographic === null ? 'names no system' : `EPSG:${projected ?? geographic}`;
    throw new ElevationFileError(
      `coordinate system: ${system}; expected EPSG:6668, 4326, 4612 or 3857: gdalwarp -t_srs EPSG:6668 converts it`,
    );
  }
  const [west, dx, north, dy] = cornerOf(tags);
  // The height of a point counts for the cell around it.
  const shift = key(RASTER_TYPE_KEY) === PIXEL_IS_POINT ? 0.5 : 0;
  const [left, top] = [west - shift * dx, north + shift * dy];
  const extent = { west: left, south: top - height * dy, east: left + width * dx, north: top };
  if (!Object.values(extent).every(Number.isFinite) || !(dx > 0 && dy > 0))
    throw new ElevationFileError(
      `cells of ${dx} × ${dy}; expected columns to the east and rows to the south: gdalwarp puts it right`,
    );
  return { mercator, extent };
}

/** Limit of the numbers of the tiepoints, six for each: with more the file is damaged. */
const MOST_TIEPOINT_NUMBERS = 6000;

/** West edge and width of a column, north edge and height of a row; the sizes are NaN when they are not stated. */
function cornerOf(tags: Tags): [west: number, dx: number, north: number, dy: number] {
  if (tags.has(TAG.transformation)) {
    // A matrix of 4 × 4, row by row: x = a · column + b · row + d, y = e · column + f · row + h.
    const [a, b, , d, e, f, , h] = tags.all(TAG.transformation, 16);
    if (b !== 0 || e !== 0)
      throw new ElevationFileError('is turned; expected rows from west to east: gdalwarp turns it');
    return [d, a, h, -f];
  }
  const [dx = Number.NaN, dy = Number.NaN] = tags.all(TAG.scale, 3);
  // The point in column i and row j lies at x, y. A file may have more points, which are not used.
  const [i, j, , x, y] = tags.all(TAG.tiepoint, MOST_TIEPOINT_NUMBERS);
  if (y === undefined) throw new ElevationFileError('says not where it lies (no tiepoint): it is a TIFF, no GeoTIFF');
  return [x - i * dx, dx, y + j * dy, dy];
}

/** A block with its first column and row in the image. */
type PlacedBlock = Omit<TiffBlock, keyof Box> & { column: number; row: number };

/**
 * The tiles or strips of an image, row by row. Small strips that follow each other are one block.
 * @param size of the file, bytes
 * @throws {ElevationFileError} When the tiles or strips are too large, too few, or end after the file.
 */
function blocksOf(tags: Tags, layout: TiffLayout, width: number, height: number, size: number): PlacedBlock[] {
  const isTiled = tags.has(TAG.tileOffsets);
  // Of a tile or strip.
  const [columns, rows] = isTiled
    ? [layout.stride, tags.one(TAG.tileHeight)]
    : [width, Math.min(height, tags.one(TAG.rowsPerStrip, height))];
  if (!(columns > 0 && rows > 0 && columns * rows <= MOST_BLOCK_CELLS))
    throw new ElevationFileError(
      `has strips or tiles of ${columns} × ${rows} cells; expected at most ${MOST_BLOCK_CELLS} cells: ` +
        'gdal_translate -co TILED=YES makes them small',
    );
  const [across, down] = [Math.ceil(width / columns), Math.ceil(height / rows)];
  const places = placesOf(tags, across * down, size);
  const stripsOfBlock = isTiled ? 1 : Math.max(1, Math.floor(CELLS_TOGETHER / (columns * rows)));
  const blocks: PlacedBlock[] = [];
  for (let first = 0; first < places.length; first += stripsOfBlock) {
    const [row, column] = [Math.floor(first / across) * rows, (first % across) * columns];
    const pieces = places.slice(first, first + stripsOfBlock).map((place, i) => ({
      ...place,
      // The last strip ends with the image; a tile reaches beyond it.
      rows: isTiled ? rows : Math.min(rows, height - row - i * rows),
    }));
    const blockRows = Math.min(height - row, rows * pieces.length);
    blocks.push({ column, row, columns: Math.min(columns, width - column), rows: blockRows, pieces });
  }
  return blocks;
}

/**
 * Where the tiles or strips are in the file, and their lengths, in bytes.
 * @param expected how many there are
 * @param size of the file, bytes
 * @throws {ElevationFileError} When there are more or fewer, or one ends after the file.
 */
function placesOf(tags: Tags, expected: number, size: number): { offset: number; bytes: number }[] {
  const isTiled = tags.has(TAG.tileOffsets);
  const offsets = tags.all(isTiled ? TAG.tileOffsets : TAG.stripOffsets, MOST_BLOCKS);
  const bytes = tags.all(isTiled ? TAG.tileBytes : TAG.stripBytes, MOST_BLOCKS);
  if (offsets.length !== expected || bytes.length !== offsets.length)
    throw new ElevationFileError(
      `has ${offsets.length} strips or tiles with ${bytes.length} lengths; expected ${expected}: the TIFF is damaged`,
    );
  const beyond = offsets.findIndex((offset, i) => offset + bytes[i] > size);
  if (beyond >= 0)
    throw new ElevationFileError(
      `strip or tile ${beyond + 1} ends at byte ${offsets[beyond] + bytes[beyond]}, the file at ${size}: ` +
        'it is cut off: get it again',
    );
  return offsets.map((offset, i) => ({ offset, bytes: bytes[i] }));
}

/**
 * The extent of a block of an image, degrees.
 * @param extent of the whole image: degrees, or metres of Mercator
 * @param width of the image, cells; `height`, too
 */
function extentOfBlock(
  { west, south, east, north }: Box,
  { column, row, columns, rows }: PlacedBlock,
  width: number,
  height: number,
  mercator: boolean,
): Box {
  const x = (at: number): number => west + ((east - west) * at) / width;
  const y = (at: number): number => north - ((north - south) * at) / height;
  const longitude = (at: number): number => (mercator ? (x(at) / MERCATOR_RADIUS) * DEGREES : x(at));
  const latitude = (at: number): number => (mercator ? latitudeOfMercator(y(at) / MERCATOR_RADIUS) : y(at));
  return {
    west: longitude(column),
    south: latitude(row + rows),
    east: longitude(column + columns),
    north: latitude(row),
  };
}

/**
 * The distance between the centres of two rows of cells, metres.
 * @param extent of the image: degrees, or metres of Mercator
 * @param rows number of rows of the image
 */
function spacingOf({ south, north }: Box, rows: number, mercator: boolean): number {
  const spacing = (north - south) / rows;
  if (!mercator) return spacing * METRES_PER_DEGREE;
  // Mercator draws a metre on the ground longer by 1 / cos(latitude).
  const middle = latitudeOfMercator((south + north) / 2 / MERCATOR_RADIUS);
  return spacing * Math.cos(middle * RADIANS);
}

/**
 * The numbers of a strip or tile, decompressed, with predictors undone.
 * @throws {ElevationFileError} When the bytes are damaged.
 */
function numbersOf(read: ReadBytes, layout: TiffLayout, piece: TiffBlock['pieces'][number]): DataView {
  const { compression, bits, stride } = layout;
  const { offset, bytes: length, rows } = piece;
  const expected = (bits / 8) * stride * rows;
  const packed = read(offset, length);
  const where = `strip or tile at byte ${offset}`;
  if (packed.length !== length) throw new ElevationFileError(`${where}: is cut off: get it again`);
  let bytes: Uint8Array;
  try {
    // A strip may have more rows than the image: they are ignored.
    if (compression === NONE) bytes = packed;
    else if (compression === LZW) bytes = unpackLzw(packed, expected);
    else bytes = inflateSync(packed, { maxOutputLength: expected + MOST_EXTRA_BYTES });
  } catch (error) {
    throw new ElevationFileError(`${where}: is damaged (${(error as Error).message}): get it again`);
  }
  if (bytes.length < expected)
    throw new ElevationFileError(`${where}: has ${bytes.length} bytes, expected ${expected}: it is damaged`);
  // A copy, because undoing a predictor changes the bytes.
  const copy = Uint8Array.from(bytes.subarray(0, expected));
  if (layout.predictor === FLOATING) return undoFloating(copy, layout, rows);
  if (layout.predictor === HORIZONTAL) undoHorizontal(copy, layout, rows);
  return new DataView(copy.buffer);
}

/**
 * Undoes, in `bytes`, the predictor that stores each number as the difference from its left neighbour (TIFF 6.0, section
 * 14). A row has `stride` numbers.
 */
function undoHorizontal(bytes: Uint8Array, { bits, stride, littleEndian }: TiffLayout, rows: number): void {
  if (bits === 64) throw new ElevationFileError('has predictor 2 with floats of 64 bits, which is not read');
  const view = new DataView(bytes.buffer);
  for (let row = 0; row < rows; row++) {
    for (let i = row * stride + 1; i < (row + 1) * stride; i++) {
      if (bits === 8) bytes[i] += bytes[i - 1];
      else if (bits === 16)
        view.setUint16(
          2 * i,
          view.getUint16(2 * i, littleEndian) + view.getUint16(2 * i - 2, littleEndian),
          littleEndian,
        );
      else
        view.setUint32(
          4 * i,
          view.getUint32(4 * i, littleEndian) + view.getUint32(4 * i - 4, littleEndian),
          littleEndian,
        );
    }
  }
}

/**
 * Undoes the predictor of floats: a row is stored as the highest bytes of its numbers, then the next bytes and so on,
 * all as differences from the byte before (TIFF Technical Note 3). A row has `stride` numbers. Changes `bytes`.
 */
function undoFloating(bytes: Uint8Array, { bits, stride, littleEndian }: TiffLayout, rows: number): DataView {
  const size = bits / 8;
  const numbers = new Uint8Array(bytes.length);
  for (let row = 0; row < rows; row++) {
    const from = row * stride * size;
    for (let i = 1; i < stride * size; i++) bytes[from + i] += bytes[from + i - 1];
    for (let column = 0; column < stride; column++) {
      for (let byte = 0; byte < size; byte++) {
        const to = from + column * size + (littleEndian ? size - 1 - byte : byte);
        numbers[to] = bytes[from + byte * stride + column];
      }
    }
  }
  return new DataView(numbers.buffer);
}

/** Copies the numbers of a strip or tile to the heights of its block. No data becomes NaN. */
function copyHeights(
  view: DataView,
  { bits, format, littleEndian, noData, stride }: TiffLayout,
  { columns, rows }: { columns: number; rows: number },
  heights: Float32Array,
): void {
  const numberAt = (index: number): number => {
    const at = (bits / 8) * index;
    if (format === FLOAT) return bits === 32 ? view.getFloat32(at, littleEndian) : view.getFloat64(at, littleEndian);
    if (bits === 8) return format === SIGNED ? view.getInt8(at) : view.getUint8(at);
    if (bits === 16) return format === SIGNED ? view.getInt16(at, littleEndian) : view.getUint16(at, littleEndian);
    return format === SIGNED ? view.getInt32(at, littleEndian) : view.getUint32(at, littleEndian);
  };
  // The file states the no-data value in decimal digits, such as -3.4e38. Rounded to 32 bits it equals the stored
  // numbers.
  const noDataNumber = noData !== null && format === FLOAT && bits === 32 ? Math.fround(noData) : noData;
  for (let row = 0; row < rows; row++) {
    for (let column = 0; column < columns; column++) {
      const height = numberAt(row * stride + column);
      heights[row * columns + column] = height === noDataNumber ? Number.NaN : height;
    }
  }
}

/** Codes of LZW that begin a new table and that end the data, and the limit of codes. */
const [CLEAR, END, MOST_CODES] = [256, 257, 4096];
/** Bits of the first codes and of the last. */
const [LEAST_WIDTH, MOST_WIDTH] = [9, 12];

/**
 * Unpacks LZW of TIFF 6.0 (section 13): codes of 9 to 12 bits, the highest bit first.
 * @param most limit of the unpacked bytes
 * @throws ElevationFileError for an invalid code
 */
function unpackLzw(packed: Uint8Array, most: number): Uint8Array {
  const out = new Uint8Array(most);
  // The bytes of a code are those of an earlier code and one more. By code: that earlier code, the last and the first
  // byte, and the number of bytes.
  const prefixes = new Uint16Array(MOST_CODES);
  const last = Uint8Array.from({ length: MOST_CODES }, (_, code) => code);
  const first = Uint8Array.from({ length: MOST_CODES }, (_, code) => code);
  const lengths = new Uint16Array(MOST_CODES).fill(1);
  let [next, width, previous] = [END + 1, LEAST_WIDTH, -1];
  // The last bits that were read, and how many of them are not used yet.
  let [bits, unused, written] = [0, 0, 0];
  for (const byte of packed) {
    bits = ((bits << 8) | byte) & 0xffffff;
    unused += 8;
    // A code has more bits than a byte, so at most one ends with each byte.
    if (unused < width) continue;
    unused -= width;
    const code = (bits >> unused) & ((1 << width) - 1);
    if (code === END || written >= most) break;
    if (code === CLEAR) {
      [next, width, previous] = [END + 1, LEAST_WIDTH, -1];
      continue;
    }
    // The code `next` is the one that is added now. The first code after a new table is a single byte.
    if (code > next || (previous < 0 && code > 255))
      throw new ElevationFileError(`code ${code} of LZW, where at most ${next} can be`);
    if (previous >= 0 && next < MOST_CODES) {
      prefixes[next] = previous;
      first[next] = first[previous];
      // A code may be used at once: then it is the previous one, followed by its own first byte.
      last[next] = code === next ? first[previous] : first[code];
      lengths[next] = lengths[previous] + 1;
      next++;
    }
    const length = lengths[code];
    // From the last byte to the first.
    for (let prefix = code, i = written + length - 1; i >= written; i--, prefix = prefixes[prefix]) {
      if (i < most) out[i] = last[prefix];
    }
    written += length;
    previous = code;
    // Codes become longer one code early. The first writers of TIFF did so, and the format kept it.
    if (next >= (1 << width) - 1 && width < MOST_WIDTH) width++;
  }
  return out.subarray(0, Math.min(written, most));
}
