import { byteRange, matchesTag } from '../http/conditional.ts';

import type { Exchange } from './exchange.ts';
import { type Reply, refuse } from './reply.ts';

const PARQUET = 'application/vnd.apache.parquet';

const REFUSALS = {
  forged: 'The signature of this URL does not verify. Ask the bulk operation for a URL and use it unchanged.',
  expired: 'This URL has expired. Ask the bulk operation for a new one.',
};

const GONE = 'This file belongs to a dataset that is no longer here. Ask the bulk operation for a new URL.';

/** The file behind a signed URL, whole or one range of it. */
export async function download(exchange: Exchange): Promise<Reply> {
  const { service, path, query, pathValues, request, serving } = exchange;
  const verdict = service.bulk.signer.verify(path, query, service.bulk.now());
  if (verdict !== 'valid') return refuse(exchange, 'invalid-credentials', REFUSALS[verdict]);
  const { dataset_id = '', half = '', code = '' } = pathValues;
  const file = await service.bulk.find(serving.dataset, dataset_id, half, code);
  if (file === null) return refuse(exchange, 'not-found', GONE);
  const tag = `"${file.sha256}"`;
  const headers = ['ETag', tag, 'Cache-Control', 'no-store', 'Accept-Ranges', 'bytes'];
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
  headers.push('Content-Type', PARQUET, 'Content-Length', String(end - start + 1));
  headers.push('Content-Disposition', `attachment; filename="${half}-${code}.parquet"`);
  const reply: Reply = { status: range === null ? 200 : 206, headers, body: null, cost: 0 };
  const handle = await file.open().catch(absentAsNull);
  if (handle === null) return refuse(exchange, 'not-found', GONE);
  if (request.method === 'HEAD') handle.close();
  else reply.stream = () => closing(handle, handle.stream(start, end + 1));
  return reply;
}

/** Gives the pieces and closes the file after the last, or when nobody wants more. */
async function* closing(file: { close(): void }, pieces: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  try {
    yield* pieces;
  } finally {
    file.close();
  }
}

/** An older dataset may have been deleted while its URLs still work. */
function absentAsNull(error: NodeJS.ErrnoException): null {
  if (error.code === 'ENOENT') return null;
  throw error;
}
