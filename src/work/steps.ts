import { hash } from 'node:crypto';
import type { MergeTask } from '../pipeline/merge-stage.ts';
import type { PlannedUnit } from '../pipeline/plan.ts';
import { StoreError } from '../store/object-store.ts';

/**
 * The steps of a build, which any machine can do. A step is a task (which objects of the store to read, what to make of
 * them) and its results. Its name depends on the content of all its inputs.
 *
 *     inputs/<sha256>            a city model, unpacked
 *     towns/<sha256>             the towns of a build
 *     terrain/<sha256>           the ground of a grid square, or the far terrain that one sees
 *     read/<key>/                task, a portion for each grid square, `list`
 *     merge/<key>/               task, `square`, `tree`, `names`, `merged`
 *     compute/<fingerprint>/     task, `results`
 *     runs/<run>/<step>          the names of the steps that a build waits for, for workers without a queue
 *
 * The object that is named last is written last. When it exists, the step is done.
 */
export type StepKind = 'read' | 'merge' | 'compute';
export const STEP_KINDS: readonly StepKind[] = ['read', 'merge', 'compute'];

/** What distinguishes a step from all others: the key is a hash of everything that it depends on. */
export interface StepName {
  step: StepKind;
  key: string;
}

/** Reads a city model. */
export interface ReadStep {
  step: 'read';
  /** Identity of the program that must do it. */
  program: string;
  /** File name of the city model, for messages and reports. */
  label: string;
  /** Of the unpacked city model. */
  sha256: string;
}

/** Merges the portions of a grid square. */
export interface MergeStep {
  step: 'merge';
  program: string;
  square: string;
  heights: MergeTask['heights'];
  /** SHA-256 of the towns; null: none. */
  towns: string | null;
  /** As in `MergeTask`; instead of paths it names the steps that have read the portions. */
  portions: (PortionName & { drop: number[]; joins: { row: number; bodies: (PortionName & { row: number })[] }[] })[];
}

/** The portion of a grid square among the results of the read step with that key. */
export interface PortionName {
  read: string;
  square: string;
}

/** Computes the sunlight of a grid square. */
export interface ComputeStep {
  step: 'compute';
  program: string;
  unit: PlannedUnit;
  /** Keys of the merged squares that the unit needs, in the order of its needs. */
  merged: string[];
}

export type Step = ReadStep | MergeStep | ComputeStep;

/** The file in `merge/<key>` with the merged square (`MergedSquare` of the merge stage). */
export const MERGED = 'merged';

/** Why a city model cannot be read, in `read/<key>/failed`. The reason is the same on every machine. */
export interface ReadFailure {
  /** The name of the file in messages. */
  label: string;
  name: string;
  message: string;
}

/** Names of the files of a step. The name of a portion is its grid square. */
const FILES: Record<StepKind, RegExp> = {
  read: /^(task|list|failed|\d{8})$/,
  merge: /^(task|square|tree|names|merged)$/,
  compute: /^(task|results)$/,
};

/**
 * The name of an object of a step. It checks names that come from a store or a queue.
 * @throws StoreError for an invalid key or file name
 */
export function objectOf({ step, key }: StepName, file: string): string {
  if (STEP_KINDS.includes(step) && FILES[step].test(file)) return `${step}/${digestIn(key)}/${file}`;
  throw new StoreError(`${quoted(step)}: a step has no file ${quoted(file)}`);
}

// The names of objects that are named after their content. For an invalid digest they throw StoreError.
export const inputObject = (sha256: string): string => `inputs/${digestIn(sha256)}`;
export const terrainObject = (sha256: string): string => `terrain/${digestIn(sha256)}`;
export const townsObject = (sha256: string): string => `towns/${digestIn(sha256)}`;

/** The SHA-256 of an object that is named after its content; null for any other. */
export const contentOf = (name: string): string | null =>
  /^(?:inputs|towns|terrain)\/([0-9a-f]{64})$/.exec(name)?.[1] ?? null;

/**
 * A SHA-256 from a store or a queue.
 * @throws StoreError for another value
 */
function digestIn(text: string): string {
  if (typeof text === 'string' && /^[0-9a-f]{64}$/.test(text)) return text;
  throw new StoreError(`${quoted(text)} is no key of a step: 64 hexadecimal digits`);
}

/** A value from outside as a short text for a message. */
const quoted = (text: unknown): string => String(JSON.stringify(text)).slice(0, 100);

/** The result that is written last, and marks the step as done. */
export const DONE_MARK: Record<StepKind, string> = { read: 'list', merge: MERGED, compute: 'results' };

/**
 * The name of a step. For a unit of the plan it is the fingerprint, which depends on more than the digests of its
 * squares.
 */
export function nameOf(step: Step): StepName {
  const key = step.step === 'compute' ? step.unit.fingerprint : hash('sha256', JSON.stringify(step));
  return { step: step.step, key };
}

/**
 * The stored task of a step.
 * @throws StoreError when it is the task of another step
 */
export function stepIn(text: Buffer, name: StepName): Step {
  const step = JSON.parse(text.toString()) as Step;
  const { step: kind, key } = nameOf(step);
  if (kind === name.step && key === name.key) return step;
  throw new StoreError(`${objectOf(name, 'task')}: is the task of another step`);
}

/** A build has listed its missing steps in the store, for other machines. Nothing is built yet. */
export class StepsListed extends Error {
  override name = 'StepsListed';
  readonly step: StepKind;
  readonly count: number;

  constructor(step: StepKind, count: number) {
    super(`${count} steps of ${step} are listed`);
    this.step = step;
    this.count = count;
  }
}

/** The name of the list of missing steps of a run. */
export const listOfRun = (run: string, step: StepKind): string => `runs/${run}/${step}`;

/** The content of `runs/<run>/<step>`. */
export interface RunList {
  program: string;
  version: string;
  keys: string[];
}
