import { DEPTHS, householdOf, isIpv6Client, isKeyId, type Network, networksOf } from './client-address.ts';
import type { SharedRedis } from './redis.ts';

/** The limit of a client after a request, and what is left of it. */
export interface Quota {
  allowed: boolean;
  /** Requests in any 60 seconds. */
  limit: number;
  /** Requests left now. */
  remaining: number;
  /** Seconds until one more request is allowed, rounded up. */
  resetSeconds: number;
}

/** Counts requests by client. */
export interface RateLimiter {
  /**
   * Counts one request unless it is refused. Returns a promise only when another process counts; it does not reject.
   * @param limit the client's own limit, if it has one
   */
  take(client: string, limit?: number): Quota | Promise<Quota>;
}

/** What is limited: calls of the API, pages, map tiles, and pages that need a computation. */
export type LimitName = 'api' | 'pages' | 'tiles' | 'newResults';

/** The limiters of a server; null: no limit. */
export type Limiters = Readonly<Record<LimitName, RateLimiter | null>>;

export const NO_LIMITS: Limiters = { api: null, pages: null, tiles: null, newResults: null };

/** Limit of map tiles for one client in a minute. Panning takes many tiles, and mobile networks share addresses. */
export const TILES_A_MINUTE = 3000;
/** Limit of pages with a computation for one client in a minute. */
export const NEW_RESULTS_A_MINUTE = 120;

/** Length of the sliding window, seconds. The limit applies to every window. */
export const WINDOW_SECONDS = 60;
const WINDOW_MS = WINDOW_SECONDS * 1000;

/** Most stored instants of a client. With a high limit, each represents several requests. */
const MOST_INSTANTS = 32;

/** Each wider network may have four times as many requests. */
const WIDER_LIMIT = 4;

/** A network for which a request counts, with its limit and its requests. */
interface NetworkCount {
  network: Network;
  limit: number;
  /**
   * The number of requests that one instant represents. Up to a limit of 32, each request has its own instant. Above,
   * several share the instant of the last of them, so no window exceeds the limit.
   */
  perInstant: number;
  requests: RecentRequests;
}

/** Counts in the memory of this process. */
export class MemoryRateLimiter implements RateLimiter {
  readonly #limit: number;
  readonly #now: () => number;
  readonly #table = new ClientTable();

  /** @param now milliseconds of a clock that never jumps */
  constructor(limit: number, now: () => number = () => performance.now()) {
    this.#limit = limit;
    this.#now = now;
  }

  /** Counts a request of a client for all its networks, if each of them is below its limit. */
  take(client: string, clientLimit = this.#limit): Quota {
    const now = this.#now();
    const counts = this.countsFor(client, clientLimit);
    const allowed = counts.every(({ limit, perInstant, requests }) => requests.count(now, perInstant) < limit);
    if (allowed) for (const { perInstant, requests } of counts) requests.add(now, perInstant);
    return this.quotaOf(clientLimit, counts, { allowed });
  }

  /**
   * The networks for which a request of the client counts, with their limits; at least one. With a high limit, a stored
   * instant represents several requests, so that a network has at most `MOST_INSTANTS`.
   */
  countsFor(client: string, clientLimit: number): NetworkCount[] {
    const now = this.#now();
    return this.#table.networksFor(client, now).map((network) => {
      const limit = clientLimit * WIDER_LIMIT ** network.depth;
      const perInstant = Math.ceil(limit / MOST_INSTANTS);
      return { network, limit, perInstant, requests: this.#table.requestsOf(network, now) };
    });
  }

  /**
   * The quota of a client, whose request counts for each of these networks. `remaining` is the smallest remainder of a
   * network, at most `clientLimit`; the client waits until all networks with this remainder have room.
   * @param clientLimit limit of the client; wider networks have higher ones
   */
  quotaOf(clientLimit: number, counts: readonly NetworkCount[], { allowed }: { allowed: boolean }): Quota {
    const now = this.#now();
    // Negative when the limit has become lower meanwhile.
    const remainders = counts.map((count) => count.limit - count.requests.count(now, count.perInstant));
    const remaining = Math.max(0, Math.min(clientLimit, ...remainders));
    // None when each network has more than `clientLimit` left, as a wide one may. Then the next request need not wait.
    const tightest = counts.filter((_, i) => remainders[i] <= remaining);
    const waitMs = Math.max(0, ...tightest.map(({ requests }) => requests.freeInMs(now)));
    const resetSeconds = Math.max(1, Math.ceil(Math.min(waitMs, WINDOW_MS) / 1000));
    return { allowed, limit: clientLimit, remaining, resetSeconds };
  }

  /**
   * Replaces the requests of a network by those that another process has counted.
   * @param ages of its instants ({@link RecentRequests}), milliseconds, oldest first
   * @param ofLast number of requests of the last instant, which may still be below `perInstant`
   */
  takeOver({ requests }: NetworkCount, ages: readonly number[], ofLast: number): void {
    const now = this.#now();
    const instants = ages.map((age) => now - age);
    requests.replace(instants, ofLast);
  }

  /** Number of clients and networks. */
  get size(): number {
    return this.#table.size;
  }
}

/**
 * The requests of a client or network in the last 60 seconds. To save memory, up to `perInstant` requests are stored as
 * one instant: the time of the last of them.
 */
class RecentRequests {
  /** Milliseconds, oldest first. */
  #instants: number[] = [];
  /** Requests of the last instant. Each earlier instant represents `perInstant` requests. */
  #ofLast = 0;

  /** Replaces all requests. */
  replace(instants: number[], ofLast: number): void {
    this.#instants = instants;
    this.#ofLast = ofLast;
  }

  /** Counts the requests. Drops those that have left the window, and those from before the clock was set back. */
  count(now: number, perInstant: number): number {
    const instants = this.#instants;
    let expired = 0;
    while (expired < instants.length && !isRecent(instants[expired], now)) expired++;
    if (expired > 0) instants.splice(0, expired);
    if (instants.length === 0) return 0;
    // Every instant but the last represents `perInstant` requests.
    return (instants.length - 1) * perInstant + this.#ofLast;
  }

  /** Adds a request: to the last instant while that represents fewer than `perInstant` requests, else as a new instant. */
  add(now: number, perInstant: number): void {
    const lastIndex = this.#instants.length - 1;
    if (lastIndex >= 0 && this.#ofLast < perInstant) {
      // The earlier requests of this instant count as made now. So they leave the window late, never too early.
      this.#instants[lastIndex] = now;
      this.#ofLast++;
      return;
    }
    this.#instants.push(now);
    this.#ofLast = 1;
  }

  /** Milliseconds until the oldest request leaves the window; without requests, the whole window. */
  freeInMs(now: number): number {
    return this.#instants.length === 0 ? WINDOW_MS : this.#instants[0] + WINDOW_MS - now;
  }
}

/** True for an instant in the window. One after the present was counted before the clock was set back. */
const isRecent = (instant: number, now: number): boolean => now - instant < WINDOW_MS && instant <= now;

/**
 * Most clients that are counted individually, and most networks of each depth. This bounds the memory during a flood of
 * addresses.
 */
const MOST_CLIENTS = 100_000;
const MOST_NETWORKS = 20_000;

/**
 * The clients of the last minute, in bounded memory. When there is no room for a client, its requests count for its
 * network or a wider one, so every request is counted.
 */
class ClientTable {
  readonly #tables = Array.from(
    { length: DEPTHS },
    (_, depth) => new AgingTable(depth === 0 ? MOST_CLIENTS : MOST_NETWORKS),
  );
  /** Clients with a key. They are few and always counted individually. */
  readonly #named = new AgingTable(Number.POSITIVE_INFINITY);

  /**
   * The networks for which a request of the client counts; at least one. An IPv6 client counts also for its household
   * ({@link householdOf}). When the table of clients is full, the request counts for the narrowest wider network whose
   * table has room, or without one for all clients together.
   */
  networksFor(client: string, now: number): Network[] {
    const itself = { name: client, depth: 0 };
    if (this.#hasRoomFor(itself, now)) {
      const household = isIpv6Client(client) ? householdOf(client) : null;
      return household !== null && this.#hasRoomFor(household, now) ? [itself, household] : [itself];
    }
    const networks = networksOf(client);
    return [networks.find((network) => this.#hasRoomFor(network, now)) ?? networks[networks.length - 1]];
  }

  /** The requests of a network that `networksFor` returned. */
  requestsOf(network: Network, now: number): RecentRequests {
    return this.#tableOf(network).get(network.name, now);
  }

  /** Number of clients and networks. */
  get size(): number {
    return this.#tables.reduce((sum, table) => sum + table.size, this.#named.size);
  }

  /** True when the table of a network counts it already, or has room for one more. */
  #hasRoomFor(network: Network, now: number): boolean {
    return this.#tableOf(network).hasRoomFor(network.name, now);
  }

  /** The table that counts a network. */
  #tableOf({ name, depth }: Network): AgingTable {
    return depth === 0 && isKeyId(name) ? this.#named : this.#tables[depth];
  }
}

/**
 * Requests by name, in two generations. Used names move to the young one. After each window the young generation
 * becomes the old one, and the old one is dropped.
 */
class AgingTable {
  /** Most names. */
  readonly #most: number;
  #young = new Map<string, RecentRequests>();
  #old = new Map<string, RecentRequests>();
  /** When the young generation began. */
  #bornAt = Number.NEGATIVE_INFINITY;

  constructor(most: number) {
    this.#most = most;
  }

  get size(): number {
    return this.#young.size + this.#old.size;
  }

  /** True when the name is counted already, or one more name has room. */
  hasRoomFor(name: string, now: number): boolean {
    this.#age(now);
    return this.size < this.#most || this.#young.has(name) || this.#old.has(name);
  }

  /** The requests of a name; empty ones for a new name. The name moves to the generation that is kept longer. */
  get(name: string, now: number): RecentRequests {
    this.#age(now);
    const young = this.#young.get(name);
    if (young !== undefined) return young;
    const requests = this.#old.get(name) ?? new RecentRequests();
    this.#old.delete(name);
    this.#young.set(name, requests);
    return requests;
  }

  /** Makes the young generation the old one when a window has passed. */
  #age(now: number): void {
    const age = now - this.#bornAt;
    if (age < WINDOW_MS) {
      // The clock may have been set back. Then the older generation stays for a whole window from now.
      this.#bornAt = Math.min(this.#bornAt, now);
      return;
    }
    // After two windows nothing of the young generation is recent either.
    this.#old = age < 2 * WINDOW_MS ? this.#young : new Map();
    this.#young = new Map();
    this.#bornAt = now;
  }
}

const PREFIX = 'hidamari:recent:';

/**
 * The algorithm of the memory limiter, with the clock of Redis. Each key is a list: instants, oldest first, then the
 * number of requests of the last instant. ARGV: the window; then for each key its limit and the requests that an
 * instant represents. Returns whether the request is allowed; then for each key the number of requests of the last
 * instant, and the age of each instant in milliseconds.
 */
const TAKE = `
local time = redis.call('TIME')
local now = time[1] * 1000 + math.floor(time[2] / 1000)
local window = tonumber(ARGV[1])
local allowed = 1
local instants, ofLast = {}, {}
for k = 1, #KEYS do
  local limit, perInstant = tonumber(ARGV[2 * k]), tonumber(ARGV[2 * k + 1])
  local list = redis.call('LRANGE', KEYS[k], 0, -1)
  ofLast[k] = tonumber(list[#list] or 0)
  instants[k] = {}
  for i = 1, #list - 1 do
    local instant = tonumber(list[i])
    if instant <= now and now - instant < window then table.insert(instants[k], instant) end
  end
  if #instants[k] > 0 and (#instants[k] - 1) * perInstant + ofLast[k] >= limit then allowed = 0 end
end
local answer = {allowed}
for k = 1, #KEYS do
  local perInstant = tonumber(ARGV[2 * k + 1])
  if allowed == 1 then
    if #instants[k] > 0 and ofLast[k] < perInstant then
      instants[k][#instants[k]] = now
      ofLast[k] = ofLast[k] + 1
    else
      table.insert(instants[k], now)
      ofLast[k] = 1
    end
    redis.call('DEL', KEYS[k])
    redis.call('RPUSH', KEYS[k], unpack(instants[k]))
    redis.call('RPUSH', KEYS[k], ofLast[k])
    redis.call('PEXPIRE', KEYS[k], window)
  end
  local network = {ofLast[k]}
  for _, instant in ipairs(instants[k]) do table.insert(network, now - instant) end
  table.insert(answer, network)
end
return answer`;

/**
 * Counts in a Redis shared by several servers. Its results are also kept here: when Redis goes down, this server
 * continues from them, and no client gets a fresh limit. The networks of a client (its own address and wider ones, each
 * with a limit) are chosen here, so that a flood of addresses cannot fill Redis.
 */
export function redisRateLimiter(redis: SharedRedis, limit: number): RateLimiter {
  const local = new MemoryRateLimiter(limit);
  return {
    take(client, clientLimit = limit) {
      if (!redis.up) return local.take(client, clientLimit);
      const counts = local.countsFor(client, clientLimit);
      const keys = counts.map(({ network }) => PREFIX + network.name);
      const limits = counts.flatMap((count) => [count.limit, count.perInstant]);
      return redis
        .run((connection) => connection.eval(TAKE, keys.length, ...keys, WINDOW_MS, ...limits))
        .then(
          (answer) => {
            // The answer of TAKE: for each network the number of requests of its last instant, and the ages of its
            // instants.
            const [allowed, ...networks] = answer as [number, ...number[][]];
            for (const [i, count] of counts.entries()) {
              const [countOfLast, ...ages] = networks[i] as [number, ...number[]];
              local.takeOver(count, ages, countOfLast);
            }
            return local.quotaOf(clientLimit, counts, { allowed: allowed === 1 });
          },
          () => local.take(client, clientLimit),
        );
    },
  };
}
