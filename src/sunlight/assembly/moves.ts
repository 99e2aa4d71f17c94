/**
 * Where buildings stand when they are moved: by a draw of the model's error, and the eyes' own building by a height that is given for it.
 * `../moves.ts` works out the same displacement.
 */

import { own } from './eyes';
import { QUANTILES } from './layout';
import { eastOf, northOf } from './planes';
import { buildingOf, isTerrain, partBuildings, partOrigin } from './tree';

/** Whether any building stands elsewhere than it was published. */
let isMoved: bool = false;
let draw: u32 = 0;
/** Grid coordinates of the view's origin, metres: with them a building has the same draws in every view. */
let viewOrigin: v128 = f64x2.splat(0);
/** Standard deviations along each axis of the plan, and of heights, metres. */
let shiftError: f64 = 0;
let riseError: f64 = 0;
/** How much higher the own building is given, metres. */
let ownRise: f64 = 0;
/** How far any building is moved along an axis at most, and raised, metres. */
export let mostShift: f64 = 0;
export let mostRise: f64 = 0;

/** All buildings stand as they were published. */
export function standStill(): void {
  isMoved = false;
  mostShift = 0;
  mostRise = 0;
}

/** Moves all buildings by a draw of errors with these standard deviations, the own one besides by its rise. */
export function moveBuildings(number: i32, x: f64, y: f64, shift: f64, rise: f64, ownUp: f64, limit: f64): void {
  isMoved = true;
  draw = number;
  viewOrigin = f64x2(x, y);
  shiftError = shift;
  riseError = rise;
  ownRise = ownUp;
  mostShift = limit * shift;
  mostRise = limit * rise + max(0, ownUp);
}

/** Mixes all bits of a number into all others. */
// @ts-ignore: decorator
@inline function mixed(bits: u32): u32 {
  bits = (bits ^ (bits >> 16)) * 0x7feb352d;
  bits = (bits ^ (bits >> 15)) * 0x846ca68b;
  return bits ^ (bits >> 16);
}

/** Thirty random bits of a node's building in the current draw: ten for each axis. */
function bitsOf(part: i32, node: i32): u32 {
  const origin = f64x2.nearest(f64x2.add(partOrigin(part), viewOrigin));
  const square = mixed(mixed(<u32>(<i32>eastOf(origin))) + <u32>(<i32>northOf(origin)));
  return mixed(mixed(square + <u32>buildingOf(node)) + draw);
}

/** A value of the standard normal distribution, by ten bits. */
// @ts-ignore: decorator
@inline function quantile(bits: u32): f64 {
  return load<f64>(QUANTILES + ((bits & 1023) << 3));
}

/** The origin from which a node's corners count, moved with its building: a pair. The ground stays where it is. */
// @ts-ignore: decorator
@inline export function originOf(part: i32, node: i32): v128 {
  return isMoved && !isTerrain(node) ? movedOrigin(part, node) : partOrigin(part);
}

function movedOrigin(part: i32, node: i32): v128 {
  const bits = bitsOf(part, node);
  const shift = f64x2.mul(f64x2.splat(shiftError), f64x2(quantile(bits), quantile(bits >> 10)));
  return f64x2.add(partOrigin(part), shift);
}

/** By how much a node's building is raised, metres. */
// @ts-ignore: decorator
@inline export function riseOf(part: i32, node: i32): f64 {
  return isMoved && !isTerrain(node) ? movedRise(part, node) : 0;
}

function movedRise(part: i32, node: i32): f64 {
  const rise = riseError * quantile(bitsOf(part, node) >> 20);
  return partBuildings(part) + buildingOf(node) == own ? rise + ownRise : rise;
}
