import assert from 'node:assert/strict';
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { generateSample } from '../../samples/generate.ts';
import { hidamari } from '../support/run.ts';
import { tempFolder } from '../support/temp-folder.ts';

// With `--json`, files left out of an inputs folder were reported in plain lines between the JSON lines.
test('build --inputs --json says in JSON lines what it leaves out', async (t) => {
  const inputs = tempFolder(t);
  generateSample(inputs);
  mkdirSync(join(inputs, 'readings'));
  const { code, stderr } = await hidamari([
    'build',
    '--inputs',
    inputs,
    '--out',
    join(inputs, 'out'),
    '--plan',
    '--json',
  ]);
  assert.equal(code, 0, stderr);
  const events = stderr
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as { event: string; message?: string });
  const [remark] = events.filter(({ event }) => event === 'remark');
  assert.match(remark?.message ?? '', /readings: holds no file; built without$/);
});
