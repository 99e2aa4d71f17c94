import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { BuildOptions } from '../pipeline/build.ts';
import { programVersion } from '../pipeline/program.ts';
import { StoreError } from '../store/object-store.ts';
import { type DoSteps, StepRunner } from './step-runner.ts';
import type { StepStore } from './step-store.ts';
import { mapTransfers, otherProgram, StepWorker } from './step-worker.ts';
import { listOfRun, type RunList, type StepKind, StepsListed } from './steps.ts';

/**
 * Makes the function that gets the missing steps of a build done: `byThisMachine`, `byListing` and `byQueue` each return
 * one.
 * @param program identity of the program
 * @param folder for temporary files
 * @param inputs distinguishes the builds of one program
 */
export type MakeDoSteps = (program: string, folder: string, inputs: string) => DoSteps;

/** Makes the runner of a build whose steps go through a store. */
export function byStore(store: StepStore, makeDoSteps: MakeDoSteps): BuildOptions['makeRunner'] {
  return (threads, { program, towns, folder, inputs }) => {
    // Distinguishes this build from others of the same program.
    const inputsKey = JSON.stringify(inputs.map(({ label, size }) => [label, size]));
    const doSteps = makeDoSteps(program, folder, inputsKey);
    return new StepRunner({ store, threads, program, towns, folder: join(folder, 'sent'), doSteps });
  };
}

/** Gives a build the function that does its missing steps on this machine. */
export function byThisMachine(store: StepStore, threads: number): MakeDoSteps {
  return (program, folder) => async (steps, done) => {
    const worker = new StepWorker(store, join(folder, 'steps'), threads, program);
    try {
      // After a failure `mapTransfers` waits for the running steps, because the worker's folder is removed afterwards.
      await mapTransfers(steps, async (step) => {
        await worker.do(step);
        done(step);
      });
    } finally {
      await worker.close();
    }
  };
}

/**
 * Gives a build the function that lists its missing steps under the run's name and ends the build with `StepsListed`.
 */
export function byListing(store: StepStore, run: string): MakeDoSteps {
  return (program, folder) => async (steps) => {
    // All steps of a call are of one stage.
    const [{ step }] = steps;
    const list: RunList = { program, version: programVersion(), keys: steps.map(({ key }) => key) };
    await store.putMade(listOfRun(run, step), folder, (path) => writeFile(path, JSON.stringify(list)));
    throw new StepsListed(step, steps.length);
  };
}

/**
 * Does a share of the listed steps of a run.
 * @param share number of the share: 0 to `shares` − 1 or, counted from 1, 1 to `shares` (the last one is share 0)
 * @returns the number of steps in the share
 * @throws StoreError when nothing is listed
 * @throws OtherProgramError when another version of the program has listed the steps
 */
export async function doShare(
  store: StepStore,
  { run, step, share, shares }: { run: string; step: StepKind; share: number; shares: number },
  worker: StepWorker,
  program: string,
): Promise<number> {
  const text = await store.read(listOfRun(run, step));
  if (text === null) {
    throw new StoreError(
      `${store.address}: run ${run} has listed no steps of ${step}: hidamari build --list-steps does`,
    );
  }
  const list: RunList = JSON.parse(text.toString());
  if (list.program !== program) throw otherProgram(list.program, program);
  const keys = list.keys.filter((_, i) => i % shares === share % shares);
  await mapTransfers(keys, (key) => worker.do({ step, key }));
  return keys.length;
}
