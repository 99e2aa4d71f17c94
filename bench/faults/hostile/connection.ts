import { hash } from 'node:crypto';
import { closeSync, openSync, readSync } from 'node:fs';
import { connect } from 'node:net';
import { AnswerReader, complaintAbout, contentOf, MalformedAnswer, type RawAnswer } from './answers.ts';
import type { KnownFile, Shot, Sound } from './shots.ts';

/** The result of a shot. */
interface ShotResult {
  /** Number of answers by status. */
  statuses: Record<string, number>;
  /** The problems that were found. */
  wrong: string[];
  /** Answers that are incomplete under load and say so. They must not be cached. */
  passing: number;
  /** Time from the first byte until the connection could not be used any more, milliseconds. */
  ms: number;
  /** Size of the longest body of a refusal, bytes. */
  longestRefusal: number;
}

/**
 * Longest duration of a connection, milliseconds. A computed answer may take 10 s, and an incomplete request
 * `--timeout`.
 */
const PATIENCE_MS = 30_000;
/** Time from sending until a connection is cut, for shots that end early. */
const EARLY_MS = 20;
/**
 * How long to wait for the answer to a broken request after all other answers. Some broken requests are incomplete, so
 * the server waits for more.
 */
const TAIL_MS = 300;
/** Most bytes to read of a body. */
const MOST_BODY_BYTES = 2 << 20;

/** Sends a shot on its own connection and checks the answers. */
export function fire(port: number, shot: Shot): Promise<ShotResult> {
  return new Exchange(shot).run(port);
}

class Exchange {
  readonly #shot: Shot;
  readonly #reader = new AnswerReader(MOST_BODY_BYTES);
  readonly #result: ShotResult = { statuses: {}, wrong: [], passing: 0, ms: 0, longestRefusal: 0 };
  #answered = 0;
  #isOver = false;
  /** The reason why answers may be missing; null when none may. */
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
    // A request that is broken from its first byte may have no answer at all.
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

  /**
   * The difference from the expected answer; null when there is none, or when the server answers that it is overloaded.
   */
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

/** What is wrong with the received part of a file. */
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
