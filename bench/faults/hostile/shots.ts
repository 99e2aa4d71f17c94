import { mediaTypeOf } from '../../../src/contract/operation.ts';
import { agentCall } from './agent-calls.ts';
import { brokenBytes } from './broken-bytes.ts';
import { Draw } from './draw.ts';
import { harmfulHeaders, harmlessHeaders, headersWithRange } from './odd-headers.ts';
import { changed, oddText, strangeName } from './odd-texts.ts';
import { ROUTES, strangeTarget, type Values } from './targets.ts';

/** A target and the answer of an idle server. */
export interface KnownTarget {
  target: string;
  status: number;
  /** Null when there is none. */
  etag: string | null;
  /** Hash of the content; null when it differs between calls. */
  digest: string | null;
}

/** A file behind a signed URL. */
export interface KnownFile {
  target: string;
  path: string;
  bytes: number;
}

/** The known facts about a server before the attack. */
export interface Known {
  values: Values;
  targets: readonly KnownTarget[];
  files: readonly KnownFile[];
}

/** A valid HTTP request, which must be answered. */
export interface Sound {
  method: string;
  target: string;
  bytes: Buffer;
  /** The expected answer. */
  expected: { known: KnownTarget; mayBeUnchanged: boolean } | { file: KnownFile } | null;
}

/** The bytes to send on one connection. */
export interface Shot {
  kind: Kind;
  /** In order of sending. */
  asked: readonly Sound[];
  /** The bytes after the requests, which are not a valid request. */
  tail: Buffer | null;
  /**
   * When the client ends the connection: after all answers; by closing its half after sending; or soon after sending.
   */
  ending: 'answered' | 'half' | 'early';
}

type Kind =
  | 'known'
  | 'table'
  | 'url'
  | 'headers'
  | 'body'
  | 'range'
  | 'agent'
  | 'forged'
  | 'drawing'
  | 'broken'
  | 'pipeline';

const KINDS: readonly (readonly [weight: number, kind: Kind])[] = [
  [28, 'known'],
  [18, 'table'],
  [10, 'url'],
  [8, 'headers'],
  [6, 'body'],
  [6, 'range'],
  [9, 'agent'],
  [4, 'forged'],
  [6, 'drawing'],
  [7, 'broken'],
  [2, 'pipeline'],
];

const METHODS = [
  'POST',
  'PUT',
  'DELETE',
  'PATCH',
  'OPTIONS',
  'TRACE',
  'PROPFIND',
  'PURGE',
  'LINK',
  'SEARCH',
  'M-SEARCH',
  'QUERY',
];
const DRAWN = ROUTES.filter(({ isTile, answer }) => isTile || mediaTypeOf(answer) === 'image/svg+xml');
/** Numbers of pipelined requests on one connection. Other clients must not wait for all their answers. */
const PIPELINES = [2, 3, 5, 10, 20, 100, 300];

/** The shot with a number. It depends only on the seed and the number, not on other shots. */
export function shotOf(seed: number, number: number, known: Known): Shot {
  const draw = new Draw(seed, number);
  const kind = draw.weighted(KINDS);
  if (kind === 'broken') return brokenShot(known, draw);
  if (kind !== 'pipeline') return shotAs(kind, [soundOf(kind, known, draw)], null, endingOf(draw));
  const kinds = draw.is(0.5)
    ? KINDS.filter(([, one]) => one !== 'broken' && one !== 'pipeline')
    : [[1, 'known'] as const];
  const asked = Array.from({ length: draw.of(PIPELINES) }, () => soundOf(draw.weighted(kinds), known, draw));
  const tail = draw.is(0.3) ? brokenBytes(draw.of(known.targets).target, draw) : null;
  return shotAs(kind, asked, tail, endingOf(draw));
}

/** Limit of Node.js for the first line and the headers of a request, minus a margin. */
const MOST_HEAD_BYTES = 16_000;
const TARGET = /^(\/|\*$|http:\/\/[^/?#]+)/;

/**
 * A shot in which the first request that is not valid becomes the tail; nothing follows it. Nothing follows a request
 * for an upgrade either, because Node.js drops the bytes that arrive together with it.
 */
function shotAs(kind: Kind, asked: readonly Sound[], tail: Buffer | null, ending: Shot['ending']): Shot {
  const isSound = ({ bytes, target }: Sound): boolean =>
    bytes.indexOf('\r\n\r\n') < MOST_HEAD_BYTES && TARGET.test(target);
  const bad = asked.findIndex((one) => !isSound(one));
  const last = asked.findIndex(({ bytes }) => /^upgrade:/im.test(bytes.toString('latin1', 0, MOST_HEAD_BYTES)));
  if (last >= 0 && (bad < 0 || last < bad)) return { kind, asked: asked.slice(0, last + 1), tail: null, ending };
  if (bad < 0) return { kind, asked, tail, ending };
  return { kind, asked: asked.slice(0, bad), tail: asked[bad]?.bytes ?? null, ending };
}

/** The same number of requests as in a shot, each with a known answer. */
export function ordinaryShot(seed: number, number: number, known: Known): Shot {
  const { kind, asked, tail } = shotOf(seed, number, known);
  const draw = new Draw(seed, number);
  const count = asked.length + (tail === null ? 0 : 1);
  const plain = Array.from({ length: count }, (): Sound => {
    const one = draw.of(known.targets);
    return soundRequest('GET', one.target, [], { known: one, mayBeUnchanged: false });
  });
  return { kind, asked: plain, tail: null, ending: 'answered' };
}

const endingOf = (draw: Draw): Shot['ending'] =>
  draw.weighted([
    [94, 'answered'],
    [3, 'half'],
    [3, 'early'],
  ]);

function brokenShot(known: Known, draw: Draw): Shot {
  const { target } = draw.of(known.targets);
  const asked = draw.is(0.3) ? [knownRequest(known, draw)] : [];
  return shotAs('broken', asked, brokenBytes(target, draw), draw.is(0.3) ? 'early' : 'answered');
}

function soundOf(kind: Kind, known: Known, draw: Draw): Sound {
  if (kind === 'table') return soundRequest(usualMethod(draw), strangeTarget(draw.of(ROUTES), known.values, draw), []);
  if (kind === 'drawing') return soundRequest('GET', strangeTarget(draw.of(DRAWN), known.values, draw), []);
  if (kind === 'url') return soundRequest(usualMethod(draw), strangePath(known, draw), harmlessHeaders(draw));
  if (kind === 'headers') return soundRequest('GET', draw.of(known.targets).target, harmfulHeaders(draw));
  if (kind === 'body') return requestWithBody(known, draw);
  if (kind === 'range') return rangeRequest(known, draw);
  if (kind === 'forged') return soundRequest(usualMethod(draw), forgedTarget(known, draw), harmlessHeaders(draw));
  if (kind === 'agent') return agentRequest(known, draw);
  return knownRequest(known, draw);
}

const usualMethod = (draw: Draw): string => draw.of(['GET', 'GET', 'GET', 'GET', 'HEAD', 'OPTIONS']);

/** A request with a known answer. It has headers that must not change the answer, or the ETag of the answer. */
function knownRequest({ targets }: Known, draw: Draw): Sound {
  const known = draw.of(targets);
  const hasTag = known.etag !== null && draw.is(0.1);
  const headers = harmlessHeaders(draw);
  if (hasTag) headers.push(`If-None-Match: ${'"x", '.repeat(draw.of([0, 1, 1000]))}${known.etag}`);
  return soundRequest(draw.is(0.1) ? 'HEAD' : 'GET', known.target, headers, { known, mayBeUnchanged: hasTag });
}

/** An unknown path: parts of known paths, odd texts, or other forms of a request target. */
function strangePath({ targets, values }: Known, draw: Draw): string {
  const { target } = draw.of(targets);
  const odd = (): string => oddText(draw);
  const [path = '/', query = ''] = target.split('?');
  return draw.weighted<() => string>([
    [4, () => changed(target, draw)],
    [2, () => changed(changed(changed(target, draw), draw), draw)],
    [2, () => `${path}/${odd()}?${query}`],
    [2, () => `/${odd()}${path}`],
    [2, () => `/api/v1/${odd()}/${odd()}`],
    [1, () => `/${'/'.repeat(draw.of([1, 2, 5000]))}${path}`],
    [1, () => `/${'../'.repeat(draw.of([1, 20, 1000]))}etc/passwd`],
    [1, () => [...path].map((c) => `%${c.charCodeAt(0).toString(16)}`).join('')],
    [1, () => `http://${draw.of(['evil.example', 'localhost', '[::1]:1', 'a:b@c', ''])}${target}`],
    [
      1,
      () =>
        draw.of([
          '*',
          '//',
          '/?',
          '/#',
          '/ja',
          '/ja/ja/',
          '/en',
          '/index.json?',
          '/.well-known/x',
          '/.git/config',
          '/..',
        ]),
    ],
    [1, () => `${target}#${odd()}`],
    [1, () => `${path}?${strangeName(draw)}=${odd()}&${query}`],
    [1, () => `${path}?${'a=1&'.repeat(draw.of([10, 3000]))}${query}`],
    [1, () => `${path}?${query}&${query}&${query}`],
    [1, () => `/assets/${odd()}`],
    [1, () => `/tiles/${draw.of(values.dataset_id ?? ['x'])}/${odd()}/${odd()}/${odd()}.mvt`],
  ])();
}

/** A request with a body to a route that accepts none, or none in this form. */
function requestWithBody({ targets }: Known, draw: Draw): Sound {
  const { target } = draw.of(targets);
  const method = draw.of([...METHODS, 'GET', 'HEAD']);
  const body = Buffer.alloc(
    draw.of([0, 1, 100, 5000, 70_000, 300_000]),
    draw.of(['{', '\0', 'a', '[', '\xff']),
    'latin1',
  );
  if (draw.is(0.5)) return withBody(method, target, harmlessHeaders(draw), body);
  const size = body.length === 0 ? [] : [`${body.length.toString(16)}\r\n`, body, '\r\n'];
  const chunked = Buffer.concat([...size, '0\r\n\r\n'].map((part) => Buffer.from(part)));
  const headers = [...harmlessHeaders(draw), 'Transfer-Encoding: chunked'];
  return { ...soundRequest(method, target, headers), bytes: Buffer.concat([headOf(method, target, headers), chunked]) };
}

/** A range of a file, or of a resource without ranges. */
function rangeRequest({ files, targets }: Known, draw: Draw): Sound {
  const headers = headersWithRange(draw);
  if (files.length === 0 || draw.is(0.2)) return soundRequest('GET', draw.of(targets).target, headers);
  const file = draw.of(files);
  return soundRequest(draw.is(0.1) ? 'HEAD' : 'GET', file.target, headers, { file });
}

/** A changed signed URL of a file. */
function forgedTarget({ files, values }: Known, draw: Draw): string {
  if (files.length === 0) return strangeTarget(draw.of(ROUTES), values, draw);
  const { target } = draw.of(files);
  const [path = '', query = ''] = target.split('?');
  const other = draw.of(files).target;
  return draw.of<() => string>([
    () => changed(target, draw),
    () => path,
    () => `${path}?${query}&${query}`,
    () => `${path}?${query}&x=1`,
    () => `${other.split('?')[0]}?${query}`,
    () => `${path}?${query.split('&').reverse().join('&')}`,
    () =>
      target.replace(
        /expires=\d+/,
        `expires=${draw.of(['0', '9999999999', '-1', '1e12', '99999999999999999999', oddText(draw)])}`,
      ),
    () =>
      target.replace(/signature=[^&]+/, `signature=${draw.of(['', 'A'.repeat(43), 'A'.repeat(8000), oddText(draw)])}`),
    () => target.replace(/key=[^&]+/, `key=${oddText(draw)}`),
    () => target.replace('/bulk/', draw.of(['/bulk//', '/bulk/../bulk/', '/bulk%2f', '/BULK/', '/./bulk/'])),
    () => target.replace('.parquet', draw.of(['', '.parquet/', '.PARQUET', '%2eparquet', '.parquet%00', '.mvt'])),
  ])();
}

function agentRequest({ values }: Known, draw: Draw): Sound {
  const { method, headers, body } = agentCall(values, draw);
  return withBody(method, '/mcp', headers, body);
}

const withBody = (method: string, target: string, headers: readonly string[], body: Buffer): Sound => {
  const all = [...headers, `Content-Length: ${body.length}`];
  return { ...soundRequest(method, target, all), bytes: Buffer.concat([headOf(method, target, all), body]) };
};

function soundRequest(
  method: string,
  target: string,
  headers: readonly string[],
  expected: Sound['expected'] = null,
): Sound {
  return { method, target, bytes: headOf(method, target, headers), expected };
}

/** Adds `Host` unless the headers have one. */
function headOf(method: string, target: string, headers: readonly string[]): Buffer {
  const host = headers.some((line) => /^host:/i.test(line)) ? [] : ['Host: localhost'];
  return Buffer.from([`${method} ${target} HTTP/1.1`, ...host, ...headers, '', ''].join('\r\n'), 'latin1');
}
