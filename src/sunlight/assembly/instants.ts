/**
 * Solves the instant at which the sun appears or disappears between the centres of two bins. The skyline is not drawn
 * there; the walls that the two bins show, and the walls next to them on the same building, give it exactly.
 *
 * Positions in this file are shares of the way from one centre to the next, 0 to 1. Over this short way a wall's top
 * edge and the curve of a day's sun are straight.
 */

import { fromEyes, gradientSeen, heightOverEyes, isInLine } from './draw';
import { edgeBuilding, edgeCorner, edgeNode, edgePart } from './edges';
import { eyeZ, ownBuilding } from './eyes';
import { BINS, NEXT_WALLS, FIRST_WALLS } from './layout';
import { originOf, riseOf } from './moves';
import { areaBetween, dotWithCentre, eastOf, northOf, passesNorthEast, positionOf } from './planes';
import { slopeOf, shownEdge } from './rows';
import { CORNER_BYTES, firstCorner, firstRing, isSloped, ringAfter, wallsOf } from './tree';

/**
 * Limit of the neighbouring walls of a building that are followed between two bins. Rounded corners have no more that
 * matter.
 */
const FOLLOWED: i32 = 8;
/** The direction in which `followWalls` goes from wall to wall. */
const CLOCKWISE: i32 = 1;
/** Consecutive walls count as joined when the gap between them is below this share. */
const JOINED: f64 = 1e-6;

/**
 * Lengths of two lists. FIRST_WALLS begins with the wall that the first bin shows and goes on clockwise, towards the
 * next bin. NEXT_WALLS begins with the wall that the next bin shows and goes on counter-clockwise, towards the first.
 */
let firstCount: i32 = 0;
let nextCount: i32 = 0;

// A wall in a list is called a piece. Its fields: the positions of its start and end, and the slopes of its top edge,
// extended, at the first and at the next centre.
// @ts-ignore: decorator
@inline function startOf(piece: i32): f64 {
  return load<f64>(piece);
}
// @ts-ignore: decorator
@inline function endOf(piece: i32): f64 {
  return load<f64>(piece, 8);
}
// @ts-ignore: decorator
@inline function slopeAtFirst(piece: i32): f64 {
  return load<f64>(piece, 16);
}
// @ts-ignore: decorator
@inline function slopeAtNext(piece: i32): f64 {
  return load<f64>(piece, 24);
}
/** The address of a piece. */
// @ts-ignore: decorator
@inline function pieceAt(list: i32, index: i32): i32 {
  return list + (index << 5);
}
/** Stores a piece: the positions of its start and end, and its slopes at the first and at the next centre. */
// @ts-ignore: decorator
@inline function setPiece(piece: i32, start: f64, end: f64, atFirst: f64, atNext: f64): void {
  store<f64>(piece, start);
  store<f64>(piece, end, 8);
  store<f64>(piece, atFirst, 16);
  store<f64>(piece, atNext, 24);
}

/**
 * Fills the two lists of walls between the centres of `bin` and the next; `endOfShade` and `startOfShade` then find
 * what hides the sun there. FIRST_WALLS gets the wall that `bin` shows and those that follow on the same ring,
 * clockwise; NEXT_WALLS the wall that the next bin shows and those that follow counter-clockwise. The list of a bin
 * that shows no wall is empty.
 */
export function lookBetween(eye: i32, bin: i32): void {
  const at = eye * BINS + bin;
  const first = shownEdge(at);
  const next = shownEdge(at + 1);
  firstCount = 0;
  nextCount = 0;
  if (first != next) {
    if (first >= 0) firstCount = followWalls(eye, bin, first, CLOCKWISE, FIRST_WALLS);
    if (next >= 0) nextCount = followWalls(eye, bin, next, -CLOCKWISE, NEXT_WALLS);
  } else if (first >= 0) {
    // One wall spans both centres: its piece has no ends, and the slopes of the skyline at the centres.
    setPiece(FIRST_WALLS, -Infinity, Infinity, <f64>slopeOf(at), <f64>slopeOf(at + 1));
    firstCount = 1;
  }
}

/**
 * The position between the centres of two bins (0 the first, 1 the next) at which the sun appears. It is hidden at the
 * first centre and visible at the next. The walls between are those that `lookBetween` listed. If none of them hides
 * the sun at the first centre, it has not risen there: the answer is 0, and the caller lets the day begin at sunrise.
 * @param sunAtFirst slope of the sun at the first centre; `sunAtNext`: at the next
 */
export function endOfShade(sunAtFirst: f64, sunAtNext: f64): f64 {
  let position: f64 = 0;
  // The sun leaves the walls in their order from the first centre to the next: each wall that still hides it moves the
  // position on. NEXT_WALLS has the opposite order.
  for (let i = 0; i < firstCount; i++) position = hiddenUntil(pieceAt(FIRST_WALLS, i), position, sunAtFirst, sunAtNext);
  for (let i = nextCount - 1; i >= 0; i--) {
    position = hiddenUntil(pieceAt(NEXT_WALLS, i), position, sunAtFirst, sunAtNext);
  }
  return position;
}

/**
 * The position between the centres of two bins (0 the first, 1 the next) at which the sun disappears. It is visible at
 * the first centre and hidden at the next. The walls between are those that `lookBetween` listed.
 * @param sunAtFirst slope of the sun at the first centre; `sunAtNext`: at the next
 */
export function startOfShade(sunAtFirst: f64, sunAtNext: f64): f64 {
  let position: f64 = 1;
  // The shade that ends at the next centre is followed back to the first: each wall that hides the sun at the position
  // moves it back. FIRST_WALLS has the opposite order.
  for (let i = 0; i < nextCount; i++) position = hiddenFrom(pieceAt(NEXT_WALLS, i), position, sunAtFirst, sunAtNext);
  for (let i = firstCount - 1; i >= 0; i--) {
    position = hiddenFrom(pieceAt(FIRST_WALLS, i), position, sunAtFirst, sunAtNext);
  }
  return position;
}

/**
 * Extends, by one more wall, a shade that lasts from the centre of a bin (0) to `position` on the way to the next
 * centre (1). A wall that hides the sun at `position` extends the shade to its own end, or to where the sun passes its
 * edge. Any other wall changes nothing.
 * @param piece address of the wall in its list
 * @param sunAtFirst slope of the sun at the first centre; `sunAtNext`: at the next
 */
function hiddenUntil(piece: i32, position: f64, sunAtFirst: f64, sunAtNext: f64): f64 {
  // The wall is not at `position`. A gap up to JOINED counts as none.
  if (startOf(piece) > position + JOINED || endOf(piece) <= position) return position;
  // How far the wall's edge is above the sun at either centre. Between them it changes evenly.
  const aboveAtFirst = slopeAtFirst(piece) - sunAtFirst;
  const aboveAtNext = slopeAtNext(piece) - sunAtNext;
  if (aboveAtFirst + position * (aboveAtNext - aboveAtFirst) <= 0) return position;
  const sunPasses = aboveAtNext < 0 ? aboveAtFirst / (aboveAtFirst - aboveAtNext) : 1;
  return min(min(1.0, endOf(piece)), sunPasses);
}

/**
 * Extends backwards, by one more wall, a shade that lasts from `position` to the centre of the next bin (1). A wall
 * that hides the sun at `position` extends the shade back to its own start, or to where the sun passes its edge. Any
 * other wall changes nothing.
 * @param piece address of the wall in its list
 * @param sunAtFirst slope of the sun at the centre of the first bin (0); `sunAtNext`: at that of the next
 */
function hiddenFrom(piece: i32, position: f64, sunAtFirst: f64, sunAtNext: f64): f64 {
  // The wall is not at `position`. A gap up to JOINED counts as none.
  if (endOf(piece) < position - JOINED || startOf(piece) >= position) return position;
  // How far the wall's edge is above the sun at either centre. Between them it changes evenly.
  const aboveAtFirst = slopeAtFirst(piece) - sunAtFirst;
  const aboveAtNext = slopeAtNext(piece) - sunAtNext;
  if (aboveAtFirst + position * (aboveAtNext - aboveAtFirst) <= 0) return position;
  const sunPasses = aboveAtFirst < 0 ? aboveAtFirst / (aboveAtFirst - aboveAtNext) : 0;
  return max(max(0.0, startOf(piece)), sunPasses);
}

/**
 * Fills a list with the walls of a building between the centres of `bin` and the next bin. A bin is a step of azimuth
 * of the skyline. The list begins with a wall that one of the two bins shows. From that wall the function goes around
 * the building, wall by wall, and keeps those that the eye sees between the two centres.
 * @param firstWall the record of the first wall (see `edges.ts`)
 * @param direction CLOCKWISE (towards the next bin) when `bin` shows the first wall, −CLOCKWISE (back towards `bin`)
 *   when the next bin shows it
 * @param list address of its first piece
 * @returns the number of walls kept; at most FOLLOWED are looked at
 */
function followWalls(eye: i32, bin: i32, firstWall: i32, direction: i32, list: i32): i32 {
  const node = edgeNode(firstWall);
  const part = edgePart(firstWall);
  const ring = ringOf(node, edgeCorner(firstWall));
  const wallCount = wallsOf(ring);
  const firstIndex = (edgeCorner(firstWall) - firstCorner(ring)) / CORNER_BYTES;
  const height = heightOverEyes(node, originOf(part, node), riseOf(part, node)) - eyeZ(eye);
  const gradient = gradientSeen(node);
  // An eye above a sloped roof sees its far edges, which follow each other in the opposite direction.
  const seesFarEdges = isSloped(node) && height <= 0;
  const step = seesFarEdges ? -direction : direction;
  let count = 0;
  for (let i = 0; i < min(FOLLOWED, wallCount); i++) {
    const piece = pieceAt(list, count);
    const corner = firstCorner(ring) + ((firstIndex + step * i + wallCount) % wallCount) * CORNER_BYTES;
    // A wall that is not kept is overwritten by the next, because `count` stays.
    if (!setWall(firstWall, corner, bin, height, gradient, seesFarEdges, piece)) continue;
    if (startOf(piece) > 1 || endOf(piece) < 0) continue;
    count++;
    // The first wall is seen at one centre. If it reaches the other centre, no other wall lies between.
    const reachesOther = direction > 0 ? endOf(piece) >= 1 : startOf(piece) <= 0;
    if (i == 0 && reachesOther) break;
  }
  return count;
}

/** The ring of a node among whose corners a wall's first corner lies; both are addresses. */
function ringOf(node: i32, wall: i32): i32 {
  let ring = firstRing(node);
  while (ringAfter(ring) <= wall) ring = ringAfter(ring);
  return ring;
}

/**
 * Stores one wall of an edge's ring as a piece: where its ends lie on the way from the centre of a bin (0) to that of
 * the next (1), and the slopes of its top edge at both centres. False, and nothing is stored, when the eye does not see
 * the wall's top edge, or stands at this wall of its own building or in line with it.
 * @param edge number of the record (see `edges.ts`) of a wall of the same ring; it tells the part, node and building
 * @param corner address of the wall's first corner
 * @param height of the plane of its top over the eye, metres; `gradient` is that of the plane
 */
function setWall(edge: i32, corner: i32, bin: i32, height: f64, gradient: v128, seesFarEdges: bool, piece: i32): bool {
  const origin = originOf(edgePart(edge), edgeNode(edge));
  const one = fromEyes(corner, origin);
  const other = fromEyes(corner + CORNER_BYTES, origin);
  // A ring runs clockwise around the eye along its near edges, and counter-clockwise along its far edges. With the ends
  // of far edges exchanged, all edges that are seen run clockwise: their area is positive.
  const from = seesFarEdges ? other : one;
  const to = seesFarEdges ? one : other;
  const area = areaBetween(from, to);
  const x1 = eastOf(from);
  const y1 = northOf(from);
  const x2 = eastOf(to);
  const y2 = northOf(to);
  if (area <= 0 || (edgeBuilding(edge) == ownBuilding && isInLine(x1, y1, x2, y2))) return false;
  const start = positionOf(x1, y1);
  const end = positionOf(x2, y2);
  // The bins begin and end at the north-east. A wall across it covers the bins from `start` to the last, and those from
  // the first to `end`. Only the half with `bin` counts. It has no end at the north-east: there the wall goes on, and
  // no bin follows.
  const isSplit = passesNorthEast(start, end);
  const isSecondHalf = isSplit && <f64>bin <= end;
  const isFirstHalf = isSplit && <f64>bin > end;
  // The nearness of the wall (see `drawWall`): its dot product with a direction is 1 / distance along that direction.
  const mx = (y1 - y2) / area;
  const my = (x2 - x1) / area;
  const atBin = slopeAtCentre(bin, height, mx, my, gradient);
  const atNext = slopeAtCentre(bin + 1, height, mx, my, gradient);
  const startFromBin = isSecondHalf ? -Infinity : start - <f64>bin;
  const endFromBin = isFirstHalf ? Infinity : end - <f64>bin;
  setPiece(piece, startFromBin, endFromBin, atBin, atNext);
  return true;
}

/** The slope of a wall's top edge at the centre of a bin: height · nearness + rise, as in `drawBins`. */
// @ts-ignore: decorator
@inline function slopeAtCentre(bin: i32, height: f64, mx: f64, my: f64, gradient: v128): f64 {
  return height * dotWithCentre(mx, my, bin) + dotWithCentre(eastOf(gradient), northOf(gradient), bin);
}
