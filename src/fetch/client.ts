import { setTimeout as sleep } from 'node:timers/promises';
import { ask } from '../http/ask.ts';

/** Text of a publisher without control characters: what is shown in a terminal must not steer it. */
export const plainText = (text: string): string => text.replace(/\p{Cc}/gu, '');

/** What went wrong with one address, in one line for a person. */
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

/** The disk of the inputs folder is full: nothing more can be fetched. */
export class DiskFullError extends FetchError {
  override name = 'DiskFullError';
}

/** The publisher's file changed while it was read in parts. */
export class ChangedError extends FetchError {
  override name = 'ChangedError';
}

/** Whether an error of the file system says that the disk, or what one may use of it, is full. */
export const isDiskFull = (error: unknown): boolean =>
  ['ENOSPC', 'EDQUOT'].includes((error as NodeJS.ErrnoException).code ?? '');

interface ClientOptions {
  /** Sent with every request; publishers write to the contact in it before they block. */
  userAgent: string;
  /** Tries of one request when the network or the server fails. */
  tries: number;
  /** Wait before the second try, milliseconds; it doubles with each try. */
  backoffMs: number;
  /** Longest wait that a Retry-After may ask for, milliseconds. */
  longestWaitMs: number;
  /** A connection that gives nothing for this long, or next to nothing, is given up, milliseconds. */
  idleMs: number;
  /** Most tiles that are asked for in a second: servers of tiles ask not to be loaded much. */
  tilesPerSecond: number;
}

export const CLIENT_DEFAULTS: Omit<ClientOptions, 'userAgent'> = {
  tries: 5,
  backoffMs: 1000,
  longestWaitMs: 120_000,
  idleMs: 60_000,
  tilesPerSecond: 8,
};

const MOST_REDIRECTS = 5;
/** A slower download is given up and repeated: a slow server could hold a run for ever. */
const LEAST_BYTES_PER_SECOND = 1000;
/** Most bytes of a catalogue's answer or a page; they have some hundred thousand. */
export const MOST_PAGE_BYTES = 64e6;

/** Asks publishers over HTTP, politely: bounded tries, Retry-After obeyed, redirects to named hosts only. */
export class Client {
  readonly options: ClientOptions;

  constructor(options: ClientOptions) {
    this.options = options;
  }

  /**
   * The response to a GET once it is not a refusal for now: any status but 429 and 5xx.
   * @param hosts that may answer, redirects included
   * @throws FetchError when every try failed, a redirect leaves the hosts, or the server asks to wait too long
   */
  async get(url: string, hosts: readonly string[], headers: Record<string, string> = {}): Promise<Response> {
    for (let attempt = 1; ; attempt++) {
      const last = attempt >= this.options.tries;
      const response = await this.#follow(url, hosts, headers).catch((error: Error) => {
        if (last || error instanceof FetchError) throw failed(url, error);
        return null;
      });
      if (response !== null && !isRefusalForNow(response.status)) return response;
      await response?.body?.cancel();
      if (response !== null && last) throw new FetchError(`${url}: status ${response.status} after ${attempt} tries`);
      await this.pause(attempt, response?.headers.get('retry-after') ?? null, url);
    }
  }

  /**
   * The answer of `get` and its whole body, of which `most` bytes are taken at most; asked for again where it breaks off.
   * @throws FetchError when there are more bytes, and as `get`
   */
  whole(url: string, hosts: readonly string[], most: number): Promise<{ response: Response; body: Buffer }> {
    return this.patiently(url, async () => {
      const response = await this.get(url, hosts);
      return { response, body: await this.body(response, url, most) };
    });
  }

  /**
   * Does `work`, and repeats it after a pause when a connection broke off, fell silent or was too slow.
   * @throws FetchError when every try failed; what `work` refuses with a FetchError, and a full disk, at once
   */
  async patiently<T>(name: string, work: () => Promise<T>): Promise<T> {
    for (let attempt = 1; ; attempt++) {
      try {
        return await work();
      } catch (error) {
        if (isDiskFull(error)) throw error;
        if (error instanceof FetchError || attempt >= this.options.tries) throw failed(name, error as Error);
        await this.pause(attempt, null, name);
      }
    }
  }

  /**
   * The body of a response.
   * @throws FetchError when it has more than `most` bytes; Error when it breaks off, falls silent or drips
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
   * The body of a response as it arrives; the connection is closed where no more is taken.
   * @throws Error when it breaks off, falls silent or drips
   */
  async *pieces(response: Response): AsyncGenerator<Uint8Array> {
    const reader = response.body?.getReader();
    if (reader === undefined) return;
    const { idleMs } = this.options;
    // Only waiting counts: a slow disk is not the server's doing.
    let [waitedMs, bytes] = [0, 0];
    try {
      for (;;) {
        const asked = performance.now();
        const { done, value } = await withinIdle(reader.read(), idleMs);
        if (done) return;
        waitedMs += performance.now() - asked;
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

  /** Waits before the next try: as long as the server asks for, else a doubling time. */
  async pause(attempt: number, retryAfter: string | null, url: string): Promise<void> {
    const asked = retryAfter === null ? null : retryAfterMs(retryAfter, Date.now());
    if (asked !== null && asked > this.options.longestWaitMs) {
      throw new FetchError(`${url}: the server asks to come back in ${Math.ceil(asked / 1000)} s; run it again then`);
    }
    await sleep(Math.max(asked ?? 0, this.options.backoffMs * (asked === null ? 2 ** (attempt - 1) : 1)));
  }

  async #follow(url: string, hosts: readonly string[], headers: Record<string, string>): Promise<Response> {
    let at = url;
    for (let redirects = 0; redirects <= MOST_REDIRECTS; redirects++) {
      checkHost(at, hosts, url);
      // Coded bodies would have a length and a checksum of their own: the published bytes are asked for.
      const response = await this.#ask(at, {
        'user-agent': this.options.userAgent,
        'accept-encoding': 'identity',
        ...headers,
      });
      const location = response.headers.get('location');
      if (response.status < 300 || response.status > 399 || response.status === 304 || location === null) {
        return response;
      }
      await response.body?.cancel();
      const next = URL.canParse(location, at) ? new URL(location, at) : null;
      if (next === null) throw new FetchError(`${url}: redirects to "${location}", which is no address`);
      if (new URL(at).protocol === 'https:' && next.protocol !== 'https:') {
        throw new FetchError(`${url}: redirects to ${next.origin}, which is not encrypted`);
      }
      at = next.href;
    }
    throw new FetchError(`${url}: more than ${MOST_REDIRECTS} redirects`);
  }

  /** One exchange; the time limit holds for the head, the reader of the body has its own. */
  async #ask(url: string, headers: Record<string, string>): Promise<Response> {
    const silence = new AbortController();
    const seconds = this.options.idleMs / 1000;
    const timer = setTimeout(() => silence.abort(new Error(`no answer within ${seconds} s`)), this.options.idleMs);
    try {
      return await ask(url, { headers, signal: silence.signal });
    } finally {
      clearTimeout(timer);
    }
  }
}

const isRefusalForNow = (status: number): boolean => status === 429 || status >= 500;

function failed(url: string, error: Error): FetchError {
  if (error instanceof FetchError) return error;
  const cause = error.cause instanceof Error ? error.cause.message || error.cause.name : error.message;
  return new FetchError(`${url}: ${cause}`);
}

/** @throws FetchError for a host that the publisher does not name */
function checkHost(at: string, hosts: readonly string[], url: string): void {
  const { hostname, host, protocol, username, password } = new URL(at);
  if (username !== '' || password !== '') throw new FetchError(`${url}: leads to ${host} with a name or password`);
  const named = hosts.some((name) =>
    name.startsWith('*.') ? hostname.endsWith(name.slice(1)) : name === hostname || name === host,
  );
  if (named && (protocol === 'https:' || protocol === 'http:')) return;
  throw new FetchError(
    `${url}: leads to ${host || at}, which is not a host of this publisher (${hosts.join(', ')}); if it moved, name the new host with --publishers`,
  );
}

/** @throws Error when nothing arrives in time */
async function withinIdle<T>(promise: Promise<T>, idleMs: number): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const silence = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error(`nothing arrived for ${idleMs / 1000} s`)), idleMs);
  });
  return Promise.race([promise, silence]).finally(() => clearTimeout(timer));
}

/** Milliseconds that a Retry-After (seconds or a date) asks for; null when it is neither. */
export function retryAfterMs(value: string, now: number): number | null {
  if (/^\d+$/.test(value.trim())) return Number(value) * 1000;
  // `Date.parse` takes -5 and 1.5 for dates: one of HTTP begins with the name of a day.
  const date = /^\s*[a-z]{3}/i.test(value) ? Date.parse(value) : Number.NaN;
  return Number.isNaN(date) ? null : Math.max(0, date - now);
}
