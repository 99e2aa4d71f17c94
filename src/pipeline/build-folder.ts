import { createHash } from 'node:crypto';
import { rmdirSync, rmSync, statfsSync } from 'node:fs';
import { mkdir, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { hostname } from 'node:os';
import { basename, join } from 'node:path';
import { FileLock } from '../formats/file-lock.ts';
import { isDiskFull, makeFolder } from '../formats/files.ts';
import { removeLeftovers } from '../snapshot/publish.ts';
import type { Input } from './inputs.ts';
import type { PlannedUnit } from './plan.ts';

/**
 * The folder `.build` in the data folder, with the finished work of a build. There is no journal: the name of every
 * file contains a digest of everything it depends on, and a file is complete or absent. So an existing file is finished
 * work.
 *
 * .build/lock                locked by the running build (file-lock.ts)
 * .build/holder.json            names the running build, for people
 * .build/portions/<input>/<grid square>    what was read from an input; `list` is written last
 * .build/squares/<grid square>.square    made again by every run, as all files of this folder
 * .build/squares/<grid square>.tree
 * .build/squares/<grid square>.names     the `gml:id`s of its buildings
 * .build/squares/<grid square>.sun       its packed sun curves
 * .build/squares/<grid square>.near     the ground of a square
 * .build/squares/<grid square>.far      the far terrain that it sees
 * .build/results/<grid square>-<fingerprint>
 * .build/terrain/<number>          elevation converted to another form; made again by every run
 */
export class BuildFolder {
  readonly path: string;
  readonly #lock: FileLock;
  /** True when the folder has been removed; another build may have made it anew. */
  #isRemoved = false;

  private constructor(path: string, lock: FileLock) {
    this.path = path;
    this.#lock = lock;
  }

  /**
   * Takes the folder for this build, and removes drafts of datasets.
   * @param resume true: the work of an earlier build stays; false: it is removed
   * @throws BuildError while another build works in the data folder
   */
  static async take(dataFolder: string, resume: boolean): Promise<BuildFolder> {
    const path = join(dataFolder, '.build');
    makeFolder(path);
    const lock = await takeLock(path, 'another build');
    const folder = new BuildFolder(path, lock);
    try {
      const { pid } = process;
      const holder = { host: hostname(), pid, started: new Date().toISOString() };
      await writeFile(join(path, HOLDER), JSON.stringify(holder));
      await removeLeftovers(dataFolder);
      if (!resume) for (const name of WORK_FOLDERS) await remove(join(path, name));
      for (const name of WORK_FOLDERS) await mkdir(join(path, name), { recursive: true });
      return folder;
    } catch (error) {
      await folder.release();
      throw error;
    }
  }

  /** The folder of an input's portions. It differs when the file or the program has changed. */
  async portions(input: Input, program: string): Promise<string> {
    const { mtimeMs, size } = await stat(input.path);
    const identity = [program, input.path, input.label, input.entry, mtimeMs, size];
    const key = createHash('sha256').update(JSON.stringify(identity)).digest('hex').slice(0, 32);
    return join(this.path, 'portions', key);
  }

  /** A file of a square: its buildings, its tree, its packed sun curves, or the `gml:id`s of its buildings. */
  file(square: string, kind: 'square' | 'tree' | 'sun' | 'names'): string {
    return join(this.path, 'squares', `${square}.${kind}`);
  }

  /** A file of terrain, by its name in the dataset. */
  terrainFile(name: string): string {
    return join(this.path, 'squares', basename(name));
  }

  /** The folder for elevation that cannot be read in pieces from its own file. */
  get terrain(): string {
    return join(this.path, 'terrain');
  }

  /** The result file of a unit. */
  result({ square, fingerprint }: Pick<PlannedUnit, 'square' | 'fingerprint'>): string {
    return join(this.path, 'results', `${square}-${fingerprint.slice(0, 32)}`);
  }

  /** Releases the folder. Finished work stays for `--resume`. */
  async release(): Promise<void> {
    if (!this.#isRemoved) await remove(join(this.path, HOLDER));
    this.#lock.release();
  }

  /** Removes the folder after the dataset is published. */
  async remove(): Promise<void> {
    for (const name of await readdir(this.path)) if (name !== LOCK) await remove(join(this.path, name));
    removeWithLock(this.path);
    this.#isRemoved = true;
  }
}

/**
 * Keeps builds out of a data folder until the result is released.
 * @throws BuildError while a build works in it
 */
export async function keepBuildsAway(dataFolder: string): Promise<{ release(): void }> {
  const path = join(dataFolder, '.build');
  const isNew = makeFolder(path) !== undefined;
  const lock = await takeLock(path, 'a build');
  return {
    release() {
      // A folder that was there before stays: it may hold finished work of a build.
      if (isNew) removeWithLock(path);
      lock.release();
    },
  };
}

/** The code of the grid square whose results lie at a path (`BuildFolder.result`). */
export const squareOfResult = (path: string): string => basename(path).slice(0, CODE_DIGITS);

/** Digits of the code of a third-order grid square. */
const CODE_DIGITS = 8;

const LOCK = 'lock';
const HOLDER = 'holder.json';
/** The folders of finished work. */
const WORK_FOLDERS = ['portions', 'squares', 'results', 'terrain'];

/** Removes a file or folder, if it is there. */
const remove = (path: string): Promise<void> => rm(path, { recursive: true, force: true });

/** Removes a build folder of which only the lock is left. Stays when another build has taken it in the meantime. */
function removeWithLock(path: string): void {
  rmSync(join(path, LOCK), { force: true });
  try {
    rmdirSync(path);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code !== 'ENOTEMPTY' && code !== 'EEXIST') throw error;
  }
}

/**
 * Takes the lock of a build folder.
 * @param holder who may have it, for the message
 * @throws BuildError while a build has it
 */
async function takeLock(path: string, holder: string): Promise<FileLock> {
  const lock = FileLock.take(join(path, LOCK));
  if (lock !== null) return lock;
  throw new BuildError(`${path}: ${holder} runs in this data folder${await holderOf(path)}`);
}

/** The build that holds the folder, in words for a message; empty when its file cannot be read. */
async function holderOf(path: string): Promise<string> {
  try {
    const { host, pid, started } = JSON.parse(await readFile(join(path, HOLDER), 'utf8'));
    return ` (process ${pid} on ${host}, since ${started})`;
  } catch {
    return '';
  }
}

/** A build failed because of its environment, not its input. */
export class BuildError extends Error {
  override name = 'BuildError';
}

/** A disk with fewer free bytes counts as full. */
const LEAST_FREE_BYTES = 64 * 1024;

/**
 * The error to show for a failed build. The system's message for a full disk, for example, does not say what to do or
 * that nothing was published. Other errors stay as they are.
 */
export function buildFailure(error: unknown, dataFolder: string): unknown {
  if (error instanceof BuildError) return error;
  const { code, message } = error as NodeJS.ErrnoException;
  const consequence = 'nothing was published, and --resume continues from here';
  if (isDiskFull(error) || /No space left on device/.test(message) || isFull(dataFolder)) {
    const text = `${dataFolder}: no space left on the disk: make room and build again; ${consequence}`;
    return new BuildError(text, { cause: error });
  }
  if (code === 'EROFS' || code === 'EACCES' || code === 'EPERM') {
    const remedy = `give this user the right to read and write there; ${consequence}`;
    return new BuildError(`${dataFolder}: cannot be written: ${message}; ${remedy}`, { cause: error });
  }
  if (code === 'EMFILE') {
    return new BuildError(`too many open files: raise the limit (ulimit -n); ${consequence}`, { cause: error });
  }
  return error;
}

/** True when the disk is full. DuckDB reports only "input/output error" then. */
function isFull(folder: string): boolean {
  try {
    const { bavail, bsize } = statfsSync(folder);
    return bavail * bsize < LEAST_FREE_BYTES;
  } catch {
    return false;
  }
}
