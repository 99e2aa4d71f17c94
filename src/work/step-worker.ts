import { mkdir, readdir, rm, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { encodeColumns, readColumnFile } from '../formats/column-file.ts';
import { mapInParallel } from '../formats/in-parallel.ts';
import { buildThreads } from '../pipeline/build.ts';
import type { ComputeTask, ShadingFiles } from '../pipeline/compute-stage.ts';
import type { MergedSquare, MergeTask } from '../pipeline/merge-stage.ts';
import type { ReadTask } from '../pipeline/read-stage.ts';
import { TaskError, type WorkerPool } from '../pipeline/worker-pool.ts';
import { StoreError } from '../store/object-store.ts';
import type { StepStore } from './step-store.ts';
import {
  type ComputeStep,
  DONE_MARK,
  inputObject,
  MERGED,
  type MergeStep,
  objectOf,
  type PortionName,
  type ReadFailure,
  type ReadStep,
  type StepName,
  stepIn,
  terrainObject,
  townsObject,
} from './steps.ts';

/** A step belongs to a build by another version of the program, which would have other results. */
export class OtherProgramError extends Error {
  override name = 'OtherProgramError';
}

/** Limit of the fetched objects that stay on disk, bytes. */
const CACHE_BYTES = 20e9;

/** Does steps of builds: fetches the objects of a step, lets a thread compute it, and stores the results. */
export class StepWorker {
  readonly threads: WorkerPool;
  readonly #store: StepStore;
  readonly #folder: string;
  readonly #program: string;
  /** Objects on disk by name, the one used last at the end. Objects in use stay. */
  readonly #fetched = new Map<string, Fetched>();
  /** Steps that are being done, and steps that are being repeated, by the names of their tasks. */
  readonly #running = new Map<string, Promise<void>>();
  readonly #redoing = new Map<string, Promise<void>>();

  /**
   * @param folder for fetched and computed files; it is created, and emptied by `close`
   * @param replaced called for each thread that hung at its start
   */
  constructor(
    store: StepStore,
    folder: string,
    threads: number,
    program: string,
    replaced?: (problem: string) => void,
  ) {
    this.#store = store;
    this.#folder = folder;
    this.#program = program;
    this.threads = buildThreads(threads, [], replaced);
  }

  /**
   * Does a step, unless its results are in the store. A step that is being done is not begun a second time.
   * @throws OtherProgramError when the step is one of another version of the program
   * @throws StoreError when the store lacks what the step needs, or refuses its results
   * @throws TaskError when the thread fails
   */
  async do(name: StepName): Promise<void> {
    const id = objectOf(name, 'task');
    const step = this.#running.get(id) ?? this.#doUnlessDone(name).finally(() => this.#running.delete(id));
    this.#running.set(id, step);
    await step;
  }

  /** Ends the threads and removes all files. */
  async close(): Promise<void> {
    await this.threads.stop();
    await rm(this.#folder, { recursive: true, force: true });
  }

  /** Does a step and stores its results, unless the store has them. What it needs is fetched from the store first. */
  async #doUnlessDone(name: StepName): Promise<void> {
    if (await isDone(this.#store, name)) return;
    const text = await this.#store.read(objectOf(name, 'task'));
    if (text === null) {
      throw new StoreError(`${this.#store.address}: has no ${objectOf(name, 'task')}: is it the store of the build?`);
    }
    const step = stepIn(text, name);
    if (step.program !== this.#program) throw otherProgram(step.program, this.#program);
    const out = join(this.#folder, 'made', name.step, name.key);
    await mkdir(out, { recursive: true });
    const inUse: Fetched[] = [];
    const fetchObject = (object: string): Promise<string> => {
      const fetched = this.#fetch(object);
      inUse.push(fetched);
      return fetched.path;
    };
    const fetchResult = async (of: StepName, file: string): Promise<string> => {
      const object = objectOf(of, file);
      return fetchObject(object).catch(async (error: unknown) => {
        if (!(error instanceof MissingError)) throw error;
        await this.#redo(of);
        return fetchObject(object);
      });
    };
    const inputs: Inputs = { fetchObject, fetchResult };
    try {
      if (step.step === 'read') await this.#read(step, out, inputs);
      else if (step.step === 'merge') await this.#merge(step, out, inputs);
      else await this.#compute(step, out, inputs);
      await this.#storeAll(name, out);
    } finally {
      await rm(out, { recursive: true, force: true });
      // `#fetch` has counted them as used.
      for (const fetched of inUse) fetched.users--;
      await this.#makeRoom();
    }
  }

  /** Does a step again whose result is missing or damaged; once for all callers that need it. */
  #redo(name: StepName): Promise<void> {
    const id = objectOf(name, 'task');
    const redone =
      this.#redoing.get(id) ??
      undo(this.#store, name)
        .then(() => this.do(name))
        .finally(() => this.#redoing.delete(id));
    this.#redoing.set(id, redone);
    return redone;
  }

  /** Reads a city model into portions in `out`; or writes there why it cannot be read. */
  async #read({ label, sha256 }: ReadStep, out: string, inputs: Inputs): Promise<void> {
    const path = await inputs.fetchObject(inputObject(sha256));
    const { size } = await stat(path);
    const input = { name: label, label, kind: 'buildings', size, path, entry: null } as const;
    const task: ReadTask = { kind: 'read', name: label, input, folder: out };
    try {
      await this.threads.run(task);
    } catch (error) {
      if (!(error instanceof TaskError && error.isOfFile)) throw error;
      await rm(out, { recursive: true });
      await mkdir(out);
      const failure: ReadFailure = { label, name: error.causeName ?? '', message: error.message };
      await writeFile(join(out, 'failed'), JSON.stringify(failure));
    }
  }

  /** Merges the portions of a grid square into files in `out`. */
  async #merge({ square, portions, heights, towns }: MergeStep, out: string, inputs: Inputs): Promise<void> {
    const portionAt = (portion: PortionName): Promise<string> =>
      inputs.fetchResult({ step: 'read', key: portion.read }, portion.square);
    const task: MergeTask = {
      kind: 'merge',
      name: `grid square ${square}`,
      square,
      heights,
      portions: await mapTransfers(portions, async ({ drop, joins, ...portion }) => ({
        path: await portionAt(portion),
        drop: Uint32Array.from(drop),
        joins: await mapTransfers(joins, async ({ row, bodies }) => ({
          row,
          bodies: await mapTransfers(bodies, async (body) => ({ path: await portionAt(body), row: body.row })),
        })),
      })),
      townsFile: towns === null ? null : await inputs.fetchObject(townsObject(towns)),
      out: join(out, 'square'),
      treeOut: join(out, 'tree'),
      namesOut: join(out, 'names'),
    };
    const meta = await this.threads.run<MergedSquare>(task);
    await writeFile(join(out, MERGED), encodeColumns<MergedSquare>(MERGED, { meta, columns: {} }));
  }

  /** Computes a grid square. Its result file goes to `out`. */
  async #compute({ unit, merged }: ComputeStep, out: string, inputs: Inputs): Promise<void> {
    const files = await mapTransfers(unit.needs, async (need, i) => {
      const fetched = (file: string): Promise<string> => inputs.fetchResult({ step: 'merge', key: merged[i] }, file);
      const [metaFile, squareFile, treeFile] = await Promise.all([fetched(MERGED), fetched('square'), fetched('tree')]);
      // Both are null for a square without buildings.
      const { square, tree: entry } = (await readColumnFile<MergedSquare>(MERGED, metaFile)).meta;
      const zone = square?.zone ?? unit.zone;
      const tree = entry && { path: treeFile, entry };
      return [need.square, { squareFile, zone, tree }] as const;
    });
    const shading: ShadingFiles = new Map(files);
    const name = `grid square ${unit.square}`;
    const terrain = await mapTransfers(unit.terrain?.needs ?? [], ({ digest }) =>
      inputs.fetchObject(terrainObject(digest)),
    );
    // The result file also marks the step as done.
    const results = join(out, DONE_MARK.compute);
    const task: ComputeTask = { kind: 'compute', name, unit, common: shading, terrain, out: results };
    await this.threads.run(task);
  }

  /** Stores the results of a step. The file that marks the step as done comes last. */
  async #storeAll(name: StepName, out: string): Promise<void> {
    const last = DONE_MARK[name.step];
    const files = await readdir(out);
    await mapTransfers(
      files.filter((file) => file !== last),
      (file) => this.#store.put(objectOf(name, file), join(out, file)),
    );
    if (files.includes(last)) await this.#store.put(objectOf(name, last), join(out, last));
  }

  /**
   * Fetches an object, unless it is on disk, and counts a user. Put at the end of the map, which is in the order of the
   * last use, it is the last one that `#makeRoom` removes.
   */
  #fetch(name: string): Fetched {
    const path = join(this.#folder, 'fetched', ...name.split('/'));
    const fetched = this.#fetched.get(name) ?? { path: this.#get(name, path), bytes: 0, users: 0 };
    fetched.users++;
    this.#fetched.delete(name);
    this.#fetched.set(name, fetched);
    return fetched;
  }

  /**
   * Copies an object of the store to `path`, and notes its size for `#makeRoom`.
   * @returns the path
   * @throws MissingError when the store does not have it
   */
  async #get(name: string, path: string): Promise<string> {
    try {
      if (!(await this.#store.get(name, path))) throw new MissingError(`${this.#store.address}: has no ${name}`);
      const { size } = await stat(path);
      const fetched = this.#fetched.get(name);
      if (fetched !== undefined) fetched.bytes = size;
      return path;
    } catch (error) {
      // It is fetched again when it is needed.
      this.#fetched.delete(name);
      throw error;
    }
  }

  /** Removes the files that were used longest ago until the others fit. */
  async #makeRoom(): Promise<void> {
    let bytes = this.#fetched.values().reduce((sum, fetched) => sum + fetched.bytes, 0);
    for (const [name, fetched] of this.#fetched) {
      if (bytes <= CACHE_BYTES) break;
      if (fetched.users > 0) continue;
      this.#fetched.delete(name);
      bytes -= fetched.bytes;
      await rm(await fetched.path, { force: true });
    }
  }
}

/** An object on disk. */
interface Fetched {
  path: Promise<string>;
  /** 0 until it is there. */
  bytes: number;
  /** Number of running steps that need it. */
  users: number;
}

/** Fetches what a step needs, and gives the paths of the files. */
interface Inputs {
  /** Fetches an object of the store. */
  fetchObject(name: string): Promise<string>;
  /** Fetches a file of another step. When it is missing, that step is repeated. */
  fetchResult(of: StepName, file: string): Promise<string>;
}

/** The store has no undamaged object of this name. */
export class MissingError extends StoreError {
  override name = 'MissingError';
}

/** Removes the file that marks a step as done. */
export async function undo(store: StepStore, name: StepName): Promise<void> {
  for (const file of doneMarks(name)) await store.remove(objectOf(name, file));
}

/** The files of which each marks a step as done. */
const doneMarks = ({ step }: StepName): string[] => (step === 'read' ? [DONE_MARK.read, 'failed'] : [DONE_MARK[step]]);

/** True when the store has the results of a step, or the reason why there will be none. */
export async function isDone(store: StepStore, name: StepName): Promise<boolean> {
  for (const file of doneMarks(name)) if (await store.has(objectOf(name, file))) return true;
  return false;
}

/**
 * The error for steps of another version of the program.
 * @param theirs identity of the program that coordinates the build
 */
export function otherProgram(theirs: string, ours: string): OtherProgramError {
  return new OtherProgramError(
    `the build is by program ${theirs.slice(0, 12)}, this is ${ours.slice(0, 12)}: ` +
      'results of different versions do not go together; bring this machine to the version of the build',
  );
}

/** Number of objects of a step that are transferred at a time. */
const AT_A_TIME = 8;

/** The results of `work` for each of some objects or steps, a limited number at a time (`mapInParallel`). */
export const mapTransfers = <T, R>(items: readonly T[], work: (item: T, index: number) => Promise<R>): Promise<R[]> =>
  mapInParallel(items, AT_A_TIME, work);
