import type { Redis } from 'ioredis';
import type { Logger } from 'pino';

/** How long a command may take. A server that is slower than this counts as gone. */
const COMMAND_MS = 250;

/** How often a Redis that is gone is looked for. */
const RETRY_MS = 500;

/** How long a connection may leave commands without a word before it is torn down: it leads nowhere. */
const SILENCE_MS = 1000;

/** Does what the service does, runs a script that writes: a replica, a full memory or missing rights show too. */
const PROBE = "return redis.call('SET', KEYS[1], '1', 'PX', 1000)";

/** Redis is not there; what it was needed for has to do without. */
export class RedisGone extends Error {}

/**
 * The connection to a Redis that servers share. It knows whether Redis is there: from the first command that fails
 * until Redis answers again, `run` refuses at once, so that one request at most waits for each outage (and those that
 * were under way with it).
 */
export class SharedRedis {
  readonly #redis: Redis;
  readonly #log: Logger;
  #up = false;
  #said = '';
  #failures = 0;
  #watch: NodeJS.Timeout | null = null;

  private constructor(redis: Redis, log: Logger) {
    this.#log = log;
    this.#redis = redis;
    this.#redis.on('error', (error) => this.#lost(error));
    this.#redis.on('close', () => this.#lost(new Error('the connection was closed')));
  }

  /**
   * Connects, and resolves when it is known whether Redis is there. When it is not, a warning says so and the
   * connection goes on trying.
   * @param url `redis://[[user]:password@]host[:port][/database]`; `rediss://` with TLS.
   */
  static async connect(url: string, log: Logger): Promise<SharedRedis> {
    // Loaded only where it is needed: every start would have to wait for it.
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
    await shared.#look();
    return shared;
  }

  /** Whether Redis answered last time. */
  get up(): boolean {
    return this.#up;
  }

  /** Commands that failed, those of looking for it aside. */
  get failures(): number {
    return this.#failures;
  }

  /**
   * Runs a command. What has failed may have been carried out.
   * @throws RedisGone at once while Redis is gone, or within 250 ms when it goes now.
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

  close(): void {
    if (this.#watch !== null) clearTimeout(this.#watch);
    this.#redis.removeAllListeners('error').removeAllListeners('close');
    this.#redis.on('error', () => {});
    this.#redis.disconnect();
  }

  #lost(error: Error): void {
    this.#up = false;
    this.#watch ??= setTimeout(() => {
      this.#watch = null;
      void this.#look();
    }, RETRY_MS).unref();
    // Once for each outage, though every attempt to reconnect fails too.
    if (this.#said === 'gone') return;
    this.#said = 'gone';
    this.#log.warn({ reason: error.message }, 'redis is gone: this server counts alone');
  }

  async #look(): Promise<void> {
    try {
      await this.#redis.eval(PROBE, 1, 'hidamari:probe');
    } catch (error) {
      this.#lost(error as Error);
      return;
    }
    this.#up = true;
    if (this.#said === 'there') return;
    this.#said = 'there';
    this.#log.info('redis is there: servers count together');
  }
}
