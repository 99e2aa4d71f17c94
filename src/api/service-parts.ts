import type { Logger } from 'pino';
import type { Computer } from '../compute/computer.ts';
import type { Pricing } from '../contract/pricing.ts';
import type { ProxyList } from '../http/client-address.ts';
import type { DailyUnits } from '../http/daily-units.ts';
import type { Limiters } from '../http/rate-limiter.ts';
import type { Slots } from '../http/slots.ts';
import type { BaseMap, BulkOffers } from '../site/route.ts';
import type { Billing } from './billing/billing.ts';
import type { LocalBulkFiles } from './bulk-files.ts';
import type { Unexpected } from './errors.ts';
import type { KeyRing } from './keys.ts';
import type { Metrics } from './metrics.ts';
import type { RouteMatch } from './routes.ts';
import type { ServedDatasets } from './served-datasets.ts';

/** Takes lines of the access log. A line can be an object that becomes text when it is written. */
export interface LineSink {
  write(line: { toString(): string }): void;
}

/** The header for purge tags, and the separator of its tags. */
export interface PurgeTags {
  header: string;
  separator: string;
}

/** The parts of the service. Everything that uses files, sockets or clocks is passed in. */
export interface ServiceParts {
  datasets: ServedDatasets;
  /** Without a slash at the end. */
  siteUrl: string;
  limiters: Limiters;
  /** Daily limits of keys, in cost units; null: none. */
  dailyUnits: DailyUnits | null;
  /** True when pages for people are served. Problem pages are always served. */
  hasPages: boolean;
  /** True when the pages become files of an export. */
  isStatic?: boolean;
  /** A base map to draw below the map. */
  baseMap?: BaseMap | null;
  /** Null: no API keys. */
  keys: KeyRing | null;
  proxies: ProxyList;
  /** The header of purge tags for a CDN; null: none. */
  purgeTags: PurgeTags | null;
  bulk: LocalBulkFiles;
  /** Slots for running downloads. */
  downloads: Slots;
  /** Makes the download URLs: the bulk files, or a store elsewhere. */
  offers: BulkOffers;
  /** Null: all calls are free. */
  billing: Billing | null;
  /** Optional operations that are switched on. */
  offered: ReadonlySet<string>;
  /** Computes answers that the dataset does not have. */
  computer: Computer;
  log: Logger;
  /** Where the logger writes. */
  lines: LineSink;
  /** Takes exceptions outside the steps of a request. */
  unexpected: Unexpected;
  /** Null: no metrics. */
  metrics: Metrics | null;
  /** For agents: the version of the program and the text of docs/method.md. Absent: no endpoint for agents. */
  mcp?: { version: string; method: string };
  /** How long a connection may be silent or take to send a request, milliseconds. */
  patienceMs: number;
  /** Most open connections. By default, the number of files that the process may open, less some for its own files. */
  mostConnections?: number;
}

/** The parts, and values that follow from them. */
export interface Service extends ServiceParts {
  /** True after shutting down has begun. */
  draining: boolean;
  pricing: Pricing;
  requestIds: RequestIds;
  /** The route of a path. */
  findRoute(path: string): RouteMatch | null;
  /** The path that was probably meant by an unknown path. */
  suggestPath(path: string): string | null;
}

/** An ID of a client that is safe in headers and in the log. */
const SAFE_ID = /^[\w.-]{1,64}$/;

/** Makes the IDs of requests, which connect an answer with its line in the log. */
export class RequestIds {
  /** Random, so that two processes do not make the same IDs. */
  readonly #process = Math.floor(Math.random() * 2 ** 40).toString(36);
  #count = 0;

  /**
   * The ID that the client sent, when it has a safe form; otherwise a new one.
   * @param header X-Request-Id
   */
  choose(header: string | string[] | undefined): string {
    return typeof header === 'string' && SAFE_ID.test(header) ? header : this.next();
  }

  /** A new ID. */
  next(): string {
    return `${this.#process}-${(this.#count++).toString(36)}`;
  }
}
