import type { Socket } from 'node:net';
import type { Logger } from 'pino';
import type { Problem, Violation } from '../contract/problems.ts';
import { type Connections, nodeHttp } from '../http/http-server.ts';
import { ALLOWED_METHODS, COMMON_HEADERS, headerList, methodNotAllowed, problemBody } from './reply.ts';
import type { RequestIds } from './service-parts.ts';

/** The parts of the service that a refusal needs. */
interface Refuser {
  siteUrl: string;
  log: Logger;
  requestIds: RequestIds;
}

/** Explanations of some error codes of Node's HTTP parser and timers. */
const EXPLANATIONS: Record<string, string> = {
  HPE_HEADER_OVERFLOW: 'The URL and headers are longer than 16 KiB, or there are more than 1,000 headers.',
  HPE_CHUNK_EXTENSIONS_OVERFLOW: 'The chunk extensions of the body are too long.',
  HPE_INVALID_METHOD: 'The request does not begin with an HTTP method.',
  HPE_INVALID_URL:
    'The URL holds characters that must be percent-encoded, as curl does it: ' +
    "curl -G --data-urlencode 'q=神田' …/api/v1/search",
  ERR_HTTP_REQUEST_TIMEOUT: 'The request did not arrive in time.',
};

/**
 * Answers bytes that are not an HTTP request with 400, and closes the connection. There is no 400 while another answer
 * is being sent, or when the bytes belong to the body of a request: the client would take it for a part of the other
 * answer. Then the connection closes after that answer.
 * @returns false when the connection is already closing; the error was counted before
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
  const isWritable = error.code !== 'ECONNRESET' && socket.writable;
  if (isWritable && connections.lastAnswerOn(socket) === null && !connections.isInBody(socket)) {
    answerAndClose({ ...refusal, errors: [{ parameter: 'request', detail }] }, socket, refuser);
    return true;
  }
  logRefusal(refusal, refuser);
  // This also marks the connection as closing.
  connections.closeWhenAnswered(socket);
  if (!isWritable) socket.destroy();
  return true;
}

/**
 * Answers CONNECT with 405, and closes the connection, because Node.js hands over the bare socket. When an earlier
 * request is not answered yet, there is no 405: the client would take it for that answer.
 */
export function refuseConnect(socket: Socket, connections: Connections, refuser: Refuser): void {
  const problem = problemBody(refuser.siteUrl, 'method-not-allowed', methodNotAllowed('CONNECT'), '/');
  const refusal = { problem, code: 'CONNECT' };
  socket.on('error', () => socket.destroy());
  if (connections.lastAnswerOn(socket) === null) answerAndClose(refusal, socket, refuser);
  else {
    logRefusal(refusal, refuser);
    // At CONNECT, Node.js takes its listeners off the socket, so an answer in several pieces would wait for `drain` for ever.
    socket.on('drain', () => connections.currentAnswerOn(socket)?.emit('drain'));
    connections.closeWhenAnswered(socket);
  }
}

/** A refusal that is not made by `reply.ts`, because there is no request. */
interface Refusal {
  problem: Problem;
  /** What was wrong, for the log: an error code of Node.js, or CONNECT. */
  code: string | undefined;
  errors?: Violation[];
}

/** Logs a refusal, and returns its request ID. */
function logRefusal({ problem: { status }, code }: Refusal, { log, requestIds }: Refuser): string {
  const id = requestIds.next();
  log.info({ request_id: id, code, status, cost_units: 0 }, 'broken request');
  return id;
}

/** Writes a refusal to the bare socket and closes it. */
function answerAndClose(refusal: Refusal, socket: Socket, refuser: Refuser): void {
  const id = logRefusal(refusal, refuser);
  const { problem, errors } = refusal;
  const body = JSON.stringify({ ...problem, ...(errors !== undefined && { errors }) });
  const headers = headerList({
    'Content-Type': 'application/problem+json',
    'Content-Length': String(Buffer.byteLength(body)),
    'Cache-Control': 'no-store',
    'X-Cost-Units': '0',
    'X-Request-Id': id,
    Connection: 'close',
    ...(problem.status === 405 && { Allow: ALLOWED_METHODS }),
  });
  headers.push(...COMMON_HEADERS);
  let head = `HTTP/1.1 ${problem.status} ${nodeHttp.STATUS_CODES[problem.status]}\r\n`;
  for (let i = 0; i < headers.length; i += 2) head += `${headers[i]}: ${headers[i + 1]}\r\n`;
  socket.end(`${head}\r\n${body}`, () => socket.destroySoon());
}
