import type { Draw } from './draw.ts';

const HELLO_OF_TLS = Buffer.from('160301020001000001fc0303', 'hex');

/**
 * Bytes that are not a valid request: another protocol, an ambiguous request, a cut request, or one that exceeds a
 * limit.
 */
export function brokenBytes(target: string, draw: Draw): Buffer {
  const made = draw.of([...FORMS, cutHead, cutBody, noise])(target, draw);
  return typeof made === 'string' ? Buffer.from(made, 'latin1') : made;
}

type Form = (target: string, draw: Draw) => string | Buffer;

const head = (target: string, ...lines: string[]): string =>
  [`POST ${target} HTTP/1.1`, 'Host: localhost', ...lines, '', ''].join('\r\n');
const HIDDEN = 'GET /healthz HTTP/1.1\r\nHost: localhost\r\n\r\n';

const cutHead: Form = (target, draw) => head(target, 'X-A: b').slice(0, draw.from(1, 30 + target.length));
const cutBody: Form = (target, draw) =>
  `${head(target, `Content-Length: ${draw.of(['10', '1000000', '9007199254740991'])}`)}${'a'.repeat(draw.below(10))}`;
const noise: Form = (_, draw) =>
  Buffer.from(Array.from({ length: draw.of([1, 10, 1000, 20_000]) }, () => draw.below(256)));

const FORMS: readonly Form[] = [
  // A length together with chunks, two lengths, or lengths that are not numbers.
  (target) => `${head(target, 'Content-Length: 6', 'Transfer-Encoding: chunked')}0\r\n\r\n${HIDDEN}`,
  (target) => `${head(target, 'Transfer-Encoding: chunked', 'Content-Length: 6')}0\r\n\r\n${HIDDEN}`,
  (target) => `${head(target, 'Content-Length: 5', 'Content-Length: 6')}hello${HIDDEN}`,
  (target, draw) =>
    `${head(target, `Content-Length: ${draw.of(['-1', '+5', '0x5', '5, 5', '5;5', '', '1e3', '99999999999999999999', 'a'])}`)}hello`,
  (target, draw) =>
    `${head(target, `Transfer-Encoding: ${draw.of(['xchunked', 'chunked, identity', 'gzip', 'identity', 'chunked,', '\x0bchunked', 'CHUNKED, chunked', ''])}`)}5\r\nhello\r\n0\r\n\r\n`,
  (target) => `${head(target, 'Transfer-Encoding: chunked', 'Transfer-Encoding: identity')}0\r\n\r\n${HIDDEN}`,
  (target) => `${head(target, 'Transfer-Encoding : chunked')}0\r\n\r\n${HIDDEN}`,
  // Invalid chunks.
  (target, draw) =>
    `${head(target, 'Transfer-Encoding: chunked')}${draw.of(['ffffffffffffffffff', '-1', 'zz', '0x5', '5 ', '', '5;'.padEnd(20_000, 'a'), '1'.repeat(300)])}\r\nhello\r\n0\r\n\r\n`,
  (target) => `${head(target, 'Transfer-Encoding: chunked')}2\r\nhello\r\n0\r\n\r\n${HIDDEN}`,
  (target) => `${head(target, 'Transfer-Encoding: chunked')}0\r\n${'T: x\r\n'.repeat(3000)}\r\n`,
  // Lines with invalid syntax.
  (target) => `GET ${target} HTTP/1.1\nHost: localhost\n\n`,
  (target) => `GET ${target} HTTP/1.1\rHost: localhost\r\r`,
  (target) => head(target, 'X-A: b', ' folded'),
  (target) => head(target, 'X-A: a\0b'),
  (target) => head(target, 'no colon'),
  (target) => head(target, ': no name'),
  (target) => head(target, 'X A: b'),
  (target) => head(target, 'Bad\xffName: b'),
  // Request lines with other words.
  (target) => `GET ${target} HTTP/9.9\r\nHost: localhost\r\n\r\n`,
  (target) => `GET ${target} HTTP/1.2\r\nHost: localhost\r\n\r\n`,
  (target) => `GET ${target} HTTP/1.0\r\n\r\n`,
  (target) => `GET ${target}\r\n\r\n`,
  (target) => `get ${target} HTTP/1.1\r\nHost: localhost\r\n\r\n`,
  (target) => `GET  ${target}  HTTP/1.1\r\nHost: localhost\r\n\r\n`,
  (target) => `${'A'.repeat(20_000)} ${target} HTTP/1.1\r\n\r\n`,
  (target) => `GET ${target}\xff\xfe HTTP/1.1\r\nHost: localhost\r\n\r\n`,
  (target) => `GET ${target}\0 HTTP/1.1\r\nHost: localhost\r\n\r\n`,
  (target) => `GET ${target}?${'a'.repeat(20_000)} HTTP/1.1\r\nHost: localhost\r\n\r\n`,
  (target) => head(target, `X-Long: ${'a'.repeat(20_000)}`),
  (target) => head(target, ...Array.from({ length: 1500 }, (_, i) => `X${i}: `)),
  () => 'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n\0\0\0\x04\0\0\0\0\0',
  () => 'CONNECT localhost:443 HTTP/1.1\r\nHost: localhost:443\r\n\r\nhello',
  () => HELLO_OF_TLS,
  () => '\r\n'.repeat(5000),
  () => 'HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n',
  () => ' ',
];
