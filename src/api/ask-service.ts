import type { IncomingMessage } from 'node:http';
import { Socket } from 'node:net';
import { Body } from '../http/body.ts';
import { nodeHttp } from '../http/http-server.ts';
import type { Quota } from '../http/rate-limiter.ts';
import type { Answer, Question } from '../mcp/ask.ts';
import { record } from './access-log.ts';
import { Exchange } from './exchange.ts';
import { handle } from './life.ts';
import { costOf, type Reply } from './reply.ts';
import type { Service } from './service-parts.ts';

/** The HTTP request with calls of an agent. Its rate limit, key and payment apply to these calls. */
export class Caller {
  readonly request: IncomingMessage;
  readonly #admitted: Quota[];
  readonly #waiting = new Set<() => void>();

  /** @param admitted one quota for each message that was counted */
  constructor(request: IncomingMessage, admitted: Quota[]) {
    this.request = request;
    this.#admitted = admitted;
    request.socket.once('close', this.#gone);
  }

  /** The quota of a counted message, so that its first question is not counted again. Null when none is left. */
  takeAdmitted(): Quota | null {
    return this.#admitted.pop() ?? null;
  }

  /** Calls `giveUp` when the connection closes. Returns a function that cancels this. */
  whenGone(giveUp: () => void): () => void {
    if (this.request.socket.destroyed) giveUp();
    this.#waiting.add(giveUp);
    return () => this.#waiting.delete(giveUp);
  }

  /** Call this when all calls have been answered. */
  end(): void {
    this.request.socket.off('close', this.#gone);
  }

  // One listener for all questions: Node.js warns of a leak when a socket has many.
  readonly #gone = (): void => {
    for (const giveUp of this.#waiting) giveUp();
  };
}

/** Headers that identify the caller. */
const CALLER_HEADERS = ['authorization', 'x-forwarded-for'];

/**
 * Answers a question of an agent inside the process, with the same steps as an HTTP request.
 * @param caller null when there is no connection (standard input)
 */
export async function askService(service: Service, question: Question, caller: Caller | null): Promise<Answer> {
  const request = requestOf(question, caller?.request ?? null);
  const response = new nodeHttp.ServerResponse(request);
  const exchange = new Exchange(service, request, response);
  exchange.admitted = caller?.takeAdmitted() ?? null;
  exchange.serving.hold();
  service.metrics?.began();
  // Stop computations when the caller closes its connection.
  const giveUp = (): void => {
    response.destroy();
    response.emit('close');
  };
  const stay = caller?.whenGone(giveUp);
  const reply = await handle(exchange);
  stay?.();
  exchange.settle(costOf(exchange, reply));
  const body = textOf(reply);
  record(exchange, reply, Buffer.byteLength(body));
  return { status: reply.status, headers: headersOf(reply), body };
}

function requestOf({ target, payment }: Question, caller: IncomingMessage | null): IncomingMessage {
  const request = new nodeHttp.IncomingMessage(caller?.socket ?? new Socket());
  request.method = 'GET';
  request.url = target;
  request.httpVersionMinor = 1;
  request.rawHeaders = ['Host', 'inside'];
  request.headers = {};
  request.headersDistinct = {};
  for (const name of CALLER_HEADERS) {
    const values = caller?.headersDistinct[name];
    if (values === undefined) continue;
    request.headersDistinct[name] = values;
    request.headers[name] = values.join(', ');
  }
  if (payment !== null) request.headers['payment-signature'] = payment;
  return request;
}

function headersOf({ headers }: Reply): Map<string, string> {
  const named = new Map<string, string>();
  for (let i = 0; i + 1 < headers.length; i += 2) named.set((headers[i] ?? '').toLowerCase(), headers[i + 1] ?? '');
  return named;
}

/** The body of a reply as text. */
function textOf({ body }: Reply): string {
  if (body === null) return '';
  if (!(body instanceof Body)) return body.toString();
  const { content } = body;
  return typeof content === 'string' ? Buffer.from(content, 'latin1').toString() : content.toString();
}
