import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Pricing } from '../contract/pricing.ts';
import type { Dataset } from '../dataset/dataset.ts';
import type { Body } from '../http/body.ts';
import type { DayStanding } from '../http/daily-units.ts';
import type { Quota } from '../http/rate-limiter.ts';
import type { BaseMap, BulkOffers, Context, PageCompute, Route, ServiceState, Values } from '../site/route.ts';
import type { Payment } from './billing/payment.ts';
import type { BadCredentials, Client } from './keys/api-key.ts';
import { isPersonal, keyOf, type PathValues } from './parameters.ts';
import type { Service } from './service-parts.ts';
import type { Serving } from './serving.ts';

/** What computes the body of an answer, once it is paid where it has to be. */
interface Computing {
  makeBody(): Promise<void>;
  /** Gives up the place where it waits for its turn; harmless once it has been computed. */
  leave(): void;
}

/** What is computed for one answer, in however many parts: it has one deadline, and is given up together when the client goes. */
export class AnswerWork {
  readonly #begunAt = performance.now();
  readonly #gone = new AbortController();
  readonly #response: ServerResponse;

  constructor(response: ServerResponse) {
    this.#response = response;
    response.once('close', this.end);
    if (response.destroyed) this.end();
  }

  /** Aborts when nobody waits any more. */
  get signal(): AbortSignal {
    return this.#gone.signal;
  }

  /** Since the first part was begun. */
  get waitedMs(): number {
    return performance.now() - this.#begunAt;
  }

  /** Gives up what has not been computed by now. */
  readonly end = (): void => {
    this.#response.off('close', this.end);
    this.#gone.abort();
  };
}

/** A request and what is known of it. Each step of its life reads and fills it. */
export class Exchange implements Context {
  readonly service: Service;
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  /** Path and query, in origin form. */
  readonly url: string;
  readonly path: string;
  readonly query: string;
  readonly method: string;
  /** Null for an unknown path; `route` where there has to be one. */
  readonly knownRoute: Route | null;
  readonly pathValues: PathValues;
  readonly id: string;
  readonly startedAt = performance.now();
  /** What is answered from; it is held until the answer is known. */
  serving: Serving;
  /** Null for pages. */
  client: Client | null = null;
  /** Null where there are none, or good ones. */
  badCredentials: BadCredentials | null = null;
  quota: Quota | null = null;
  /** The place that it has in the client's limit already, as a part of what was counted as a whole; null: it is counted by itself. */
  admitted: Quota | null = null;
  /** Where the client stands with the cost units of its day; null where it has no such limit. */
  day: DayStanding | null = null;
  /** Cost units that were taken from its day for this request. */
  unitsTaken = 0;
  /** What the client pays with. */
  payment: Payment | null = null;
  /** What the answer costs; known for certain once it is there. */
  costUnits: number;
  /** What computes the answer; null where nothing has to be computed. */
  computing: Computing | null = null;
  /** All that is computed for the answer; null before anything is. */
  work: AnswerWork | null = null;
  /** What pages compute with. */
  compute: PageCompute = neverOffered;
  /** Where the client stands with results that had to be computed for pages; null where none had. */
  newResults: Quota | null = null;
  status = 200;
  /** Whether the answer shows less than it could at another time. */
  isPassing = false;
  /** Whether it says something about a person: the answer is not kept, nor may anybody else keep it. */
  isPrivate = false;
  #values: Values | null = null;
  #key: string | null = null;
  #body: Body | null = null;

  constructor(service: Service, request: IncomingMessage, response: ServerResponse) {
    this.service = service;
    this.request = request;
    this.response = response;
    this.url = originForm(request.url ?? '/');
    this.method = request.method ?? 'GET';
    const question = this.url.indexOf('?');
    this.path = question < 0 ? this.url : this.url.slice(0, question);
    this.query = question < 0 ? '' : this.url.slice(question + 1);
    const found = service.findRoute(this.path);
    this.knownRoute = found === null ? null : variantFor(found.route, this.query);
    this.pathValues = found?.pathValues ?? {};
    this.costUnits = this.knownRoute?.costUnits ?? 0;
    this.id = service.requestIds.of(request.headers['x-request-id']);
    this.serving = service.slot.current;
  }

  get dataset(): Dataset {
    return this.serving.dataset;
  }

  /** What the path leads to, once it is certain that it leads somewhere. */
  get route(): Route {
    return there(this.knownRoute, 'route');
  }

  get siteUrl(): string {
    return this.service.siteUrl;
  }

  get pricing(): Pricing {
    return this.service.pricing;
  }

  get baseMap(): BaseMap | null {
    return this.service.baseMap ?? null;
  }

  get offers(): BulkOffers {
    return this.service.offers;
  }

  get state(): ServiceState {
    const { slot, draining } = this.service;
    return { isDamaged: slot.isDamaged, isDraining: draining };
  }

  /** The values of the parameters, once they have been read. */
  get values(): Values {
    return there(this.#values, 'values');
  }

  set values(values: Values) {
    this.#values = values;
    this.isPrivate = isPersonal(this.route.parameters, values);
  }

  /** What is asked for, however it was written: the route and its values in the order of the table. */
  get key(): string {
    this.#key ??= this.route.id + keyOf(this.route.parameters, this.values);
    return this.#key;
  }

  /** The body of the answer, once it has been found. */
  get body(): Body {
    return there(this.#body, 'body');
  }

  set body(body: Body) {
    this.#body = body;
  }

  /** Answers from this dataset, in place of the one that is served. */
  answerFrom(serving: Serving): void {
    serving.hold();
    this.serving.release();
    this.serving = serving;
  }

  /**
   * Releases what was held for the answer, now that it is known: the dataset, a place in the queue, what is still computed, cost
   * units.
   * @param cost units that the answer comes to.
   */
  settle(cost: number): void {
    this.serving.release();
    this.computing?.leave();
    this.work?.end();
    const unused = this.unitsTaken - cost;
    if (unused <= 0 || this.client === null || this.day === null) return;
    this.service.dailyUnits?.giveBack(this.client.key, unused);
    this.day.remaining += unused;
  }

  /** Whether the answer has to be paid. */
  get isSold(): boolean {
    return this.service.billing !== null && (this.route.kind === 'api' || this.route.kind === 'comparison');
  }

  /** Whether the answer may be cached, here and elsewhere. */
  get isPublic(): boolean {
    return this.route.cache !== 'no-store' && !this.isPrivate && !this.isPassing;
  }
}

/** The route itself, or the one that answers at its path when the query has a parameter. */
function variantFor(route: Route, query: string): Route {
  const { variant } = route;
  return variant !== null && new URLSearchParams(query).has(variant.parameter) ? variant.route : route;
}

function neverOffered(): never {
  throw new Error('only pages have something computed');
}

/** @throws Error when a step asks for what an earlier one should have found. */
function there<T>(value: T | null, what: string): T {
  if (value === null) throw new Error(`the request has no ${what} yet`);
  return value;
}

/**
 * A request target as path and query: without the `http://host` of requests to a proxy, and without the fragment that
 * clients should keep to themselves. `*`, which stands for the whole server, is the root.
 */
function originForm(target: string): string {
  if (target.charCodeAt(0) === SLASH && !target.includes('#')) return target;
  const rest = target.replace(/^[a-z][a-z0-9+.-]*:\/\/[^/?#]*/i, '').replace(/#.*/, '');
  return rest === '*' ? '/' : rest.replace(/^(?!\/)/, '/');
}

const SLASH = 0x2f;
