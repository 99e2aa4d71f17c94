/**
 * Solves the instant at which the sun appears or disappears between the centres of two bins. The skyline is not drawn
 * there; the walls that the two bins show, and the walls next to them on the same building, give it exactly.
 *
 * Positions in this file are shares of the way from one centre to the next, 0 to 1. Over this short way a wall's top
 * edge and the curve of a day's sun are straight. `here` and `there` are slopes at the first and at the next centre.
 */

import { fromEyes, gradientSeen, heightOverEyes, isInLine } from './draw';
import { edgeBuilding, edgeCorner, edgeNode, edgePart } from './edges';
import { eyeZ, ownBuilding } from './eyes';
import { BINS, COMING, LEAVING } from './layout';
import { originOf, riseOf } from './moves';
import { areaBetween, eastOf, northOf, passesNorthEast, positionOf, valueAt } from './planes';
import { slopeOf, wallOf } from './rows';
import { CORNER_BYTES, firstCorner, firstRing, isSloped, ringAfter, wallsOf } from './tree';

/**
 * Limit of the neighbouring walls of a building that are followed between two bins. Rounded corners have no more that
 * matter.
 */
const FOLLOWED: i32 = 8;
/** Consecutive walls count as joined when the gap between them is below this share. */
const JOINED: f64 = 1e-6;

/**
 * Lengths of two lists: LEAVING has the wall of the first bin and those after it, clockwise; COMING that of the next
 * bin and those before it.
 */
let leavingCount: i32 = 0;
let comingCount: i32 = 0;

// The fields of a wall in a list, called a piece: its start and end, and the slope of its (extended) top edge at either
// centre.
// @ts-ignore: decorator
@inline function startOf(piece: i32): f64 {
  return load<f64>(piece);
}
// @ts-ignore: decorator
@inline function endOf(piece: i32): f64 {
  return load<f64>(piece, 8);
}
// @ts-ignore: decorator
@inline function slopeHere(piece: i32): f64 {
  return load<f64>(piece, 16);
}
// @ts-ignore: decorator
@inline function slopeThere(piece: i32): f64 {
  return load<f64>(piece, 24);
}
/** The address of a piece. */
// @ts-ignore: decorator
@inline function pieceAt(list: i32, index: i32): i32 {
  return list + (index << 5);
}
/** Stores a piece: its start and end, and the slope of its top edge at the first centre (`here`) and the next (`there`). */
// @ts-ignore: decorator
@inline function setPiece(piece: i32, start: f64, end: f64, here: f64, there: f64): void {
  store<f64>(piece, start);
  store<f64>(piece, end, 8);
  store<f64>(piece, here, 16);
  store<f64>(piece, there, 24);
}

/** Collects the walls between the centres of `bin` and the next, for `endOfShade` and `startOfShade`. */
export function lookBetween(eye: i32, bin: i32): void {
  const at = eye * BINS + bin;
  const first = wallOf(at);
  const next = wallOf(at + 1);
  leavingCount = 0;
  comingCount = 0;
  if (first != next) {
    if (first >= 0) leavingCount = follow(eye, bin, first, 1, LEAVING);
    if (next >= 0) comingCount = follow(eye, bin, next, -1, COMING);
  } else if (first >= 0) {
    // One wall spans both centres: its slopes there are in the row.
    setPiece(LEAVING, -Infinity, Infinity, <f64>slopeOf(at), <f64>slopeOf(at + 1));
    leavingCount = 1;
  }
}

/**
 * The position at which a sun that is hidden at the first centre and visible at the next appears. Its slope goes from
 * `here` to `there`. A sun that no wall hides is below the horizon; it appears at once.
 */
export function endOfShade(here: f64, there: f64): f64 {
  let position: f64 = 0;
  for (let i = 0; i < leavingCount; i++) position = hiddenUntil(pieceAt(LEAVING, i), position, here, there);
  for (let i = comingCount - 1; i >= 0; i--) position = hiddenUntil(pieceAt(COMING, i), position, here, there);
  return position;
}

/** The position at which a sun that is visible at the first centre and hidden at the next disappears. */
export function startOfShade(here: f64, there: f64): f64 {
  let position: f64 = 1;
  for (let i = 0; i < comingCount; i++) position = hiddenFrom(pieceAt(COMING, i), position, here, there);
  for (let i = leavingCount - 1; i >= 0; i--) position = hiddenFrom(pieceAt(LEAVING, i), position, here, there);
  return position;
}

/**
 * The position up to which the sun is hidden, with one more wall. Other walls hide it from the first centre (0) to
 * `position` on the way to the next centre (1).
 * @param here slope of the sun at the first centre; `there`: at the next
 */
function hiddenUntil(piece: i32, position: f64, here: f64, there: f64): f64 {
  if (startOf(piece) > position + JOINED || endOf(piece) <= position) return position;
  // How far the wall is above the sun at either centre.
  const aboveHere = slopeHere(piece) - here;
  const aboveThere = slopeThere(piece) - there;
  if (aboveHere + position * (aboveThere - aboveHere) <= 0) return position;
  return min(min(1.0, endOf(piece)), aboveThere < 0 ? aboveHere / (aboveHere - aboveThere) : 1);
}

/** The position from which on the sun is hidden, with one more wall. Other walls hide it from `position` on. */
function hiddenFrom(piece: i32, position: f64, here: f64, there: f64): f64 {
  if (endOf(piece) < position - JOINED || startOf(piece) >= position) return position;
  // How far the wall is above the sun at either centre.
  const aboveHere = slopeHere(piece) - here;
  const aboveThere = slopeThere(piece) - there;
  if (aboveHere + position * (aboveThere - aboveHere) <= 0) return position;
  return max(max(0.0, startOf(piece)), aboveHere < 0 ? aboveHere / (aboveHere - aboveThere) : 0);
}

/**
 * Lists the pieces of skyline that a wall and the next walls of its ring make between the centre of a bin and the centre
 * of the next bin.
 * @param edge the wall
 * @param step the way round the ring: 1 clockwise, −1 counter-clockwise
 * @param list address of the first piece
 * @returns the number of pieces
 */
function follow(eye: i32, bin: i32, edge: i32, step: i32, list: i32): i32 {
  const wall = edgeCorner(edge);
  const node = edgeNode(edge);
  const ring = ringOf(node, wall);
  const walls = wallsOf(ring);
  const number = (wall - firstCorner(ring)) / CORNER_BYTES;
  const part = edgePart(edge);
  const height = heightOverEyes(node, originOf(part, node), riseOf(part, node)) - eyeZ(eye);
  // An eye above a roof sees its far edges, which follow each other in the opposite direction.
  const seesFarEdges = isSloped(node) && height <= 0;
  const gradient = gradientSeen(node);
  let count = 0;
  for (let i = 0; i < min(FOLLOWED, walls); i++) {
    const piece = pieceAt(list, count);
    const next = (number + (seesFarEdges ? -step : step) * i + walls) % walls;
    const corner = firstCorner(ring) + next * CORNER_BYTES;
    // A piece that is not seen, or does not lie between the centres, is overwritten by that of the next wall.
    if (!setWall(edge, corner, bin, height, gradient, seesFarEdges, piece) || startOf(piece) > 1 || endOf(piece) < 0)
      continue;
    count++;
    // A wall from centre to centre needs no other.
    if (i == 0 && (step > 0 ? endOf(piece) >= 1 : startOf(piece) <= 0)) break;
  }
  return count;
}

/** The ring of a node to which a wall belongs. */
function ringOf(node: i32, wall: i32): i32 {
  let ring = firstRing(node);
  while (ringAfter(ring) <= wall) ring = ringAfter(ring);
  return ring;
}

/**
 * Computes one wall of an edge's ring and stores it as a piece. False, and nothing is stored, when the wall faces away,
 * is the eye's own wall, or is in line with that.
 */
function setWall(edge: i32, corner: i32, bin: i32, height: f64, gradient: v128, seesFarEdges: bool, piece: i32): bool {
  const origin = originOf(edgePart(edge), edgeNode(edge));
  const one = fromEyes(corner, origin);
  const other = fromEyes(corner + CORNER_BYTES, origin);
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
  const through = passesNorthEast(start, end);
  const mx = (y1 - y2) / area;
  const my = (x2 - x1) / area;
  const gx = eastOf(gradient);
  const gy = northOf(gradient);
  setPiece(
    piece,
    through && <f64>bin <= end ? -Infinity : start - <f64>bin,
    through && <f64>bin > end ? Infinity : end - <f64>bin,
    height * valueAt(mx, my, bin) + valueAt(gx, gy, bin),
    height * valueAt(mx, my, bin + 1) + valueAt(gx, gy, bin + 1),
  );
  return true;
}
