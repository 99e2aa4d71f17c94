import { giveRoom, takeRoom } from './body-room.ts';
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
  /** In which the content lies, where it is this body's alone. */
  #room: Buffer | null = null;
  #coded: Map<Coding, Promise<Buffer>> | null = null;

  constructor(content: string | Buffer) {
    this.#content = content;
  }

  static of(text: string): Body {
    return Body.around('', Buffer.from(text), '');
  }

  /** Bytes of UTF-8 between two texts that have a character for each byte. */
  static around(before: string, bytes: Buffer, after: string): Body {
    const length = before.length + bytes.length + after.length;
    if (length <= LONGEST_STRING) return new Body(before + bytes.toString('latin1') + after);
    const room = takeRoom(length);
    room.write(before, 'latin1');
    room.set(bytes, before.length);
    room.write(after, length - after.length, 'latin1');
    const body = new Body(room.subarray(0, length));
    body.#room = room;
    return body;
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
    if (this.#room === null) return;
    this.#content = Buffer.from(this.#content as Buffer);
    this.letGo();
  }

  /** Says that it has been sent and will not be again, unless it is kept. */
  letGo(): void {
    if (this.#room !== null) giveRoom(this.#room);
    this.#room = null;
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
