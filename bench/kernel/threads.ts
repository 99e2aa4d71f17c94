import { once } from 'node:events';
import { Worker } from 'node:worker_threads';
import { buildTree, type Tree } from '../../src/sunlight/tree.ts';
import { inMortonOrder } from '../../src/sunlight/tree-order.ts';
import type { City } from '../../test/kernel/cities.ts';
import type { Done, Task } from './worker.ts';

export const THREADS = 2;

/** The tree of a city in shared memory. */
export function sharedTree({ scene }: City): Tree {
  const tree = buildTree(scene);
  const bytes = new Uint8Array(new SharedArrayBuffer(tree.bytes.length));
  bytes.set(tree.bytes);
  return { ...tree, bytes };
}

/** About `wanted` buildings, evenly spaced over every grid square, ordered by square and place as in a build. */
export function sampleOf(city: City, wanted: number): number[] {
  const all = [...inMortonOrder(city.scene)].sort((a, b) => compare(city.squares[a], city.squares[b]));
  const count = Math.min(all.length, Math.round(wanted));
  return Array.from({ length: count }, (_, i) => all[Math.floor(((i + 0.5) * all.length) / count)]);
}

const compare = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0);

/**
 * Runs a task on both threads. An idle thread takes the next grid square, as in a build. Returns the answers and the
 * elapsed time of the measured part.
 */
export async function onThreads(task: Omit<Task, 'nextSquare'>): Promise<{ done: Done[]; wallMs: number }> {
  const nextSquare = new Int32Array(new SharedArrayBuffer(4));
  const workers = Array.from(
    { length: THREADS },
    () => new Worker(new URL('./worker.ts', import.meta.url), { workerData: { ...task, nextSquare } satisfies Task }),
  );
  const answers = (): Promise<unknown[][]> => Promise.all(workers.map((worker) => once(worker, 'message')));
  await answers();
  const start = performance.now();
  const finished = answers();
  for (const worker of workers) worker.postMessage('go');
  const done = (await finished).map(([message]) => message as Done);
  const wallMs = performance.now() - start;
  await Promise.all(workers.map((worker) => worker.terminate()));
  return { done, wallMs };
}
