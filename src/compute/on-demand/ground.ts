import type { DatasetScenes } from '../../city/scenes-on-demand.ts';
import type { LatLon } from '../../geo/degree.ts';
import { type Box, gridSquareOf } from '../../geo/grid-square.ts';
import { dayOf } from '../../solar/solar-day.ts';
import { MONTHS } from '../../sunlight/result.ts';
import type { PointFinder } from './point.ts';

/** A box (degrees) in which the ground and the shade of hills are looked up. */
export interface GroundRequest extends Box {
  /** Cells along a side of the grid of heights, and of that of the shade. */
  cells: number;
  shadeCells: number;
  /** `YYYY-MM-DD`, at most twelve; absent: the 15th of each month. */
  dates?: readonly string[] | undefined;
}

/** The ground in a box. Both lists hold the corners of all cells, row by row from the north-west. */
export interface Ground {
  /**
   * Heights, tenths of a metre, each minus the last known one before it; null where the dataset has no near terrain.
   */
  heights: (number | null)[];
  /** By day and corner: the minutes in which no hill hides the sun from the ground, [start, end, …]. */
  sunny: number[][][];
}

/** Height of the eye above the ground, metres. At 0 m, rounding could put the eye below the ground. */
const EYE_M = 0.3;

/**
 * Heights of the ground at the corners of the cells of a box, as differences from one corner to the next, and the
 * minutes without shade of hills, at the corners of coarser cells. Buildings do not count.
 */
export function groundAnswer(
  scenes: DatasetScenes,
  points: PointFinder,
  { cells, shadeCells, dates, ...box }: GroundRequest,
): Ground {
  let previousHeight = 0;
  const heights = cornersOf(box, cells).map(({ lat, lon }) => {
    const height = scenes.groundAt(lat, lon);
    if (height === null) return null;
    const tenths = Math.round(height * 10);
    const difference = tenths - previousHeight;
    previousHeight = tenths;
    return difference;
  });
  // Without near terrain one height stands for the box: far hills shade a box of a kilometre almost alike.
  let boxHeight: number | null = null;
  const heightOfBox = (): number =>
    (boxHeight ??= points.groundAt((box.south + box.north) / 2, (box.west + box.east) / 2) ?? 0);
  const corners = cornersOf(box, shadeCells).map(({ lat, lon }) => {
    const z = (scenes.groundAt(lat, lon) ?? heightOfBox()) + EYE_M;
    return { lat, lon, z, square: gridSquareOf(lat, lon) };
  });
  // Hills below the lowest corner shade none.
  const lowest = corners.reduce((low, { z }) => Math.min(low, z), Infinity);
  const days = dates?.map(dayOf);
  const windows: number[][][] = new Array(corners.length);
  // A grid square at a time: the engine loads the sun and the terrain of each once.
  for (const square of new Set(corners.map(({ square }) => square))) {
    const view = scenes.hillsFrom(square, lowest);
    for (const [i, { lat, lon, z, square: ownSquare }] of corners.entries()) {
      if (ownSquare === square) windows[i] = points.sunIn(view, lat, lon, z, days).windows;
    }
  }
  const sunny = Array.from({ length: days?.length ?? MONTHS }, (_, day) => windows.map((byDay) => byDay[day] ?? []));
  return { heights, sunny };
}

/**
 * The corners of the cells of a box, row by row from the north-west.
 * @param cells on each side; with 0 there is one corner, the north-west
 */
function cornersOf({ west, south, east, north }: Box, cells: number): LatLon[] {
  const cornersOfRow = cells + 1;
  return Array.from({ length: cornersOfRow ** 2 }, (_, i) => {
    const row = Math.floor(i / cornersOfRow);
    const column = i % cornersOfRow;
    return {
      lat: north + ((south - north) * row) / Math.max(1, cells),
      lon: west + ((east - west) * column) / Math.max(1, cells),
    };
  });
}
