import { azimuthDeg, convergenceDeg, type Plane, planeOf, toDegrees } from '../geo/plane.ts';
import type { Scene } from './scene.ts';

/** Length of a face's walls for each receptor, metres. */
const SPACING_M = 5;
/** Limit of the receptors of a face on a floor. */
const MOST_PER_FACE = 8;
/** Distance of a receptor from its wall, metres. */
export const RECEPTOR_OFFSET_M = 0.05;
/**
 * Lengths within this difference are equal, so that the noise of coordinates has no effect. A face of 20.0000001 m has
 * four receptors, and a centre at the joint of two walls belongs to the first wall.
 */
const SAME_LENGTH_M = 1e-6;

const FACE_COUNT = 8;
/** Walls for which the scratch arrays have room at first. */
const FIRST_WALLS = 256;
/** Limit of the columns of a building. */
const CAPACITY = FACE_COUNT * MOST_PER_FACE;

/**
 * The receptors of one building as columns: each represents three receptors above one another, one for each floor. They
 * are in face order, within a face in the order of the walls. The object is reused for every building.
 */
export interface Receptors {
  /** Number of columns. */
  count: number;
  /** Position in the scene's plane, metres. */
  x: Float64Array;
  y: Float64Array;
  /** Outward normal of the wall in the scene's plane (unit vector). */
  normalX: Float64Array;
  normalY: Float64Array;
  /** The wall: the vertex of the scene at which its ring edge begins. */
  edge: Uint32Array;
  /** Index into DIRECTIONS. */
  face: Uint8Array;
  /** For each face: its columns are `faceStart[f]` to `faceStart[f + 1]`; none when the face does not exist. */
  faceStart: Uint32Array;
  /** For each face: total length of its walls, metres; 0 when the face does not exist. */
  wallLengthM: Float64Array;
  /**
   * For each face: mean direction of its walls weighted by length, clockwise from true north; NaN when it does not
   * exist.
   */
  azimuthDeg: Float64Array;
  /** Azimuth of grid north from true north at the building, degrees. */
  convergenceDeg: number;
  scratch: Scratch;
}

/** Arrays that are used during the placement only. */
interface Scratch {
  /** For each wall of the current building, by its vertex. The arrays grow to the largest building. */
  wallFace: Uint8Array;
  wallLength: Float64Array;
  /** For each face: sum of the walls' outward normals times length. */
  normalSumX: Float64Array;
  normalSumY: Float64Array;
  /** For each face: number of columns so far, and length of the walls so far. */
  placedColumns: Uint32Array;
  placedM: Float64Array;
}

/** An empty object for `placeReceptors` to fill. */
export function makeReceptors(): Receptors {
  return {
    count: 0,
    x: new Float64Array(CAPACITY),
    y: new Float64Array(CAPACITY),
    normalX: new Float64Array(CAPACITY),
    normalY: new Float64Array(CAPACITY),
    edge: new Uint32Array(CAPACITY),
    face: new Uint8Array(CAPACITY),
    faceStart: new Uint32Array(FACE_COUNT + 1),
    wallLengthM: new Float64Array(FACE_COUNT),
    azimuthDeg: new Float64Array(FACE_COUNT),
    convergenceDeg: 0,
    scratch: {
      wallFace: new Uint8Array(FIRST_WALLS),
      wallLength: new Float64Array(FIRST_WALLS),
      normalSumX: new Float64Array(FACE_COUNT),
      normalSumY: new Float64Array(FACE_COUNT),
      placedColumns: new Uint32Array(FACE_COUNT),
      placedM: new Float64Array(FACE_COUNT),
    },
  };
}

/** Number of receptors on a face, by the length of its walls. */
export const receptorsForLength = (wallLengthM: number): number =>
  Math.min(MOST_PER_FACE, Math.max(1, Math.ceil((wallLengthM - SAME_LENGTH_M) / SPACING_M)));

/** Direction in which the wall of a column faces, degrees clockwise from true north, in [0, 360). */
export const wallAzimuthDeg = ({ normalX, normalY, convergenceDeg }: Receptors, column: number): number =>
  (azimuthDeg(normalX[column], normalY[column]) + convergenceDeg + 360) % 360;

/**
 * The face (index into DIRECTIONS) of an azimuth from true north, degrees: eight sectors of 45°. An azimuth between two
 * belongs to the next one clockwise.
 */
export const faceOfAzimuth = (azimuth: number): number => Math.floor(azimuth / 45 + 0.5) % FACE_COUNT;

/**
 * Azimuth of grid north from true north at a building's first vertex, degrees. Along a building of 300 m it changes by
 * less than 0.003°.
 */
function convergenceAt(scene: Scene, plane: Plane, building: number): number {
  const vertex = scene.ringVertices[scene.prismRings[scene.buildingPrisms[building]]];
  const latLon: [number, number] = [0, 0];
  toDegrees(plane, scene.originX + scene.xy[2 * vertex], scene.originY + scene.xy[2 * vertex + 1], latLon);
  return convergenceDeg(plane, latLon[0], latLon[1]);
}

/**
 * Places the receptors of a building. The walls of a face are joined end to end: in the order of prisms and rings, and
 * along each ring from its first point in its **published** direction. They are cut into equal pieces. A receptor is in
 * front of the centre of each piece.
 * @param out is overwritten
 */
export function placeReceptors(
  scene: Scene,
  building: number,
  out: Receptors,
  plane: Plane = planeOf(scene.zone),
): void {
  const { xy, ringVertices } = scene;
  const firstRing = scene.prismRings[scene.buildingPrisms[building]];
  const endRing = scene.prismRings[scene.buildingPrisms[building + 1]];
  const firstVertex = ringVertices[firstRing];
  reserve(out.scratch, ringVertices[endRing] - firstVertex);
  const { wallFace, wallLength, normalSumX, normalSumY } = out.scratch;
  out.convergenceDeg = convergenceAt(scene, plane, building);

  const { wallLengthM } = out;
  wallLengthM.fill(0);
  normalSumX.fill(0);
  normalSumY.fill(0);
  for (let ring = firstRing; ring < endRing; ring++) {
    const end = ringVertices[ring + 1];
    for (let a = ringVertices[ring]; a < end; a++) {
      const b = a + 1 < end ? a + 1 : ringVertices[ring];
      const dx = xy[2 * b] - xy[2 * a];
      const dy = xy[2 * b + 1] - xy[2 * a + 1];
      const length = Math.hypot(dx, dy);
      // The outside is on the right: turn the edge clockwise by a quarter.
      const face = faceOfAzimuth(trueAzimuth(dy, -dx, out.convergenceDeg));
      wallFace[a - firstVertex] = face;
      wallLength[a - firstVertex] = length;
      wallLengthM[face] += length;
      normalSumX[face] += dy;
      normalSumY[face] -= dx;
    }
  }
  startFaces(out);
  for (let ring = firstRing; ring < endRing; ring++) {
    const start = ringVertices[ring];
    const end = ringVertices[ring + 1];
    const reversed = scene.ringReversed[ring] === 1;
    for (let step = start; step < end; step++) {
      // A reversed ring is stored backwards. Backwards from its first point, its walls are in the published order.
      const a = reversed ? start + end - 1 - step : step;
      placeOnWall(
        xy,
        a,
        a + 1 < end ? a + 1 : start,
        reversed,
        wallFace[a - firstVertex],
        wallLength[a - firstVertex],
        out,
      );
    }
  }
}

/** Makes room for the walls of a building. */
function reserve(scratch: Scratch, walls: number): void {
  if (walls <= scratch.wallFace.length) return;
  scratch.wallFace = new Uint8Array(walls * 2);
  scratch.wallLength = new Float64Array(walls * 2);
}

/** Azimuth from true north of a vector in the plane, degrees in [0, 360). */
function trueAzimuth(dx: number, dy: number, convergence: number): number {
  const azimuth = azimuthDeg(dx, dy) + convergence;
  return azimuth < 0 ? azimuth + 360 : azimuth >= 360 ? azimuth - 360 : azimuth;
}

/**
 * Determines the number of columns (receptors of all floors at one point of a wall) of each face, and its direction.
 */
function startFaces(out: Receptors): void {
  const { normalSumX, normalSumY } = out.scratch;
  out.scratch.placedColumns.fill(0);
  out.scratch.placedM.fill(0);
  let count = 0;
  for (let face = 0; face < FACE_COUNT; face++) {
    out.faceStart[face] = count;
    const length = out.wallLengthM[face];
    out.azimuthDeg[face] =
      length > 0 ? trueAzimuth(normalSumX[face], normalSumY[face], out.convergenceDeg) : Number.NaN;
    if (length > 0) count += receptorsForLength(length);
  }
  out.faceStart[FACE_COUNT] = count;
  out.count = count;
}

/**
 * Lays a wall after the earlier walls of its face. All walls of a face, end to end, are cut into equal pieces with a
 * column of receptors at the middle of each: this places the columns whose middle is on this wall. Pieces are measured
 * from the end at which the wall begins as published (`reversed`). Seen from a to b, the outside is on the right.
 * @param a the vertex at which the wall begins in the scene; `b` is where it ends
 * @param reversed true when its published direction is from b to a
 */
function placeOnWall(
  xy: Float64Array,
  a: number,
  b: number,
  reversed: boolean,
  face: number,
  length: number,
  out: Receptors,
): void {
  const { scratch } = out;
  const first = out.faceStart[face];
  const end = out.faceStart[face + 1];
  const piece = out.wallLengthM[face] / (end - first);
  const start = scratch.placedM[face];
  scratch.placedM[face] = start + length;
  const ux = (xy[2 * b] - xy[2 * a]) / length;
  const uy = (xy[2 * b + 1] - xy[2 * a + 1]) / length;
  while (first + scratch.placedColumns[face] < end) {
    const along = (scratch.placedColumns[face] + 0.5) * piece - start;
    // A middle at the end of the wall, within the error of the sum of lengths, is on this wall.
    const isOnLaterWall = along > length + SAME_LENGTH_M;
    if (isOnLaterWall) return;
    const fromA = reversed ? length - along : along;
    const column = first + scratch.placedColumns[face]++;
    out.normalX[column] = uy;
    out.normalY[column] = -ux;
    out.x[column] = xy[2 * a] + ux * fromA + uy * RECEPTOR_OFFSET_M;
    out.y[column] = xy[2 * a + 1] + uy * fromA - ux * RECEPTOR_OFFSET_M;
    out.edge[column] = a;
    out.face[column] = face;
  }
}
