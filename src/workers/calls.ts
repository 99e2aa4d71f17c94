import type { Logger } from 'pino';
import type { DatasetDemand } from '../compute/thread.ts';
import type { DayStanding } from '../http/daily-units.ts';
import type { Quota } from '../http/rate-limiter.ts';
import type { NoSlot } from '../http/slots.ts';

/** A channel of messages to another process: to a worker, or to the primary. */
export interface Port {
  send(message: unknown): unknown;
  on(event: 'message', listener: (message: unknown) => void): unknown;
  once(event: 'disconnect', listener: () => void): unknown;
}

/** Requests between processes, with their answers. */
interface Requests {
  /** What a worker needs before it can serve. */
  setup: { asked: null; answer: WorkerSetup };
  /** Counts a request of a client. */
  take: { asked: { of: LimitName; client: string; limit: number | undefined }; answer: Quota };
  takeUnits: { asked: { client: string; units: number; limit: number }; answer: DayStanding };
  /** Takes a slot for a download: its number, or why there is none. */
  takeSlot: { asked: string; answer: number | NoSlot };
  /** Reserves a place in the queue of the compute threads: its number, or null when the queue is full. */
  reserve: { asked: string; answer: number | null };
  compute: { asked: { place: number; demand: DatasetDemand; waitedMs: number }; answer: Uint8Array };
  /** The metrics of a worker as prom-client gives them as JSON. */
  metrics: { asked: null; answer: readonly object[] };
  /** Asks whether a worker is alive. */
  alive: { asked: null; answer: null };
}

/** What a worker serves, and at which address. */
export interface Ready {
  datasetId: string;
  siteUrl: string;
}

/** Messages without an answer. */
export interface Notices {
  /** A worker is still starting: it waits for a store. */
  starting: null;
  /** A worker serves. */
  ready: Ready;
  giveBackUnits: { client: string; units: number };
  /** Warms up the compute threads with examples. */
  warmUp: readonly DatasetDemand[];
  /** A worker has closed the dataset of a folder: the threads drop their caches of it. */
  forget: string;
  /** A worker gives up a download slot, or a place in the queue with its computation. */
  leave: number;
  /** Damage was found in the dataset of a folder. */
  damaged: { folder: string; problem: string };
  /** Workers look for a newer dataset, and read the key file again. */
  reload: null;
  /** Workers finish their running requests, and end. */
  stop: null;
}

/** The rate limits that workers share. */
export type LimitName = 'api' | 'pages' | 'tiles' | 'newResults';

export interface WorkerSetup {
  /** From 1. */
  number: number;
  port: number;
  /** Secrets that sign download URLs. */
  secrets: [string, ...string[]];
}

type Message =
  | { ask: number; name: keyof Requests; value: unknown }
  | { answer: number; value?: unknown; error?: { name: string; message: string } }
  | { notify: keyof Notices; value: unknown };

/** The other process has not answered in time, or has ended. */
export class NoAnswer extends Error {
  override name = 'NoAnswer';
}

/**
 * Waits for an answer.
 * @throws NoAnswer when it does not come in time
 */
export async function inTime<Answer>(asked: Promise<Answer>, withinMs: number): Promise<Answer> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    const giveUp = (): void => reject(new NoAnswer(`no answer within ${withinMs} ms`));
    // This process may have been busy or stopped, and the answer may wait to be read: it is read first.
    timer = setTimeout(() => setImmediate(giveUp), withinMs);
  });
  try {
    return await Promise.race([asked, late]);
  } finally {
    clearTimeout(timer);
  }
}

/** Requests and notices between two processes. */
export class Calls {
  readonly #port: Port;
  readonly #waiting = new Map<number, { resolve(value: unknown): void; reject(error: Error): void }>();
  readonly #answerers = new Map<string, (value: never) => unknown>();
  readonly #listeners = new Map<string, (value: never) => void>();
  #asked = 0;
  #isClosed = false;

  constructor(port: Port) {
    this.#port = port;
    port.on('message', (message) => void this.#take(message as Message));
    port.once('disconnect', () => this.#close());
  }

  /** @throws NoAnswer when the other process ends; or the error of the answerer, with its name and message */
  ask<Name extends keyof Requests>(name: Name, value: Requests[Name]['asked']): Promise<Requests[Name]['answer']> {
    if (this.#isClosed) return Promise.reject(new NoAnswer(name));
    const number = ++this.#asked;
    return new Promise((resolve, reject) => {
      this.#waiting.set(number, { resolve: (answer) => resolve(answer as Requests[Name]['answer']), reject });
      this.#send({ ask: number, name, value });
    });
  }

  answer<Name extends keyof Requests>(
    name: Name,
    answerer: (value: Requests[Name]['asked']) => Requests[Name]['answer'] | Promise<Requests[Name]['answer']>,
  ): void {
    this.#answerers.set(name, answerer);
  }

  notify<Name extends keyof Notices>(name: Name, value: Notices[Name]): void {
    this.#send({ notify: name, value });
  }

  onNotice<Name extends keyof Notices>(name: Name, listener: (value: Notices[Name]) => void): void {
    this.#listeners.set(name, listener);
  }

  async #take(message: Message): Promise<void> {
    if ('notify' in message) this.#listeners.get(message.notify)?.(message.value as never);
    else if ('answer' in message) this.#settle(message);
    else if ('ask' in message) {
      const { ask: answer, name, value } = message;
      try {
        this.#send({ answer, value: await this.#answerers.get(name)?.(value as never) });
      } catch (error) {
        const { name: kind, message: text } = error as Error;
        this.#send({ answer, error: { name: kind, message: text } });
      }
    }
  }

  #settle({ answer, value, error }: Extract<Message, { answer: number }>): void {
    const waiting = this.#waiting.get(answer);
    this.#waiting.delete(answer);
    if (error === undefined) waiting?.resolve(value);
    else waiting?.reject(Object.assign(new Error(error.message), { name: error.name }));
  }

  #send(message: Message): void {
    if (!this.#isClosed) this.#port.send(message);
  }

  #close(): void {
    this.#isClosed = true;
    for (const { reject } of this.#waiting.values()) reject(new NoAnswer('the other process has gone'));
    this.#waiting.clear();
  }
}

/** How long a worker waits for an answer of the primary, milliseconds. */
const PATIENCE_MS = 1000;

interface AskOptions<Answer> {
  /** How long the primary may work on the answer, milliseconds. */
  afterMs?: number;
  /** Called with an answer that comes too late. */
  tooLate?(answer: Answer): void;
}

/**
 * A worker's connection to the primary. When a request stays unanswered, because the primary is stopped or hangs, the
 * primary counts as gone: nothing more is sent until it answers that request.
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
        this.#takeAs(false);
        asked.then(
          (answer) => {
            this.#takeAs(true);
            tooLate?.(answer);
          },
          (late) => late instanceof NoAnswer || this.#takeAs(true),
        );
      }
      throw error;
    }
  }

  /** Takes the primary as there or as gone, and logs a change. */
  #takeAs(isThere: boolean): void {
    if (this.#isThere === isThere) return;
    this.#isThere = isThere;
    if (isThere) this.#log.info('the primary answers: workers count together');
    else this.#log.warn('the primary does not answer: this worker counts alone and computes nothing');
  }
}
