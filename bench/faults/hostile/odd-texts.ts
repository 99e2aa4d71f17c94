import type { Draw } from './draw.ts';

/** Unexpected texts for a part of a URL, percent-encoded where necessary. */
const ODD: readonly string[] = [
  ...['', '%20', '.', '..', '...', '-', '_', '~', '*', '?', '&&', '=', ';', ':', '@', '!', "'", '(', ')', '$'],
  // Slashes and dots in other encodings.
  ...[
    '%2f',
    '%2F..%2F..%2F',
    '..%2f..%2fetc%2fpasswd',
    '%2e%2e/%2e%2e/',
    '%5c',
    '..%5c..%5c',
    '%252e%252e%252f',
    './.',
    '//',
  ],
  // Invalid UTF-8: cut, overlong, a surrogate, or above the last character.
  ...['%', '%4', '%zz', '%ff', '%80', '%c3', '%c0%af', '%e0%80%af', '%ed%a0%80', '%f4%90%80%80', '%fe%fe%ff%ff'],
  ...[
    '%00',
    'a%00b',
    '%0d%0aX-Injected:%201',
    '%0a',
    '%09',
    '%7f',
    '%1b%5b31m',
    '%EF%BB%BF',
    '%E2%80%AE',
    '%EF%BF%BF',
    '%F0%9F%8F%A0',
  ],
  // Invalid numbers, or numbers out of range.
  ...[
    'NaN',
    'Infinity',
    '-Infinity',
    '-0',
    '-1',
    '0',
    '00',
    '1e3',
    '1e309',
    '1e-400',
    '0x10',
    '0b1',
    '1_000',
    '+1',
    '.5',
    '5.',
    '1,5',
  ],
  ...[
    '9007199254740993',
    '4294967296',
    '2147483648',
    '-2147483649',
    '18446744073709551616',
    '9'.repeat(400),
    `0.${'0'.repeat(300)}1`,
    `1${'0'.repeat(308)}`,
  ],
  ...['%EF%BC%91%EF%BC%92', '%D9%A3', '%E4%B8%89', '%C2%BD', '%E2%85%A7', '%CC%81', 'e%CC%81%CC%81%CC%81'],
  // Names with a meaning in the programming languages of servers.
  ...[
    '__proto__',
    'constructor',
    'toString',
    'hasOwnProperty',
    'valueOf',
    'null',
    'undefined',
    'true',
    '[object%20Object]',
    '%5B%5D',
    '%7B%7D',
  ],
  ...[
    '%27%20OR%201=1--',
    '%3Cscript%3Ealert(1)%3C/script%3E',
    '$%7B7*7%7D',
    '%7B%7B7*7%7D%7D',
    '%24(id)',
    '%7Cid',
    'file:%2F%2F%2Fetc%2Fpasswd',
  ],
  // Texts that are long or have many parts.
  ...[
    'a'.repeat(300),
    'a'.repeat(8000),
    '%E3%81%82'.repeat(500),
    ','.repeat(3000),
    'a,'.repeat(2000),
    '-'.repeat(3000),
    `${'a'.repeat(5000)}!`,
  ],
  ...[
    '1'.repeat(3000),
    `13101-bldg-${'9'.repeat(30)}`,
    '13101-bldg-',
    '13101-BLDG-1',
    '99999-bldg-1',
    '13101-bldg-0',
    '13101-bldg--1',
    '131016',
    '131017',
    '13',
  ],
  ...['2026-02-30', '0000-00-00', '9999-12-31', '-2026-01-01', '2026-1-1', '10000-01-01', '12:00', '1899-12-31'],
];

/** Names of parameters that no operation has, or that every JavaScript object has. */
const STRANGE_NAMES: readonly string[] = [
  ...[
    '__proto__',
    'constructor',
    'toString',
    '__proto__[a]',
    'a[]',
    'a[b][c]',
    '',
    '%00',
    '%ff',
    'lat%20',
    'LAT',
    'callback',
    'jsonp',
    'debug',
  ],
  ...[
    'dataset_id',
    'page',
    'sort',
    'floor',
    'receptors',
    'r',
    'q',
    'ids',
    'utm_source',
    'x'.repeat(2000),
    '%E7%B7%AF%E5%BA%A6',
  ],
];

export const oddText = (draw: Draw): string => draw.of(ODD);
export const strangeName = (draw: Draw): string => draw.of(STRANGE_NAMES);

/** Changes a text in one place: doubles, drops, escapes or replaces a character, or inserts an odd text. */
export function changed(text: string, draw: Draw): string {
  const at = draw.below(text.length + 1);
  const [before, here, after] = [text.slice(0, at), text.slice(at, at + 1), text.slice(at + 1)];
  const escaped = `%${(here.charCodeAt(0) || 0x20).toString(16).padStart(2, '0')}`;
  return before + draw.of([here + here, '', escaped, escaped.toUpperCase(), oddText(draw), `/${here}`, '%2f']) + after;
}

const RANGES: readonly string[] = [
  ...[
    'bytes=0-0',
    'bytes=4-7',
    'bytes=-1',
    'bytes=-0',
    'bytes=0-',
    'bytes=7-4',
    'bytes=99999999999999999999-',
    'bytes=0-99999999999999999999',
  ],
  ...[
    'bytes=',
    'bytes=-',
    'bytes=a-b',
    'bytes= 0-0',
    'bytes=0 - 0',
    'Bytes=0-0',
    'items=0-0',
    'bytes 0-0',
    'bytes=0-0,0-0',
    'bytes=0-1,1-2,-1',
  ],
  ...['bytes=0x0-0x1', 'bytes=1e1-', 'bytes=-9223372036854775808', 'bytes=NaN-', 'bytes=0-0;q=1', '', ','],
  `bytes=${Array.from({ length: 1000 }, (_, i) => `${i}-${i}`).join()}`,
  `bytes=${Array.from({ length: 1000 }, () => '0-').join()}`,
  `bytes=${'9'.repeat(5000)}-`,
];
export const oddRange = (draw: Draw): string => draw.of(RANGES);

const ACCEPTED_CODINGS: readonly string[] = [
  ...[
    '',
    'identity',
    'gzip',
    'br',
    'gzip, br',
    'br;q=1.0, gzip;q=0.5',
    '*',
    '*;q=0',
    'identity;q=0',
    'identity;q=0, *;q=0',
    'br;q=NaN',
  ],
  ...[
    'gzip;q=1e9',
    'gzip;q=-1',
    'br;q=',
    'br;;;q=1;q=0',
    ',,,,',
    ';;;;',
    'x-gzip',
    'deflate, zstd',
    'GZIP',
    'br ; q = 1',
    'gzip;q=0.0000000001',
  ],
  `${'br,'.repeat(2000)}gzip`,
  `gzip;${'a=b;'.repeat(1500)}`,
  '__proto__, constructor',
];
export const oddCoding = (draw: Draw): string => draw.of(ACCEPTED_CODINGS);

const ADDRESSES: readonly string[] = [
  ...[
    '127.0.0.1',
    '::1',
    '10.0.0.1',
    '2001:db8::1',
    '[2001:db8::1]:443',
    '1.2.3.4:80',
    '::ffff:1.2.3.4',
    'fe80::1%eth0',
    'unknown',
    '_hidden',
  ],
  ...[
    '',
    ',',
    ',,,',
    '999.1.1.1',
    '1.2.3',
    '0x7f.1',
    'localhost',
    '1.2.3.4, 127.0.0.1',
    '127.0.0.1, 127.0.0.1',
    `${'1.2.3.4, '.repeat(1000)}5.6.7.8`,
  ],
];

/** The address of a client as a proxy sends it: malformed, or one of many valid ones. */
export const forwardedFor = (draw: Draw): string =>
  draw.is(0.3) ? draw.of(ADDRESSES) : `198.${draw.below(256)}.${draw.below(256)}.${draw.below(256)}`;
