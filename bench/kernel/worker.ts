import { parentPort, workerData } from 'node:worker_threads';
import { computeBuilding, computeReceptors, type Kernel, kernelOf } from '../../src/sunlight/compute.ts';
import { placeReceptors } from '../../src/sunlight/receptors.ts';
import type { Tree } from '../../src/sunlight/tree.ts';
import { Agreement } from '../../test/kernel/agreement.ts';
import { type City, sunOver } from '../../test/kernel/cities.ts';
import { type EdgeGrid, edgeGrid } from '../../test/oracle/edge-grid.ts';
import { oracleSunlight } from '../../test/oracle/oracle.ts';
import { keepFourColumns } from './four-faces.ts';

/** The task of a worker: compute these buildings with the full receptor rule or with four columns, or check them. */
export interface Task {
  city: City;
  tree: Tree;
  buildings: number[];
  what: 'full' | 'four' | 'accuracy';
  /** Index of the next grid square of the buildings, shared by the threads. */
  nextSquare: Int32Array;
}

export interface Done {
  /** CPU time of the thread for the buildings, without preparation, milliseconds. */
  cpuMs: number;
  columns: number;
  /** The members of an `Agreement`. */
  agreement: Agreement;
}

const { city, tree, buildings, what, nextSquare } = workerData as Task;
const kernel = kernelOf(city.scene, tree);
const sunOf = sunOver(city);
const grid = what === 'accuracy' ? edgeGrid(city.scene) : null;
const squares = [...Map.groupBy(buildings, (building) => city.squares[building]).values()];
for (const building of buildings) sunOf(building);
// Run the code once, so that it is compiled before the measurement.
const warming = Math.ceil(buildings.length / 300);
if (what !== 'accuracy') for (let i = 0; i < buildings.length; i += warming) compute(kernel, buildings[i]);
parentPort!.postMessage('ready');
parentPort!.once('message', work);

function work(): void {
  const start = process.threadCpuUsage();
  const done: Done = { cpuMs: 0, columns: 0, agreement: new Agreement() };
  for (let square = take(); square < squares.length; square = take()) {
    for (const building of squares[square]) {
      if (grid === null) done.columns += compute(kernel, building);
      else judge(grid, building, done.agreement);
    }
  }
  const { user, system } = process.threadCpuUsage(start);
  done.cpuMs = (user + system) / 1000;
  parentPort!.postMessage(done);
}

function take(): number {
  return Atomics.add(nextSquare, 0, 1);
}

function compute(of: Kernel, building: number): number {
  const { curves } = sunOf(building);
  if (what === 'full') computeBuilding(of, curves, building, city.storeys[building]);
  else {
    placeReceptors(city.scene, building, of.receptors, of.plane);
    keepFourColumns(of.receptors);
    computeReceptors(of, curves, building, city.storeys[building]);
  }
  return of.receptors.count;
}

function judge(grid: EdgeGrid, building: number, agreement: Agreement): void {
  const { paths, curves } = sunOf(building);
  const storeys = city.storeys[building];
  agreement.add(computeBuilding(kernel, curves, building, storeys), oracleSunlight(grid, building, storeys, paths));
}
