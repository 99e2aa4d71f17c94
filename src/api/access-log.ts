import { type Logger, symbols } from 'pino';
import type { Exchange } from './exchange.ts';
import type { Client } from './identify.ts';
import { costOf, type Reply } from './reply.ts';

/**
 * The record of a request: what was asked, what came of it and what it cost. The path is that of the table, since a
 * full URL holds what people look for and the signatures of downloads; only at level debug it is there too.
 *
 * The line is put together here, in pino's form, and goes where pino's lines go: pino itself would take four times as
 * long, as much as a look-up. Texts go in as they are: but for the URL, they are made of characters that JSON does not
 * escape.
 * @param seconds from the arrival of the request until its answer was handed over.
 * @param bytes of the body that was sent.
 */
export function logAccess(exchange: Exchange, reply: Reply, seconds: number, bytes: number): void {
  const { log } = exchange.service;
  if (!log.isLevelEnabled('info')) return;
  const { request, client, route, serving } = exchange;
  let line = `{"level":30,"time":${Date.now()},"request_id":"${exchange.id}","method":"${request.method}",`;
  line += route === null ? '"operation":null,"path":null,' : route.logged;
  if (log.isLevelEnabled('debug')) line += `"url":${JSON.stringify(exchange.url)},`;
  line += `"status":${reply.status},`;
  if (reply.problem !== undefined) line += `"problem":"${reply.problem}",`;
  line += `"cost_units":${costOf(exchange, reply)},"bytes":${bytes},"duration_ms":${Math.round(seconds * 1e6) / 1e3},`;
  if (client !== null) line += `"client":"${clientName(client)}","client_class":"${client.class}",`;
  line += `${serving.logged}"msg":"request"}\n`;
  streamOf(log).write(line);
}

/** Where a logger writes its lines. */
function streamOf(log: Logger): { write(line: string): void } {
  return (log as unknown as Record<symbol, { write(line: string): void }>)[symbols.streamSym]!;
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
