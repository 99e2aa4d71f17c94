import type { Exchange } from './exchange.ts';
import type { Client } from './keys.ts';
import { costOf, type Reply } from './reply.ts';

/** The number of the level `info` in the lines of pino. */
const PINO_INFO = 30;

/**
 * Adds an answered request to the log and to the metrics.
 * @param bytes of the body that was sent
 */
export function noteAnswered(exchange: Exchange, reply: Reply, bytes: number): void {
  const seconds = (performance.now() - exchange.startedAt) / 1000;
  const { service, knownRoute: route, client } = exchange;
  const { status, problem } = reply;
  const costUnits = costOf(exchange, reply);
  if (service.log.isLevelEnabled('info')) {
    const line = {
      level: PINO_INFO,
      time: Date.now(),
      request_id: exchange.id,
      method: exchange.method,
      operation: route?.id ?? null,
      path: route?.path ?? null,
      url: loggedUrl(exchange) ?? undefined,
      status,
      problem,
      cost_units: costUnits,
      bytes,
      duration_ms: Math.round(seconds * 1e6) / 1e3,
      client: client === null ? undefined : clientName(client),
      client_class: client?.class,
      dataset_id: exchange.dataset.manifest.dataset_id,
      msg: 'request',
    };
    // The line as pino would write it. Pino takes four times as long, which is as much as a look-up. An object, so that
    // the text is made only when it is written.
    service.lines.write({ toString: () => `${JSON.stringify(line)}\n` });
  }
  service.metrics?.ended({ route, clientClass: client?.class ?? 'anonymous', status, costUnits, seconds });
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
  const names = parameters.map(({ name }) => name);
  return [...new URLSearchParams(query).keys()].every((name) => names.includes(name)) ? url : path;
}

/**
 * The ID of a key, or the network of an address (IPv4 /24, IPv6 /48). This shows where a flood comes from without
 * identifying a person.
 */
function clientName(client: Client): string {
  if (client.class === 'key') return client.countedAs;
  if (client.countedAs.includes(':')) return `${client.countedAs.split(':', 3).join(':')}::/48`;
  return `${client.countedAs.slice(0, client.countedAs.lastIndexOf('.'))}.0/24`;
}
