import { mediaTypeOf } from '../contract/operation.ts';
import { DATASET_ID } from '../contract/parameter.ts';
import { type Coding, chooseCoding, PackedBody } from '../http/body.ts';
import { entityTag, matchesTag } from '../http/conditional.ts';
import type { Route, Values } from '../site/route.ts';
import { inSlot, LONGEST_WITHOUT_SLOT } from './bulk-download.ts';
import type { Exchange } from './exchange.ts';
import { CACHE_CONTROL, RETRY_AFTER_SECONDS, type Reply } from './reply.ts';

/** The last step: makes the reply with the body, which it computes first if necessary. */
export async function answer(exchange: Exchange): Promise<Reply> {
  const { computing, method } = exchange;
  // HEAD costs nothing, so nothing is computed for it.
  if (computing !== null && method === 'HEAD')
    return { status: 200, headers: headersWithoutBody(exchange), body: null, cost: 0 };
  await computing?.makeBody();
  return answerWithBody(exchange);
}

/** The headers of an answer whose body is not computed: those that do not depend on it. */
function headersWithoutBody({ isPublic, isSold, route, values }: Exchange): string[] {
  const control = isPublic && !isSold ? CACHE_CONTROL[route.cache] : 'no-store';
  return [
    'Vary',
    'Accept-Encoding',
    'Cache-Control',
    control,
    'Content-Type',
    mediaTypeOf(route.answer),
    ...routeHeaders(route, values),
  ];
}

/** The headers that only this route has. */
const routeHeaders = ({ headers, fileName }: Route, values: Values): readonly string[] =>
  fileName === null ? headers : [...headers, 'Content-Disposition', `attachment; filename="${fileName(values)}"`];

/**
 * 200 with the body in the client's preferred coding; or 304 when the client already has the body. A page whose answer
 * could not be computed now has another status, and Retry-After. Nobody else may store an answer that was paid for.
 */
async function answerWithBody(exchange: Exchange): Promise<Reply> {
  const { request, serving, route, values, body, costUnits: cost, isPublic } = exchange;
  const accept = request.headers['accept-encoding'] as string | undefined;
  const packed = body instanceof PackedBody ? body.bytesFor(accept) : null;
  const coding = packed?.coding ?? chooseCoding(accept, body.bytes);
  const headers = ['Vary', 'Accept-Encoding'];
  // Public answers may be cached; private ones hold what a visitor typed. Others are incomplete for now, or their route
  // allows no cache.
  if (isPublic && !exchange.isSold) {
    const tag = entityTag(serving.tagSeed, exchange.key, coding);
    headers.push('ETag', tag, 'Cache-Control', CACHE_CONTROL[route.cache]);
    pushPurgeTags(exchange, headers);
    const cachedTags = request.headers['if-none-match'];
    if (cachedTags !== undefined && matchesTag(cachedTags, tag)) return { status: 304, headers, body: null, cost: 0 };
  } else headers.push('Cache-Control', exchange.isPrivate ? 'private, no-store' : 'no-store');
  if (exchange.status !== 200) headers.push('Retry-After', String(secondsToComeBack(exchange)));
  headers.push('Content-Type', mediaTypeOf(route.answer), ...routeHeaders(route, values));
  if (body.pages !== null && body.pages > 1) headers.push('Link', pageLinks(exchange, body.pages));
  if (packed !== null) return packedReply(exchange, packed, headers);
  if (coding === 'identity') {
    headers.push('Content-Length', String(body.bytes));
    return { status: exchange.status, headers, body, cost };
  }
  // The body keeps its compressed form. Compression takes longer than anything else here, so the body is cached.
  if (isPublic) serving.bodies.put(exchange.key, body);
  const coded = await body.coded(coding);
  headers.push('Content-Encoding', coding, 'Content-Length', String(coded.length));
  return { status: exchange.status, headers, body: coded, cost };
}

/**
 * The reply with a body that is stored compressed.
 * @param packed its bytes as stored; unpacked (`identity`) for a client that takes no compression
 */
function packedReply(
  exchange: Exchange,
  packed: { coding: Coding; bytes: Buffer },
  headers: string[],
): Reply | Promise<Reply> {
  const { coding, bytes } = packed;
  if (coding !== 'identity') headers.push('Content-Encoding', coding);
  headers.push('Content-Length', String(bytes.length));
  const reply = { status: 200, headers, body: bytes, cost: exchange.costUnits };
  // Unpacked bytes are in memory for this client only, so a long reply takes a download slot.
  const isUnpacked = coding === 'identity' && exchange.method !== 'HEAD';
  return isUnpacked && bytes.length > LONGEST_WITHOUT_SLOT ? inSlot(exchange, reply) : reply;
}

/** Seconds until an incomplete page can be requested again. */
function secondsToComeBack({ newResultsQuota }: Exchange): number {
  return newResultsQuota?.allowed === false ? newResultsQuota.resetSeconds : RETRY_AFTER_SECONDS;
}

/** Adds the tags with which a CDN purges answers: all answers, those of a route, those of a dataset. */
function pushPurgeTags({ service, route, dataset }: Exchange, headers: string[]): void {
  if (service.purgeTags === null) return;
  const { header, separator } = service.purgeTags;
  const tags = ['hidamari', `hidamari-${route.id}`, `hidamari-${dataset.manifest.dataset_id}`];
  headers.push(header, tags.join(separator));
}

/** Links to the previous and the next page of a list, in the same dataset. */
function pageLinks({ service, path, query, dataset }: Exchange, pages: number): string {
  const values = new URLSearchParams(query);
  const page = Number(values.get('page') ?? 1);
  values.set(DATASET_ID, dataset.manifest.dataset_id);
  const link = (to: number, rel: string): string => {
    values.set('page', String(to));
    return `<${service.siteUrl}${path}?${values}>; rel="${rel}"`;
  };
  const links = page > 1 ? [link(page - 1, 'prev')] : [];
  if (page < pages) links.push(link(page + 1, 'next'));
  return links.join(', ');
}
