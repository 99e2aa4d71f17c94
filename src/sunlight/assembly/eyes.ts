/** The position and direction of the eyes of the current column, set before drawing. */

import { INSIDE, Z } from './layout';
import { eastOf, northOf, swapped } from './planes';

/** Position of the eyes in the plane of the view, metres: a pair, east and north. */
export let viewpoint: v128 = f64x2.splat(0);
/** 1; −1 where the scene is turned about the eyes by half a circle. */
export let way: f64 = 1;
/** A further small clockwise turn of the scene, radians: the factor by which each coordinate adds to the other. */
let turn: v128 = f64x2.splat(0);
/** The building whose wall is behind the eyes (−1: none), and the wall's outward unit normal in the turned plane. */
export let ownBuilding: i32 = -1;
export let normalX: f64 = 0;
export let normalY: f64 = 0;
/** The number of eyes. */
export let eyes: i32 = 0;
/** The bins to draw: [drawnFirst, drawnEnd). */
export let drawnFirst: i32 = 0;
export let drawnEnd: i32 = 0;

/** Turns a direction of the scene (a pair) into the turned plane. */
// @ts-ignore: decorator
@inline export function turned(direction: v128): v128 {
  return f64x2.mul(f64x2.splat(way), f64x2.add(direction, f64x2.mul(turn, swapped(direction))));
}

/** Moves the eyes to (x, y), in front of a wall with the outward normal (nx, ny), all in the plane of the view. */
export function placeEyes(x: f64, y: f64, nx: f64, ny: f64): void {
  viewpoint = f64x2(x, y);
  // Corners of the scene are turned in the same way.
  const normal = turned(f64x2(nx, ny));
  normalX = eastOf(normal);
  normalY = northOf(normal);
}

/**
 * Sets the values that all columns of a building share. Z has the heights of four eyes, one in each lane. Lanes without
 * an eye get an infinite height, from which every slope is −∞.
 * @param clockwise how far the scene is turned from the image planes: a small angle, radians, so its sine is the angle
 * @param sign −1: the scene is turned by another half circle; else 1
 */
export function startEyes(count: i32, building: i32, clockwise: f64, sign: f64): void {
  eyes = count;
  for (let lane = count; lane < 4; lane++) store<f64>(Z + (lane << 3), Infinity);
  ownBuilding = building;
  // The turn of a point: east + clockwise · north, north − clockwise · east.
  turn = f64x2(clockwise, -clockwise);
  way = sign;
}

/** Sets the bins to draw. */
export function setRange(from: i32, to: i32): void {
  drawnFirst = from;
  drawnEnd = to;
}

/**
 * The slope at which each eye sees a point of height `top` at the distance 1 / `nearness`: one lane for each eye. Lanes
 * without an eye get −∞, because their height is infinite.
 */
// @ts-ignore: decorator
@inline export function slopesTo(top: f64, nearness: f64): v128 {
  const overFirstTwo = f64x2.sub(f64x2.splat(top), v128.load(Z));
  const overLastTwo = f64x2.sub(f64x2.splat(top), v128.load(Z, 16));
  const near = f64x2.splat(nearness);
  return inFourLanes(f64x2.mul(overFirstTwo, near), f64x2.mul(overLastTwo, near));
}

/**
 * The slope at which each eye sees a plane at the distance 1 / `nearness`: (top − height of the eye) · nearness + rise.
 * The plane has the height `top` at the eyes and rises by `rise` for each metre of distance.
 */
// @ts-ignore: decorator
@inline export function slopesToPlane(top: f64, nearness: f64, rise: f64): v128 {
  const overFirstTwo = f64x2.sub(f64x2.splat(top), v128.load(Z));
  const overLastTwo = f64x2.sub(f64x2.splat(top), v128.load(Z, 16));
  const near = f64x2.splat(nearness);
  const more = f64x2.splat(rise);
  return inFourLanes(f64x2.add(f64x2.mul(overFirstTwo, near), more), f64x2.add(f64x2.mul(overLastTwo, near), more));
}

/** The four numbers of two pairs, in single precision. */
// @ts-ignore: decorator
@inline function inFourLanes(firstTwo: v128, lastTwo: v128): v128 {
  return i32x4.shuffle(f32x4.demote_f64x2_zero(firstTwo), f32x4.demote_f64x2_zero(lastTwo), 0, 1, 4, 5);
}

/** A mask of the lanes of an eye and of all eyes above it. */
// @ts-ignore: decorator
@inline export function lanesFrom(eye: i32): v128 {
  return i32x4.ge_s(i32x4(0, 1, 2, 3), i32x4.splat(eye));
}

/** The building that encloses an eye (with BY_SURFACE when it is under a roof surface); negative when none does. */
// @ts-ignore: decorator
@inline export function enclosingBuilding(eye: i32): i32 {
  return load<i32>(INSIDE + (eye << 2));
}

/** The height of an eye, metres. Eye 0 is the lowest. */
// @ts-ignore: decorator
@inline export function eyeZ(eye: i32): f64 {
  return load<f64>(Z + (eye << 3));
}
