import assert from 'node:assert/strict';
import { test } from 'node:test';
import { SERVICES } from '../../src/kaigo/services.ts';
import { normalized } from '../../src/mcp/spelling.ts';

test('agents can write the official name of each service that the answers give', () => {
  for (const { name, service_code: code } of SERVICES)
    assert.equal(normalized('service_code', { type: 'string' }, name), code, name);
});
