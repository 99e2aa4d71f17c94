import type { Logger } from 'pino';
import { type Refused, refused } from '../contract/outcome.ts';
import type { ProblemName, Violation } from '../contract/problems.ts';

/** Thrown anywhere in the making of an answer to refuse it. The answer is then this problem. */
export class RefusedError extends Error {
  override name = 'RefusedError';
  readonly refusal: Refused;
  /** The wrong parameters, for a 400. */
  readonly violations: readonly Violation[];

  constructor(problem: ProblemName, detail: string, violations: readonly Violation[] = []) {
    super(detail);
    this.refusal = refused(problem, detail);
    this.violations = violations;
  }
}

/** A 503: something that the answer needs is not available now. */
export const unavailable = (detail: string): RefusedError => new RefusedError('unavailable', detail);

/** Counts and logs exceptions outside the steps of a request. None of them ends the server. */
export class Unexpected {
  /** Number of exceptions. */
  count = 0;
  readonly #log: Logger;

  constructor(log: Logger) {
    this.#log = log;
  }

  /** @param about members for the line in the log */
  note(error: unknown, about: object): void {
    this.count++;
    this.#log.error({ ...about, err: error }, 'unexpected exception');
  }
}
