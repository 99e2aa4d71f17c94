import assert from 'node:assert/strict';
import { existsSync, readdirSync } from 'node:fs';
import { it } from 'node:test';
import { setTimeout as delay } from 'node:timers/promises';
import { intoFolder, SendingSink } from '../../src/export/file-sink.ts';
import { onOwnDisk } from '../support/own-disk.ts';
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

// Before, an error between two pieces was an uncaught exception: the command ended with a stack and left its draft.
it('an export reports a disk that gets full between two pieces of a file', (t) =>
  onOwnDisk(t, 'size=64k', async (folder) => {
    const sink = await SendingSink.open(intoFolder(folder), { folder });
    const written = sink.append('pack', async (add) => {
      for (let piece = 0; piece < 100; piece++) {
        await add(Buffer.alloc(1000));
        await delay(5);
      }
    });
    await assert.rejects(written, /ENOSPC/);
    await sink.close();
    assert.deepEqual(readdirSync(folder), []);
  }));
