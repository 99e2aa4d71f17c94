/**
 * Draws solids into the rows: prisms, and roof surfaces with what is below them.
 *
 * Along a ray the height of a solid's top changes evenly, so it is seen highest where the ray enters the plan or where it
 * leaves it: an eye below the plane of the top sees the near edges highest, an eye above it the far ones.
 */

import { emptyEdges, keepEdge, newEdge } from './edges';
import { end, eyes, eyeZ, first, lanesFrom, normalX, normalY, own, place, slopesTo, slopesToPlane, turned } from './eyes';
import { BINS, BY_SURFACE, INSIDE, INSIDE_TOP, SLOPE, WALL } from './layout';
import { originOf, riseOf } from './moves';
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
  gradientOf,
  heightAt,
  hiddenWallsOf,
  isSloped,
  partBuildings,
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

/** Height of the plane of a solid's top over the eyes, metres; corners count from `origin`, and its building is raised. */
// @ts-ignore: decorator
@inline export function heightOverEyes(node: i32, origin: v128, rise: f64): f64 {
  return (isSloped(node) ? heightAt(node, f64x2.sub(place, origin)) : topOf(node)) + rise;
}
/** By how much the top rises to the east and to the north, as the planes have it: a pair. */
// @ts-ignore: decorator
@inline export function gradientSeen(node: i32): v128 {
  return isSloped(node) ? turned(gradientOf(node)) : f64x2.splat(0);
}

/** Draws one solid, for the eye `lowest` and those above it that are below its highest point. */
export function drawSolid(part: i32, node: i32, lowest: i32): void {
  const origin = originOf(part, node);
  const building = partBuildings(part) + buildingOf(node);
  const isOwn = building == own;
  const sloped = isSloped(node);
  // A receptor under its own roof hangs before a wall that stands a little within the published surface.
  if (sloped && isOwn && isOverEyes(node, origin)) return;
  const rise = riseOf(part, node);
  const height = heightOverEyes(node, origin, rise);
  const gradient = gradientSeen(node);
  const rising = v128.and(f32x4.gt(slopesTo(topOf(node) + rise, 1), f32x4.splat(0)), lanesFrom(lowest));
  // The eyes below the plane see the near edges highest, those above it the far ones; nothing of a prism rises over the latter.
  const below = sloped ? v128.and(rising, f32x4.gt(slopesTo(height, 1), f32x4.splat(0))) : rising;
  const above = v128.andnot(rising, below);
  const seesNear = v128.any_true(below);
  const seesFar = v128.any_true(above);
  let inside = false;
  let ring = firstRing(node);
  for (let rings = ringsOf(node); rings > 0; rings--) {
    let corner = firstCorner(ring);
    // Edges that are hidden by a surface of the same roof count when that surface may be left out.
    let hidden: u32 = isOwn ? 0 : hiddenWallsOf(ring);
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
      const shows = area > 0 ? seesNear : area < 0 && seesFar;
      if (shows && (hidden & 1) == 0 && !(isOwn && isInLine(x1, y1, x2, y2))) {
        if (place1 != place1) place1 = placeOf(x1, y1);
        place2 = placeOf(x2, y2);
        const edge = newEdge(node, corner, building, part);
        const mx = (y1 - y2) / area;
        const my = (x2 - x1) / area;
        // A far edge runs counter-clockwise as seen from the eyes.
        const raised =
          area > 0
            ? drawWall(edge, below, height, gradient, place1, place2, mx, my)
            : drawWall(edge, above, height, gradient, place2, place1, mx, my);
        if (raised) keepEdge();
      }
      from = to;
      place1 = place2;
      corner += CORNER_BYTES;
      hidden >>= 1;
    }
    ring = ringAfter(ring);
  }
  if (inside) for (let eye = 0; eye < eyes && eyeZ(eye) < height; eye++) standInside(eye, building, height, sloped);
}

/** Whether a solid's plan holds the eyes. */
function isOverEyes(node: i32, origin: v128): bool {
  let inside = false;
  let ring = firstRing(node);
  for (let rings = ringsOf(node); rings > 0; rings--) {
    let corner = firstCorner(ring);
    let from = seen(corner, origin);
    for (let walls = wallsOf(ring); walls > 0; walls--) {
      corner += CORNER_BYTES;
      const to = seen(corner, origin);
      if (northOf(from) > 0 != northOf(to) > 0 && areaBetween(from, to) > 0 == northOf(from) > 0) inside = !inside;
      from = to;
    }
    ring = ringAfter(ring);
  }
  return inside;
}

/** The eye is inside a solid that rises over it: it sees nothing else. Of several the tallest counts, then the first. */
function standInside(eye: i32, building: i32, top: f64, sloped: bool): void {
  const blocking = load<i32>(INSIDE + (eye << 2));
  const before = blocking < 0 ? blocking : blocking & ~BY_SURFACE;
  const beforeTop = load<f64>(INSIDE_TOP + (eye << 3));
  if (before >= 0 && (top < beforeTop || (top == beforeTop && building >= before))) return;
  store<i32>(INSIDE + (eye << 2), sloped ? building | BY_SURFACE : building);
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
function drawWall(edge: i32, drawn: v128, top: f64, gradient: v128, start: f64, stop: f64, mx: f64, my: f64): bool {
  const from = max(first, <i32>ceil(start));
  const to = min(end - 1, <i32>floor(stop));
  if (!passesNorthEast(start, stop)) return drawBins(edge, drawn, top, gradient, mx, my, from, to);
  const before = drawBins(edge, drawn, top, gradient, mx, my, from, end - 1);
  return drawBins(edge, drawn, top, gradient, mx, my, first, to) || before;
}

/**
 * Raises the bins [from, to] to the edge. Over a plane's bins the direction is linear in the bin, and so is the edge's slope:
 * height · (m · direction) + gradient · direction = height · (a + b · bin) + (c + d · bin), bins counted from the first.
 */
function drawBins(edge: i32, drawn: v128, top: f64, gradient: v128, mx: f64, my: f64, from: i32, to: i32): bool {
  let raised = false;
  const gx = eastOf(gradient);
  const gy = northOf(gradient);
  for (let bin = from; bin <= to; ) {
    const plane = planeOfBin(bin);
    const stop = min(to, firstBinOf(plane) + binsOf(plane) - 1);
    const width = 2.0 / <f64>binsOf(plane);
    // Across the plane, at the first bin's centre.
    const t = width * (<f64>(bin - firstBinOf(plane)) + 0.5) - 1;
    const b = width * across(plane, mx, my);
    const d = width * across(plane, gx, gy);
    // One over the distance along the axis at the first bin's centre, and what the top rises by on each metre there.
    const a = along(plane, mx, my) + across(plane, mx, my) * t;
    const c = along(plane, gx, gy) + across(plane, gx, gy) * t;
    const values = v128.bitselect(slopesToPlane(top, a, c), f32x4.splat(-Infinity), drawn);
    if (raise(bin, stop, values, v128.and(slopesToPlane(top, b, d), drawn), edge)) raised = true;
    bin = stop + 1;
  }
  return raised;
}
