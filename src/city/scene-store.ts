import { type TextColumn, textAt } from '../formats/column-file.ts';
import { gridSquareBounds } from '../geo/grid-square.ts';
import { planeOf, toPlane } from '../geo/plane.ts';
import { createKernel, type Kernel } from '../sunlight/compute.ts';
import type { Engine } from '../sunlight/engine.ts';
import type { Scene } from '../sunlight/scene.ts';
import { type BuildingRepair, SceneBuilder, type SceneFrame } from '../sunlight/scene-builder.ts';
import type { TreeSource } from '../sunlight/tree.ts';
import { type View, viewOf, whereInView } from '../sunlight/view.ts';
import type { Need } from './shading-squares.ts';
import { footprintsAt, type SquareBuildings } from './square-file.ts';

/** The buildings of a grid square in the plane of a zone, on shared memory: made once, used by every scene that needs them. */
export interface SquarePlane {
  square: string;
  /** Its origin is that of the square's own frame. */
  scene: Scene;
  /** Per building of `scene`: its row in the square's file. */
  rows: Uint32Array;
  ids: TextColumn;
  /** Representative points, by row. */
  lat: Float64Array;
  lon: Float64Array;
}

/** The buildings of a grid square as they are computed, and all that can shade them. */
export interface SquareScene {
  /** The square's own buildings, with the origin of the view. */
  scene: Scene;
  view: View;
  /** The part of the view that the square is. */
  part: number;
  /** The plane of a part of the view. */
  planeOf(part: number): SquarePlane;
}

/** Puts a square on the plane of a zone. `report` hears of each building that had to be repaired or cannot stand. */
export function squarePlane(
  code: string,
  square: SquareBuildings,
  zone: number,
  report: (row: number, repairs: BuildingRepair[], stands: boolean) => void = () => {},
): SquarePlane {
  const builder = new SceneBuilder(squareFrame(code, zone));
  const rows: number[] = [];
  for (let row = 0; row < square.count; row++) {
    const { building, repairs } = builder.add(footprintsAt(square, row), square.base[row], square.top[row]);
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
 * What a square sees: of each need the tree, as far as its buildings are tall enough. The outcome depends on nothing else,
 * so that a square gives the same result wherever and in whatever company it is computed. `trees` are those of the needs,
 * in the same order, and `planeOf` gives their planes; all lie in one zone.
 */
export function squareScene(
  square: string,
  needs: readonly Need[],
  trees: readonly TreeSource[],
  planeOf: (part: number) => SquarePlane,
): SquareScene {
  const part = needs.findIndex((need) => need.square === square);
  const { scene } = planeOf(part);
  const parts = needs.map(({ above }, i) => ({ tree: trees[i], above }));
  return { scene, view: viewOf(scene.originX, scene.originY, parts), part, planeOf };
}

/** The kernel of an engine that computes the buildings of a square. */
export const squareKernel = (engine: Engine, { scene, view, part }: SquareScene): Kernel =>
  createKernel(engine, scene, view, part);

/** A building of the view: where it was published, and where it stands in its plane's scene. */
interface SeenBuilding {
  id: string | null;
  /** Representative point, degrees. */
  lat: number;
  lon: number;
  /** The scene of its plane, and its index there. */
  scene: Scene;
  index: number;
}

/** A building of a square's view, by its number there. */
export function buildingOf({ view, planeOf }: SquareScene, building: number): SeenBuilding {
  const { part, index } = whereInView(view, building);
  const { scene, rows, ids, lat, lon } = planeOf(part);
  const row = rows[index];
  return { id: textAt(ids, row), lat: lat[row], lon: lon[row], scene, index };
}

function shared<T extends Uint8Array | Uint32Array | Float64Array>(array: T): T {
  const copy = new (array.constructor as new (buffer: SharedArrayBuffer) => T)(new SharedArrayBuffer(array.byteLength));
  copy.set(array);
  return copy;
}
