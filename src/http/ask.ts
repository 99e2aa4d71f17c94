import { once } from 'node:events';
import type { IncomingMessage } from 'node:http';
import { request as httpsRequest } from 'node:https';
import { pipeline, Readable } from 'node:stream';
import { createBrotliDecompress, createGunzip, createInflate } from 'node:zlib';
import { nodeHttp } from './http-server.ts';

/** A request to another server. */
interface OutgoingRequest {
  method?: string;
  headers?: ConstructorParameters<typeof Headers>[0];
  body?: string | null;
  signal: AbortSignal;
}

/** Statuses whose answers have no body. */
const WITHOUT_BODY: ReadonlySet<number> = new Set([204, 205, 304]);

/**
 * Sends an HTTP request and returns the answer like `fetch`, without following redirects. `fetch` of Node.js 24 ends
 * the whole process when a server closes the connection after a body that is read slowly (nodejs/undici issue 5360).
 * @throws Error when there is no answer; a connection that breaks later is an error of the body
 */
export async function ask(
  url: string,
  { method = 'GET', headers = {}, body, signal }: OutgoingRequest,
): Promise<Response> {
  const send = new URL(url).protocol === 'https:' ? httpsRequest : nodeHttp.request;
  const request = send(url, { method, headers: Object.fromEntries(new Headers(headers)), signal });
  // Errors after the answer also appear as errors of its body.
  request.on('error', () => {});
  request.once('upgrade', (_, socket) => {
    socket.destroy();
    request.emit('error', new Error('status 101, but no other protocol was requested'));
  });
  request.end(body ?? undefined);
  try {
    const [incoming] = (await once(request, 'response', { signal })) as [IncomingMessage];
    return answerOf(method, incoming);
  } catch (error) {
    request.destroy();
    if (signal.aborted) throw signal.reason;
    // A host with several addresses fails with one error for each.
    throw error instanceof AggregateError ? error.errors[0] : error;
  }
}

/** The answer of Node.js as a `Response`, with its body decoded. */
function answerOf(method: string, incoming: IncomingMessage): Response {
  const { statusCode: status = 0 } = incoming;
  if (status < 200 || status > 599) throw new Error(`status ${status}, which is not a status of HTTP`);
  const headers = new Headers();
  for (const [name, values = []] of Object.entries(incoming.headersDistinct)) {
    for (const value of values) headers.append(name, value);
  }
  if (method !== 'HEAD' && !WITHOUT_BODY.has(status))
    return new Response(Readable.toWeb(decoded(incoming)) as ReadableStream, { status, headers });
  // Read to its end, so that the connection can be used again.
  incoming.resume();
  return new Response(null, { status, headers });
}

/** The decoded body. Some servers encode it without being asked. */
function decoded(incoming: IncomingMessage): Readable {
  const decoder = decoderOf(incoming.headers['content-encoding']);
  return decoder === null
    ? incoming
    : pipeline(incoming, decoder, () => {
        // Nothing to do: the reader of the decoder gets the error.
      });
}

/** The stream that decodes a content coding; null for none and for an unknown coding. */
function decoderOf(coding = 'identity') {
  switch (coding.toLowerCase()) {
    case 'gzip':
    case 'x-gzip':
      return createGunzip();
    case 'deflate':
      return createInflate();
    case 'br':
      return createBrotliDecompress();
    default:
      return null;
  }
}

/**
 * Why there was no answer. Errors of `fetch` have it in their cause. The error of several failed connections has no
 * message, only a code.
 */
export function reasonOf(error: Error): string {
  const { message, code, name } = (error.cause instanceof Error ? error.cause : error) as NodeJS.ErrnoException;
  if (!code || message.includes(code)) return message || name;
  return message === '' ? code : `${message}, ${code}`;
}

/** The body of an answer is longer than allowed. */
export class BodyTooLongError extends Error {
  override name = 'BodyTooLongError';
}

/**
 * Reads the body of an answer, up to `most` bytes.
 * @throws BodyTooLongError at the first byte beyond; the rest is not read
 */
export async function boundedBody(response: Response, most: number): Promise<Buffer> {
  const chunks: Uint8Array[] = [];
  let bytes = 0;
  for await (const chunk of response.body ?? []) {
    bytes += chunk.length;
    if (bytes > most) throw new BodyTooLongError(`the answer has more than ${most} bytes`);
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}
