import { pointPolygonDistance } from '../geo/distance.ts';
import type { BuildingHead } from './building-record.ts';
import { type Box, type CellEntry, readCell } from './cell.ts';
import { CELLS_PER_DEGREE, cellIndex } from './store-keys.ts';

/** Metres around a point, good to a millimetre within some kilometres: x east, y north. */
export interface LocalMetres {
  x(lat: number, lon: number): number;
  y(lat: number): number;
}

/** GRS80. */
const A = 6378137;
const F = 1 / 298.257222101;
const E2 = F * (2 - F);
const RADIANS = Math.PI / 180;

/**
 * The plane that touches the ellipsoid at a point: north along the meridian's radius of curvature, east along
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

export interface Nearby {
  distanceM: number;
  building: BuildingHead;
}

/** Metres from a point to a building's footprint, 0 inside. */
export function footprintDistance(metres: LocalMetres, { footprints }: BuildingHead): number {
  let least = Infinity;
  for (const { rings } of footprints) {
    const plane = rings.map((ring) => {
      const xy = new Float64Array(ring.length);
      for (let i = 0; i < ring.length; i += 2) {
        xy[i] = metres.x(ring[i]!, ring[i + 1]!);
        xy[i + 1] = metres.y(ring[i]!);
      }
      return xy;
    });
    least = Math.min(least, pointPolygonDistance(0, 0, plane));
    if (least === 0) break;
  }
  return least;
}

/**
 * The buildings within `radiusM` of a point, nearest first, ties by ID, at most `limit`; `truncated` when there
 * are more. `cell` gives the bytes of a cell, good until it is called again, or undefined for an empty one.
 *
 * Cells and then the boxes in them are visited from the nearest on, until the next is farther than the last building
 * that is wanted; only then is a footprint decoded and measured.
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
  // One more than asked for is kept, to know whether there are more.
  const bound = (): number => (found.length > limit ? found[limit]!.distanceM : radiusM);
  const cells = cellsAround(lat, lon, radiusM, metres);
  let waiting: { entry: CellEntry; boxM: number }[] = [];
  for (const [index, { row, column, distanceM }] of cells.entries()) {
    if (distanceM > bound()) break;
    // A copy, because entries wait while other cells are read.
    for (const entry of readCell(row, column, new Uint8Array(cell(row, column) ?? []))) {
      const boxM = boxDistance(lat, lon, entry.box, metres);
      if (boxM <= bound()) waiting.push({ entry, boxM });
    }
    const nextM = cells[index + 1]?.distanceM ?? Infinity;
    const due = waiting.filter(({ boxM }) => boxM <= nextM).sort((a, b) => a.boxM - b.boxM);
    waiting = waiting.filter(({ boxM }) => boxM > nextM);
    for (const { entry, boxM } of due) {
      if (boxM > bound()) break;
      const building = entry.building();
      const candidate = { distanceM: footprintDistance(metres, building), building };
      if (candidate.distanceM <= bound()) insert(found, candidate, limit + 1);
    }
  }
  const truncated = found.length > limit;
  return { found: found.slice(0, limit), truncated };
}

/** Puts a candidate in its place among the nearest, at most `most` of them; a building that is there already stays once. */
function insert(found: Nearby[], candidate: Nearby, most: number): void {
  let at = found.length;
  while (at > 0 && compare(candidate, found[at - 1]!) < 0) at--;
  if (at > 0 && compare(candidate, found[at - 1]!) === 0) return;
  found.splice(at, 0, candidate);
  if (found.length > most) found.pop();
}

function compare(a: Nearby, b: Nearby): number {
  if (a.distanceM !== b.distanceM) return a.distanceM - b.distanceM;
  const [one, other] = [a.building.buildingId, b.building.buildingId];
  return one < other ? -1 : one > other ? 1 : 0;
}

interface CellAt {
  row: number;
  column: number;
  distanceM: number;
}

/** The cells within the radius, nearest first. */
function cellsAround(lat: number, lon: number, radiusM: number, metres: LocalMetres): CellAt[] {
  const perLat = metres.y(lat + 1);
  // The parallel is shortest at the edge towards the pole.
  const perLon = Math.min(metres.x(lat + radiusM / perLat, lon + 1), metres.x(lat - radiusM / perLat, lon + 1));
  const [reachLat, reachLon] = [(radiusM / perLat) * 1.001, (radiusM / perLon) * 1.001];
  const cells: CellAt[] = [];
  for (let row = cellIndex(lat - reachLat); row <= cellIndex(lat + reachLat); row++) {
    for (let column = cellIndex(lon - reachLon); column <= cellIndex(lon + reachLon); column++) {
      const box = {
        south: row / CELLS_PER_DEGREE,
        west: column / CELLS_PER_DEGREE,
        north: (row + 1) / CELLS_PER_DEGREE,
        east: (column + 1) / CELLS_PER_DEGREE,
      };
      const distanceM = boxDistance(lat, lon, box, metres);
      if (distanceM <= radiusM) cells.push({ row, column, distanceM });
    }
  }
  return cells.sort((a, b) => a.distanceM - b.distanceM);
}

/** A lower bound of the distance from the point to anything in a box, metres, on the safe side by a centimetre. */
function boxDistance(lat: number, lon: number, box: Box, metres: LocalMetres): number {
  const nearLat = Math.min(box.north, Math.max(box.south, lat));
  const nearLon = Math.min(box.east, Math.max(box.west, lon));
  const poleward = Math.abs(box.north) > Math.abs(box.south) ? box.north : box.south;
  return Math.max(0, Math.hypot(metres.x(poleward, nearLon), metres.y(nearLat)) - 0.01);
}
