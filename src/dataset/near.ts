import { type Box, CellCursor, type LocalMetres } from './cell.ts';
import { CELLS_PER_DEGREE, cellIndex } from './store-keys.ts';

/** GRS80. */
const A = 6378137;
const F = 1 / 298.257222101;
const E2 = F * (2 - F);
const RADIANS = Math.PI / 180;

/**
 * The plane that touches the ellipsoid at a point, good to a millimetre within some kilometres: north along the meridian's radius of curvature, east along
 * the parallel at the middle latitude (the mid-latitude formula; Rapp, Geometric Geodesy I, §6.4).
 */
export function localMetres(lat0: number, lon0: number): LocalMetres {
  const phi = lat0 * RADIANS;
  const w = 1 - E2 * Math.sin(phi) ** 2;
  const meridian = ((A * (1 - E2)) / w ** 1.5) * RADIANS;
  const normal = (A / Math.sqrt(w)) * RADIANS;
  const cos = normal * Math.cos(phi);
  const slope = (normal * Math.sin(phi) * RADIANS) / 2;
  return {
    x: (lat, lon) => (lon - lon0) * (cos - slope * (lat - lat0)),
    y: (lat) => (lat - lat0) * meridian,
  };
}

/** Room for the cells that a search reads, mostly enough for all of them; the next search uses it again. */
const SCRATCH_BYTES = 1 << 17;
let scratch = new Uint8Array(SCRATCH_BYTES);

/** A building that was found: its distance, and where the summary kept of it lies (for `JsonWriter`). */
export interface Nearby {
  distanceM: number;
  bytes: Uint8Array;
  start: number;
  end: number;
}

/**
 * The buildings within `radiusM` of a point, nearest first, ties by ID, at most `limit`; `truncated` when there
 * are more. What is found is good until the next search. `cell` gives the bytes of a cell, good until it is called again, or undefined for an empty one.
 *
 * Cells are visited from the nearest on, until the next is farther than the last building that is wanted. A footprint is
 * measured only where its box is not farther than that.
 */
export function searchNear(
  lat: number,
  lon: number,
  radiusM: number,
  limit: number,
  cell: (row: number, column: number) => Uint8Array | undefined,
): { found: Nearby[]; truncated: boolean } {
  const metres = localMetres(lat, lon);
  const found: Nearby[] = [];
  let bound = radiusM;
  let filled = 0;
  for (const { row, column, distanceM } of cellsAround(lat, lon, radiusM, metres)) {
    if (distanceM > bound) break;
    const stored = cell(row, column);
    if (stored === undefined) continue;
    // A copy, because what is found waits while other cells are read.
    if (filled + stored.length > scratch.length) {
      scratch = new Uint8Array(Math.max(SCRATCH_BYTES, stored.length));
      filled = 0;
    }
    scratch.set(stored, filled);
    const cursor = new CellCursor(row, column, scratch, filled, filled + stored.length);
    filled += stored.length;
    const perLon = leastPerLon(row / CELLS_PER_DEGREE, (row + 1) / CELLS_PER_DEGREE, lon, metres);
    while (cursor.next()) {
      if (boxDistance(lat, lon, cursor, perLon, metres) > bound) continue;
      const distance = cursor.distance(metres);
      if (distance > bound) continue;
      const { bytes, summaryStart: start, summaryEnd: end } = cursor;
      // One more than asked for is kept, to know whether there are more.
      insert(found, { distanceM: distance, bytes, start, end }, limit + 1);
      if (found.length > limit) bound = found[limit]!.distanceM;
    }
  }
  const truncated = found.length > limit;
  if (truncated) found.pop();
  return { found, truncated };
}

/** Puts a candidate in its place among the nearest, at most `most` of them; a building that is there already stays once. */
function insert(found: Nearby[], candidate: Nearby, most: number): void {
  let low = 0;
  let high = found.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    const order = compare(candidate, found[middle]!);
    if (order === 0) return;
    if (order < 0) high = middle;
    else low = middle + 1;
  }
  found.splice(low, 0, candidate);
  if (found.length > most) found.pop();
}

/** Kept summaries are ordered as the IDs with which they begin. */
function compare(a: Nearby, b: Nearby): number {
  if (a.distanceM !== b.distanceM) return a.distanceM - b.distanceM;
  for (let i = 0; a.start + i < a.end && b.start + i < b.end; i++) {
    const difference = a.bytes[a.start + i]! - b.bytes[b.start + i]!;
    if (difference !== 0) return difference;
  }
  return 0;
}

interface CellAt {
  row: number;
  column: number;
  distanceM: number;
}

/** The cells within the radius, nearest first. */
function cellsAround(lat: number, lon: number, radiusM: number, metres: LocalMetres): CellAt[] {
  const perLat = metres.y(lat + 1);
  const perLon = leastPerLon(lat - radiusM / perLat, lat + radiusM / perLat, lon, metres);
  const [reachLat, reachLon] = [(radiusM / perLat) * 1.001, (radiusM / perLon) * 1.001];
  const cells: CellAt[] = [];
  for (let row = cellIndex(lat - reachLat); row <= cellIndex(lat + reachLat); row++) {
    const [south, north] = [row / CELLS_PER_DEGREE, (row + 1) / CELLS_PER_DEGREE];
    const scale = leastPerLon(south, north, lon, metres);
    for (let column = cellIndex(lon - reachLon); column <= cellIndex(lon + reachLon); column++) {
      const box = { south, north, west: column / CELLS_PER_DEGREE, east: (column + 1) / CELLS_PER_DEGREE };
      const distanceM = boxDistance(lat, lon, box, scale, metres);
      if (distanceM <= radiusM) cells.push({ row, column, distanceM });
    }
  }
  return cells.sort((a, b) => a.distanceM - b.distanceM);
}

/** Metres in a degree of longitude where the parallels between two latitudes are shortest. */
function leastPerLon(south: number, north: number, lon: number, metres: LocalMetres): number {
  return Math.min(metres.x(south, lon + 1), metres.x(north, lon + 1));
}

/** A lower bound of the distance from the point to anything in a box of degrees, metres, on the safe side by a centimetre. */
function boxDistance(lat: number, lon: number, box: Readonly<Box>, perLon: number, metres: LocalMetres): number {
  const x = (Math.min(box.east, Math.max(box.west, lon)) - lon) * perLon;
  const y = metres.y(Math.min(box.north, Math.max(box.south, lat)));
  return Math.sqrt(x * x + y * y) - 0.01;
}
