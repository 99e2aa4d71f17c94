import type { Refused } from '../contract/outcome.ts';
import type { Violation } from '../contract/problems.ts';
import { Violations } from '../contract/violations.ts';

/** Thrown where an answer needs something that is not there now; it becomes a 503 whose `detail` is the message. */
export class Unavailable extends Error {
  override name = 'Unavailable';
}

/** Thrown where what an answer needs was refused only while it was computed. */
export class RefusedLate extends Error {
  override name = 'RefusedLate';
  readonly refusal: Refused;

  constructor(refusal: Refused) {
    super(refusal.detail);
    this.refusal = refusal;
  }
}

/** Parameters that are right by themselves and exclude each other: a 400. */
export class WrongValues extends Error {
  override name = 'WrongValues';
  readonly violations: Violations;

  constructor(violations: Violation[]) {
    const all = Violations.of(...violations);
    super(String(all));
    this.violations = all;
  }
}
