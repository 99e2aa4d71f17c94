import { type Coding, encode } from './coding.ts';

/**
 * Longer bodies are kept as bytes, shorter ones as a string of one character for each byte ("latin1"): Node sends such a
 * string and the head before it in one piece, which beats bytes in a piece of their own as long as little is to be
 * copied for it. Text as it is would have to be encoded for every answer.
 */
const LONGEST_STRING = 4096;

/** The body of an answer, ready to be sent, and compressed once for each coding that is asked for. */
export class Body {
  #content: string | Buffer;
  /** Gives the memory back in which the content lies; null where it is this body's alone. */
  #giveBack: (() => void) | null;
  #coded: Map<Coding, Promise<Buffer>> | null = null;

  protected constructor(content: string | Buffer, giveBack: (() => void) | null = null) {
    this.#content = content;
    this.#giveBack = giveBack;
  }

  /** Of a text, or of bytes that nobody else writes to. */
  static of(content: string | Buffer): Body {
    const bytes = Buffer.from(content as Buffer);
    return new Body(bytes.length <= LONGEST_STRING ? bytes.toString('latin1') : bytes);
  }

  /** Bytes of UTF-8 between two texts that have a character for each byte; the bytes are copied. */
  static around(before: string, bytes: Buffer, after: string, memory: BodyMemory): Body {
    const length = before.length + bytes.length + after.length;
    if (length <= LONGEST_STRING) return new Body(before + bytes.toString('latin1') + after);
    const room = memory.take(length);
    room.write(before, 'latin1');
    room.set(bytes, before.length);
    room.write(after, length - after.length, 'latin1');
    return new Body(room.subarray(0, length), () => memory.give(room));
  }

  /** Bytes of UTF-8; as a string, a character for each. */
  get content(): string | Buffer {
    return this.#content;
  }

  get bytes(): number {
    return this.#content.length;
  }

  /** Makes it last for more answers than one. */
  keep(): void {
    if (this.#giveBack === null) return;
    this.#content = Buffer.from(this.#content as Buffer);
    this.release();
  }

  /** Says that it has been sent and will not be again, unless it is kept. */
  release(): void {
    this.#giveBack?.();
    this.#giveBack = null;
  }

  coded(coding: Exclude<Coding, 'identity'>): Promise<Buffer> {
    this.#coded ??= new Map();
    const known = this.#coded.get(coding);
    if (known !== undefined) return known;
    const { content } = this;
    const body = encode(typeof content === 'string' ? Buffer.from(content, 'latin1') : content, coding);
    this.#coded.set(coding, body);
    return body;
  }
}

/** Memory for one long body: the largest answers about buildings near a point or of a page fit, bytes. */
const ROOM_BYTES = 1 << 16;
/** How much is kept for later: as many answers are rarely on their way at once. */
const MOST_ROOMS = 64;

/**
 * Memory for long bodies, used again when a body has been sent: to have it made and cleared away for every answer takes
 * longer than a look-up.
 */
export class BodyMemory {
  readonly #spare: Buffer[] = [];

  /** Memory for a body of that many bytes, with anything in it. */
  take(bytes: number): Buffer {
    if (bytes > ROOM_BYTES) return Buffer.allocUnsafeSlow(bytes);
    return this.#spare.pop() ?? Buffer.allocUnsafeSlow(ROOM_BYTES);
  }

  /** Takes memory back that nobody will read any more. */
  give(room: Buffer): void {
    if (room.length === ROOM_BYTES && this.#spare.length < MOST_ROOMS) this.#spare.push(room);
  }
}
