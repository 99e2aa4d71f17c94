import { boundsOf, intervalsAt } from '../geo/polygon.ts';
import { COVERING_NORMAL, coversPlan, type Vector } from '../geo/ring-plane.ts';
import { MOST } from './bounds.ts';
import type { Footprint, IssueKind, RoofSurface } from './building.ts';
import type { BuildingDraft } from './building-draft.ts';
import { type Face, LAYER, type Layer } from './faces.ts';
import { highestZ, LocalMetres } from './local-metres.ts';

/** The surfaces of a roof that is used, or the issue that explains why it is not. */
interface Roof {
  surfaces: RoofSurface[];
  issue: { kind: IssueKind; detail: string } | null;
}

/** Points of a surface lie no farther from its plane than this, metres. */
const PLANE_M = 0.05;
/** The plans of the roof and of the footprints differ by no more than this share of the footprints. */
const PLAN_SHARE = 0.05;
/**
 * When more than this share of the plan has surfaces above one another, an issue says that the space between is solid.
 */
const MOST_OVERLAP = 0.01;
/** The model of the roof begins no farther than this above or below the base of the building, metres. */
const APART_M = 20;
/** The layers of LOD2 and LOD3. `wall` includes all other surfaces. */
const LEVELS = [
  { ground: LAYER.ground2, roof: LAYER.roof2, wall: LAYER.wall2 },
  { ground: LAYER.ground3, roof: LAYER.roof3, wall: LAYER.wall3 },
] as const;

/**
 * The roof surfaces of a building: all surfaces of its LOD2 (else of its LOD3) except walls and grounds. A model
 * without roofs gives no surfaces and no issue. A roof that cannot be trusted is refused as a whole; the building is a
 * prism then.
 * @param layerOf the faces of a layer of a part, with those that it refers to
 */
export function roofOf(
  draft: BuildingDraft,
  { footprints, baseM }: { footprints: readonly Footprint[]; baseM: number },
  layerOf: (layer: Layer, part: number) => readonly Face[],
): Roof {
  const refusal = (kind: IssueKind, detail: string): Roof => ({ surfaces: [], issue: { kind, detail } });
  const { shells, covering: roofs, hasPublishedRoofs } = shellsOf(draft, layerOf);
  if (roofs.length === 0) {
    return hasPublishedRoofs
      ? refusal('roof_plan_differs', 'all roof surfaces are upright')
      : { surfaces: [], issue: null };
  }
  const { values } = draft.faces.coordinates;
  const metres = new LocalMetres(values, roofs[0]);
  let points = 0;
  for (const { rings } of roofs) for (const [from, to] of rings) points += (to - from) / 3;
  // The limit of footprints holds for roofs too.
  if (points > MOST['points of footprints']) return refusal('roof_too_large', `${points} points`);
  for (const face of roofs) {
    const distance = metres.farthestFromPlane(face);
    if (distance > PLANE_M)
      return refusal('roof_not_plane', `a point ${distance.toFixed(2)} m off the plane of its surface`);
  }
  const lowestRoof = lowestOf(values, roofs);
  // One closed shell is enough.
  const openCount = Math.min(...shells.map((shell) => countOpenEdges(shell, metres, lowestRoof)));
  if (openCount > 0) return refusal('roof_open', `${openCount} edges with a surface on one side only`);
  const aboveBaseM = lowestOf(values, shells[0]) - baseM;
  if (Math.abs(aboveBaseM) > APART_M) {
    const where = `${Math.abs(aboveBaseM).toFixed(1)} m ${aboveBaseM > 0 ? 'above' : 'below'}`;
    return refusal('roof_apart', `the model of the roof begins ${where} the base of the building`);
  }
  const { difference, overlapShare } = comparePlans(
    footprints.map(({ rings }) => rings.map((ring) => metres.planOfRing(ring))),
    roofs.map((face) => metres.planOf(face)),
  );
  if (difference > PLAN_SHARE) {
    return refusal('roof_plan_differs', `plans differ by ${percent(difference)} of the footprint`);
  }
  const surfaces = roofs.map((face) => ({ rings: face.rings.map(([from, to]) => values.slice(from, to)) }));
  const issue =
    overlapShare > MOST_OVERLAP
      ? { kind: 'roof_filled_down' as const, detail: `surfaces above others over ${percent(overlapShare)} of the plan` }
      : null;
  return { surfaces, issue };
}

const percent = (share: number): string => `${(100 * share).toFixed(1)} %`;

/**
 * The faces of a building's LOD2, or else of its LOD3.
 * @returns `covering`: the faces that cover part of the plan, which published walls may do, too. `hasPublishedRoofs`:
 * some faces are published as roofs. `shells`: the sets of faces that can close the building: the whole boundary first,
 * then the solid. Published files can lack faces in either, so one closed set is enough
 */
function shellsOf(
  draft: BuildingDraft,
  layerOf: (layer: Layer, part: number) => readonly Face[],
): { shells: Face[][]; covering: Face[]; hasPublishedRoofs: boolean } {
  // 0 is the building without its parts.
  const parts = Array.from({ length: draft.parts.length + 1 }, (_, part) => part);
  const values = draft.faces.coordinates.values;
  const facesOf = (layer: Layer): Face[] => parts.flatMap((part) => layerOf(layer, part));
  for (const { ground, roof, wall } of LEVELS) {
    const [grounds, roofs, walls] = [facesOf(ground), facesOf(roof), facesOf(wall)];
    if (roofs.length === 0) continue;
    // Solids of LOD3 are not read.
    const solid = roof === LAYER.roof2 ? facesOf(LAYER.solid2) : [];
    const boundary = [...grounds, ...roofs, ...walls];
    const covering = [...roofs, ...walls].filter((face) => covers(values, face));
    return { shells: solid.length > 0 ? [boundary, solid] : [boundary], covering, hasPublishedRoofs: true };
  }
  // A solid without named roofs: its lowest horizontal surfaces are its ground.
  const solid = facesOf(LAYER.solid2);
  const groundM = solid.reduce((low, face) => Math.min(low, highestZ(values, face)), Infinity);
  const covering = solid.filter((face) => covers(values, face) && highestZ(values, face) > groundM + PLANE_M);
  return { shells: [solid], covering, hasPublishedRoofs: false };
}

/** The lowest z of faces: of their outer rings. */
function lowestOf(values: Float64Array, faces: readonly Face[]): number {
  let low = Infinity;
  for (const { rings } of faces) {
    const [[from, to]] = rings;
    // A point has three values: latitude, longitude, height.
    for (let i = from + 2; i < to; i += 3) low = Math.min(low, values[i]);
  }
  return low;
}

/** True when a face covers a part of the plan: it has an area, and it is not a wall. */
function covers(values: Float64Array, face: Face): boolean {
  return coversPlan(new LocalMetres(values, face).planeOf(face), COVERING_NORMAL);
}

/** Points closer than this, in metres, are the same point. */
const SAME_POINT_M = 2e-3;
/**
 * With more open edges than this, they are not cut and compared again: the time grows with the square of their number.
 */
const MOST_OPEN = 500;

interface ShellEdge {
  from: Vector;
  to: Vector;
}

/**
 * Counts the edges of a shell with a surface on one side only. In a closed shell each edge occurs twice, in opposite
 * directions. One surface may have a point in the middle of an edge that the other surface has whole. So edges without
 * a counterpart are cut at the points on them, and the pieces are compared again. Edges below all roofs do not count:
 * some models have no ground, and the space below a roof is solid anyway.
 */
function countOpenEdges(faces: readonly Face[], metres: LocalMetres, lowestRoof: number): number {
  const edges: ShellEdge[] = [];
  for (const { rings, layer } of faces) {
    // Openings of LOD3 fill the holes in its walls.
    for (const [from, to] of layer === LAYER.wall3 ? rings.slice(0, 1) : rings) {
      for (let i = from; i < to; i += 3) {
        const next = i + 3 < to ? i + 3 : from;
        edges.push({ from: metres.pointAt(i), to: metres.pointAt(next) });
      }
    }
  }
  const openEdges = unpaired(edges).filter(({ from, to }) => Math.max(from[2], to[2]) >= lowestRoof);
  // With more than MOST_OPEN, cutting and comparing takes too long.
  if (openEdges.length === 0 || openEdges.length > MOST_OPEN) return openEdges.length;
  const points = openEdges.flatMap(({ from, to }) => [from, to]);
  return unpaired(openEdges.flatMap((edge) => piecesOf(edge, points))).length;
}

/** The edges without a counterpart in the opposite direction. Edges of length zero are ignored. */
function unpaired(edges: readonly ShellEdge[]): ShellEdge[] {
  // By the points of an edge: the edges that have no counterpart so far.
  const waiting = new Map<string, ShellEdge[]>();
  const keyOf = (point: Vector): string => point.map((value) => Math.round(value / SAME_POINT_M)).join(' ');
  for (const edge of edges) {
    const [from, to] = [keyOf(edge.from), keyOf(edge.to)];
    if (from === to) continue;
    const counterparts = waiting.get(`${to} ${from}`);
    if (counterparts !== undefined && counterparts.length > 0) counterparts.pop();
    else waiting.set(`${from} ${to}`, [...(waiting.get(`${from} ${to}`) ?? []), edge]);
  }
  return [...waiting.values()].flat();
}

/** The pieces of an edge, cut at the points that lie on it. */
function piecesOf({ from, to }: ShellEdge, points: readonly Vector[]): ShellEdge[] {
  const direction = to.map((value, i) => value - from[i]) as Vector;
  const squaredLength = direction[0] ** 2 + direction[1] ** 2 + direction[2] ** 2;
  const cuts: { share: number; point: Vector }[] = [];
  for (const point of points) {
    const offset = point.map((value, i) => value - from[i]);
    const share = (offset[0] * direction[0] + offset[1] * direction[1] + offset[2] * direction[2]) / squaredLength;
    const distance = Math.hypot(...offset.map((value, i) => value - share * direction[i]));
    if (share > 0 && share < 1 && distance <= SAME_POINT_M) cuts.push({ share, point });
  }
  const corners = [from, ...cuts.sort((a, b) => a.share - b.share).map(({ point }) => point), to];
  return corners.slice(1).map((corner, i) => ({ from: corners[i], to: corner }));
}

/** Lines across the plan on which the plans are compared. */
const LINES = 256;

/** A polygon: its rings [x, y, …]. */
type Polygon = readonly number[][];

/**
 * Compares the plan of the roof with the footprints, along lines from west to east.
 * @returns `difference`: the area in one but not in the other, as a share of the footprints. `overlapShare`: the share
 * of the plan with surfaces above one another
 */
function comparePlans(
  footprints: readonly Polygon[],
  roofs: readonly Polygon[],
): { difference: number; overlapShare: number } {
  const [, south, , north] = boundsOf([...footprints, ...roofs].flat());
  const sums = { footprint: 0, roof: 0, common: 0, surfaces: 0 };
  for (let line = 0; line < LINES; line++) {
    const y = south + ((line + 0.5) / LINES) * (north - south);
    const footprint = merged(footprints.flatMap((polygon) => intervalsAt(polygon, y)));
    const surfaces = roofs.flatMap((polygon) => intervalsAt(polygon, y));
    const roof = merged(surfaces);
    sums.footprint += lengthOf(footprint);
    sums.roof += lengthOf(roof);
    sums.surfaces += lengthOf(surfaces);
    // The common length: both lengths together, less the length of their union.
    sums.common += lengthOf(footprint) + lengthOf(roof) - lengthOf(merged([...footprint, ...roof]));
  }
  return {
    difference: (sums.footprint + sums.roof - 2 * sums.common) / sums.footprint,
    overlapShare: sums.surfaces / sums.roof - 1,
  };
}

type Interval = [west: number, east: number];

const lengthOf = (intervals: readonly Interval[]): number =>
  intervals.reduce((sum, [west, east]) => sum + east - west, 0);

/** The intervals from west to east, with those merged that overlap or touch. */
function merged(intervals: readonly Interval[]): Interval[] {
  const intervalsApart: Interval[] = [];
  for (const [west, east] of [...intervals].sort(([a], [b]) => a - b)) {
    const last = intervalsApart.at(-1);
    if (last !== undefined && west <= last[1]) last[1] = Math.max(last[1], east);
    else intervalsApart.push([west, east]);
  }
  return intervalsApart;
}
