import { LastUsed } from '../formats/last-used.ts';
import type { Body } from '../http/body.ts';

/** Memory that an entry needs besides its body: key, objects, table entry. Bytes. */
const ENTRY_BYTES = 1000;
/** Memory of a body with its gzip and Brotli forms, as a multiple of its bytes. */
const MEMORY_FACTOR = 1.5;
/** No body may take more than this share of the memory. */
const MOST_SHARE = 0.5;

/** A cache of bodies by request. Entries stay valid because a dataset never changes. */
export class BodyCache {
  readonly #mostBytes: number;
  readonly #bodies: LastUsed<string, Body>;

  /** @param bytes most memory of all bodies together */
  constructor(bytes: number) {
    this.#mostBytes = MOST_SHARE * bytes;
    this.#bodies = new LastUsed(bytes, weightOf);
  }

  /** The body of a request, if it is there. */
  get(request: string): Body | undefined {
    return this.#bodies.find(request);
  }

  /** Keeps the body of a request, unless it is too large. */
  put(request: string, body: Body): void {
    if (weightOf(body, request) > this.#mostBytes || this.#bodies.find(request) === body) return;
    body.settle();
    this.#bodies.put(request, body);
  }
}

/** The memory of an entry, bytes. */
const weightOf = (body: Body, request: string): number => body.bytes * MEMORY_FACTOR + request.length + ENTRY_BYTES;
