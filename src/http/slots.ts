import { homeOf, isIpv6Client } from './client-address.ts';

/** A taken slot. */
export interface Slot {
  /** Releases the slot. A second call has no effect. */
  leave(): void;
}

/** Why no slot was given: the client has its maximum, or all are taken. */
export type NoSlot = 'client' | 'all';

/** Slots for long work such as downloads. There is a limit for all clients together and one for each client. */
export interface Slots {
  /** Returns a promise only when another process counts; it does not reject. */
  take(client: string): Slot | NoSlot | Promise<Slot | NoSlot>;
}

/** The limits of the slots. */
export interface SlotLimits {
  most: number;
  mostOfClient: number;
}

/**
 * A home has up to 256 IPv6 networks, and each is a client. Together they may have as many slots as this number of
 * clients.
 */
const CLIENTS_OF_HOME = 4;

/** Counts slots in this process. */
export class MemorySlots implements Slots {
  readonly #limits: SlotLimits;
  /** Taken slots by client, and by home for IPv6. */
  readonly #taken = new Map<string, number>();
  #all = 0;

  constructor(limits: SlotLimits) {
    this.#limits = limits;
  }

  take(client: string): Slot | NoSlot {
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
