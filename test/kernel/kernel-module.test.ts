import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { test } from 'node:test';
import { compileKernel } from '../../scripts/kernel.ts';

test('the committed kernel is what its source compiles to', async () => {
  const committed = await readFile(new URL('../../src/sunlight/kernel-module.ts', import.meta.url), 'utf8');
  assert.equal(await compileKernel(), committed, 'npm run kernel');
});
