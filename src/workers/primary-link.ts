import type { Logger } from 'pino';
import { type Calls, inTime, NoAnswer, type Requests } from './calls.ts';

/** How long a worker waits for an answer of the primary, milliseconds. */
const PATIENCE_MS = 1000;

interface AskOptions<Answer> {
  /** How long the primary may work on the answer, milliseconds. */
  afterMs?: number;
  /** Called with an answer that comes too late. */
  tooLate?(answer: Answer): void;
}

/**
 * A worker's connection to the primary. When one request stays unanswered (the primary is stopped, or hangs), the primary counts as gone:
 * nothing more is sent until it answers that request.
 */
export class PrimaryLink {
  readonly calls: Calls;
  readonly #log: Logger;
  #isThere = true;

  constructor(calls: Calls, log: Logger) {
    this.calls = calls;
    this.#log = log;
  }

  /** Whether the primary answered last time. */
  get isThere(): boolean {
    return this.#isThere;
  }

  /** @throws NoAnswer at once while the primary is gone, or after a second; or the error of the answerer */
  async ask<Name extends keyof Requests>(
    name: Name,
    value: Requests[Name]['asked'],
    { afterMs = 0, tooLate }: AskOptions<Requests[Name]['answer']> = {},
  ): Promise<Requests[Name]['answer']> {
    if (!this.#isThere) throw new NoAnswer('the primary is gone');
    const asked = this.calls.ask(name, value);
    try {
      return await inTime(asked, afterMs + PATIENCE_MS);
    } catch (error) {
      if (error instanceof NoAnswer) {
        this.#lost();
        asked.then(
          (answer) => {
            this.#found();
            tooLate?.(answer);
          },
          (late) => late instanceof NoAnswer || this.#found(),
        );
      }
      throw error;
    }
  }

  #lost(): void {
    if (!this.#isThere) return;
    this.#isThere = false;
    this.#log.warn('the primary does not answer: this worker counts alone and computes nothing');
  }

  #found(): void {
    if (this.#isThere) return;
    this.#isThere = true;
    this.#log.info('the primary answers: workers count together');
  }
}
