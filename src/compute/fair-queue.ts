/** Limits of a queue. */
export interface QueueLimits {
  /** Places of all clients together. */
  places: number;
  /** Places of one client. */
  placesPerClient: number;
  /** Items of one client that may run at once. */
  atOncePerClient: number;
}

/** An item of the queue. `isReady`: it may run when its turn comes; otherwise it only keeps its place. */
export interface Queued {
  readonly client: string;
  readonly isReady: boolean;
}

/**
 * A bounded queue that is fair to clients: the client that was served longest ago is next. So no client waits for all
 * requests of another.
 */
export class FairQueue<Item extends Queued> {
  readonly #limits: QueueLimits;
  readonly #items: Item[] = [];
  /** For each client its waiting and running items. */
  readonly #clients = new Map<string, { waiting: number; atWork: number; served: number }>();
  #served = 0;

  constructor(limits: QueueLimits) {
    this.#limits = limits;
  }

  get length(): number {
    return this.#items.length;
  }

  /** Adds an item at the end. False when there is no place. */
  enter(item: Item): boolean {
    const { places, placesPerClient } = this.#limits;
    const client = this.#clients.get(item.client) ?? { waiting: 0, atWork: 0, served: 0 };
    if (this.#items.length >= places || client.waiting >= placesPerClient) return false;
    client.waiting++;
    this.#clients.set(item.client, client);
    this.#items.push(item);
    return true;
  }

  /** Removes an item from the queue, if it is there. */
  leave(item: Item): boolean {
    const at = this.#items.indexOf(item);
    if (at < 0) return false;
    this.#items.splice(at, 1);
    this.#of(item).waiting--;
    this.#forget(item);
    return true;
  }

  /** True when an item may run. */
  hasNext(): boolean {
    return this.#find() !== null;
  }

  /** Removes and returns the next item that may run; null when there is none. Call `done` when it is finished. */
  next(): Item | null {
    const found = this.#find();
    if (found === null) return null;
    const client = this.#of(found);
    client.atWork++;
    client.served = ++this.#served;
    this.leave(found);
    return found;
  }

  #find(): Item | null {
    let [found, served] = [null as Item | null, Number.POSITIVE_INFINITY];
    for (const item of this.#items) {
      const client = this.#of(item);
      if (!item.isReady || client.atWork >= this.#limits.atOncePerClient || client.served >= served) continue;
      [found, served] = [item, client.served];
    }
    return found;
  }

  done(item: Item): void {
    this.#of(item).atWork--;
    this.#forget(item);
  }

  #of({ client }: Item): { waiting: number; atWork: number; served: number } {
    const found = this.#clients.get(client);
    if (found === undefined) throw new Error(`${client} is not in the queue`);
    return found;
  }

  #forget({ client }: Item): void {
    const found = this.#clients.get(client);
    if (found !== undefined && found.waiting === 0 && found.atWork === 0) this.#clients.delete(client);
  }
}
