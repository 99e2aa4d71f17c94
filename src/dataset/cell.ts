import { pointSegmentSquared } from '../geo/distance.ts';
import { edgeCrosses } from '../geo/polygon.ts';
import type { Footprint } from '../plateau/building.ts';
import { DamagedRecordError } from './bit-stream.ts';
import type { BuildingHead } from './building-record.ts';
import { CELLS_PER_DEGREE, cellIndex } from './store-keys.ts';
import { degreeUnits, fromDegreeUnits } from './units.ts';
import { VarintReader, VarintWriter } from './varint.ts';

/**
 * What a cell of the grid holds: every building whose footprint's box meets it, in order of ID.
 *
 *     u8 south · u8 west · u8 north · u8 east   the part of the box in this cell, in 256ths of it, outwards
 *     length of the summary · length of the footprint
 *     summary (summary-json.ts) · footprint
 *
 * A footprint is the number of its polygons, of the rings of each and of the points of each, and the points in units of
 * degrees: each from the one before it, the first from the cell's south-west corner. All these numbers are varints.
 */
const BOX_BYTES = 4;
const STEPS = 256;

/** Bounds in degrees. */
export interface Box {
  south: number;
  west: number;
  north: number;
  east: number;
}

/** The box around the footprint, its representative point included. */
export function boxOf({ lat, lon, footprints }: Pick<BuildingHead, 'lat' | 'lon' | 'footprints'>): Box {
  const box = { south: lat, west: lon, north: lat, east: lon };
  for (const { rings } of footprints) {
    for (const ring of rings) {
      for (let i = 0; i < ring.length; i += 2) {
        box.south = Math.min(box.south, ring[i]!);
        box.north = Math.max(box.north, ring[i]!);
        box.west = Math.min(box.west, ring[i + 1]!);
        box.east = Math.max(box.east, ring[i + 1]!);
      }
    }
  }
  return box;
}

/** The cells that a box meets, as [row, column]. */
export function* cellsOf(box: Box): Generator<[number, number]> {
  for (let row = cellIndex(box.south); row <= cellIndex(box.north); row++) {
    for (let column = cellIndex(box.west); column <= cellIndex(box.east); column++) yield [row, column];
  }
}

/** The entry of one building in one cell. */
export function encodeEntry(
  row: number,
  column: number,
  box: Box,
  summary: Uint8Array,
  footprints: readonly Footprint[],
): Uint8Array {
  const step = (degrees: number, index: number): number => (degrees * CELLS_PER_DEGREE - index) * STEPS;
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

function encodeFootprint(row: number, column: number, footprints: readonly Footprint[]): Uint8Array {
  const out = new VarintWriter();
  let [lat, lon] = cornerUnits(row, column);
  out.unsigned(footprints.length);
  for (const { rings } of footprints) {
    out.unsigned(rings.length);
    for (const ring of rings) {
      out.unsigned(ring.length / 2);
      for (let i = 0; i < ring.length; i += 2) {
        const [nextLat, nextLon] = [degreeUnits(ring[i]!), degreeUnits(ring[i + 1]!)];
        out.signed(nextLat - lat);
        out.signed(nextLon - lon);
        [lat, lon] = [nextLat, nextLon];
      }
    }
  }
  return out.finish();
}

/** South-west corner of a cell, in the units in which a footprint is kept. */
const cornerUnits = (row: number, column: number): [number, number] => [
  degreeUnits(row / CELLS_PER_DEGREE),
  degreeUnits(column / CELLS_PER_DEGREE),
];

/** Metres around a point: x east, y north. */
export interface LocalMetres {
  x(lat: number, lon: number): number;
  y(lat: number): number;
}

/** Goes through the entries of a cell without making an object of each. */
export class CellCursor {
  readonly bytes: Uint8Array;
  readonly #row: number;
  readonly #column: number;
  readonly #from: VarintReader;
  /** Where the summary lies in `bytes`. */
  summaryStart = 0;
  summaryEnd = 0;
  #box = 0;
  #end: number;
  readonly #cellEnd: number;

  /** The cell's bytes lie in `bytes` from `start` to `end`. */
  constructor(row: number, column: number, bytes: Uint8Array, start = 0, end = bytes.length) {
    this.bytes = bytes;
    this.#end = start;
    this.#cellEnd = end;
    this.#row = row;
    this.#column = column;
    this.#from = new VarintReader(bytes);
  }

  /** Goes to the next entry, the first at first; false behind the last. Throws `DamagedRecordError`. */
  next(): boolean {
    if (this.#end === this.#cellEnd) return false;
    this.#box = this.#end;
    const from = this.#from;
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

  /** Sides of the box in the cell, degrees. */
  get south(): number {
    return (this.#row + this.bytes[this.#box]! / STEPS) / CELLS_PER_DEGREE;
  }
  get west(): number {
    return (this.#column + this.bytes[this.#box + 1]! / STEPS) / CELLS_PER_DEGREE;
  }
  get north(): number {
    return (this.#row + (this.bytes[this.#box + 2]! + 1) / STEPS) / CELLS_PER_DEGREE;
  }
  get east(): number {
    return (this.#column + (this.bytes[this.#box + 3]! + 1) / STEPS) / CELLS_PER_DEGREE;
  }

  /**
   * Metres from the origin of `metres` to the footprint, 0 inside: what `pointPolygonDistance` gives for the nearest of
   * its polygons, measured while it is read. Throws `DamagedRecordError`.
   */
  distance(metres: LocalMetres): number {
    const from = this.#from;
    from.at = this.summaryEnd;
    let [lat, lon] = cornerUnits(this.#row, this.#column);
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
            x = metres.x(degrees, fromDegreeUnits(lon));
            y = metres.y(degrees);
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
