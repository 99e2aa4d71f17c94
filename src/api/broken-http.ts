import type { Socket } from 'node:net';
import type { Logger } from 'pino';
import type { Problem, Violation } from '../contract/problems.ts';
import { type Connections, nodeHttp } from '../http/http-server.ts';
import { ALLOWED_METHODS, methodNotAllowed, problemBody } from './reply.ts';
import { COMMON_HEADERS } from './send.ts';
import type { RequestIds } from './service-parts.ts';

/** What a refusal needs to know of the service. */
interface Refuser {
  siteUrl: string;
  log: Logger;
  requestIds: RequestIds;
}

/** Error codes of Node's HTTP parser and timers that deserve words of their own. */
const EXPLANATIONS: Record<string, string> = {
  HPE_HEADER_OVERFLOW: 'The URL and headers are longer than 16 KiB, or there are more than 1,000 headers.',
  HPE_CHUNK_EXTENSIONS_OVERFLOW: 'The chunk extensions of the body are too long.',
  HPE_INVALID_METHOD: 'The request does not begin with an HTTP method.',
  HPE_INVALID_URL: 'The URL holds characters that must be percent-encoded.',
  ERR_HTTP_REQUEST_TIMEOUT: 'The request did not arrive in time.',
};

/**
 * Answers bytes that are not a request: 400 and the end of the connection. Where an answer is still on its way, or
 * has been given to the request that they belong to, the connection is closed without a word once that is out: it would
 * land in the middle of that answer, or be taken for the answer to another request. Gives false for more such bytes on a
 * connection that is to be closed: they are no news.
 */
export function refuseBrokenHttp(
  error: NodeJS.ErrnoException,
  socket: Socket,
  connections: Connections,
  refuser: Refuser,
): boolean {
  const detail = EXPLANATIONS[error.code ?? ''] ?? 'The request could not be read as HTTP/1.1.';
  const refusal = { problem: problemBody(refuser.siteUrl, 'invalid-parameter', detail, '/'), code: error.code };
  if (connections.isClosing(socket)) return false;
  const isOver = error.code === 'ECONNRESET' || !socket.writable;
  if (!isOver && connections.answerOn(socket) === null && !connections.isInBody(socket)) {
    sayAndClose({ ...refusal, errors: [{ parameter: 'request', detail }] }, socket, refuser);
    return true;
  }
  record(refusal, refuser);
  connections.closeWhenAnswered(socket);
  if (isOver) socket.destroy();
  return true;
}

/**
 * CONNECT asks for a tunnel, and Node hands it over as a bare connection: 405 and the end, as for any other method. Behind a request that
 * is not answered yet there is only the end, since the refusal would be taken for that answer.
 */
export function refuseConnect(socket: Socket, connections: Connections, refuser: Refuser): void {
  const problem = problemBody(refuser.siteUrl, 'method-not-allowed', methodNotAllowed('CONNECT'), '/');
  const refusal = { problem, code: 'CONNECT' };
  socket.on('error', () => socket.destroy());
  if (connections.answerOn(socket) === null) sayAndClose(refusal, socket, refuser);
  else {
    record(refusal, refuser);
    connections.closeWhenAnswered(socket);
  }
}

interface Refusal {
  problem: Problem;
  /** For the log. */
  code: string | undefined;
  errors?: Violation[];
}

/** Returns the ID under which it stands in the log. */
function record({ problem: { status }, code }: Refusal, { log, requestIds }: Refuser): string {
  const id = requestIds.next();
  log.info({ request_id: id, code, status, cost_units: 0 }, 'broken request');
  return id;
}

function sayAndClose(refusal: Refusal, socket: Socket, refuser: Refuser): void {
  const id = record(refusal, refuser);
  const { problem, errors } = refusal;
  const body = JSON.stringify({ ...problem, ...(errors !== undefined && { errors }) });
  const headers = [
    ...['Content-Type', 'application/problem+json', 'Content-Length', String(Buffer.byteLength(body))],
    ...['Cache-Control', 'no-store', 'X-Cost-Units', '0', 'X-Request-Id', id, 'Connection', 'close'],
    ...(problem.status === 405 ? ['Allow', ALLOWED_METHODS] : []),
    ...COMMON_HEADERS,
  ];
  let head = `HTTP/1.1 ${problem.status} ${nodeHttp.STATUS_CODES[problem.status]}\r\n`;
  for (let i = 0; i < headers.length; i += 2) head += `${headers[i]}: ${headers[i + 1]}\r\n`;
  socket.end(`${head}\r\n${body}`, () => socket.destroySoon());
}
