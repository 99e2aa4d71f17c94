import type { Logger } from 'pino';
import type { DatasetDemand } from '../compute/thread.ts';
import type { DayStanding } from '../http/daily-units.ts';
import type { LimitName, Quota } from '../http/rate-limiter.ts';
import type { NoSlot } from '../http/slots.ts';

/** A channel of messages to another process: to a worker, or to the primary. */
export interface Port {
  send(message: unknown): unknown;
  on(event: 'message', listener: (message: unknown) => void): unknown;
  once(event: 'disconnect', listener: () => void): unknown;
}

/** Requests between processes: the value that is sent, and the answer. */
interface Requests {
  /** What a worker needs before it can serve. */
  setup: { value: null; answer: WorkerSetup };
  /** Counts a request of a client. */
  take: { value: { limiter: LimitName; client: string; limit: number | undefined }; answer: Quota };
  /** Counts the cost units of a client. */
  takeUnits: { value: { client: string; units: number; limit: number }; answer: DayStanding };
  /** Takes a slot for a download of a client: its number, or why there is none. */
  takeSlot: { value: string; answer: number | NoSlot };
  /** Reserves a turn in the queue of the compute threads for a client: its number, or null when the queue is full. */
  reserve: { value: string; answer: number | null };
  /** Computes a demand with a reserved turn. */
  compute: { value: { turn: number; demand: DatasetDemand; waitedMs: number }; answer: Uint8Array };
  /** The metrics of a worker as prom-client gives them as JSON. */
  metrics: { value: null; answer: readonly object[] };
  /** Asks whether a worker is alive. */
  alive: { value: null; answer: null };
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
  /** A call was not charged after all. */
  giveBackUnits: { client: string; units: number; endsAtMs: number };
  /** A worker has closed the dataset of a folder: the threads drop their caches of it. */
  forget: string;
  /** A worker gives up a download slot, or a turn in the queue with its computation, by its number. */
  leave: number;
  /** Damage was found in the dataset of a folder. */
  damaged: { folder: string; problem: string };
  /** Workers look for a newer dataset, and read the key file again. */
  reload: null;
  /** Workers finish their running requests, and end. */
  stop: null;
}

/** What a worker needs before it can serve. */
export interface WorkerSetup {
  /** Of the worker, from 1. */
  number: number;
  /** The port on which it serves. */
  port: number;
  /** Secrets that sign download URLs. */
  secrets: [string, ...string[]];
}

/** A request with a number, the answer with the same number, or a notice. */
type Message =
  | { ask: number; name: keyof Requests; value: unknown }
  | { answer: number; value?: unknown; error?: { name: string; message: string } }
  | { notify: keyof Notices; value: unknown };

/** The other process has not answered in time, or has ended. */
export class NoAnswer extends Error {
  override name = 'NoAnswer';
}

/**
 * An answer that must come in time.
 * @throws NoAnswer when it does not
 */
export async function inTime<Answer>(answer: Promise<Answer>, withinMs: number): Promise<Answer> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    const giveUp = (): void => reject(new NoAnswer(`no answer within ${withinMs} ms`));
    // This process may have been busy or stopped while the answer came. `setImmediate` lets it read the answer first.
    timer = setTimeout(() => setImmediate(giveUp), withinMs);
  });
  try {
    return await Promise.race([answer, late]);
  } finally {
    clearTimeout(timer);
  }
}

/** Requests and notices between two processes. */
export class Calls {
  readonly #port: Port;
  /** The requests without an answer, by their numbers. */
  readonly #waiting = new Map<number, { resolve(value: unknown): void; reject(error: Error): void }>();
  readonly #answerers = new Map<string, (value: never) => unknown>();
  readonly #listeners = new Map<string, (value: never) => void>();
  #lastNumber = 0;
  #isClosed = false;

  constructor(port: Port) {
    this.#port = port;
    port.on('message', (message) => void this.#receive(message as Message));
    port.once('disconnect', () => this.#close());
  }

  /**
   * Sends a request.
   * @returns the answer
   * @throws NoAnswer when the other process ends
   * @throws Error with name and message of the error of the answerer
   */
  ask<Name extends keyof Requests>(name: Name, value: Requests[Name]['value']): Promise<Requests[Name]['answer']> {
    if (this.#isClosed) return Promise.reject(new NoAnswer(name));
    const number = ++this.#lastNumber;
    return new Promise((resolve, reject) => {
      this.#waiting.set(number, { resolve: (answer) => resolve(answer as Requests[Name]['answer']), reject });
      this.#send({ ask: number, name, value });
    });
  }

  /** Sets how requests of this name are answered. */
  answer<Name extends keyof Requests>(
    name: Name,
    answerer: (value: Requests[Name]['value']) => Requests[Name]['answer'] | Promise<Requests[Name]['answer']>,
  ): void {
    this.#answerers.set(name, answerer);
  }

  /** Sends a notice. */
  notify<Name extends keyof Notices>(name: Name, value: Notices[Name]): void {
    this.#send({ notify: name, value });
  }

  /** Sets what is called with notices of this name. */
  onNotice<Name extends keyof Notices>(name: Name, listener: (value: Notices[Name]) => void): void {
    this.#listeners.set(name, listener);
  }

  /** Acts on a message of the other process. */
  async #receive(message: Message): Promise<void> {
    if ('notify' in message) this.#listeners.get(message.notify)?.(message.value as never);
    else if ('answer' in message) this.#settle(message);
    else if ('ask' in message) {
      const { ask: number, name, value } = message;
      try {
        this.#send({ answer: number, value: await this.#answerers.get(name)?.(value as never) });
      } catch (error) {
        const { name, message } = error as Error;
        this.#send({ answer: number, error: { name, message } });
      }
    }
  }

  /** Settles the request to which an answer has come. */
  #settle({ answer: callNumber, value, error }: Extract<Message, { answer: number }>): void {
    const waiting = this.#waiting.get(callNumber);
    this.#waiting.delete(callNumber);
    if (error === undefined) waiting?.resolve(value);
    else waiting?.reject(Object.assign(new Error(error.message), { name: error.name }));
  }

  /** Sends a message; nothing when the other process has gone. */
  #send(message: Message): void {
    if (!this.#isClosed) this.#port.send(message);
  }

  /** Fails all waiting requests, because the other process has gone. */
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
  workMs?: number;
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

  /**
   * Sends a request to the primary. An answer that comes too late shows that the primary is there again, and goes to
   * `tooLate`, which gives back what the answer granted.
   * @throws NoAnswer at once while the primary is gone, or when the answer does not come in time
   * @throws Error of the answerer, like `Calls.ask`
   */
  async ask<Name extends keyof Requests>(
    name: Name,
    value: Requests[Name]['value'],
    { workMs = 0, tooLate }: AskOptions<Requests[Name]['answer']> = {},
  ): Promise<Requests[Name]['answer']> {
    if (!this.#isThere) throw new NoAnswer('the primary is gone');
    const answer = this.calls.ask(name, value);
    try {
      return await inTime(answer, workMs + PATIENCE_MS);
    } catch (error) {
      if (error instanceof NoAnswer) {
        this.#setGone();
        answer.then(
          (late) => {
            this.#setThere();
            tooLate?.(late);
          },
          (lateError) => {
            // With any other error, the primary has answered.
            if (!(lateError instanceof NoAnswer)) this.#setThere();
          },
        );
      }
      throw error;
    }
  }

  /** Takes the primary as gone; logs the change. */
  #setGone(): void {
    if (this.#isThere) this.#log.warn('the primary does not answer: this worker counts alone and computes nothing');
    this.#isThere = false;
  }

  /** Takes the primary as there; logs the change. */
  #setThere(): void {
    if (!this.#isThere) this.#log.info('the primary answers: workers count together');
    this.#isThere = true;
  }
}
