import { logAccess } from './access-log.ts';
import type { Exchange } from './exchange.ts';
import { costOf, type Reply } from './reply.ts';

/**
 * Puts a request on record that has been answered, in the log and in the metrics.
 * @param bytes of the body that was sent
 */
export function record(exchange: Exchange, reply: Reply, bytes: number): void {
  const seconds = (performance.now() - exchange.startedAt) / 1000;
  logAccess(exchange, reply, seconds, bytes);
  const { service, knownRoute, client } = exchange;
  service.metrics?.ended({
    route: knownRoute,
    clientClass: client?.class ?? 'anonymous',
    status: reply.status,
    costUnits: costOf(exchange, reply),
    seconds,
  });
}
