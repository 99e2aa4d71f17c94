import { hash } from 'node:crypto';
import { closeSync, openSync, readSync } from 'node:fs';
import { connect } from 'node:net';
import { AnswerReader, complaintAbout, contentOf, MalformedAnswer, type RawAnswer } from './answers.ts';
import type { KnownFile, Shot, Sound } from './shots.ts';

/** What came of a shot. */
interface ShotResult {
  /** Answers by status. */
  statuses: Record<string, number>;
  /** What was not as it must be. */
  wrong: string[];
  /** Answers that were less than they are at other times, and say so: not to be kept. */
  passing: number;
  /** From the first byte until the connection was of no more use, milliseconds. */
  ms: number;
  /** The longest body of a refusal, bytes. */
  longestRefusal: number;
}

/** How long a connection may last, milliseconds. A computed answer has 10 s, a request that does not arrive `--timeout`. */
const PATIENCE_MS = 30_000;
/** How long after it was sent a connection is cut that is to end early. */
const EARLY_MS = 20;
/** How long a broken request is waited for once all before it is answered: some are halves, for which the server waits. */
const TAIL_MS = 300;
/** Of a longer body the rest is not taken. */
const MOST_BODY_BYTES = 2 << 20;

/** Sends a shot over a connection of its own and judges what comes back. */
export function fire(port: number, shot: Shot): Promise<ShotResult> {
  return new Exchange(shot).run(port);
}

class Exchange {
  readonly #shot: Shot;
  readonly #reader = new AnswerReader(MOST_BODY_BYTES);
  readonly #result: ShotResult = { statuses: {}, wrong: [], passing: 0, ms: 0, longestRefusal: 0 };
  #answered = 0;
  #isOver = false;
  /** Why answers may be missing; null: none may. */
  #excuse: string | null;

  constructor(shot: Shot) {
    this.#shot = shot;
    this.#excuse = shot.ending === 'answered' ? null : 'this side has ended the connection';
  }

  run(port: number): Promise<ShotResult> {
    const { asked, tail, ending } = this.#shot;
    const { promise, resolve } = Promise.withResolvers<ShotResult>();
    const begin = performance.now();
    const socket = connect({ port, host: '127.0.0.1', noDelay: true, allowHalfOpen: true });
    const timers = [setTimeout(() => this.#late(() => socket.destroy()), PATIENCE_MS)];
    const stop = (): void => void socket.destroy();
    socket.on('connect', () => {
      socket.write(Buffer.concat([...asked.map(({ bytes }) => bytes), ...(tail === null ? [] : [tail])]));
      if (ending === 'half') socket.end();
      if (ending === 'early') timers.push(setTimeout(stop, EARLY_MS));
    });
    socket.on('data', (chunk) => {
      this.#take(chunk, false);
      if (this.#isOver) stop();
      else if (this.#answered >= asked.length && tail === null) stop();
      else if (this.#answered === asked.length) timers.push(setTimeout(stop, TAIL_MS));
    });
    socket.on('end', () => {
      this.#take(Buffer.alloc(0), true);
      stop();
    });
    // The server may have closed the connection after a refusal while the rest was still being written.
    socket.on('error', (error: NodeJS.ErrnoException) => {
      if (error.code === 'ECONNREFUSED') this.#fail('the server takes no connection');
      else if (tail !== null || asked.some(({ bytes }) => bytes.length > 16_384)) this.#excuse ??= error.message;
    });
    socket.on('close', () => {
      for (const timer of timers) clearTimeout(timer);
      this.#finish();
      this.#result.ms = performance.now() - begin;
      resolve(this.#result);
    });
    // Nothing may come at all for what is broken from the first byte.
    if (asked.length === 0) timers.push(setTimeout(stop, TAIL_MS));
    return promise;
  }

  #take(chunk: Buffer, isClosed: boolean): void {
    this.#reader.push(chunk);
    try {
      while (!this.#isOver) {
        const sound = this.#shot.asked[this.#answered];
        const answer = this.#reader.next(
          sound?.method === 'HEAD' || (sound === undefined && this.#tailIsHead()),
          isClosed,
        );
        if (answer === null) return;
        this.#judge(answer, sound ?? null);
        this.#answered++;
        if (answer.body.length < answer.length) this.#excuse ??= 'of a long body only the beginning was taken';
        if (answer.headers.get('connection') === 'close') this.#excuse ??= 'the server closes the connection';
        this.#isOver = answer.body.length < answer.length;
      }
    } catch (error) {
      if (!(error instanceof MalformedAnswer)) throw error;
      this.#isOver = true;
      this.#fail(`not HTTP: ${error.message}`);
    }
  }

  #tailIsHead(): boolean {
    return this.#shot.tail?.toString('latin1', 0, 5) === 'HEAD ';
  }

  #judge(answer: RawAnswer, sound: Sound | null): void {
    const { status } = answer;
    this.#result.statuses[status] = (this.#result.statuses[status] ?? 0) + 1;
    if (status >= 400) this.#result.longestRefusal = Math.max(this.#result.longestRefusal, answer.length);
    const asked = sound === null ? 'the broken request' : `${sound.method} ${sound.target.slice(0, 300)}`;
    if (status === 500) this.#fail(`500 for ${asked}: ${answer.body.toString('utf8', 0, 300)}`);
    const complaint = complaintAbout(answer, sound?.method === 'HEAD') ?? (sound && this.#wrongOf(answer, sound));
    if (complaint !== null) this.#fail(`${complaint} for ${asked}`);
  }

  /** What differs from the answer that was to come; null where nothing does, or the server had no time for it and says so. */
  #wrongOf(answer: RawAnswer, { expected, method }: Sound): string | null {
    const { status } = answer;
    if (expected === null || status === 429 || status === 503) return null;
    if ('file' in expected) return status === 206 || status === 200 ? wrongPart(answer, expected.file, method) : null;
    const { known, mayBeUnchanged } = expected;
    if (mayBeUnchanged && status === 304) return null;
    if (status !== known.status) return `${status} in place of ${known.status}`;
    if (known.digest === null || method === 'HEAD' || answer.body.length < answer.length) return null;
    if (hash('sha256', contentOf(answer)) === known.digest) return null;
    if (answer.headers.get('cache-control')?.includes('no-store') !== true || known.etag === null)
      return 'another body';
    this.#result.passing++;
    return null;
  }

  #late(end: () => void): void {
    this.#fail(`${this.#shot.asked.length - this.#answered} answers have not come in ${PATIENCE_MS / 1000} s`);
    this.#excuse ??= 'late';
    end();
  }

  #finish(): void {
    const { asked, tail } = this.#shot;
    if (!this.#isOver && this.#excuse === null && this.#answered < asked.length) {
      const next = asked[this.#answered];
      this.#fail(
        `no answer to request ${this.#answered} of ${asked.length}: ${next?.method} ${next?.target.slice(0, 300)}`,
      );
    }
    const most = asked.length + (tail === null ? 0 : 1);
    if (this.#answered > most) this.#fail(`${this.#answered} answers to ${most} requests`);
  }

  #fail(line: string): void {
    this.#result.wrong.push(line);
  }
}

/** What is wrong with a part of a file, as far as it was taken. */
function wrongPart({ status, headers, body, length }: RawAnswer, file: KnownFile, method: string): string | null {
  const [, from = '0', to = ''] = /^bytes (\d+)-(\d+)\/\d+$/.exec(headers.get('content-range') ?? '') ?? [];
  const start = Number(from);
  const end = status === 206 ? Number(to || Number.NaN) + 1 : file.bytes;
  if (!(start < end && end <= file.bytes)) return `206 of ${headers.get('content-range')}`;
  if (headers.get('content-length') !== String(end - start))
    return `${headers.get('content-length')} bytes for ${end - start}`;
  if (method === 'HEAD') return null;
  const wanted = Buffer.alloc(Math.min(body.length, end - start));
  const handle = openSync(file.path, 'r');
  readSync(handle, wanted, 0, wanted.length, start);
  closeSync(handle);
  return length === end - start && body.equals(wanted) ? null : 'other bytes than the file has';
}
