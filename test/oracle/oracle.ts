import { type DayPath, sunAt } from '../../src/solar/day-path.ts';
import { makeReceptors, placeReceptors, type Receptors } from '../../src/sunlight/receptors.ts';
import { type BuildingSunlight, type FaceSunlight, floorsOf, ShadingTally } from '../../src/sunlight/result.ts';
import type { Scene } from '../../src/sunlight/scene.ts';
import { meanMinutes, sunlitWindows } from '../../src/sunlight/windows.ts';
import { type EdgeGrid, enclosingBuilding, isOver } from './edge-grid.ts';
import { castRay, type Hidden } from './ray.ts';

/** Own edges whose ends lie so near the line of a receptor's wall, metres, and that run along it to within 1° are that wall. */
const IN_LINE_M = 0.02;
const SAME_WAY_DEG = 1;
/** Receptors hang so far before their wall, metres. */
const OFFSET_M = 0.05;
const FLOORS = 3;

/** The sun's direction at every half minute (12:00:30, 12:01:30 …) of a day at which it is up. */
interface SunSamples {
  /** The whole minute in which the sample lies. */
  minute: number[];
  /** Unit vector over the plan, true north up, and rise over run. */
  east: number[];
  north: number[];
  slope: number[];
}

/**
 * The slow and obviously right way: what the sun does to one building, found with a ray for every receptor and
 * every minute. `paths` are the day paths of its grid square. A sample at the half of each minute stands for the
 * minute, so that windows round like exact ones.
 */
export function oracleSunlight(
  grid: EdgeGrid,
  building: number,
  storeys: number,
  paths: readonly DayPath[],
): BuildingSunlight {
  const { scene } = grid;
  const base = scene.base[building]!;
  const floors = floorsOf(storeys, scene.top[building]! - base);
  const z = floors.map(({ heightM }) => base + heightM);
  const receptors = makeReceptors();
  placeReceptors(scene, building, receptors);
  const tally = new ShadingTally(building);
  const days = paths.map((path) => toGridNorth(samplesOf(path), receptors.convergenceDeg));

  const faces: FaceSunlight[] = [];
  for (let face = 0; face < receptors.wallLengthM.length; face++) {
    const [from, to] = [receptors.faceStart[face]!, receptors.faceStart[face + 1]!];
    if (from === to) continue;
    const unshadedMinutes: number[] = new Array(days.length).fill(0);
    /** [floorClass × 12 + month]: lit minutes of all receptors as intervals. */
    const lit: number[][] = Array.from({ length: FLOORS * days.length }, () => []);
    for (let column = from; column < to; column++) {
      castColumn(grid, building, receptors, column, z, days, lit, unshadedMinutes, tally);
    }
    const count = to - from;
    faces.push({
      face,
      azimuthDeg: receptors.azimuthDeg[face]!,
      wallLengthM: receptors.wallLengthM[face]!,
      receptors: count,
      sunMinutes: lit.map((intervals) => meanMinutes(intervals, count)),
      unshadedMinutes: unshadedMinutes.map((minutes) => minutes / count),
      windows: lit.map((intervals) => sunlitWindows(intervals, count)),
    });
  }
  return { faces, floors, ...tally.result() };
}

/** Adds one column's minutes: lit ones to `lit`, minutes with the sun in front to `unshaded`, blocked ones to the tally. */
function castColumn(
  grid: EdgeGrid,
  building: number,
  receptors: Receptors,
  column: number,
  z: readonly number[],
  days: readonly SunSamples[],
  lit: number[][],
  unshaded: number[],
  tally: ShadingTally,
): void {
  const [x, y] = [receptors.x[column]!, receptors.y[column]!];
  const [normalX, normalY] = [receptors.normalX[column]!, receptors.normalY[column]!];
  const enclosing = z.map((height) => enclosingBuilding(grid, x, y, height, building));
  const ownWall = [...ownWallEdges(grid, building, receptors, column), ...ownRoofEdges(grid, building, x, y)];
  for (const edge of ownWall) grid.skip[edge] = 1;
  const hidden: Hidden = { building: new Int32Array(FLOORS), slope: new Float64Array(FLOORS) };
  days.forEach((day, month) => {
    for (let i = 0; i < day.minute.length; i++) {
      if (normalX * day.east[i]! + normalY * day.north[i]! <= 0) continue;
      unshaded[month]!++;
      castRay(grid, x, y, day.east[i]!, day.north[i]!, z, day.slope[i]!, hidden);
      for (let floor = 0; floor < FLOORS; floor++) {
        const source = enclosing[floor]! >= 0 ? enclosing[floor]! : hidden.building[floor]!;
        if (source >= 0) tally.add(source, 1, hasRoof(grid.scene, source));
        else appendMinute(lit[floor * days.length + month]!, day.minute[i]!);
      }
    }
  });
  for (const edge of ownWall) grid.skip[edge] = 0;
}

/** A building that has roof surfaces shades with these alone. */
const hasRoof = ({ roofs: { buildingSurfaces } }: Scene, building: number): boolean =>
  buildingSurfaces[building]! < buildingSurfaces[building + 1]!;

/** Lengthens the last interval where the minute follows it, else begins a new one. */
function appendMinute(intervals: number[], minute: number): void {
  if (intervals.at(-1) === minute) intervals[intervals.length - 1] = minute + 1;
  else intervals.push(minute, minute + 1);
}

/** The building's own edges in line with the wall on which a column hangs, this wall included. */
function ownWallEdges(
  { firstSolid, firstEdge, ends }: EdgeGrid,
  building: number,
  { x, y, normalX, normalY }: Receptors,
  column: number,
): number[] {
  const [nx, ny] = [normalX[column]!, normalY[column]!];
  /** How far before the wall's line a point lies. */
  const offLine = (px: number, py: number): number => nx * (px - x[column]!) + ny * (py - y[column]!) + OFFSET_M;
  const inLine: number[] = [];
  const [first, end] = [firstEdge[firstSolid[building]!]!, firstEdge[firstSolid[building + 1]!]!];
  for (let edge = first; edge < end; edge++) {
    const [ax, ay, bx, by] = ends.subarray(4 * edge, 4 * edge + 4) as unknown as [number, number, number, number];
    const [dx, dy] = [bx - ax, by - ay];
    const between = (Math.atan2(Math.abs(dx * nx + dy * ny), Math.abs(dx * ny - dy * nx)) * 180) / Math.PI;
    if (between > SAME_WAY_DEG) continue;
    if (Math.abs(offLine(ax, ay)) <= IN_LINE_M && Math.abs(offLine(bx, by)) <= IN_LINE_M) inLine.push(edge);
  }
  return inLine;
}

/** The edges of the building's own roof surfaces over a place before its wall. */
function ownRoofEdges({ solids, firstSolid, firstEdge }: EdgeGrid, building: number, x: number, y: number): number[] {
  const edges: number[] = [];
  for (let solid = firstSolid[building]!; solid < firstSolid[building + 1]!; solid++) {
    if (!solids[solid]!.isRoof || !isOver(solids[solid]!, x, y)) continue;
    for (let edge = firstEdge[solid]!; edge < firstEdge[solid + 1]!; edge++) edges.push(edge);
  }
  return edges;
}

const known = new WeakMap<DayPath, SunSamples>();

function samplesOf(path: DayPath): SunSamples {
  let samples = known.get(path);
  if (!samples) {
    samples = { minute: [], east: [], north: [], slope: [] };
    for (let minute = Math.floor(path.sunrise); minute < path.sunset; minute++) {
      const { azimuthDeg, altitudeDeg } = sunAt(path, minute + 0.5);
      if (altitudeDeg <= 0) continue;
      samples.minute.push(minute);
      samples.east.push(Math.sin((azimuthDeg * Math.PI) / 180));
      samples.north.push(Math.cos((azimuthDeg * Math.PI) / 180));
      samples.slope.push(Math.tan((altitudeDeg * Math.PI) / 180));
    }
    known.set(path, samples);
  }
  return samples;
}

/** Turns directions from true north to grid north, which lies `convergenceDeg` clockwise of it. */
function toGridNorth({ minute, east, north, slope }: SunSamples, convergenceDeg: number): SunSamples {
  const [sin, cos] = [Math.sin((convergenceDeg * Math.PI) / 180), Math.cos((convergenceDeg * Math.PI) / 180)];
  return {
    minute,
    slope,
    east: east.map((e, i) => e * cos - north[i]! * sin),
    north: east.map((e, i) => e * sin + north[i]! * cos),
  };
}
