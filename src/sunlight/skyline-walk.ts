import { NORTH, placeOf } from './image-planes.ts';
import type { Skyline } from './skyline.ts';
import { drawPrism } from './skyline-draw.ts';

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
    left = placeOf(east, east > 0 ? north : south, n);
    right = placeOf(west, west < 0 ? north : south, n);
  } else if (south > 0) {
    left = placeOf(west, west > 0 ? north : south, n);
    right = placeOf(east, east < 0 ? north : south, n);
    if (left === NORTH && right === NORTH) return false;
  } else if (west > 0) {
    left = placeOf(west, north, n);
    right = placeOf(west, south, n);
  } else {
    left = placeOf(east, south, n);
    right = placeOf(east, north, n);
  }
  // A bin more on either side covers rounding and the turn of the scene.
  const first = left === NORTH ? skyline.first : Math.max(skyline.first, Math.floor(left) - 1);
  const last = right === NORTH ? skyline.end - 1 : Math.min(skyline.end - 1, Math.ceil(right) + 1);
  if (left <= right || right === NORTH) return risesBetween(skyline, first, last, top, distance);
  return (
    risesBetween(skyline, first, skyline.end - 1, top, distance) ||
    risesBetween(skyline, skyline.first, last, top, distance)
  );
}

function risesBetween(skyline: Skyline, first: number, last: number, top: number, distance: number): boolean {
  const { bins, rows, z, eyes } = skyline;
  if (first > last) return false;
  for (let eye = 0; eye < eyes; eye++) {
    const steepest = (TURNED * (top - z[eye]!)) / distance;
    if (steepest <= 0) return false;
    const row = eye * bins;
    if (rows.anyBelow(row + first, row + last, Math.fround(steepest)) === 1) return true;
  }
  return false;
}
