import type { SquarePlane } from '../city/scene-store.ts';
import type { HeightRule } from '../city/standing-height.ts';
import { emptyPartsOf } from '../city/surroundings.ts';
import type { TreeEntry } from '../city/tree-file.ts';
import type { BuildFolder } from './build-folder.ts';
import { findDuplicates, type PartKeys } from './duplicates.ts';
import type { MergedSquare, MergeTask } from './merge-square.ts';
import type { Part as PartOfCountry } from './part.ts';
import { candidateAt, heldParts, partPath } from './part-file.ts';
import type { FoundSquare, PlannedSquare } from './plan.ts';
import type { Progress } from './progress.ts';
import type { ReadInput } from './read-stage.ts';
import { addFindings, type Findings, note } from './report.ts';
import type { Runner } from './worker-pool.ts';

interface MergeStage {
  /** In order of code. */
  squares: PlannedSquare[];
  /** By code. */
  city: Map<string, CitySquare>;
  findings: Findings;
}

/** A square's plane and tree in its own zone. */
export interface CitySquare {
  zone: number;
  /** Null when it was merged elsewhere; then it is made from the square's file. */
  plane: SquarePlane | null;
  tree: TreeEntry;
}

interface PartAt {
  square: string;
  path: string;
  keys: PartKeys;
}

/** Sorts the buildings into grid squares, each building once. */
export async function mergeStage(
  inputs: readonly ReadInput[],
  folder: BuildFolder,
  pool: Runner,
  progress: Progress,
  { part, heights }: { part: PartOfCountry | null; heights: HeightRule },
): Promise<MergeStage> {
  const all: (PartAt & { buildings: number })[] = inputs.flatMap(({ folder: at, list, keys }) =>
    list.squares.map(({ square, buildings }, i) => ({ square, buildings, path: partPath(at, square), keys: keys[i] })),
  );
  const parts = all.filter(({ square }) => part === null || part.isInReach(square));
  const tasks = mergeTasks(parts, folder, heights);
  const stage: MergeStage = { squares: [], city: new Map(), findings: {} };
  const found: FoundSquare[] = [];
  for (const { square, buildings } of all) {
    if (part?.isInReach(square) === false) note(stage.findings, 'out_of_reach', `grid square ${square}`, buildings);
  }
  await progress.stage('merge', tasks.size, 'grid squares', async (advance) => {
    const { dropped, joined } = await findDuplicates(
      parts.map(({ keys }) => keys),
      partLoader(parts),
      stage.findings,
    );
    const joinedOf = Map.groupBy(joined, ({ main }) => main.part);
    for (const [i, { square }] of parts.entries()) {
      const joins = (joinedOf.get(i) ?? []).map(({ main, others }) => ({
        row: main.row,
        bodies: others.map(({ part, row }) => ({ path: parts[part].path, row })),
      }));
      const drop = Uint32Array.from(dropped.get(i) ?? []);
      tasks.get(square)?.parts.push({ path: parts[i].path, drop, joins });
    }
    const merged = await Promise.all(
      [...tasks.values()].map(async (task) => {
        const result = await pool.run<MergedSquare>(task);
        advance(1);
        return result;
      }),
    );
    for (const { square, plane, tree, findings } of merged) {
      addFindings(stage.findings, findings);
      if (square === null || tree === null) continue;
      found.push(square);
      stage.city.set(square.square, { zone: square.zone, plane, tree });
    }
  });
  const emptyParts = emptyPartsOf(found.map(({ land }) => land));
  stage.squares = found.map(({ land: _, ...square }, i) => ({ ...square, emptyParts: emptyParts[i] }));
  return stage;
}

/** One task for each square, in order of code, still without parts. */
function mergeTasks(parts: readonly PartAt[], folder: BuildFolder, heights: HeightRule): Map<string, MergeTask> {
  const codes = [...new Set(parts.map(({ square }) => square))].sort();
  return new Map(
    codes.map((square) => [
      square,
      {
        kind: 'merge',
        name: `grid square ${square}`,
        square,
        parts: [],
        heights,
        townsFile: null,
        withPlane: true,
        out: folder.square(square),
        treeOut: folder.tree(square),
        namesOut: folder.names(square),
      },
    ]),
  );
}

function partLoader(parts: readonly PartAt[]) {
  const partAt = heldParts();
  return async (at: number, row: number) => candidateAt(await partAt(parts[at].path), row);
}
