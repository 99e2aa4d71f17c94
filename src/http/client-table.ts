import { DEPTHS, homeOf, isIpv6Client, type Network, networksOf } from './networks.ts';
import { RecentRequests, WINDOW_MS } from './recent-requests.ts';

/** Clients that are counted one by one, and networks of each wider kind: what a flood of addresses can fill. */
const MOST_CLIENTS = 100_000;
const MOST_NETWORKS = 20_000;

/**
 * The clients of the last minute. Its memory has a bound: a client for which there is no room is counted with its
 * network, and where there is no room for that with a wider one, but never forgotten.
 */
export class ClientTable {
  readonly #tables = Array.from(
    { length: DEPTHS },
    (_, depth) => new AgingTable(depth === 0 ? MOST_CLIENTS : MOST_NETWORKS),
  );
  /** Clients that are counted by themselves whatever comes: those with a key, of which there are not many. */
  readonly #named = new AgingTable(Number.POSITIVE_INFINITY);

  /** What a request of the client counts for; at least one network. */
  networksFor(client: string, now: number): Network[] {
    const itself = { name: client, depth: 0 };
    if (this.#tableOf(itself).hasRoomFor(client, now)) {
      const home = isIpv6Client(client) ? homeOf(client) : null;
      return home !== null && this.#tableOf(home).hasRoomFor(home.name, now) ? [itself, home] : [itself];
    }
    const all = networksOf(client);
    return [all.find((network) => this.#tableOf(network).hasRoomFor(network.name, now)) ?? all.at(-1)!];
  }

  /** The requests of a network that `networksFor` has named. */
  requestsOf(network: Network, now: number): RecentRequests {
    return this.#tableOf(network).get(network.name, now);
  }

  /** Takes over what has been counted elsewhere. */
  set(network: Network, requests: RecentRequests, now: number): void {
    this.#tableOf(network).set(network.name, requests, now);
  }

  /** Clients and networks that are kept. */
  get size(): number {
    return this.#tables.reduce((sum, table) => sum + table.size, this.#named.size);
  }

  #tableOf({ name, depth }: Network): AgingTable {
    const isNamed = depth === 0 && !name.includes('.') && !isIpv6Client(name);
    return isNamed ? this.#named : this.#tables[depth];
  }
}

/** Two generations: what has not been asked for during a whole window goes with the older one. */
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
    if (age >= 0 && age < WINDOW_MS) return;
    this.#old = age < 2 * WINDOW_MS ? this.#young : new Map();
    this.#young = new Map();
    this.#bornAt = now;
  }
}
