/**
 * Where buildings stand when they are moved: by a draw of the model's error, and the eyes' own building by a height
 * that is given for it. `../moves.ts` works out the same displacement.
 */

import { ownBuilding } from './eyes';
import { HEIGHT_ERRORS, POSITION_ERRORS, QUANTILES } from './layout';
import { eastOf, northOf } from './planes';
import { buildingOf, FIXED, moveOf, partBuildings, partOrigin } from './tree';

/** Whether any building stands elsewhere than it was published. */
let isMoved: bool = false;
/** The number of the current draw. */
let draw: u32 = 0;
/** Grid coordinates of the view's origin, metres: with them a building has the same draws in every view. */
let viewOrigin: v128 = f64x2.splat(0);
/** How much the height that is given for the eyes' own building is above the published one, metres. */
let ownRise: f64 = 0;
/** Limits of how far any building is moved along an axis, and raised, metres. */
export let mostShift: f64 = 0;
export let mostRise: f64 = 0;

/** Ends all moves: from now on every building stands as it was published. */
export function standStill(): void {
  isMoved = false;
  mostShift = 0;
  mostRise = 0;
}

/**
 * From now on all buildings are moved by one random draw of the model's error. The standard deviations lie at
 * POSITION_ERRORS and HEIGHT_ERRORS. The eyes' own building also rises by `ownUp`.
 * @param number of the draw: the same number gives the same errors
 * @param x east of the view's origin in the grid, metres; `y` is north
 * @param shift the largest movement along an axis, metres, that these errors can give; `rise`: the largest change of
 * height
 */
export function moveBuildings(number: i32, x: f64, y: f64, shift: f64, rise: f64, ownUp: f64): void {
  isMoved = true;
  // `lastOriginHash` is of a part in another view.
  lastPart = -1;
  draw = number;
  viewOrigin = f64x2(x, y);
  ownRise = ownUp;
  mostShift = shift;
  mostRise = rise + max(0, ownUp);
}

/** Mixes all bits of a number into all others: the hash lowbias32. `../moves.ts` computes the same. */
// @ts-ignore: decorator
@inline function mixed(bits: u32): u32 {
  bits = (bits ^ (bits >> 16)) * 0x7feb352d;
  bits = (bits ^ (bits >> 15)) * 0x846ca68b;
  return bits ^ (bits >> 16);
}

/** The part of the last building whose bits were made, and the hash of the part's origin, from which those follow. */
let lastPart: i32 = -1;
let lastOriginHash: u32 = 0;

/** Hashes the grid coordinates of a part's origin in whole metres, once for all its buildings. */
function hashOrigin(part: i32): void {
  const origin = f64x2.nearest(f64x2.add(partOrigin(part), viewOrigin));
  lastPart = part;
  lastOriginHash = mixed(mixed(<u32>(<i32>eastOf(origin))) + <u32>(<i32>northOf(origin)));
}

/**
 * Thirty random bits of a building of a part in the current draw: ten for each axis, the lowest for east, then north,
 * then up.
 */
// @ts-ignore: decorator
@inline function bitsOf(part: i32, building: u32): u32 {
  if (part != lastPart) hashOrigin(part);
  return mixed(mixed(lastOriginHash + building) + draw);
}

/** A value of the standard normal distribution, by the ten lowest bits of a number. */
// @ts-ignore: decorator
@inline function quantile(bits: u32): f64 {
  return load<f64>(QUANTILES + ((bits & 1023) << 3));
}

/** A standard deviation, by the three lowest bits of a number. */
// @ts-ignore: decorator
@inline function errorOf(errors: i32, bits: u32): f64 {
  return load<f64>(errors + ((bits & 7) << 3));
}

// The fields of a move (`../moves.ts`): in 24 bits the first building of its cluster, which is a group of touching
// buildings; then in three bits each the classes of its errors of position and of height.
// @ts-ignore: decorator
@inline function clusterOf(move: u32): u32 {
  return move & 0xffffff;
}
// @ts-ignore: decorator
@inline function positionErrorOf(move: u32): f64 {
  return errorOf(POSITION_ERRORS, move >> 24);
}
// @ts-ignore: decorator
@inline function heightErrorOf(move: u32): f64 {
  return errorOf(HEIGHT_ERRORS, move >> 27);
}

/** The origin from which a node's corners count, moved with the cluster of its building: a pair. */
// @ts-ignore: decorator
@inline export function originOf(part: i32, node: i32): v128 {
  return isMoved ? movedOrigin(part, node) : partOrigin(part);
}

/**
 * The origin of a part plus the random error of position of a node's building. All buildings of a cluster get the same
 * error, so that touching walls stay together.
 */
function movedOrigin(part: i32, node: i32): v128 {
  const move = moveOf(node);
  if (move == FIXED) return partOrigin(part);
  const bits = bitsOf(part, clusterOf(move));
  // `quantile` reads ten bits: the lowest for the error to the east, the next for that to the north.
  const bitsOfNorth = bits >> 10;
  const eastAndNorth = f64x2(quantile(bits), quantile(bitsOfNorth));
  return f64x2.add(partOrigin(part), f64x2.mul(f64x2.splat(positionErrorOf(move)), eastAndNorth));
}

/** By how much a node's building is raised, metres. */
// @ts-ignore: decorator
@inline export function riseOf(part: i32, node: i32): f64 {
  return isMoved ? movedRise(part, node) : 0;
}

/**
 * The random error of height of a node's building, metres. The estimate of the error of an answer computes it many
 * times with buildings moved at random. The eyes' own building also rises to the height that is given for it.
 */
function movedRise(part: i32, node: i32): f64 {
  const move = moveOf(node);
  if (move == FIXED) return 0;
  const building = buildingOf(node);
  const bitsOfHeight = bitsOf(part, building) >> 20;
  const rise = heightErrorOf(move) * quantile(bitsOfHeight);
  return partBuildings(part) + building == ownBuilding ? rise + ownRise : rise;
}
