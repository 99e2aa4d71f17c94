/** Limits of a queue. */
export interface QueueLimits {
  /** Most waiting items of all clients together. */
  mostWaiting: number;
  /** Most waiting items of one client. */
  mostWaitingOfClient: number;
  /** Items of one client that may run at once. */
  atOncePerClient: number;
}

/** An item of the queue. `isReady`: it may run when its turn comes; otherwise it only waits. */
export interface Queued {
  readonly client: string;
  readonly isReady: boolean;
}

/** Of a client: the numbers of its waiting and running items, and the turn in which it was served last. */
interface Counts {
  waiting: number;
  atWork: number;
  lastTurn: number;
}

/**
 * A bounded queue that is fair to clients: the client that was served longest ago is next. So no client waits for all
 * requests of another.
 */
export class FairQueue<Item extends Queued> {
  readonly #limits: QueueLimits;
  readonly #items: Item[] = [];
  readonly #clients = new Map<string, Counts>();
  #turns = 0;

  constructor(limits: QueueLimits) {
    this.#limits = limits;
  }

  get length(): number {
    return this.#items.length;
  }

  /** Adds an item at the end. False when the queue is full, for this client or for all. */
  enter(item: Item): boolean {
    const { mostWaiting, mostWaitingOfClient } = this.#limits;
    const client = this.#clients.get(item.client) ?? { waiting: 0, atWork: 0, lastTurn: 0 };
    if (this.#items.length >= mostWaiting || client.waiting >= mostWaitingOfClient) return false;
    client.waiting++;
    this.#clients.set(item.client, client);
    this.#items.push(item);
    return true;
  }

  /** Removes an item from the queue. False when it is not there. */
  leave(item: Item): boolean {
    const index = this.#items.indexOf(item);
    if (index < 0) return false;
    this.#items.splice(index, 1);
    this.#clientOf(item).waiting--;
    this.#forget(item);
    return true;
  }

  /** True when an item may run. */
  hasNext(): boolean {
    return this.#find() !== null;
  }

  /** Removes and returns the next item that may run; null when there is none. Call `done` when it is finished. */
  next(): Item | null {
    const item = this.#find();
    if (item === null) return null;
    const client = this.#clientOf(item);
    client.atWork++;
    client.lastTurn = ++this.#turns;
    this.leave(item);
    return item;
  }

  /** The first item that may run, of the client that was served longest ago; null when there is none. */
  #find(): Item | null {
    let next: Item | null = null;
    let longestAgo = Number.POSITIVE_INFINITY;
    for (const item of this.#items) {
      const client = this.#clientOf(item);
      if (!item.isReady || client.atWork >= this.#limits.atOncePerClient || client.lastTurn >= longestAgo) continue;
      next = item;
      longestAgo = client.lastTurn;
    }
    return next;
  }

  /** Call this when an item of `next` has finished. */
  done(item: Item): void {
    this.#clientOf(item).atWork--;
    this.#forget(item);
  }

  #clientOf({ client }: Item): Counts {
    const counts = this.#clients.get(client);
    if (counts === undefined) throw new Error(`${client} is not in the queue`);
    return counts;
  }

  /** Removes the counts of a client that has no items. */
  #forget({ client }: Item): void {
    const counts = this.#clients.get(client);
    if (counts !== undefined && counts.waiting === 0 && counts.atWork === 0) this.#clients.delete(client);
  }
}
