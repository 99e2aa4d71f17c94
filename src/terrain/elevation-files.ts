import { closeSync, createReadStream, createWriteStream, openSync, readFileSync, readSync, statSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { openZipEntry, readZipEntry, type ZipEntry } from '../formats/zip.ts';
import { type Box, isInJapan, JAPAN } from '../geo/grid-square.ts';
import { tileBox } from '../geo/web-tile.ts';
import { Elevation, type ElevationFile, ElevationFileError, type ElevationGrid } from './elevation.ts';
import { readTiff, readTiffBlock, type TiffBlock, type TiffLayout } from './geotiff.ts';
import { heightsOfPng, heightsOfText, TILE_SIDE, tilePlaceOf, tileSpacing } from './gsi-tile.ts';
import { readGsiXml } from './gsi-xml.ts';
import { ReliefReader } from './relief.ts';
import { TriangleGrid } from './triangle-grid.ts';

/** A published file, on disk or in a zip. */
interface ElevationInput {
  /** For messages, and for tiles: ends in `{z}/{x}/{y}.png`. */
  name: string;
  path: string;
  entry: ZipEntry | null;
  size: number;
}

/** The place and storage of a grid, as plain data for threads. */
export interface ElevationPiece extends Box {
  name: string;
  spacing: number;
  place: PiecePlace;
}

/** Where the heights of a piece are stored, and how. */
type PiecePlace =
  | { kind: 'png' | 'text' | 'xml'; path: string; entry: ZipEntry | null }
  | { kind: 'tiff'; path: string; layout: TiffLayout; block: TiffBlock; mercator: boolean }
  /** Numbers in the byte order of memory, written by `openElevationFile`. */
  | { kind: 'numbers'; path: string; offset: number; columns: number; rows: number };

/** The content of a file. */
export interface OpenedFile {
  pieces: ElevationPiece[];
  /** Cells with a height, and those without. */
  known: number;
  unknown: number;
  /** Impossible heights, which count as unknown. */
  implausible: number;
  /** Parts of relief that are not triangles. */
  passedOver: number;
}

/** Plausible heights of land in Japan, with a margin for mines and for buildings in faulty models. */
const [LOWEST, HIGHEST] = [-500, 4500];
/** Limit of a file that is read into memory at once: tiles and XML are far smaller. */
const MOST_HELD = 2 ** 28;

/** The elevation of some pieces. */
export const elevationOf = (pieces: readonly ElevationPiece[]): Elevation => new Elevation(pieces.map(fileOf));

/** A grid that is read when it is needed, without impossible heights. */
function fileOf(piece: ElevationPiece): ElevationFile {
  const { name, spacing, west, south, east, north } = piece;
  return { name, spacing, west, south, east, north, read: () => readPiece(piece) };
}

/** Names of elevation files, by their ending. */
export const ELEVATION_NAMES = /\.(png|txt|xml|tiff?|gml|citygml)$/i;

/**
 * Checks a file completely and finds the positions of its grids. Triangles become a grid, which is written into a
 * folder.
 * @param scratch a folder for files that cannot be read in pieces directly
 * @param number distinguishes the files in this folder
 * @throws {ElevationFileError} When the file cannot be read or does not lie in Japan.
 */
export async function openElevationFile(input: ElevationInput, scratch: string, number: number): Promise<OpenedFile> {
  const { name } = input;
  try {
    if (/gml$/i.test(name)) return await openRelief(input, join(scratch, `${number}.relief`));
    const pieces = /tiff?$/i.test(name)
      ? await openTiff(input, join(scratch, `${number}.tif`))
      : [openWholeFile(input)];
    const opened: OpenedFile = { pieces, known: 0, unknown: 0, implausible: 0, passedOver: 0 };
    for (const piece of pieces) {
      checkPlace(piece);
      count(opened, readGrid(piece).heights);
    }
    return opened;
  } catch (error) {
    throw withNameInFront(name, error);
  }
}

/** A file that is one grid: a tile or XML. */
function openWholeFile({ name, path, entry, size }: ElevationInput): ElevationPiece {
  if (size > MOST_HELD) throw new ElevationFileError(`has ${size} bytes; expected at most ${MOST_HELD}`);
  if (/xml$/i.test(name)) {
    const { heights: _, columns: __, rows: ___, ...about } = readGsiXml(bytesOf(path, entry));
    return { ...about, name, place: { kind: 'xml', path, entry } };
  }
  // The name of an entry of a zip is its path in the zip.
  const tile = tilePlaceOf(entry === null ? path : name);
  if (tile === null)
    throw new ElevationFileError('its path does not say which tile it is; expected …/{z}/{x}/{y}.png or .txt');
  const kind = /png$/i.test(name) ? 'png' : 'text';
  return { ...tileBox(tile), spacing: tileSpacing(tile), name, place: { kind, path, entry } };
}

/**
 * The blocks of a GeoTIFF.
 * @param scratchFile gets the bytes of a file in a zip
 */
async function openTiff({ name, path, entry }: ElevationInput, scratchFile: string): Promise<ElevationPiece[]> {
  // Blocks are read in any order. In a zip, each would need decompressing everything before it.
  if (entry !== null) await pipeline(openZipEntry(path, entry), createWriteStream(scratchFile));
  const tiffPath = entry === null ? path : scratchFile;
  const { layout, blocks, mercator, spacing } = withBytes(tiffPath, (read) => readTiff(read, statSync(tiffPath).size));
  return blocks.map((block) => {
    const { west, south, east, north } = block;
    return {
      west,
      south,
      east,
      north,
      name,
      spacing,
      place: { kind: 'tiff', path: tiffPath, layout, block, mercator },
    };
  });
}

/**
 * Draws the triangles of a file of relief into a grid.
 * @param scratchFile gets the heights of the grid
 */
async function openRelief({ name, path, entry }: ElevationInput, scratchFile: string): Promise<OpenedFile> {
  const grid = new TriangleGrid();
  const reader = new ReliefReader((corners) => {
    checkCorners(corners);
    grid.draw(corners);
  });
  const chunks = entry === null ? createReadStream(path, { highWaterMark: 2 ** 18 }) : openZipEntry(path, entry);
  for await (const chunk of chunks) reader.feed(chunk as Uint8Array);
  const { passedOver } = reader.end();
  const opened: OpenedFile = { pieces: [], known: 0, unknown: 0, implausible: 0, passedOver };
  const numbers: Uint8Array[] = [];
  let offset = 0;
  for (const { heights, columns, rows, ...about } of grid.blocks()) {
    count(opened, heights);
    numbers.push(new Uint8Array(heights.buffer));
    opened.pieces.push({ ...about, name, place: { kind: 'numbers', path: scratchFile, offset, columns, rows } });
    offset += heights.byteLength;
  }
  await writeFile(scratchFile, numbers);
  return opened;
}

/**
 * Checks that the corners of a triangle are in Japan: in some files latitude and longitude are exchanged.
 * @param corners latitude, longitude and height of each of the three
 * @throws {ElevationFileError} When one is not.
 */
function checkCorners(corners: Float64Array): void {
  for (let i = 0; i < 9; i += 3) {
    const [lat, lon] = [corners[i], corners[i + 1]];
    if (isInJapan(lat, lon)) continue;
    throw new ElevationFileError(`a corner at latitude ${lat}, longitude ${lon} is not in Japan`);
  }
}

/** @throws {ElevationFileError} When a grid does not touch Japan. */
function checkPlace({ west, south, east, north }: Box): void {
  const meetsJapan = west < JAPAN.east && east > JAPAN.west && south < JAPAN.north && north > JAPAN.south;
  if (meetsJapan) return;
  const extent = `latitude ${south} to ${north}, longitude ${west} to ${east}`;
  throw new ElevationFileError(`lies at ${extent}, which is not in Japan: are its coordinates in the wrong order?`);
}

/**
 * The grid of a piece. Impossible heights are unknown.
 * @throws {ElevationFileError} When the file cannot be read.
 */
function readPiece(piece: ElevationPiece): ElevationGrid {
  try {
    const grid = readGrid(piece);
    keepPlausible(grid.heights);
    return grid;
  } catch (error) {
    throw withNameInFront(piece.name, error);
  }
}

/** The grid of a piece as published. */
function readGrid({ place, west, south, east, north, spacing }: ElevationPiece): ElevationGrid {
  const about = { west, south, east, north, spacing };
  switch (place.kind) {
    case 'xml':
      return readGsiXml(bytesOf(place.path, place.entry));
    case 'tiff': {
      const { layout, block, mercator, path } = place;
      const heights = withBytes(path, (read) => readTiffBlock(read, layout, block));
      return { ...about, columns: block.columns, rows: block.rows, heights, mercator };
    }
    case 'numbers': {
      const { columns, rows, path, offset } = place;
      const bytes = withBytes(path, (read) => read(offset, 4 * columns * rows));
      if (bytes.length !== 4 * columns * rows) throw new ElevationFileError(`${path}: is cut off: build again`);
      // Copied, because numbers of four bytes must begin at a multiple of four.
      const heights = new Float32Array(columns * rows);
      new Uint8Array(heights.buffer).set(bytes);
      return { ...about, columns, rows, heights };
    }
    default: {
      const bytes = bytesOf(place.path, place.entry);
      const heights = place.kind === 'png' ? heightsOfPng(bytes) : heightsOfText(bytes);
      return { ...about, columns: TILE_SIDE, rows: TILE_SIDE, heights, mercator: true };
    }
  }
}

/** All bytes of a file, on disk or in a zip. */
const bytesOf = (path: string, entry: ZipEntry | null): Buffer =>
  entry === null ? readFileSync(path) : readZipEntry(path, entry);

/** Calls back with a function that reads bytes of a file; fewer at its end. */
function withBytes<T>(path: string, use: (read: (offset: number, length: number) => Buffer) => T): T {
  const file = openSync(path, 'r');
  try {
    return use((offset, length) => {
      const bytes = Buffer.alloc(length);
      return bytes.subarray(0, readSync(file, bytes, 0, length, offset));
    });
  } finally {
    closeSync(file);
  }
}

/** Makes impossible heights unknown: many files have an unstated number for no data. */
function keepPlausible(heights: Float32Array): void {
  for (let i = 0; i < heights.length; i++)
    if (!(heights[i] >= LOWEST && heights[i] <= HIGHEST)) heights[i] = Number.NaN;
}

/** Counts the heights of a grid by kind. */
function count(opened: OpenedFile, heights: Float32Array): void {
  for (const height of heights) {
    if (height >= LOWEST && height <= HIGHEST) opened.known++;
    else if (Number.isNaN(height)) opened.unknown++;
    else opened.implausible++;
  }
}

/** The error with the file's name in front. Errors of the system or a zip become errors of the file. */
const withNameInFront = (name: string, error: unknown): ElevationFileError =>
  new ElevationFileError(`${name}: ${(error as Error).message}`, { cause: error });
