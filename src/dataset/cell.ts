import { CELLS_PER_DEGREE, cellIndex } from '../geo/cell-grid.ts';
import type { Box } from '../geo/grid-square.ts';
import type { Footprint } from '../plateau/building.ts';
import { degreeUnits } from '../record/units.ts';
import { VarintWriter } from '../record/varint.ts';

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
export const BOX_BYTES = 4;
/** Number of box steps along a side of the cell. */
export const STEPS = 256;

/** The cells that a box meets, as [row, column]. */
export function* cellsOf(box: Box): Generator<[number, number]> {
  for (let row = cellIndex(box.south); row <= cellIndex(box.north); row++) {
    for (let column = cellIndex(box.west); column <= cellIndex(box.east); column++) yield [row, column];
  }
}

/** The entry of a building in one cell. */
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
export const cornerUnits = (row: number, column: number): [number, number] => [
  degreeUnits(row / CELLS_PER_DEGREE),
  degreeUnits(column / CELLS_PER_DEGREE),
];
