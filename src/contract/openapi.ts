import type { TSchema } from 'typebox';
import type { Contract } from './contract.ts';
import { RESPONSE_HEADERS, type ResponseHeader, type ResponseHeaderName } from './headers.ts';
import { mediaTypeOf, neverGiven, type Operation, SECTIONS, statusesOf } from './operation.ts';
import type { Parameter } from './parameter.ts';
import { commonValues, filled } from './place.ts';
import { PaymentMethod } from './pricing.ts';
import { PROBLEM_KINDS, PROBLEM_NAMES, type ProblemName, problemOfStatus, problemType } from './problems.ts';
import { type Keywords, keywordsOf, Type } from './schema.ts';
import { API_VERSION, answerSchema, DATA_LICENSE, exampleOf, splitNamedSchemas } from './schema-document.ts';

type Json = Record<string, unknown>;

/** Beginning of the references to schemas. */
const SCHEMAS = '#/components/schemas/';

/** The tag of the section sunlight outside Tokyo. */
const SUNLIGHT_ELSEWHERE = 'Direct sun on buildings.';

/** The `operationId` of an operation: its ID in camel case, `sunlightBuildingFull` for `sunlight-building-full`. */
export function operationId(operation: Operation): string {
  return operation.id.replace(/-(\w)/g, (_, letter: string) => letter.toUpperCase());
}

/**
 * The OpenAPI 3.1 description of a contract, for a server at `siteUrl`. HTML pages are left out. No key is needed, so
 * the document has an empty requirement (`{}`) beside those of its schemes, and no operation has one (`security: []`).
 */
export function openApiDocument(
  { operations, problem: problemSchema, place }: Contract,
  siteUrl: string,
): Json & { openapi: string } {
  const schemas = new Map<string, Json>();
  const split = (schema: TSchema) => splitNamedSchemas(schema, SCHEMAS, schemas);
  const paths: Record<string, Json> = {};
  const described = operations.filter(({ answer }) => mediaTypeOf(answer) !== 'text/html');
  for (const operation of described) paths[operation.path] = { get: describeOperation(operation, split) };
  const statuses = new Set(described.flatMap(statusesOf));
  const kinds = PROBLEM_NAMES.filter((kind) => statuses.has(PROBLEM_KINDS[kind].status));
  const sections = new Set(operations.map(({ section }) => section));
  const fill = (example: string): string => filled(example, commonValues(place));
  const problem = split(problemSchema);
  const problemResponses = kinds.map((kind) => [kind, problemResponse(kind, siteUrl, problem, fill)]);
  return {
    openapi: '3.1.1',
    info: {
      title: 'Hidamari',
      version: API_VERSION,
      summary: 'Direct sun on buildings, and care facilities compared.',
      description:
        'Read-only. Every 200 answer is an envelope of `data` and `meta`; every failure is a problem (RFC 9457). Unknown ' +
        'values are null, never 0. Enumerations in answers are open: expect new values, and new members.',
      license: { name: 'CC BY 4.0 (the data)', identifier: DATA_LICENSE },
    },
    servers: [{ url: siteUrl }],
    tags: [...sections].map((name) => ({
      name,
      description: name === 'sunlight' && !place.isTokyo ? SUNLIGHT_ELSEWHERE : SECTIONS[name].tag,
    })),
    security: [{}, { bearer: [] }, { payment: [] }],
    paths,
    components: {
      securitySchemes: {
        bearer: { type: 'http', scheme: 'bearer', description: 'An API key. None is needed.' },
        payment: {
          type: 'apiKey',
          in: 'header',
          name: 'PAYMENT-SIGNATURE',
          description: 'A payment by x402 version 2; only where billing is on. `/pricing/` says how and how much.',
        },
      },
      headers: describeHeaders(statuses, fill),
      responses: Object.fromEntries(problemResponses),
      schemas: Object.fromEntries([...schemas].sort(([a], [b]) => (a < b ? -1 : 1))),
    },
  };
}

/**
 * An operation in OpenAPI.
 * @param split replaces named schemas by references, and collects these schemas
 */
function describeOperation(operation: Operation, split: (schema: TSchema) => Json): Json {
  return {
    operationId: operationId(operation),
    tags: [operation.section],
    summary: operation.summary,
    description: operation.description,
    security: [],
    ...(operation.deprecated !== undefined && { deprecated: true }),
    ...(operation.costUnits > 0 && { 'x-cost-units': operation.costUnits }),
    ...(operation.costPer !== undefined && { 'x-cost-per': operation.costPer }),
    ...(operation.parameters.length > 0 && {
      parameters: operation.parameters.map((parameter) =>
        describeParameter(parameter, { hasExample: operation.whyNoData === undefined }),
      ),
    }),
    responses: Object.fromEntries(
      statusesOf(operation).map((status) => [status, describeResponse(status, operation, split)]),
    ),
  };
}

/** The JSON value of an example that is written as in a URL. */
function exampleValue({ type, items }: Keywords, example: string): unknown {
  if (items !== undefined) return example.split(',').map((one) => exampleValue(items, one));
  return type === 'string' ? example : JSON.parse(example);
}

/** A parameter in OpenAPI. @param hasExample false when the server does not have the data of the operation */
function describeParameter(
  { name, in: position, required, schema, default: fallback, description, example, moreUnits }: Parameter,
  { hasExample }: { hasExample: boolean },
): Json {
  const { description: _, examples: __, ...rules } = schema as Json;
  return {
    name,
    in: position,
    required,
    description,
    ...(moreUnits !== undefined && { 'x-more-cost-units': moreUnits }),
    ...(rules.type === 'array' && { style: 'form', explode: false }),
    schema: fallback === undefined ? rules : { ...rules, default: fallback },
    ...(hasExample && { example: exampleValue(keywordsOf(schema), example) }),
  };
}

/** A header in OpenAPI. @param fill replaces `$names` by values of the place */
function describeHeader(
  { description, schema = Type.String(), example, when }: ResponseHeader,
  fill: (example: string) => string,
): Json {
  const isNumber = (schema as Json).type === 'integer';
  return { description: `${description} Sent ${when}.`, schema, example: isNumber ? Number(example) : fill(example) };
}

/** The headers of answers with these statuses. @param fill replaces `$names` by values of the place */
function describeHeaders(statuses: ReadonlySet<number>, fill: (example: string) => string): Json {
  const used = Object.entries<ResponseHeader>(RESPONSE_HEADERS).filter(
    ([, header]) => header.statuses?.some((status) => statuses.has(status)) ?? true,
  );
  return Object.fromEntries(used.map(([name, header]) => [name, describeHeader(header, fill)]));
}

const NEVER_GIVEN = 'Every operation lists this status; this one does not give it.';

/** An answer of an operation in OpenAPI. Problems are references, because all operations share them. */
function describeResponse(status: number, operation: Operation, split: (schema: TSchema) => Json): Json {
  if (status === 304)
    return { description: 'Unchanged: the answer that the client has is still right.', headers: headersOf(304) };
  const problem = status >= 400 ? problemOfStatus(status) : undefined;
  if (problem !== undefined) {
    const $ref = `#/components/responses/${problem}`;
    return neverGiven(operation).includes(status) ? { $ref, description: NEVER_GIVEN } : { $ref };
  }
  return {
    description: status === 206 ? 'The range of bytes that was asked for.' : operation.summary,
    headers: headersOf(status),
    content: content(operation, split),
  };
}

/**
 * The content of a 200 answer: its media type, its schema and an example; none for an operation without data.
 * @param split replaces the named schemas in a schema by references
 */
function content(operation: Operation, split: (schema: TSchema) => Json): Json {
  const schema = answerSchema(operation);
  const mediaType = mediaTypeOf(operation.answer);
  if (schema === null) return { [mediaType]: { schema: mediaType.startsWith('text/') ? { type: 'string' } : {} } };
  const example = operation.whyNoData === undefined && { example: exampleOf(schema) };
  return { [mediaType]: { schema: split(schema), ...example } };
}

/** The answer with a kind of problem. */
function problemResponse(kind: ProblemName, siteUrl: string, schema: Json, fill: (example: string) => string): Json {
  const { status, title, when, remedy } = PROBLEM_KINDS[kind];
  const example = {
    type: problemType(siteUrl, kind),
    title,
    status,
    detail: when,
    instance: fill('/api/v1/sunlight/near?lat=$lat'),
    ...(status === 400 && { errors: [{ parameter: 'lon', detail: 'lon is required.' }] }),
    ...(status === 402 && { payment_methods: [exampleOf(PaymentMethod)], pricing_url: `${siteUrl}/pricing/` }),
  };
  return {
    description: `${when} ${remedy}`,
    headers: headersOf(status),
    content: { 'application/problem+json': { schema, example } },
  };
}

/** References to the headers of answers with a status. */
function headersOf(status: number): Json {
  const names = Object.entries<ResponseHeader>(RESPONSE_HEADERS)
    .filter(([, header]) => header.statuses === undefined || header.statuses.includes(status))
    .map(([name]) => name as ResponseHeaderName);
  return Object.fromEntries(names.map((name) => [name, { $ref: `#/components/headers/${name}` }]));
}
