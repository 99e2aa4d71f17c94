import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Body } from '../http/body.ts';
import type { Quota } from '../http/rate-limiter.ts';
import type { Payment } from './billing/payment.ts';
import type { BadCredentials, Client } from './identify.ts';
import type { Values } from './parameters.ts';
import type { Route } from './routes.ts';
import type { Service } from './service.ts';
import type { Serving } from './serving.ts';

/** One request and what has been found out about it so far. Each step of its life reads and fills it. */
export class Exchange {
  readonly service: Service;
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  /** Path and query, in origin form. */
  readonly url: string;
  readonly path: string;
  readonly query: string;
  /** Null for an unknown path. */
  readonly route: Route | null;
  /** Percent-decoded path parameters. */
  readonly pathValues: Readonly<Record<string, string>>;
  readonly id: string;
  readonly startedAt = performance.now();
  readonly serving: Serving;
  /** Null for pages: they ask nobody. */
  client: Client | null = null;
  /** Null where there are none, or good ones. */
  badCredentials: BadCredentials | null = null;
  quota: Quota | null = null;
  values: Values = {};
  /** What the client pays with. */
  payment: Payment | null = null;
  /** The body of the answer. */
  body: Body | null = null;
  #key: string | null = null;

  constructor(service: Service, request: IncomingMessage, response: ServerResponse) {
    this.service = service;
    this.request = request;
    this.response = response;
    this.url = originForm(request.url!);
    const question = this.url.indexOf('?');
    this.path = question < 0 ? this.url : this.url.slice(0, question);
    this.query = question < 0 ? '' : this.url.slice(question + 1);
    const found = service.findRoute(this.path);
    this.route = found?.route ?? null;
    this.pathValues = found?.pathValues ?? {};
    this.id = requestId(request.headers['x-request-id']);
    this.serving = service.slot.current;
  }

  /** Whether the answer has to be paid. */
  get isSold(): boolean {
    return this.service.billing !== null && this.route!.isApi;
  }

  /** What was asked for, however it was written: the operation and its values in the order of the table. */
  get key(): string {
    this.#key ??= this.#makeKey();
    return this.#key;
  }

  #makeKey(): string {
    const { operation, isApi } = this.route!;
    const values = isApi ? this.values : this.pathValues;
    let key = operation.id;
    for (const { name } of operation.parameters) key += `/${values[name] ?? ''}`;
    return key;
  }
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

const GIVEN_ID = /^[\w.-]{1,64}$/;
const PROCESS_ID = Math.floor(Math.random() * 2 ** 40).toString(36);
let requests = 0;

/** The client's own ID when it is harmless, else a new one. */
export function requestId(given: string | string[] | undefined): string {
  if (typeof given === 'string' && GIVEN_ID.test(given)) return given;
  return `${PROCESS_ID}-${(requests++).toString(36)}`;
}
