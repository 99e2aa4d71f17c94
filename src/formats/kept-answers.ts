/** A kept answer: its bytes, which the next that is kept may be written over, and how many pages its list has. */
interface KeptAnswer {
  bytes: Buffer;
  pages: number;
}

/**
 * Answers kept as bytes by what was asked, in memory of a fixed size: where it ends, the next is written over the oldest. So
 * keeping one takes no new memory from the system and leaves nothing to the garbage collector.
 */
export class KeptAnswers {
  readonly #size: number;
  /** Made with the first answer: most servers of a dataset are never asked. */
  #memory: Buffer | null = null;
  /** In the order in which they lie, the oldest first. */
  readonly #answers = new Map<string, { from: number; to: number; pages: number }>();
  #end = 0;

  constructor(size: number) {
    this.#size = size;
  }

  /** The answer, or undefined. */
  get(asked: string): KeptAnswer | undefined {
    const found = this.#answers.get(asked);
    if (found === undefined || this.#memory === null) return undefined;
    return { bytes: this.#memory.subarray(found.from, found.to), pages: found.pages };
  }

  /** Keeps an answer that is not kept yet; one of more than a quarter of the memory is not kept. */
  keep(asked: string, bytes: Uint8Array, pages: number): void {
    if (bytes.length > this.#size / 4 || this.#answers.has(asked)) return;
    this.#memory ??= Buffer.allocUnsafeSlow(this.#size);
    const wraps = this.#end + bytes.length > this.#size;
    const from = wraps ? 0 : this.#end;
    const to = from + bytes.length;
    for (const [other, at] of this.#answers) {
      const isLeftBehind = wraps && at.from >= this.#end;
      if (!isLeftBehind && (at.from < from || at.from >= to)) break;
      this.#answers.delete(other);
    }
    this.#memory.set(bytes, from);
    this.#answers.set(asked, { from, to, pages });
    this.#end = to;
  }
}
