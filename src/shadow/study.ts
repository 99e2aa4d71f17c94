import { type Crossing, contours, type Grid, type Line, simplified } from '../geo/contours.ts';
import { pointInRing, pointSegmentSquared } from '../geo/polygon.ts';
import { unionOf } from '../geo/union.ts';
import { type Casters, forEachStrip, type ShadowVector, WALL } from './casters.ts';
import { exactMinutes, type ShadowField, shadowField } from './shadow-field.ts';

/** Distance from the studied buildings up to which hours are counted, metres. */
const REACH_M = 200;
/** Limit of the points of a grid. A larger area gets larger steps. */
const MOST_POINTS = 1_000_000;
/** Distances from the boundary of the site beyond which the law counts, metres. */
const SITE_LINES_M = [5, 10] as const;
/** Points nearer than this to the line between their neighbours are removed, metres. */
const LINE_TOLERANCE_M = 0.02;
/** Shorter lines are removed, in steps of the grid: they are artefacts in corners of walls. */
const LEAST_LINE_STEPS = 3;
/** Steps of a grid beyond the computed area on each side, so that contour lines close within the grid. */
const MARGIN_STEPS = 2;
/** With more sides than this the pieces of a shadow are not joined. */
const MOST_SIDES = 4000;
/**
 * Accuracy of the point where a line passes between two grid points, minutes, or a share of a step. Some tries may not
 * reach it.
 */
const CROSSING_MINUTES = 0.5;
const CROSSING_SHARE = 0.03;
const MOST_TRIES = 8;
/**
 * The time of a try grows with the number of walls. With more walls than this, tries are made only near walls: within
 * so many steps of the grid.
 */
const MOST_WALLS_EVERYWHERE = 60;
const NEAR_WALL_STEPS = 4;
/** With more walls than this no tries are made. */
const MOST_WALLS_FOR_TRIES = 400;
/** Minutes between the shadows from which the area of the grid is found. */
const PROBE_MINUTES = 5;

/** Input of a study. Metres, and minutes of one day. */
interface StudyInput {
  /** The buildings whose shadow is studied. */
  studied: Casters;
  /** The outer rings of the studied buildings, `[x, y, …]`, also of one that is no higher than the plane. */
  outlines: readonly (readonly number[])[];
  /** Their neighbours, whose shade also counts. */
  neighbours: Casters;
  /** The boundary of the site, `[x, y, …]`; null: none. */
  site: readonly number[] | null;
  /** The hours of shadow for which lines are drawn. */
  hours: readonly number[];
  stepM: number;
  /**
   * The hours of true solar time at which the shadow is drawn, with the minute of each. The first and the last one
   * limit the count.
   */
  clock: readonly { solarHour: number; minute: number }[];
  shadowAt: (minute: number) => ShadowVector;
}

/** The longest shadow in a zone around the site, and its place. */
interface ZoneMost {
  fromM: number;
  /** Null: without limit. */
  toM: number | null;
  minutes: number;
  x: number;
  y: number;
}

/** Hours of shadow on a plane. */
export interface Study {
  field: ShadowField;
  /** True when a line leaves the computed area. */
  isCut: boolean;
  hourLines: { hours: number; lines: Line[] }[];
  /** The shadow of the studied buildings at full hours: polygons with holes. */
  timeShadows: { solarHour: number; minute: number; polygons: number[][][] }[];
  siteLines: { distanceM: number; lines: Line[] }[];
  /** Null without a site. Zones that buildings cover entirely are left out. */
  zones: ZoneMost[] | null;
}

/** Counts the hours of shadow on a plane and draws their lines. */
export function studyShadow(input: StudyInput): Study {
  const { studied, neighbours, site, hours, clock, shadowAt } = input;
  const [from, to] = [clock[0].minute, clock[clock.length - 1].minute];
  const grid = gridOver(input, from, to);
  const near = reaching(neighbours, grid, probeMinutes(from, to).map(shadowAt));
  const all: Casters = {
    prismWalls: studied.prismWalls.concat(near.prismWalls),
    roofEdges: studied.roofEdges.concat(near.roofEdges),
    footprints: studied.footprints.concat(near.footprints),
  };
  const field = shadowField(all, grid, from, to, shadowAt);
  const exact = exactMinutes(all, from, to, shadowAt);
  const walls = (all.prismWalls.length + all.roofEdges.length) / WALL;
  const distances = site === null ? null : distancesFrom(grid, site);
  // Where a line passes between two grid points is estimated from their minutes. With few walls there is time to
  // compute it exactly: between all points, or between those near walls, where the estimate is worst.
  const hourLinesOf = (hoursOfShadow: number): Line[] => {
    const level = hoursOfShadow * 60;
    if (walls > MOST_WALLS_FOR_TRIES) return linesOf(grid, field.minutes, level);
    const everywhere = walls <= MOST_WALLS_EVERYWHERE;
    return linesOf(grid, field.minutes, level, exactCrossing(grid, field.minutes, level, exact, { everywhere }));
  };
  return {
    field,
    isCut: hours.length > 0 && edgeHas(grid, field.minutes, Math.min(...hours) * 60),
    hourLines: hours.map((hoursOfShadow) => ({ hours: hoursOfShadow, lines: hourLinesOf(hoursOfShadow) })),
    timeShadows: clock.map((time) => ({ ...time, polygons: shadowOutline(studied, shadowAt(time.minute)) })),
    siteLines: SITE_LINES_M.map((distanceM) => ({
      distanceM,
      lines: distances === null ? [] : linesOf(grid, distances, distanceM),
    })),
    zones: distances && mostByZone(grid, field.minutes, distances),
  };
}

/** The lines at a level of the values on a grid, simplified. Very short lines are left out. */
const linesOf = (grid: Grid, values: ArrayLike<number>, level: number, crossing?: Crossing): Line[] =>
  contours(grid, values, level, crossing)
    .map((line) => simplified(line, LINE_TOLERANCE_M))
    .filter((line) => lengthOf(line) > LEAST_LINE_STEPS * grid.stepM);

/** The length of a line, metres. */
function lengthOf(line: Line): number {
  let length = 0;
  for (let i = 2; i < line.length; i += 2) length += Math.hypot(line[i] - line[i - 2], line[i + 1] - line[i - 1]);
  return length;
}

/**
 * Returns a function that finds where the minutes of shadow cross a level between two neighbouring points of a grid. It
 * gets the numbers of both points and the linear estimate, and returns the better estimate; both are shares of the way
 * between the points. The linear estimate is wrong where shadows meet and around a corner of a building: there the
 * crossing is searched with exact minutes.
 * @param minutes of shadow at each point of the grid; NaN inside buildings
 * @param exact the exact minutes of shadow at a place of the plane
 * @param options.everywhere true to search between all points, false only near walls
 */
function exactCrossing(
  grid: Grid,
  minutes: Float64Array,
  level: number,
  exact: (x: number, y: number) => number,
  { everywhere }: { everywhere: boolean },
): Crossing {
  const { west, south, stepM, columns, rows } = grid;
  const pointAt = (i: number): [x: number, y: number] => [
    west + (i % columns) * stepM,
    south + Math.floor(i / columns) * stepM,
  ];
  const isNearWall = (i: number): boolean => {
    const [column, row] = [i % columns, Math.floor(i / columns)];
    for (let r = Math.max(0, row - NEAR_WALL_STEPS); r <= Math.min(rows - 1, row + NEAR_WALL_STEPS); r++) {
      const first = r * columns + Math.max(0, column - NEAR_WALL_STEPS);
      const last = r * columns + Math.min(columns - 1, column + NEAR_WALL_STEPS);
      for (let k = first; k <= last; k++) if (Number.isNaN(minutes[k])) return true;
    }
    return false;
  };
  return (from, to, share) => {
    // The points are neighbours, so `from` speaks for both.
    if (!everywhere && !isNearWall(from)) return share;
    const [[ax, ay], [bx, by]] = [pointAt(from), pointAt(to)];
    const excessAt = (position: number): number => exact(ax + position * (bx - ax), ay + position * (by - ay)) - level;
    // Both accuracies as minutes: the smaller one holds.
    const tolerance = Math.min(CROSSING_MINUTES, CROSSING_SHARE * Math.abs(minutes[to] - minutes[from]));
    return zeroOf(excessAt, [minutes[from] - level, minutes[to] - level], share, tolerance);
  };
}

/**
 * Finds where a function is nearly 0 between 0 and 1, by secants and bisections in turn: secants alone may converge
 * slowly at a bend.
 * @param ends its values at 0 and at 1, of which one is negative
 * @param estimate where to look first
 * @param tolerance how far from 0 the value may be
 */
function zeroOf(
  valueAt: (position: number) => number,
  ends: readonly [atZero: number, atOne: number],
  estimate: number,
  tolerance: number,
): number {
  // The function is 0 between two positions, `from` and `to`.
  let [from, to] = [0, 1];
  let [fromValue, toValue] = ends;
  let position = estimate;
  for (let i = 0; i < MOST_TRIES; i++) {
    const value = valueAt(position);
    if (Math.abs(value) <= tolerance) break;
    if (value < 0 === fromValue < 0) [from, fromValue] = [position, value];
    else [to, toValue] = [position, value];
    const secant = from + ((to - from) * fromValue) / (fromValue - toValue);
    position = i % 2 === 1 ? (from + to) / 2 : secant;
  }
  return position;
}

/**
 * The grid over everything that is shaded within reach, and over the site with the lines 5 and 10 m
 * around it. Its step is that of the input unless it would have too many points.
 * @param from first minute of the study, after 00:00 JST
 * @param to last minute
 */
function gridOver(
  { studied, outlines, site, stepM: leastStepM, shadowAt }: StudyInput,
  from: number,
  to: number,
): Grid {
  const outlineBounds = new Bounds();
  for (const outline of outlines) outlineBounds.add(outline);
  const shaded = new Bounds();
  for (const minute of probeMinutes(from, to)) {
    forEachStrip(studied, shadowAt(minute), (...corners) => shaded.add(corners));
  }
  for (const outline of outlines) shaded.add(outline);
  const box = shaded.within(outlineBounds.grown(REACH_M));
  if (site !== null) {
    const around = new Bounds();
    around.add(site);
    box.join(around.grown(SITE_LINES_M[SITE_LINES_M.length - 1]));
  }
  const points = (stepM: number): number => ((box.east - box.west) / stepM) * ((box.north - box.south) / stepM);
  // The step is the least one times 1, 1.5, 2 and so on: the first with which the grid is small enough.
  const stepM = leastStepM * Math.max(1, Math.ceil(2 * Math.sqrt(points(leastStepM) / MOST_POINTS)) / 2);
  // A grid has one point more than steps.
  const pointsOver = (metres: number): number => Math.ceil(metres / stepM) + 2 * MARGIN_STEPS + 1;
  return {
    west: box.west - MARGIN_STEPS * stepM,
    south: box.south - MARGIN_STEPS * stepM,
    stepM,
    columns: pointsOver(box.east - box.west),
    rows: pointsOver(box.north - box.south),
  };
}

/** The minutes of the shadows from which the area of the grid is found. */
const probeMinutes = (from: number, to: number): number[] =>
  Array.from({ length: Math.floor((to - from) / PROBE_MINUTES) + 1 }, (_, i) => from + i * PROBE_MINUTES);

/**
 * Leaves out of the casters (what throws shadows) those that shade no point of a grid: keeps the footprints that meet
 * it, and the walls whose shadow reaches it.
 * @param shadows where the shadow of a point 1 m above the plane lies, at each time of the study
 */
function reaching(casters: Casters, grid: Grid, shadows: readonly ShadowVector[]): Casters {
  // The bounds of a point 1 m above the plane and of all its shadows, relative to the point. For other heights they
  // grow in proportion.
  const tips = new Bounds();
  tips.add([0, 0, ...shadows.flatMap(({ east, north }) => [east, north])]);
  const area = new Bounds();
  area.add([grid.west, grid.south]);
  area.add([grid.west + grid.columns * grid.stepM, grid.south + grid.rows * grid.stepM]);
  const wallsNear = (walls: readonly number[]): number[] => {
    const nearWalls: number[] = [];
    for (let i = 0; i < walls.length; i += WALL) {
      const [ax, ay, ah, bx, by, bh] = walls.slice(i, i + WALL);
      const height = Math.max(ah, bh);
      const shaded = new Bounds();
      const [west, south, east, north] = [tips.west, tips.south, tips.east, tips.north].map((tip) => height * tip);
      shaded.add([ax + west, ay + south, bx + west, by + south]);
      shaded.add([ax + east, ay + north, bx + east, by + north]);
      if (shaded.meets(area)) nearWalls.push(ax, ay, ah, bx, by, bh);
    }
    return nearWalls;
  };
  const standsOnGrid = ([outer]: readonly number[][]): boolean => {
    const ground = new Bounds();
    ground.add(outer);
    return ground.meets(area);
  };
  return {
    prismWalls: wallsNear(casters.prismWalls),
    roofEdges: wallsNear(casters.roofEdges),
    footprints: casters.footprints.filter(standsOnGrid),
  };
}

/** A box that grows with the points added to it; empty at first. Metres. */
class Bounds {
  west = Infinity;
  south = Infinity;
  east = -Infinity;
  north = -Infinity;

  /** Grows the box so that it has these points: `[x, y, …]`. */
  add(xy: readonly number[]): void {
    for (let i = 0; i < xy.length; i += 2) {
      this.west = Math.min(this.west, xy[i]);
      this.south = Math.min(this.south, xy[i + 1]);
      this.east = Math.max(this.east, xy[i]);
      this.north = Math.max(this.north, xy[i + 1]);
    }
  }

  join({ west, south, east, north }: Bounds): void {
    this.add([west, south, east, north]);
  }

  meets({ west, south, east, north }: Bounds): boolean {
    return this.west <= east && this.east >= west && this.south <= north && this.north >= south;
  }

  /** This box with a margin on each side. */
  grown(metres: number): Bounds {
    const result = new Bounds();
    result.add([this.west - metres, this.south - metres, this.east + metres, this.north + metres]);
    return result;
  }

  /** The part of this box that is in another one; the two must meet. */
  within({ west, south, east, north }: Bounds): Bounds {
    const result = new Bounds();
    result.add([
      Math.max(west, this.west),
      Math.max(south, this.south),
      Math.min(east, this.east),
      Math.min(north, this.north),
    ]);
    return result;
  }
}

/**
 * The shadow and the ground under its casters, as polygons. Joining takes too long for more than `MOST_SIDES` sides:
 * then the polygons overlap.
 */
function shadowOutline(casters: Casters, shadow: ShadowVector): number[][][] {
  const pieces: number[][][] = [...casters.footprints];
  forEachStrip(casters, shadow, (...corners) => pieces.push([corners]));
  const sides = pieces.reduce((sum, rings) => sum + rings.reduce((count, ring) => count + ring.length / 2, 0), 0);
  return sides > MOST_SIDES ? pieces : unionOf(pieces);
}

/** Distances of the points of a grid from a site, metres: 0 inside; infinite far beyond the last of SITE_LINES_M. */
function distancesFrom({ west, south, stepM, columns, rows }: Grid, site: readonly number[]): Float64Array {
  const distances = new Float64Array(columns * rows).fill(Infinity);
  const bounds = new Bounds();
  bounds.add(site);
  // A few steps beyond the last line, so that all points around it have a distance.
  const near = bounds.grown(SITE_LINES_M[SITE_LINES_M.length - 1] + 3 * stepM);
  for (let row = 0; row < rows; row++) {
    const y = south + row * stepM;
    if (y < near.south || y > near.north) continue;
    for (let column = 0; column < columns; column++) {
      const x = west + column * stepM;
      if (x >= near.west && x <= near.east) distances[row * columns + column] = distanceFrom(x, y, site);
    }
  }
  return distances;
}

/** The distance of a point from a ring, metres; 0 inside. */
function distanceFrom(x: number, y: number, ring: readonly number[]): number {
  if (pointInRing(x, y, ring)) return 0;
  let least = Infinity;
  for (let i = ring.length - 2, j = 0; j < ring.length; i = j, j += 2) {
    least = Math.min(least, pointSegmentSquared(x, y, ring[i], ring[i + 1], ring[j], ring[j + 1]));
  }
  return Math.sqrt(least);
}

/** The most minutes between each line of the site and the next one, and beyond the last one. */
function mostByZone({ west, south, stepM, columns }: Grid, minutes: Float64Array, distances: Float64Array): ZoneMost[] {
  return SITE_LINES_M.flatMap((fromM, zone) => {
    const toM = SITE_LINES_M[zone + 1] ?? null;
    // The index of the point with the longest shadow so far. Comparisons with NaN, where a caster stands, are false.
    let longest = -1;
    for (let i = 0; i < minutes.length; i++) {
      if (!(distances[i] > fromM) || (toM !== null && distances[i] > toM)) continue;
      if (longest < 0 ? minutes[i] >= 0 : minutes[i] > minutes[longest]) longest = i;
    }
    if (longest < 0) return [];
    const [column, row] = [longest % columns, Math.floor(longest / columns)];
    return [{ fromM, toM, minutes: minutes[longest], x: west + column * stepM, y: south + row * stepM }];
  });
}

/** True when a value at the edge of the area, without the grid's margin, reaches a level. */
function edgeHas({ columns, rows }: Grid, values: Float64Array, level: number): boolean {
  return values.some((value, i) => {
    const [column, row] = [i % columns, Math.floor(i / columns)];
    const isEdge =
      column === MARGIN_STEPS ||
      column === columns - 1 - MARGIN_STEPS ||
      row === MARGIN_STEPS ||
      row === rows - 1 - MARGIN_STEPS;
    return isEdge && value >= level;
  });
}
