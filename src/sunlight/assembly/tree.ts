/** The trees over what can be seen, page by page: see `../tree.ts`, which writes them. */

import { NODE_BYTES, PAGE_SHIFT, PAGES, PARTS } from './layout';

/** Brings a page that is not in memory; gives its address. */
// @ts-ignore: decorator
@external('tree', 'loadPage')
declare function loadPage(part: i32, page: i32): i32;

/** Of a part: where its origin lies in the view (a pair), what it must rise above, its first page and first building. */
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

/** Address of a node of a part, by its number there. */
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
/** West and south of bounds, a pair; and east and north. */
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
/** The building of its solid, by its number in the part; of a node without rings the part that it stands for. */
// @ts-ignore: decorator
@inline export function buildingOf(node: i32): i32 {
  return load<i32>(node, 44);
}
/** How many rings its solid has, and the first of them. */
// @ts-ignore: decorator
@inline export function ringsOf(node: i32): i32 {
  return load<i32>(node, 52) & 0xffffff;
}
// @ts-ignore: decorator
@inline export function firstRing(node: i32): i32 {
  return node + load<i32>(node, 48);
}
/** Whether its top is a plane, which lies before its rings; else it is level. */
// @ts-ignore: decorator
@inline export function isSloped(node: i32): bool {
  return load<u8>(node, 55) != 0;
}
/** Whether it is ground, and no building. */
// @ts-ignore: decorator
@inline export function isTerrain(node: i32): bool {
  return (load<u8>(node, 55) & 2) != 0;
}
/** By how much the plane rises to the east and to the north: a pair. */
// @ts-ignore: decorator
@inline export function gradientOf(node: i32): v128 {
  return v128.load(firstRing(node) - 16);
}
/** Height of the plane at a place, a pair in the plane of the node's part. */
// @ts-ignore: decorator
@inline export function heightAt(node: i32, place: v128): f64 {
  const rise = f64x2.mul(gradientOf(node), place);
  return load<f64>(firstRing(node) - 24) + f64x2.extract_lane(rise, 0) + f64x2.extract_lane(rise, 1);
}
/** The column in which it was last drawn, and that in which it was last seen. */
// @ts-ignore: decorator
@inline export function drawnIn(node: i32): i32 {
  return load<i32>(node, 56);
}
// @ts-ignore: decorator
@inline export function setDrawn(node: i32, column: i32): void {
  store<i32>(node, column, 56);
}
// @ts-ignore: decorator
@inline export function seenIn(node: i32): i32 {
  return load<i32>(node, 60);
}
// @ts-ignore: decorator
@inline export function setSeen(node: i32, column: i32): void {
  store<i32>(node, column, 60);
}

/** Walls of a ring: one less than its corners, the last of which is the first again. A wall is its first corner's address. */
// @ts-ignore: decorator
@inline export function wallsOf(ring: i32): i32 {
  return load<i32>(ring) - 1;
}
/** Which of its first 32 walls need not be drawn, a bit each. */
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
