import type { Socket } from 'node:net';
import type { Logger } from 'pino';
import { requestId } from './exchange.ts';
import { isAnswering } from './http-server.ts';
import { problemBody } from './reply.ts';
import { COMMON_HEADERS } from './send.ts';

/** Error codes of Node's HTTP parser and timers that deserve words of their own. */
const EXPLANATIONS: Record<string, string> = {
  HPE_HEADER_OVERFLOW: 'The URL and headers are longer than 16 KiB, or there are more than 1,000 headers.',
  HPE_CHUNK_EXTENSIONS_OVERFLOW: 'The chunk extensions of the body are too long.',
  HPE_INVALID_METHOD: 'The request does not begin with an HTTP method.',
  HPE_INVALID_URL: 'The URL holds characters that must be percent-encoded.',
  ERR_HTTP_REQUEST_TIMEOUT: 'The request did not arrive in time.',
};

/**
 * What becomes of bytes that are not a request: 400 and the end of the connection. Where an answer is already on its
 * way on the connection, it is closed without a word, since words would land in the middle of that answer.
 */
export function refuseBrokenHttp(error: NodeJS.ErrnoException, socket: Socket, siteUrl: string, log: Logger): void {
  const id = requestId(undefined);
  log.info({ request_id: id, code: error.code, status: 400, cost_units: 0 }, 'broken request');
  if (error.code === 'ECONNRESET' || !socket.writable || isAnswering(socket)) {
    socket.destroy();
    return;
  }
  const detail = EXPLANATIONS[error.code ?? ''] ?? 'The request could not be read as HTTP/1.1.';
  const errors = [{ parameter: 'request', detail }];
  const problem = { ...problemBody(siteUrl, 'invalid-parameter', detail, '/'), errors };
  const body = JSON.stringify(problem);
  const headers = [
    ...['Content-Type', 'application/problem+json', 'Content-Length', String(Buffer.byteLength(body))],
    ...['Cache-Control', 'no-store', 'X-Cost-Units', '0', 'X-Request-Id', id, 'Connection', 'close'],
    ...COMMON_HEADERS,
  ];
  let head = 'HTTP/1.1 400 Bad Request\r\n';
  for (let i = 0; i < headers.length; i += 2) head += `${headers[i]}: ${headers[i + 1]}\r\n`;
  socket.end(`${head}\r\n${body}`, () => socket.destroySoon());
}
