/** How many a line may hold. */
export interface LineLimits {
  /** Places of all clients together. */
  places: number;
  /** Places of one client. */
  placesPerClient: number;
  /** Of one client, how many may be at work at once. */
  atOncePerClient: number;
}

/** One in the line. `isReady`: it may be taken when its turn comes; until then it only keeps its place. */
export interface InLine {
  readonly client: string;
  readonly isReady: boolean;
}

/**
 * A waiting line with a bound that is fair to clients: the client that was served longest ago is next, so that nobody waits behind
 * all that one client has asked for.
 */
export class Line<Item extends InLine> {
  readonly #limits: LineLimits;
  readonly #items: Item[] = [];
  /** Per client who is in the line or at work. */
  readonly #clients = new Map<string, { waiting: number; atWork: number; served: number }>();
  #served = 0;

  constructor(limits: LineLimits) {
    this.#limits = limits;
  }

  get length(): number {
    return this.#items.length;
  }

  /** Puts it at the end. False: there is no place. */
  enter(item: Item): boolean {
    const { places, placesPerClient } = this.#limits;
    const client = this.#clients.get(item.client) ?? { waiting: 0, atWork: 0, served: 0 };
    if (this.#items.length >= places || client.waiting >= placesPerClient) return false;
    client.waiting++;
    this.#clients.set(item.client, client);
    this.#items.push(item);
    return true;
  }

  /** Takes it out of the line, if it is there. */
  leave(item: Item): boolean {
    const at = this.#items.indexOf(item);
    if (at < 0) return false;
    this.#items.splice(at, 1);
    this.#of(item).waiting--;
    this.#forget(item);
    return true;
  }

  /** Is there one that may go to work? */
  get hasNext(): boolean {
    return this.#find() !== null;
  }

  /** Takes the next that may go to work; call `done` when its work is over. */
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
    if (found === undefined) throw new Error(`${client} is not in the line`);
    return found;
  }

  #forget({ client }: Item): void {
    const found = this.#clients.get(client);
    if (found !== undefined && found.waiting === 0 && found.atWork === 0) this.#clients.delete(client);
  }
}
