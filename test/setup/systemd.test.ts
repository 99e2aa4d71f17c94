import assert from 'node:assert/strict';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { ROOT, run } from '../support/run.ts';
import { tempFolder } from '../support/temp-folder.ts';

test('systemd finds nothing wrong with the unit', async (t) => {
  const there = await run('systemd-analyze', ['--version']).catch(() => null);
  if (there === null) {
    t.skip('systemd-analyze is not installed');
    return;
  }
  const unit = readFileSync(join(ROOT, 'packaging/hidamari.service'), 'utf8');
  const verify = async (text: string) => {
    const path = join(tempFolder(t), 'hidamari.service');
    writeFileSync(path, text);
    return run('systemd-analyze', ['verify', '--man=no', path]);
  };
  // The program that it starts is not installed here: Node.js stands in for it.
  const sound = unit.replace('/usr/local/bin/hidamari', process.execPath);
  const { code, stderr } = await verify(sound);
  assert.equal(code, 0, stderr);
  assert.doesNotMatch(stderr, /hidamari\.service/);
  const misspelt = await verify(sound.replace('StateDirectory', 'StateDirectry'));
  assert.match(misspelt.stderr, /StateDirectry/);
});
