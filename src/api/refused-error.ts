import { type Refused, refused } from '../contract/outcome.ts';
import type { ProblemName, Violation } from '../contract/problems.ts';

/** Thrown where an answer cannot be given, however deep in its making: the answer is then this problem. */
export class RefusedError extends Error {
  override name = 'RefusedError';
  readonly refusal: Refused;
  /** The parameters at fault, of a 400. */
  readonly violations: readonly Violation[];

  constructor(problem: ProblemName, detail: string, violations: readonly Violation[] = []) {
    super(detail);
    this.refusal = refused(problem, detail);
    this.violations = violations;
  }
}

/** A 503: something that the answer needs is not there now. */
export const unavailable = (detail: string): RefusedError => new RefusedError('unavailable', detail);
