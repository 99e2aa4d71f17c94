import { METRES_PER_DEGREE } from '../geo/degree.ts';
import type { Box } from '../geo/grid-square.ts';
import { ElevationFileError, type ElevationGrid } from './elevation.ts';

/**
 * Elevation of 基盤地図情報 (FG-GML … DEM): one grid of 5 or 10 m in an XML file of JPGIS (GML). Only the needed elements are
 * read. The list of heights, nearly the whole file, is read byte by byte.
 */
/** Limit of the cells of a grid. */
const MOST_CELLS = 2 ** 24;
/** The elements around the list of heights are short. They are in the first and last bytes. */
const HEAD_BYTES = 64 * 1024;
/** The number of a cell without a height. */
const NO_DATA = -9999;

const [NEW_LINE, COMMA, MINUS, POINT, ZERO, NINE] = [...Buffer.from('\n,-.09')];

/** The facts that are known before the heights are read. */
interface Frame extends Box {
  columns: number;
  rows: number;
  /** Offsets of the first height of the list and of its end. */
  from: number;
  to: number;
  /** The cell of the first height: column and row. */
  start: [number, number];
}

/**
 * The grid of a file.
 * @throws ElevationFileError when it is damaged or has another form
 */
export function readGsiXml(bytes: Buffer): ElevationGrid {
  const frame = frameOf(bytes);
  const { west, south, east, north, columns, rows } = frame;
  const heights = new Float32Array(columns * rows).fill(Number.NaN);
  readHeights(bytes, frame, heights);
  return { west, south, east, north, columns, rows, heights, spacing: ((north - south) / rows) * METRES_PER_DEGREE };
}

/** Reads the extent and the size of the grid, and where its list of heights stands in the file. */
function frameOf(bytes: Buffer): Frame {
  const listTag = /<((?:\w+:)?tupleList)\s*>/.exec(bytes.toString('latin1', 0, HEAD_BYTES));
  if (listTag === null)
    throw new ElevationFileError('has no gml:tupleList in its first bytes; expected a DEM of FG-GML');
  const from = listTag.index + listTag[0].length;
  const to = bytes.indexOf(`</${listTag[1]}`, from);
  if (to < 0) throw new ElevationFileError('ends inside gml:tupleList: it is cut off: get it again');
  const head = bytes.toString('latin1', 0, listTag.index);
  const tail = bytes.toString('latin1', to, to + HEAD_BYTES);
  if (!/<\/(?:\w+:)?Dataset\s*>\s*$/.test(bytes.toString('latin1', Math.max(to, bytes.length - 200))))
    throw new ElevationFileError('does not end with </Dataset>: it is cut off: get it again');
  const [south, west] = pairIn(head, 'lowerCorner');
  const [north, east] = pairIn(head, 'upperCorner');
  const [lowColumn, lowRow] = pairIn(head, 'low');
  const [highColumn, highRow] = pairIn(head, 'high');
  const [columns, rows] = [highColumn - lowColumn + 1, highRow - lowRow + 1];
  const isGrid = [columns, rows].every((side) => Number.isInteger(side) && side > 0) && columns * rows <= MOST_CELLS;
  if (!isGrid || !(south < north && west < east))
    throw new ElevationFileError(
      `has ${columns} × ${rows} cells from ${south}, ${west} to ${north}, ${east}; expected a grid ` +
        `(at most ${MOST_CELLS} cells) from south-west to north-east`,
    );
  const order = /sequenceRule\s+order\s*=\s*"([^"]*)"/.exec(tail)?.[1] ?? '+x-y';
  if (order !== '+x-y')
    throw new ElevationFileError(`its heights are in the order "${order}"; expected +x-y, from the north-west`);
  const [startColumn, startRow] = pairIn(tail, 'startPoint');
  const start: [number, number] = [startColumn - lowColumn, startRow - lowRow];
  if (!start.every(Number.isInteger) || start[0] < 0 || start[1] < 0 || start[0] >= columns || start[1] >= rows)
    throw new ElevationFileError(`gml:startPoint is ${startColumn} ${startRow}, outside of ${columns} × ${rows} cells`);
  return { west, south, east, north, columns, rows, from, to, start };
}

/** The two numbers of an element. */
function pairIn(text: string, element: string): [number, number] {
  const content = new RegExp(`<(?:\\w+:)?${element}\\s*>([^<]{0,200})<`).exec(text)?.[1];
  const numbers = content?.trim().split(/\s+/).map(Number) ?? [];
  if (numbers.length === 2 && numbers.every(Number.isFinite)) return [numbers[0], numbers[1]];
  const problem = content === undefined ? 'is missing' : `is "${content.trim().slice(0, 40)}"`;
  throw new ElevationFileError(`gml:${element} ${problem}; expected two numbers`);
}

/** Reads lines such as `地表面,12.30`. The encoding of the word before the comma does not matter. */
function readHeights(bytes: Buffer, { columns, rows, from, to, start }: Frame, heights: Float32Array): void {
  let cell = start[1] * columns + start[0];
  let count = 0;
  for (let at = from; at < to; ) {
    const newLine = bytes.indexOf(NEW_LINE, at);
    const end = newLine < 0 || newLine > to ? to : newLine;
    const comma = lastComma(bytes, at, end);
    const isBlank = comma < 0 && bytes.toString('latin1', at, end).trim() === '';
    if (!isBlank) {
      if (comma >= 0 && cell >= columns * rows)
        throw new ElevationFileError(
          `has more heights than ${columns} × ${rows} cells take from its start: it is damaged`,
        );
      const height = comma < 0 ? Number.NaN : numberAt(bytes, comma + 1, end);
      if (Number.isNaN(height)) {
        const text = bytes.toString('utf8', at, Math.min(end, at + 40)).trim();
        throw new ElevationFileError(`height ${count + 1} of gml:tupleList is "${text}"; expected 地表面,12.30`);
      }
      heights[cell++] = height === NO_DATA ? Number.NaN : height;
      count++;
    }
    at = end + 1;
  }
  if (count === 0) throw new ElevationFileError('gml:tupleList is empty');
}

/** The position of the last comma between two offsets; −1: none. */
function lastComma(bytes: Buffer, from: number, to: number): number {
  for (let i = to - 1; i >= from; i--) if (bytes[i] === COMMA) return i;
  return -1;
}

/** A decimal number between two offsets, followed by white space; NaN for anything else. */
function numberAt(bytes: Buffer, from: number, to: number): number {
  let i = from;
  const negative = bytes[i] === MINUS;
  if (negative) i++;
  // `scale` is 0 before the point, and then the power of ten of the digits after it.
  let [value, scale, digits] = [0, 0, 0];
  for (; i < to; i++) {
    const byte = bytes[i];
    if (byte >= ZERO && byte <= NINE) {
      value = value * 10 + (byte - ZERO);
      scale *= 10;
      digits++;
    } else if (byte === POINT && scale === 0) scale = 1;
    else break;
  }
  while (i < to && bytes[i] <= 0x20) i++;
  if (i < to || digits === 0 || digits > 15) return Number.NaN;
  return (negative ? -value : value) / Math.max(1, scale);
}
