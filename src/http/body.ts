import { type Coding, encode } from './coding.ts';

/**
 * Longer bodies are kept as bytes, shorter ones as a string of one character for each byte ("latin1"): Node sends such a
 * string and the head before it in one piece, which beats bytes in a piece of their own as long as little is to be
 * copied for it. Text as it is would have to be encoded for every answer.
 */
const LONGEST_STRING = 4096;

/** The body of an answer, ready to be sent, and compressed once for each coding that is asked for. */
export class Body {
  /** Pages of the list of which it shows one; null where it is no list. */
  pages: number | null = null;
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

/**
 * Rooms for long bodies, bytes, and how many of each are kept for later: as many answers are rarely on their way at once.
 * The smaller takes the largest answers about buildings near a point or of a page, the larger a page of a table of facilities.
 */
const ROOMS: readonly { bytes: number; most: number }[] = [
  { bytes: 1 << 16, most: 64 },
  { bytes: 1 << 18, most: 16 },
];

/**
 * Memory for long bodies, used again when a body has been sent: to have it made and cleared away for every answer takes
 * longer than a look-up, and a system that has to find new pages for it takes longer than all the rest.
 */
export class BodyMemory {
  readonly #spare = ROOMS.map((room) => ({ ...room, buffers: [] as Buffer[] }));

  /** Memory for a body of that many bytes, with anything in it. */
  take(bytes: number): Buffer {
    const room = this.#spare.find((one) => bytes <= one.bytes);
    return room?.buffers.pop() ?? Buffer.allocUnsafeSlow(room?.bytes ?? bytes);
  }

  /** Takes memory back that nobody will read any more. */
  give(buffer: Buffer): void {
    const room = this.#spare.find(({ bytes }) => bytes === buffer.length);
    if (room !== undefined && room.buffers.length < room.most) room.buffers.push(buffer);
  }
}
