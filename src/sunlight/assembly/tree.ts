/** Access to the trees of solids, page by page. `../tree.ts` writes them. Each tree of a view is a part of it. */

import { NODE_BYTES, PAGE_SHIFT, PAGES, PARTS } from './layout';

/** Loads a page into memory and returns its address. */
// @ts-ignore: decorator
@external('tree', 'loadPage')
declare function loadPage(part: i32, page: i32): i32;

// The fields of a part: its origin in the view (a pair), the height above which it is drawn, its first page, its first
// building.
// @ts-ignore: decorator
@inline export function partOrigin(part: i32): v128 {
  return v128.load(PARTS + (part << 5));
}
// @ts-ignore: decorator
@inline export function partAbove(part: i32): f64 {
  return load<f64>(PARTS + (part << 5), 16);
}
// @ts-ignore: decorator
@inline function partPages(part: i32): i32 {
  return load<i32>(PARTS + (part << 5), 24);
}
// @ts-ignore: decorator
@inline export function partBuildings(part: i32): i32 {
  return load<i32>(PARTS + (part << 5), 28);
}

/** The address of a node, by its number in the tree of a part. Loads the node's page if it is not in memory. */
// @ts-ignore: decorator
@inline export function nodeAt(part: i32, number: i32): i32 {
  const page = number >> PAGE_SHIFT;
  let address = load<i32>(PAGES + ((partPages(part) + page) << 2));
  if (address == 0) address = loadPage(part, page);
  return address + (number & ((1 << PAGE_SHIFT) - 1)) * NODE_BYTES;
}

/** Bounds of a node's subtree (`SUBTREE`) or of its own solid (`SOLID`) in the plane of its part, metres. */
export const SUBTREE: i32 = 0;
export const SOLID: i32 = 16;
// West and south of bounds, a pair; and east and north.
// @ts-ignore: decorator
@inline export function boxLow(box: i32): v128 {
  return f64x2.promote_low_f32x4(v128.load64_zero(box));
}
// @ts-ignore: decorator
@inline export function boxHigh(box: i32): v128 {
  return f64x2.promote_low_f32x4(v128.load64_zero(box, 8));
}

/** The highest point of a node's solid, and of all in its subtree, metres. */
// @ts-ignore: decorator
@inline export function topOf(node: i32): f64 {
  return load<f64>(node, 32);
}
/** The number of the node after its subtree. */
// @ts-ignore: decorator
@inline export function afterOf(node: i32): i32 {
  return load<i32>(node, 40);
}
/** The building of its solid, by number in the part. For a node without rings: the part that it refers to. */
// @ts-ignore: decorator
@inline export function buildingOf(node: i32): i32 {
  return load<i32>(node, 44);
}
/** The number of rings of its solid. */
// @ts-ignore: decorator
@inline export function ringsOf(node: i32): i32 {
  return load<i32>(node, 52) & 0xffffff;
}
/** The address of the first ring of its solid. */
// @ts-ignore: decorator
@inline export function firstRing(node: i32): i32 {
  return node + load<i32>(node, 48);
}
/** True when its top is a sloped plane, stored before its rings; else the top is level. */
// @ts-ignore: decorator
@inline export function isSloped(node: i32): bool {
  return load<u8>(node, 55) != 0;
}
/** True for the ground: it is never moved. */
// @ts-ignore: decorator
@inline export function isTerrain(node: i32): bool {
  return moveOf(node) == FIXED;
}
/** The gradient of the plane, a pair: its rise to the east and to the north. */
// @ts-ignore: decorator
@inline export function gradientOf(node: i32): v128 {
  return v128.load(firstRing(node) - 16);
}
/** The height of the plane over a point (a pair in the coordinates of the node's part). */
// @ts-ignore: decorator
@inline export function heightAt(node: i32, point: v128): f64 {
  const rise = f64x2.mul(gradientOf(node), point);
  return load<f64>(firstRing(node) - 24) + f64x2.extract_lane(rise, 0) + f64x2.extract_lane(rise, 1);
}
/**
 * True when a column drew the node, visible or not. Each node stores the last column that drew it: twice the number of
 * the column, plus one if the node is visible after all nodes are drawn.
 */
// @ts-ignore: decorator
@inline export function isDrawn(node: i32, column: i32): bool {
  return (load<i32>(node, 56) | 1) == ((column << 1) | 1);
}
// @ts-ignore: decorator
@inline export function setDrawn(node: i32, column: i32): void {
  store<i32>(node, column << 1, 56);
}
/** True when the node is visible from the column. */
// @ts-ignore: decorator
@inline export function isSeen(node: i32, column: i32): bool {
  return load<i32>(node, 56) == ((column << 1) | 1);
}
// @ts-ignore: decorator
@inline export function setSeen(node: i32, column: i32): void {
  store<i32>(node, (column << 1) | 1, 56);
}
/** The move of things that are not buildings: none. */
export const FIXED: u32 = 0xffffffff;
/** How its building is moved by an error of the model: see `../moves.ts`. */
// @ts-ignore: decorator
@inline export function moveOf(node: i32): u32 {
  return load<u32>(node, 60);
}

/**
 * The number of walls of a ring: its corners less one, because the last repeats the first. The address of a wall is
 * that of its first corner.
 */
// @ts-ignore: decorator
@inline export function wallsOf(ring: i32): i32 {
  return load<i32>(ring) - 1;
}
/** A bit for each of its first 32 walls: set when the wall need not be drawn. */
// @ts-ignore: decorator
@inline export function hiddenWallsOf(ring: i32): u32 {
  return load<u32>(ring, 4);
}
// @ts-ignore: decorator
@inline export function firstCorner(ring: i32): i32 {
  return ring + 8;
}
// @ts-ignore: decorator
@inline export function ringAfter(ring: i32): i32 {
  return ring + 8 + 16 * load<i32>(ring);
}
export const CORNER_BYTES: i32 = 16;
/** A corner, a pair: east and north in the plane of its part, metres. */
// @ts-ignore: decorator
@inline export function cornerOf(corner: i32): v128 {
  return v128.load(corner);
}
// @ts-ignore: decorator
@inline export function cornerX(corner: i32): f64 {
  return load<f64>(corner);
}
// @ts-ignore: decorator
@inline export function cornerY(corner: i32): f64 {
  return load<f64>(corner, 8);
}
