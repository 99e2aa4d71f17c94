import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { test } from 'node:test';
import { ROOT } from '../support/run.ts';
import { tempFolder } from '../support/temp-folder.ts';

// Before, a worker whose queue was not there ended only at SIGKILL.
test('SIGTERM ends a worker whose queue is not there', async (t) => {
  const args = ['work', '--queue', 'redis://127.0.0.1:1/0', '--store', tempFolder(t), '--cache', tempFolder(t)];
  const child = spawn(process.execPath, [join(ROOT, 'src/cli/main.js'), ...args, '--workers', '1']);
  t.after(() => child.kill('SIGKILL'));
  const ended = once(child, 'exit');
  await once(child.stdout, 'data');
  child.kill('SIGTERM');
  assert.deepEqual(await ended, [0, null]);
});
