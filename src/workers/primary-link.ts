import type { Logger } from 'pino';
import { type Calls, inTime, NoAnswer, type Requests } from './calls.ts';

/** How long a worker waits for its primary, milliseconds. */
const PATIENCE_MS = 1000;

interface AskOptions<Answer> {
  /** How long the primary may take to have the answer ready, milliseconds. */
  afterMs?: number;
  /** Called with an answer for which nobody waits any more. */
  tooLate?(answer: Answer): void;
}

/**
 * The primary as a worker asks it. Where it leaves one question unanswered (it is stopped, or hangs) it counts as gone: nobody waits
 * for it, and nothing more is sent, until it answers that question.
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

  /** @throws NoAnswer at once while the primary is gone, or when it goes now; or what the answerer throws. */
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
