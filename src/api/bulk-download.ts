import type { IncomingMessage } from 'node:http';
import { mediaTypeOf } from '../contract/operation.ts';
import { nullIfMissing } from '../formats/files.ts';
import { byteRange, matchesTag } from '../http/conditional.ts';
import type { NoSlot, Slot } from '../http/slots.ts';
import type { BulkFile } from '../snapshot/dataset-files.ts';
import { clientByAddress, clientOf } from './admission.ts';
import type { Exchange } from './exchange.ts';
import { CACHE_CONTROL, type Reply, refuse } from './reply.ts';

const REFUSALS = {
  forged: 'The signature of this URL is not valid. Ask the bulk operation for a URL and use it unchanged.',
  expired: 'This URL has expired. Ask the bulk operation for a new one.',
};

const GONE = 'This file belongs to a dataset that is no longer here. Ask the bulk operation for a new URL.';

/** Answers with the file of a signed URL, or a range of it. */
export async function download(exchange: Exchange): Promise<Reply> {
  const { service, path, query, pathValues, serving } = exchange;
  const verdict = service.bulk.signer.verify(path, query, service.bulk.now());
  if (verdict !== 'valid') return refuse(exchange, 'invalid-credentials', REFUSALS[verdict]);
  const { dataset_id = '', half = '', code = '' } = pathValues;
  const file = await service.bulk.find(serving.dataset, dataset_id, half, code);
  if (file === null) return refuse(exchange, 'not-found', GONE);
  const name = `${half}-${code}.parquet`;
  return sendFile(exchange, file, { name, goneText: GONE });
}

const DATASET_NAME = /^[\w.-]{1,64}$/;
const MAP_GONE = 'There is no map of this dataset here.';
const MAP_NOT_FREE =
  'The whole map can be downloaded only where calls are free: it holds more than the bulk files that this server sells.';

/** Answers with the map of a dataset as one file, or a range of it. */
export async function wholeMap(exchange: Exchange): Promise<Reply> {
  const { service, pathValues } = exchange;
  if (service.billing !== null) return refuse(exchange, 'not-implemented', MAP_NOT_FREE);
  const id = pathValues.dataset_id ?? '';
  const namedDataset = DATASET_NAME.test(id) ? await service.datasets.named(id, clientOf(exchange)) : null;
  if (namedDataset !== null) exchange.answerFrom(namedDataset);
  const file = namedDataset?.dataset.map?.whole() ?? null;
  if (file === null) return refuse(exchange, 'not-found', MAP_GONE);
  const name = `${id}.pmtiles`;
  return sendFile(exchange, file, { name, goneText: MAP_GONE });
}

/** How a file is sent. */
interface Sending {
  /** The file name for the browser. */
  name: string;
  /** The `detail` of the 404 for a missing file. */
  goneText: string;
}

/**
 * Longest answer without a download slot, bytes. The socket buffer of the system takes it at once, even for a slow
 * client. Readers of PMTiles and Parquet request many short ranges.
 */
export const LONGEST_WITHOUT_SLOT = 64 << 10;

/** The refusal for a download that gets no slot. */
const NO_SLOT: Readonly<Record<NoSlot, [kind: 'rate-limited' | 'unavailable', detail: string]>> = {
  client: [
    'rate-limited',
    'This client has as many downloads under way as one client may have. Try again when one of them has ended.',
  ],
  all: ['unavailable', 'As many downloads are under way as the server allows. Try again a little later.'],
};

/** Takes a download slot; returns a refusal when none is free. */
async function takeSlot(exchange: Exchange): Promise<Slot | Reply> {
  const slot = await exchange.service.downloads.take(clientByAddress(exchange.request, exchange.service).countedAs);
  return typeof slot === 'string' ? refuse(exchange, ...NO_SLOT[slot]) : slot;
}

/**
 * Sends a long reply that is in memory only for this client, such as a tile without gzip. It takes a download slot
 * until it is sent. Otherwise slow clients could hold any number of such replies.
 */
export async function inSlot(exchange: Exchange, reply: Reply): Promise<Reply> {
  const slot = await takeSlot(exchange);
  if ('status' in slot) return slot;
  exchange.response.once('close', slot.leave);
  if (exchange.response.destroyed) slot.leave();
  return reply;
}

/** Sends a file, or a range of it. A long answer takes a download slot until it is sent; without a free one it is refused. */
async function sendFile(exchange: Exchange, file: BulkFile, { name, goneText }: Sending): Promise<Reply> {
  const { request, route } = exchange;
  const tag = `"${file.sha256}"`;
  const headers = ['ETag', tag, 'Cache-Control', CACHE_CONTROL[route.cache], 'Accept-Ranges', 'bytes'];
  const cachedTags = request.headers['if-none-match'];
  if (cachedTags !== undefined && matchesTag(cachedTags, tag)) return { status: 304, headers, body: null, cost: 0 };

  const range = requestedRange(request, file, tag);
  if (range === 'unsatisfiable') return refuseRange(exchange, file, tag);
  const { start, end } = range ?? { start: 0, end: file.bytes - 1 };
  const length = end - start + 1;
  if (range !== null) headers.push('Content-Range', `bytes ${start}-${end}/${file.bytes}`);
  headers.push('Content-Type', mediaTypeOf(route.answer), 'Content-Length', String(length));
  headers.push('Content-Disposition', `attachment; filename="${name}"`);
  const reply: Reply = { status: range === null ? 200 : 206, headers, body: null, cost: 0 };
  const isHead = request.method === 'HEAD';
  const isLong = !isHead && length > LONGEST_WITHOUT_SLOT;
  const slotOrRefusal = isLong ? await takeSlot(exchange) : null;
  if (slotOrRefusal !== null && 'status' in slotOrRefusal) return slotOrRefusal;
  const slot = slotOrRefusal;
  const handle = await openOrLeave(file, slot);
  if (handle === null) return refuse(exchange, 'not-found', goneText);
  const release = (): void => {
    handle.close();
    slot?.leave();
  };
  if (isLong) {
    reply.stream = { pieces: handle.stream(start, end + 1), end: release };
    return reply;
  }
  try {
    if (!isHead) reply.body = handle.read(start, end + 1);
  } finally {
    release();
  }
  return reply;
}

/** The bytes of a file that a request wants; null: the whole file; `unsatisfiable`: the range is not in the file. */
function requestedRange(request: IncomingMessage, { bytes }: BulkFile, tag: string) {
  const rangeTag = request.headers['if-range'];
  // Only GET has ranges (RFC 9110, 14.2).
  const mayHaveRange = request.method === 'GET' && (rangeTag === undefined || rangeTag === tag);
  return byteRange(mayHaveRange ? request.headers.range : undefined, bytes);
}

/** The 416 for a range that is not in the file. */
function refuseRange(exchange: Exchange, { bytes }: BulkFile, tag: string): Reply {
  const detail = `The range starts behind the end of the file: it has ${bytes} bytes.`;
  const reply = refuse(exchange, 'range-not-satisfiable', detail);
  reply.headers.push('Content-Range', `bytes */${bytes}`, 'ETag', tag, 'Accept-Ranges', 'bytes');
  return reply;
}

/**
 * Opens a file; null when it is gone: an older dataset may be deleted while its URLs are still valid. Releases the
 * slot when the file cannot be opened.
 */
async function openOrLeave(file: BulkFile, slot: Slot | null): Promise<Awaited<ReturnType<BulkFile['open']>> | null> {
  let opened = null;
  try {
    opened = await file.open().catch(nullIfMissing);
    return opened;
  } finally {
    if (opened === null) slot?.leave();
  }
}
