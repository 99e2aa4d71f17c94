import { readFile } from 'node:fs/promises';
import { ColumnFileError, checkColumns } from '../formats/column-file.ts';
import type { BuildFolder } from './build-folder.ts';
import type { PartKeys } from './duplicates.ts';
import type { Input } from './inputs.ts';
import { type PartList, partPath, readPartList } from './part-file.ts';
import type { Progress } from './progress.ts';
import type { ReadTask } from './read-input.ts';
import { type Runner, TaskError } from './worker-pool.ts';

/** An input that has been read into parts. */
export interface ReadInput {
  /** Where its parts lie. */
  folder: string;
  list: PartList;
  /** Of each of its parts. */
  keys: PartKeys[];
}

/** A file that could not be read, and why. */
export interface LeftOut {
  label: string;
  problem: string;
}

export interface ReadStage {
  /** In order of label and content, wherever the files lie and whichever was read first. */
  inputs: ReadInput[];
  /** With `keepGoing`: files that could not be read, and why. */
  leftOut: LeftOut[];
  /** Inputs that an earlier build had read. */
  readBefore: number;
}

/** Errors of a file, as against those of the machine or the program. */
const FILE_ERRORS = new Set(['CityGmlError', 'InputError']);

/**
 * Reads every input on the workers, large ones first, and keeps what an earlier build has read. Throws at the first
 * file that cannot be read, unless `keepGoing`: then it is left out and said, as are those that were already found
 * `unreadable`.
 */
export async function readStage(
  inputs: readonly Input[],
  folder: BuildFolder,
  pool: Runner,
  progress: Progress,
  { program, keepGoing, unreadable }: { program: string; keepGoing: boolean; unreadable: readonly LeftOut[] },
): Promise<ReadStage> {
  const stage: ReadStage = { inputs: [], leftOut: [...unreadable], readBefore: 0 };
  const total = inputs.reduce((sum, { size }) => sum + size, 0);
  const largestFirst = [...inputs].sort((a, b) => b.size - a.size || (a.name < b.name ? -1 : 1));
  await progress.stage('read', total, 'bytes', async (advance) => {
    const readOne = async (input: Input): Promise<void> => {
      const parts = await folder.parts(input, program);
      let read = await readBefore(parts);
      if (read) stage.readBefore++;
      else {
        const task: ReadTask = { kind: 'read', name: input.name, input, folder: parts };
        try {
          await pool.run(task);
          read = { folder: parts, ...(await readPartList(parts)) };
        } catch (error) {
          if (!(keepGoing && error instanceof TaskError && FILE_ERRORS.has(error.causeName ?? ''))) throw error;
          stage.leftOut.push({ label: input.label, problem: error.message });
          progress.remark(`left out: ${error.message}`);
        }
      }
      if (read) stage.inputs.push(read);
      advance(input.size);
    };
    await Promise.all(largestFirst.map(readOne));
  });
  stage.inputs.sort((a, b) => compare(a.list.label, b.list.label) || compare(a.list.sha256, b.list.sha256));
  stage.leftOut.sort((a, b) => compare(a.label, b.label));
  return stage;
}

/** What an earlier build read of this input, or null; then also when a part of it is damaged. */
async function readBefore(folder: string): Promise<ReadInput | null> {
  try {
    const read = { folder, ...(await readPartList(folder)) };
    // Each is needed later: one that is damaged would break off this build and every one after it in the same way.
    for (const { square } of read.list.squares)
      checkColumns(await readFile(partPath(folder, square)), partPath(folder, square));
    return read;
  } catch (error) {
    if (error instanceof ColumnFileError || (error as NodeJS.ErrnoException).code === 'ENOENT') return null;
    throw error;
  }
}

const compare = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0);
