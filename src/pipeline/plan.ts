import { createHash } from 'node:crypto';
import type { RecordAttributes } from '../building/attributes.ts';
import { type Need, type SeenSquare, ShadingSquares } from '../city/shading-squares.ts';
import type { SquareSummary } from '../city/square-summary.ts';
import { NEAR_UNKNOWN_HEIGHT_M } from '../city/standing-height.ts';
import { gapsAround, type SquareLand } from '../city/surroundings.ts';
import { type TerrainIndex, type TerrainNeed, TerrainSquares } from '../city/terrain-squares.ts';
import { gridSquareBounds, gridSquareNeighbours } from '../geo/grid-square.ts';
import { LocalPlane } from '../geo/plane.ts';

/**
 * The plan of a build: which grid squares to compute, and what each needs. It is a pure value made from the summaries
 * of the squares.
 */
export interface Plan {
  /** In order of code. Squares without served buildings only shade and are not listed. */
  units: PlannedUnit[];
  totals: { squares: number; buildings: number; served: number; work: number };
}

/** The unit of work: a grid square with everything that can shade it. */
export interface PlannedUnit {
  square: string;
  /** Plane coordinate zone in which it is computed. */
  zone: number;
  /** Number of buildings with a result. */
  served: number;
  /** The squares that can shade it, including itself, in order of code. */
  needs: Need[];
  /** The grid squares near it without buildings, and the fifth-order squares that are parts of a gap. */
  gaps: string[];
  /** Representative points (lat, lon, lat, lon …) of the buildings of unknown height in it and within 100 m. */
  placeholders: number[];
  /** The terrain that can shade it, and which terrain is known around it. Absent without elevation. */
  terrain?: { needs: TerrainNeed[]; kind: RecordAttributes['terrain'] };
  /** Number of buildings of all needs. */
  shading: number;
  /** Estimated effort, in buildings of an average square. */
  work: number;
  /** Identifies everything the result depends on: equal fingerprints mean equal bytes. */
  fingerprint: string;
}

/** The facts about a square that the plan needs. */
export interface PlannedSquare extends SquareSummary {
  /** SHA-256 of the square's file. */
  digest: string;
  /** Representative points (lat, lon, lat, lon …) of its buildings of unknown height. */
  placeholders: number[];
}

/** A merged square. Its empty parts are known only when all squares are merged. */
export interface SquareWithLand extends Omit<PlannedSquare, 'emptyParts'> {
  land: SquareLand;
}

/**
 * The effort of a shading building in scene and tree, relative to computing a served one: about 2.6 µs to 2 ms. It only
 * affects the order of units.
 */
const SHADING_EFFORT = 1 / 800;

/**
 * Makes the plan of a build: which grid squares are computed, each with the squares and the ground that can shade it.
 * @param settings everything else that results depend on (program version, reference year, …). They are part of every
 * fingerprint.
 */
export function planBuild(
  squares: readonly PlannedSquare[],
  settings: unknown,
  terrain: TerrainIndex | null = null,
): Plan {
  const terrainSquares = terrain && new TerrainSquares(terrain);
  const shading = new ShadingSquares(squares);
  // By square: the parts without buildings, and the points of buildings of unknown height.
  const emptyParts = new Map(squares.map((square) => [square.square, square.emptyParts]));
  const placeholders = new Map(squares.map((square) => [square.square, square.placeholders]));
  const units = shading.squares.flatMap((planned) => {
    const { square, served, lowestBase } = planned;
    if (served === 0 || lowestBase === null) return [];
    // Where no data lie, the sun may be overestimated; where heights are unknown, the shade is a guess. Answers say so.
    const gaps = gapsAround(square, (code) => emptyParts.get(code) ?? null);
    const pointsAround = [square, ...gridSquareNeighbours(square)].flatMap((code) => placeholders.get(code) ?? []);
    // Shade matters from the lowest base of a building on.
    const view = { ...planned, lowest: lowestBase };
    const surroundings = {
      gaps,
      placeholders: pointsNear(square, pointsAround),
      ...(terrainSquares && {
        terrain: { needs: terrainSquares.seenFrom(square, view), kind: terrainSquares.kindAt(square) },
      }),
    };
    return planUnit(planned, shading.seenFrom(view), surroundings, settings);
  });
  return {
    units,
    totals: {
      squares: squares.length,
      buildings: sum(squares, ({ buildings }) => buildings),
      served: sum(squares, ({ served }) => served),
      work: sum(units, ({ work }) => work),
    },
  };
}

/** The largest units first, so that no worker has a large unit at the end. */
export const inOrderOfWork = (units: readonly PlannedUnit[]): PlannedUnit[] =>
  [...units].sort((a, b) => b.work - a.work || (a.square < b.square ? -1 : 1));

/**
 * The unit of a square. Its fingerprint is a hash of all that its result depends on.
 * @param seen the squares that can shade it
 */
function planUnit(
  { square, zone, served, digest }: PlannedSquare,
  seen: readonly SeenSquare[],
  surroundings: Pick<PlannedUnit, 'gaps' | 'placeholders' | 'terrain'>,
  settings: unknown,
): PlannedUnit {
  const hash = createHash('sha256').update(JSON.stringify([settings, square, zone, digest]));
  // A square has a digest of its buildings above each whole metre (its height ladder). The digest hashed here has only
  // the buildings that are tall enough to shade, so a change of a low, distant neighbour does not change this square.
  for (const { summary, rung } of seen) hash.update(`\n${summary.square} ${summary.ladder.digests[rung]}`);
  const needs = seen.map(({ need }) => need);
  hash.update(`\n${surroundings.gaps}\n${surroundings.placeholders}`);
  // The height from which on a file counts follows from what is hashed already.
  for (const { name, digest } of surroundings.terrain?.needs ?? []) hash.update(`\n${name} ${digest}`);
  if (surroundings.terrain) hash.update(`\n${surroundings.terrain.kind}`);
  const shading = sum(needs, ({ buildings }) => buildings);
  const work = Math.ceil(served + shading * SHADING_EFFORT);
  return { square, zone, served, needs, ...surroundings, shading, work, fingerprint: hash.digest('hex') };
}

/**
 * Of the points of buildings of unknown height (lat, lon, lat, lon …), those that lie in a grid square or within
 * `NEAR_UNKNOWN_HEIGHT_M` of it.
 */
function pointsNear(square: string, points: readonly number[]): number[] {
  const { south, west, north, east } = gridSquareBounds(square);
  const near: number[] = [];
  for (let i = 0; i < points.length; i += 2) {
    const [lat, lon] = [points[i], points[i + 1]];
    // The origin of the plane is the point of the square that is nearest to this one.
    const plane = new LocalPlane(Math.min(Math.max(lat, south), north), Math.min(Math.max(lon, west), east));
    if (Math.hypot(plane.x(lat, lon), plane.y(lat)) <= NEAR_UNKNOWN_HEIGHT_M) near.push(lat, lon);
  }
  return near;
}

/** The sum of a value of all items. */
export const sum = <T>(items: readonly T[], value: (item: T) => number): number =>
  items.reduce((total, item) => total + value(item), 0);
