import { DamageError } from '../formats/checked-file.ts';
import { CELLS_PER_DEGREE, cellIndex } from '../geo/degree.ts';
import type { Box } from '../geo/grid-square.ts';
import type { LocalPlane } from '../geo/plane.ts';
import { edgeCrosses, pointSegmentSquared } from '../geo/polygon.ts';
import type { Footprint } from '../plateau/building.ts';
import { degreeUnits, fromDegreeUnits } from '../record/units.ts';
import { summaryBuildingId } from './sunlight-json.ts';

/**
 * The content of a cell of the grid: every building whose box meets the cell, in order of ID.
 *
 * u8 south · u8 west · u8 north · u8 east  the part of the box in this cell, in 256ths of the cell, rounded outwards
 * length of the summary · length of the footprint
 * summary (sunlight-json.ts) · footprint
 *
 * A footprint is the number of polygons; for each polygon the number of rings; for each ring the number of points; and
 * the points in units of degrees. Each point is the difference from the previous point, the first from the south-west
 * corner of the cell. All these numbers are varints.
 */
const BOX_BYTES = 4;
/** Number of box steps along a side of the cell. */
const STEPS = 256;

/** The cells that a box meets, as [row, column]. */
export function* cellsOf(box: Box): Generator<[number, number]> {
  for (let row = cellIndex(box.south); row <= cellIndex(box.north); row++) {
    for (let column = cellIndex(box.west); column <= cellIndex(box.east); column++) yield [row, column];
  }
}

/**
 * The entry of a building in one cell. Its layout is described at `BOX_BYTES`.
 * @param row of the cell
 * @param column of the cell
 * @param box of the building, degrees
 */
export function encodeEntry(
  row: number,
  column: number,
  box: Box,
  summary: Uint8Array,
  footprints: readonly Footprint[],
): Uint8Array {
  const step = (degrees: number, index: number): number => (degrees * CELLS_PER_DEGREE - index) * STEPS;
  // South and west are the first step of the box in the cell, north and east its last step.
  const low = (value: number): number => Math.min(STEPS - 1, Math.max(0, Math.floor(value)));
  const high = (value: number): number => Math.min(STEPS, Math.max(1, Math.ceil(value))) - 1;
  const sides = [
    low(step(box.south, row)),
    low(step(box.west, column)),
    high(step(box.north, row)),
    high(step(box.east, column)),
  ];
  const footprint = encodeFootprint(row, column, footprints);
  const lengths = new VarintWriter();
  lengths.unsigned(summary.length);
  lengths.unsigned(footprint.length);
  return Buffer.concat([Uint8Array.from(sides), lengths.finish(), summary, footprint]);
}

/**
 * The rings of footprints. Each point is stored as its difference to the one before, also across rings and footprints;
 * the very first as that to the corner of the cell.
 */
function encodeFootprint(row: number, column: number, footprints: readonly Footprint[]): Uint8Array {
  const out = new VarintWriter();
  let [lat, lon] = cornerUnits(row, column);
  out.unsigned(footprints.length);
  for (const { rings } of footprints) {
    out.unsigned(rings.length);
    for (const ring of rings) {
      out.unsigned(ring.length / 2);
      for (let i = 0; i < ring.length; i += 2) {
        const [nextLat, nextLon] = [degreeUnits(ring[i]), degreeUnits(ring[i + 1])];
        out.signed(nextLat - lat);
        out.signed(nextLon - lon);
        [lat, lon] = [nextLat, nextLon];
      }
    }
  }
  return out.finish();
}

/** South-west corner of a cell, in the units of stored footprints. */
const cornerUnits = (row: number, column: number): [number, number] => [
  degreeUnits(row / CELLS_PER_DEGREE),
  degreeUnits(column / CELLS_PER_DEGREE),
];

/**
 * Whole numbers with seven bits in each byte, the lowest first; the eighth bit tells that more follow (LEB128). They
 * take more space than the code of bit-stream.ts but are faster to read: `near` reads thousands at a time.
 */

class VarintWriter {
  readonly #bytes: number[] = [];

  /** Writes a whole number from 0 to 2^32 − 1: seven bits a byte, the lowest first; the last byte has no highest bit. */
  unsigned(value: number): void {
    if (!Number.isInteger(value) || value < 0 || value >= 2 ** 32)
      throw new RangeError(`${value} does not fit 32 bits`);
    let rest = value >>> 0;
    for (; rest > 0x7f; rest >>>= 7) this.#bytes.push((rest & 0x7f) | 0x80);
    this.#bytes.push(rest);
  }

  /** Writes a whole number from −2^31 + 1 to 2^31 − 1, in zigzag: 0, −1, 1, −2 … are stored as 0, 1, 2, 3 … */
  signed(value: number): void {
    this.unsigned(value < 0 ? -2 * value - 1 : 2 * value);
  }

  finish(): Uint8Array {
    return new Uint8Array(this.#bytes);
  }
}

class VarintReader {
  readonly #bytes: Uint8Array;
  /** Position of the next byte. */
  at = 0;

  constructor(bytes: Uint8Array) {
    this.#bytes = bytes;
  }

  /** Reads a number that `VarintWriter.unsigned` wrote. */
  unsigned(): number {
    const bytes = this.#bytes;
    let byte = bytes[this.at++];
    let value = byte & 0x7f;
    for (let shift = 7; byte > 0x7f; shift += 7) {
      byte = bytes[this.at++];
      value |= (byte & 0x7f) << shift;
    }
    return value >>> 0;
  }

  signed(): number {
    const value = this.unsigned();
    return (value >>> 1) ^ -(value & 1);
  }

  /**
   * A number of items with at least `bytesEach` bytes each.
   * @throws DamageError when the remaining bytes are too few
   */
  count(bytesEach: number): number {
    const value = this.unsigned();
    if (value * bytesEach > this.#bytes.length - this.at) {
      throw new DamageError(`a count of ${value} in ${this.#bytes.length} bytes`);
    }
    return value;
  }
}

/**
 * Reads the entries of cells and their distances from a point. It makes no object for each entry, which would
 * be slow.
 */
export class CellCursor {
  /** The bytes of the cells. */
  readonly bytes: Uint8Array;
  readonly #plane: LocalPlane;
  readonly #from: VarintReader;
  /** The range of the summary in `bytes`. */
  summaryStart = 0;
  summaryEnd = 0;
  /** Where the box of the current entry begins, and where the entry and its cell end. */
  #box = 0;
  #end = 0;
  #cellEnd = 0;
  /** The south-west corner of the cell, in the units of a footprint. */
  #south = 0;
  #west = 0;
  /** The point relative to the south-west corner of the cell, in the steps of the boxes; then the metres of a step. */
  #pointStepsNorth = 0;
  #pointStepsEast = 0;
  #metresPerStepNorth = 0;
  #metresPerStepEast = 0;

  constructor(bytes: Uint8Array, plane: LocalPlane) {
    this.bytes = bytes;
    this.#plane = plane;
    this.#from = new VarintReader(bytes);
  }

  /** Sets the cursor before the first entry of the cell in this row and column. Its bytes lie from `start` to `end`. */
  enter(row: number, column: number, start: number, end: number): void {
    const { lat, lon, perLat } = this.#plane;
    const stepsPerDegree = CELLS_PER_DEGREE * STEPS;
    // `next` reads the entry after this end.
    this.#end = start;
    this.#cellEnd = end;
    [this.#south, this.#west] = cornerUnits(row, column);
    this.#pointStepsNorth = lat * stepsPerDegree - row * STEPS;
    this.#pointStepsEast = lon * stepsPerDegree - column * STEPS;
    this.#metresPerStepNorth = perLat / stepsPerDegree;
    // The metres of the narrower edge: a lower bound of distances, so that no near building is left out.
    this.#metresPerStepEast =
      this.#plane.leastPerLon(row / CELLS_PER_DEGREE, (row + 1) / CELLS_PER_DEGREE) / stepsPerDegree;
  }

  /**
   * Moves to the next entry; false after the last.
   * @throws DamageError When the entry does not end in its cell.
   */
  next(): boolean {
    if (this.#end === this.#cellEnd) return false;
    const from = this.#from;
    this.#box = this.#end;
    from.at = this.#box + BOX_BYTES;
    const summaryBytes = from.unsigned();
    const footprintBytes = from.unsigned();
    this.summaryStart = from.at;
    this.summaryEnd = from.at + summaryBytes;
    this.#end = this.summaryEnd + footprintBytes;
    if (this.#end > this.#cellEnd) {
      throw new DamageError(`an entry ends at ${this.#end}, its cell at ${this.#cellEnd}`);
    }
    return true;
  }

  /** The current building. */
  buildingId(): string {
    return summaryBuildingId(this.bytes.subarray(this.summaryStart, this.summaryEnd));
  }

  /**
   * A lower bound of the distance from the point to the current building, by its box in the cell; metres. The box is
   * stored in steps of the cell: its first one to the north and to the east, then its last ones.
   */
  boxDistance(): number {
    const { bytes } = this;
    const box = this.#box;
    const north = this.#pointStepsNorth;
    const east = this.#pointStepsEast;
    // The last step of the box is stored, and its far edge is one step beyond.
    const y = Math.max(bytes[box] - north, north - (bytes[box + 2] + 1), 0) * this.#metresPerStepNorth;
    const x = Math.max(bytes[box + 1] - east, east - (bytes[box + 3] + 1), 0) * this.#metresPerStepEast;
    return Math.sqrt(x * x + y * y) - SLACK_M;
  }

  /**
   * Metres from the point to the nearest polygon of the footprint; 0 inside. Each point of a footprint is stored as the
   * difference to the one before, also across rings; the first as that to the corner of the cell.
   * @throws DamageError When the footprint has another length than its entry says.
   */
  distance(): number {
    const from = this.#from;
    const plane = this.#plane;
    from.at = this.summaryEnd;
    let lat = this.#south;
    let lon = this.#west;
    let leastSquared = Infinity;
    // Each polygon and each ring takes at least a byte, each point at least two.
    for (let polygons = from.count(1); polygons > 0; polygons--) {
      let inside = false;
      for (let rings = from.count(1); rings > 0; rings--) {
        let firstX = 0;
        let firstY = 0;
        let lastX = 0;
        let lastY = 0;
        const points = from.count(2);
        // Rings are stored open: the last step leads back to the first point.
        for (let i = 0; i <= points; i++) {
          let x = firstX;
          let y = firstY;
          if (i < points) {
            lat += from.signed();
            lon += from.signed();
            const degrees = fromDegreeUnits(lat);
            x = plane.x(degrees, fromDegreeUnits(lon));
            y = plane.y(degrees);
          }
          if (i === 0) {
            firstX = x;
            firstY = y;
          } else {
            // The point is the origin of the plane.
            leastSquared = Math.min(leastSquared, pointSegmentSquared(0, 0, lastX, lastY, x, y));
            if (edgeCrosses(0, 0, lastX, lastY, x, y)) inside = !inside;
          }
          lastX = x;
          lastY = y;
        }
      }
      if (inside) leastSquared = 0;
    }
    if (from.at !== this.#end) throw new DamageError(`a footprint ends at ${from.at}, not at ${this.#end}`);
    return Math.sqrt(leastSquared);
  }
}

/** A generous bound of the errors of the plane and of rounding, metres. Lower bounds of distances are reduced by it. */
export const SLACK_M = 0.01;
