import type { RecordAttributes } from '../building/attributes.ts';
import { textAt } from '../formats/column-file.ts';
import type { LatLon } from '../geo/degree.ts';
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

/** Whether the surroundings of a place are complete: `open` when a gap in the data begins within 1 km. */
export type Surroundings = RecordAttributes['surroundings'];

/** A gap nearer than this makes the surroundings incomplete, metres. */
const NEAR_M = 1000;

/** Fifth-order squares along a side of a third-order square. */
const SIDE = 4;

/** Facts from the census about places and buildings. */
export interface Census {
  /** The town of a place (degrees); null when there is none. */
  townAt(lat: number, lon: number): { townCode: string; households: number | null } | null;
  /** True when the ID of a building names the municipality of the town that contains its point. */
  hasIdOfItsTown(row: number): boolean;
}

/** The land of a grid square, with its own towns and those that reach into it. */
export interface SquareLand {
  /** Codes of the towns of which a building stands in the square and belongs to the town's municipality. */
  built: string[];
  /** For each fifth-order square: the code of the town at each sample point, unless the town has no household. */
  inhabited: string[][];
  /**
   * One bit for each fifth-order square, set when it has no building and most of its sample points are outside all
   * towns.
   */
  unknown: number;
}

/**
 * Sample points along a side of a fifth-order square; and the number of them on missing land that makes the square a
 * part of a gap.
 */
const SAMPLES = 4;
const LEAST_MISSING = 2;

/**
 * Finds the built, inhabited and unknown land of a grid square (`SquareLand`), by its sixteen fifth-order squares.
 * @param code of the square
 * @param square its buildings
 */
export function landOf(code: string, square: SquareBuildings, { townAt, hasIdOfItsTown }: Census): SquareLand {
  const hasBuilding = new Array<boolean>(SIDE * SIDE).fill(false);
  const built = new Set<string>();
  const fifthAt = fifthOrderIndex(code);
  for (let row = 0; row < square.count; row++) {
    const town = textAt(square.towns, row);
    // A building whose ID names another municipality does not show that the town's own buildings are published.
    if (town !== null && !built.has(town) && hasIdOfItsTown(row)) built.add(town);
    for (const { rings } of footprintsAt(square, row)) {
      for (const ring of rings) {
        for (let i = 0; i < ring.length; i += 2) {
          const fifth = fifthAt(ring[i], ring[i + 1]);
          const isInSquare = fifth >= 0;
          if (isInSquare) hasBuilding[fifth] = true;
        }
      }
    }
  }
  const land: SquareLand = { built: [...built].sort(), inhabited: [], unknown: 0 };
  for (const [i, fifth] of fifthOrderSquares(code).entries()) {
    const towns = samplePoints(gridSquareBounds(fifth)).map(({ lat, lon }) => townAt(lat, lon));
    land.inhabited.push(towns.flatMap((town) => (town === null || town.households === 0 ? [] : town.townCode)));
    const isMostlyOutside = towns.filter((town) => town === null).length > towns.length / 2;
    if (!hasBuilding[i] && isMostlyOutside) land.unknown |= 1 << i;
  }
  return land;
}

/**
 * The empty parts of squares, one bit for each fifth-order square: unknown land, and missing land. Land is missing when
 * its town has households, but none of its own buildings in any of the squares, and when at least `LEAST_MISSING`
 * sample points are on such land. Parks, water and offices have no households, so they are not missing.
 */
export function emptyPartsOf(lands: readonly SquareLand[]): EmptyParts[] {
  const built = new Set(lands.flatMap((land) => land.built));
  return lands.map(({ inhabited, unknown }) => {
    const empty: EmptyParts = { unknown: 0, missing: 0 };
    // By fifth-order square: the towns at its sample points.
    for (const [i, towns] of inhabited.entries()) {
      if (towns.filter((town) => !built.has(town)).length >= LEAST_MISSING) empty.missing |= 1 << i;
    }
    empty.unknown = unknown & ~empty.missing;
    return empty;
  });
}

/** Sample points, evenly spread over a fifth-order square. */
function samplePoints({ south, west, north, east }: Box): LatLon[] {
  return Array.from({ length: SAMPLES * SAMPLES }, (_, i) => ({
    lat: south + ((Math.floor(i / SAMPLES) + 0.5) / SAMPLES) * (north - south),
    lon: west + (((i % SAMPLES) + 0.5) / SAMPLES) * (east - west),
  }));
}

/**
 * Gaps near a grid square, in order of code: squares without any building; and in squares with buildings, the
 * fifth-order squares that are parts of a gap. Sea and missing data look the same, so both count as gaps.
 * @param partsOf the empty parts of a square; null for a square without buildings
 */
export function gapsAround(square: string, partsOf: (square: string) => EmptyParts | null): string[] {
  const squaresAround = new Set<string>([square]);
  // A square is 925 m high, so 1 km can reach beyond a neighbour.
  for (const neighbour of gridSquareNeighbours(square)) {
    squaresAround.add(neighbour);
    for (const next of gridSquareNeighbours(neighbour)) squaresAround.add(next);
  }
  const bounds = gridSquareBounds(square);
  const isNear = (code: string): boolean => distanceBound(bounds, gridSquareBounds(code)) <= NEAR_M;
  return [...squaresAround]
    .filter(isNear)
    .flatMap((code) => {
      const parts = partsOf(code);
      if (parts === null) return [code];
      const hasNoBuilding = (other: string): boolean => partsOf(other) === null;
      return gapsWithin(code, parts, hasNoBuilding).filter(isNear);
    })
    .sort();
}

/**
 * The fifth-order squares that are parts of a gap, in a square with buildings: missing ones, where towns have
 * households but no building was loaded; and unknown ones, where nothing was loaded, that are
 * connected, inside the square, to a missing one or to a square without buildings. A park or a lake alone is not a gap.
 * `unknown` and `missing` have one bit for each fifth-order square.
 */
function gapsWithin(code: string, { unknown, missing }: EmptyParts, isEmpty: (square: string) => boolean): string[] {
  const empty = unknown | missing;
  if (empty === 0) return [];
  // Which of the nine squares around are empty. The eight neighbours do not include the square itself.
  const isEmptyAround = gridSquareNeighbours(code).map(isEmpty);
  isEmptyAround.splice(SELF, 0, false);
  if (missing === 0 && !isEmptyAround.includes(true)) return [];
  let gaps = missing;
  // Gaps grow by one square in each round, until a round adds none.
  for (let gapsBefore = -1; gaps !== gapsBefore; ) {
    gapsBefore = gaps;
    for (let i = 0; i < SIDE * SIDE; i++) if (empty & (1 << i) && isBesideGap(i, gaps, isEmptyAround)) gaps |= 1 << i;
  }
  return fifthOrderSquares(code).filter((_, i) => gaps & (1 << i));
}

/** Position of the square itself among the nine squares, which are in rows from the north-west. */
const SELF = 4;

/**
 * Whether a fifth-order square or one of the eight around it is part of a gap (land without data, or sea).
 * @param i the fifth-order square
 * @param gaps the fifth-order squares of this square that are parts of a gap, one bit for each
 * @param isEmptyAround which of the nine third-order squares have no building: in rows from the north-west, so that
 * this one (`SELF`) is the fifth
 */
function isBesideGap(i: number, gaps: number, isEmptyAround: readonly boolean[]): boolean {
  const [row, column] = [Math.floor(i / SIDE), i % SIDE];
  const isEmptyAt = (north: number, east: number): boolean => isEmptyAround[SELF - 3 * north + east];
  for (let r = row - 1; r <= row + 1; r++) {
    for (let c = column - 1; c <= column + 1; c++) {
      // The third-order square at this row and column: −1, 0 or 1 squares north and east of this one.
      const [north, east] = [Math.floor(r / SIDE), Math.floor(c / SIDE)];
      const isInThis = north === 0 && east === 0;
      const isGap = isInThis ? (gaps & (1 << (r * SIDE + c))) !== 0 : isEmptyAt(north, east);
      if (isGap) return true;
    }
  }
  return false;
}

/**
 * The surroundings of a place (degrees): `open` when a gap is within 1 km.
 * @param gaps bounds of the squares around that are without buildings in the data
 */
export function surroundingsAt(lat: number, lon: number, gaps: readonly Box[]): Surroundings {
  const plane = new LocalPlane(lat, lon);
  const isNear = ({ south, north, west, east }: Box): boolean => {
    const nearestLat = Math.min(Math.max(lat, south), north);
    const nearestLon = Math.min(Math.max(lon, west), east);
    return Math.hypot(plane.x(nearestLat, nearestLon), plane.y(nearestLat)) <= NEAR_M;
  };
  return gaps.some(isNear) ? 'open' : 'complete';
}
