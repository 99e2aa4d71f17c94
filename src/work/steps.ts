import { createHash } from 'node:crypto';
import type { MergedSquare } from '../pipeline/merge-square.ts';
import type { PlannedUnit } from '../pipeline/plan.ts';

/**
 * The steps of a build as any machine can do them: each is a task (what to make of which objects of the store) and its
 * results, under a name that follows from the content of all it depends on.
 *
 *     inputs/<sha256>            a city model, unpacked
 *     towns/<sha256>             the towns of a build
 *     read/<key>/                task, a part for each grid square, `list`
 *     merge/<key>/               task, `square`, `tree`, `merged`
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
  /** SHA-256 of the towns; null: none. */
  towns: string | null;
  /** As in `MergeTask`, with names of objects in place of paths. */
  parts: { name: string; drop: number[]; joins: { row: number; bodies: { name: string; row: number }[] }[] }[];
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

/** Where an object of a step lies. */
export const objectOf = ({ step, key }: StepName, file: string): string => `${step}/${key}/${file}`;

/** What is written last. */
export const LAST: Record<StepKind, string> = { read: 'list', merge: MERGED, compute: 'results' };

/** The name of a step: that of a unit of the plan is its fingerprint, which says more than the digests of its squares. */
export function nameOf(step: Step): StepName {
  const key = step.step === 'compute' ? step.unit.fingerprint : digest(JSON.stringify(step));
  return { step: step.step, key };
}

export const digest = (bytes: Uint8Array | string): string => createHash('sha256').update(bytes).digest('hex');

export const listOfRun = (run: string, step: StepKind): string => `runs/${run}/${step}`;

/** What `runs/<run>/<step>` says. */
export interface RunList {
  program: string;
  version: string;
  keys: string[];
}
