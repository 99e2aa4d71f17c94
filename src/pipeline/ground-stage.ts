import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { buildingAt, decodeSquare, type SquareBuildings } from '../city/square-file.ts';
import { encodeTerrain } from '../city/terrain-file.ts';
import {
  farTerrainName,
  type NearTerrain,
  nearTerrainName,
  squaresNear,
  type TerrainIndex,
} from '../city/terrain-squares.ts';
import { writeWhole } from '../formats/files.ts';
import { LastUsed } from '../formats/last-used.ts';
import { gridSquareNeighbours } from '../geo/grid-square.ts';
import { eyeHeight } from '../sunlight/result.ts';
import { storeysOf } from '../sunlight/storeys.ts';
import { Elevation } from '../terrain/elevation.ts';
import { type ElevationPiece, elevationOf } from '../terrain/elevation-files.ts';
import { FarTerrain, type FarView } from '../terrain/far.ts';
import { nearFacets, nearHeights, type Terrace, terrace } from '../terrain/near.ts';
import type { BuildFolder } from './build-folder.ts';
import type { PlannedSquare } from './plan.ts';
import type { Progress } from './progress.ts';
import type { Runner, Task } from './worker-pool.ts';

/** The ground of a grid square, and the far terrain that it sees, become files. */
export interface GroundTask extends Task {
  kind: 'ground';
  square: string;
  /** The elevation that was given. */
  common: { pieces: readonly ElevationPiece[] };
  /** The files of the square and of those around it in which buildings stand. */
  squareFiles: string[];
  /** From where it looks at the far terrain; null where nothing of it is served. */
  view: FarView | null;
  nearOut: string;
  farOut: string;
}

/** What was written of a square; null where nothing is known. */
interface MadeGround {
  near: NearTerrain | null;
  far: TerrainIndex['far'][number] | null;
}

/**
 * Makes the terrain of a city: the ground within 3 km around all served squares, and what each of these sees of the far terrain. It runs on
 * the threads of this process, where the files of elevation lie.
 */
export async function groundStage(
  squares: readonly PlannedSquare[],
  pieces: readonly ElevationPiece[],
  folder: BuildFolder,
  pool: Runner,
  progress: Progress,
): Promise<TerrainIndex> {
  const standing = new Map(squares.map((square) => [square.square, square]));
  const served = squares.filter((square) => square.served > 0);
  const codes = [...new Set(served.flatMap(({ square }) => squaresNear(square)))].sort();
  const index: TerrainIndex = { near: [], far: [] };
  const common = { pieces };
  await progress.stage('ground', codes.length, 'grid squares', async (advance) => {
    const made = await Promise.all(
      codes.map(async (square) => {
        const own = standing.get(square);
        const around = [square, ...gridSquareNeighbours(square)].filter((code) => standing.has(code));
        const task: GroundTask = {
          kind: 'ground',
          name: `the terrain of grid square ${square}`,
          square,
          common,
          squareFiles: around.map((code) => folder.square(code)),
          view: own === undefined || own.served === 0 ? null : farViewOf(own),
          nearOut: folder.terrainFile(nearTerrainName(square)),
          farOut: folder.terrainFile(farTerrainName(square)),
        };
        const result = await pool.run<MadeGround>(task);
        advance(1);
        return result;
      }),
    );
    for (const { near, far } of made) {
      if (near) index.near.push(near);
      if (far) index.far.push(far);
    }
  });
  return index;
}

/** From where the served buildings of a square look: from their lowest base up to the highest top. */
function farViewOf({ square, zone, lowestBase, ladder }: PlannedSquare): FarView {
  const highestM = ladder.lowest + ladder.counts.length;
  return { square, zone, lowestM: lowestBase ?? ladder.lowest, highestM };
}

/** What a thread keeps from task to task. */
export interface GroundRoom {
  near: Elevation;
  far: FarTerrain;
  squares: LastUsed<string, Promise<SquareBuildings>>;
}

/** Elevation that is coarser than this is no near terrain, metres between cells: hills nearby would be cut off. */
const NEAR_SPACING_M = 30;
/** Square files that are held: those around one, and the next. */
const HELD_SQUARES = 12;

/** The elevation of a thread, of pieces that it was given. */
export function groundRoom(pieces: readonly ElevationPiece[]): GroundRoom {
  const all = elevationOf(pieces);
  const fine = new Elevation(all.files.filter(({ spacing }) => spacing <= NEAR_SPACING_M));
  return { near: fine, far: new FarTerrain(all), squares: new LastUsed(HELD_SQUARES) };
}

/** Runs a task. Throws when a file cannot be read or written. */
export async function makeGround(task: GroundTask, { near, far, squares }: GroundRoom): Promise<MadeGround> {
  const made: MadeGround = { near: null, far: null };
  const heights = nearHeights(task.square, near);
  if (heights !== null) {
    for (const path of task.squareFiles) {
      const buildings = await squares.get(path, async () => decodeSquare(await readFile(path), path).square);
      terrace(heights, task.square, terracesOf(buildings));
    }
    const facets = nearFacets(task.square, heights);
    const bytes = encodeTerrain(facets);
    await writeWhole(task.nearOut, bytes);
    const top = facets.z.reduce((high, step) => Math.max(high, step), 0) * facets.stepM + facets.lowM;
    made.near = { ...fileOf(task.square, bytes, facets.hidden.length), top };
  }
  const seen = task.view && far.horizonOf(task.view);
  if (seen) {
    const bytes = encodeTerrain(seen);
    await writeWhole(task.farOut, bytes);
    made.far = fileOf(task.square, bytes, seen.hidden.length);
  }
  return made;
}

const fileOf = (square: string, bytes: Uint8Array, triangles: number): TerrainIndex['far'][number] => ({
  square,
  digest: createHash('sha256').update(bytes).digest('hex'),
  bytes: bytes.length,
  triangles,
});

/** The buildings that the ground must not bury. */
function* terracesOf(square: SquareBuildings): Generator<Terrace> {
  for (let row = 0; row < square.count; row++) {
    const { footprints, baseM, topM, storeys, usageCode } = buildingAt(square, row);
    const height = topM - baseM;
    yield { footprints, baseM, eyeM: eyeHeight(height / storeysOf(storeys, height, usageCode).storeys) };
  }
}
