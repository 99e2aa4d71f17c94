/**
 * The image planes: see `../image-planes.ts`, whose numbers these are. In a plane, a direction is its axis plus `t`
 * times the unit vector across, clockwise; t is −1 at the plane's left edge and 1 at its right.
 */

import { PLANE_BINS as N } from './layout';

/**
 * By octant: the position of the axis (east, south, west or north) that bounds it, and the way from there to the
 * diagonal that bounds it, negative when that is counter-clockwise; both in N bins. The number of an octant has the
 * bits 4: east, 2: north, 1: nearer to east or west than to north or south.
 */
const AXIS = memory.data<f64>([1.25, 2, 2.75, 2, 1.25, 0.5, 2.75, 0.5]);
const TO_DIAGONAL = memory.data<f64>([0.25, -0.5, -0.25, 0.5, -0.25, 0.5, 0.25, -0.5]);

// @ts-ignore: decorator
@inline function ofOctant(table: usize, octant: i32): f64 {
  return load<f64>(table + (octant << 3));
}

/** The smaller and the larger of two numbers that are not NaN. Faster than `min` and `max`, which branch. */
// @ts-ignore: decorator
@inline export function smaller(a: f64, b: f64): f64 {
  return f64x2.extract_lane(f64x2.pmin(f64x2.splat(a), f64x2.splat(b)), 0);
}
// @ts-ignore: decorator
@inline export function larger(a: f64, b: f64): f64 {
  return f64x2.extract_lane(f64x2.pmax(f64x2.splat(a), f64x2.splat(b)), 0);
}
// A point or direction in plan is a pair (east, north): its two numbers, and the pair with the two swapped.
// @ts-ignore: decorator
@inline export function eastOf(pair: v128): f64 {
  return f64x2.extract_lane(pair, 0);
}
// @ts-ignore: decorator
@inline export function northOf(pair: v128): f64 {
  return f64x2.extract_lane(pair, 1);
}
// @ts-ignore: decorator
@inline export function swapped(pair: v128): v128 {
  return i64x2.shuffle(pair, pair, 1, 0);
}
/** The larger of the two numbers of a pair. */
// @ts-ignore: decorator
@inline export function largerOf(pair: v128): f64 {
  return f64x2.extract_lane(f64x2.pmax(pair, swapped(pair)), 0);
}

/** Twice the area of the triangle of the eye and a wall: positive when the eye sees the outside of the wall. */
// @ts-ignore: decorator
@inline export function areaBetween(from: v128, to: v128): f64 {
  const products = f64x2.mul(to, swapped(from));
  return eastOf(products) - northOf(products);
}

/**
 * The position of a direction (dx east, dy north) on the scale of the bins, where a whole number is the centre of a
 * bin. The scale runs clockwise once around the eye: N positions for the image plane that looks east (from the
 * north-east to the south-east), N / 2 for south, N for west, and N / 2 for the north, which has no plane and no bins.
 * Bin 0 begins at the north-east, so the position there is −0.5, and after the whole circle 3 N − 0.5.
 */
// @ts-ignore: decorator
@inline export function positionOf(dx: f64, dy: f64): f64 {
  const eastward = abs(dx);
  const northward = abs(dy);
  const octant = (i32(dx > 0) << 2) | (i32(dy > 0) << 1) | i32(eastward >= northward);
  const fromAxis = smaller(eastward, northward) / larger(eastward, northward);
  const axis = ofOctant(AXIS, octant);
  const toDiagonal = ofOctant(TO_DIAGONAL, octant);
  return <f64>N * (axis + toDiagonal * fromAxis) - 0.5;
}

/** True when a wall that runs clockwise from `start` to `end` passes the north-east, where the bins begin and end. */
// @ts-ignore: decorator
@inline export function passesNorthEast(start: f64, end: f64): bool {
  return start - end > <f64>N;
}

// The plane of a bin (0 east, 1 south, 2 west), the first bin of a plane, and its number of bins.
// @ts-ignore: decorator
@inline export function planeOfBin(bin: i32): i32 {
  return bin < N ? 0 : bin < (N * 3) / 2 ? 1 : 2;
}
// @ts-ignore: decorator
@inline export function firstBinOf(plane: i32): i32 {
  return plane == 0 ? 0 : plane == 1 ? N : (N * 3) / 2;
}
// @ts-ignore: decorator
@inline export function binsOf(plane: i32): i32 {
  return plane == 1 ? N / 2 : N;
}

// The component of (mx east, my north) along a plane's axis, and the component across it, clockwise.
// @ts-ignore: decorator
@inline export function along(plane: i32, mx: f64, my: f64): f64 {
  return plane == 0 ? mx : plane == 1 ? -my : -mx;
}
// @ts-ignore: decorator
@inline export function across(plane: i32, mx: f64, my: f64): f64 {
  return plane == 0 ? -my : plane == 1 ? -mx : my;
}

/**
 * The dot product of a vector (mx east, my north) with the direction through a bin's centre. This direction is not of
 * length 1: its component along the axis of the bin's plane is 1, and its component across that is `t`.
 */
export function dotWithCentre(mx: f64, my: f64, bin: i32): f64 {
  const plane = planeOfBin(bin);
  // The middle of the bin, where the plane reaches from −1 to 1.
  const t = <f64>(2 * (bin - firstBinOf(plane)) + 1) / <f64>binsOf(plane) - 1;
  return along(plane, mx, my) + across(plane, mx, my) * t;
}
