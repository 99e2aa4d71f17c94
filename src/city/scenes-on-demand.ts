import { join } from 'node:path';
import { rowOf, type TextColumn, textAt, textColumn } from '../formats/column-file.ts';
import { LastUsed } from '../formats/last-used.ts';
import type { LatLon } from '../geo/degree.ts';
import {
  gridSquareBounds,
  gridSquareCentre,
  gridSquareNeighbours,
  gridSquareOf,
  gridSquaresAround,
} from '../geo/grid-square.ts';
import { representativePoint } from '../geo/polygon.ts';
import { zoneOf } from '../geo/zones.ts';
import { FIXED } from '../sunlight/moves.ts';
import { loweredTo, type Scene, SceneBuilder } from '../sunlight/scene.ts';
import { buildTree, type TreeSource, treeInMemory } from '../sunlight/tree.ts';
import { type View, type ViewPart, viewOf } from '../sunlight/view.ts';
import { GroundHeights } from './ground-heights.ts';
import {
  buildingOfPlaced,
  type PlacedSquare,
  placeSquare,
  type SquareScene,
  type StandingBuilding,
  squareFrame,
  squareScene,
  treeOfPlaced,
} from './scene-store.ts';
import { type Need, ShadingSquares, type Viewpoint } from './shading-squares.ts';
import { decodeSquare, footprintsAt, roofSurfacesAt, type SquareBuildings } from './square-file.ts';
import {
  type EmptyParts,
  type IndexedSquare,
  parseSquareIndex,
  SQUARES_INDEX,
  squareFileName,
  treeFileName,
} from './square-summary.ts';
import { gapsAround, type Surroundings, surroundingsAt } from './surroundings.ts';
import { decodeTerrain, TerrainTrees } from './terrain-file.ts';
import { nearTerrainName, TERRAIN_INDEX, type TerrainIndex, TerrainSquares } from './terrain-squares.ts';
import { type TreeEntry, treeFromFile } from './tree-file.ts';

/**
 * Most views and squares in memory. Each takes less than a megabyte; a square whose buildings are all placed takes five.
 */
const HELD_VIEWS = 64;
const HELD_SQUARES = 64;
/** Most squares whose IDs are in memory, about 25 kB each. A high floor sees buildings of a hundred squares. */
const HELD_IDS = 512;
/** Most squares whose ground is in memory to look up its height, about a megabyte each. */
const HELD_HEIGHTS = 8;

/** A height below the ground of every place, metres. */
const BELOW_ALL_M = -10_000;

/** Reads a file of a city by its name in the city's folder, and checks it. */
type ReadCityFile = (name: string) => Uint8Array;

/** A planned building. */
export interface PlannedBuilding {
  /** Ring `[lat, lon, …]` in degrees. */
  ring: readonly number[];
  /** Heights above the datum of the city model, metres. */
  baseM: number;
  topM: number;
}

/** An existing building, by its grid square and its index in the square's tree. */
interface SquareMember {
  square: string;
  index: number;
}

/** The view from a point. */
export interface PointScene {
  zone: number;
  view: View;
}

/** The views in the city of a finished dataset. Files are read when they are needed. */
export class DatasetScenes {
  readonly #folder: string;
  readonly #read: ReadCityFile;
  readonly #squares: ShadingSquares;
  readonly #index: ReadonlyMap<string, IndexedSquare>;
  /** Trees of squares in their own zones. Each is made once, so that an engine recognizes its pages. */
  readonly #trees = new Map<string, TreeSource>();
  readonly #scenes = new LastUsed<string, SquareScene>(HELD_VIEWS);
  readonly #points = new LastUsed<string, PointScene>(HELD_VIEWS);
  readonly #buildings = new LastUsed<string, SquareOnDemand>(HELD_SQUARES);
  readonly #ids = new LastUsed<string, TextColumn>(HELD_IDS);
  readonly #terrain: TerrainSquares;
  readonly #ground: TerrainTrees;
  readonly #heights = new LastUsed<string, GroundHeights>(HELD_HEIGHTS);

  private constructor(folder: string, read: ReadCityFile, indexed: readonly IndexedSquare[], terrain: TerrainIndex) {
    this.#folder = folder;
    this.#read = read;
    this.#terrain = new TerrainSquares(terrain);
    this.#ground = new TerrainTrees(read, { isChecked: true });
    this.#index = new Map(indexed.map((square) => [square.square, square]));
    // The index has the counts of a height ladder without its digests, which do not matter here.
    this.#squares = new ShadingSquares(
      indexed.map((square) => ({ ...square, ladder: { ...square.ladder, digests: [] } })),
    );
  }

  /**
   * Opens the city in a folder. This and all methods throw the errors of `read`, for a file that is missing or damaged.
   */
  static open(folder: string, read: ReadCityFile): DatasetScenes {
    const squares = parseSquareIndex(read(SQUARES_INDEX));
    const hasTerrain = squares.some(({ terrain = 'none' }) => terrain !== 'none');
    const terrain: TerrainIndex = hasTerrain
      ? JSON.parse(new TextDecoder().decode(read(TERRAIN_INDEX)))
      : { near: [], far: [] };
    return new DatasetScenes(folder, read, squares, terrain);
  }

  /**
   * The view that the build used for a square. Its parts are the trees of the squares that can shade it (its needs), in
   * order; then those of the ground.
   * @throws RangeError for a square without buildings in the dataset
   */
  ofSquare(code: string): SquareScene {
    return this.#scenes.get(code, () => {
      const needs = this.#needsOfSquare(code);
      // `#needsOfSquare` has checked that the square has buildings.
      const indexed = this.#index.get(code) as IndexedSquare;
      const { zone } = indexed;
      const ground = this.#groundOf(code, zone, { ...indexed, lowest: indexed.lowestBase as number });
      return squareScene(code, zone, needs, this.#treesOf(needs, zone), ground, {
        // Asked for buildings only, so the part is one of the needs.
        at: (need, index) => this.#squareIn(needs[need].square, zone).building(index),
        idAt: (need, index) => textAt(this.#idsIn(needs[need].square, zone), index),
      });
    });
  }

  /**
   * The view of a square with planned buildings and without some existing ones. Its parts are the trees of the needs,
   * one tree of the planned buildings, in order, and those of the ground. Removed buildings keep their numbers; their
   * top is below the ground.
   */
  ofSquareChanged(
    code: string,
    planned: readonly PlannedBuilding[],
    removed: readonly SquareMember[],
  ): SquareScene & { firstPlanned: number } {
    const { zone, view, part, buildings } = this.ofSquare(code);
    const frame = squareFrame(code, zone);
    const builder = new SceneBuilder(frame);
    for (const { ring, baseM, topM } of planned) builder.add([{ rings: [ring] }], baseM, topM);
    const scene = builder.finish();
    const needs = this.#needsOfSquare(code);
    const plannedPart = needs.length;
    const parts = view.parts.slice(0, plannedPart).map(({ tree, above }, i) => {
      const { square } = needs[i];
      const indexes = removed.filter((building) => building.square === square).map(({ index }) => index);
      return { tree: indexes.length === 0 ? tree : this.#treeWithout(square, zone, indexes), above };
    });
    // `above`: lower buildings of a part cannot shade the square, so they do not count. All planned buildings count.
    parts.push({ tree: treeInMemory(buildTree(scene)), above: -Infinity }, ...view.parts.slice(plannedPart));
    const changed = viewOf(view.originX, view.originY, parts);
    return {
      zone,
      view: changed,
      part,
      firstPlanned: changed.firstBuilding[plannedPart],
      buildings: {
        at: (partNumber, index) =>
          partNumber < plannedPart ? buildings.at(partNumber, index) : plannedStanding(planned[index], scene, index),
        idAt: (partNumber, index) => (partNumber < plannedPart ? buildings.idAt(partNumber, index) : null),
      },
    };
  }

  /**
   * The square of a building, and its index in the square's tree.
   * @param lat latitude of its stored point; `lon`: longitude. They are a little rounded: at a border the point may be
   * in the next square
   * @throws Error when no square there has it
   */
  find(buildingId: string, lat: number, lon: number): SquareMember {
    const squareOfPoint = gridSquareOf(lat, lon);
    for (const square of [squareOfPoint, ...gridSquareNeighbours(squareOfPoint)]) {
      const indexed = this.#index.get(square);
      // A square without buildings has no lowest base.
      if (indexed === undefined || indexed.lowestBase === null) continue;
      const index = this.#squareIn(square, indexed.zone).indexOf(buildingId);
      if (index !== undefined) return { square, index };
    }
    throw new Error(`${buildingId} is not in grid square ${squareOfPoint}: run hidamari verify to see what is damaged`);
  }

  /**
   * The view from a point that need not lie on a building (degrees, metres). It is made for an eye at the lowest base of
   * the buildings around, or at the point if that is lower. It is right for every higher eye, so all points of a grid
   * square that are not below those bases share one view.
   */
  ofPoint(lat: number, lon: number, z: number): PointScene {
    const code = gridSquareOf(lat, lon);
    const bases = [code, ...gridSquareNeighbours(code)].map((near) => this.#index.get(near)?.lowestBase ?? z);
    const lowest = Math.min(z, ...bases);
    return this.#points.get(`${code} from ${lowest}`, () => {
      const centre = gridSquareCentre(code);
      const zone = zoneOf(centre.lat, centre.lon);
      const needs = this.#needsOf({ ...gridSquareBounds(code), lowest });
      const trees = this.#treesOf(needs, zone);
      const { originX, originY } = squareFrame(code, zone);
      // `above`: lower buildings cannot shade the point.
      const parts = needs.map(({ above }, i) => ({ tree: trees[i], above }));
      return { zone, view: viewOf(originX, originY, [...parts, ...this.#groundSeenFrom(code, zone, lowest)]) };
    });
  }

  /** The terrain alone, as seen from anywhere in a grid square at this height or above, metres. */
  hillsFrom(code: string, lowest: number): PointScene {
    const centre = gridSquareCentre(code);
    const zone = zoneOf(centre.lat, centre.lon);
    const { originX, originY } = squareFrame(code, zone);
    return { zone, view: viewOf(originX, originY, this.#groundSeenFrom(code, zone, lowest)) };
  }

  /** The height of the ground at a place (degrees), metres; null where the dataset has no near terrain there. */
  groundAt(lat: number, lon: number): number | null {
    const code = gridSquareOf(lat, lon);
    if (this.#terrain.nearAt(code) === undefined) return null;
    const heights = this.#heights.get(code, () => {
      const name = nearTerrainName(code);
      return new GroundHeights(decodeTerrain(this.#read(name), join(this.#folder, name), { isChecked: true }));
    });
    const ground = heights.at(lat, lon);
    return Number.isNaN(ground) ? null : ground;
  }

  /**
   * The trees of the ground that can shade points of a square at this height or above, metres. A square without
   * buildings takes the far terrain of a neighbour.
   */
  #groundSeenFrom(code: string, zone: number, lowest: number): ViewPart[] {
    const farFrom = [code, ...gridSquareNeighbours(code)].find((square) => this.#terrain.hasFar(square));
    return this.#groundOf(code, zone, { ...gridSquareBounds(code), lowest }, farFrom);
  }

  /**
   * The trees of the ground that can shade a square, in the plane of a zone.
   * @param farFrom the square whose far terrain is taken: a neighbour's where this one has none
   */
  #groundOf(code: string, zone: number, view: Viewpoint, farFrom = code): ViewPart[] {
    return this.#terrain.seenFrom(code, view, farFrom).map(({ square, name, digest, above }) => ({
      tree: this.#ground.treeOf(name, digest, squareFrame(square, zone)),
      above,
    }));
  }

  /** The buildings of all grid squares within a distance (km) of a place (degrees), in the plane of a zone. */
  *standingAround(place: LatLon, km: number, zone: number): Generator<StandingBuilding> {
    for (const code of gridSquaresAround({ ...place, km })) {
      if (!this.#index.has(code)) continue;
      const { placed } = this.#squareIn(code, zone);
      for (let index = 0; index < placed.rows.length; index++) yield buildingOfPlaced(placed, index);
    }
  }

  /** Whether the surroundings of a place (degrees) are complete. */
  surroundingsAt(lat: number, lon: number): Surroundings {
    const square = gridSquareOf(lat, lon);
    const partsOf = (code: string): EmptyParts | null => this.#index.get(code)?.emptyParts ?? null;
    // A square that is not in the dataset: nothing is known there.
    if (partsOf(square) === null) return 'open';
    return surroundingsAt(lat, lon, gapsAround(square, partsOf).map(gridSquareBounds));
  }

  /**
   * The squares in the view of a square, in order.
   * @throws RangeError for a square without buildings in the dataset
   */
  #needsOfSquare(code: string): Need[] {
    const indexed = this.#index.get(code);
    if (indexed === undefined || indexed.lowestBase === null)
      throw new RangeError(`no building is served in grid square ${code}`);
    return this.#needsOf({ ...indexed, lowest: indexed.lowestBase });
  }

  /** The tree of a square in which some buildings end below everything that can be seen. */
  #treeWithout(code: string, zone: number, indexes: readonly number[]): TreeSource {
    const { placed } = this.#squareIn(code, zone);
    return treeOfPlaced({ ...placed, scene: loweredTo(placed.scene, indexes, BELOW_ALL_M) });
  }

  /** The squares whose buildings can shade a viewpoint, in order of code. */
  #needsOf(view: Viewpoint): Need[] {
    return this.#squares.seenFrom(view).map(({ need }) => need);
  }

  /** The trees of the needs in a zone. They come from their files, or are made when the file has another zone. */
  #treesOf(needs: readonly Need[], zone: number): TreeSource[] {
    return needs.map(({ square }) => {
      const indexed = this.#index.get(square);
      if (indexed?.zone !== zone) return treeOfPlaced(this.#squareIn(square, zone).placed);
      return this.#treeOf(square, indexed.tree);
    });
  }

  /** The tree of a square in its own zone. */
  #treeOf(square: string, entry: TreeEntry): TreeSource {
    let tree = this.#trees.get(square);
    if (tree === undefined) {
      tree = treeFromFile(join(this.#folder, treeFileName(square)), entry);
      this.#trees.set(square, tree);
    }
    return tree;
  }

  /** The IDs of the buildings of a square, by their index in its tree. */
  #idsIn(code: string, zone: number): TextColumn {
    return this.#ids.get(`${code} in ${zone}`, () => this.#squareIn(code, zone).ids);
  }

  /** The buildings of a square in a zone. */
  #squareIn(code: string, zone: number): SquareOnDemand {
    return this.#buildings.get(`${code} in ${zone}`, () => {
      const name = squareFileName(code);
      const indexed = this.#index.get(code);
      const { square } = decodeSquare(this.#read(name), join(this.#folder, name), { isChecked: true });
      // The index knows the number of buildings with valid geometry in the square's own zone only.
      const validBuildings = indexed?.zone === zone ? indexed.tree.buildings : null;
      return new SquareOnDemand(code, square, zone, validBuildings);
    });
  }
}

/** A planned building as an existing one. Its representative point is that of its ring. */
function plannedStanding({ ring }: PlannedBuilding, scene: Scene, index: number): StandingBuilding {
  const [lat, lon] = representativePoint([[ring]]);
  return { id: null, lat, lon, scene, index, move: FIXED };
}

/** The buildings of a grid square in the plane of a zone. It places single buildings when few are needed. */
export class SquareOnDemand {
  readonly #code: string;
  readonly #square: SquareBuildings;
  readonly #zone: number;
  /** True when all buildings have valid geometry. Then the index of a building is its row. */
  readonly #areAllValid: boolean;
  #placed: PlacedSquare | null = null;

  /** @param validBuildings the number of its buildings with valid geometry, if known. Only these have an index. */
  constructor(code: string, square: SquareBuildings, zone: number, validBuildings: number | null) {
    this.#code = code;
    this.#square = square;
    this.#zone = zone;
    this.#areAllValid = validBuildings === square.count;
  }

  /** All buildings in one scene. */
  get placed(): PlacedSquare {
    this.#placed ??= placeSquare(this.#code, this.#square, this.#zone);
    return this.#placed;
  }

  /** The IDs by index. This is a copy, so that the rest of the square can be freed. */
  get ids(): TextColumn {
    const { ids } = this.#square;
    if (this.#areAllValid) return { offsets: ids.offsets.slice(), bytes: ids.bytes.slice() };
    return textColumn(Array.from(this.placed.rows, (row) => textAt(ids, row)));
  }

  /**
   * The index of a building; undefined when none has this ID. Every building of a square has a row, but only those with
   * valid geometry have an index.
   */
  indexOf(buildingId: string): number | undefined {
    const row = rowOf(this.#square.ids, buildingId);
    const index = this.#areAllValid ? row : this.placed.rows.indexOf(row);
    return index < 0 ? undefined : index;
  }

  /** A building by its index, with a scene that holds it. */
  building(index: number): StandingBuilding {
    // Which row has this index is known only when all buildings are placed.
    if (!this.#areAllValid) return buildingOfPlaced(this.placed, index);
    // Here the index is the row, so a scene of this building alone is enough.
    const { ids, lat, lon, base, top, moves } = this.#square;
    const builder = new SceneBuilder(squareFrame(this.#code, this.#zone));
    builder.add(footprintsAt(this.#square, index), base[index], top[index], roofSurfacesAt(this.#square, index));
    return {
      id: textAt(ids, index),
      lat: lat[index],
      lon: lon[index],
      scene: builder.finish(),
      index: 0,
      move: moves[index],
    };
  }
}
