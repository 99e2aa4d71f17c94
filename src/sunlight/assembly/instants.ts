/**
 * Between the centres of two bins the skyline is not drawn; where a day's sun comes out or goes there is solved from the
 * walls that the bins show and those that follow them round their building.
 *
 * Places here are shares of the way from one centre to the next, 0–1; a wall's top edge and a day's curve are straight
 * over so little.
 */

import { gradientSeen, heightOverEyes, isInLine, seen } from './draw';
import { edgeBuilding, edgeCorner, edgeNode, edgePart } from './edges';
import { eyeZ, own } from './eyes';
import { BINS, COMING, LEAVING } from './layout';
import { originOf, riseOf } from './moves';
import { areaBetween, eastOf, northOf, passesNorthEast, placeOf, valueAt } from './planes';
import { slopeOf, wallOf } from './rows';
import { CORNER_BYTES, firstCorner, firstRing, isSloped, ringAfter, wallsOf } from './tree';

/** Walls of a building that are followed from one bin into the next: a rounded corner has no more that matter. */
const FOLLOWED: i32 = 8;
/** Walls that follow each other count as joined up to this share. */
const JOINED: f64 = 1e-6;

/** Walls in a list at LEAVING (that of the first bin and those after it, clockwise) and COMING (that of the next and those before it). */
let leavingCount: i32 = 0;
let comingCount: i32 = 0;

/** Of a wall in a list: where it begins and ends, and the slope of its top edge, made longer if need be, at either centre. */
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
// @ts-ignore: decorator
@inline function pieceAt(list: i32, index: i32): i32 {
  return list + (index << 5);
}
// @ts-ignore: decorator
@inline function setPiece(piece: i32, start: f64, end: f64, here: f64, there: f64): void {
  store<f64>(piece, start);
  store<f64>(piece, end, 8);
  store<f64>(piece, here, 16);
  store<f64>(piece, there, 24);
}

/** Looks at the walls between the centres of `bin` and the next, for the two solvers below. */
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
    // One wall goes all the way: its slopes at both centres are drawn.
    setPiece(LEAVING, -Infinity, Infinity, <f64>slopeOf(at), <f64>slopeOf(at + 1));
    leavingCount = 1;
  }
}

/**
 * Where the sun comes out that is hidden at the first centre and not at the next, its curve going from `here` to
 * `there`. What is hidden by nothing is under the horizon, and out at once.
 */
export function endOfShade(here: f64, there: f64): f64 {
  let place: f64 = 0;
  for (let i = 0; i < leavingCount; i++) place = hiddenUntil(pieceAt(LEAVING, i), place, here, there);
  for (let i = comingCount - 1; i >= 0; i--) place = hiddenUntil(pieceAt(COMING, i), place, here, there);
  return place;
}

/** Where the sun goes that is not hidden at the first centre but at the next. */
export function startOfShade(here: f64, there: f64): f64 {
  let place: f64 = 1;
  for (let i = 0; i < comingCount; i++) place = hiddenFrom(pieceAt(COMING, i), place, here, there);
  for (let i = leavingCount - 1; i >= 0; i--) place = hiddenFrom(pieceAt(LEAVING, i), place, here, there);
  return place;
}

/** How far a wall hides a sun that is hidden up to `place`. */
function hiddenUntil(piece: i32, place: f64, here: f64, there: f64): f64 {
  if (startOf(piece) > place + JOINED || endOf(piece) <= place) return place;
  const above = slopeHere(piece) - here;
  const beyond = slopeThere(piece) - there;
  if (above + place * (beyond - above) <= 0) return place;
  return min(min(1.0, endOf(piece)), beyond < 0 ? above / (above - beyond) : 1);
}

/** From where on a wall hides a sun that is hidden from `place`. */
function hiddenFrom(piece: i32, place: f64, here: f64, there: f64): f64 {
  if (endOf(piece) < place - JOINED || startOf(piece) >= place) return place;
  const above = slopeHere(piece) - here;
  const beyond = slopeThere(piece) - there;
  if (above + place * (beyond - above) <= 0) return place;
  return max(max(0.0, startOf(piece)), above < 0 ? above / (above - beyond) : 0);
}

/** Takes a wall and those that follow it (`step` 1: clockwise, −1: counter-clockwise) while they lie between the centres. */
function follow(eye: i32, bin: i32, edge: i32, step: i32, list: i32): i32 {
  const wall = edgeCorner(edge);
  const node = edgeNode(edge);
  const ring = ringOf(node, wall);
  const walls = wallsOf(ring);
  const number = (wall - firstCorner(ring)) / CORNER_BYTES;
  const part = edgePart(edge);
  const height = heightOverEyes(node, originOf(part, node), riseOf(part, node)) - eyeZ(eye);
  // From above a roof its far edges are seen, which follow each other the other way.
  const far = isSloped(node) && height <= 0;
  const gradient = gradientSeen(node);
  let count = 0;
  for (let i = 0; i < min(FOLLOWED, walls); i++) {
    const piece = pieceAt(list, count);
    const next = (number + (far ? -step : step) * i + walls) % walls;
    const corner = firstCorner(ring) + next * CORNER_BYTES;
    if (!view(edge, corner, bin, height, gradient, far, piece) || startOf(piece) > 1 || endOf(piece) < 0) continue;
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

/** Sees one wall of an edge's ring; false where it shows the wrong side, or is the wall that the eye hangs on or in line with it. */
function view(edge: i32, corner: i32, bin: i32, height: f64, gradient: v128, far: bool, piece: i32): bool {
  const origin = originOf(edgePart(edge), edgeNode(edge));
  const one = seen(corner, origin);
  const other = seen(corner + CORNER_BYTES, origin);
  const from = far ? other : one;
  const to = far ? one : other;
  const area = areaBetween(from, to);
  const x1 = eastOf(from);
  const y1 = northOf(from);
  const x2 = eastOf(to);
  const y2 = northOf(to);
  if (area <= 0 || (edgeBuilding(edge) == own && isInLine(x1, y1, x2, y2))) return false;
  const start = placeOf(x1, y1);
  const end = placeOf(x2, y2);
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
