import type { Redis } from 'ioredis';
import type { Logger } from 'pino';

/** How long a command may take. A slower Redis counts as down. */
const COMMAND_MS = 250;

/** Pause between two attempts to reach Redis while it is down. */
const RETRY_MS = 500;

/** A connection without an answer for this time is closed. */
const SILENCE_MS = 1000;

/**
 * Runs a script that writes, as the service does. So it also fails on a replica, with full memory or without
 * permission.
 */
const PROBE = "return redis.call('SET', KEYS[1], '1', 'PX', 1000)";

/** Redis cannot be reached. */
export class RedisGone extends Error {}

/**
 * The connection to a Redis shared by servers. After a failed command `run` refuses at once, until Redis answers again.
 * So only requests that were running wait for an outage.
 */
export class SharedRedis {
  readonly #redis: Redis;
  readonly #log: Logger;
  #up = false;
  /** The state that was logged last; empty: none. */
  #loggedState = '';
  #failures = 0;
  /** The next test whether Redis answers again; null: none is planned. */
  #retry: NodeJS.Timeout | null = null;

  private constructor(redis: Redis, log: Logger) {
    this.#log = log;
    this.#redis = redis;
    this.#redis.on('error', (error) => this.#lost(error));
    this.#redis.on('close', () => this.#lost(new Error('the connection was closed')));
  }

  /**
   * Connects, and resolves when it is known whether Redis answers. If it does not, it logs a warning and keeps trying.
   * @param url `redis://[[user]:password@]host[:port][/database]`; `rediss://` with TLS
   */
  static async connect(url: string, log: Logger): Promise<SharedRedis> {
    // Loaded only when needed, because it would slow down every start.
    const { Redis } = await import('ioredis');
    const redis = new Redis(url, {
      lazyConnect: true,
      enableOfflineQueue: false,
      autoResendUnfulfilledCommands: false,
      maxRetriesPerRequest: 0,
      commandTimeout: COMMAND_MS,
      connectTimeout: SILENCE_MS,
      socketTimeout: SILENCE_MS,
      retryStrategy: () => RETRY_MS,
    });
    const shared = new SharedRedis(redis, log);
    await shared.#redis.connect().catch((error) => shared.#lost(error));
    await shared.#probe();
    return shared;
  }

  /** True when Redis answered last time. */
  get up(): boolean {
    return this.#up;
  }

  /** Number of failed commands, without the probes. */
  get failures(): number {
    return this.#failures;
  }

  /**
   * Runs a command. Redis may have executed a command that fails here.
   * @throws RedisGone at once while Redis is down, or within 250 ms when it goes down now
   */
  async run<T>(command: (redis: Redis) => Promise<T>): Promise<T> {
    if (!this.#up) throw new RedisGone('Redis is not there');
    try {
      return await command(this.#redis);
    } catch (error) {
      this.#failures++;
      this.#lost(error as Error);
      throw new RedisGone(`Redis does not answer: ${(error as Error).message}`, { cause: error });
    }
  }

  /** Closes the connection. Errors of the closing connection are ignored. */
  close(): void {
    if (this.#retry !== null) clearTimeout(this.#retry);
    this.#redis.removeAllListeners('error').removeAllListeners('close');
    this.#redis.on('error', () => {});
    this.#redis.disconnect();
  }

  /** Notes that Redis does not answer, and tests it again later. */
  #lost(error: Error): void {
    this.#up = false;
    this.#retry ??= setTimeout(() => {
      this.#retry = null;
      void this.#probe();
    }, RETRY_MS).unref();
    // One line for each outage, although each attempt to reconnect fails too.
    if (this.#loggedState === 'gone') return;
    this.#loggedState = 'gone';
    this.#log.warn({ reason: error.message }, 'redis is gone: this server counts alone');
  }

  /** Tests with a small command whether Redis answers, and logs when it is back. */
  async #probe(): Promise<void> {
    try {
      await this.#redis.eval(PROBE, 1, 'hidamari:probe');
    } catch (error) {
      this.#lost(error as Error);
      return;
    }
    this.#up = true;
    if (this.#loggedState === 'there') return;
    this.#loggedState = 'there';
    this.#log.info('redis is there: servers count together');
  }
}
