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

/** Computes the body of an answer, after it is paid. */
interface Computing {
  makeBody(): Promise<void>;
  /** Leaves the queue; does nothing once the body is computed. */
  leave(): void;
}

/** All that is computed for one answer: the parts have one deadline, and all are given up when the client goes. */
export class AnswerWork {
  readonly #begunAt = performance.now();
  readonly #gone = new AbortController();
  readonly #response: ServerResponse;

  constructor(response: ServerResponse) {
    this.#response = response;
    response.once('close', this.end);
    if (response.destroyed) this.end();
  }

  /** Aborts when the client has gone, or the answer is done. */
  get signal(): AbortSignal {
    return this.#gone.signal;
  }

  /** Milliseconds since the first part was begun. */
  get waitedMs(): number {
    return performance.now() - this.#begunAt;
  }

  /** Gives up what has not been computed by now. */
  readonly end = (): void => {
    this.#response.off('close', this.end);
    this.#gone.abort();
  };
}

/** A request and what is known of it. Each step reads it and adds to it. */
export class Exchange implements Context {
  readonly service: Service;
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  /** Path and query, in origin form. */
  readonly url: string;
  readonly path: string;
  readonly query: string;
  readonly method: string;
  /** Null for an unknown path. */
  readonly knownRoute: Route | null;
  readonly pathValues: PathValues;
  readonly id: string;
  readonly startedAt = performance.now();
  /** The dataset of the answer; it is held open until the answer is known. */
  serving: Serving;
  /** Null for pages. */
  client: Client | null = null;
  /** Null where there are no credentials, or good ones. */
  badCredentials: BadCredentials | null = null;
  quota: Quota | null = null;
  /** Already counted against the rate limit, with the message of an agent; null: this request counts by itself. */
  admitted: Quota | null = null;
  /** The client's daily limit of cost units and what is left of it; null where it has none. */
  day: DayStanding | null = null;
  /** Cost units that were taken from its day for this request. */
  unitsTaken = 0;
  /** What the client pays with. */
  payment: Payment | null = null;
  /** What the answer costs; final once the answer is there. */
  costUnits: number;
  /** What computes the answer; null where nothing has to be computed. */
  computing: Computing | null = null;
  /** All that is computed for the answer; null before anything is. */
  work: AnswerWork | null = null;
  /** What pages compute with. */
  compute: PageCompute = neverOffered;
  /** The client's limit of pages that need computing, and what is left of it; null where nothing had to be computed. */
  newResults: Quota | null = null;
  status = 200;
  /** Whether the answer shows less than it could at another time: then it is not cached. */
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

  /** The route, once it is certain that there is one. */
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

  /** Answers from another dataset than the served one. */
  answerFrom(serving: Serving): void {
    serving.hold();
    this.serving.release();
    this.serving = serving;
  }

  /**
   * Releases all that was held for the answer: the dataset, a place in the queue, computations, unused cost units.
   * @param cost units that the answer costs
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

/** @throws Error when a step needs what no earlier step has set */
function there<T>(value: T | null, what: string): T {
  if (value === null) throw new Error(`the request has no ${what} yet`);
  return value;
}

/**
 * The path and query of a request target: without the `http://host` that clients send to a proxy, and without a fragment. `*`, which
 * stands for the whole server, becomes `/`.
 */
function originForm(target: string): string {
  if (target.charCodeAt(0) === SLASH && !target.includes('#')) return target;
  const rest = target.replace(/^[a-z][a-z0-9+.-]*:\/\/[^/?#]*/i, '').replace(/#.*/, '');
  return rest === '*' ? '/' : rest.replace(/^(?!\/)/, '/');
}

const SLASH = 0x2f;
