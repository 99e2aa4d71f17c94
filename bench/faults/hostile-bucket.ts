import { once } from 'node:events';
import { existsSync, readFileSync } from 'node:fs';
import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { listFiles } from '../../src/formats/files.ts';
import { type Manifest, readManifest, sealedText } from '../../src/snapshot/manifest.ts';
import { memory } from '../serving/process-figures.ts';
import { startServer } from '../serving/server.ts';
import { hour } from './copies.ts';
import type { Fault } from './fault.ts';

const ID = '0123456789abcdef';
/** Duration of each trick. The server polls the bucket every second. */
const TRICK_MS = 4000;
const RECOVERY_LIMIT_MS = 30_000;
/** A manifest may have 32 MiB. The server holds it as bytes, text and values. */
const MOST_MORE_MB = 150;

/** What the bucket changes in its content and its answers; it answers correctly where a member is absent. */
interface Trick {
  name: string;
  /** Changed members of the manifest of the newer dataset. */
  manifest?: Partial<Record<keyof Manifest, unknown>>;
  /** Names of additional folders in the listing of the bucket. */
  folders?: string[];
  list?(response: ServerResponse): void;
  /** @param object name within the newer dataset's folder */
  file?(object: string, response: ServerResponse): boolean;
}

const TRICKS: readonly Trick[] = [
  { name: 'a list without an end', list: (response) => endless(response) },
  { name: 'a list that is no XML', list: (response) => response.end('{"a":1}') },
  { name: 'a list with names that lead elsewhere', folders: ['../../etc/', 'x\r\ny/', '..%2f..%2f/', '%00/'] },
  { name: 'an ID with a line break', manifest: { dataset_id: 'x\r\nset-cookie: a=b' } },
  { name: 'an ID that is a path', manifest: { dataset_id: '../../x' } },
  { name: 'a time with a line break', manifest: { generated_at: '2026-01-01T00:00:00Z\r\nx: y' } },
  { name: 'a file outside the dataset', manifest: { files: { '../x': { bytes: 1, sha256: '0'.repeat(64) } } } },
  { name: 'a manifest without an end', file: onManifest((response) => endless(response)) },
  { name: 'a manifest that drips', file: onManifest((response) => response.writeHead(200, { 'content-length': 999 })) },
  { name: 'a manifest that is cut', file: onManifest((response) => response.destroy()) },
  { name: 'a manifest of no form', file: onManifest((response) => response.end('[]')) },
  { name: 'files without an end', file: onFiles((response) => endless(response)) },
  { name: 'files with other bytes', file: onFiles((response) => response.end('other bytes')) },
  { name: 'files that are refused', file: onFiles((response) => endless(response.writeHead(403))) },
];

/**
 * A server reads from a bucket that an attacker controls. The bucket offers a newer dataset and plays one trick with
 * it; the server must keep serving its own dataset. At the end the bucket offers a correct dataset, and the server must
 * switch to it.
 */
export const hostileBucket: Fault = async (folder, dataset) => {
  const good = await readManifest(dataset);
  let trick: Trick | null = null;
  /** The server must first load the dataset that it will keep serving. */
  let offersNewer = false;
  const newer = (): string => {
    const { seal: _, ...members } = good;
    return sealedText({ ...members, dataset_id: ID, generated_at: hour(24 * 365 * 10), ...trick?.manifest }, null);
  };
  const bucket = createServer(({ url = '' }, response) => {
    response.on('error', () => {});
    const { searchParams, pathname } = new URL(url, 'http://bucket');
    if (searchParams.has('list-type')) {
      if (trick?.list !== undefined) return trick.list(response);
      const names = [`${good.dataset_id}/`, ...(offersNewer ? [`${ID}/`] : []), ...(trick?.folders ?? [])];
      const prefixes = names.map((name) => `<Prefix>datasets/${encodeURIComponent(name)}</Prefix>`);
      return response.end(`<ListBucketResult>${prefixes.join('')}</ListBucketResult>`);
    }
    const [id = '', ...rest] = decodeURIComponent(pathname.split('/datasets/')[1] ?? '').split('/');
    const object = rest.join('/');
    if (id === ID && trick?.file?.(object, response)) return;
    const isManifest = id === ID && object === 'manifest.json';
    const path = join(dataset, object);
    if (!isManifest && (object.includes('..') || !existsSync(path))) return response.writeHead(404).end();
    const body = isManifest ? Buffer.from(newer()) : readFileSync(path);
    response.setHeader('content-length', body.length).end(body);
  }).listen(0, '127.0.0.1');
  await once(bucket, 'listening');
  const env = {
    HIDAMARI_S3_ENDPOINT: `http://127.0.0.1:${(bucket.address() as AddressInfo).port}`,
    HIDAMARI_S3_ACCESS_KEY: 'a',
    HIDAMARI_S3_SECRET_KEY: 's',
  };
  const copies = join(folder, 'copies');
  const args = ['--data', 's3://bucket', '--copies', copies, '--refresh', '1', '--purge-tags', 'cache-tag'];
  const server = await startServer([...args, '--log-level', 'silent'], { env });
  const served = async (): Promise<string> =>
    ((await (await fetch(`${server.url}/readyz`)).json()) as { dataset_id: string }).dataset_id;
  const before = memory(server.pid).ownMb;
  const wrong: string[] = [];
  let mostMb = 0;
  for (trick of TRICKS) {
    offersNewer = trick.manifest !== undefined || trick.file !== undefined;
    for (const end = performance.now() + TRICK_MS; performance.now() < end; await delay(250)) {
      const id = await served().catch((error) => String(error));
      if (id !== good.dataset_id) wrong.push(`${trick.name}: ${id} is served`);
      mostMb = Math.max(mostMb, memory(server.pid).ownMb - before);
    }
  }
  for (const name of await listFiles(folder)) {
    if (!name.startsWith('copies/')) wrong.push(`the server wrote ${name}`);
  }
  trick = null;
  offersNewer = true;
  const start = performance.now();
  while ((await served()) !== ID && performance.now() < start + RECOVERY_LIMIT_MS) await delay(50);
  const recoveryMs = performance.now() - start;
  if ((await served()) !== ID) wrong.push('a whole newer dataset was not taken afterwards');
  if (mostMb > MOST_MORE_MB) wrong.push(`${mostMb.toFixed(0)} MB more`);
  const code = await server.stop();
  if (code !== 0) wrong.push(`the server ended with ${code}`);
  bucket.close().closeAllConnections();
  for (const line of wrong) console.error(line);
  return {
    fault: 'a bucket of a stranger: lists, manifests and files without an end, of no form, or that lead elsewhere',
    tried: TRICKS.length,
    lost: wrong.length,
    outcome: `the server went on with the dataset it had, ${mostMb.toFixed(0)} MB more at most, and took the next whole one`,
    recoveryMs,
  };
};

/** Writes as long as the client reads. */
function endless(response: ServerResponse): void {
  const chunk = Buffer.alloc(2 ** 16, ' ');
  const more = (): void => {
    while (!response.destroyed && response.write(chunk));
    if (!response.destroyed) response.once('drain', more);
  };
  more();
}

function onManifest(answer: (response: ServerResponse) => unknown) {
  return (object: string, response: ServerResponse): boolean => {
    if (object === 'manifest.json') answer(response);
    return object === 'manifest.json';
  };
}

function onFiles(answer: (response: ServerResponse) => unknown) {
  return (object: string, response: ServerResponse): boolean => {
    if (object !== 'manifest.json') answer(response);
    return object !== 'manifest.json';
  };
}
