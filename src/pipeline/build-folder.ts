import { createHash } from 'node:crypto';
import { mkdir, open, readFile, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import type { Input } from './inputs.ts';
import type { PlannedUnit } from './plan.ts';

/** Another build works in the same data folder, or what an earlier one left is not to be thrown away unasked. */
export class BuildFolderError extends Error {
  override name = 'BuildFolderError';
}

/**
 * The folder `.build` in the data folder, where a build keeps what it has done so far. There is no journal: every
 * file is named after everything it depends on and is there whole or not at all, so what is there is done.
 *
 *     .build/lock                               process ID of the build at work
 *     .build/parts/<input>/<grid square>        what was read from an input; `list` is written last
 *     .build/squares/<grid square>.square       made anew by every run
 *     .build/results/<grid square>-<fingerprint>
 */
export class BuildFolder {
  readonly path: string;

  private constructor(path: string) {
    this.path = path;
  }

  /**
   * Takes the folder for this process. What an earlier build left is used when `resume` is set, otherwise removed.
   * Throws `BuildFolderError` while another build is at work in it.
   */
  static async take(dataFolder: string, resume: boolean): Promise<BuildFolder> {
    const folder = new BuildFolder(join(dataFolder, '.build'));
    await mkdir(folder.path, { recursive: true });
    await folder.#lock();
    if (!resume) for (const name of ['parts', 'squares', 'results']) await remove(join(folder.path, name));
    for (const name of ['parts', 'squares', 'results']) await mkdir(join(folder.path, name), { recursive: true });
    return folder;
  }

  /** The folder of an input's parts: another one when the file has changed since, or the program has. */
  async parts(input: Input, program: string): Promise<string> {
    const { mtimeMs, size } = await stat(input.path);
    const identity = [program, input.path, input.label, input.entry, mtimeMs, size];
    const key = createHash('sha256').update(JSON.stringify(identity)).digest('hex').slice(0, 32);
    return join(this.path, 'parts', key);
  }

  square(code: string): string {
    return join(this.path, 'squares', `${code}.square`);
  }

  result({ square, fingerprint }: PlannedUnit): string {
    return join(this.path, 'results', `${square}-${fingerprint.slice(0, 32)}`);
  }

  /** Lets go of the folder; what has been done stays for `--resume`. */
  async release(): Promise<void> {
    await rm(join(this.path, 'lock'), { force: true });
  }

  /** Removes the folder: the dataset is published. */
  async remove(): Promise<void> {
    await remove(this.path);
  }

  async #lock(): Promise<void> {
    const path = join(this.path, 'lock');
    for (let attempt = 0; attempt < 2; attempt++) {
      try {
        const file = await open(path, 'wx');
        await file.writeFile(String(process.pid));
        await file.close();
        return;
      } catch (error) {
        if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
        const holder = Number(await readFile(path, 'utf8'));
        if (holder !== process.pid && isRunning(holder)) {
          throw new BuildFolderError(`${this.path}: another build (process ${holder}) is at work in this data folder`);
        }
        await rm(path, { force: true });
      }
    }
    throw new BuildFolderError(`${path}: cannot be taken: another build has just started`);
  }
}

const remove = (path: string): Promise<void> => rm(path, { recursive: true, force: true });

function isRunning(processId: number): boolean {
  if (!(processId > 0)) return false;
  try {
    process.kill(processId, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}
