import { type TextColumn, textAt } from '../formats/column-file.ts';
import { gridSquareBounds } from '../geo/grid-square.ts';
import { planeOf, toPlane } from '../geo/plane.ts';
import { createKernel, type Kernel } from '../sunlight/compute.ts';
import type { Engine } from '../sunlight/engine.ts';
import type { Move } from '../sunlight/moves.ts';
import { type Scene, SceneBuilder, type SceneFrame } from '../sunlight/scene.ts';
import { buildTree, type TreeSource, treeInMemory } from '../sunlight/tree.ts';
import { terrainOf, type View, type ViewPart, viewOf, whereInView } from '../sunlight/view.ts';
import type { Need } from './shading-squares.ts';
import { footprintsAt, roofSurfacesAt, type SquareBuildings } from './square-file.ts';

/** The buildings of a grid square in the plane of a zone, with what else is needed of them. */
export interface PlacedSquare {
  square: string;
  /** Its origin is that of the square's frame. */
  scene: Scene;
  /** The row in the square's file, for each building of `scene`. */
  rows: Uint32Array;
  ids: TextColumn;
  /** Representative points, by row. */
  lat: Float64Array;
  lon: Float64Array;
  /** How each building is moved by the model's error, by row. */
  moves: Uint32Array;
}

/**
 * A building with its published position and its index in a scene. The origin of the scene is that of the frame of its
 * square.
 */
export interface StandingBuilding {
  id: string | null;
  /** Representative point, degrees. */
  lat: number;
  lon: number;
  scene: Scene;
  index: number;
  /** How it is moved by the model's error. */
  move: Move;
}

/** The buildings in the parts of a view, by their index in the part's tree. */
interface SeenBuildings {
  /** A building by its part of the view and its number there. */
  at(part: number, index: number): StandingBuilding;
  /** Null when the building has no ID. */
  idAt(part: number, index: number): string | null;
}

/** A grid square with everything that can shade it. */
export interface SquareScene {
  zone: number;
  view: View;
  /** The index of the square's own part in the view. */
  part: number;
  buildings: SeenBuildings;
}

/** Places the buildings of a square file. Leaves out buildings whose geometry is not valid. */
export function placeSquare(code: string, square: SquareBuildings, zone: number): PlacedSquare {
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
  const { ids, lat, lon, moves } = square;
  // `moves`: how the errors of the model may move each building. Copies, because the arrays of a square file keep the
  // whole file in memory.
  return {
    square: code,
    scene: builder.finish(),
    rows: Uint32Array.from(rows),
    ids: { offsets: ids.offsets.slice(), bytes: ids.bytes.slice() },
    lat: lat.slice(),
    lon: lon.slice(),
    moves: moves.slice(),
  };
}

/**
 * The frame of a square's scene. The origin is its south-west corner, rounded to metres.
 * @throws RangeError for an unknown code or zone
 */
export function squareFrame(code: string, zone: number): SceneFrame {
  const { south, west } = gridSquareBounds(code);
  const corner: [x: number, y: number] = [0, 0];
  toPlane(planeOf(zone), south, west, corner);
  return { zone, originX: Math.round(corner[0]), originY: Math.round(corner[1]) };
}

/** The tree over the buildings of a placed square. */
export const treeOfPlaced = ({ scene, rows, moves }: PlacedSquare): TreeSource =>
  treeInMemory(buildTree(scene, { moves: rows.map((row) => moves[row]) }));

/** A building of a placed square, by its index there. */
export function buildingOfPlaced({ scene, rows, ids, lat, lon, moves }: PlacedSquare, index: number): StandingBuilding {
  const row = rows[index];
  return { id: textAt(ids, row), lat: lat[row], lon: lon[row], scene, index, move: moves[row] };
}

/**
 * Makes the view of a square from the trees of the squares that can shade it, each limited to buildings that are tall
 * enough to do so (higher than `above`). The result depends on nothing else, so a square gives the same result in every
 * build.
 * @param needs the squares that can shade it, itself among them
 * @param trees of the needs, in the same order and in the plane of the zone
 * @param terrain trees of the ground, in the plane of the zone
 */
export function squareScene(
  square: string,
  zone: number,
  needs: readonly Need[],
  trees: readonly TreeSource[],
  terrain: readonly ViewPart[],
  buildings: SeenBuildings,
): SquareScene {
  const ownPart = needs.findIndex((need) => need.square === square);
  const { originX, originY } = squareFrame(square, zone);
  const parts = needs.map(({ above }, i) => ({ tree: trees[i], above }));
  return { zone, view: viewOf(originX, originY, [...parts, ...terrain]), part: ownPart, buildings };
}

/**
 * The kernel that computes the buildings of a scene, which are some or all buildings of a square, in its view.
 * @param first index of the first of these buildings in the square's tree
 */
export const squareKernel = (engine: Engine, { view, part }: SquareScene, scene: Scene, first = 0): Kernel =>
  createKernel(engine, scene, view, view.firstBuilding[part] + first);

/** A building of a square's view, by its number there. */
export function buildingOf({ view, buildings }: SquareScene, building: number): StandingBuilding {
  const { part, index } = whereInView(view, building);
  return buildings.at(part, index);
}

/** True for the number of the ground in a square's view, or of one of its sectors. */
export const isTerrain = ({ view }: Pick<SquareScene, 'view'>, building: number): boolean =>
  building >= terrainOf(view);

/** The ID of a building of a square's view, by its number there; null when it has none, and for the ground. */
export function idOfBuilding({ view, buildings }: SquareScene, building: number): string | null {
  if (isTerrain({ view }, building)) return null;
  const { part, index } = whereInView(view, building);
  return buildings.idAt(part, index);
}
