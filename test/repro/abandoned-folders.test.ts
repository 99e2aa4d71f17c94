import assert from 'node:assert/strict';
import { mkdirSync, readdirSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { intoFolder, SendingSink } from '../../src/export/file-sink.ts';
import { ENV } from '../pipeline/run-build.ts';
import { hidamari } from '../support/run.ts';
import { tempFolder } from '../support/temp-folder.ts';

// When two workers removed the same folder at once, one ended with ENOTEMPTY before its first step.
test('a folder left by a killed worker that cannot be removed keeps no worker from its work', async (t) => {
  const [cache, store] = [tempFolder(t), tempFolder(t)];
  // A folder in place of the lock causes an error of the lock.
  for (const name of ['hidamari-work-stuck/lock', 'hidamari-work-old'])
    mkdirSync(join(cache, name), { recursive: true });
  for (const name of readdirSync(cache)) utimesSync(join(cache, name), 0, 0);
  const args = ['work', '--store', store, '--stage', 'read', '--shard', '1/1', '--cache', cache];
  const { stderr } = await hidamari(args, { env: ENV });
  assert.match(stderr, /has listed no steps of read/);
  assert.deepEqual(readdirSync(cache), ['hidamari-work-stuck']);
});

// Before, each killed export left a folder .export-… among the files, which were published with it.
test('what a killed export leaves is removed by the next one, of which there is one at a time', async (t) => {
  const folder = tempFolder(t);
  mkdirSync(join(folder, '.export'));
  writeFileSync(join(folder, '.export', 'pack'), 'a part');
  const sink = await SendingSink.open(intoFolder(folder), { folder });
  await assert.rejects(SendingSink.open(intoFolder(folder), { folder }), /another export writes into this folder/);
  await sink.write('a/b.txt', 'whole');
  await sink.close();
  assert.deepEqual(readdirSync(folder), ['a']);
});
