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
 * The solids of a building: the published roof with the walls below it, or blocks. Each has `position` and `normal`, three corners a triangle.
 * @param {SceneBuilding} building
 * @param {boolean} isOnGround
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
 * @param {readonly number[][]} rings
 * @param {number} depth
 */
function block([outer = [], ...holes], depth) {
  const shape = new Shape(pointsOf(outer, 2));
  shape.holes = holes.map((hole) => new Path(pointsOf(hole, 2)));
  return new ExtrudeGeometry(shape, { depth, bevelEnabled: false });
}

/**
 * Roof surfaces with a wall below each edge. Where two surfaces meet there is no wall, because it would be visible.
 * @param {readonly number[][][]} surfaces rings of x, y, z
 * @param {number} foot the lower end of walls
 */
function roofSolid(surfaces, foot) {
  /** @type {number[]} */
  const corners = [];
  const inPlan = surfaces.map((rings) => rings.map((ring, i) => turned(ring, i === 0)));
  const edges = inPlan.flat().flatMap(edgesOf);
  const seen = new Set();
  const shared = new Set(edges.map(nameOf).filter((name) => seen.has(name) || !seen.add(name)));
  for (const [a, b] of edges) {
    if (shared.has(nameOf([a, b]))) continue;
    const [[ax, ay, az], [bx, by, bz]] = [a, b];
    corners.push(...[ax, ay, foot, bx, by, foot, bx, by, bz], ...[ax, ay, foot, bx, by, bz, ax, ay, az]);
  }
  for (const [outer = [], ...holes] of inPlan) {
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

/** @param {readonly number[]} corners x, y, z of each, three a triangle */
function flatShaded(corners) {
  const geometry = new BufferGeometry();
  geometry.setAttribute('position', new BufferAttribute(new Float32Array(corners), 3));
  geometry.computeVertexNormals();
  return geometry;
}

/**
 * A ring of x, y, z in counter-clockwise direction in plan, or clockwise.
 * @param {readonly number[]} ring
 * @param {boolean} counterClockwise
 */
function turned(ring, counterClockwise) {
  const isCounterClockwise = ShapeUtils.area(pointsOf(ring, 3)) > 0;
  if (isCounterClockwise === counterClockwise) return ring;
  return triples(ring).reverse().flat();
}

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
  const made = new Mesh(geometry, new MeshLambertMaterial({ color: '#ece7db' }));
  made.receiveShadow = true;
  made.castShadow = ground !== null;
  return made;
}

/** @param {number} reachM */
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
 * @param {readonly number[]} ring
 * @returns {Corner[]}
 */
function triples(ring) {
  /** @type {Corner[]} */
  const corners = [];
  for (let i = 0; i + 2 < ring.length; i += 3) corners.push([ring[i] ?? 0, ring[i + 1] ?? 0, ring[i + 2] ?? 0]);
  return corners;
}
