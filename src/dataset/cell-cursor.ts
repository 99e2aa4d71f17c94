import { CELLS_PER_DEGREE } from '../geo/cell-grid.ts';
import type { LocalPlane } from '../geo/plane.ts';
import { edgeCrosses, pointSegmentSquared } from '../geo/polygon.ts';
import { DamagedRecordError } from '../record/bit-stream.ts';
import { fromDegreeUnits } from '../record/units.ts';
import { VarintReader } from '../record/varint.ts';
import { BOX_BYTES, cornerUnits, STEPS } from './cell.ts';
import { keptBuildingId } from './sunlight-json.ts';

/**
 * Reads the entries of cells (cell.ts) and their distances from a point. It makes no object for each entry, which would
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
  #box = 0;
  #end = 0;
  #cellEnd = 0;
  /** The south-west corner of the cell, in the units of a footprint. */
  #south = 0;
  #west = 0;
  /** The position of the point relative to the cell, in steps of the boxes; and the metres of a step. */
  #pointRow = 0;
  #pointColumn = 0;
  #perRow = 0;
  #perColumn = 0;

  constructor(bytes: Uint8Array, plane: LocalPlane) {
    this.bytes = bytes;
    this.#plane = plane;
    this.#from = new VarintReader(bytes);
  }

  /** Enters a cell, before its first entry. Its bytes lie from `start` to `end`. */
  enter(row: number, column: number, start: number, end: number): void {
    const { lat, lon, perLat } = this.#plane;
    const stepsPerDegree = CELLS_PER_DEGREE * STEPS;
    this.#end = start;
    this.#cellEnd = end;
    [this.#south, this.#west] = cornerUnits(row, column);
    this.#pointRow = lat * stepsPerDegree - row * STEPS;
    this.#pointColumn = lon * stepsPerDegree - column * STEPS;
    this.#perRow = perLat / stepsPerDegree;
    this.#perColumn = this.#plane.leastPerLon(row / CELLS_PER_DEGREE, (row + 1) / CELLS_PER_DEGREE) / stepsPerDegree;
  }

  /** Moves to the next entry; false after the last. Throws `DamagedRecordError`. */
  next(): boolean {
    if (this.#end === this.#cellEnd) return false;
    const from = this.#from;
    this.#box = this.#end;
    from.at = this.#box + BOX_BYTES;
    const summary = from.unsigned();
    const footprint = from.unsigned();
    this.summaryStart = from.at;
    this.summaryEnd = from.at + summary;
    this.#end = this.summaryEnd + footprint;
    if (this.#end > this.#cellEnd) {
      throw new DamagedRecordError(`an entry ends at ${this.#end}, its cell at ${this.#cellEnd}`);
    }
    return true;
  }

  /** The current building. */
  buildingId(): string {
    return keptBuildingId(this.bytes.subarray(this.summaryStart, this.summaryEnd));
  }

  /** A lower bound of the distance, by the box. Metres. */
  boxDistance(): number {
    const { bytes } = this;
    const box = this.#box;
    const row = this.#pointRow;
    const column = this.#pointColumn;
    const y = Math.max(bytes[box] - row, row - (bytes[box + 2] + 1), 0) * this.#perRow;
    const x = Math.max(bytes[box + 1] - column, column - (bytes[box + 3] + 1), 0) * this.#perColumn;
    return Math.sqrt(x * x + y * y) - SLACK_M;
  }

  /** Metres from the point to the nearest polygon of the footprint; 0 inside. Throws `DamagedRecordError`. */
  distance(): number {
    const from = this.#from;
    const plane = this.#plane;
    from.at = this.summaryEnd;
    let lat = this.#south;
    let lon = this.#west;
    let least = Infinity;
    for (let polygons = from.count(1); polygons > 0; polygons--) {
      let inside = false;
      for (let rings = from.count(1); rings > 0; rings--) {
        let firstX = 0;
        let firstY = 0;
        let lastX = 0;
        let lastY = 0;
        const points = from.count(2);
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
            least = Math.min(least, pointSegmentSquared(0, 0, lastX, lastY, x, y));
            if (edgeCrosses(0, 0, lastX, lastY, x, y)) inside = !inside;
          }
          lastX = x;
          lastY = y;
        }
      }
      if (inside) least = 0;
    }
    if (from.at !== this.#end) throw new DamagedRecordError(`a footprint ends at ${from.at}, not at ${this.#end}`);
    return Math.sqrt(least);
  }
}

/** A generous bound of the errors of the plane and of rounding, metres. Lower bounds of distances are reduced by it. */
export const SLACK_M = 0.01;
