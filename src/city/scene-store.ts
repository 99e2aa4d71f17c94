import { type TextColumn, textAt } from '../formats/column-file.ts';
import { gridSquareBounds } from '../geo/grid-square.ts';
import { planeOf, toPlane } from '../geo/plane.ts';
import { createKernel, type Kernel } from '../sunlight/compute.ts';
import type { Engine } from '../sunlight/engine.ts';
import { type Scene, SceneBuilder, type SceneFrame } from '../sunlight/scene.ts';
import type { SharedRoom } from '../sunlight/shared-room.ts';
import type { TreeSource } from '../sunlight/tree.ts';
import { terrainOf, type View, type ViewPart, viewOf, whereInView } from '../sunlight/view.ts';
import type { Need } from './shading-squares.ts';
import { footprintsAt, roofSurfacesAt, type SquareBuildings } from './square-file.ts';

/** The buildings of a grid square in the plane of a zone: made once, used by every scene that needs them. */
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

/** A building that stands: where it was published, and its index in a scene that has the origin of its square's own frame. */
export interface StandingBuilding {
  id: string | null;
  /** Representative point, degrees. */
  lat: number;
  lon: number;
  scene: Scene;
  index: number;
}

/** The buildings of a view's parts, by their index in the part's tree. */
interface SeenBuildings {
  at(part: number, index: number): StandingBuilding;
  /** Null for one without an ID. */
  idAt(part: number, index: number): string | null;
}

/** A grid square with all that can shade it. */
export interface SquareScene {
  zone: number;
  view: View;
  /** The part of the view that the square is. */
  part: number;
  buildings: SeenBuildings;
}

/** Puts a square on the plane of a zone; what cannot stand is left out. */
export function squarePlane(code: string, square: SquareBuildings, zone: number): SquarePlane {
  const builder = new SceneBuilder(squareFrame(code, zone));
  const rows: number[] = [];
  for (let row = 0; row < square.count; row++) {
    const { building } = builder.add(
      footprintsAt(square, row),
      square.base[row],
      square.top[row],
      roofSurfacesAt(square, row),
    );
    if (building !== null) rows.push(row);
  }
  return planeOfScene(code, square, builder, rows);
}

/** The plane of a square whose buildings stand in a scene already, those of these rows in turn; in a room threads can share it. */
export function planeOfScene(
  code: string,
  square: SquareBuildings,
  builder: SceneBuilder,
  rows: Iterable<number>,
  room: SharedRoom | null = null,
): SquarePlane {
  const { ids, lat, lon } = square;
  const kept = <T extends Uint8Array | Uint32Array | Float64Array>(array: T): T =>
    room?.copyOf(array) ?? (array.slice() as T);
  return {
    square: code,
    scene: builder.finish(room),
    rows: kept(Uint32Array.from(rows)),
    ids: { offsets: kept(ids.offsets), bytes: kept(ids.bytes) },
    lat: kept(lat),
    lon: kept(lon),
  };
}

/** The frame of a square's scene: the origin is its south-west corner, to the metre. Throws `RangeError` for an unknown code or zone. */
export function squareFrame(code: string, zone: number): SceneFrame {
  const { south, west } = gridSquareBounds(code);
  const at: [number, number] = [0, 0];
  toPlane(planeOf(zone), south, west, at);
  return { zone, originX: Math.round(at[0]), originY: Math.round(at[1]) };
}

/** A building of a plane, by its index there. */
export function buildingOfPlane({ scene, rows, ids, lat, lon }: SquarePlane, index: number): StandingBuilding {
  const row = rows[index];
  return { id: textAt(ids, row), lat: lat[row], lon: lon[row], scene, index };
}

/**
 * What a square sees: of each need the tree, as far as its buildings are tall enough. The outcome depends on nothing else,
 * so that a square gives the same result wherever and in whatever company it is computed. `trees` are those of the needs,
 * in the same order; all lie in the plane of the zone, as do the trees of the ground.
 */
export function squareScene(
  square: string,
  zone: number,
  needs: readonly Need[],
  trees: readonly TreeSource[],
  terrain: readonly ViewPart[],
  buildings: SeenBuildings,
): SquareScene {
  const part = needs.findIndex((need) => need.square === square);
  const { originX, originY } = squareFrame(square, zone);
  const parts = needs.map(({ above }, i) => ({ tree: trees[i], above }));
  return { zone, view: viewOf(originX, originY, [...parts, ...terrain]), part, buildings };
}

/** The kernel of an engine that computes a scene of buildings of a square, of which the first has this index in the square's tree. */
export const squareKernel = (engine: Engine, { view, part }: SquareScene, scene: Scene, first = 0): Kernel =>
  createKernel(engine, scene, view, view.firstBuilding[part] + first);

/** A building of a square's view, by its number there. */
export function buildingOf({ view, buildings }: SquareScene, building: number): StandingBuilding {
  const { part, index } = whereInView(view, building);
  return buildings.at(part, index);
}

/** Whether a number of a square's view is that of the ground, and of no building. */
export const isTerrain = ({ view }: Pick<SquareScene, 'view'>, building: number): boolean =>
  building >= terrainOf(view);

/** The ID of a building of a square's view, by its number there; null for one without, and for the ground. */
export function idOfBuilding({ view, buildings }: SquareScene, building: number): string | null {
  if (isTerrain({ view }, building)) return null;
  const { part, index } = whereInView(view, building);
  return buildings.idAt(part, index);
}
