import { readFileSync } from 'node:fs';
import { deserialize } from 'node:v8';
import { parentPort, workerData } from 'node:worker_threads';
import { type Town, TownIndex } from '../census/town.ts';
import { LastUsed } from '../formats/last-used.ts';
import { type Answer, READY } from '../supervision/task-threads.ts';
import type { ComputeTask, ComputeTools } from './compute-stage.ts';
import type { GroundData, GroundTask } from './ground-stage.ts';
import type { MapPiecesTask, MapTilesTask } from './map-stage.ts';
import type { MergeTask } from './merge-stage.ts';
import type { ReadTask } from './read-stage.ts';
import type { ElevationTask } from './terrain.ts';
import type { BulkTask, SunTask } from './write-stage.ts';

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
 * The thread of a build. It gets the towns at its start, takes one task at a time and answers it. The code is loaded
 * with the first task of its kind: a thread lives for one stage of a build, so it needs only one or two kinds.
 */
class BuildThread {
  /** The latest values, because the next task probably needs the same. */
  readonly #towns = new LastUsed<string | null, TownIndex>(1);
  readonly #elevation = new LastUsed<object, GroundData>(1);
  #tools: ComputeTools | null = null;
  /** `Task.common` of the last task that brought it. */
  #common: object | undefined;

  /** Does a task and returns its result. */
  async run(message: WorkerTask): Promise<unknown> {
    // The data of many tasks comes with the first of them.
    this.#common = message.common ?? this.#common;
    const task = { ...message, common: this.#common } as WorkerTask;
    switch (task.kind) {
      case 'elevation':
        return (await import('../terrain/elevation-files.ts')).openElevationFile(task.input, task.scratch, task.number);
      case 'read':
        return (await import('./read-stage.ts')).readBuildingsOf(task);
      case 'merge':
        return (await import('./merge-stage.ts')).mergeSquare(task, this.#townsOf(task));
      case 'ground': {
        const { groundData, makeGround } = await import('./ground-stage.ts');
        return makeGround(
          task,
          this.#elevation.get(task.common, () => groundData(task.common.pieces)),
        );
      }
      case 'compute': {
        const { computeTools, computeSquare } = await import('./compute-stage.ts');
        this.#tools ??= computeTools();
        return computeSquare(task, this.#tools);
      }
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

  /** The towns of a task: of its file, or without one those that the thread got at its start. */
  #townsOf({ townsFile }: MergeTask): TownIndex {
    return this.#towns.get(townsFile, () => {
      const towns: Town[] = townsFile === null ? workerData.towns : deserialize(readFileSync(townsFile));
      return new TownIndex(towns);
    });
  }
}

const thread = new BuildThread();

parentPort?.on('message', async (task: WorkerTask) => {
  let answer: Answer<unknown>;
  try {
    answer = { result: await thread.run(task) };
  } catch (error) {
    const { name, message, code, stack } = error as NodeJS.ErrnoException;
    answer = { error: { name, message, code, stack } };
  }
  parentPort?.postMessage(answer);
});
parentPort?.postMessage(READY);
