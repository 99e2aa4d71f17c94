import { parentPort, workerData } from 'node:worker_threads';
import { computeBuilding, computeReceptors, createKernel, type Kernel } from '../../src/sunlight/compute.ts';
import { placeReceptors } from '../../src/sunlight/receptors.ts';
import type { SceneTree } from '../../src/sunlight/scene-tree.ts';
import { Agreement } from '../../test/kernel/agreement.ts';
import { type City, sunOver } from '../../test/kernel/cities.ts';
import { edgeGrid } from '../../test/oracle/edge-grid.ts';
import { oracleSunlight } from '../../test/oracle/oracle.ts';
import { keepFourColumns } from './four-faces.ts';

/** What a worker is asked for: compute these buildings with the full receptor rule or four columns, or judge them. */
export interface Task {
  city: City;
  tree: SceneTree;
  buildings: number[];
  what: 'full' | 'four' | 'accuracy';
}

export interface Done {
  /** CPU time of the thread over the buildings, without getting ready, milliseconds. */
  cpuMs: number;
  columns: number;
  /** Members of an `Agreement`. */
  agreement: Agreement;
}

const { city, tree, buildings, what } = workerData as Task;
const kernel = createKernel(city.scene, tree);
const sunOf = sunOver(city);
const agreement = new Agreement();
for (const building of buildings) sunOf(building);
if (what === 'accuracy') judge();
else {
  // Let the compiler see the code before the clock starts.
  for (const building of buildings.slice(0, 300)) compute(kernel, building);
  parentPort!.postMessage('ready');
  parentPort!.once('message', measure);
}

function measure(): void {
  const start = process.threadCpuUsage();
  let columns = 0;
  for (const building of buildings) columns += compute(kernel, building);
  const { user, system } = process.threadCpuUsage(start);
  parentPort!.postMessage({ cpuMs: (user + system) / 1000, columns, agreement } satisfies Done);
}

function compute(of: Kernel, building: number): number {
  const { curves } = sunOf(building);
  if (what === 'full') computeBuilding(of, curves, building, city.storeys[building]!);
  else {
    placeReceptors(city.scene, building, of.receptors, of.plane);
    keepFourColumns(of.receptors);
    computeReceptors(of, curves, building, city.storeys[building]!);
  }
  return of.receptors.count;
}

function judge(): void {
  const grid = edgeGrid(city.scene);
  for (const building of buildings) {
    const { paths, curves } = sunOf(building);
    const storeys = city.storeys[building]!;
    agreement.add(computeBuilding(kernel, curves, building, storeys), oracleSunlight(grid, building, storeys, paths));
  }
  parentPort!.postMessage({ cpuMs: 0, columns: 0, agreement } satisfies Done);
}
