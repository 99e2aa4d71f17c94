import { readFileSync } from 'node:fs';
import { deserialize } from 'node:v8';
import { parentPort, workerData } from 'node:worker_threads';
import { type Town, TownIndex } from '../census/town.ts';
import { SharedMemory } from '../sunlight/shared-memory.ts';
import { type Answer, READY } from '../supervision/task-threads.ts';
import type { ComputeTask, ComputeTools, ShadingFiles } from './compute-stage.ts';
import type { GroundData, GroundTask } from './ground-stage.ts';
import type { MapPiecesTask, MapTilesTask } from './map-stage.ts';
import type { MergeTask } from './merge-stage.ts';
import type { ReadTask } from './read-stage.ts';
import type { ElevationTask } from './terrain.ts';
import type { BulkTask, SunTask } from './write-stage.ts';

/** The thread of a build. It gets the towns at its start, takes one task at a time and answers it. */
const startTowns = workerData.towns as Town[];

/**
 * Keeps the towns of the last request, from a file or (null) from the start of the thread. The next squares probably
 * need the same.
 */
class Towns {
  #path: string | null = null;
  #index: TownIndex | null = null;

  /** The towns of a file; null: those that the thread got at its start. */
  of(path: string | null): TownIndex {
    if (this.#index === null || this.#path !== path) {
      this.#index = new TownIndex(path === null ? startTowns : deserialize(readFileSync(path)));
      this.#path = path;
    }
    return this.#index;
  }
}

const towns = new Towns();

/** Computes grid squares and keeps what the next one needs. */
class SquareComputer {
  #tools: ComputeTools | null = null;
  #files: ShadingFiles = new Map();

  /** Computes a square. Only the first task of a thread brings the files of all squares (`Task.common`). */
  async compute(task: ComputeTask): Promise<void> {
    const { computeTools, computeSquare } = await import('./compute-stage.ts');
    this.#tools ??= computeTools();
    this.#files = task.common ?? this.#files;
    return computeSquare(task, this.#files, this.#tools);
  }
}

const squares = new SquareComputer();

/** Makes the ground of grid squares, and keeps the elevation that it was given. */
class GroundMaker {
  #elevation: GroundData | null = null;

  async make(task: GroundTask): Promise<unknown> {
    const { groundData, makeGround } = await import('./ground-stage.ts');
    // Only the first task of a thread brings the elevation (`Task.common`).
    if (task.common) this.#elevation = groundData(task.common.pieces);
    if (this.#elevation === null) throw new Error('the first task brings no elevation');
    return makeGround(task, this.#elevation);
  }
}

const ground = new GroundMaker();
/** Memory for the buildings of merged squares, until all are computed. */
const sceneMemory = new SharedMemory();

type WorkerTask =
  | ElevationTask
  | ReadTask
  | MergeTask
  | GroundTask
  | ComputeTask
  | BulkTask
  | SunTask
  | MapPiecesTask
  | MapTilesTask;

/**
 * Does a task of a build and returns its result. The code is loaded with the first task of its kind. A thread lives for one stage of a build, so it needs only one or
 * two kinds.
 */
async function run(task: WorkerTask): Promise<unknown> {
  switch (task.kind) {
    case 'elevation':
      return (await import('../terrain/elevation-files.ts')).openElevationFile(task.input, task.scratch, task.number);
    case 'read':
      return (await import('./read-stage.ts')).readBuildingsOf(task);
    case 'merge':
      return (await import('./merge-stage.ts')).mergeSquare(task, towns.of(task.townsFile), sceneMemory);
    case 'ground':
      return ground.make(task);
    case 'compute':
      return squares.compute(task);
    case 'bulk':
      return (await import('./write-stage.ts')).writeBulkOf(task);
    case 'sun':
      return (await import('./write-stage.ts')).writeSunsOf(task);
    case 'map-pieces':
      return (await import('./map-stage.ts')).mapPiecesOf(task);
    case 'map-tiles':
      return (await import('./map-stage.ts')).mapTilesOf(task);
  }
}

parentPort?.on('message', async (task: WorkerTask) => {
  let answer: Answer<unknown>;
  try {
    answer = { result: await run(task) };
  } catch (error) {
    const { name, message, code, stack } = error as NodeJS.ErrnoException;
    answer = { error: { name, message, code, stack } };
  }
  parentPort?.postMessage(answer);
});
parentPort?.postMessage(READY);
