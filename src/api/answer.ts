import type { Operation } from '../contract/operation.ts';
import { chooseCoding } from '../http/coding.ts';
import { entityTag, matchesTag } from '../http/conditional.ts';
import type { Exchange } from './exchange.ts';
import type { Reply } from './reply.ts';

/** How long an answer may be reused before asking again with its ETag. */
const PUBLIC = 'public, max-age=300';

/** 200 with the body in the coding that the client prefers, or 304 when it has it already. */
export function answer(exchange: Exchange): Reply | Promise<Reply> {
  const { request, serving, key } = exchange;
  const { operation } = exchange.route!;
  const body = exchange.body!;
  const coding = chooseCoding(request.headers['accept-encoding'] as string | undefined, body.bytes);
  const headers = ['Vary', 'Accept-Encoding'];
  if (operation.cache === 'public' && !exchange.isSold) {
    const tag = entityTag(serving.tagSeed, key, coding);
    headers.push('ETag', tag, 'Cache-Control', PUBLIC);
    const known = request.headers['if-none-match'];
    if (known !== undefined && matchesTag(known, tag)) return { status: 304, headers, body: null, cost: 0 };
  } else headers.push('Cache-Control', 'no-store');
  headers.push('Content-Type', mediaType(operation));
  const cost = operation.costUnits;
  if (coding === 'identity') {
    headers.push('Content-Length', String(body.bytes));
    return { status: 200, headers, body, cost };
  }
  // For those who ask the same: compressing takes longer than anything else here.
  if (operation.cache === 'public') serving.bodies.put(key, body);
  return body.coded(coding).then((coded) => {
    headers.push('Content-Encoding', coding, 'Content-Length', String(coded.length));
    return { status: 200, headers, body: coded, cost };
  });
}

function mediaType({ answer: form }: Operation): string {
  if (form.form === 'envelope') return 'application/json';
  return form.mediaType.startsWith('text/') ? `${form.mediaType}; charset=utf-8` : form.mediaType;
}
