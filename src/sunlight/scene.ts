/**
 * Everything that can shade, as typed arrays in one plane: the form in which the oracle and the kernel
 * read a city. The arrays may lie on shared memory; nothing here is ever written after it is made.
 *
 * Plane coordinates are metres east (x) and north (y) of the grid of `zone`, less the origin, so that
 * they stay small. Grid north differs from true north by the convergence; an azimuth from true north has it added.
 *
 * Rings are open, without repeated points or zero-length edges; outer rings run counter-clockwise and
 * holes clockwise, so that the outside of the building is on the right hand of every edge.
 */
export interface Scene {
  /** Number of the plane rectangular coordinate zone (1–19). */
  zone: number;
  /** Grid coordinates of the local origin: x_grid = originX + x. Metres. */
  originX: number;
  originY: number;

  /** Per building: first prism; length buildings + 1. */
  buildingPrisms: Uint32Array;
  /** Per building: lowest and highest z of its solid, metres. All its prisms share them. */
  base: Float64Array;
  top: Float64Array;

  /** Per prism: first ring; length prisms + 1. The first ring of a prism is the outer one. */
  prismRings: Uint32Array;
  /** Per ring: first vertex; length rings + 1. */
  ringVertices: Uint32Array;
  /** Per ring: 1 where it runs against the published direction (it still starts at the published first point). */
  ringReversed: Uint8Array;
  /** x, y of each vertex in turn; length 2 × vertices. */
  xy: Float64Array;
}
