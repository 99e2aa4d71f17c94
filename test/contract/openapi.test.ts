import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createConfig, lintFromString } from '@redocly/openapi-core';
import { Ajv2020 } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import { TOKYO_CONTRACT } from '../../src/contract/contract.ts';
import { openApiDocument, operationId } from '../../src/contract/openapi.ts';
import { examplesOf, neverGiven, statusesOf } from '../../src/contract/operation.ts';
import { fillPath } from '../../src/contract/parameter.ts';
import { PROBLEM_KINDS } from '../../src/contract/problems.ts';
import { exampleOf, publishedSchemas, schemaDocument } from '../../src/contract/schema-document.ts';

const { operations: OPERATIONS } = TOKYO_CONTRACT;

const SITE = 'https://hidamari.example';
const API = OPERATIONS.filter(({ path }) => path.startsWith('/api/'));

test('a public linter finds nothing in the description', async () => {
  const source = JSON.stringify(openApiDocument(TOKYO_CONTRACT, SITE));
  const config = await createConfig({ extends: ['recommended'] });
  const problems = await lintFromString({ source, absoluteRef: '/openapi.json', config });
  assert.deepEqual(
    problems.map(({ ruleId, message, location }) => `${ruleId}: ${message} ${location[0]?.pointer}`),
    [],
  );
});

test('the operations that clients know are there, at the costs that they know', () => {
  const costs = Object.fromEntries(API.map(({ path, costUnits }) => [path, costUnits]));
  const known = {
    '/api/v1/sunlight/building/{building_id}': 1,
    '/api/v1/sunlight/buildings': 1,
    '/api/v1/sunlight/building/{building_id}/footprint.geojson': 1,
    '/api/v1/sunlight/near.geojson': 2,
    '/api/v1/sunlight/town/{town_code}/buildings.geojson': 2,
    '/api/v1/sunlight/building/{building_id}/floor/{floor}': 3,
    '/api/v1/sunlight/building/{building_id}/full': 3,
    '/api/v1/sunlight/building/{building_id}/sky': 2,
    '/api/v1/sunlight/near': 2,
    '/api/v1/sunlight/town/{town_code}/buildings': 2,
    '/api/v1/sunlight/point': 5,
    '/api/v1/sunlight/bulk/{ward_code}': 20,
    '/api/v1/kaigo/facility/{facility_id}': 1,
    '/api/v1/kaigo/municipality/{municipality_code}/{service_code}': 1,
    '/api/v1/kaigo/near': 2,
    '/api/v1/kaigo/bulk/{prefecture_code}': 10,
    '/api/v1/search': 1,
  };
  assert.deepEqual({ ...costs, ...known }, costs);
});

test('every operation documents the eight statuses of the contract and asks for no key', () => {
  for (const operation of API) {
    for (const status of [200, 400, 401, 402, 404, 429, 501, 503]) assert.ok(statusesOf(operation).includes(status));
  }
  const document = openApiDocument(TOKYO_CONTRACT, SITE) as unknown as {
    paths: Record<string, { get: { security: unknown; operationId: string } }>;
    components: { securitySchemes: Record<string, { type: string; scheme: string }> };
  };
  for (const { get } of Object.values(document.paths)) assert.deepEqual(get.security, []);
  assert.equal(document.components.securitySchemes.bearer?.scheme, 'bearer');
});

test('a status that an operation lists and never gives says so', () => {
  const { paths } = openApiDocument(TOKYO_CONTRACT, SITE) as unknown as {
    paths: Record<string, { get: { responses: Record<string, { description?: string }> } }>;
  };
  for (const operation of API) {
    const { responses } = paths[operation.path]!.get;
    const silent = Object.keys(responses).filter((status) =>
      /does not give it/.test(responses[status]!.description ?? ''),
    );
    assert.deepEqual(silent, neverGiven(operation).map(String), operation.id);
    assert.equal(silent.includes('501'), operation.id !== 'sunlight-point', operation.id);
  }
});

test('names of operations are unique and every path parameter is described', () => {
  assert.equal(new Set(OPERATIONS.map(operationId)).size, OPERATIONS.length);
  for (const { path, parameters } of OPERATIONS) {
    const inPath = [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name);
    assert.deepEqual(
      parameters.filter((parameter) => parameter.in === 'path').map(({ name }) => name),
      inPath,
    );
  }
});

test('every example request gives all that is required', () => {
  for (const operation of OPERATIONS) {
    for (const example of examplesOf(operation)) {
      fillPath(operation.path, example);
      const missing = operation.parameters.filter(({ name, required }) => required && example[name] === undefined);
      assert.deepEqual(missing, [], operation.id);
    }
  }
});

test('every published schema compiles in strict mode and holds its own example', () => {
  for (const [name, schema] of publishedSchemas(TOKYO_CONTRACT)) {
    const ajv = new Ajv2020({ strict: true, strictTypes: false, allErrors: true });
    ajv.addKeyword('x-extensible-enum');
    addFormats.default(ajv);
    const validate = ajv.compile(schemaDocument(name, schema, SITE));
    assert.ok(validate(exampleOf(schema)), `${name}: ${ajv.errorsText(validate.errors)}`);
    assert.ok(!validate({ data: null }), `${name} accepts anything`);
  }
});

test('every problem kind has a status of its own', () => {
  const statuses = Object.values(PROBLEM_KINDS).map(({ status }) => status);
  assert.deepEqual(statuses, [400, 401, 402, 404, 405, 416, 429, 500, 501, 503]);
});
