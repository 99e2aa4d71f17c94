/**
 * Draws solids into the rows: prisms, and roof surfaces with the space below them.
 *
 * Along a ray the height of a solid's top is linear, so its slope is greatest where the ray enters or leaves the plan.
 * An eye below the plane of the top sees the near edges highest, an eye above it the far edges.
 */

import { emptyEdges, keepEdge, newEdge } from './edges';
import {
  end,
  eyes,
  eyeZ,
  first,
  lanesFrom,
  normalX,
  normalY,
  ownBuilding,
  slopesTo,
  slopesToPlane,
  turned,
  viewpoint,
} from './eyes';
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
  planeOfBin,
  positionOf,
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

/** Distance of a receptor in front of its wall, metres. */
const OFFSET_M: f64 = 0.05;
/** A wall is in line with another only when both its ends are this close to the other's line, metres. */
const IN_LINE_M: f64 = 0.02;
/** It is in line only when the angle between the two is under 1°: the square of the sine of 1°. */
const SAME_WAY: f64 = 0.00030458649045213493;

/** Starts an empty drawing. */
export function startDrawing(): void {
  emptyEdges();
}

/** The position of a corner relative to the eyes, a pair. `origin` is the origin of the corner's part. */
// @ts-ignore: decorator
@inline export function fromEyes(corner: i32, origin: v128): v128 {
  return turned(f64x2.sub(cornerOf(corner), f64x2.sub(viewpoint, origin)));
}

/**
 * True when a wall of the eyes' own building is their wall or in line with it. Such a wall casts no shade on them. Its
 * ends (x1, y1) and (x2, y2) are relative to the eyes, metres.
 */
export function isInLine(x1: f64, y1: f64, x2: f64, y2: f64): bool {
  if (abs(normalX * x1 + normalY * y1 + OFFSET_M) > IN_LINE_M) return false;
  if (abs(normalX * x2 + normalY * y2 + OFFSET_M) > IN_LINE_M) return false;
  const dx = x2 - x1;
  const dy = y2 - y1;
  const away = normalX * dx + normalY * dy;
  return away * away <= SAME_WAY * (dx * dx + dy * dy);
}

/**
 * The height of the plane of a solid's top over the position of the eyes, metres.
 * @param origin from which its corners count
 * @param rise by which its building is raised
 */
// @ts-ignore: decorator
@inline export function heightOverEyes(node: i32, origin: v128, rise: f64): f64 {
  return (isSloped(node) ? heightAt(node, f64x2.sub(viewpoint, origin)) : topOf(node)) + rise;
}
/** The gradient of a solid's top in the turned plane: a pair. */
// @ts-ignore: decorator
@inline export function gradientSeen(node: i32): v128 {
  return isSloped(node) ? turned(gradientOf(node)) : f64x2.splat(0);
}

/**
 * Draws a solid into the rows of the eyes that are below its highest point.
 * @param lowest the lowest of these eyes that may see it
 */
export function drawSolid(part: i32, node: i32, lowest: i32): void {
  const origin = originOf(part, node);
  const building = partBuildings(part) + buildingOf(node);
  const isOwn = building == ownBuilding;
  const sloped = isSloped(node);
  // A receptor under its own roof: its wall is a little inside the published roof surface.
  if (sloped && isOwn && isOverEyes(node, origin)) return;
  const rise = riseOf(part, node);
  const height = heightOverEyes(node, origin, rise);
  const gradient = gradientSeen(node);
  // Masks of the eyes: those below its highest point, and of these those below and above the plane of its top.
  const lower = v128.and(f32x4.gt(slopesTo(topOf(node) + rise, 1), f32x4.splat(0)), lanesFrom(lowest));
  // Eyes below the plane see the near edges highest, eyes above it the far edges. From above, a prism hides nothing.
  const below = sloped ? v128.and(lower, f32x4.gt(slopesTo(height, 1), f32x4.splat(0))) : lower;
  const above = v128.andnot(lower, below);
  const seesNear = v128.any_true(below);
  const seesFar = v128.any_true(above);
  let inside = false;
  let ring = firstRing(node);
  for (let rings = ringsOf(node); rings > 0; rings--) {
    let corner = firstCorner(ring);
    // An edge hidden by a surface of its own roof must be drawn when that surface may be left out.
    let hidden: u32 = isOwn ? 0 : hiddenWallsOf(ring);
    let from = fromEyes(corner, origin);
    // The position of the first corner among the bins, if the previous wall has computed it; else NaN.
    let position1: f64 = NaN;
    for (let walls = wallsOf(ring); walls > 0; walls--) {
      const to = fromEyes(corner + CORNER_BYTES, origin);
      const area = areaBetween(from, to);
      const y1 = northOf(from);
      const y2 = northOf(to);
      // The eye is inside a ring when a ray to the east crosses its walls an odd number of times.
      if (y1 > 0 != y2 > 0 && area > 0 == y1 > 0) inside = !inside;
      let position2: f64 = NaN;
      const x1 = eastOf(from);
      const x2 = eastOf(to);
      const shows = area > 0 ? seesNear : area < 0 && seesFar;
      if (shows && (hidden & 1) == 0 && !(isOwn && isInLine(x1, y1, x2, y2))) {
        if (isNaN(position1)) position1 = positionOf(x1, y1);
        position2 = positionOf(x2, y2);
        const edge = newEdge(node, corner, building, part);
        // A vector: its product with a direction is one over the distance of the wall.
        const mx = (y1 - y2) / area;
        const my = (x2 - x1) / area;
        // A far edge runs counter-clockwise as seen from the eyes.
        const raised =
          area > 0
            ? drawWall(edge, below, height, gradient, position1, position2, mx, my)
            : drawWall(edge, above, height, gradient, position2, position1, mx, my);
        if (raised) keepEdge();
      }
      from = to;
      position1 = position2;
      corner += CORNER_BYTES;
      hidden >>= 1;
    }
    ring = ringAfter(ring);
  }
  if (inside) for (let eye = 0; eye < eyes && eyeZ(eye) < height; eye++) standInside(eye, building, height, sloped);
}

/** True when the eyes are inside a solid's plan. */
function isOverEyes(node: i32, origin: v128): bool {
  let inside = false;
  let ring = firstRing(node);
  for (let rings = ringsOf(node); rings > 0; rings--) {
    let corner = firstCorner(ring);
    let from = fromEyes(corner, origin);
    for (let walls = wallsOf(ring); walls > 0; walls--) {
      corner += CORNER_BYTES;
      const to = fromEyes(corner, origin);
      if (northOf(from) > 0 != northOf(to) > 0 && areaBetween(from, to) > 0 == northOf(from) > 0) inside = !inside;
      from = to;
    }
    ring = ringAfter(ring);
  }
  return inside;
}

/**
 * Marks an eye inside a solid that is higher than it: the eye sees nothing else. The tallest such solid counts, then
 * the first.
 */
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
 * Draws the top edge of a wall into its bins.
 * @param drawn a mask of the lanes of the eyes that see it
 * @param top the height of its plane over the eyes; `gradient` is that of the plane
 * @param start the positions of its ends among the bins, clockwise to `stop`
 * @param mx east; with `my` north a vector whose product with a direction is one over the distance of the wall
 * @returns true when the edge is visible in any bin
 */
function drawWall(edge: i32, drawn: v128, top: f64, gradient: v128, start: f64, stop: f64, mx: f64, my: f64): bool {
  const from = max(first, <i32>ceil(start));
  const to = min(end - 1, <i32>floor(stop));
  if (!passesNorthEast(start, stop)) return drawBins(edge, drawn, top, gradient, mx, my, from, to);
  const before = drawBins(edge, drawn, top, gradient, mx, my, from, end - 1);
  return drawBins(edge, drawn, top, gradient, mx, my, first, to) || before;
}

/**
 * Raises the bins [from, to] to the edge; the other parameters are those of `drawWall`. Within an image plane the
 * direction is linear in the bin, and so is the slope of the edge over an eye: with height = top − eye it is
 * height · (m · direction) + gradient · direction = height · (a + b · bin) + (c + d · bin), with bin 0 the first.
 */
function drawBins(edge: i32, drawn: v128, top: f64, gradient: v128, mx: f64, my: f64, from: i32, to: i32): bool {
  let raised = false;
  const gx = eastOf(gradient);
  const gy = northOf(gradient);
  for (let bin = from; bin <= to; ) {
    const plane = planeOfBin(bin);
    const stop = min(to, firstBinOf(plane) + binsOf(plane) - 1);
    const width = 2.0 / <f64>binsOf(plane);
    // Across the image plane, at the first bin's centre.
    const t = width * (<f64>(bin - firstBinOf(plane)) + 0.5) - 1;
    const b = width * across(plane, mx, my);
    const d = width * across(plane, gx, gy);
    // At the first bin's centre: one over the distance along the axis, and the rise of the top for each metre.
    const a = along(plane, mx, my) + across(plane, mx, my) * t;
    const c = along(plane, gx, gy) + across(plane, gx, gy) * t;
    const values = v128.bitselect(slopesToPlane(top, a, c), f32x4.splat(-Infinity), drawn);
    if (raise(bin, stop, values, v128.and(slopesToPlane(top, b, d), drawn), edge)) raised = true;
    bin = stop + 1;
  }
  return raised;
}
