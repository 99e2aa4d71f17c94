import { byteRange, matchesTag } from '../http/conditional.ts';
import type { NoSlot, Slot } from '../http/slots.ts';
import type { BulkFile } from '../snapshot/dataset-files.ts';
import { clientByAddress, clientOf } from './admission.ts';
import type { Exchange } from './exchange.ts';
import { type Reply, refuse } from './reply.ts';

const PARQUET = 'application/vnd.apache.parquet';
const PMTILES = 'application/vnd.pmtiles';
const FOR_EVER = 'public, max-age=31536000, immutable';

const REFUSALS = {
  forged: 'The signature of this URL is not valid. Ask the bulk operation for a URL and use it unchanged.',
  expired: 'This URL has expired. Ask the bulk operation for a new one.',
};

const GONE = 'This file belongs to a dataset that is no longer here. Ask the bulk operation for a new URL.';

/** The file behind a signed URL, whole or one range of it. */
export async function download(exchange: Exchange): Promise<Reply> {
  const { service, path, query, pathValues, serving } = exchange;
  const verdict = service.bulk.signer.verify(path, query, service.bulk.now());
  if (verdict !== 'valid') return refuse(exchange, 'invalid-credentials', REFUSALS[verdict]);
  const { dataset_id = '', half = '', code = '' } = pathValues;
  const file = await service.bulk.find(serving.dataset, dataset_id, half, code);
  if (file === null) return refuse(exchange, 'not-found', GONE);
  const name = `${half}-${code}.parquet`;
  return sendFile(exchange, file, { mediaType: PARQUET, cache: 'no-store', name, gone: GONE });
}

const DATASET_NAME = /^[\w.-]{1,64}$/;
const MAP_GONE = 'There is no map of this dataset here.';
const MAP_NOT_FREE =
  'The whole map is given away only where calls are free: it holds more than the bulk files that this server sells.';

/** The map of a dataset as one file, whole or one range of it. */
export async function wholeMap(exchange: Exchange): Promise<Reply> {
  const { service, pathValues } = exchange;
  if (service.billing !== null) return refuse(exchange, 'not-implemented', MAP_NOT_FREE);
  const id = pathValues.dataset_id ?? '';
  const named = DATASET_NAME.test(id) ? await service.slot.named(id, clientOf(exchange)) : null;
  if (named !== null) exchange.answerFrom(named);
  const file = named?.dataset.map?.whole() ?? null;
  if (file === null) return refuse(exchange, 'not-found', MAP_GONE);
  const name = `${id}.pmtiles`;
  return sendFile(exchange, file, { mediaType: PMTILES, cache: FOR_EVER, name, gone: MAP_GONE });
}

interface Sending {
  mediaType: string;
  cache: string;
  /** Under which name it is saved. */
  name: string;
  /** The `detail` where it is no longer there. */
  gone: string;
}

/**
 * What is not longer, bytes, is answered at once: the system takes so much for a connection, however slowly its client reads. Readers
 * of PMTiles and Parquet ask for many short ranges.
 */
export const LONGEST_SHORT = 64 << 10;

const NO_SLOT: Readonly<Record<NoSlot, [kind: 'rate-limited' | 'unavailable', detail: string]>> = {
  client: [
    'rate-limited',
    'As many downloads of this client are under way as one may have at once. Try again when one of them has ended.',
  ],
  all: ['unavailable', 'As many downloads are under way as the server gives at once. Try again a little later.'],
};

/** Takes a slot among the downloads; the refusal where there is none. */
async function takeSlot(exchange: Exchange): Promise<Slot | Reply> {
  const slot = await exchange.service.downloads.take(clientByAddress(exchange.request, exchange.service).key);
  return typeof slot === 'string' ? refuse(exchange, ...NO_SLOT[slot]) : slot;
}

/**
 * A long reply whose bytes no other reply shares, as that of a tile for a client that takes no gzip: it takes a slot until it is sent, or
 * clients that read slowly could have any number of them held.
 */
export async function inSlot(exchange: Exchange, reply: Reply): Promise<Reply> {
  const slot = await takeSlot(exchange);
  if ('status' in slot) return slot;
  exchange.response.once('close', slot.leave);
  if (exchange.response.destroyed) slot.leave();
  return reply;
}

/** A file, whole or one range of it. What is long takes a slot among the downloads until it is sent. */
async function sendFile(exchange: Exchange, file: BulkFile, { mediaType, cache, name, gone }: Sending): Promise<Reply> {
  const { request } = exchange;
  const tag = `"${file.sha256}"`;
  const headers = ['ETag', tag, 'Cache-Control', cache, 'Accept-Ranges', 'bytes'];
  const known = request.headers['if-none-match'];
  if (known !== undefined && matchesTag(known, tag)) return { status: 304, headers, body: null, cost: 0 };

  const condition = request.headers['if-range'];
  // Ranges are of GET alone (RFC 9110, 14.2).
  const isRanged = request.method === 'GET' && (condition === undefined || condition === tag);
  const range = byteRange(isRanged ? request.headers.range : undefined, file.bytes);
  if (range === 'unsatisfiable') {
    const reply = refuse(
      exchange,
      'range-not-satisfiable',
      `The range starts behind the end of the file: it has ${file.bytes} bytes.`,
    );
    reply.headers.push('Content-Range', `bytes */${file.bytes}`, 'ETag', tag, 'Accept-Ranges', 'bytes');
    return reply;
  }
  const { start, end } = range ?? { start: 0, end: file.bytes - 1 };
  if (range !== null) headers.push('Content-Range', `bytes ${start}-${end}/${file.bytes}`);
  headers.push('Content-Type', mediaType, 'Content-Length', String(end - start + 1));
  headers.push('Content-Disposition', `attachment; filename="${name}"`);
  const reply: Reply = { status: range === null ? 200 : 206, headers, body: null, cost: 0 };
  const isHead = request.method === 'HEAD';
  const isLong = !isHead && end + 1 - start > LONGEST_SHORT;
  const slot = isLong ? await takeSlot(exchange) : null;
  if (slot !== null && 'status' in slot) return slot;
  const handle = await openOrLeave(file, slot);
  if (handle === null) return refuse(exchange, 'not-found', gone);
  const done = (): void => {
    handle.close();
    slot?.leave();
  };
  if (isLong) {
    reply.stream = { pieces: handle.stream(start, end + 1), end: done };
    return reply;
  }
  try {
    if (!isHead) reply.body = handle.read(start, end + 1);
  } finally {
    done();
  }
  return reply;
}

/** Opens a file; null where it is no longer there. The slot is given back where it cannot be opened. */
async function openOrLeave(file: BulkFile, slot: Slot | null): Promise<Awaited<ReturnType<BulkFile['open']>> | null> {
  let opened = null;
  try {
    opened = await file.open().catch(absentAsNull);
    return opened;
  } finally {
    if (opened === null) slot?.leave();
  }
}

/** An older dataset may have been deleted while its URLs still work. */
function absentAsNull(error: NodeJS.ErrnoException): null {
  if (error.code === 'ENOENT') return null;
  throw error;
}
