/** Draws the walls of prisms into the rows. */

import { emptyEdges, keepEdge, newEdge } from './edges';
import { end, eyes, eyeZ, first, lanesFrom, normalX, normalY, own, place, slopesTo, turned } from './eyes';
import { BINS, INSIDE, INSIDE_TOP, SLOPE, WALL } from './layout';
import {
  across,
  along,
  areaBetween,
  binsOf,
  eastOf,
  firstBinOf,
  northOf,
  passesNorthEast,
  placeOf,
  planeOfBin,
} from './planes';
import { ENCLOSED, raise } from './rows';
import {
  CORNER_BYTES,
  buildingOf,
  cornerOf,
  firstCorner,
  firstRing,
  partBuildings,
  partOrigin,
  ringAfter,
  ringsOf,
  topOf,
  wallsOf,
} from './tree';

/** How far a receptor stands before its wall, metres. */
const OFFSET_M: f64 = 0.05;
/** A wall is in line with another when both its ends lie so near its line, metres, */
const IN_LINE_M: f64 = 0.02;
/** and it runs the same way or back to within 1°: sine squared. */
const SAME_WAY: f64 = 0.00030458649045213493;

/** Nothing is drawn yet. */
export function startDrawing(): void {
  emptyEdges();
}

/** A corner of a part with this origin as seen from the eyes: a pair. */
// @ts-ignore: decorator
@inline export function seen(corner: i32, origin: v128): v128 {
  return turned(f64x2.sub(cornerOf(corner), f64x2.sub(place, origin)));
}

/** Whether a wall of the eyes' own building is the one that they hang on or in line with it, and so casts no shade on them. */
export function isInLine(x1: f64, y1: f64, x2: f64, y2: f64): bool {
  if (abs(normalX * x1 + normalY * y1 + OFFSET_M) > IN_LINE_M) return false;
  if (abs(normalX * x2 + normalY * y2 + OFFSET_M) > IN_LINE_M) return false;
  const dx = x2 - x1;
  const dy = y2 - y1;
  const away = normalX * dx + normalY * dy;
  return away * away <= SAME_WAY * (dx * dx + dy * dy);
}

/** Draws the walls of one prism that show their outside to the eyes, for the eye `lowest` and those above it that are below its top. */
export function drawPrism(part: i32, node: i32, lowest: i32): void {
  const origin = partOrigin(part);
  const top = topOf(node);
  const building = partBuildings(part) + buildingOf(node);
  const drawn = v128.and(f32x4.gt(slopesTo(top, 1), f32x4.splat(0)), lanesFrom(lowest));
  let inside = false;
  let ring = firstRing(node);
  for (let rings = ringsOf(node); rings > 0; rings--) {
    let corner = firstCorner(ring);
    let from = seen(corner, origin);
    // The place of the first corner, where the wall before ended there; NaN where it has not been worked out.
    let place1: f64 = NaN;
    for (let walls = wallsOf(ring); walls > 0; walls--) {
      const to = seen(corner + CORNER_BYTES, origin);
      const area = areaBetween(from, to);
      const y1 = northOf(from);
      const y2 = northOf(to);
      // Does a ray to the east cross the wall?
      if (y1 > 0 != y2 > 0 && area > 0 == y1 > 0) inside = !inside;
      let place2: f64 = NaN;
      const x1 = eastOf(from);
      const x2 = eastOf(to);
      if (area > 0 && !(building == own && isInLine(x1, y1, x2, y2))) {
        if (place1 != place1) place1 = placeOf(x1, y1);
        place2 = placeOf(x2, y2);
        const edge = newEdge(node, corner, building, part);
        if (drawWall(edge, drawn, top, place1, place2, (y1 - y2) / area, (x2 - x1) / area)) keepEdge();
      }
      from = to;
      place1 = place2;
      corner += CORNER_BYTES;
    }
    ring = ringAfter(ring);
  }
  if (inside) for (let eye = 0; eye < eyes && eyeZ(eye) < top; eye++) standInside(eye, building, top);
}

/** The eye is inside a prism that rises over it: it sees nothing else. Of several the tallest counts, then the first. */
function standInside(eye: i32, building: i32, top: f64): void {
  const before = load<i32>(INSIDE + (eye << 2));
  const beforeTop = load<f64>(INSIDE_TOP + (eye << 3));
  if (before >= 0 && (top < beforeTop || (top == beforeTop && building >= before))) return;
  store<i32>(INSIDE + (eye << 2), building);
  store<f64>(INSIDE_TOP + (eye << 3), top);
  for (let bin = eye * BINS + first; bin < eye * BINS + end; bin++) {
    store<f32>(SLOPE + (bin << 2), Infinity);
    store<i32>(WALL + (bin << 2), ENCLOSED);
  }
}

/**
 * Draws the edge of a wall into the bins that it spans, clockwise from one place to another, for the eyes whose lanes are set in
 * `drawn`; (mx, my) · direction is one over the distance to it. Whether it rises over what is there anywhere.
 */
function drawWall(edge: i32, drawn: v128, top: f64, start: f64, stop: f64, mx: f64, my: f64): bool {
  const from = max(first, <i32>ceil(start));
  const to = min(end - 1, <i32>floor(stop));
  if (!passesNorthEast(start, stop)) return drawBins(edge, drawn, top, mx, my, from, to);
  const before = drawBins(edge, drawn, top, mx, my, from, end - 1);
  return drawBins(edge, drawn, top, mx, my, first, to) || before;
}

/**
 * Raises the bins [from, to] to the edge. Over a plane's bins the direction is linear in the bin, so the edge's slope is
 * height · (a + b · bin), bins counted from the first.
 */
function drawBins(edge: i32, drawn: v128, top: f64, mx: f64, my: f64, from: i32, to: i32): bool {
  let raised = false;
  for (let bin = from; bin <= to; ) {
    const plane = planeOfBin(bin);
    const stop = min(to, firstBinOf(plane) + binsOf(plane) - 1);
    const width = 2.0 / <f64>binsOf(plane);
    const b = width * across(plane, mx, my);
    // One over the distance along the axis at the first bin's centre.
    const a =
      along(plane, mx, my) + across(plane, mx, my) * (width * (<f64>(bin - firstBinOf(plane)) + 0.5) - 1);
    const values = v128.bitselect(slopesTo(top, a), f32x4.splat(-Infinity), drawn);
    if (raise(bin, stop, values, v128.and(slopesTo(top, b), drawn), edge)) raised = true;
    bin = stop + 1;
  }
  return raised;
}
