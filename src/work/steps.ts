import { createHash } from 'node:crypto';
import type { MergedSquare, MergeTask } from '../pipeline/merge-square.ts';
import type { PlannedUnit } from '../pipeline/plan.ts';
import { StoreError } from '../store/object-store.ts';

/**
 * The steps of a build as any machine can do them: each is a task (what to make of which objects of the store) and its
 * results, under a name that follows from the content of all it depends on.
 *
 *     inputs/<sha256>            a city model, unpacked
 *     towns/<sha256>             the towns of a build
 *     terrain/<sha256>           the ground of a grid square, or the far terrain that one sees
 *     read/<key>/                task, a part for each grid square, `list`
 *     merge/<key>/               task, `square`, `tree`, `names`, `merged`
 *     compute/<fingerprint>/     task, `results`
 *     runs/<run>/<step>          the names of the steps that a build waits for, for workers without a queue
 *
 * What is named last of a step is written last: where it is, the step is done.
 */
export type StepKind = 'read' | 'merge' | 'compute';
export const STEP_KINDS: readonly StepKind[] = ['read', 'merge', 'compute'];

export interface StepName {
  step: StepKind;
  key: string;
}

export interface ReadStep {
  step: 'read';
  /** Identity of the program that is to do it. */
  program: string;
  /** File name of the city model, for messages and reports. */
  label: string;
  sha256: string;
}

export interface MergeStep {
  step: 'merge';
  program: string;
  square: string;
  heights: MergeTask['heights'];
  /** SHA-256 of the towns; null: none. */
  towns: string | null;
  /** As in `MergeTask`, with the steps that have read the parts in place of paths. */
  parts: (PartName & { drop: number[]; joins: { row: number; bodies: (PartName & { row: number })[] }[] })[];
}

/** The part of a grid square, in the results of the step of that key that has read it. */
export interface PartName {
  read: string;
  square: string;
}

export interface ComputeStep {
  step: 'compute';
  program: string;
  unit: PlannedUnit;
  /** Keys of the merged squares that the unit needs, in the order of its needs. */
  merged: string[];
}

export type Step = ReadStep | MergeStep | ComputeStep;

/** What `merge/<key>/merged` says; the plane stays where it was made. */
export type MergedElsewhere = Omit<MergedSquare, 'plane'>;
export const MERGED = 'merged';

/** Why a city model cannot be read, in `read/<key>/failed`: the same on every machine. */
export interface ReadFailure {
  /** What the message calls the file. */
  label: string;
  name: string;
  message: string;
}

/** Of which error the fault is the file's, so that no other machine need try. */
export const FILE_FAULTS: ReadonlySet<string> = new Set(['CityGmlError', 'InputError']);

/** What the files of a step may be called; a part is called after its grid square. */
const FILES: Record<StepKind, RegExp> = {
  read: /^(task|list|failed|\d{8})$/,
  merge: /^(task|square|tree|names|merged)$/,
  compute: /^(task|results)$/,
};

/**
 * Where an object of a step lies. What comes from a store or a queue is believed to be a name only here.
 * @throws StoreError for what is no key, or no file of such a step
 */
export function objectOf({ step, key }: StepName, file: string): string {
  if (STEP_KINDS.includes(step) && FILES[step].test(file)) return `${step}/${digestIn(key)}/${file}`;
  throw new StoreError(`${plain(step)}: a step has no file ${plain(file)}`);
}

/** @throws StoreError */
export const inputObject = (sha256: string): string => `inputs/${digestIn(sha256)}`;

/** @throws StoreError */
export const terrainObject = (sha256: string): string => `terrain/${digestIn(sha256)}`;

/** @throws StoreError */
export const townsObject = (sha256: string): string => `towns/${digestIn(sha256)}`;

/** The SHA-256 of an object that is named after its content; null for any other. */
export const contentOf = (name: string): string | null =>
  /^(?:inputs|towns|terrain)\/([0-9a-f]{64})$/.exec(name)?.[1] ?? null;

function digestIn(text: string): string {
  if (typeof text === 'string' && /^[0-9a-f]{64}$/.test(text)) return text;
  throw new StoreError(`${plain(text)} is no key of a step: 64 hexadecimal digits`);
}

/** What others wrote, for a message. */
const plain = (text: unknown): string => String(JSON.stringify(text)).slice(0, 100);

/** What is written last. */
export const LAST: Record<StepKind, string> = { read: 'list', merge: MERGED, compute: 'results' };

/** The name of a step: that of a unit of the plan is its fingerprint, which says more than the digests of its squares. */
export function nameOf(step: Step): StepName {
  const key = step.step === 'compute' ? step.unit.fingerprint : digest(JSON.stringify(step));
  return { step: step.step, key };
}

/**
 * The task of a step as it was stored.
 * @throws StoreError where it is that of another step
 */
export function stepIn(text: Buffer, name: StepName): Step {
  const step = JSON.parse(text.toString()) as Step;
  const is = nameOf(step);
  if (is.step === name.step && is.key === name.key) return step;
  throw new StoreError(`${objectOf(name, 'task')}: is the task of another step`);
}

export const digest = (bytes: Uint8Array | string): string => createHash('sha256').update(bytes).digest('hex');

/** The steps that a build waits for are listed in the store, for other machines to do; nothing is built yet. */
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

export const listOfRun = (run: string, step: StepKind): string => `runs/${run}/${step}`;

/** What `runs/<run>/<step>` says. */
export interface RunList {
  program: string;
  version: string;
  keys: string[];
}
