import type { RecordAttributes } from '../building/attributes.ts';
import { LEAST_TANGENT } from '../geo/degree.ts';
import { distanceBound, gridSquareBounds, gridSquareCentre, gridSquaresAround } from '../geo/grid-square.ts';
import { NEAR_M } from '../terrain/near.ts';
import type { Viewpoint } from './shading-squares.ts';

/** A file of terrain of a grid square. */
interface TerrainFile {
  square: string;
  /** SHA-256 of its bytes. */
  digest: string;
  bytes: number;
  triangles: number;
}

/** The ground of a grid square. */
export interface NearTerrain extends TerrainFile {
  /** Its highest point, metres. */
  top: number;
}

/** The terrain of a city: the ground of each grid square, and the far terrain visible from each served square. */
export interface TerrainIndex {
  /** Both in order of code. */
  near: NearTerrain[];
  far: TerrainFile[];
}

/** The names of the files of terrain in a dataset: the index, and two kinds of files by square. */
export const TERRAIN_INDEX = 'terrain/index.json';
export const nearTerrainName = (square: string): string => `terrain/${square}.near`;
export const farTerrainName = (square: string): string => `terrain/${square}.far`;

/** The files of a city's terrain, by their names in its folder. */
export const terrainNames = ({ near, far }: TerrainIndex): string[] => [
  ...near.map(({ square }) => nearTerrainName(square)),
  ...far.map(({ square }) => farTerrainName(square)),
];

/** A file of terrain that can shade a square, by its name in the city's folder. */
export interface TerrainNeed {
  square: string;
  name: string;
  digest: string;
  /** Only what rises higher than this counts, metres. */
  above: number;
}

/** Finds the terrain of a city that can shade a grid square, and tells which terrain is known around it. */
export class TerrainSquares {
  readonly #near: ReadonlyMap<string, NearTerrain>;
  readonly #far: ReadonlyMap<string, TerrainFile>;

  constructor({ near, far }: TerrainIndex) {
    this.#near = new Map(near.map((file) => [file.square, file]));
    this.#far = new Map(far.map((file) => [file.square, file]));
  }

  /**
   * What can shade a grid square: its own ground; the ground within 3 km that can rise more than 0.1° above its
   * horizon; and its far terrain.
   * @param farFrom the square whose far terrain is taken. A square without buildings has none of its own: then it is
   * that of another square
   */
  seenFrom(square: string, view: Viewpoint, farFrom = square): TerrainNeed[] {
    const needs: TerrainNeed[] = [];
    for (const code of squaresNear(square)) {
      const ground = this.#near.get(code);
      if (ground === undefined) continue;
      const distance = distanceBound(view, gridSquareBounds(code));
      const above = view.lowest + distance * LEAST_TANGENT;
      if (code === square || ground.top > above)
        needs.push({ square: code, name: nearTerrainName(code), digest: ground.digest, above });
    }
    const far = this.#far.get(farFrom);
    if (far && far.triangles > 0) {
      needs.push({ square: farFrom, name: farTerrainName(farFrom), digest: far.digest, above: view.lowest });
    }
    return needs;
  }

  /**
   * Which terrain is known around a square. Far terrain is made of near elevation too, so a square with near terrain has
   * both.
   */
  kindAt(square: string): RecordAttributes['terrain'] {
    if (this.#near.has(square)) return 'near_and_far';
    return this.#far.has(square) ? 'far' : 'none';
  }

  /** True when a square has far terrain. Only served squares have it. */
  hasFar(square: string): boolean {
    return this.#far.has(square);
  }

  /** The ground of a square; undefined where none is known. */
  nearAt(square: string): NearTerrain | undefined {
    return this.#near.get(square);
  }
}

/** The squares nearer than 3 km to a square, including itself, in order of code. */
export function squaresNear(square: string): string[] {
  const bounds = gridSquareBounds(square);
  // From its centre to a corner is less than a kilometre.
  const codes = gridSquaresAround({ ...gridSquareCentre(square), km: NEAR_M / 1000 + 1 });
  return codes.filter((code) => distanceBound(bounds, gridSquareBounds(code)) < NEAR_M);
}
