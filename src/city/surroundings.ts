import type { RecordAttributes } from '../building/attributes.ts';
import { textAt } from '../formats/column-file.ts';
import {
  type Box,
  fifthOrderIndex,
  fifthOrderSquares,
  gridSquareBounds,
  gridSquareNeighbours,
} from '../geo/grid-square.ts';
import { LocalPlane } from '../geo/plane.ts';
import { distanceBound } from './shading-squares.ts';
import { footprintsAt, type SquareBuildings } from './square-file.ts';
import type { EmptyParts } from './square-summary.ts';

/** Whether the data holds all that stands around a place: `open` where a gap begins within 1 km. */
export type Surroundings = RecordAttributes['surroundings'];

const NEAR_M = 1000;

/** Fifth-order squares on a side of a third-order one. */
const SIDE = 4;

/** To which municipality land and buildings belong. */
export interface Municipalities {
  /** That of a place (degrees) by the census areas, null where there is none. */
  at(lat: number, lon: number): string | null;
  /** That of a building of the square by its ID, null where it has none. */
  of(row: number): string | null;
}

/** A fifth-order square is looked up at so many places on a side; so many of them on land that is missing make it a part of a gap. */
const PLACES = 4;
const LEAST_MISSING = 2;

/**
 * The empty parts of a square. Land of a municipality is known to be as it is where a building of its own stands wholly on it, or with a
 * fifth-order square in which it alone has buildings: of codes that the census does not know nothing else can be told. Other
 * buildings on a border are not enough, since some stand beyond the one of their own municipality.
 */
export function emptyPartsOf(code: string, square: SquareBuildings, municipalities: Municipalities): EmptyParts {
  const here = Array.from({ length: SIDE * SIDE }, () => new Set<string | null>());
  const held = new Set<string | null>();
  const partAt = fifthOrderIndex(code);
  for (let row = 0; row < square.count; row++) {
    const municipality = textAt(square.towns, row)?.slice(0, 5) ?? null;
    if (!held.has(municipality) && standsOnItsOwn(municipality, square, row, municipalities)) held.add(municipality);
    for (const { rings } of footprintsAt(square, row)) {
      for (const ring of rings) {
        for (let i = 0; i < ring.length; i += 2) here[partAt(ring[i], ring[i + 1])]?.add(municipality);
      }
    }
  }
  for (const there of here) if (there.size === 1) for (const municipality of there) held.add(municipality);
  const empty: EmptyParts = { unknown: 0, missing: 0 };
  for (const [i, part] of fifthOrderSquares(code).entries()) {
    const land = placesIn(gridSquareBounds(part)).map(({ lat, lon }) => municipalities.at(lat, lon));
    const missing = land.filter((municipality) => municipality !== null && !held.has(municipality));
    if (missing.length >= LEAST_MISSING) empty.missing |= 1 << i;
    else if (here[i].size === 0 && land.filter((municipality) => municipality === null).length > land.length / 2)
      empty.unknown |= 1 << i;
  }
  return empty;
}

/** Whether a building lies wholly on land of its municipality: one on the border may be loaded with its neighbours. */
function standsOnItsOwn(own: string | null, square: SquareBuildings, row: number, { at, of }: Municipalities): boolean {
  if (own === null || of(row) !== own) return false;
  const isOwn = (ring: Float64Array): boolean => {
    for (let i = 0; i < ring.length; i += 2) if (at(ring[i], ring[i + 1]) !== own) return false;
    return true;
  };
  return footprintsAt(square, row).every(({ rings }) => rings.every(isOwn));
}

/** Places spread evenly over a fifth-order square. */
function placesIn({ south, west, north, east }: Box): { lat: number; lon: number }[] {
  return Array.from({ length: PLACES * PLACES }, (_, i) => ({
    lat: south + ((Math.floor(i / PLACES) + 0.5) / PLACES) * (north - south),
    lon: west + (((i % PLACES) + 0.5) / PLACES) * (east - west),
  }));
}

/**
 * Gaps around a grid square, in order of code: the squares near enough for some place in it that hold no building at all,
 * and of those that hold some the fifth-order squares that are part of a gap. Sea and what was not loaded look alike: neither is
 * known to be empty.
 * @param partsOf the empty parts of a square; null for one without buildings
 */
export function gapsAround(square: string, partsOf: (square: string) => EmptyParts | null): string[] {
  const near = new Set<string>([square]);
  // A square is 925 m high, so that 1 km may reach over a neighbour.
  for (const neighbour of gridSquareNeighbours(square)) {
    near.add(neighbour);
    for (const next of gridSquareNeighbours(neighbour)) near.add(next);
  }
  const bounds = gridSquareBounds(square);
  const isNear = (code: string): boolean => distanceBound(bounds, gridSquareBounds(code)) <= NEAR_M;
  return [...near]
    .filter(isNear)
    .flatMap((code) => {
      const parts = partsOf(code);
      return parts === null ? [code] : gapsWithin(code, parts, (other) => partsOf(other) === null).filter(isNear);
    })
    .sort();
}

/**
 * The fifth-order squares of a square with buildings that are part of a gap: missing ones, and unknown ones that hang together,
 * within the square, with one of those or with a square without buildings. A park or a lake by itself is none.
 */
function gapsWithin(code: string, { unknown, missing }: EmptyParts, isEmpty: (square: string) => boolean): string[] {
  const empty = unknown | missing;
  if (empty === 0) return [];
  const around = gridSquareNeighbours(code).map(isEmpty);
  around.splice(SELF, 0, false);
  if (missing === 0 && !around.includes(true)) return [];
  let gaps = missing;
  for (let before = -1; gaps !== before; ) {
    before = gaps;
    for (let i = 0; i < SIDE * SIDE; i++) if (empty & (1 << i) && isBesideGap(i, gaps, around)) gaps |= 1 << i;
  }
  return fifthOrderSquares(code).filter((_, i) => gaps & (1 << i));
}

/** Place of a square itself among the nine around it, from the north-west, row by row. */
const SELF = 4;

function isBesideGap(i: number, gaps: number, around: readonly boolean[]): boolean {
  const [row, column] = [Math.floor(i / SIDE), i % SIDE];
  for (let r = row - 1; r <= row + 1; r++) {
    for (let c = column - 1; c <= column + 1; c++) {
      const [north, east] = [Math.floor(r / SIDE), Math.floor(c / SIDE)];
      const isGap = north === 0 && east === 0 ? (gaps & (1 << (r * SIDE + c))) !== 0 : around[SELF - 3 * north + east];
      if (isGap) return true;
    }
  }
  return false;
}

/** The surroundings of a place (degrees), given the bounds of the gaps around its grid square. */
export function surroundingsAt(lat: number, lon: number, gaps: readonly Box[]): Surroundings {
  const plane = new LocalPlane(lat, lon);
  const isNear = ({ south, north, west, east }: Box): boolean => {
    const nearestLat = Math.min(Math.max(lat, south), north);
    const nearestLon = Math.min(Math.max(lon, west), east);
    return Math.hypot(plane.x(nearestLat, nearestLon), plane.y(nearestLat)) <= NEAR_M;
  };
  return gaps.some(isNear) ? 'open' : 'complete';
}
