import { placeOf } from './image-planes.ts';
import type { Skyline } from './skyline.ts';
import { drawPrism } from './skyline-draw.ts';
import type { SkylineRows } from './skyline-rows.ts';

/** The distance to a box may shrink so much by the turn of the scene (under 0.01°). */
const TURNED = 1.0002;

/** Nodes still to be visited, a tree of 2³² prisms is 32 deep; and the lowest eye that may see anything of each. */
const nodes = new Uint32Array(64);
const seers = new Uint8Array(64);

/**
 * Draws everything the scene holds into a skyline that has been started: walks the tree, tall and near first, and
 * leaves out what cannot rise over what is drawn already.
 */
export function drawScene(skyline: Skyline): void {
  const { x, y, eyes, tree } = skyline;
  const { box, prismBox, after } = tree;
  if (after.length === 0) return;
  nodes[0] = 0;
  seers[0] = 0;
  for (let depth = 1; depth > 0; ) {
    const node = nodes[--depth]!;
    const seer = lowestSeer(skyline, box, node, seers[depth]!);
    if (seer === eyes) continue;
    const end = after[node]!;
    const left = node + 1;
    if (left === end) {
      drawPrism(skyline, node, seer);
      continue;
    }
    const prismSeer = lowestSeer(skyline, prismBox, node, seer);
    if (prismSeer < eyes) drawPrism(skyline, node, prismSeer);
    // The nearer child is visited first: it lies on top.
    const right = after[left]!;
    const leftFirst = right === end || boxDistance(box, left, x, y) <= boxDistance(box, right, x, y);
    if (right < end) {
      nodes[depth] = leftFirst ? right : left;
      seers[depth++] = seer;
    }
    nodes[depth] = leftFirst ? left : right;
    seers[depth++] = seer;
  }
}

/** The longer of the two axis distances from a point to a box: along no plane's axis is any of it nearer. */
function boxDistance(box: Float32Array, node: number, x: number, y: number): number {
  const at = 4 * node;
  return Math.max(box[at]! - x, x - box[at + 2]!, box[at + 1]! - y, y - box[at + 3]!);
}

/**
 * The lowest eye, `from` or above it, over whose skyline anything in a node's box (of its prism or its subtree) could
 * rise in any bin; the number of eyes if there is none.
 */
function lowestSeer(skyline: Skyline, box: Float32Array, node: number, from: number): number {
  const { x, y, z, eyes, bins, planeBins: n, rows } = skyline;
  const top = skyline.tree.top[node]!;
  if (top <= z[from]!) return eyes;
  const at = 4 * node;
  const west = box[at]! - x;
  const south = box[at + 1]! - y;
  const east = box[at + 2]! - x;
  const north = box[at + 3]! - y;
  const distance = Math.max(west, -east, south, -north);
  if (distance <= 0) return from;

  // The two corners between which the box is seen, clockwise.
  let leftX = east;
  let leftY = south;
  let rightX = east;
  let rightY = north;
  if (north < 0) {
    leftY = east > 0 ? north : south;
    rightX = west;
    rightY = west < 0 ? north : south;
  } else if (south > 0) {
    leftX = west;
    leftY = west > 0 ? north : south;
    rightY = east < 0 ? north : south;
  } else if (west > 0) {
    leftX = west;
    leftY = north;
    rightX = west;
    rightY = south;
  }
  const left = placeOf(leftX, leftY, n);
  const right = placeOf(rightX, rightY, n);
  // A bin more on either side covers rounding and the turn of the scene.
  const first = Math.max(skyline.first, Math.floor(left) - 1);
  const last = Math.min(skyline.end - 1, Math.ceil(right) + 1);
  for (let eye = from; eye < eyes; eye++) {
    const steepest = Math.fround((TURNED * (top - z[eye]!)) / distance);
    if (steepest <= 0) return eyes;
    const row = eye * bins;
    if (left <= right) {
      if (anyBelow(rows, row + first, row + last, steepest)) return eye;
    } else {
      // It stands in the north-east, where the bins begin and end.
      if (anyBelow(rows, row + first, row + skyline.end - 1, steepest)) return eye;
      if (anyBelow(rows, row + skyline.first, row + last, steepest)) return eye;
    }
  }
  return eyes;
}

const anyBelow = (rows: SkylineRows, first: number, last: number, steepest: number): boolean =>
  first <= last && rows.anyBelow(first, last, steepest) === 1;
