import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import { compileKernel } from '../../scripts/kernel.ts';
import { ROOT } from '../support/run.ts';

test('the committed kernel is what its source compiles to', async () => {
  const committed = await readFile(join(ROOT, 'src/sunlight/kernel-module.ts'), 'utf8');
  assert.equal(await compileKernel(), committed, 'npm run kernel');
});
