import type { Body } from './body.ts';

/** What the bodies of one dataset may take together before compression, bytes. */
const BUDGET = 16 << 20;

/**
 * Bodies by request. A dataset never changes, so that they are right until it goes. There are two generations: when the
 * young one has used up half of the budget it becomes the old one, and what has not been asked for since is let go. (A
 * list in order of use would have to be mended at every request.)
 */
export class BodyCache {
  #young = new Map<string, Body>();
  #old = new Map<string, Body>();
  #youngBytes = 0;

  get(request: string): Body | undefined {
    const young = this.#young.get(request);
    if (young !== undefined) return young;
    const old = this.#old.get(request);
    if (old !== undefined) this.put(request, old);
    return old;
  }

  put(request: string, body: Body): void {
    if (body.bytes > BUDGET / 2 || this.#young.get(request) === body) return;
    if (this.#youngBytes + body.bytes > BUDGET / 2) {
      this.#old = this.#young;
      this.#young = new Map();
      this.#youngBytes = 0;
    }
    body.keep();
    this.#young.set(request, body);
    this.#youngBytes += body.bytes;
  }
}
