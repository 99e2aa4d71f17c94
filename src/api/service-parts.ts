import type { Logger } from 'pino';
import type { Computer } from '../compute/computer.ts';
import type { Pricing } from '../contract/pricing.ts';
import type { ProxyList } from '../http/client-address.ts';
import type { DailyUnits } from '../http/daily-units.ts';
import type { RateLimiter } from '../http/rate-limiter.ts';
import type { Slots } from '../http/slots.ts';
import type { BaseMap, BulkOffers } from '../site/route.ts';
import type { Billing } from './billing/billing.ts';
import type { LocalBulkFiles } from './bulk-files.ts';
import type { DatasetSlot } from './dataset-slot.ts';
import type { KeyRing } from './keys/key-ring.ts';
import type { Metrics } from './metrics.ts';
import type { Found } from './routes.ts';
import type { Unexpected } from './unexpected.ts';

/** Where lines of the log go besides those of its logger: a text each, or what can be made one when it goes out. */
export interface LineSink {
  write(line: { toString(): string }): void;
}

/** A header of purge tags, and what stands between its tags. */
export interface PurgeTags {
  header: string;
  separator: string;
}

/** What the service works with. Everything that talks to the outside is handed in. */
export interface ServiceParts {
  slot: DatasetSlot;
  /** Without a slash at the end. */
  siteUrl: string;
  /** Null: no limit. */
  limiter: RateLimiter | null;
  /** Daily limits of keys, in cost units; null: none. */
  dailyUnits: DailyUnits | null;
  /** Of pages; null: no limit. */
  pageLimiter: RateLimiter | null;
  /** Of tiles of the map, and pieces of it; null: no limit. */
  tileLimiter: RateLimiter | null;
  /** Of results that are computed for pages; null: no limit. */
  newResultLimiter: RateLimiter | null;
  /** Whether pages for people are served, besides those of problems. */
  hasPages: boolean;
  /** Another map below ours, by the operator's choice; none where it is absent. */
  baseMap?: BaseMap | null;
  /** Null: none are issued. */
  keys: KeyRing | null;
  proxies: ProxyList;
  /** The header of purge tags for a CDN; null: none. */
  purgeTags: PurgeTags | null;
  bulk: LocalBulkFiles;
  /** For files while they are sent. */
  downloads: Slots;
  /** Where download URLs lead: the bulk, or a store elsewhere. */
  offers: BulkOffers;
  /** Null: every call is free. */
  billing: Billing | null;
  /** Optional operations that are switched on. */
  offered: ReadonlySet<string>;
  /** Computes what the dataset does not hold. */
  computer: Computer;
  log: Logger;
  /** Where the logger writes. */
  lines: LineSink;
  /** Takes what is thrown outside of the steps of a request. */
  unexpected: Unexpected;
  /** Null where they are off. */
  metrics: Metrics | null;
  /** What agents get besides the tools: version of the program, text of docs/method.md. Absent: no agents. */
  mcp?: { version: string; method: string };
  /** How long a connection may be silent, or take to send a request, milliseconds. */
  patienceMs: number;
  /** How many connections may be open at once; by default what the system gives the process, less what its files take. */
  mostConnections?: number;
}

/** The parts, and what requests need to know besides. */
export interface Service extends ServiceParts {
  /** True from the moment that shutting down begins. */
  draining: boolean;
  pricing: Pricing;
  requestIds: RequestIds;
  /** What a path leads to. */
  findRoute(path: string): Found | null;
  /** The path that was probably meant by one that does not exist. */
  suggestPath(path: string): string | null;
}

const GIVEN_ID = /^[\w.-]{1,64}$/;

/** Names requests, so that an answer can be found in the log. */
export class RequestIds {
  readonly #process = Math.floor(Math.random() * 2 ** 40).toString(36);
  #count = 0;

  /** The client's own ID when it is harmless, else a new one. */
  of(given: string | string[] | undefined): string {
    return typeof given === 'string' && GIVEN_ID.test(given) ? given : this.next();
  }

  /** A new ID. */
  next(): string {
    return `${this.#process}-${(this.#count++).toString(36)}`;
  }
}
