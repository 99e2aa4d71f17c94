import { mkdir, readdir, rm, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { encodeColumns, readColumnFile } from '../formats/column-file.ts';
import { buildThreads } from '../pipeline/build.ts';
import type { ComputeTask, ShadingFiles } from '../pipeline/compute-stage.ts';
import type { MergedSquare, MergeTask } from '../pipeline/merge-stage.ts';
import type { ReadTask } from '../pipeline/read-stage.ts';
import { TaskError, type WorkerPool } from '../pipeline/worker-pool.ts';
import { StoreError } from '../store/object-store.ts';
import type { StepStore } from './step-store.ts';
import {
  type ComputeStep,
  inputObject,
  LAST,
  MERGED,
  type MergedElsewhere,
  type MergeStep,
  objectOf,
  type PartName,
  type ReadFailure,
  type ReadStep,
  type StepName,
  stepIn,
  terrainObject,
  townsObject,
} from './steps.ts';

/** The step belongs to a build by another version of the program, which would have other results. */
export class OtherProgramError extends Error {
  override name = 'OtherProgramError';
}

/** Limit of the fetched bytes that stay on disk. */
const CACHE_BYTES = 20e9;

/** Does steps of builds: fetches the objects of a step, lets a thread compute it, and stores the results. */
export class StepWorker {
  readonly threads: WorkerPool;
  readonly #store: StepStore;
  readonly #folder: string;
  readonly #program: string;
  /** Objects on disk by name, the one used last at the end. Objects in use stay. */
  readonly #fetched = new Map<string, Fetched>();
  readonly #doing = new Map<string, Promise<void>>();
  readonly #again = new Map<string, Promise<void>>();

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
   * Does a step, unless its results are in the store.
   * @throws OtherProgramError, StoreError, TaskError
   */
  async do(name: StepName): Promise<void> {
    const id = objectOf(name, 'task');
    const done = this.#doing.get(id) ?? this.#doUnlessDone(name).finally(() => this.#doing.delete(id));
    this.#doing.set(id, done);
    await done;
  }

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
    const used: Fetched[] = [];
    const hold = (object: string): Promise<string> => {
      const found = this.#fetch(object);
      used.push(found);
      return found.path;
    };
    const fetched: Fetch = {
      named: hold,
      of: async (made, file) => {
        const object = objectOf(made, file);
        return hold(object).catch((error) => this.#madeAgain(made, error).then(() => hold(object)));
      },
    };
    try {
      if (step.step === 'read') await this.#read(step, out, fetched);
      else if (step.step === 'merge') await this.#merge(step, out, fetched);
      else await this.#compute(step, out, fetched);
      await this.#storeAll(name, out);
    } finally {
      await rm(out, { recursive: true, force: true });
      for (const object of used) object.users--;
      await this.#makeRoom();
    }
  }

  /** Repeats the step whose result is missing or damaged; once for all callers that need it. */
  #madeAgain(made: StepName, error: unknown): Promise<void> {
    if (!(error instanceof MissingError)) throw error;
    const id = objectOf(made, 'task');
    const again =
      this.#again.get(id) ??
      undo(this.#store, made)
        .then(() => this.do(made))
        .finally(() => this.#again.delete(id));
    this.#again.set(id, again);
    return again;
  }

  async #read({ label, sha256 }: ReadStep, out: string, fetched: Fetch): Promise<void> {
    const path = await fetched.named(inputObject(sha256));
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

  async #merge({ square, parts, heights, towns }: MergeStep, out: string, fetched: Fetch): Promise<void> {
    const partAt = (part: PartName): Promise<string> => fetched.of({ step: 'read', key: part.read }, part.square);
    const task: MergeTask = {
      kind: 'merge',
      name: `grid square ${square}`,
      square,
      heights,
      parts: await each(parts, async ({ drop, joins, ...part }) => ({
        path: await partAt(part),
        drop: Uint32Array.from(drop),
        joins: await each(joins, async ({ row, bodies }) => ({
          row,
          bodies: await each(bodies, async (body) => ({ path: await partAt(body), row: body.row })),
        })),
      })),
      townsFile: towns === null ? null : await fetched.named(townsObject(towns)),
      withPlane: false,
      out: join(out, 'square'),
      treeOut: join(out, 'tree'),
      namesOut: join(out, 'names'),
    };
    const { plane: _, ...meta } = await this.threads.run<MergedSquare>(task);
    await writeFile(join(out, MERGED), encodeColumns<MergedElsewhere>(MERGED, { meta, columns: {} }));
  }

  async #compute({ unit, merged }: ComputeStep, out: string, fetched: Fetch): Promise<void> {
    const files = await each(unit.needs, async (need, i) => {
      const of = (file: string): Promise<string> => fetched.of({ step: 'merge', key: merged[i] }, file);
      const [about, squareFile, path] = await Promise.all([of(MERGED), of('square'), of('tree')]);
      const { square, tree } = (await readColumnFile<MergedElsewhere>(MERGED, about)).meta;
      const zone = square?.zone ?? unit.zone;
      return [need.square, { squareFile, zone, plane: null, tree: tree && { path, entry: tree } }] as const;
    });
    const common: ShadingFiles = new Map(files);
    const name = `grid square ${unit.square}`;
    const terrain = await each(unit.terrain?.needs ?? [], ({ digest }) => fetched.named(terrainObject(digest)));
    const results = join(out, LAST.compute);
    const task: ComputeTask = { kind: 'compute', name, unit, common, terrain, out: results, sun: null };
    await this.threads.run(task);
  }

  /** The file that marks the step as done is stored last. */
  async #storeAll(name: StepName, out: string): Promise<void> {
    const last = LAST[name.step];
    const files = await readdir(out);
    await each(
      files.filter((file) => file !== last),
      (file) => this.#store.put(objectOf(name, file), join(out, file)),
    );
    if (files.includes(last)) await this.#store.put(objectOf(name, last), join(out, last));
  }

  /** An object as a local file, with one more user. It becomes the last one to be removed. */
  #fetch(name: string): Fetched {
    const path = join(this.#folder, 'fetched', ...name.split('/'));
    const known = this.#fetched.get(name) ?? { path: this.#get(name, path), bytes: 0, users: 0 };
    known.users++;
    this.#fetched.delete(name);
    this.#fetched.set(name, known);
    return known;
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
      this.#fetched.delete(name); // It is fetched again when it is needed.
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

interface Fetched {
  path: Promise<string>;
  bytes: number;
  users: number;
}

/** Fetches an object by its name, or a result of another step. A missing result is computed again. */
interface Fetch {
  named(object: string): Promise<string>;
  of(made: StepName, file: string): Promise<string>;
}

/** The store has no undamaged object of this name. */
export class MissingError extends StoreError {
  override name = 'MissingError';
}

/** Removes the file that marks a step as done. */
export async function undo(store: StepStore, name: StepName): Promise<void> {
  for (const file of isDoneBy(name)) await store.remove(objectOf(name, file));
}

const isDoneBy = ({ step }: StepName): string[] => (step === 'read' ? [LAST.read, 'failed'] : [LAST[step]]);

/** True when the store has the results of a step, or the reason why there will be none. */
export async function isDone(store: StepStore, name: StepName): Promise<boolean> {
  for (const file of isDoneBy(name)) if (await store.has(objectOf(name, file))) return true;
  return false;
}

export function otherProgram(theirs: string, ours: string): OtherProgramError {
  return new OtherProgramError(
    `the build is by program ${theirs.slice(0, 12)}, this is ${ours.slice(0, 12)}: ` +
      'results of different versions do not go together; bring this machine to the version of the build',
  );
}

/** Number of objects of a step that are transferred at a time. */
const AT_A_TIME = 8;

/** `Promise.all` over `map` with a limited number of running calls. */
export async function each<T, R>(items: readonly T[], work: (item: T, index: number) => Promise<R>): Promise<R[]> {
  const results: R[] = new Array(items.length);
  let next = 0;
  const walk = async (): Promise<void> => {
    for (let i = next++; i < items.length; i = next++) results[i] = await work(items[i], i);
  };
  await Promise.all(Array.from({ length: Math.min(AT_A_TIME, items.length) }, walk));
  return results;
}
