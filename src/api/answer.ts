import { JsonBytes } from '../dataset/dataset.ts';
import { chooseCoding, encode } from './coding.ts';
import { entityTag, matchesTag } from './conditional.ts';
import type { Exchange } from './exchange.ts';
import type { Reply } from './reply.ts';
import { PageBody } from './serving.ts';

/** How long an answer may be reused before asking again with its ETag. */
const PUBLIC = 'public, max-age=300';

/** The answer of an operation: the envelope around its data. */
export function answer(exchange: Exchange): Reply | Promise<Reply> {
  const { operation } = exchange.route!;
  const { data, serving } = exchange;
  const body = data instanceof JsonBytes ? serving.envelopeOfBytes(operation, data) : serving.envelope(operation, data);
  return bodyReply(exchange, body, 'application/json', operation.costUnits);
}

/**
 * 200 with the body in the coding that the client prefers, or 304 when it has it.
 * @param body text or its bytes, or a page that keeps its coded forms.
 */
export function bodyReply(
  exchange: Exchange,
  body: string | Buffer | PageBody,
  mediaType: string,
  cost: number,
): Reply | Promise<Reply> {
  const { route, request, serving } = exchange;
  const text = body instanceof PageBody ? body.text : body;
  const bytes = typeof text === 'string' ? Buffer.byteLength(text) : text.length;
  const coding = chooseCoding(request.headers['accept-encoding'] as string | undefined, bytes);
  const headers = ['Vary', 'Accept-Encoding'];
  if (route!.operation.cache === 'public') {
    const tag = entityTag(serving.tagSeed, requestKey(exchange), coding);
    headers.push('ETag', tag, 'Cache-Control', PUBLIC);
    const known = request.headers['if-none-match'];
    if (known !== undefined && matchesTag(known, tag)) return { status: 304, headers, body: null, cost: 0 };
  } else headers.push('Cache-Control', 'no-store');
  headers.push('Content-Type', mediaType);
  if (coding === 'identity') {
    headers.push('Content-Length', String(bytes));
    return { status: 200, headers, body: text, cost };
  }
  const encoding = body instanceof PageBody ? body.coded(coding) : encode(text, coding);
  return encoding.then((coded) => {
    headers.push('Content-Encoding', coding, 'Content-Length', String(coded.length));
    return { status: 200, headers, body: coded, cost };
  });
}

/** What was asked for, however it was written: the operation and its values in the order of the table. */
function requestKey({ route, values, pathValues }: Exchange): string {
  const { operation, isApi } = route!;
  let key = operation.id;
  for (const { name } of operation.parameters) key += `\n${isApi ? values[name] : pathValues[name]}`;
  return key;
}
