import type { SharedRedis } from './redis.ts';

const DAY_MS = 86_400_000;
/** Days are those of Japan, which is 9 hours ahead of UTC and has no daylight saving time. */
const JAPAN_OFFSET_MS = 9 * 3_600_000;

/** Length of a day, seconds. */
export const DAY_SECONDS = DAY_MS / 1000;

/** The daily limit of a client and what is left of it. */
export interface DayStanding {
  /** False: not enough units were left, and none were taken. */
  allowed: boolean;
  /** Cost units a day. */
  limit: number;
  /** Cost units left now. */
  remaining: number;
  /** Seconds until the day ends, rounded up. */
  resetSeconds: number;
  /** End of the day, milliseconds since 1970. */
  endsAtMs: number;
}

/**
 * Counts the cost units of clients by day. Methods return a promise only when another process counts; it does not
 * reject.
 */
export interface DailyUnits {
  /** Takes all units or none. 0 only reads what is left. */
  take(client: string, units: number, limit: number): DayStanding | Promise<DayStanding>;
  /**
   * Gives back units that were taken but not used.
   * @param endsAtMs end of the day of which they were taken; after it they are lost
   */
  giveBack(client: string, units: number, endsAtMs: number): void;
}

/** The number of the day in Japan, and its end in milliseconds since 1970. */
function dayOf(nowMs: number): { day: number; endsAtMs: number } {
  const day = Math.floor((nowMs + JAPAN_OFFSET_MS) / DAY_MS);
  return { day, endsAtMs: (day + 1) * DAY_MS - JAPAN_OFFSET_MS };
}

/**
 * Counts in the memory of this process, for the few clients with a key.
 * @param now milliseconds since 1970
 */
export class MemoryDailyUnits implements DailyUnits {
  readonly #now: () => number;
  /**
   * Used units by client, for the last two counted days, so that none are lost when the clock is set back and forth.
   */
  readonly #days = new Map<number, Map<string, number>>();

  constructor(now: () => number = Date.now) {
    this.#now = now;
  }

  /** Takes units of today, all or none. */
  take(client: string, units: number, limit: number): DayStanding {
    const used = this.#today().get(client) ?? 0;
    if (used + units > limit) return this.standing(limit, used, { allowed: false });
    if (units > 0) this.setUsed(client, used + units);
    return this.standing(limit, used + units, { allowed: true });
  }

  giveBack(client: string, units: number, endsAtMs: number): void {
    if (this.#now() < endsAtMs) this.setUsed(client, Math.max(0, (this.#today().get(client) ?? 0) - units));
  }

  /** Replaces the used units of a client today. */
  setUsed(client: string, used: number): void {
    this.#today().set(client, used);
  }

  /** The standing of a client that has used so many units today. */
  standing(limit: number, used: number, { allowed }: { allowed: boolean }): DayStanding {
    const now = this.#now();
    const { endsAtMs } = dayOf(now);
    const resetSeconds = Math.max(1, Math.ceil((endsAtMs - now) / 1000));
    return { allowed, limit, remaining: Math.max(0, limit - used), resetSeconds, endsAtMs };
  }

  /** The used units of today by client. On a new day it forgets the older of the two counted days. */
  #today(): Map<string, number> {
    const { day } = dayOf(this.#now());
    const counted = this.#days.get(day);
    if (counted !== undefined) return counted;
    const [older] = this.#days.keys();
    if (this.#days.size > 1 && older !== undefined) this.#days.delete(older);
    const today = new Map<string, number>();
    this.#days.set(day, today);
    return today;
  }
}

const PREFIX = 'hidamari:units:';

/**
 * KEYS[1] holds a day number in Japan by the clock of Redis, a space, and the units used on that day. ARGV: units to
 * take (negative: to give back), the limit. Returns whether they were taken, and the used units afterwards.
 */
const TAKE = `
local hour = 3600
local today = math.floor((redis.call('TIME')[1] + 9 * hour) / (24 * hour))
local units, limit = tonumber(ARGV[1]), tonumber(ARGV[2])
local day, used = string.match(redis.call('GET', KEYS[1]) or '', '^(%d+) (%d+)$')
used = tonumber(day) == today and tonumber(used) or 0
if units == 0 then return {1, used} end
if units > 0 and used + units > limit then return {0, used} end
used = math.max(0, used + units)
redis.call('SET', KEYS[1], string.format('%d %d', today, used), 'EX', 48 * hour)
return {1, used}`;

/**
 * Counts in a Redis shared by several servers. While Redis is down, this server counts alone, from the last known
 * number.
 */
export class RedisDailyUnits implements DailyUnits {
  readonly #redis: SharedRedis;
  /** Counts alone while Redis is down. */
  readonly #local = new MemoryDailyUnits(Date.now);

  constructor(redis: SharedRedis) {
    this.#redis = redis;
  }

  /** Counts in Redis while it is up; otherwise, and when it fails now, in this process. */
  take(client: string, units: number, limit: number): DayStanding | Promise<DayStanding> {
    if (!this.#redis.up) return this.#local.take(client, units, limit);
    return this.#run(client, units, limit).then(
      ([allowed, used]) => {
        // The number from which this server counts on while Redis is down.
        this.#local.setUsed(client, used);
        return this.#local.standing(limit, used, { allowed: allowed === 1 });
      },
      () => this.#local.take(client, units, limit),
    );
  }

  giveBack(client: string, units: number, endsAtMs: number): void {
    this.#local.giveBack(client, units, endsAtMs);
    if (this.#redis.up && Date.now() < endsAtMs) this.#run(client, -units, 0).catch(() => {});
  }

  /** Runs `TAKE`. Returns whether the units were taken (1 or 0), and the used units afterwards. */
  async #run(client: string, units: number, limit: number): Promise<[number, number]> {
    const answer = await this.#redis.run((redis) => redis.eval(TAKE, 1, PREFIX + client, units, limit));
    return answer as [number, number];
  }
}
