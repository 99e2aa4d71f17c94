import type { RecordAttributes } from '../building/attributes.ts';
import { textAt } from '../formats/column-file.ts';
import {
  type Box,
  distanceBound,
  fifthOrderIndex,
  fifthOrderSquares,
  gridSquareBounds,
  gridSquareNeighbours,
} from '../geo/grid-square.ts';
import { LocalPlane } from '../geo/plane.ts';
import { footprintsAt, type SquareBuildings } from './square-file.ts';
import type { EmptyParts } from './square-summary.ts';

/** Whether the data holds all that stands around a place: `open` where a gap begins within 1 km. */
export type Surroundings = RecordAttributes['surroundings'];

const NEAR_M = 1000;

/** Fifth-order squares on a side of a third-order one. */
const SIDE = 4;

/** What the census says of places and buildings. */
export interface Census {
  /** The town of a place (degrees), null where there is none. */
  at(lat: number, lon: number): { townCode: string; households: number | null } | null;
  /** Whether a building of a square is of the municipality of the town in which it has its point, as far as its ID tells. */
  isAtHome(row: number): boolean;
}

/** What one grid square shows of its own towns and of those that reach into it. */
export interface SquareLand {
  /** Towns in which a building of their own municipality has its point. */
  built: string[];
  /** For each fifth-order square the inhabited towns at its places, one after the other. */
  inhabited: string[][];
  /** Fifth-order squares, a bit for each, in which nothing stands and no census area lies. */
  unknown: number;
}

/** A fifth-order square is looked up at so many places on a side; so many of them on land that is missing make it a part of a gap. */
const PLACES = 4;
const LEAST_MISSING = 2;

/** The land of a square. A town of which the census does not say how many households it has counts as inhabited. */
export function landOf(code: string, square: SquareBuildings, { at, isAtHome }: Census): SquareLand {
  const stands = new Array<boolean>(SIDE * SIDE).fill(false);
  const built = new Set<string>();
  const partAt = fifthOrderIndex(code);
  for (let row = 0; row < square.count; row++) {
    const town = textAt(square.towns, row);
    if (town !== null && !built.has(town) && isAtHome(row)) built.add(town);
    for (const { rings } of footprintsAt(square, row)) {
      for (const ring of rings) {
        for (let i = 0; i < ring.length; i += 2) {
          const part = partAt(ring[i], ring[i + 1]);
          if (part in stands) stands[part] = true;
        }
      }
    }
  }
  const land: SquareLand = { built: [...built].sort(), inhabited: [], unknown: 0 };
  for (const [i, part] of fifthOrderSquares(code).entries()) {
    const towns = placesIn(gridSquareBounds(part)).map(({ lat, lon }) => at(lat, lon));
    land.inhabited.push(towns.flatMap((town) => (town === null || town.households === 0 ? [] : town.townCode)));
    const outside = towns.filter((town) => town === null).length;
    if (!stands[i] && outside > towns.length / 2) land.unknown |= 1 << i;
  }
  return land;
}

/**
 * The empty parts of squares: land of towns that have households and, in any of the squares, no building of their own. Parks, water
 * and offices without households are none.
 */
export function emptyPartsOf(lands: readonly SquareLand[]): EmptyParts[] {
  const built = new Set(lands.flatMap((land) => land.built));
  return lands.map(({ inhabited, unknown }) => {
    const empty: EmptyParts = { unknown: 0, missing: 0 };
    for (const [i, towns] of inhabited.entries()) {
      if (towns.filter((town) => !built.has(town)).length >= LEAST_MISSING) empty.missing |= 1 << i;
    }
    empty.unknown = unknown & ~empty.missing;
    return empty;
  });
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
