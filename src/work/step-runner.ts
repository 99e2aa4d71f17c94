import { hash } from 'node:crypto';
import { createWriteStream } from 'node:fs';
import { copyFile, mkdir, readFile, writeFile } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { serialize } from 'node:v8';
import type { Town } from '../census/town.ts';
import { ColumnFileError, contentDigest, readColumnFile } from '../formats/column-file.ts';
import type { ComputeTask } from '../pipeline/compute-stage.ts';
import { openInput, sha256Of } from '../pipeline/inputs.ts';
import type { MergedSquare, MergeTask } from '../pipeline/merge-stage.ts';
import { listPath, portionPath, readPortionList } from '../pipeline/portion-file.ts';
import type { ReadTask } from '../pipeline/read-stage.ts';
import { checkedResults } from '../pipeline/result-file.ts';
import { FILE_ERRORS, type Runner, type Task, TaskError } from '../pipeline/worker-pool.ts';
import type { StepStore } from './step-store.ts';
import { isDone, MissingError, mapTransfers, undo } from './step-worker.ts';
import {
  type ComputeStep,
  DONE_MARK,
  inputObject,
  MERGED,
  type MergeStep,
  nameOf,
  objectOf,
  type PortionName,
  type ReadFailure,
  type ReadStep,
  type Step,
  type StepName,
  StepsListed,
  terrainObject,
  townsObject,
} from './steps.ts';

/**
 * Gets steps done whose tasks are in the store. Resolves when the store has all results.
 * @param done called for each step as soon as the store has its results
 */
export type DoSteps = (steps: readonly StepName[], done: (step: StepName) => void) => Promise<void>;

/** What a step runner works with. */
interface StepRunnerOptions {
  store: StepStore;
  /** Threads of this process that write the dataset. */
  threads: Runner;
  program: string;
  towns: readonly Town[];
  /** For files that are made to be sent to the store. */
  folder: string;
  doSteps: DoSteps;
}

/** A task that became a step. */
interface Prepared {
  name: StepName;
  isDone: boolean;
  /**
   * Copies the results to the paths of the task. Rejects with `MissingError` when a result is missing or belongs to
   * another step.
   */
  fetchResults(): Promise<unknown>;
  /** Makes sure that the store has everything that the step needs. True when something had to be sent. */
  send(): Promise<boolean>;
}

/** A prepared step that is not done, and the promise of its task. */
interface Waiting extends Prepared {
  resolve(result: unknown): void;
  reject(error: unknown): void;
}

/** Number of steps that are prepared at a time: looked up, and their missing inputs sent. */
const PREPARED_AT_A_TIME = 8;
/** How often a step is repeated when its results are missing or damaged. */
const ROUNDS = 4;
/** The collected steps are handed out when no further step was prepared for this time, milliseconds. */
const COLLECT_MS = 50;

/**
 * Runs the tasks of a build through a store. Each task becomes a step. A step whose results are in the store is not
 * repeated. The results are copied to the paths of the task. The steps of a stage are collected before they are handed
 * out. Tasks that write the dataset run on threads of this process.
 */
export class StepRunner implements Runner {
  readonly size: number;
  readonly #options: StepRunnerOptions;
  /** The read steps by the folder of their portions; also steps of an earlier build. */
  readonly #reads = new Map<string, Promise<ReadStep>>();
  /** Keys of the merge steps by the files in which this build has the squares. */
  readonly #merges = new Map<string, string>();
  /** Each resolves the promise of a task that waits until fewer steps are being prepared. */
  readonly #queue: (() => void)[] = [];
  /** Number of steps that are being prepared. */
  #preparing = 0;
  /** Prepared steps that are not handed out yet. */
  #waiting: Waiting[] = [];
  /** True while a group of steps is handed out and not done. */
  #isHandedOut = false;
  #timer: NodeJS.Timeout | undefined;
  /** SHA-256 of the towns, when they are in the store. */
  #towns: Promise<string | null> | null = null;

  constructor(options: StepRunnerOptions) {
    this.#options = options;
    this.size = options.threads.size;
  }

  /** Runs a task: as a step through the store, or on a thread here. */
  run<Result>(task: Task): Promise<Result> {
    const prepare = this.#preparation(task);
    return prepare === null ? this.#options.threads.run<Result>(task) : (this.#byStep(prepare) as Promise<Result>);
  }

  stop(): Promise<void> {
    return this.#options.threads.stop();
  }

  /** A function that prepares the step of a task; null for a task that is done by a thread here. */
  #preparation(task: Task): (() => Promise<Prepared>) | null {
    if (task.kind === 'read') return () => this.#read(task as ReadTask);
    if (task.kind === 'merge') return () => this.#merge(task as MergeTask);
    if (task.kind === 'compute') return () => this.#compute(task as ComputeTask);
    return null;
  }

  /** Does a step until its results can be copied. Missing or damaged results are computed again. */
  async #byStep(prepare: () => Promise<Prepared>): Promise<unknown> {
    for (let round = 1; ; round++) {
      const prepared = await this.#inQueue(prepare);
      try {
        if (prepared.isDone) return await prepared.fetchResults();
        // `#handOut` settles this promise when the step is done.
        return await new Promise((resolve, reject) => this.#waiting.push({ ...prepared, resolve, reject }));
      } catch (error) {
        if (!(error instanceof MissingError) || round === ROUNDS) throw error;
        await undo(this.#options.store, prepared.name);
      }
    }
  }

  /** Prepares a step when few others are being prepared. */
  async #inQueue(prepare: () => Promise<Prepared>): Promise<Prepared> {
    while (this.#preparing >= PREPARED_AT_A_TIME) await new Promise<void>((next) => this.#queue.push(next));
    this.#preparing++;
    try {
      return await prepare();
    } finally {
      this.#preparing--;
      this.#queue.shift()?.();
      // Steps are handed out as one group when no more of them are prepared.
      this.#handOutSoon();
    }
  }

  /** Hands out the waiting steps when no further step is prepared for a short time. */
  #handOutSoon(): void {
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => void this.#handOut(), COLLECT_MS);
  }

  /**
   * Lets workers do all prepared steps that wait, as a group. Only one group is handed out at a time: a later call, made
   * when another step is prepared or this group is done, hands out the next.
   */
  async #handOut(): Promise<void> {
    if (this.#preparing > 0 || this.#isHandedOut || this.#waiting.length === 0) return;
    const group = this.#waiting;
    this.#waiting = [];
    this.#isHandedOut = true;
    await this.#doGroup(group);
    this.#isHandedOut = false;
    this.#handOutSoon();
  }

  /** Lets workers do steps, equal ones once, and settles the promises of each when it is done. Never rejects. */
  async #doGroup(group: readonly Waiting[]): Promise<void> {
    const unsettled = Map.groupBy(group, ({ name }) => objectOf(name, 'task'));
    /** Settles the promises of a step that is done. */
    const settle = (name: StepName): void => {
      const task = objectOf(name, 'task');
      for (const { fetchResults, resolve, reject } of unsettled.get(task) ?? []) fetchResults().then(resolve, reject);
      unsettled.delete(task);
    };
    /** One of each group of equal steps. */
    const steps = (): Waiting[] => [...unsettled.values()].map(([step]) => step);
    const doUnsettled = (): Promise<void> => {
      const names = steps().map(({ name }) => name);
      return this.#options.doSteps(names, settle);
    };
    /** Sends the inputs that the store lacks; true when there were any. */
    const sendLostInputs = async (): Promise<boolean> => {
      const areSent = await mapTransfers(steps(), ({ send }) => send());
      return areSent.includes(true);
    };
    try {
      try {
        await doUnsettled();
      } catch (error) {
        // The steps were only listed, and the build ends.
        if (error instanceof StepsListed) throw error;
        // Workers remove damaged inputs. If some were removed, they are sent, and the steps are tried once more.
        if (!(await sendLostInputs())) throw error;
        await doUnsettled();
      }
      // Those that `doSteps` has not reported one by one.
      for (const { name } of steps()) settle(name);
    } catch (error) {
      for (const { reject } of [...unsettled.values()].flat()) reject(error);
    }
  }

  /**
   * Puts the inputs and the task of a step into the store, unless the step is done.
   * @param sendInputs sends the inputs that the store lacks; true when there were any
   * @returns with `send`, which does this again when the store has lost something
   */
  async #prepared(step: Step, fetchResults: Prepared['fetchResults'], sendInputs: Prepared['send']): Promise<Prepared> {
    const { store } = this.#options;
    const name = nameOf(step);
    const task = objectOf(name, 'task');
    const send = async (): Promise<boolean> => {
      const isSent = await sendInputs();
      const text = JSON.stringify(step);
      if ((await store.read(task))?.toString() === text) return isSent;
      await this.#sendFile(task, (path) => writeFile(path, text));
      return true;
    };
    if (await isDone(store, name)) return { name, isDone: true, fetchResults, send };
    await send();
    return { name, isDone: false, fetchResults, send };
  }

  /** Prepares the step that reads a city model. */
  async #read({ input, folder }: ReadTask): Promise<Prepared> {
    const { program } = this.#options;
    // As an error of the step, like those of workers.
    const sha256 = await sha256Of(input).catch((error: Error) => {
      throw new TaskError(error.message, error.name, (error as NodeJS.ErrnoException).code);
    });
    const step: ReadStep = { step: 'read', program, label: basename(input.label), sha256 };
    const name = nameOf(step);
    // The list of portions is written last: when it is there, the portions are. It names the file of which they are.
    const fetchResults = async (): Promise<void> => {
      const listObject = objectOf(name, DONE_MARK.read);
      if (!(await this.#copyIfThere(listObject, listPath(folder)))) throw await this.#failureOf(name, input.name);
      await this.#resultsOfStep(listObject, async () => {
        const { list } = await readPortionList(folder);
        await mapTransfers(list.squares, ({ square }) =>
          this.#copyNeeded(objectOf(name, square), portionPath(folder, square)),
        );
        return list.sha256 === sha256 && list.label === step.label;
      });
    };
    const object = inputObject(sha256);
    const sendInput = (): Promise<void> =>
      input.entry === null
        ? this.#options.store.put(object, input.path)
        : this.#sendFile(object, (path) => pipeline(openInput(input), createWriteStream(path)));
    return this.#prepared(step, fetchResults, () => this.#sendUnlessThere(object, sendInput));
  }

  /** Prepares the step that merges the portions of a grid square. */
  async #merge(task: MergeTask): Promise<Prepared> {
    const { square, portions, heights, out } = task;
    this.#towns ??= this.#sendTowns().then(({ sha256 }) => sha256);
    const step: MergeStep = {
      step: 'merge',
      program: this.#options.program,
      square,
      heights,
      towns: await this.#towns,
      portions: await mapTransfers(portions, (portion) => this.#portionOfStep(portion)),
    };
    const name = nameOf(step);
    // `#compute` finds the step of a square by its file.
    this.#merges.set(out, name.key);
    // Bodies of joined buildings may be in other portions.
    const bodies = portions.flatMap(({ joins }) => joins.flatMap((join) => join.bodies));
    const folders = new Set([...portions, ...bodies].map(({ path }) => dirname(path)));
    // True when the store lacked some of the inputs.
    const sendMissing = async (): Promise<boolean> => {
      const { isSent } = await this.#sendTowns();
      const areSent = await mapTransfers([...folders], (folder) => this.#sendPortions(folder));
      return isSent || areSent.includes(true);
    };
    return this.#prepared(step, () => this.#fetchMerged(name, task), sendMissing);
  }

  /**
   * Copies the results of a merge to the paths of its task. A store may hold files of another square at their names, by
   * damage or by a foreign hand: then the step is done again (`#resultsOfStep`). A square without buildings has no files.
   */
  async #fetchMerged(name: StepName, { square, out, treeOut, namesOut }: MergeTask): Promise<MergedSquare> {
    const mergedFile = `${out}.${MERGED}`;
    const mergedObject = objectOf(name, MERGED);
    await this.#copyNeeded(mergedObject, mergedFile);
    return this.#resultsOfStep(mergedObject, async () => {
      const { meta: merged } = await readColumnFile<MergedSquare>(MERGED, mergedFile);
      if (merged.square === null) return merged;
      await this.#copyNeeded(objectOf(name, 'square'), out);
      await this.#copyNeeded(objectOf(name, 'tree'), treeOut);
      await this.#copyNeeded(objectOf(name, 'names'), namesOut);
      const isOfThisStep =
        merged.square.square === square && contentDigest(await readFile(out)) === merged.square.digest;
      return isOfThisStep ? merged : false;
    });
  }

  /** Prepares the step that computes a grid square. */
  async #compute({ unit, common, terrain, out }: ComputeTask): Promise<Prepared> {
    // The keys of the steps that have merged the squares.
    const merged = unit.needs.map(({ square }) => {
      const squareFile = common.get(square)?.squareFile;
      const key = squareFile && this.#merges.get(squareFile);
      if (key === undefined) throw new Error(`grid square ${square} is needed, but was not merged`);
      return key;
    });
    const step: ComputeStep = { step: 'compute', program: this.#options.program, unit, merged };
    const resultsObject = objectOf(nameOf(step), DONE_MARK.compute);
    const fetchResults = async (): Promise<void> => {
      await this.#copyNeeded(resultsObject, out);
      await this.#resultsOfStep(resultsObject, async () => checkedResults(out, unit) !== null);
    };
    const needs = unit.terrain?.needs ?? [];
    // True when the store lacked some of the terrain.
    const sendTerrain = async (): Promise<boolean> => {
      const areSent = await mapTransfers(needs, ({ digest }, i) => {
        const name = terrainObject(digest);
        return this.#sendUnlessThere(name, () => this.#options.store.put(name, terrain[i]));
      });
      return areSent.includes(true);
    };
    return this.#prepared(step, fetchResults, sendTerrain);
  }

  /**
   * A portion of a merge, with names in place of paths: the rows to drop, and for the first body of a building the rows
   * of its further bodies, maybe in other portions.
   */
  async #portionOfStep({ path, drop, joins }: MergeTask['portions'][number]): Promise<MergeStep['portions'][number]> {
    const namedBody = async (body: { path: string; row: number }) => ({
      ...(await this.#portionAt(body.path)),
      row: body.row,
    });
    return {
      ...(await this.#portionAt(path)),
      drop: [...drop],
      joins: await mapTransfers(joins, async ({ row, bodies }) => ({
        row,
        bodies: await mapTransfers(bodies, namedBody),
      })),
    };
  }

  /** The name of a portion of this build for other machines. */
  async #portionAt(path: string): Promise<PortionName> {
    return { read: nameOf(await this.#readStepOf(dirname(path))).key, square: basename(path) };
  }

  /** The step whose portions are in a folder, by their list there: an earlier build may have made them. */
  #readStepOf(folder: string): Promise<ReadStep> {
    const { program } = this.#options;
    const step =
      this.#reads.get(folder) ??
      readPortionList(folder).then(
        ({ list: { label, sha256 } }): ReadStep => ({ step: 'read', program, label, sha256 }),
      );
    this.#reads.set(folder, step);
    return step;
  }

  /**
   * Makes sure that the store has the portions in a folder. They may come from a build with another store.
   * @returns true when they had to be sent
   */
  async #sendPortions(folder: string): Promise<boolean> {
    const name = nameOf(await this.#readStepOf(folder));
    if (await isDone(this.#options.store, name)) return false;
    const { list } = await readPortionList(folder);
    const send = (file: string): Promise<void> =>
      this.#sendFile(objectOf(name, file), (path) => copyFile(join(folder, file), path));
    await mapTransfers(list.squares, ({ square }) => send(square));
    await send(DONE_MARK.read);
    return true;
  }

  /** Copies an object to a path. Returns false when the store does not have it. */
  async #copyIfThere(object: string, path: string): Promise<boolean> {
    await mkdir(dirname(path), { recursive: true });
    return this.#options.store.get(object, path);
  }

  /**
   * Copies an object to a path.
   * @throws MissingError when the store does not have it
   */
  async #copyNeeded(object: string, path: string): Promise<void> {
    if (!(await this.#copyIfThere(object, path))) throw this.#missing(object);
  }

  /** The error for an object that the store does not have. */
  #missing(object: string): MissingError {
    return new MissingError(`${this.#options.store.address}: has no ${object}`);
  }

  /**
   * The results of a step: what `read` gives.
   * @param object the name of a result in the store, for the error
   * @param read reads and checks the results; false when they belong to another step
   * @throws MissingError when they are damaged or belong to another step: then the step is done again
   */
  async #resultsOfStep<T>(object: string, read: () => Promise<T | false>): Promise<T> {
    const results = await read().catch((error: unknown) => {
      if (error instanceof ColumnFileError) return false as const;
      throw error;
    });
    if (results !== false) return results;
    throw new MissingError(`${this.#options.store.address}: ${object} is not the result of its step`);
  }

  /** Why a city model cannot be read, with its name in this build. */
  async #failureOf(name: StepName, input: string): Promise<Error> {
    const failed = await this.#options.store.read(objectOf(name, 'failed'));
    if (failed === null) return this.#missing(objectOf(name, DONE_MARK.read));
    const failure: ReadFailure = JSON.parse(failed.toString());
    // The file is not at fault: as results that are missing, the step is done again.
    if (!FILE_ERRORS.has(failure.name)) return this.#missing(objectOf(name, DONE_MARK.read));
    return new TaskError(
      // A function, because a `$` in a text would have a meaning.
      failure.message.replace(failure.label, () => input),
      failure.name,
    );
  }

  /** Sends an object unless the store has it. True when it was sent. */
  async #sendUnlessThere(name: string, send: () => Promise<void>): Promise<boolean> {
    if (await this.#options.store.has(name)) return false;
    await send();
    return true;
  }

  /** The towns of the build, and whether they had to be sent. */
  async #sendTowns(): Promise<{ sha256: string | null; isSent: boolean }> {
    const { towns } = this.#options;
    if (towns.length === 0) return { sha256: null, isSent: false };
    const bytes = serialize(towns);
    const sha256 = hash('sha256', bytes);
    const name = townsObject(sha256);
    const send = (): Promise<void> => this.#sendFile(name, (path) => writeFile(path, bytes));
    return { sha256, isSent: await this.#sendUnlessThere(name, send) };
  }

  /** Sends the file that `write` writes. */
  #sendFile(name: string, write: (path: string) => Promise<void>): Promise<void> {
    return this.#options.store.putMade(name, this.#options.folder, write);
  }
}
