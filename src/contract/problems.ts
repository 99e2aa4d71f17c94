import type { Static } from 'typebox';
import { PaymentMethod } from './pricing.ts';
import { Text, Type, Whole } from './schema.ts';

/** A kind of problem. It has a page at `/problems/<kind>/`. */
interface ProblemKind {
  status: number;
  title: string;
  /** When it occurs. */
  when: string;
  /** Advice for the caller. */
  remedy: string;
}

/** All problem kinds, in order of status. The key is the last part of `type`. */
export const PROBLEM_KINDS = {
  'invalid-parameter': {
    status: 400,
    title: 'Invalid parameter',
    when:
      'A path or query parameter is missing, empty, repeated, unknown, of the wrong type, out of range, or does not ' +
      'match its pattern; the URL is not properly percent-encoded; the request could not be read as HTTP; or, where ' +
      'calls have to be paid, `PAYMENT-SIGNATURE` is not a payment.',
    remedy:
      '`errors` lists up to ten violations with the name of the parameter and what is expected. Correct them all and ' +
      'send the request again. Repeating it unchanged gives the same answer.',
  },
  'invalid-credentials': {
    status: 401,
    title: 'Invalid credentials',
    when:
      'The key in the `Authorization` header is unknown, revoked or expired, or the header is malformed; or the signature ' +
      'of a download URL is wrong or has expired.',
    remedy:
      'Send a valid key as `Authorization: Bearer <key>`, or leave the header out: no key is needed. For a download, ' +
      'ask the bulk operation for a new URL.',
  },
  'payment-required': {
    status: 402,
    title: 'Payment required',
    when: 'Billing is switched on, and the call is not paid or its payment was refused: `detail` says why. A missing resource is 404, paid or not.',
    remedy:
      'Pay by one of `payment_methods` and send the request again; `pricing_url` explains the prices. Clients of x402 find ' +
      'the same in `PAYMENT-REQUIRED`.',
  },
  'not-found': {
    status: 404,
    title: 'Not found',
    when: 'There is no such path, no such building, town, ward, facility or municipality, or no such page of a list.',
    remedy:
      'Check the path and the identifier. Identifiers come from the lists `/sunlight/towns.json` and ' +
      '`/kaigo/municipalities.json` and from the `near` operations; `page_count` says how many pages a list has.',
  },
  'method-not-allowed': {
    status: 405,
    title: 'Method not allowed',
    when: 'The method is not GET, HEAD or OPTIONS. The service is read-only.',
    remedy: 'Use one of the methods in the `Allow` header.',
  },
  'range-not-satisfiable': {
    status: 416,
    title: 'Range not satisfiable',
    when: 'The range of a download starts after the end of the file.',
    remedy: '`Content-Range` says how long the file is. Request a range within it, or leave `Range` out.',
  },
  'rate-limited': {
    status: 429,
    title: 'Too many requests',
    when:
      'The client has used up its requests of the last minute; every request under `/api/` counts. Or an API key has used ' +
      'up the cost units of its day, or has fewer left than the call costs. Or it has the maximum number of running downloads.',
    remedy:
      'Wait as many seconds as `Retry-After` says. `RateLimit` says how many are left, with every answer that is not `public`.',
  },
  'internal-error': {
    status: 500,
    title: 'Internal error',
    when: 'The service failed. It is not the fault of the request.',
    remedy:
      'Try again later. If it happens again, report the `X-Request-Id` of the answer, with which the operator finds the entry in the log.',
  },
  'not-implemented': {
    status: 501,
    title: 'Not implemented',
    when: 'The operation is part of the interface but is not offered by this server.',
    remedy: 'Use another operation; `near` returns the buildings around a point.',
  },
  unavailable: {
    status: 503,
    title: 'Temporarily unavailable',
    when: 'This half of the data is not loaded, the server is shutting down or busy, or a service that it needs is down.',
    remedy:
      'Wait as many seconds as `Retry-After` says and try again. If you sent a payment, send the same one again, not a new one.',
  },
} as const satisfies Record<string, ProblemKind>;

export type ProblemName = keyof typeof PROBLEM_KINDS;

/** The names in the order of the table. */
export const PROBLEM_NAMES = Object.keys(PROBLEM_KINDS) as ProblemName[];

/** The problem kind of a status; undefined for a status without one. No two kinds share a status. */
export function problemOfStatus(status: number): ProblemName | undefined {
  return PROBLEM_NAMES.find((name) => PROBLEM_KINDS[name].status === status);
}

/** The `type` of a problem: a URI that opens as a page. */
export function problemType(siteUrl: string, kind: ProblemName): string {
  return `${siteUrl}/problems/${kind}/`;
}

const Violation = Type.Object({
  parameter: Text('Name of the parameter.', 'lat'),
  detail: Text('What was found and what would be right.', 'lat must be from $south to $north, but is 51.5.'),
});

/** The body of every failure (RFC 9457). */
export const Problem = Type.Object(
  {
    type: Type.String({
      format: 'uri',
      description: 'URI of the problem kind, `{site_url}/problems/<kind>/`; it opens as a page.',
      examples: ['https://hidamari.example/problems/invalid-parameter/'],
    }),
    title: Text('Name of the problem kind.', 'Invalid parameter'),
    status: Whole('The HTTP status.', 400, 400, 599),
    detail: Text(
      'What was wrong with this request and what would be right.',
      'lat must be from $south to $north, but is 51.5.',
    ),
    instance: Type.String({
      format: 'uri-reference',
      description: 'The path and query that failed.',
      examples: ['/api/v1/sunlight/near?lat=51.5&lon=$lon'],
    }),
    errors: Type.Optional(
      Type.Array(Violation, {
        description: 'Only with 400: the first violations, at most ten; `detail` says how many more there are.',
      }),
    ),
    payment_methods: Type.Optional(Type.Array(PaymentMethod, { description: 'Only with 402: how to pay.' })),
    pricing_url: Type.Optional(
      Type.String({
        format: 'uri',
        description: 'Only with 402: the page that explains the prices.',
        examples: ['https://hidamari.example/pricing/'],
      }),
    ),
  },
  { title: 'Problem', description: 'A failure (RFC 9457).' },
);
export type Problem = Static<typeof Problem>;
export type Violation = Static<typeof Violation>;

/** Limit of the violations that a refusal lists. */
const MOST_LISTED = 10;
/** Limit of the bytes of their JSON: a refusal has them in `errors` and in `detail`, and stays below 8 kB. */
const MOST_BYTES = 2000;

const utf8 = new TextEncoder();

/**
 * The violations of a request: the first ones, each once, and the number of the others. Their size is bounded for any
 * input.
 */
export class Violations {
  readonly listed: Violation[] = [];
  #unlisted = 0;
  #bytes = 0;

  /** One violation. */
  static of({ parameter, detail }: Violation): Violations {
    const violations = new Violations();
    violations.add(parameter, () => detail);
    return violations;
  }

  get isEmpty(): boolean {
    return this.listed.length === 0;
  }

  /**
   * Adds a violation. One that is listed already is passed over; one that is over a limit is only counted.
   * @param makeDetail makes its text. It is not called once the list is full, because a suggestion takes time.
   */
  add(parameter: string, makeDetail: () => string): void {
    if (this.#unlisted > 0 || this.listed.length === MOST_LISTED) {
      this.#unlisted++;
      return;
    }
    const violation = { parameter, detail: makeDetail() };
    const isListed = this.listed.some((one) => one.parameter === parameter && one.detail === violation.detail);
    if (isListed) return;
    this.#bytes += utf8.encode(JSON.stringify(violation)).length;
    if (this.listed.length > 0 && this.#bytes > MOST_BYTES) this.#unlisted++;
    else this.listed.push(violation);
  }

  /** The listed violations as one text, with the number of the others. */
  toString(): string {
    const rest = this.#unlisted === 0 ? [] : [`${this.#unlisted} more things are wrong.`];
    return [...this.listed.map(({ detail }) => detail), ...rest].join(' ');
  }
}

/** A problem kind as its page and the page's JSON describe it; null for an unknown kind. */
export function problemPage(kind: string, siteUrl: string): ({ kind: string; type: string } & ProblemKind) | null {
  const name = PROBLEM_NAMES.find((candidate) => candidate === kind);
  if (name === undefined) return null;
  const { status, title, when, remedy } = PROBLEM_KINDS[name];
  return { kind: name, type: problemType(siteUrl, name), status, title, when, remedy };
}

/** All problem kinds, in order of status. */
export function problemPages(siteUrl: string): ({ kind: string; type: string } & ProblemKind)[] {
  return PROBLEM_NAMES.flatMap((name) => problemPage(name, siteUrl) ?? []);
}
