/** Where the eyes of the current column are and how they look, set before it is drawn. */

import { Z } from './layout';

/** Position in the plane of the view, metres. */
export let eyeX: f64 = 0;
export let eyeY: f64 = 0;
/** By how much the scene is turned clockwise about the eyes, radians (little); 1, or −1 where all is turned by half a circle as well. */
export let turn: f64 = 0;
export let way: f64 = 1;
/** The wall they hang on: its building (−1: none), and its outward normal as the planes have it, a unit vector. */
export let own: i32 = -1;
export let normalX: f64 = 0;
export let normalY: f64 = 0;
/** How many eyes there are. */
export let eyes: i32 = 0;
/** Bins of interest: [first, end). */
export let first: i32 = 0;
export let end: i32 = 0;

/** Places the eyes at a wall with the outward normal (nx, ny) in the plane of the view. */
export function placeEyes(x: f64, y: f64, nx: f64, ny: f64): void {
  eyeX = x;
  eyeY = y;
  normalX = way * (nx + turn * ny);
  normalY = way * (ny - turn * nx);
}

/** Settles what is the same for all columns of a building. */
export function startEyes(count: i32, building: i32, turned: f64, half: f64): void {
  eyes = count;
  own = building;
  turn = turned;
  way = half;
}

export function setRange(from: i32, to: i32): void {
  first = from;
  end = to;
}

/** Height of an eye, metres; the lowest eye is the first. */
// @ts-ignore: decorator
@inline export function eyeZ(eye: i32): f64 {
  return load<f64>(Z + (eye << 3));
}
