import { createHash } from 'node:crypto';
import { createWriteStream } from 'node:fs';
import { mkdir, writeFile } from 'node:fs/promises';
import { basename, dirname } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { serialize } from 'node:v8';
import type { Town } from '../census/town.ts';
import { readColumnFile } from '../formats/column-file.ts';
import type { ComputeTask } from '../pipeline/compute-square.ts';
import { type Input, openInput } from '../pipeline/inputs.ts';
import type { MergedSquare, MergeTask } from '../pipeline/merge-square.ts';
import { listPath, partPath, readPartList } from '../pipeline/part-file.ts';
import type { ReadTask } from '../pipeline/read-stage.ts';
import { type Runner, type Task, TaskError } from '../pipeline/worker-pool.ts';
import { type ObjectStore, putMade, StoreError } from '../store/object-store.ts';
import { each, isDone } from './step-worker.ts';
import {
  type ComputeStep,
  digest,
  LAST,
  MERGED,
  type MergedElsewhere,
  type MergeStep,
  nameOf,
  objectOf,
  type ReadFailure,
  type ReadStep,
  type Step,
  type StepName,
} from './steps.ts';

/**
 * Has steps done whose tasks are in the store; resolves when their results are there, and calls `done` for those that
 * it knows to be there before.
 */
export type Fulfil = (steps: readonly StepName[], done: (step: StepName) => void) => Promise<void>;

interface StepRunnerOptions {
  store: ObjectStore;
  /** What writes the dataset: threads of this process. */
  threads: Runner;
  program: string;
  towns: readonly Town[];
  /** For what is on its way to the store. */
  folder: string;
  fulfil: Fulfil;
}

/** A task that became a step. */
interface Prepared {
  name: StepName;
  isDone: boolean;
  /** Copies the results to where the task expects them. */
  take(): Promise<unknown>;
}

interface Waiting extends Prepared {
  resolve(result: unknown): void;
  reject(error: unknown): void;
}

/** Steps that are looked up at a time, and their inputs sent where they are missing. */
const PREPARED_AT_A_TIME = 8;
/** How long to wait for a further step before those that have come are handed out, milliseconds. */
const QUIET_MS = 50;

/**
 * Runs the tasks of a build by way of a store: each becomes a step, which is done unless its results are there, and these
 * are copied to where the task expects them. All that a stage asks for is gathered before it is handed out. Tasks that write
 * the dataset run on the threads.
 */
export class StepRunner implements Runner {
  readonly size: number;
  readonly #options: StepRunnerOptions;
  /** Names of objects by the paths at which this build has them. */
  readonly #names = new Map<string, string>();
  readonly #line: (() => void)[] = [];
  #preparing = 0;
  #waiting: Waiting[] = [];
  #isGivenOut = false;
  #timer: NodeJS.Timeout | undefined;
  #towns: Promise<string | null> | null = null;

  constructor(options: StepRunnerOptions) {
    this.#options = options;
    this.size = options.threads.size;
  }

  run<Result>(task: Task): Promise<Result> {
    const prepare = this.#preparation(task);
    return prepare === null ? this.#options.threads.run<Result>(task) : (this.#byStep(prepare) as Promise<Result>);
  }

  stop(): Promise<void> {
    return this.#options.threads.stop();
  }

  #preparation(task: Task): (() => Promise<Prepared>) | null {
    if (task.kind === 'read') return () => this.#read(task as ReadTask);
    if (task.kind === 'merge') return () => this.#merge(task as MergeTask);
    if (task.kind === 'compute') return () => this.#compute(task as ComputeTask);
    return null;
  }

  async #byStep(prepare: () => Promise<Prepared>): Promise<unknown> {
    while (this.#preparing >= PREPARED_AT_A_TIME) await new Promise<void>((next) => this.#line.push(next));
    this.#preparing++;
    let prepared: Prepared;
    try {
      prepared = await prepare();
    } finally {
      this.#preparing--;
      this.#line.shift()?.();
      this.#giveOutSoon();
    }
    if (prepared.isDone) return prepared.take();
    return new Promise((resolve, reject) => this.#waiting.push({ ...prepared, resolve, reject }));
  }

  #giveOutSoon(): void {
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => void this.#giveOut(), QUIET_MS);
  }

  async #giveOut(): Promise<void> {
    if (this.#preparing > 0 || this.#isGivenOut || this.#waiting.length === 0) return;
    const gathered = Map.groupBy(this.#waiting, ({ name }) => objectOf(name, ''));
    this.#waiting = [];
    this.#isGivenOut = true;
    const settle = (name: StepName): void => {
      for (const { take, resolve, reject } of gathered.get(objectOf(name, '')) ?? []) take().then(resolve, reject);
      gathered.delete(objectOf(name, ''));
    };
    const names = [...gathered.values()].map(([{ name }]) => name);
    try {
      await this.#options.fulfil(names, settle);
      for (const name of names) settle(name);
    } catch (error) {
      for (const { reject } of [...gathered.values()].flat()) reject(error);
    }
    this.#isGivenOut = false;
    this.#giveOutSoon();
  }

  /** The step with its task in the store, unless it is done; `send` sees that what it needs is there too. */
  async #prepared(step: Step, take: Prepared['take'], send: () => Promise<void> = async () => {}): Promise<Prepared> {
    const { store } = this.#options;
    const name = nameOf(step);
    if (await isDone(store, name)) return { name, isDone: true, take };
    await send();
    await this.#put(objectOf(name, 'task'), JSON.stringify(step));
    return { name, isDone: false, take };
  }

  async #read({ input, folder }: ReadTask): Promise<Prepared> {
    const { program } = this.#options;
    const sha256 = await contentOf(input).catch((error: Error) => {
      throw new TaskError(error.message, error.name, (error as NodeJS.ErrnoException).code);
    });
    const step: ReadStep = { step: 'read', program, label: basename(input.label), sha256 };
    const name = nameOf(step);
    const take = async (): Promise<void> => {
      if (!(await this.#take(objectOf(name, LAST.read), listPath(folder))))
        throw await this.#failureOf(name, input.name);
      const { list } = await readPartList(folder);
      await each(list.squares, ({ square }) => this.#takeAll(objectOf(name, square), partPath(folder, square)));
    };
    return this.#prepared(step, take, () => this.#sendInput(`inputs/${sha256}`, input));
  }

  async #merge({ square, parts, out, treeOut, namesOut }: MergeTask): Promise<Prepared> {
    this.#towns ??= this.#sendTowns();
    const step: MergeStep = {
      step: 'merge',
      program: this.#options.program,
      square,
      towns: await this.#towns,
      parts: parts.map(({ path, drop, joins }) => ({
        name: this.#nameAt(path),
        drop: [...drop],
        joins: joins.map(({ row, bodies }) => ({
          row,
          bodies: bodies.map((body) => ({ name: this.#nameAt(body.path), row: body.row })),
        })),
      })),
    };
    const name = nameOf(step);
    const take = async (): Promise<MergedSquare> => {
      const about = `${out}.${MERGED}`;
      await this.#takeAll(objectOf(name, MERGED), about);
      const { meta } = await readColumnFile<MergedElsewhere>(MERGED, about);
      if (meta.square !== null) {
        await this.#takeAll(objectOf(name, 'square'), out);
        await this.#takeAll(objectOf(name, 'tree'), treeOut);
        await this.#takeAll(objectOf(name, 'names'), namesOut);
      }
      return { ...meta, plane: null };
    };
    return this.#prepared(step, take);
  }

  #compute({ unit, common, out }: ComputeTask): Promise<Prepared> {
    const merged = unit.needs.map(({ square }) =>
      dirname(this.#nameAt(common.get(square)?.squareFile ?? square)).replace('merge/', ''),
    );
    const step: ComputeStep = { step: 'compute', program: this.#options.program, unit, merged };
    return this.#prepared(step, () => this.#takeAll(objectOf(nameOf(step), LAST.compute), out));
  }

  #nameAt(path: string): string {
    const name = this.#names.get(path);
    if (name === undefined) throw new StoreError(`${path}: did not come from the store`);
    return name;
  }

  async #take(object: string, path: string): Promise<boolean> {
    this.#names.set(path, object);
    await mkdir(dirname(path), { recursive: true });
    return this.#options.store.get(object, path);
  }

  async #takeAll(object: string, path: string): Promise<void> {
    if (!(await this.#take(object, path))) throw new StoreError(`${this.#options.store.address}: has no ${object}`);
  }

  /** Why a city model cannot be read: by its name here. */
  async #failureOf(name: StepName, input: string): Promise<Error> {
    const failed = await this.#options.store.read(objectOf(name, 'failed'));
    if (failed === null) return new StoreError(`${this.#options.store.address}: has no ${objectOf(name, LAST.read)}`);
    const failure: ReadFailure = JSON.parse(failed.toString());
    return new TaskError(
      failure.message.replace(failure.label, () => input),
      failure.name,
    );
  }

  /** Stores bytes by way of a file. */
  async #put(name: string, bytes: Uint8Array | string): Promise<void> {
    await this.#sendFile(name, (path) => writeFile(path, bytes));
  }

  async #sendInput(name: string, input: Input): Promise<void> {
    const { store } = this.#options;
    if (await store.has(name)) return;
    if (input.entry === null) await store.put(name, input.path);
    else await this.#sendFile(name, (path) => pipeline(openInput(input), createWriteStream(path)));
  }

  async #sendTowns(): Promise<string | null> {
    const { store, towns } = this.#options;
    if (towns.length === 0) return null;
    const bytes = serialize(towns);
    const sha256 = digest(bytes);
    if (!(await store.has(`towns/${sha256}`))) await this.#put(`towns/${sha256}`, bytes);
    return sha256;
  }

  #sendFile(name: string, write: (path: string) => Promise<void>): Promise<void> {
    return putMade(this.#options.store, name, this.#options.folder, write);
  }
}

/** SHA-256 of a file's unpacked bytes. */
async function contentOf(input: Input): Promise<string> {
  const hash = createHash('sha256');
  for await (const chunk of openInput(input)) hash.update(chunk);
  return hash.digest('hex');
}
