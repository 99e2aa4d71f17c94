import { homeOf, isIpv6Client } from './client-address.ts';

/** A place that is taken. */
export interface Place {
  /** Gives it back; harmless when it was given back before. */
  leave(): void;
}

/** Why there is no place: the client has all that one may have, or all are taken. */
export type NoPlace = 'client' | 'all';

/** Places for what takes long, such as downloads: so many in all, and so many for one client. */
export interface Places {
  /** A promise comes back only where another process has to be asked; it does not reject. */
  take(client: string): Place | NoPlace | Promise<Place | NoPlace>;
}

/** How many places there are. */
export interface PlaceLimits {
  most: number;
  mostOfClient: number;
}

/** A home has up to 256 networks of IPv6, each of which counts as a client: all together have as many places as four. */
const CLIENTS_OF_HOME = 4;

/** Places that are counted in this process. */
export class MemoryPlaces implements Places {
  readonly #limits: PlaceLimits;
  /** By client, and by home where that is wider. */
  readonly #taken = new Map<string, number>();
  #all = 0;

  constructor(limits: PlaceLimits) {
    this.#limits = limits;
  }

  take(client: string): Place | NoPlace {
    const { most, mostOfClient } = this.#limits;
    const home = isIpv6Client(client) ? homeOf(client).name : null;
    if (this.#takenBy(client) >= mostOfClient) return 'client';
    if (home !== null && this.#takenBy(home) >= CLIENTS_OF_HOME * mostOfClient) return 'client';
    if (this.#all >= most) return 'all';
    const names = home === null ? [client] : [client, home];
    for (const name of names) this.#count(name, 1);
    this.#all++;
    let isTaken = true;
    return {
      leave: () => {
        if (!isTaken) return;
        isTaken = false;
        for (const name of names) this.#count(name, -1);
        this.#all--;
      },
    };
  }

  #takenBy(name: string): number {
    return this.#taken.get(name) ?? 0;
  }

  #count(name: string, more: number): void {
    const count = this.#takenBy(name) + more;
    if (count === 0) this.#taken.delete(name);
    else this.#taken.set(name, count);
  }
}
