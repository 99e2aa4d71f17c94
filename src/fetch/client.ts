import { setTimeout as sleep } from 'node:timers/promises';
import { isDiskFull } from '../formats/files.ts';
import { ask, reasonOf } from '../http/ask.ts';

/** Text of a publisher without control characters, which could control a terminal. */
export const plainText = (text: string): string => text.replace(/\p{Cc}/gu, '');

/** The problem with one URL, in one line for people. */
export class FetchError extends Error {
  override name = 'FetchError';

  constructor(message: string) {
    super(message.split('\n').map(plainText).join('\n'));
  }
}

/** The publisher has no such file: status 404. */
export class NotThereError extends FetchError {
  override name = 'NotThereError';
}

/** Every attempt failed, or the publisher asks for a long pause: it is down, cut off, too slow or too busy. */
export class UnreachableError extends FetchError {}

/** The disk of the inputs folder is full, so nothing more can be fetched. */
export class DiskFullError extends FetchError {
  override name = 'DiskFullError';
}

/** The publisher's file changed while its parts were read. */
export class ChangedError extends FetchError {
  override name = 'ChangedError';
}

interface ClientOptions {
  /** Sent with every request. It names a contact, to which publishers can write before they block a client. */
  userAgent: string;
  /** Number of attempts of one request when the network or the server fails. */
  tries: number;
  /** Pause before the second attempt, milliseconds; it doubles each time. */
  backoffMs: number;
  /** Longest pause that a Retry-After may request, milliseconds. */
  longestWaitMs: number;
  /** A connection that delivers nothing, or almost nothing, for this time is closed, milliseconds. */
  idleMs: number;
  /** Limit of requested tiles in a second: tile servers request a low load. */
  tilesPerSecond: number;
  /** Called with one line before every repeated attempt. */
  onRetry?: (message: string) => void;
}

export const CLIENT_DEFAULTS: Omit<ClientOptions, 'userAgent'> = {
  tries: 5,
  backoffMs: 1000,
  longestWaitMs: 120_000,
  idleMs: 60_000,
  tilesPerSecond: 8,
};

const MOST_REDIRECTS = 5;
/** A slower download is ended and repeated, because a slow server could hold a run for ever. */
const LEAST_BYTES_PER_SECOND = 1000;
/** Limit of a catalogue's answer or a page, bytes. They have some hundred thousand. */
export const MOST_PAGE_BYTES = 64e6;

/**
 * Sends requests to publishers over HTTP: limited attempts, with the pauses of Retry-After, and redirects to named
 * hosts only.
 */
export class Client {
  readonly options: ClientOptions;
  /** Until when a server asked for no requests, by its host, on the clock of `performance.now`. */
  readonly #pausedUntil = new Map<string, number>();

  constructor(options: ClientOptions) {
    this.options = options;
  }

  /** The same client, which reports every repeated attempt in one line. */
  reportingTo = (onRetry: (message: string) => void): Client => new Client({ ...this.options, onRetry });

  /**
   * The response to a GET request. The request is repeated after a status 429 or 5xx and after an error of the network.
   * Any other status is returned.
   * @param hosts that may answer, also after redirects
   * @throws {FetchError} When every attempt failed, a redirect leads to another host, or the server requests a longer
   *   pause than `longestWaitMs`.
   */
  async get(url: string, hosts: readonly string[], headers: Record<string, string> = {}): Promise<Response> {
    for (let attempt = 1; ; attempt++) {
      const isLast = attempt >= this.options.tries;
      const response = await this.#follow(url, hosts, headers).catch((error: Error) => error);
      if (response instanceof Error) {
        if (isLast || response instanceof FetchError) throw fetchErrorOf(url, response);
        await this.pause(url, attempt, reasonOf(response));
        continue;
      }
      const { status } = response;
      if (!isTemporary(status)) return response;
      await response.body?.cancel();
      if (isLast) throw new UnreachableError(`${url}: status ${status} after ${attempt} tries`);
      await this.pause(url, attempt, `status ${status}`, response.headers.get('retry-after'));
    }
  }

  /**
   * The answer of `get` with its whole body of at most `most` bytes. A broken transfer is repeated.
   * @throws {FetchError} When there are more bytes, every attempt failed, a redirect leads to another host, or the server
   *   requests a longer pause than `longestWaitMs`.
   */
  whole(url: string, hosts: readonly string[], most: number): Promise<{ response: Response; body: Buffer }> {
    return this.withRetries(url, async () => {
      const response = await this.get(url, hosts);
      return { response, body: await this.body(response, url, most) };
    });
  }

  /**
   * Does `work`, and repeats it after a pause when it fails: a connection broke, became silent or was too slow.
   * @param name of the work in error messages
   * @throws {FetchError} When every attempt failed, or `work` itself throws one: that is not repeated.
   * @throws {Error} When the disk is full: that is not repeated.
   */
  async withRetries<T>(name: string, work: () => Promise<T>): Promise<T> {
    for (let attempt = 1; ; attempt++) {
      try {
        return await work();
      } catch (error) {
        if (isDiskFull(error)) throw error;
        if (error instanceof FetchError || attempt >= this.options.tries) throw fetchErrorOf(name, error as Error);
        await this.pause(name, attempt, reasonOf(error as Error));
      }
    }
  }

  /**
   * The whole body of a response.
   * @throws {FetchError} When the body has more than `most` bytes.
   * @throws {Error} When it breaks, becomes silent or is too slow.
   */
  async body(response: Response, url: string, most: number): Promise<Buffer> {
    const pieces: Uint8Array[] = [];
    let bytes = 0;
    for await (const piece of this.pieces(response)) {
      bytes += piece.length;
      if (bytes > most) throw new FetchError(`${url}: more than the ${most} bytes that such an answer may have`);
      pieces.push(piece);
    }
    return Buffer.concat(pieces);
  }

  /**
   * The body of a response as it arrives. The connection is closed when the caller stops reading.
   * @throws {Error} When it breaks, becomes silent or is too slow.
   */
  async *pieces(response: Response): AsyncGenerator<Uint8Array> {
    const reader = response.body?.getReader();
    if (reader === undefined) return;
    const { idleMs } = this.options;
    // The speed is measured by the time of waiting alone: a slow disk of the reader is not the server's fault.
    let [waitedMs, bytes] = [0, 0];
    try {
      for (;;) {
        const start = performance.now();
        const { done, value } = await withTimeout(reader.read(), idleMs);
        if (done) return;
        waitedMs += performance.now() - start;
        bytes += value.length;
        if (waitedMs >= idleMs) {
          if (bytes < (waitedMs / 1000) * LEAST_BYTES_PER_SECOND)
            throw new Error(`only ${bytes} bytes arrived in ${Math.round(waitedMs / 100) / 10} s`);
          [waitedMs, bytes] = [0, 0];
        }
        yield value;
      }
    } finally {
      await reader.cancel().catch(() => undefined);
    }
  }

  /**
   * Waits before the next attempt: as long as the server requests, otherwise a time that doubles with each attempt.
   * @param attempt number of the attempt that failed, from 1 on
   * @param reason why it failed
   * @param retryAfter the Retry-After header of the response; null: none
   * @throws {FetchError} When the server requests a longer pause than `longestWaitMs`.
   */
  async pause(url: string, attempt: number, reason: string, retryAfter: string | null = null): Promise<void> {
    const { backoffMs, longestWaitMs, tries, onRetry } = this.options;
    const requestedMs = retryAfter === null ? null : retryAfterMs(retryAfter, Date.now());
    if (requestedMs !== null && requestedMs > longestWaitMs) throw comeBackLater(url, requestedMs);
    const pauseMs = requestedMs === null ? backoffMs * 2 ** (attempt - 1) : Math.max(requestedMs, backoffMs);
    onRetry?.(plainText(`${url}: ${reason}; attempt ${attempt + 1} of ${tries} in ${Math.ceil(pauseMs / 1000)} s`));
    await sleep(pauseMs);
  }

  /**
   * Sends a request, and follows its redirects to the first response that is none.
   * @throws {FetchError} When a redirect leads to another host, is not encrypted or invalid, or there are too many.
   */
  async #follow(url: string, hosts: readonly string[], headers: Record<string, string>): Promise<Response> {
    let address = url;
    for (let redirects = 0; redirects <= MOST_REDIRECTS; redirects++) {
      checkAllowed(address, hosts, url);
      const { host } = new URL(address);
      await this.#waitForServer(host, url);
      // A compressed body would have another length and checksum than the published file.
      const response = await this.#askOnce(address, {
        'user-agent': this.options.userAgent,
        'accept-encoding': 'identity',
        ...headers,
      });
      this.#notePause(host, response);
      const location = response.headers.get('location');
      // 304 says that a copy is still the newest. It is no redirect.
      if (response.status < 300 || response.status > 399 || response.status === 304 || location === null) {
        return response;
      }
      await response.body?.cancel();
      const next = URL.canParse(location, address) ? new URL(location, address) : null;
      if (next === null) throw new FetchError(`${url}: redirects to "${location}", which is no address`);
      if (new URL(address).protocol === 'https:' && next.protocol !== 'https:') {
        throw new FetchError(`${url}: redirects to ${next.origin}, which is not encrypted`);
      }
      address = next.href;
    }
    throw new FetchError(`${url}: more than ${MOST_REDIRECTS} redirects`);
  }

  /** Notes the pause that a server asks for: it holds for all its files, not only for the one that was requested. */
  #notePause(host: string, { status, headers }: Response): void {
    const pauseMs = isTemporary(status) ? retryAfterMs(headers.get('retry-after') ?? '', Date.now()) : null;
    if (pauseMs !== null) this.#pausedUntil.set(host, performance.now() + pauseMs);
  }

  /**
   * Waits until the pause that a server asked for is over.
   * @param url of the file, for the error
   * @throws {FetchError} When it is longer than `longestWaitMs`.
   */
  async #waitForServer(host: string, url: string): Promise<void> {
    const remainingMs = (): number => (this.#pausedUntil.get(host) ?? 0) - performance.now();
    // Another request may prolong the pause meanwhile.
    for (let pauseMs = remainingMs(); pauseMs > 0; pauseMs = remainingMs()) {
      if (pauseMs > this.options.longestWaitMs) throw comeBackLater(url, pauseMs);
      await sleep(pauseMs);
    }
  }

  /** Sends one request. The time limit ends with the headers, because `pieces` has a time limit for the body. */
  async #askOnce(url: string, headers: Record<string, string>): Promise<Response> {
    const controller = new AbortController();
    const seconds = this.options.idleMs / 1000;
    const timer = setTimeout(() => controller.abort(new Error(`no answer within ${seconds} s`)), this.options.idleMs);
    try {
      return await ask(url, { headers, signal: controller.signal });
    } finally {
      clearTimeout(timer);
    }
  }
}

/** True for a status after which the same request may succeed: too many requests, or an error of the server. */
const isTemporary = (status: number): boolean => status === 429 || status >= 500;

/** The error of a file whose server asks for a pause that is too long to wait. */
const comeBackLater = (url: string, pauseMs: number): FetchError =>
  new UnreachableError(`${url}: the server asks to come back in ${Math.ceil(pauseMs / 1000)} s; run it again then`);

/** The error with the address in its message. */
const fetchErrorOf = (url: string, error: Error): FetchError =>
  error instanceof FetchError ? error : new UnreachableError(`${url}: ${reasonOf(error)}`);

/**
 * Checks that an address leads to a host of the publisher.
 * @param url the first address of the redirects, for the error
 * @throws {FetchError} When it leads elsewhere, or contains a name or password.
 */
function checkAllowed(target: string, hosts: readonly string[], url: string): void {
  const { hostname, host, protocol, username, password } = new URL(target);
  if (username !== '' || password !== '') throw new FetchError(`${url}: leads to ${host} with a name or password`);
  const isAllowed = hosts.some((name) =>
    name.startsWith('*.') ? hostname.endsWith(name.slice(1)) : name === hostname || name === host,
  );
  if (isAllowed && (protocol === 'https:' || protocol === 'http:')) return;
  throw new FetchError(
    `${url}: leads to ${host || target}, which is not a host of this publisher (${hosts.join(', ')}); if it moved, name the new host with --publishers`,
  );
}

/**
 * The result of a promise.
 * @throws {Error} When it takes longer than `idleMs`.
 */
async function withTimeout<T>(promise: Promise<T>, idleMs: number): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const silence = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error(`nothing arrived for ${idleMs / 1000} s`)), idleMs);
  });
  return Promise.race([promise, silence]).finally(() => clearTimeout(timer));
}

/**
 * The pause that a Retry-After header requests, milliseconds; null for a value that is neither seconds nor a date.
 * @param now time of the response, milliseconds since 1970
 */
export function retryAfterMs(value: string, now: number): number | null {
  if (/^\d+$/.test(value.trim())) return Number(value) * 1000;
  // `Date.parse` accepts -5 and 1.5 as dates. A date of HTTP begins with the name of a day.
  const date = /^\s*[a-z]{3}/i.test(value) ? Date.parse(value) : Number.NaN;
  return Number.isNaN(date) ? null : Math.max(0, date - now);
}
