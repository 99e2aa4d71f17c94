import { readFileSync } from 'node:fs';
import { deserialize } from 'node:v8';
import { parentPort, workerData } from 'node:worker_threads';
import { type Town, TownIndex } from '../census/town.ts';
import { TreeFiles } from '../city/tree-file.ts';
import { Engine } from '../sunlight/engine.ts';
import { type BulkTask, writeBulkOf } from './bulk-ward.ts';
import { type ComputeRoom, type ComputeTask, computeSquare, PlaneFiles } from './compute-square.ts';
import { type MapPartsTask, type MapTilesTask, mapPartsOf, mapTilesOf } from './map-parts.ts';
import { type MergeTask, mergeSquare } from './merge-square.ts';
import { type ReadTask, readBuildingsOf } from './read-input.ts';
import type { Answer } from './worker-pool.ts';

/** The thread of a build: takes one task at a time and answers it. It is given the towns when it starts. */
const towns = new TownIndex(workerData.towns as Town[]);
/** What it keeps from one grid square to the next. */
const room: ComputeRoom = { engine: new Engine(), trees: new TreeFiles(), planes: new PlaneFiles() };

/** The towns of the file that was read last: the squares that follow are likely to need the same. */
class TownsFile {
  #path = '';
  #towns = new TownIndex([]);

  read(path: string): TownIndex {
    if (this.#path !== path) {
      this.#towns = new TownIndex(deserialize(readFileSync(path)));
      this.#path = path;
    }
    return this.#towns;
  }
}

const townsFile = new TownsFile();

type WorkerTask = ReadTask | MergeTask | ComputeTask | BulkTask | MapPartsTask | MapTilesTask;

function work(task: WorkerTask): Promise<unknown> {
  switch (task.kind) {
    case 'read':
      return readBuildingsOf(task);
    case 'merge':
      return mergeSquare(task, task.townsFile === null ? towns : townsFile.read(task.townsFile));
    case 'compute':
      return computeSquare(task, room);
    case 'bulk':
      return writeBulkOf(task);
    case 'map-parts':
      return mapPartsOf(task);
    case 'map-tiles':
      return mapTilesOf(task);
  }
}

parentPort?.on('message', async (task: WorkerTask) => {
  let answer: Answer<unknown>;
  try {
    answer = { result: await work(task) };
  } catch (error) {
    const { name, message, code, stack } = error as NodeJS.ErrnoException;
    answer = { error: { name, message, code, stack } };
  }
  parentPort?.postMessage(answer);
});
