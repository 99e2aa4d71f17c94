/** Walks the trees, tall and near nodes first, and skips nodes that the skyline drawn so far hides. */

import { drawSolid } from './draw';
import {
  drawnEnd,
  drawnFirst,
  eyes,
  eyeZ,
  lanesFrom,
  normalX,
  normalY,
  ownBuilding,
  slopesTo,
  viewpoint,
  way,
} from './eyes';
import { SEEN, STACK } from './layout';
import { eyesBelow, lowestBetween } from './lowest';
import { mostRise, mostShift } from './moves';
import { eastOf, largerOf, northOf, positionOf } from './planes';
import {
  SOLID,
  SUBTREE,
  afterOf,
  boxHigh,
  boxLow,
  buildingOf,
  isDrawn,
  isSeen,
  nodeAt,
  partAbove,
  partOrigin,
  ringsOf,
  setDrawn,
  setSeen,
  topOf,
} from './tree';

/** The small turn of the scene (under 0.01°) can shorten the distance to a box by this factor. */
const TURNED: f64 = 1.0002;
/**
 * A box that is behind the wall by this share of its distance is in no bin that is read. A smaller share would not do:
 * the outermost bins reach a little behind the wall, and the scene may be turned a little.
 */
const BEHIND: f64 = 0.01;

/**
 * The current column, which is a set of eyes above one another, counted from 1; nodes remember the column that drew and
 * saw them.
 */
let column: i32 = 0;
/** The number of nodes visible from the previous column. SEEN has an entry for each: the part, then its address. */
let seenCount: i32 = 0;
const SEEN_BYTES: i32 = 8;

/** Counts a new column: from now on no node is drawn or seen. */
export function startColumn(): void {
  column++;
}

/**
 * Forgets the nodes visible from the previous column. Called when pages of their trees leave the memory, or when the
 * view changes.
 */
export function forgetSeen(): void {
  seenCount = 0;
}

/** Remembers in SEEN a node that is visible from the current column. */
// @ts-ignore: decorator
@inline export function keepSeen(part: i32, node: i32): void {
  if (isSeen(node, column)) return;
  setSeen(node, column);
  const entry = SEEN + seenCount * SEEN_BYTES;
  store<i32>(entry, part);
  store<i32>(entry, node, 4);
  seenCount++;
}

/**
 * Draws the solids of the nodes that were visible from the previous column, for all eyes, and empties their list. They
 * come first because most of them hide much of this column's view too.
 */
export function drawSeen(): void {
  for (let i = 0; i < seenCount; i++) {
    const entry = SEEN + i * SEEN_BYTES;
    const part = load<i32>(entry);
    const node = load<i32>(entry, 4);
    setDrawn(node, column);
    drawSolid(part, node, LOWEST_OF_ALL);
  }
  seenCount = 0;
}

/** The number of the lowest eye of a column. */
const LOWEST_OF_ALL: i32 = 0;

/**
 * The number of nodes on the stack of nodes to visit. An entry has the part, the number of the node, the lowest eye.
 */
let depth: i32 = 0;
const ENTRY_BYTES: i32 = 12;
// @ts-ignore: decorator
@inline function entryPart(entry: i32): i32 {
  return load<i32>(entry);
}
// @ts-ignore: decorator
@inline function entryNumber(entry: i32): i32 {
  return load<i32>(entry, 4);
}
// @ts-ignore: decorator
@inline function entryLowest(entry: i32): i32 {
  return load<i32>(entry, 8);
}

/** Pushes a node to visit, and the lowest eye that may see any of it. */
// @ts-ignore: decorator
@inline function push(part: i32, number: i32, lowest: i32): void {
  const entry = STACK + depth * ENTRY_BYTES;
  store<i32>(entry, part);
  store<i32>(entry, number, 4);
  store<i32>(entry, lowest, 8);
  depth++;
}

/** The lowest slope of each eye's row (a lane each) at the start of the walk. Slopes only rise during a walk. */
let leastSlope: v128 = f32x4.splat(0);

/**
 * Draws everything visible, from the root of part 0: its leaves refer to the other parts. A subtree is left out when no
 * eye sees any point of its box over the skyline drawn so far. A box contains those of its children, so an eye that
 * does not see a box is not asked about the children.
 */
export function drawScene(): void {
  leastSlope = lowestBetween(drawnFirst, drawnEnd);
  depth = 0;
  const rootPart = 0;
  const root = 0;
  push(rootPart, root, LOWEST_OF_ALL);
  while (depth > 0) {
    const entry = STACK + --depth * ENTRY_BYTES;
    const part = entryPart(entry);
    const number = entryNumber(entry);
    const node = nodeAt(part, number);
    const lowest = lowestEye(part, node, node + SUBTREE, entryLowest(entry));
    const isSeenByNone = lowest == eyes;
    if (isSeenByNone) continue;
    // The number of the node after the subtree.
    const after = afterOf(node);
    const isLeaf = number + 1 == after;
    const hasSolid = ringsOf(node) > 0;
    if (hasSolid && !isDrawn(node, column)) {
      // Inside the tree, a node's own solid has a smaller box than its subtree, so fewer eyes may see it.
      const lowestOfSolid = isLeaf ? lowest : lowestEye(part, node, node + SOLID, lowest);
      if (lowestOfSolid < eyes) drawSolid(part, node, lowestOfSolid);
    }
    // A leaf without a solid leads to the root of another part: its "building" is the number of that part.
    if (isLeaf && !hasSolid) push(buildingOf(node), root, lowest);
    if (!isLeaf) pushChildren(part, number + 1, after, lowest);
  }
}

/**
 * Pushes the children of a node, the nearer one last, so that it is visited first. Terrain is visited after buildings.
 * @param left number of the first child, which follows its parent; the second child, if there is one, comes after the
 * subtree of the first
 * @param after number of the node after both
 * @param lowest the lowest eye that may see any of them
 */
function pushChildren(part: i32, left: i32, after: i32, lowest: i32): void {
  const leftNode = nodeAt(part, left);
  const right = afterOf(leftNode);
  if (right == after) {
    push(part, left, lowest);
    return;
  }
  // Part 0 is the tree above the parts. An inner node there has no solid. Its field of the building is 1 (IN_ORDER of
  // `../view.ts`) when its second child is terrain, else 0.
  const parent = left - 1;
  const isInOrder = part == 0 && buildingOf(nodeAt(part, parent)) > 0;
  const leftFirst = isInOrder || axisDistance(part, leftNode) <= axisDistance(part, nodeAt(part, right));
  push(part, leftFirst ? right : left, lowest);
  push(part, leftFirst ? left : right, lowest);
}

/**
 * How far a node's box is from the viewpoint: the greater of its distances in x and in y, negative inside. It is less
 * than the true distance, but enough to tell which child is nearer.
 */
// @ts-ignore: decorator
@inline function axisDistance(part: i32, node: i32): f64 {
  const eye = f64x2.sub(viewpoint, partOrigin(part));
  return largerOf(f64x2.pmax(f64x2.sub(boxLow(node), eye), f64x2.sub(eye, boxHigh(node))));
}

/**
 * The lowest of the eyes `from` and above that may see any point of a box over the skyline drawn so far; the number of
 * eyes (`noEye`) when there is none. Eyes of a column stand above one another and are numbered upwards.
 * @param box address of the bounds in plan: of the node's subtree or of its own solid
 */
function lowestEye(part: i32, node: i32, box: i32, from: i32): i32 {
  const noEye = eyes;
  const top = topOf(node) + mostRise;
  const isBelowAllEyes = top <= eyeZ(from);
  // Of a part, only what is higher than `partAbove` is drawn.
  if (isBelowAllEyes || top <= partAbove(part)) return noEye;
  // The south-west and the north-east corner of the box, relative to the eyes.
  const eyesInPart = f64x2.sub(viewpoint, partOrigin(part));
  const shift = f64x2.splat(mostShift);
  let low = f64x2.sub(f64x2.sub(boxLow(box), eyesInPart), shift);
  let high = f64x2.add(f64x2.sub(boxHigh(box), eyesInPart), shift);
  // Where the scene is turned by half a circle, each corner takes the place of the other.
  if (way < 0) {
    const unturnedLow = low;
    low = f64x2.neg(high);
    high = f64x2.neg(unturnedLow);
  }
  // In an image plane a slope is height by depth along its axis: the larger of the distances along east and north. So
  // this is the least depth of a point of the box.
  const distance = largerOf(f64x2.pmax(low, f64x2.neg(high)));
  // The eyes are inside the box.
  if (distance <= 0) return from;
  if (ownBuilding >= 0 && isBehind(low, high)) return noEye;
  // No point of the box is seen steeper than its top at its nearest distance. The eyes that see this point over the
  // horizon and over the lowest slope of their skyline are candidates.
  const steepest = slopesTo(top, TURNED / distance);
  const rising = v128.and(f32x4.gt(steepest, f32x4.pmax(f32x4.splat(0), leastSlope)), lanesFrom(from));
  const risingEyes = i32x4.bitmask(rising);
  if (risingEyes == 0) return noEye;
  const slopes = v128.bitselect(steepest, f32x4.splat(-Infinity), rising);
  return lowestBelow(eastOf(low), northOf(low), eastOf(high), northOf(high), slopes, risingEyes);
}

/**
 * True when a box is so far behind the wall of the eyes that it is in no bin that is read.
 * @param low its south-west corner relative to the eyes; `high` is its north-east corner
 */
// @ts-ignore: decorator
@inline function isBehind(low: v128, high: v128): bool {
  // How far its foremost corner is in front of the wall; negative when all of the box is behind.
  const inFront = normalX * eastOf(normalX > 0 ? high : low) + normalY * northOf(normalY > 0 ? high : low);
  // The sum of both is at least the distance of the farthest corner.
  const farthest = f64x2.pmax(f64x2.abs(low), f64x2.abs(high));
  return inFront < -BEHIND * (eastOf(farthest) + northOf(farthest));
}

/**
 * The lowest eye that may see a box: in some bin of the box its skyline is below the greatest slope of the box. The
 * number of eyes when no eye may see it. The eyes are outside the box; its sides are relative to them, metres.
 * @param slopes the greatest slope of the box, a lane for each eye; −∞ for eyes that are no candidates
 * @param candidates the eyes that may see the box, a bit for each
 */
function lowestBelow(west: f64, south: f64, east: f64, north: f64, slopes: v128, candidates: i32): i32 {
  // The left and the right corner of the box as the eyes see it. First those of a box in the west of the eyes.
  let leftX = east;
  let leftY = south;
  let rightX = east;
  let rightY = north;
  if (north < 0) {
    // In the south, and perhaps also in the east or west.
    leftY = east > 0 ? north : south;
    rightX = west;
    rightY = west < 0 ? north : south;
  } else if (south > 0) {
    // In the north, and perhaps also in the east or west.
    leftX = west;
    leftY = west > 0 ? north : south;
    rightY = east < 0 ? north : south;
  } else if (west > 0) {
    // In the east.
    leftX = west;
    leftY = north;
    rightX = west;
    rightY = south;
  }
  const left = positionOf(leftX, leftY);
  const right = positionOf(rightX, rightY);
  // A bin more on either side covers rounding and the turn of the scene.
  const low = max(drawnFirst, <i32>floor(left) - 1);
  const high = min(drawnEnd - 1, <i32>ceil(right) + 1);
  // A search may stop at the lowest candidate: no lower eye can follow.
  const lowestCandidate = candidates & -candidates;
  // A box across the north-east, where the bins begin and end, has the last bins and the first.
  const isSplit = left > right;
  let found = eyesBelow(low, isSplit ? drawnEnd - 1 : high, slopes, lowestCandidate);
  if (isSplit && (found & lowestCandidate) == 0) found |= eyesBelow(drawnFirst, high, slopes, lowestCandidate);
  return found == 0 ? eyes : ctz(found);
}
