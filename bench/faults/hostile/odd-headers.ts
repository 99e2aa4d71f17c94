import type { Draw } from './draw.ts';
import { forwardedFor, oddCoding, oddRange, oddText } from './odd-texts.ts';

/** Headers, one per line, that may change only the coding of an answer. */
const HARMLESS: readonly ((draw: Draw) => string)[] = [
  (draw) => `Accept-Encoding: ${oddCoding(draw)}`,
  (draw) => `Accept-Encoding: ${draw.of(['gzip', 'br', 'gzip, deflate, br', 'identity'])}`,
  (draw) => `X-Forwarded-For: ${forwardedFor(draw)}`,
  (draw) => `X-Request-Id: ${oddText(draw).slice(0, 500)}`,
  (draw) => `User-Agent: ${draw.of(['', 'Mozilla/5.0', 'x'.repeat(6000), '() { :;}; /bin/true', 'a\tb', '\xff\xfe'])}`,
  (draw) => `Cookie: ${'a=b; '.repeat(draw.of([1, 100, 1000]))}`,
  (draw) =>
    `Accept: ${draw.of(['*/*', 'application/json', 'text/html;q=0', 'image/webp,*/*;q=0.1', ','.repeat(2000), ''])}`,
  (draw) => `Accept-Language: ${draw.of(['ja', 'en;q=NaN', '*', 'xx-'.repeat(500), ''])}`,
  (draw) => `Origin: ${draw.of(['null', 'https://evil.example', 'file://', oddText(draw).slice(0, 300)])}`,
  (draw) => `Referer: ${oddText(draw).slice(0, 3000)}`,
  () => 'X-Forwarded-Host: evil.example\r\nX-Forwarded-Proto: gopher\r\nForwarded: for=1.2.3.4;host=evil.example',
  () => 'X-HTTP-Method-Override: DELETE\r\nX-Original-URL: /admin\r\nX-Rewrite-URL: /metrics',
  () => 'Cache-Control: no-cache, no-store, max-age=-1\r\nPragma: no-cache',
  (draw) => `If-Modified-Since: ${draw.of(['Thu, 01 Jan 1970 00:00:00 GMT', 'Fri, 31 Dec 9999 23:59:59 GMT', 'x'])}`,
  (draw) =>
    `If-None-Match: ${Array.from({ length: draw.of([1, 10, 1000]) }, (_, i) => `${draw.of(['', 'W/'])}"${i}"`).join(', ')}`,
  () => 'TE: trailers, deflate;q=0.5\r\nVia: 1.1 a, 1.1 b\r\nMax-Forwards: 0\r\nPriority: u=9',
  (draw) => Array.from({ length: draw.of([5, 50, 400]) }, (_, i) => `X-${i}: ${i}`).join('\r\n'),
  (draw) => `${draw.of(['__proto__', 'constructor', 'x'.repeat(3000), '!#$%&|~'])}: 1`,
];

/** A few headers that may change only the coding of an answer; each name once. */
export function harmlessHeaders(draw: Draw): string[] {
  const lines = Array.from({ length: draw.of([0, 0, 1, 1, 2, 3]) }, () => draw.of(HARMLESS)(draw));
  const seen = new Set<string>();
  let bytes = 0;
  return lines.filter((line) => {
    const name = line.slice(0, line.indexOf(':')).toLowerCase();
    bytes += line.length;
    if (seen.has(name) || bytes > 10_000) return false;
    seen.add(name);
    return true;
  });
}

/** Headers that may change an answer, or cause a refusal. */
const HARMFUL: readonly ((draw: Draw) => string)[] = [
  (draw) => `Authorization: ${draw.of(['Bearer ', 'Basic ', 'bearer', '', 'Bearer  ', 'Digest '])}${oddText(draw)}`,
  (draw) => `Authorization: Bearer ${'A'.repeat(draw.of([1, 43, 8000]))}`,
  (draw) =>
    `Host: ${draw.of(['', 'evil.example', 'localhost:99999', 'a b', '[::1', '..', 'x'.repeat(5000), 'localhost@evil', '\xff'])}`,
  (draw) =>
    `If-None-Match: ${draw.of(['*', '"', 'W/', '"a', ',,,', 'W/"a", *', `"${'a'.repeat(9000)}"`, '"a",'.repeat(2500)])}`,
  (draw) => `If-Match: ${draw.of(['*', '"x"', ''])}`,
  (draw) => `If-Range: ${draw.of(['*', '"x"', 'W/"x"', 'Thu, 01 Jan 1970 00:00:00 GMT'])}\r\nRange: ${oddRange(draw)}`,
  (draw) => `Expect: ${draw.of(['100-continue', '200-ok', '100-continue, 100-continue', ''])}`,
  (draw) =>
    `PAYMENT-SIGNATURE: ${draw.of(['', 'e30=', '=', 'A'.repeat(9000), 'eyJ4NDAyVmVyc2lvbiI6MX0=', '[]', '%00'])}`,
  (draw) => `Connection: Upgrade\r\nUpgrade: ${draw.of(['websocket', 'h2c', 'TLS/1.0', 'x'])}\r\nHTTP2-Settings: AAA`,
  (draw) => `Connection: ${draw.of(['close', 'keep-alive, close', 'Host', 'Content-Length', ','.repeat(1000)])}`,
  (draw) => `Accept-Encoding: gzip\r\nAccept-Encoding: ${oddCoding(draw)}`,
  () => 'Authorization: Bearer a\r\nAuthorization: Bearer b',
  () => 'X-Forwarded-For: 1.2.3.4\r\nX-Forwarded-For: 5.6.7.8\r\nX-Forwarded-For: ',
  () => 'Host: localhost\r\nHost: evil.example',
];
export const harmfulHeaders = (draw: Draw): string[] =>
  Array.from({ length: draw.of([1, 1, 2]) }, () => draw.of(HARMFUL)(draw));

export function headersWithRange(draw: Draw): string[] {
  const condition = draw.is(0.2) ? [`If-Range: ${draw.of(['"x"', 'W/"x"', '*', ''])}`] : [];
  return [`Range: ${oddRange(draw)}`, ...condition];
}
