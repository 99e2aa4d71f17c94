import type { Static } from 'typebox';
import type { Operation } from './operation.ts';
import { inPath, inQuery, type Parameter } from './parameter.ts';
import { Pricing } from './pricing.ts';
import { PROBLEM_NAMES } from './problems.ts';
import { openEnum, orNull, Text, Type } from './schema.ts';

const Landing = Type.Object(
  {
    name: Text('Name of the service.', 'Hidamari'),
    description: Text('What it does.', 'Direct sun on buildings, floor by floor.'),
    urls: Type.Array(
      Type.Object({
        summary: Text('What it shows.', 'List of all towns'),
        url: Type.String({
          format: 'uri',
          description: 'A URL to try.',
          examples: ['https://hidamari.example/sunlight/towns.json'],
        }),
      }),
      { description: 'URLs to try; they work with the data that is loaded.' },
    ),
  },
  { title: 'Landing', description: 'The way in.' },
);
export type Landing = Static<typeof Landing>;

const ProblemPage = Type.Object(
  {
    kind: openEnum<string>(PROBLEM_NAMES, 'Name of the kind.'),
    type: Type.String({
      format: 'uri',
      description: 'The `type` of such a problem.',
      examples: ['https://hidamari.example/problems/not-found/'],
    }),
    status: Type.Integer({ description: 'Its HTTP status.', examples: [404] }),
    title: Text('Its title.', 'Not found'),
    when: Text('When it is given (Markdown).', 'There is no such route.'),
    remedy: Text('What to do (Markdown).', 'Check the path.'),
  },
  { title: 'ProblemPage', description: 'What a problem kind means.' },
);

const ProblemList = Type.Object(
  { problems: Type.Array(ProblemPage, { description: 'Every problem kind, in order of status.' }) },
  { title: 'ProblemList', description: 'The problem kinds.' },
);

const Health = Type.Object(
  { status: Text('`ok` while the process answers.', 'ok') },
  { title: 'Health', description: 'The process is alive.' },
);

const Readiness = Type.Object(
  {
    status: Text('`ready` while requests are welcome.', 'ready'),
    dataset_id: Text('The dataset that is served.', '0f3a9c'),
    halves: Type.Array(Type.String({ examples: ['sunlight'] }), { description: 'The halves that it holds.' }),
  },
  { title: 'Readiness', description: 'The server takes requests.' },
);

const InputFile = Type.Object(
  {
    file: Text('Name of the file.', 'offices/jigyosho_510.csv'),
    sha256: Text(
      'SHA-256 of the file as it was read, hexadecimal.',
      '9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08',
    ),
    url: orNull(
      Type.String({
        description: 'Where the publisher has it, or the zip it lay in.',
        examples: ['https://www.mhlw.go.jp/content/12300000/jigyosho_510.csv'],
      }),
      'the file was not fetched by this program',
    ),
    edition: orNull(Text('Year and specification of a city model, day of a list.', '2025-12-31'), 'not known'),
    fetched_at: orNull(
      Type.String({ format: 'date-time', description: 'When it was fetched.', examples: ['2026-01-05T03:00:00Z'] }),
      'the file was not fetched by this program',
    ),
    zip_sha256: Type.Optional(
      Text(
        'SHA-256 of the zip, only where the file lay in one that was fetched.',
        '9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08',
      ),
    ),
  },
  { title: 'InputFile', description: 'A file that the dataset was made from.' },
);

const InputList = Type.Object(
  { inputs: Type.Array(InputFile, { description: 'Every file that was read, in order of name.' }) },
  { title: 'InputList', description: 'What the dataset was made from.' },
);

const JsonSchema = Type.Object({}, { title: 'JsonSchema', description: 'A JSON Schema (draft 2020-12).' });
const OpenApi = Type.Object(
  { openapi: Text('Version of OpenAPI.', '3.1.1') },
  { title: 'OpenApi', description: 'An OpenAPI description.' },
);

const kind = inPath('kind', Type.String(), 'Name of the problem kind.', 'not-found');

/** The parameters of a signed URL. */
const signature = [
  inPath('dataset_id', Type.String(), 'The dataset that the file belongs to.', '$dataset_id'),
  inPath('half', Type.String(), '`sunlight` or `kaigo`.', 'sunlight'),
  inPath('code', Type.String(), 'Code of the ward or the prefecture.', '$code'),
  { ...inQuery('expires', Type.String(), 'When the URL expires, seconds since 1970.', '1767225600'), required: true },
  { ...inQuery('key', Type.String(), 'The key of the server that signed it.', 'Gk2Qd0'), required: true },
  {
    ...inQuery(
      'signature',
      Type.String(),
      'HMAC-SHA256 over path, expiry and key, base64url.',
      'n4bQgYhMfWWaL-qgxVrQFaO_TxsrC4Is0V1sFbDwCgg',
    ),
    required: true,
  },
] as const satisfies Parameter[];

/** What documents have in common. They are free. */
const DOCUMENT = { section: 'site', parameters: [], costUnits: 0 } as const;

export const landingDocument = {
  ...DOCUMENT,
  id: 'landing-json',
  path: '/index.json',
  summary: 'Landing page as JSON',
  description: 'The landing page for programs.',
  answer: { form: 'envelope', data: Landing },
  alwaysFinds: true,
} as const satisfies Operation;

export const openapiDocument = {
  ...DOCUMENT,
  id: 'openapi',
  path: '/openapi.json',
  summary: 'The OpenAPI description',
  description: 'OpenAPI 3.1.',
  answer: { form: 'json', mediaType: 'application/json', schema: OpenApi },
  alwaysFinds: true,
} as const satisfies Operation;

export const schemaDocument = {
  ...DOCUMENT,
  id: 'schema',
  path: '/schemas/{name}.json',
  summary: 'JSON Schema of an answer',
  description: 'Draft 2020-12, self-contained. `meta.schema_url` of an answer points here.',
  parameters: [inPath('name', Type.String(), 'Name of the operation, or `problem`.', 'sunlight-building')],
  answer: { form: 'json', mediaType: 'application/schema+json', schema: JsonSchema },
} as const satisfies Operation;

export const problemsDocument = {
  ...DOCUMENT,
  id: 'problems-json',
  path: '/problems/index.json',
  summary: 'Every problem kind, as JSON',
  description: 'Every problem kind, when it occurs and what to do.',
  answer: { form: 'envelope', data: ProblemList },
  alwaysFinds: true,
} as const satisfies Operation;

export const problemDocument = {
  ...DOCUMENT,
  id: 'problem-json',
  path: '/problems/{kind}/index.json',
  summary: 'What a problem kind means, as JSON',
  description: 'One problem kind, when it occurs and what to do.',
  parameters: [kind],
  answer: { form: 'envelope', data: ProblemPage },
} as const satisfies Operation;

export const pricingDocument = {
  ...DOCUMENT,
  id: 'pricing-json',
  path: '/pricing/index.json',
  summary: 'What calls cost and how to pay, as JSON',
  description: 'The prices, and what a payment needs.',
  answer: { form: 'envelope', data: Pricing },
  cache: 'no-store',
  alwaysFinds: true,
} as const satisfies Operation;

export const inputsDocument = {
  ...DOCUMENT,
  id: 'inputs',
  path: '/inputs.json',
  summary: 'The files that the dataset was made from',
  description: 'Every input file: its URL, edition, SHA-256 and time of download.',
  answer: { form: 'envelope', data: InputList },
  alwaysFinds: true,
} as const satisfies Operation;

export const bulkFile = {
  ...DOCUMENT,
  id: 'bulk-file',
  path: '/bulk/{dataset_id}/{half}/{code}.parquet',
  summary: 'Download of a bulk file',
  description:
    'The signed URL of a bulk operation. A single range of bytes is served with 206; several ranges return the whole file.',
  parameters: signature,
  answer: { form: 'other', mediaType: 'application/vnd.apache.parquet' },
  cache: 'no-store',
  statuses: [200, 206, 304, 400, 401, 404, 416, 429, 500, 503],
  examples: [],
} as const satisfies Operation;

export const healthDocument = {
  ...DOCUMENT,
  id: 'health',
  path: '/healthz',
  summary: 'Is the process alive',
  description: 'For a supervisor.',
  answer: { form: 'json', mediaType: 'application/json', schema: Health },
  cache: 'no-store',
  alwaysFinds: true,
} as const satisfies Operation;

export const readinessDocument = {
  ...DOCUMENT,
  id: 'readiness',
  path: '/readyz',
  summary: 'Does the server take requests',
  description: 'For a load balancer: 503 while the server shuts down.',
  answer: { form: 'json', mediaType: 'application/json', schema: Readiness },
  cache: 'no-store',
  statuses: [200, 400, 500, 503],
  alwaysFinds: true,
} as const satisfies Operation;

/**
 * Documents: everything that is served besides answers about buildings and facilities. They are free and have no rate
 * limit.
 */
export const DOCUMENTS = [
  landingDocument,
  openapiDocument,
  schemaDocument,
  problemsDocument,
  problemDocument,
  pricingDocument,
  inputsDocument,
  bulkFile,
  healthDocument,
  readinessDocument,
] as const;
