import type { Exchange } from './exchange.ts';
import type { Client } from './identify.ts';
import { costOf, type Reply } from './reply.ts';

/**
 * The record of a request: what was asked, what came of it and what it cost. The path is that of the table, since a
 * full URL holds what people look for and the signatures of downloads; only at level debug it is there too.
 * @param seconds from the arrival of the request until its answer was handed over.
 * @param bytes of the body that was sent.
 */
export function logAccess(exchange: Exchange, reply: Reply, seconds: number, bytes: number): void {
  const { log } = exchange.service;
  if (!log.isLevelEnabled('info')) return;
  const { request, client, route, serving } = exchange;
  log.info(
    {
      request_id: exchange.id,
      method: request.method,
      operation: route?.operation.id ?? null,
      path: route?.operation.path ?? null,
      url: log.isLevelEnabled('debug') ? exchange.url : undefined,
      status: reply.status,
      problem: reply.problem,
      cost_units: costOf(exchange, reply),
      bytes,
      duration_ms: Math.round(seconds * 1e6) / 1e3,
      client: client === null ? undefined : clientName(client),
      client_class: client?.class,
      dataset_id: serving.dataset.manifest.dataset_id,
    },
    'request',
  );
}

/**
 * The ID of a key, or the network of an address (IPv4 /24, IPv6 /48): enough to see where a flood comes from, too
 * little to know a person by.
 */
export function clientName(client: Client): string {
  if (client.class === 'key') return client.key;
  if (client.key.includes(':')) return `${client.key.split(':', 3).join(':')}::/48`;
  return `${client.key.slice(0, client.key.lastIndexOf('.'))}.0/24`;
}
