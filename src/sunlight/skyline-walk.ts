import { BLOCK_SHIFT, lowestOfBlock, type Skyline } from './skyline.ts';
import { drawPrism, NORTH_END, NORTH_START, placeOf } from './skyline-draw.ts';

/** The distance to a box may shrink so much by the turn of the scene (under 0.01°). */
const TURNED = 1.0002;

/** Nodes still to be visited; a tree of 2³² prisms is 32 deep. */
const stack = new Int32Array(64);

/**
 * Draws everything the scene holds into a skyline that has been started: walks the tree, tall and near first, and
 * leaves out what cannot rise over what is drawn already.
 */
export function drawScene(skyline: Skyline): void {
  const { x, y, tree } = skyline;
  const { box, prismBox, top, after } = tree;
  let depth = 0;
  if (after.length > 0) stack[depth++] = 0;
  while (depth > 0) {
    const node = stack[--depth]!;
    if (!mayRise(box, node, top[node]!, skyline)) continue;
    const left = node + 1;
    const end = after[node]!;
    if (left === end) {
      drawPrism(skyline, node);
      continue;
    }
    if (mayRise(prismBox, node, top[node]!, skyline)) drawPrism(skyline, node);
    const right = after[left]!;
    if (right === end) {
      stack[depth++] = left;
    } else if (boxDistance(box, left, x, y) <= boxDistance(box, right, x, y)) {
      stack[depth++] = right;
      stack[depth++] = left;
    } else {
      stack[depth++] = left;
      stack[depth++] = right;
    }
  }
}

/** The longer of the two axis distances from a point to a box: along no plane's axis is any of it nearer. */
function boxDistance(box: Float32Array, node: number, x: number, y: number): number {
  const at = 4 * node;
  return Math.max(box[at]! - x, x - box[at + 2]!, box[at + 1]! - y, y - box[at + 3]!);
}

/** Whether anything in a box with such a top could rise over the skyline in any of its bins. */
function mayRise(box: Float32Array, node: number, top: number, skyline: Skyline): boolean {
  const { x, y, planeBins: n } = skyline;
  if (top <= skyline.z[0]!) return false;
  const at = 4 * node;
  const west = box[at]! - x;
  const south = box[at + 1]! - y;
  const east = box[at + 2]! - x;
  const north = box[at + 3]! - y;
  const distance = Math.max(west, -east, south, -north);
  if (distance <= 0) return true;

  // The two corners between which the box is seen, clockwise.
  let left: number;
  let right: number;
  if (north < 0) {
    left = placeOf(east, east > 0 ? north : south, n, NORTH_START);
    right = placeOf(west, west < 0 ? north : south, n, NORTH_END);
  } else if (south > 0) {
    left = placeOf(west, west > 0 ? north : south, n, NORTH_START);
    right = placeOf(east, east < 0 ? north : south, n, NORTH_END);
    if (left === NORTH_START && right === NORTH_END) return false;
  } else if (west > 0) {
    left = placeOf(west, north, n, NORTH_START);
    right = placeOf(west, south, n, NORTH_END);
  } else {
    left = placeOf(east, south, n, NORTH_START);
    right = placeOf(east, north, n, NORTH_END);
  }
  // A bin more on either side covers rounding and the turn of the scene.
  const first = Math.max(skyline.first, Math.floor(left) - 1);
  const last = Math.min(skyline.end - 1, Math.ceil(right) + 1);
  if (left <= right) return risesBetween(skyline, first, last, top, distance);
  return (
    risesBetween(skyline, first, skyline.end - 1, top, distance) ||
    risesBetween(skyline, skyline.first, last, top, distance)
  );
}

function risesBetween(skyline: Skyline, first: number, last: number, top: number, distance: number): boolean {
  for (let eye = 0; eye < skyline.eyes; eye++) {
    const steepest = (TURNED * (top - skyline.z[eye]!)) / distance;
    if (steepest <= 0) return false;
    const lowest = skyline.lowest[eye]!;
    for (let block = first >> BLOCK_SHIFT; block <= last >> BLOCK_SHIFT; block++) {
      // A stale lowest is too low: what it turns away can be turned away.
      if (lowest[block]! >= steepest || lowestOfBlock(skyline, eye, block) >= steepest) continue;
      const from = block << BLOCK_SHIFT;
      const to = ((block + 1) << BLOCK_SHIFT) - 1;
      if (first <= from && to <= last) return true;
      const slope = skyline.slope[eye]!;
      const end = Math.min(to, last);
      for (let bin = Math.max(from, first); bin <= end; bin++) if (slope[bin]! < steepest) return true;
    }
  }
  return false;
}
