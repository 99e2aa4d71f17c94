import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Pricing } from '../contract/pricing.ts';
import type { Dataset } from '../dataset/dataset.ts';
import type { Body } from '../http/body.ts';
import type { DayStanding } from '../http/daily-units.ts';
import type { Quota } from '../http/rate-limiter.ts';
import type { BaseMap, BulkOffers, Context, PageCompute, Route, ServiceState, Values } from '../site/route.ts';
import type { Payment } from './billing/payment.ts';
import type { BadCredentials, Client } from './keys.ts';
import { isPersonal, type PathValues, valuesKey } from './parameters.ts';
import type { Service } from './service-parts.ts';
import type { Serving } from './serving.ts';

/** Computes the body of an answer after payment. */
interface Computing {
  /** Computes the answer and sets the body of the exchange. */
  makeBody(): Promise<void>;
  /** Leaves the queue. Has no effect after the body is computed. */
  leave(): void;
}

/** All computations for one answer. They have one deadline, and all stop when the client goes. */
export class AnswerWork {
  readonly #begunAt = performance.now();
  readonly #gone = new AbortController();
  readonly #response: ServerResponse;

  constructor(response: ServerResponse) {
    this.#response = response;
    response.once('close', this.end);
    if (response.destroyed) this.end();
  }

  /** Aborts when the client has gone or the answer is complete. */
  get signal(): AbortSignal {
    return this.#gone.signal;
  }

  /** Milliseconds since the first computation began. */
  get waitedMs(): number {
    return performance.now() - this.#begunAt;
  }

  /** Stops unfinished computations. */
  readonly end = (): void => {
    this.#response.off('close', this.end);
    this.#gone.abort();
  };
}

/** A request and the facts about it. Each step reads it and adds to it. */
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
  /** The dataset of the answer. It is held open until the answer is known. */
  serving: Serving;
  /** The sender; null until a step has identified it. */
  client: Client | null = null;
  /** The fault of the API key that was sent; null without a key or with a valid one. */
  badCredentials: BadCredentials | null = null;
  /** The limit of requests that applies to the client, and what is left of it; null when none was counted. */
  quota: Quota | null = null;
  /** The quota of an agent's message, which was already counted; null: this request counts itself. */
  admitted: Quota | null = null;
  /** The daily limit of the client and its remaining cost units; null when it has none. */
  day: DayStanding | null = null;
  /** Cost units taken from the daily limit for this request. */
  unitsTaken = 0;
  /** The payment of the client. */
  payment: Payment | null = null;
  /** Cost of the answer; final when the answer is complete. */
  costUnits: number;
  /** Computes the answer; null when nothing has to be computed. */
  computing: Computing | null = null;
  /** All computations for the answer; null before the first. */
  work: AnswerWork | null = null;
  /** Pages compute with this. */
  compute: PageCompute = notOffered;
  /** The limit of computed pages of the client; null when nothing had to be computed. */
  newResultsQuota: Quota | null = null;
  status = 200;
  /** True when the answer is temporarily incomplete. Then it is not cached. */
  isTemporary = false;
  /** True when the answer is personal. Then neither this server nor a cache may keep it. */
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
    const match = service.findRoute(this.path);
    this.knownRoute = match === null ? null : variantFor(match.route, this.query);
    this.pathValues = match?.pathValues ?? {};
    this.costUnits = this.knownRoute?.costUnits ?? 0;
    this.id = service.requestIds.choose(request.headers['x-request-id']);
    this.serving = service.datasets.current;
  }

  get dataset(): Dataset {
    return this.serving.dataset;
  }

  /**
   * The route.
   * @throws Error for an unknown path
   */
  get route(): Route {
    return required(this.knownRoute, 'route');
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

  get isStatic(): boolean {
    return this.service.isStatic ?? false;
  }

  get offers(): BulkOffers {
    return this.service.offers;
  }

  get state(): ServiceState {
    const { datasets, draining } = this.service;
    return { isDamaged: datasets.isDamaged, isDraining: draining };
  }

  /**
   * The values of the parameters.
   * @throws Error before they have been read
   */
  get values(): Values {
    return required(this.#values, 'values');
  }

  set values(values: Values) {
    this.#values = values;
    this.isPrivate = isPersonal(this.route.parameters, values);
  }

  /** Identifies the request independently of its spelling: the route and its values in the order of the table. */
  get key(): string {
    this.#key ??= this.route.id + valuesKey(this.route.parameters, this.values);
    return this.#key;
  }

  /**
   * The body of the answer.
   * @throws Error before it has been made
   */
  get body(): Body {
    return required(this.#body, 'body');
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
   * Releases everything that was held for the answer: the dataset, a place in the queue, computations, unused cost
   * units.
   * @param cost of the answer in units
   */
  releaseHeld(cost: number): void {
    this.serving.release();
    this.computing?.leave();
    this.work?.end();
    const unused = this.unitsTaken - cost;
    if (unused <= 0 || this.client === null || this.day === null) return;
    this.service.dailyUnits?.giveBack(this.client.countedAs, unused, this.day.endsAtMs);
    this.day.remaining += unused;
  }

  /** True when the answer has to be paid. */
  get isSold(): boolean {
    return this.service.billing !== null && (this.route.kind === 'api' || this.route.kind === 'comparison');
  }

  /** True when the answer may be cached, here and elsewhere. */
  get isPublic(): boolean {
    return this.route.cache !== 'no-store' && !this.isPrivate && !this.isTemporary;
  }
}

/** The route, or its variant when the query has the variant's parameter. */
function variantFor(route: Route, query: string): Route {
  const { variant } = route;
  return variant !== null && new URLSearchParams(query).has(variant.parameter) ? variant.route : route;
}

/** The computation of an answer whose steps do not offer it (`offerComputing`). */
function notOffered(): never {
  throw new Error('only pages can compute');
}

/**
 * The value.
 * @throws Error when it is null, because no earlier step has set it
 */
function required<T>(value: T | null, what: string): T {
  if (value === null) throw new Error(`the request has no ${what} yet`);
  return value;
}

/**
 * The path and query of a request target. Removes the `http://host` that clients send to a proxy, and a fragment. `*`,
 * which means the whole server, becomes `/`.
 */
function originForm(target: string): string {
  if (target.charCodeAt(0) === SLASH && !target.includes('#')) return target;
  const rest = target.replace(/^[a-z][a-z0-9+.-]*:\/\/[^/?#]*/i, '').replace(/#.*/, '');
  if (rest === '*') return '/';
  return rest.startsWith('/') ? rest : `/${rest}`;
}

const SLASH = 0x2f;
