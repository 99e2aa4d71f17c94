import { householdOf, isIpv6Client } from './client-address.ts';

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
  /** Of all clients together. */
  most: number;
  mostOfClient: number;
}

/**
 * A household has up to 256 IPv6 networks, and each is a client. Together they may have as many slots as this number of
 * clients.
 */
const CLIENTS_OF_HOUSEHOLD = 4;

/** Counts slots in this process. */
export class MemorySlots implements Slots {
  readonly #limits: SlotLimits;
  /** Taken slots by client, and by household (`householdOf`) for IPv6. */
  readonly #taken = new Map<string, number>();
  #takenByAll = 0;

  constructor(limits: SlotLimits) {
    this.#limits = limits;
  }

  /**
   * Takes a slot for a client, if the client, its household (of an IPv6 client) and all clients together are below their
   * limits. Otherwise says whose limit is reached: the client's (or its household's), or that of all.
   */
  take(client: string): Slot | NoSlot {
    const { most, mostOfClient } = this.#limits;
    const household = isIpv6Client(client) ? householdOf(client).name : null;
    if (this.#takenBy(client) >= mostOfClient) return 'client';
    if (household !== null && this.#takenBy(household) >= CLIENTS_OF_HOUSEHOLD * mostOfClient) return 'client';
    if (this.#takenByAll >= most) return 'all';
    const names = household === null ? [client] : [client, household];
    for (const name of names) this.#add(name, 1);
    this.#takenByAll++;
    let isTaken = true;
    return {
      leave: () => {
        if (!isTaken) return;
        isTaken = false;
        for (const name of names) this.#add(name, -1);
        this.#takenByAll--;
      },
    };
  }

  /** The slots that a client or a household has taken. */
  #takenBy(name: string): number {
    return this.#taken.get(name) ?? 0;
  }

  /** Adds to the taken slots of a client or household; `change` is 1 or −1. */
  #add(name: string, change: number): void {
    const count = this.#takenBy(name) + change;
    if (count === 0) this.#taken.delete(name);
    else this.#taken.set(name, count);
  }
}
