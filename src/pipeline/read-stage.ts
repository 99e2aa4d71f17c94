import { createHash } from 'node:crypto';
import { mkdir, readFile, rm } from 'node:fs/promises';
import { basename } from 'node:path';
import { ColumnFileError, checkColumns } from '../formats/column-file.ts';
import { byCodeUnits, isMissing } from '../formats/files.ts';
import { gridSquareOf } from '../geo/grid-square.ts';
import { representativePoint } from '../geo/polygon.ts';
import type { ReadIssue } from '../plateau/building.ts';
import { BuildingReader } from '../plateau/reader.ts';
import type { BuildFolder } from './build-folder.ts';
import type { PortionKeys } from './duplicates.ts';
import { type Input, openInput } from './inputs.ts';
import { PortionBuilder, type PortionList, portionPath, readPortionList } from './portion-file.ts';
import type { Progress } from './progress.ts';
import { type FindingsByReason, note } from './report.ts';
import { type Runner, type Task, TaskError } from './worker-pool.ts';

/** An input that has been read into portions. */
export interface ReadInput {
  /** The folder of its portions. */
  folder: string;
  list: PortionList;
  /** The keys of each portion. */
  keys: PortionKeys[];
}

/** A file that could not be read, and why. */
export interface LeftOut {
  label: string;
  problem: string;
}

export interface ReadStage {
  /** In order of label and content, independent of folders and of the order of reading. */
  inputs: ReadInput[];
  /** With `keepGoing`: files that could not be read, and why. */
  leftOut: LeftOut[];
  /** Number of inputs that an earlier build had read. */
  readBefore: number;
}

/**
 * Reads every input on the workers, large ones first. Reuses inputs that an earlier build has read. With `keepGoing` it
 * leaves out files that cannot be read and reports them, together with those in `unreadable`.
 * @throws TaskError without `keepGoing`: at the first file that cannot be read
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
    const readNow = async (input: Input, portions: string): Promise<void> => {
      const task: ReadTask = { kind: 'read', name: input.name, input, folder: portions };
      try {
        await pool.run(task);
        stage.inputs.push({ folder: portions, ...(await readPortionList(portions)) });
      } catch (error) {
        if (!(keepGoing && error instanceof TaskError && error.isOfFile)) throw error;
        stage.leftOut.push({ label: input.label, problem: error.message });
        progress.remark(`left out: ${error.message}`);
      }
    };
    const readOrReuse = async (input: Input): Promise<void> => {
      const portions = await folder.portions(input, program);
      const earlier = await readEarlier(portions);
      if (earlier === null) await readNow(input, portions);
      else {
        stage.readBefore++;
        stage.inputs.push(earlier);
      }
      advance(input.size);
    };
    await Promise.all(largestFirst.map(readOrReuse));
  });
  stage.inputs.sort((a, b) => byCodeUnits(a.list.label, b.list.label) || byCodeUnits(a.list.sha256, b.list.sha256));
  stage.leftOut.sort((a, b) => byCodeUnits(a.label, b.label));
  return stage;
}

/** The result of an earlier build for this input; null when there is none or a portion is damaged. */
async function readEarlier(folder: string): Promise<ReadInput | null> {
  try {
    const input = { folder, ...(await readPortionList(folder)) };
    // All portions are needed later. A damaged one would break this build and every later one.
    for (const { square } of input.list.squares)
      checkColumns(await readFile(portionPath(folder, square)), portionPath(folder, square));
    return input;
  } catch (error) {
    if (error instanceof ColumnFileError || isMissing(error)) return null;
    throw error;
  }
}

/** Reads one CityGML file into portions by grid square. */
export interface ReadTask extends Task {
  kind: 'read';
  input: Input;
  /** The folder to write; it is emptied first. */
  folder: string;
}

/**
 * Reads an input into portions. The list of the portions is written last: without it, as after an error, they are not
 * used.
 * @throws CityGmlError, InputError when the input cannot be trusted
 */
export async function readBuildingsOf({ input, folder }: ReadTask): Promise<void> {
  await rm(folder, { recursive: true, force: true });
  await mkdir(folder, { recursive: true });
  const label = basename(input.label);
  const findings: FindingsByReason = {};
  const portions = new PortionBuilder();
  const reader = new BuildingReader(input.name, {
    building(building) {
      const [lat, lon] = representativePoint(building.footprints.map(({ rings }) => rings));
      portions.add(gridSquareOf(lat, lon), building, lat, lon);
    },
    issue: (issue) => note(findings, issue.kind, () => exampleOf(issue, label)),
  });
  const hash = createHash('sha256');
  for await (const chunk of openInput(input)) {
    hash.update(chunk);
    reader.feed(chunk);
  }
  const { bytes, leftOut } = reader.end();
  await portions.write(folder, { label, sha256: hash.digest('hex'), bytes, leftOut, findings });
}

/** An issue as the example of a finding. */
const exampleOf = ({ buildingId, gmlId, byte, detail }: ReadIssue, label: string): string =>
  `${buildingId ?? gmlId ?? 'a building'} (${label}, byte ${byte}): ${detail}`;
