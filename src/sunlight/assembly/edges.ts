/** The top edges of walls that the rows refer to by number. */

import { BINS, EDGES, EYES, MOST_EDGES, RENUMBERED, SHOWN_EDGE } from './layout';
import { CORNER_BYTES, cornerX, cornerY } from './tree';

/** The number of stored edges. */
export let edgeCount: i32 = 0;

/** Drops all edges. */
export function emptyEdges(): void {
  edgeCount = 0;
}

// The fields of an edge: the node of its solid, its first corner, its building in the view, its part.
// @ts-ignore: decorator
@inline export function edgeNode(edge: i32): i32 {
  return load<i32>(EDGES + (edge << 4));
}
// @ts-ignore: decorator
@inline export function edgeCorner(edge: i32): i32 {
  return load<i32>(EDGES + (edge << 4), 4);
}
// @ts-ignore: decorator
@inline export function edgeBuilding(edge: i32): i32 {
  return load<i32>(EDGES + (edge << 4), 8);
}
// @ts-ignore: decorator
@inline export function edgePart(edge: i32): i32 {
  return load<i32>(EDGES + (edge << 4), 12);
}

/** Stores an edge under the next free number. `keepEdge` makes it permanent. */
// @ts-ignore: decorator
@inline export function newEdge(node: i32, corner: i32, building: i32, part: i32): i32 {
  const address = EDGES + (edgeCount << 4);
  store<i32>(address, node);
  store<i32>(address, corner, 4);
  store<i32>(address, building, 8);
  store<i32>(address, part, 12);
  return edgeCount;
}

/** Makes the edge of the last `newEdge` permanent. */
// @ts-ignore: decorator
@inline export function keepEdge(): void {
  if (++edgeCount == MOST_EDGES) renumber();
}

/**
 * Drops the edges that no bin shows, to make room for more, and numbers the others anew. RENUMBERED of an edge is -1 when
 * no bin shows it; otherwise first 0, then its new number.
 */
function renumber(): void {
  memory.fill(RENUMBERED, 0xff, 4 * MOST_EDGES);
  for (let bin = 0; bin < EYES * BINS; bin++) {
    const edge = load<i32>(SHOWN_EDGE + (bin << 2));
    if (edge >= 0) store<i32>(RENUMBERED + (edge << 2), 0);
  }
  let count = 0;
  for (let edge = 0; edge < MOST_EDGES; edge++) {
    if (load<i32>(RENUMBERED + (edge << 2)) < 0) continue;
    memory.copy(EDGES + (count << 4), EDGES + (edge << 4), 16);
    store<i32>(RENUMBERED + (edge << 2), count++);
  }
  for (let bin = 0; bin < EYES * BINS; bin++) {
    const edge = load<i32>(SHOWN_EDGE + (bin << 2));
    if (edge >= 0) store<i32>(SHOWN_EDGE + (bin << 2), load<i32>(RENUMBERED + (edge << 2)));
  }
  edgeCount = count;
}

/**
 * True when a bin (a step of azimuth) of the skyline shows `edge` and not `other`, which is equally high: the edge of the
 * first building wins; within a building the westernmost, then southernmost.
 */
export function wins(edge: i32, other: i32): bool {
  const building = edgeBuilding(edge);
  const otherBuilding = edgeBuilding(other);
  if (building != otherBuilding) return building < otherBuilding;
  let corner = edgeCorner(edge);
  let otherCorner = edgeCorner(other);
  for (let i = 0; i < 2; i++) {
    if (cornerX(corner) != cornerX(otherCorner)) return cornerX(corner) < cornerX(otherCorner);
    if (cornerY(corner) != cornerY(otherCorner)) return cornerY(corner) < cornerY(otherCorner);
    corner += CORNER_BYTES;
    otherCorner += CORNER_BYTES;
  }
  return false;
}
