import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { it } from 'node:test';
import { CLI, run } from '../support/run.ts';

it('a result for which the disk has no room is one line and exit code 1, not a stack', async (test) => {
  if (!existsSync('/dev/full')) {
    test.skip('this system has no /dev/full');
    return;
  }
  const { code, stderr } = await run('sh', [
    '-c',
    `"${process.execPath}" "${CLI}" fees --service 510 --grade 2 > /dev/full`,
  ]);
  assert.equal(code, 1);
  assert.match(stderr, /^hidamari: the result cannot be written \(ENOSPC\)[^\n]*\n$/);
});
