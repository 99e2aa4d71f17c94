import type { Violation } from '../contract/problems.ts';

/** Thrown where an answer needs something that is not there now; it becomes a 503 whose `detail` is the message. */
export class Unavailable extends Error {
  override name = 'Unavailable';
}

/** Parameters that are right by themselves and exclude each other: a 400. */
export class WrongValues extends Error {
  override name = 'WrongValues';
  readonly violations: Violation[];

  constructor(violations: Violation[]) {
    super(violations.map(({ detail }) => detail).join(' '));
    this.violations = violations;
  }
}
