import { IncomingMessage, ServerResponse } from 'node:http';
import { Socket } from 'node:net';
import { Body } from '../http/body.ts';
import type { Answer, Question } from '../mcp/ask.ts';
import { Exchange } from './exchange.ts';
import { handle } from './life.ts';
import { record } from './record.ts';
import { costOf, type Reply } from './reply.ts';
import type { Service } from './service-parts.ts';

/** Headers that say who asks: the limits, keys and payments of a question are those of the caller. */
const OF_THE_CALLER = ['authorization', 'x-forwarded-for'];

/**
 * Takes a question of an agent through the life of a request, within the process.
 * @param caller the request that brought the agent's call; null where there is no connection (standard input)
 */
export async function askService(
  service: Service,
  question: Question,
  caller: IncomingMessage | null,
): Promise<Answer> {
  const request = requestOf(question, caller);
  const exchange = new Exchange(service, request, new ServerResponse(request));
  exchange.serving.hold();
  service.metrics?.began();
  const reply = await handle(exchange);
  exchange.settle(costOf(exchange, reply));
  const body = textOf(reply);
  record(exchange, reply, Buffer.byteLength(body));
  return { status: reply.status, headers: headersOf(reply), body };
}

function requestOf({ target, payment }: Question, caller: IncomingMessage | null): IncomingMessage {
  const request = new IncomingMessage(caller?.socket ?? new Socket());
  request.method = 'GET';
  request.url = target;
  request.httpVersionMinor = 1;
  request.rawHeaders = ['Host', 'inside'];
  request.headers = {};
  request.headersDistinct = {};
  for (const name of OF_THE_CALLER) {
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

/** The text of a body that nobody sends: its room is given back here. */
function textOf({ body }: Reply): string {
  if (body === null) return '';
  if (!(body instanceof Body)) return body.toString();
  const { content } = body;
  const text = typeof content === 'string' ? Buffer.from(content, 'latin1').toString() : content.toString();
  body.release();
  return text;
}
