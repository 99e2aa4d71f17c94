import { type TextColumn, textAt } from '../formats/text-column.ts';
import { gridSquareBounds } from '../geo/grid-square.ts';
import { planeOf, toPlane } from '../geo/plane.ts';
import type { Scene } from '../sunlight/scene.ts';
import { type BuildingRepair, SceneBuilder, type SceneFrame } from '../sunlight/scene-builder.ts';
import { buildTree, type Tree } from '../sunlight/tree.ts';
import type { Need } from './shading-squares.ts';
import { footprintsAt, type SquareBuildings } from './square-file.ts';

/** The buildings of a grid square in the plane of a zone, on shared memory: made once, used by every scene that needs them. */
export interface SquarePlane {
  square: string;
  /** Its origin is that of the zone. */
  scene: Scene;
  /** Per building of `scene`: its row in the square's file. */
  rows: Uint32Array;
  ids: TextColumn;
  /** Representative points, by row. */
  lat: Float64Array;
  lon: Float64Array;
}

/** What can shade a grid square, and the tree over it. */
export interface SquareScene {
  scene: Scene;
  tree: Tree;
  /** Per building of the scene: the plane it was taken from and its row in the square's file. */
  part: Uint16Array;
  row: Uint32Array;
  planes: readonly SquarePlane[];
}

/** Puts a square on the plane of a zone. `report` hears of each building that had to be repaired or cannot stand. */
export function squarePlane(
  code: string,
  square: SquareBuildings,
  zone: number,
  report: (row: number, repairs: BuildingRepair[], stands: boolean) => void = () => {},
): SquarePlane {
  const builder = new SceneBuilder({ zone, originX: 0, originY: 0 });
  const rows: number[] = [];
  for (let row = 0; row < square.count; row++) {
    const { building, repairs } = builder.add(footprintsAt(square, row), square.base[row]!, square.top[row]!);
    if (building !== null) rows.push(row);
    if (repairs.length > 0) report(row, repairs, building !== null);
  }
  return {
    square: code,
    scene: builder.finish({ shared: true }),
    rows: shared(Uint32Array.from(rows)),
    ids: { offsets: shared(square.ids.offsets), bytes: shared(square.ids.bytes) },
    lat: shared(square.lat),
    lon: shared(square.lon),
  };
}

/** The frame of a square's scene: the origin is its south-west corner, to the metre. Throws `RangeError` for an unknown code or zone. */
export function squareFrame(code: string, zone: number): SceneFrame {
  const { south, west } = gridSquareBounds(code);
  const at: [number, number] = [0, 0];
  toPlane(planeOf(zone), south, west, at);
  return { zone, originX: Math.round(at[0]), originY: Math.round(at[1]) };
}

/**
 * The scene of one square: of each need its buildings, in the order of `needs`. `planes` are those of the needs, in
 * the same order and in the frame's zone. The outcome depends on nothing else, so that a square gives the same
 * result wherever and in whatever company it is computed.
 */
export function gatherScene(frame: SceneFrame, needs: readonly Need[], planes: readonly SquarePlane[]): SquareScene {
  const chosen = needs.map((need, i) => taller(planes[i]!.scene, need.above));
  const size = sizeOf(planes, chosen);
  const scene: Scene = {
    ...frame,
    buildingPrisms: new Uint32Array(size.buildings + 1),
    base: new Float64Array(size.buildings),
    top: new Float64Array(size.buildings),
    prismRings: new Uint32Array(size.prisms + 1),
    ringVertices: new Uint32Array(size.rings + 1),
    ringReversed: new Uint8Array(size.rings),
    xy: new Float64Array(2 * size.vertices),
  };
  const part = new Uint16Array(size.buildings);
  const row = new Uint32Array(size.buildings);
  const at = { buildings: 0, prisms: 0, rings: 0, vertices: 0 };
  for (const [i, { scene: from, rows }] of planes.entries()) {
    for (const building of chosen[i]!) {
      part[at.buildings] = i;
      row[at.buildings] = rows[building]!;
      copyBuilding(from, building, scene, at);
    }
  }
  return { scene, tree: buildTree(scene), part, row, planes };
}

/**
 * Gives back the memory of a scene that is no longer needed, its planes left out. A scene is some tens of megabytes
 * outside the heap, which would otherwise stay until the collector happens to run; afterwards its arrays are empty.
 */
export function releaseScene({ scene, tree, part, row }: SquareScene): void {
  for (const column of [...Object.values(scene), ...Object.values(tree), part, row]) {
    if (ArrayBuffer.isView(column) && column.buffer instanceof ArrayBuffer) column.buffer.transfer(0);
  }
}

/** ID (or null) and representative point of a building of the scene. */
export function buildingOf(from: SquareScene, building: number): { id: string | null; lat: number; lon: number } {
  const plane = from.planes[from.part[building]!]!;
  const row = from.row[building]!;
  return { id: textAt(plane.ids, row), lat: plane.lat[row]!, lon: plane.lon[row]! };
}

/** The buildings whose top is higher than `above`. */
function taller(scene: Scene, above: number): Uint32Array {
  const found = new Uint32Array(scene.top.length);
  let count = 0;
  for (let building = 0; building < scene.top.length; building++) {
    if (scene.top[building]! > above) found[count++] = building;
  }
  return found.subarray(0, count);
}

interface Size {
  buildings: number;
  prisms: number;
  rings: number;
  vertices: number;
}

function sizeOf(planes: readonly SquarePlane[], chosen: readonly Uint32Array[]): Size {
  const size = { buildings: 0, prisms: 0, rings: 0, vertices: 0 };
  for (const [i, { scene }] of planes.entries()) {
    size.buildings += chosen[i]!.length;
    for (const building of chosen[i]!) {
      const [prism, prismEnd] = [scene.buildingPrisms[building]!, scene.buildingPrisms[building + 1]!];
      const [ring, ringEnd] = [scene.prismRings[prism]!, scene.prismRings[prismEnd]!];
      size.prisms += prismEnd - prism;
      size.rings += ringEnd - ring;
      size.vertices += scene.ringVertices[ringEnd]! - scene.ringVertices[ring]!;
    }
  }
  return size;
}

/** Copies one building to the end of `to`, which stands at `at`. */
function copyBuilding(from: Scene, building: number, to: Scene, at: Size): void {
  const dx = from.originX - to.originX;
  const dy = from.originY - to.originY;
  to.base[at.buildings] = from.base[building]!;
  to.top[at.buildings] = from.top[building]!;
  for (let prism = from.buildingPrisms[building]!; prism < from.buildingPrisms[building + 1]!; prism++) {
    for (let ring = from.prismRings[prism]!; ring < from.prismRings[prism + 1]!; ring++) {
      for (let vertex = from.ringVertices[ring]!; vertex < from.ringVertices[ring + 1]!; vertex++) {
        to.xy[2 * at.vertices] = from.xy[2 * vertex]! + dx;
        to.xy[2 * at.vertices + 1] = from.xy[2 * vertex + 1]! + dy;
        at.vertices++;
      }
      to.ringReversed[at.rings++] = from.ringReversed[ring]!;
      to.ringVertices[at.rings] = at.vertices;
    }
    to.prismRings[++at.prisms] = at.rings;
  }
  to.buildingPrisms[++at.buildings] = at.prisms;
}

function shared<T extends Uint8Array | Uint32Array | Float64Array>(array: T): T {
  const copy = new (array.constructor as new (buffer: SharedArrayBuffer) => T)(new SharedArrayBuffer(array.byteLength));
  copy.set(array);
  return copy;
}
