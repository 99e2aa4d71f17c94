import { homeOf, isIpv6Client } from './client-address.ts';

/** A slot that is taken. */
export interface Slot {
  /** Gives the slot back; a second call does nothing. */
  leave(): void;
}

/** Why there is no slot: this client has as many as it may have, or all are taken. */
export type NoSlot = 'client' | 'all';

/** Slots for long work such as downloads: so many for all clients, so many for each client. */
export interface Slots {
  /** Returns a promise only where another process is asked; it does not reject. */
  take(client: string): Slot | NoSlot | Promise<Slot | NoSlot>;
}

/** How many slots there are. */
export interface SlotLimits {
  most: number;
  mostOfClient: number;
}

/** A home has up to 256 IPv6 networks, and each is a client: together they may have as many slots as four clients. */
const CLIENTS_OF_HOME = 4;

/** Slots that are counted in this process. */
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
