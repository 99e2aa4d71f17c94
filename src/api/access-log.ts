import type { Exchange } from './exchange.ts';
import type { Client } from './keys/api-key.ts';
import { costOf, type Reply } from './reply.ts';

/**
 * Adds an answered request to the log and to the metrics.
 * @param bytes of the body that was sent
 */
export function record(exchange: Exchange, reply: Reply, bytes: number): void {
  const seconds = (performance.now() - exchange.startedAt) / 1000;
  const { service, knownRoute, client } = exchange;
  if (service.log.isLevelEnabled('info')) service.lines.write(new AccessLine(exchange, reply, seconds, bytes));
  service.metrics?.ended({
    route: knownRoute,
    clientClass: client?.class ?? 'anonymous',
    status: reply.status,
    costUnits: costOf(exchange, reply),
    seconds,
  });
}

/** A line of the access log. It becomes text only when it is written, and keeps no large object of the request. */
class AccessLine {
  readonly #time = Date.now();
  readonly #id: string;
  readonly #method: string;
  readonly #route: string;
  readonly #url: string | null;
  readonly #status: number;
  readonly #problem: string | undefined;
  readonly #costUnits: number;
  readonly #bytes: number;
  readonly #seconds: number;
  readonly #client: Client | null;
  readonly #dataset: string;

  constructor(exchange: Exchange, reply: Reply, seconds: number, bytes: number) {
    const { method, client, knownRoute: route, serving } = exchange;
    this.#id = exchange.id;
    this.#method = method;
    this.#route =
      route === null ? '"operation":null,"path":null,' : `"operation":"${route.id}","path":"${route.path}",`;
    this.#url = loggedUrl(exchange);
    this.#status = reply.status;
    this.#problem = reply.problem;
    this.#costUnits = costOf(exchange, reply);
    this.#bytes = bytes;
    this.#seconds = seconds;
    this.#client = client;
    this.#dataset = serving.logged;
  }

  /**
   * The line as pino would write it. Pino takes four times as long, which is as much as a look-up. Only the URL needs
   * escaping: the other texts have no special characters.
   */
  toString(): string {
    let line = `{"level":30,"time":${this.#time},"request_id":"${this.#id}","method":"${this.#method}",${this.#route}`;
    if (this.#url !== null) line += `"url":${JSON.stringify(this.#url)},`;
    line += `"status":${this.#status},`;
    if (this.#problem !== undefined) line += `"problem":"${this.#problem}",`;
    line += `"cost_units":${this.#costUnits},"bytes":${this.#bytes},"duration_ms":${Math.round(this.#seconds * 1e6) / 1e3},`;
    const client = this.#client;
    if (client !== null) line += `"client":"${clientName(client)}","client_class":"${client.class}",`;
    return `${line}${this.#dataset}"msg":"request"}\n`;
  }
}

/**
 * The URL of a request for the log, at level debug only, because it may contain the signature of a download. Null when
 * a parameter of the route is personal. Without its query when the path or a parameter name is unknown: the unknown
 * name may be a misspelt personal parameter.
 */
export function loggedUrl({ service, knownRoute: route, path, query, url }: Exchange): string | null {
  if (!service.log.isLevelEnabled('debug')) return null;
  const parameters = route?.parameters ?? [];
  if (parameters.some(({ isPrivate, isLogged }) => isPrivate || isLogged === false)) return null;
  const known = parameters.map(({ name }) => name);
  return [...new URLSearchParams(query).keys()].every((name) => known.includes(name)) ? url : path;
}

/**
 * The ID of a key, or the network of an address (IPv4 /24, IPv6 /48). This shows where a flood comes from without
 * identifying a person.
 */
function clientName(client: Client): string {
  if (client.class === 'key') return client.key;
  if (client.key.includes(':')) return `${client.key.split(':', 3).join(':')}::/48`;
  return `${client.key.slice(0, client.key.lastIndexOf('.'))}.0/24`;
}
