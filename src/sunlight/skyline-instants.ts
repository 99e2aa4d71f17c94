import { across, acrossOfBin, along, passesNorthEast, placeOf, planeOfBin } from './image-planes.ts';
import type { Skyline } from './skyline.ts';
import { isInLine } from './skyline-draw.ts';

/**
 * Between the centres of two bins the skyline is not drawn; where a day's sun comes out or goes there is solved from
 * the walls that the bins hold and those that follow them round their building.
 *
 * Places here are shares of the way from one centre to the next, 0–1; a wall's top edge and a day's curve are straight
 * over so little.
 */
interface Piece {
  /** Where the wall begins and ends. */
  start: number;
  end: number;
  /** Slope of its top edge, made longer if need be, at either centre. */
  here: number;
  there: number;
}

/** Walls of a building that are followed from one bin into the next: a rounded corner has no more that matter. */
const FOLLOWED = 8;
/** Walls that follow each other count as joined up to this share. */
const JOINED = 1e-6;

const newPieces = (): Piece[] => Array.from({ length: FOLLOWED }, () => ({ start: 0, end: 0, here: 0, there: 0 }));
/** The wall in the first bin and those after it, clockwise; the wall in the next bin and those before it. */
const leaving = newPieces();
const coming = newPieces();
let leavingCount = 0;
let comingCount = 0;

/** Looks at the walls between the centres of `bin` and the next, for the two solvers below. */
export function lookBetween(skyline: Skyline, eye: number, bin: number): void {
  const at = eye * skyline.bins + bin;
  const first = skyline.wall[at]!;
  const next = skyline.wall[at + 1]!;
  leavingCount = 0;
  comingCount = 0;
  if (first === next) {
    if (first >= 0) leavingCount = crossWhole(skyline, at, leaving[0]!);
  } else {
    if (first >= 0) leavingCount = follow(skyline, eye, bin, first, 1, leaving);
    if (next >= 0) comingCount = follow(skyline, eye, bin, next, -1, coming);
  }
}

/** One wall goes all the way: its slopes at both centres are drawn. Gives 1. */
function crossWhole(skyline: Skyline, at: number, out: Piece): number {
  out.start = -Infinity;
  out.end = Infinity;
  out.here = skyline.slope[at]!;
  out.there = skyline.slope[at + 1]!;
  return 1;
}

/**
 * Where the sun comes out that is hidden at the first centre and not at the next, its curve going from `here` to
 * `there`. What is hidden by nothing is under the horizon, and out at once.
 */
export function endOfShade(here: number, there: number): number {
  let place = 0;
  for (let i = 0; i < leavingCount; i++) place = hiddenUntil(leaving[i]!, place, here, there);
  for (let i = comingCount - 1; i >= 0; i--) place = hiddenUntil(coming[i]!, place, here, there);
  return place;
}

/** Where the sun goes that is not hidden at the first centre but at the next. */
export function startOfShade(here: number, there: number): number {
  let place = 1;
  for (let i = 0; i < comingCount; i++) place = hiddenFrom(coming[i]!, place, here, there);
  for (let i = leavingCount - 1; i >= 0; i--) place = hiddenFrom(leaving[i]!, place, here, there);
  return place;
}

/** How far a wall hides a sun that is hidden up to `place`. */
function hiddenUntil(piece: Piece, place: number, here: number, there: number): number {
  if (piece.start > place + JOINED || piece.end <= place) return place;
  const above = piece.here - here;
  const beyond = piece.there - there;
  if (above + place * (beyond - above) <= 0) return place;
  return Math.min(1, piece.end, beyond < 0 ? above / (above - beyond) : 1);
}

/** From where on a wall hides a sun that is hidden from `place`. */
function hiddenFrom(piece: Piece, place: number, here: number, there: number): number {
  if (piece.end < place - JOINED || piece.start >= place) return place;
  const above = piece.here - here;
  const beyond = piece.there - there;
  if (above + place * (beyond - above) <= 0) return place;
  return Math.max(0, piece.start, above < 0 ? above / (above - beyond) : 0);
}

/** Takes a wall and those that follow it (`step` 1: clockwise, −1: counter-clockwise) while they lie between the centres. */
function follow(skyline: Skyline, eye: number, bin: number, wall: number, step: number, out: Piece[]): number {
  const { tree } = skyline;
  const ring = ringOf(skyline, wall);
  const first = tree.ringCorners[ring]!;
  const walls = tree.ringCorners[ring + 1]! - 1 - first;
  const own = tree.building[tree.cornerNode[wall]!] === skyline.own;
  const height = tree.top[tree.cornerNode[wall]!]! - skyline.z[eye]!;
  let count = 0;
  for (let i = 0; i < Math.min(FOLLOWED, walls); i++) {
    const piece = out[count]!;
    const corner = first + ((wall - first + step * i + walls) % walls);
    if (!view(skyline, own, corner, bin, height, piece) || piece.start > 1 || piece.end < 0) continue;
    count++;
    // A wall from centre to centre needs no other.
    if (i === 0 && (step > 0 ? piece.end >= 1 : piece.start <= 0)) break;
  }
  return count;
}

function ringOf(skyline: Skyline, wall: number): number {
  const { ringCorners, nodeRings, cornerNode } = skyline.tree;
  let ring = nodeRings[cornerNode[wall]!]!;
  while (ringCorners[ring + 1]! <= wall) ring++;
  return ring;
}

/** Sees one wall; false where it does not count: it shows its inside, or is the wall that the eye hangs on or in line with it. */
function view(skyline: Skyline, own: boolean, corner: number, bin: number, height: number, out: Piece): boolean {
  const { x, y, turn, planeBins, tree } = skyline;
  const { corners } = tree;
  const dx1 = corners[2 * corner]! - x;
  const dy1 = corners[2 * corner + 1]! - y;
  const dx2 = corners[2 * corner + 2]! - x;
  const dy2 = corners[2 * corner + 3]! - y;
  const x1 = dx1 + turn * dy1;
  const y1 = dy1 - turn * dx1;
  const x2 = dx2 + turn * dy2;
  const y2 = dy2 - turn * dx2;
  const area = x2 * y1 - x1 * y2;
  if (area <= 0 || (own && isInLine(skyline, x1, y1, x2, y2))) return false;
  const start = placeOf(x1, y1, planeBins);
  const end = placeOf(x2, y2, planeBins);
  const through = passesNorthEast(start, end, planeBins);
  out.start = through && bin <= end ? -Infinity : start - bin;
  out.end = through && bin > end ? Infinity : end - bin;
  const mx = (y1 - y2) / area;
  const my = (x2 - x1) / area;
  out.here = height * slopeAt(mx, my, bin, planeBins);
  out.there = height * slopeAt(mx, my, bin + 1, planeBins);
  return true;
}

/** One over the distance to a wall's line along the axis, at a bin's centre. */
function slopeAt(mx: number, my: number, bin: number, planeBins: number): number {
  const plane = planeOfBin(bin, planeBins);
  return along(plane, mx, my) + across(plane, mx, my) * acrossOfBin(bin, planeBins);
}
