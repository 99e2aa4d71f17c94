import { once } from 'node:events';
import { Worker } from 'node:worker_threads';
import { buildSceneTree, type SceneTree } from '../../src/sunlight/scene-tree.ts';
import type { City } from '../../test/kernel/cities.ts';
import type { Done, Task } from './worker.ts';

export const THREADS = 2;

/** The tree of a city on shared memory. */
export const sharedTree = ({ scene }: City): SceneTree =>
  buildSceneTree(scene, (bytes) => new SharedArrayBuffer(bytes));

/** A spread of about `wanted` buildings in runs of neighbours, as a build meets them: some of every grid square, square by square. */
export function sampleOf(city: City, wanted: number): number[] {
  const squares = new Map<string, number[]>();
  city.squares.forEach((square, building) => {
    const list = squares.get(square);
    if (list) list.push(building);
    else squares.set(square, [building]);
  });
  const share = Math.min(1, wanted / city.squares.length);
  return [...squares.keys()].sort().flatMap((square) => {
    const list = squares.get(square)!;
    return list.slice(0, Math.max(1, Math.round(list.length * share)));
  });
}

/** Runs a task on both threads, grid squares in turn; gives their answers and the wall time of the measured part. */
export async function onThreads(task: Task): Promise<{ done: Done[]; wallMs: number }> {
  const squares = [...new Set(task.buildings.map((building) => task.city.squares[building]!))];
  const threadOf = new Map(squares.map((square, i) => [square, i % THREADS]));
  const workers = Array.from({ length: THREADS }, (_, i) => {
    const buildings = task.buildings.filter((building) => threadOf.get(task.city.squares[building]!) === i);
    return new Worker(new URL('./worker.ts', import.meta.url), { workerData: { ...task, buildings } satisfies Task });
  });
  const answers = (): Promise<unknown[][]> => Promise.all(workers.map((worker) => once(worker, 'message')));
  if (task.what !== 'accuracy') await answers();
  const start = performance.now();
  const finished = answers();
  for (const worker of workers) worker.postMessage('go');
  const done = (await finished).map(([message]) => message as Done);
  const wallMs = performance.now() - start;
  await Promise.all(workers.map((worker) => worker.terminate()));
  return { done, wallMs };
}
