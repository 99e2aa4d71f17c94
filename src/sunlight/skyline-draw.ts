import { across, along, binsOf, firstBinOf, passesNorthEast, placeOf, planeOfBin } from './image-planes.ts';
import { RECEPTOR_OFFSET_M } from './receptors.ts';
import { INSIDE, type Skyline } from './skyline.ts';

/** A wall is in line with another when both its ends lie so near its line, metres, */
const IN_LINE_M = 0.02;
/** and it runs the same way or back to within 1°: sine squared. */
const SAME_WAY = Math.sin(Math.PI / 180) ** 2;

/**
 * The top edge of the wall that is being drawn: it runs clockwise round the eye from the place `start` to `end`, and
 * (mx, my) · direction is one over the distance to it. It lies here because a number with a fraction goes to the heap
 * when it is handed to a function that is not compiled into its caller (thousands a receptor); with a fraction from the
 * start, so that the engine keeps these fields as such.
 */
const edge = { start: 0.5, end: 0.5, mx: 0.5, my: 0.5, top: 0.5 };

/** Draws the walls of one prism that show their outside to the eyes, for the eye `seer` and those above it. */
export function drawPrism(skyline: Skyline, node: number, seer: number): void {
  const { x, y, turn, z, eyes, tree, planeBins } = skyline;
  const { corners, ringCorners } = tree;
  edge.top = tree.top[node]!;
  const building = tree.building[node]!;
  const own = building === skyline.own;
  let inside = false;
  for (let ring = tree.nodeRings[node]!; ring < tree.nodeRings[node + 1]!; ring++) {
    const last = ringCorners[ring + 1]! - 1;
    let corner = ringCorners[ring]!;
    let dx = corners[2 * corner]! - x;
    let dy = corners[2 * corner + 1]! - y;
    let x1 = dx + turn * dy;
    let y1 = dy - turn * dx;
    // The place of the first corner, where the wall before ended there; NaN where it has not been worked out.
    let place1 = Number.NaN;
    for (; corner < last; corner++) {
      dx = corners[2 * corner + 2]! - x;
      dy = corners[2 * corner + 3]! - y;
      const x2 = dx + turn * dy;
      const y2 = dy - turn * dx;
      // Twice the area between the eye and the wall: positive when the wall shows its outside.
      const area = x2 * y1 - x1 * y2;
      // Does a ray to the east cross the wall?
      if (y1 > 0 !== y2 > 0 && area > 0 === y1 > 0) inside = !inside;
      let place2 = Number.NaN;
      if (area > 0 && !(own && isInLine(skyline, x1, y1, x2, y2))) {
        if (Number.isNaN(place1)) place1 = placeOf(x1, y1, planeBins);
        place2 = placeOf(x2, y2, planeBins);
        edge.start = place1;
        edge.end = place2;
        edge.mx = (y1 - y2) / area;
        edge.my = (x2 - x1) / area;
        drawWall(skyline, seer, building, corner);
      }
      x1 = x2;
      y1 = y2;
      place1 = place2;
    }
  }
  if (inside) {
    for (let eye = 0; eye < eyes && z[eye]! < edge.top; eye++) standInside(skyline, eye, building, edge.top);
  }
}

/** Whether a wall of the eye's own building is the one that the eye hangs on or in line with it, and so casts no shade on it. */
export function isInLine(skyline: Skyline, x1: number, y1: number, x2: number, y2: number): boolean {
  const { normalX, normalY, turn } = skyline;
  const nx = normalX + turn * normalY;
  const ny = normalY - turn * normalX;
  if (Math.abs(nx * x1 + ny * y1 + RECEPTOR_OFFSET_M) > IN_LINE_M) return false;
  if (Math.abs(nx * x2 + ny * y2 + RECEPTOR_OFFSET_M) > IN_LINE_M) return false;
  const dx = x2 - x1;
  const dy = y2 - y1;
  const away = nx * dx + ny * dy;
  return away * away <= SAME_WAY * (dx * dx + dy * dy);
}

/** The eye is inside a prism that rises over it: it sees nothing else. Of several the tallest counts, then the first. */
function standInside(skyline: Skyline, eye: number, building: number, top: number): void {
  const before = skyline.inside[eye]!;
  const beforeTop = skyline.insideTop[eye]!;
  if (before >= 0 && (top < beforeTop || (top === beforeTop && building >= before))) return;
  skyline.inside[eye] = building;
  skyline.insideTop[eye] = top;
  const row = eye * skyline.bins;
  skyline.slope.fill(Infinity, row + skyline.first, row + skyline.end);
  skyline.wall.fill(INSIDE, row + skyline.first, row + skyline.end);
}

/** Draws the edge of a wall into the bins that it spans. */
function drawWall(skyline: Skyline, seer: number, building: number, wall: number): void {
  const from = Math.max(skyline.first, Math.ceil(edge.start));
  const to = Math.min(skyline.end - 1, Math.floor(edge.end));
  if (passesNorthEast(edge.start, edge.end, skyline.planeBins)) {
    drawBins(skyline, seer, building, wall, from, skyline.end - 1);
    drawBins(skyline, seer, building, wall, skyline.first, to);
  } else {
    drawBins(skyline, seer, building, wall, from, to);
  }
}

/**
 * Raises the bins [first, last] to the edge. Over a plane's bins the direction is linear in the bin, so the edge's slope
 * is height · (a + b · bin), bins counted from the first.
 */
function drawBins(skyline: Skyline, seer: number, building: number, wall: number, first: number, last: number): void {
  const { z, eyes, planeBins: n, bins } = skyline;
  const { mx, my, top } = edge;
  for (let bin = first; bin <= last; ) {
    const plane = planeOfBin(bin, n);
    const firstOfPlane = firstBinOf(plane, n);
    const width = 2 / binsOf(plane, n);
    const stop = Math.min(last, firstOfPlane + binsOf(plane, n) - 1);
    const b = width * across(plane, mx, my);
    // One over the distance along the axis at the first bin's centre.
    const a = along(plane, mx, my) + across(plane, mx, my) * (width * (bin - firstOfPlane + 0.5) - 1);
    for (let eye = seer; eye < eyes; eye++) {
      const height = top - z[eye]!;
      if (height <= 0) break;
      const row = eye * bins;
      raise(skyline, building, wall, row + bin, row + stop, Math.fround(height * a), Math.fround(height * b));
    }
    bin = stop + 1;
  }
}

/** The building that a wall belongs to. */
export const buildingOfWall = ({ tree }: Skyline, wall: number): number => tree.building[tree.cornerNode[wall]!]!;

/** Raises the places [first, last] of an eye's row to an edge, `value` at the first and `step` more at each after it. */
function raise(
  skyline: Skyline,
  building: number,
  wall: number,
  first: number,
  last: number,
  value: number,
  step: number,
): void {
  const { rows } = skyline;
  let tie = rows.raise(first, first, last, value, step, wall);
  while (tie >= 0) {
    if (wins(skyline, building, rows.wall[tie]!)) rows.wall[tie] = wall;
    if (tie === last) return;
    tie = rows.raise(first, tie + 1, last, value, step, wall);
  }
}

/** Of walls that rise alike the one whose building comes first counts. */
const wins = (skyline: Skyline, building: number, other: number): boolean => building < buildingOfWall(skyline, other);
