import type { Exchange } from './exchange.ts';
import { type Reply, refuse } from './reply.ts';

/** An HTTP/1.1 request names its host once, or is 400 (RFC 9112, §3.2). Which it names does not matter here. */
export function checkHost(exchange: Exchange): Reply | null {
  const { httpVersionMinor, rawHeaders } = exchange.request;
  let hosts = 0;
  for (let i = 0; i < rawHeaders.length; i += 2) {
    const name = rawHeaders[i];
    if (name.length === 4 && name.toLowerCase() === 'host') hosts++;
  }
  if (hosts === 1 || (hosts === 0 && httpVersionMinor === 0)) return null;
  const detail = `A request names its host in one Host header; this one has ${hosts}.`;
  return refuse(exchange, 'invalid-parameter', detail, { errors: [{ parameter: 'Host', detail }] });
}
