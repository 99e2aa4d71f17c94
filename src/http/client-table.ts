import { DEPTHS, homeOf, isIpv6Client, type Network, networksOf } from './client-address.ts';

/** Length of the sliding window, seconds. The limit applies to every window. */
export const WINDOW_SECONDS = 60;
export const WINDOW_MS = WINDOW_SECONDS * 1000;

/** Most stored instants of a client. With a high limit, each represents several requests. */
const MOST_INSTANTS = 32;

/**
 * The number of requests that one instant represents. Up to a limit of 32, each request has its own instant. Above,
 * several share the instant of the last of them, so no window exceeds the limit.
 */
export const requestsPerInstant = (limit: number): number => Math.ceil(limit / MOST_INSTANTS);

/** The requests of a client or network in the last 60 seconds. */
export class RecentRequests {
  /** Milliseconds, oldest first. */
  #instants: number[];
  /** Requests of the last instant. Every other instant represents `requestsPerInstant`. */
  #ofLast: number;

  constructor(instants: number[] = [], ofLast = 0) {
    this.#instants = instants;
    this.#ofLast = ofLast;
  }

  /** Counts the requests. Drops those that have left the window, and those from before the clock was set back. */
  count(now: number, perInstant: number): number {
    const instants = this.#instants;
    let gone = 0;
    while (gone < instants.length && !isRecent(instants[gone], now)) gone++;
    if (gone > 0) instants.splice(0, gone);
    return instants.length === 0 ? 0 : (instants.length - 1) * perInstant + this.#ofLast;
  }

  add(now: number, perInstant: number): void {
    const last = this.#instants.length - 1;
    if (last >= 0 && this.#ofLast < perInstant) {
      this.#instants[last] = now;
      this.#ofLast++;
      return;
    }
    this.#instants.push(now);
    this.#ofLast = 1;
  }

  /** Milliseconds until the oldest request leaves the window. */
  freeInMs(now: number): number {
    return this.#instants.length === 0 ? WINDOW_MS : this.#instants[0] + WINDOW_MS - now;
  }
}

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
export class ClientTable {
  readonly #tables = Array.from(
    { length: DEPTHS },
    (_, depth) => new AgingTable(depth === 0 ? MOST_CLIENTS : MOST_NETWORKS),
  );
  /** Clients with a key. They are few and always counted individually. */
  readonly #named = new AgingTable(Number.POSITIVE_INFINITY);

  /** The networks for which a request of the client counts; at least one. */
  networksFor(client: string, now: number): Network[] {
    const itself = { name: client, depth: 0 };
    if (this.#tableOf(itself).hasRoomFor(client, now)) {
      const home = isIpv6Client(client) ? homeOf(client) : null;
      return home !== null && this.#tableOf(home).hasRoomFor(home.name, now) ? [itself, home] : [itself];
    }
    const all = networksOf(client);
    return [all.find((network) => this.#tableOf(network).hasRoomFor(network.name, now)) ?? all[all.length - 1]];
  }

  /** The requests of a network that `networksFor` returned. */
  requestsOf(network: Network, now: number): RecentRequests {
    return this.#tableOf(network).get(network.name, now);
  }

  /** Replaces a count by another one. */
  set(network: Network, requests: RecentRequests, now: number): void {
    this.#tableOf(network).set(network.name, requests, now);
  }

  /** Number of clients and networks. */
  get size(): number {
    return this.#tables.reduce((sum, table) => sum + table.size, this.#named.size);
  }

  #tableOf({ name, depth }: Network): AgingTable {
    const isNamed = depth === 0 && !name.includes('.') && !isIpv6Client(name);
    return isNamed ? this.#named : this.#tables[depth];
  }
}

/** A table with two generations. The older one is dropped after a whole window without use. */
class AgingTable {
  readonly #most: number;
  #young = new Map<string, RecentRequests>();
  #old = new Map<string, RecentRequests>();
  #bornAt = Number.NEGATIVE_INFINITY;

  constructor(most: number) {
    this.#most = most;
  }

  get size(): number {
    return this.#young.size + this.#old.size;
  }

  hasRoomFor(name: string, now: number): boolean {
    this.#age(now);
    return this.size < this.#most || this.#young.has(name) || this.#old.has(name);
  }

  get(name: string, now: number): RecentRequests {
    this.#age(now);
    const known = this.#young.get(name);
    if (known !== undefined) return known;
    const requests = this.#old.get(name) ?? new RecentRequests();
    this.set(name, requests, now);
    return requests;
  }

  set(name: string, requests: RecentRequests, now: number): void {
    this.#age(now);
    this.#old.delete(name);
    this.#young.set(name, requests);
  }

  #age(now: number): void {
    const age = now - this.#bornAt;
    if (age < WINDOW_MS) {
      // The clock may have been set back. Then the older generation stays for a whole window from now.
      this.#bornAt = Math.min(this.#bornAt, now);
      return;
    }
    this.#old = age < 2 * WINDOW_MS ? this.#young : new Map();
    this.#young = new Map();
    this.#bornAt = now;
  }
}
