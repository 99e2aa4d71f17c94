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

/** Takes lines of the access log: a text, or an object that becomes one when the line is written. */
export interface LineSink {
  write(line: { toString(): string }): void;
}

/** The header of purge tags, and the separator between its tags. */
export interface PurgeTags {
  header: string;
  separator: string;
}

/** The parts of the service. All that reaches files, sockets or clocks is passed in. */
export interface ServiceParts {
  slot: DatasetSlot;
  /** Without a slash at the end. */
  siteUrl: string;
  /** Null: no limit. */
  limiter: RateLimiter | null;
  /** Daily limits of keys, in cost units; null: none. */
  dailyUnits: DailyUnits | null;
  /** For pages; null: no limit. */
  pageLimiter: RateLimiter | null;
  /** For tiles and ranges of the map; null: no limit. */
  tileLimiter: RateLimiter | null;
  /** For pages that need computing; null: no limit. */
  newResultLimiter: RateLimiter | null;
  /** Whether pages for people are served; those of problems always are. */
  hasPages: boolean;
  /** Another map, drawn below ours. */
  baseMap?: BaseMap | null;
  /** Null: there are no API keys. */
  keys: KeyRing | null;
  proxies: ProxyList;
  /** The header of purge tags for a CDN; null: none. */
  purgeTags: PurgeTags | null;
  bulk: LocalBulkFiles;
  /** Slots for files while they are sent. */
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
  /** Takes exceptions that are thrown outside the steps of a request. */
  unexpected: Unexpected;
  /** Null where they are off. */
  metrics: Metrics | null;
  /** For agents: version of the program, text of docs/method.md. Absent: there is no endpoint for agents. */
  mcp?: { version: string; method: string };
  /** How long a connection may be silent, or take to send a request, milliseconds. */
  patienceMs: number;
  /** How many connections may be open at once; by default as many files as the process may open, less some for its own files. */
  mostConnections?: number;
}

/** The parts, and what follows from them. */
export interface Service extends ServiceParts {
  /** True from the moment that shutting down begins. */
  draining: boolean;
  pricing: Pricing;
  requestIds: RequestIds;
  /** The route of a path. */
  findRoute(path: string): Found | null;
  /** The path that was probably meant by an unknown one. */
  suggestPath(path: string): string | null;
}

const GIVEN_ID = /^[\w.-]{1,64}$/;

/** Makes the IDs of requests, by which an answer is found in the log. */
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
