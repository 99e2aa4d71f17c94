/**
 * Draws solids into the rows: prisms, and roof surfaces with the space below them.
 *
 * Along a ray the height of a solid's top is linear, so its slope is greatest where the ray enters or leaves the plan.
 * An eye below the plane of the top sees the near edges highest, an eye above it the far edges.
 */

import { emptyEdges, keepEdge, newEdge } from './edges';
import {
  drawnEnd,
  drawnFirst,
  eyes,
  eyeZ,
  lanesFrom,
  normalX,
  normalY,
  ownBuilding,
  slopesTo,
  slopesToPlane,
  turned,
  viewpoint,
} from './eyes';
import { BINS, BY_SURFACE, INSIDE, INSIDE_TOP, SLOPE, SHOWN_EDGE } from './layout';
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
 * True when a wall is the eyes' own wall or in line with it. Asked of the walls of the eyes' own building: such a wall
 * casts no shade on them. Its ends (x1, y1) and (x2, y2) are relative to the eyes, metres.
 */
export function isInLine(x1: f64, y1: f64, x2: f64, y2: f64): bool {
  // The eyes stand OFFSET_M in front of their own wall.
  if (abs(normalX * x1 + normalY * y1 + OFFSET_M) > IN_LINE_M) return false;
  if (abs(normalX * x2 + normalY * y2 + OFFSET_M) > IN_LINE_M) return false;
  // Both ends of a short wall may be near the line although it runs another way.
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
/**
 * True when a side of a ring crosses the ray from the eyes to the east. The eyes are inside a ring whose sides cross it
 * an odd number of times.
 * @param area what `areaBetween` gives for the side: positive when the side runs clockwise around the eyes
 */
// @ts-ignore: decorator
@inline function crossesRayToEast(from: v128, to: v128, area: f64): bool {
  const startsNorth = northOf(from) > 0;
  const endsNorth = northOf(to) > 0;
  const isClockwise = area > 0;
  // Clockwise from the north to the south is through the east.
  return startsNorth != endsNorth && isClockwise == startsNorth;
}
/** The gradient of a solid's top in the turned plane: a pair. */
// @ts-ignore: decorator
@inline export function gradientSeen(node: i32): v128 {
  return isSloped(node) ? turned(gradientOf(node)) : f64x2.splat(0);
}

/** A mask of the eyes that are below a height, metres: one lane for each eye. */
// @ts-ignore: decorator
@inline function eyesUnder(height: f64): v128 {
  return f32x4.gt(slopesTo(height, 1), f32x4.splat(0));
}

/**
 * Draws a solid into the rows of the eyes that are below its highest point: of each of its walls the top edge, where no
 * edge drawn before is higher. Eyes inside its plan and below its top are marked: they see nothing else.
 * @param lowest the lowest of these eyes that may see it
 */
export function drawSolid(part: i32, node: i32, lowest: i32): void {
  const origin = originOf(part, node);
  const building = partBuildings(part) + buildingOf(node);
  const isOwn = building == ownBuilding;
  const sloped = isSloped(node);
  // A wall often stands a little inside the published roof. A roof surface over its own wall's eyes casts no shade.
  if (sloped && isOwn && planContainsEyes(node, origin)) return;
  const rise = riseOf(part, node);
  const height = heightOverEyes(node, origin, rise);
  const gradient = gradientSeen(node);
  // Masks of the eyes: those below its highest point, and of these those below and above the plane of its top.
  const lower = v128.and(eyesUnder(topOf(node) + rise), lanesFrom(lowest));
  // Eyes below the plane see the near edges highest, eyes above it the far edges. From above, a prism hides nothing.
  const below = sloped ? v128.and(lower, eyesUnder(height)) : lower;
  const above = v128.andnot(lower, below);
  const seesNear = v128.any_true(below);
  const seesFar = v128.any_true(above);
  let inside = false;
  let ring = firstRing(node);
  for (let rings = ringsOf(node); rings > 0; rings--) {
    let corner = firstCorner(ring);
    // A bit for each wall whose edge another surface of its roof hides; that of the eyes' own may be left out (above).
    let hidden: u32 = isOwn ? 0 : hiddenWallsOf(ring);
    let from = fromEyes(corner, origin);
    // The position of the first corner among the bins, if the previous wall has computed it; else NaN.
    let position1: f64 = NaN;
    for (let walls = wallsOf(ring); walls > 0; walls--) {
      const to = fromEyes(corner + CORNER_BYTES, origin);
      const area = areaBetween(from, to);
      const y1 = northOf(from);
      const y2 = northOf(to);
      if (crossesRayToEast(from, to, area)) inside = !inside;
      let position2: f64 = NaN;
      const x1 = eastOf(from);
      const x2 = eastOf(to);
      // A near edge runs clockwise around the eyes, a far edge counter-clockwise.
      const isNear = area > 0;
      const isSeen = isNear ? seesNear : area < 0 && seesFar;
      if (isSeen && (hidden & 1) == 0 && !(isOwn && isInLine(x1, y1, x2, y2))) {
        if (isNaN(position1)) position1 = positionOf(x1, y1);
        position2 = positionOf(x2, y2);
        const edge = newEdge(node, corner, building, part);
        // The nearness of the wall: see `drawWall`.
        const mx = (y1 - y2) / area;
        const my = (x2 - x1) / area;
        // Bins ascend clockwise, so a far edge is drawn from its second corner to its first.
        const raised = isNear
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

/**
 * True when the eyes are inside a solid's plan: a ray from them to the east crosses its sides an odd number of times.
 * @param origin the point from which the solid's corners are measured
 */
function planContainsEyes(node: i32, origin: v128): bool {
  let inside = false;
  let ring = firstRing(node);
  for (let rings = ringsOf(node); rings > 0; rings--) {
    let corner = firstCorner(ring);
    let from = fromEyes(corner, origin);
    // A ring has its first corner again at the end.
    for (let walls = wallsOf(ring); walls > 0; walls--) {
      corner += CORNER_BYTES;
      const to = fromEyes(corner, origin);
      if (crossesRayToEast(from, to, areaBetween(from, to))) inside = !inside;
      from = to;
    }
    ring = ringAfter(ring);
  }
  return inside;
}

/**
 * Marks an eye inside a solid that is higher than it: in all bins that are drawn, the eye sees nothing else. The
 * tallest such solid counts; of equally tall ones the first building.
 * @param sloped whether the solid is a roof surface: INSIDE then has the flag BY_SURFACE beside the building
 */
function standInside(eye: i32, building: i32, top: f64, sloped: bool): void {
  const blocking = load<i32>(INSIDE + (eye << 2));
  const before = blocking < 0 ? blocking : blocking & ~BY_SURFACE;
  const beforeTop = load<f64>(INSIDE_TOP + (eye << 3));
  if (before >= 0 && (top < beforeTop || (top == beforeTop && building >= before))) return;
  store<i32>(INSIDE + (eye << 2), sloped ? building | BY_SURFACE : building);
  store<f64>(INSIDE_TOP + (eye << 3), top);
  for (let bin = eye * BINS + drawnFirst; bin < eye * BINS + drawnEnd; bin++) {
    store<f32>(SLOPE + (bin << 2), Infinity);
    store<i32>(SHOWN_EDGE + (bin << 2), ENCLOSED);
  }
}

/**
 * Draws the top edge of a wall into those of its bins that are drawn, [drawnFirst, drawnEnd).
 * @param seeing a mask of the lanes of the eyes that see it
 * @param top height of the plane of its solid's top, measured where the eyes stand, metres; `gradient`: the rise of
 * this plane to the east and to the north
 * @param start the positions of its ends among the bins, clockwise to `stop`
 * @param mx east; with `my` north the nearness of the wall: a vector whose dot product with a direction is one over the
 * distance to the wall in this direction
 * @returns true when the edge is visible in any bin
 */
function drawWall(edge: i32, seeing: v128, top: f64, gradient: v128, start: f64, stop: f64, mx: f64, my: f64): bool {
  const from = max(drawnFirst, <i32>ceil(start));
  const to = min(drawnEnd - 1, <i32>floor(stop));
  if (!passesNorthEast(start, stop)) return drawBins(edge, seeing, top, gradient, mx, my, from, to);
  // The bins begin and end at the north-east. A wall across it has the last bins and the first.
  const inLastBins = drawBins(edge, seeing, top, gradient, mx, my, from, drawnEnd - 1);
  return drawBins(edge, seeing, top, gradient, mx, my, drawnFirst, to) || inLastBins;
}

/**
 * Raises the bins [from, to] to the edge; the other parameters are those of `drawWall`. True when any bin was raised.
 *
 * The slope of the edge over an eye is (top − eye) · nearness + rise: nearness = (mx, my) · direction is one over the
 * distance of the wall, and rise = gradient · direction (the top may be a sloped roof surface). Along an image plane
 * (see `planes.ts`) a direction changes by the same step from bin to bin, and so do both. So their values at the
 * plane's first drawn bin and their steps describe the whole edge there. An eye that does not see the edge gets the
 * slope −∞.
 */
function drawBins(edge: i32, seeing: v128, top: f64, gradient: v128, mx: f64, my: f64, from: i32, to: i32): bool {
  let raised = false;
  const gx = eastOf(gradient);
  const gy = northOf(gradient);
  for (let bin = from; bin <= to; ) {
    const plane = planeOfBin(bin);
    const stop = min(to, firstBinOf(plane) + binsOf(plane) - 1);
    const width = 2.0 / <f64>binsOf(plane);
    // Where the centre of `bin` lies across the image plane, from −1 to 1.
    const t = width * (<f64>(bin - firstBinOf(plane)) + 0.5) - 1;
    const nearnessStep = width * across(plane, mx, my);
    const riseStep = width * across(plane, gx, gy);
    const nearness = along(plane, mx, my) + across(plane, mx, my) * t;
    const rise = along(plane, gx, gy) + across(plane, gx, gy) * t;
    const firstSlopes = v128.bitselect(slopesToPlane(top, nearness, rise), f32x4.splat(-Infinity), seeing);
    const slopeSteps = v128.and(slopesToPlane(top, nearnessStep, riseStep), seeing);
    if (raise(bin, stop, firstSlopes, slopeSteps, edge)) raised = true;
    bin = stop + 1;
  }
  return raised;
}
