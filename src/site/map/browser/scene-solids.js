/** @import { SceneBuilding, SceneGround } from './types.js' */
/** @typedef {[x: number, y: number, z: number]} Corner */

import {
  BufferAttribute,
  BufferGeometry,
  ExtrudeGeometry,
  Mesh,
  MeshLambertMaterial,
  Path,
  Shape,
  ShapeUtils,
  Vector2,
} from 'three';

/** Depth of walls below a building's base when the ground is drawn, metres: the ground may be lower than the base. */
const FOUNDATION_M = 8;

/**
 * The solids of a building: its published roof with the walls below it, or a block for each polygon. Each solid has the
 * attributes `position` and `normal`, three corners for each triangle.
 * @param {SceneBuilding} building
 * @param {boolean} isOnGround true when the ground is drawn, so that walls reach into it
 * @returns {BufferGeometry[]}
 */
export function solidsOf({ heightM, baseM, polygons, roof }, isOnGround) {
  const foot = isOnGround ? FOUNDATION_M : 0;
  const parts =
    roof.length > 0
      ? [roofSolid(roof, -foot)]
      : polygons.map((rings) => block(rings, heightM + foot).translate(0, 0, -foot));
  return parts.map((part) => part.translate(0, 0, baseM));
}

/**
 * A block over a polygon.
 * @param {readonly number[][]} rings the outer one first; x, y of each corner
 * @param {number} depth height of the block, metres
 */
function block([outer = [], ...holes], depth) {
  const shape = new Shape(pointsOf(outer, 2));
  shape.holes = holes.map((hole) => new Path(pointsOf(hole, 2)));
  return new ExtrudeGeometry(shape, { depth, bevelEnabled: false });
}

/**
 * Roof surfaces with a wall below each edge. An edge that two surfaces share has no wall: it would be inside the building
 * and below the drawn surfaces.
 * @param {readonly number[][][]} surfaces rings of x, y, z
 * @param {number} foot the lower end of walls
 */
function roofSolid(surfaces, foot) {
  /** @type {number[]} */
  const corners = [];
  const turnedSurfaces = surfaces.map(([outer = [], ...holes]) => [
    counterClockwise(outer),
    ...holes.map((hole) => triples(counterClockwise(hole)).toReversed().flat()),
  ]);
  const edges = turnedSurfaces.flat().flatMap(edgesOf);
  /** @type {Map<string, number>} */
  const countOf = new Map();
  for (const edge of edges) countOf.set(nameOf(edge), (countOf.get(nameOf(edge)) ?? 0) + 1);
  for (const [a, b] of edges) {
    const isShared = (countOf.get(nameOf([a, b])) ?? 0) > 1;
    if (isShared) continue;
    const [[ax, ay, az], [bx, by, bz]] = [a, b];
    corners.push(...[ax, ay, foot, bx, by, foot, bx, by, bz], ...[ax, ay, foot, bx, by, bz, ax, ay, az]);
  }
  for (const [outer = [], ...holes] of turnedSurfaces) {
    const points = [outer, ...holes].flatMap((ring) => triples(ring));
    const faces = ShapeUtils.triangulateShape(
      pointsOf(outer, 3),
      holes.map((hole) => pointsOf(hole, 3)),
    );
    for (const face of faces) for (const corner of face) corners.push(...(points[corner] ?? []));
  }
  return flatShaded(corners);
}

/**
 * The edges of a ring, from corner to corner.
 * @param {readonly number[]} ring
 * @returns {[Corner, Corner][]}
 */
function edgesOf(ring) {
  const around = triples(ring);
  return around.map((corner, i) => [corner, around[(i + 1) % around.length] ?? corner]);
}

/**
 * One name for an edge in both directions.
 * @param {[Corner, Corner]} edge
 */
const nameOf = ([a, b]) => [a.join(), b.join()].sort().join(' ');

/**
 * Triangles as a solid whose faces are flat: corners of different triangles share no normal.
 * @param {readonly number[]} corners x, y, z of each, three corners for each triangle
 */
function flatShaded(corners) {
  const geometry = new BufferGeometry();
  geometry.setAttribute('position', new BufferAttribute(new Float32Array(corners), 3));
  geometry.computeVertexNormals();
  return geometry;
}

/**
 * A ring of x, y, z with its corners counter-clockwise in plan.
 * @param {readonly number[]} ring
 */
const counterClockwise = (ring) => (ShapeUtils.area(pointsOf(ring, 3)) > 0 ? ring : triples(ring).toReversed().flat());

/**
 * The ground as a surface; without heights a level plane.
 * @param {SceneGround | null} ground
 * @param {number} reachM of the level plane
 */
export function groundMesh(ground, reachM) {
  const { points, triangles } = ground ?? levelGround(reachM);
  const geometry = new BufferGeometry();
  geometry.setAttribute('position', new BufferAttribute(new Float32Array(points), 3));
  geometry.setIndex([...triangles]);
  // Hills are smooth: normals are averaged between triangles.
  geometry.computeVertexNormals();
  const mesh = new Mesh(geometry, new MeshLambertMaterial({ color: '#ece7db' }));
  mesh.receiveShadow = true;
  mesh.castShadow = ground !== null;
  return mesh;
}

/** A level square at height 0. @param {number} reachM from its middle to its sides */
const levelGround = (reachM) => ({
  points: [-reachM, -reachM, 0, reachM, -reachM, 0, reachM, reachM, 0, -reachM, reachM, 0],
  triangles: [0, 1, 2, 0, 2, 3],
});

/**
 * The places of a ring in the plan.
 * @param {readonly number[]} ring
 * @param {2 | 3} numbers of each corner
 */
export function pointsOf(ring, numbers) {
  /** @type {Vector2[]} */
  const points = [];
  for (let i = 0; i + 1 < ring.length; i += numbers) points.push(new Vector2(ring[i], ring[i + 1]));
  return points;
}

/**
 * The corners of a ring of x, y, z.
 * @param {readonly number[]} ring
 * @returns {Corner[]}
 */
function triples(ring) {
  /** @type {Corner[]} */
  const corners = [];
  for (let i = 0; i + 2 < ring.length; i += 3) corners.push([ring[i] ?? 0, ring[i + 1] ?? 0, ring[i + 2] ?? 0]);
  return corners;
}
