import type { TSchema } from 'typebox';
import { Type } from './schema.ts';

/** A header of an answer. */
export interface ResponseHeader {
  description: string;
  /** Absent: text. */
  schema?: TSchema;
  example: string;
  /** When an answer has it. */
  when: string;
  /** The statuses for which OpenAPI lists it; absent: all. */
  statuses?: readonly number[];
}

/** Caches may give public answers to other clients, so those do not have the limits of this client. */
const LIMITS_WHEN = 'under `/api/`, unless the limit is off; not with answers that are `public`';

/** The headers that the service sets. Headers of every HTTP server (Date, Content-Length …) are left out. */
export const RESPONSE_HEADERS = {
  'X-Cost-Units': {
    description: 'What the answer costs, in cost units.',
    schema: Type.Integer({ minimum: 0 }),
    example: '1',
    when: 'always; 0 for errors, 304, HEAD and pages',
  },
  'X-Request-Id': {
    description: "Identifies the request in the server's log; the client may send its own.",
    example: 'k3v9x1-2f',
    when: 'always',
  },
  'RateLimit-Policy': {
    description:
      'The limit: `q` requests in any `w` seconds (draft-ietf-httpapi-ratelimit-headers); `"key"` instead of ' +
      '`"default"` is the limit of an API key, and `"daily"` its cost units of a day of Japan.',
    example: '"default";q=20;w=60',
    when: LIMITS_WHEN,
  },
  RateLimit: {
    description:
      '`r` requests are left now; in `t` seconds one more request is allowed. Of ' +
      '`"daily"`, `r` cost units are left after this answer, and in `t` seconds the day ends.',
    example: '"default";r=19;t=60',
    when: LIMITS_WHEN,
  },
  'Retry-After': {
    description: 'Seconds after which a new attempt can succeed.',
    schema: Type.Integer({ minimum: 0 }),
    example: '42',
    when: 'with 429 and 503',
    statuses: [429, 503],
  },
  ETag: {
    description: 'Strong validator: made from the dataset, the request and the content coding.',
    example: '"mY2fW0c4kT5uHq3Z/sunlight-building/$building_id/identity"',
    when: 'with 200 and 304, except with `Cache-Control: no-store`, for example when calls have to be paid',
    statuses: [200, 304],
  },
  'Cache-Control': {
    description:
      '`public` (`private` where the request had `Authorization`) with a lifetime, for how long caches may give it out while ' +
      'they ask again, and for how long when the service cannot be reached (RFC 5861); or `no-store`.',
    example: 'public, max-age=300, stale-while-revalidate=300, stale-if-error=86400',
    when: 'always',
  },
  Link: {
    description:
      'The pages before and after this one (`rel="prev"`, `rel="next"`), of the same dataset: they name it by `dataset_id`.',
    example:
      '<https://hidamari.example/api/v1/sunlight/town/$town_code/buildings?page=2&dataset_id=$dataset_id>; rel="next"',
    when: 'with pages of a list that has more than one (and with operations that are deprecated)',
    statuses: [200],
  },
  Deprecation: {
    description:
      'Since when the operation is deprecated (RFC 9745); `Link` with `rel="deprecation"` names the replacement.',
    example: '@1798761600',
    when: 'with every answer, errors too, of operations that are deprecated',
  },
  Sunset: {
    description: 'When the operation ends (RFC 8594).',
    example: 'Thu, 01 Jul 2027 00:00:00 GMT',
    when: 'with every answer, errors too, of operations that are deprecated',
  },
  Vary: {
    description: 'The answer depends on `Accept-Encoding`.',
    example: 'Accept-Encoding',
    when: 'with 200 and 304',
    statuses: [200, 304],
  },
  'Content-Encoding': {
    description: '`gzip` or `br`, where the client accepts it and the answer is large enough.',
    example: 'gzip',
    when: 'with compressed answers',
    statuses: [200],
  },
  'Content-Range': {
    description: 'The bytes of the answer, and the size of the file.',
    example: 'bytes 0-1023/59908',
    when: 'with 206 and 416',
    statuses: [206, 416],
  },
  'Accept-Ranges': {
    description: 'The server accepts ranges of bytes.',
    example: 'bytes',
    when: 'with downloads',
    statuses: [206, 416],
  },
  'Content-Disposition': {
    description: 'File name for saving.',
    example: 'attachment; filename="sunlight-$ward_code.parquet"',
    when: 'with downloads',
    statuses: [206],
  },
  Allow: {
    description: 'The allowed methods.',
    example: 'GET, HEAD, OPTIONS',
    when: 'with 405 and with OPTIONS',
    statuses: [405],
  },
  'WWW-Authenticate': {
    description:
      'The scheme of the credentials; with `error="invalid_token"` where a key is unknown, revoked or expired (RFC 6750).',
    example: 'Bearer',
    when: 'with 401',
    statuses: [401],
  },
  'PAYMENT-REQUIRED': {
    description: 'The required payment: `PaymentRequired` of x402 version 2 as base64 of JSON.',
    example: 'eyJ4NDAyVmVyc2lvbiI6MiwiYWNjZXB0cyI6W119',
    when: 'with 402',
    statuses: [402],
  },
  'PAYMENT-RESPONSE': {
    description: 'Outcome of the payment: `SettlementResponse` of x402 version 2 as base64 of JSON.',
    example: 'eyJzdWNjZXNzIjp0cnVlfQ==',
    when: 'with 200 that was paid for, and with 402 when the payment could not be settled',
    statuses: [200, 402],
  },
  'X-Content-Type-Options': {
    description: 'Browsers must not guess the media type.',
    example: 'nosniff',
    when: 'always',
  },
  'Access-Control-Allow-Origin': {
    description: 'Every origin may read the answer.',
    example: '*',
    when: 'always',
  },
  'Access-Control-Expose-Headers': {
    description: 'The headers above, which scripts of other origins may read.',
    example: 'X-Cost-Units, X-Request-Id, RateLimit-Policy, RateLimit, Retry-After, ETag',
    when: 'always',
  },
} as const satisfies Record<string, ResponseHeader>;

export type ResponseHeaderName = keyof typeof RESPONSE_HEADERS;

/** Headers that scripts of other origins may read: all of the table, except those for the browser itself. */
export const EXPOSED_HEADERS: string = Object.keys(RESPONSE_HEADERS)
  .filter((name) => !name.startsWith('Access-Control-') && name !== 'X-Content-Type-Options')
  .join(', ');

/** The request headers that the service reads, with their effects. */
export const REQUEST_HEADERS = {
  Authorization: '`Bearer <key>`. No key is needed; credentials that do not verify are refused with 401.',
  'If-None-Match': 'ETags of answers that the client has, or `*`: when the answer is unchanged, 304 without a body.',
  Accept: 'Outside `/api/`, `text/html`: errors come as an HTML page.',
  'Accept-Encoding': '`br` and `gzip` are supported, with quality values.',
  'X-Request-Id': 'Becomes the ID of the request if it is 1 to 64 letters, digits, `.`, `_`, `-`.',
  'X-Forwarded-For': 'The address of the client; trusted only from proxies of the operator.',
  Range: 'One range of bytes, for downloads (`/bulk/…`); several ranges return the whole file.',
  'If-Range': 'With Range: serve the range only if the file still has this ETag.',
  'PAYMENT-SIGNATURE':
    'With billing: the payment, `PaymentPayload` of x402 version 2 as base64 of JSON. Otherwise ignored.',
} as const;
