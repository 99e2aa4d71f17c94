import assert from 'node:assert/strict';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { Command } from 'commander';
import { environmentName } from '../../src/cli/setting.ts';
import { SETTINGS } from '../../src/cli/settings.ts';
import { ROOT, run } from '../support/run.ts';
import { tempFolder } from '../support/temp-folder.ts';

test('systemd finds nothing wrong with the units', async (t) => {
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
  const folder = tempFolder(t);
  for (const name of ['hidamari-refresh.service', 'hidamari-refresh.timer'])
    writeFileSync(
      join(folder, name),
      readFileSync(join(ROOT, 'packaging', name), 'utf8').replace('/usr/local/bin/hidamari', process.execPath),
    );
  const refresh = await run('systemd-analyze', [
    'verify',
    '--man=no',
    join(folder, 'hidamari-refresh.timer'),
    join(folder, 'hidamari-refresh.service'),
  ]);
  assert.equal(refresh.code, 0, refresh.stderr);
  assert.doesNotMatch(refresh.stderr, /hidamari-refresh/);
  // From 0 (nothing is open) to 10.
  for (const name of ['hidamari.service', 'hidamari-refresh.service']) {
    const { stdout } = await run('systemd-analyze', ['security', '--offline=true', join(ROOT, 'packaging', name)]);
    const [, exposure = 'none'] = /Overall exposure level for \S+: ([\d.]+)/.exec(stdout) ?? [];
    assert.ok(Number(exposure) <= 3, `${name}: exposure ${exposure}`);
  }
  const misspelt = await verify(sound.replace('StateDirectory', 'StateDirectry'));
  assert.match(misspelt.stderr, /StateDirectry/);
});

test('the compose file names commands, flags and settings that there are', async () => {
  const text = readFileSync(join(ROOT, 'packaging/compose.yaml'), 'utf8');
  const commands = [...text.matchAll(/^ {4}command: \[(.+)\]$/gm)].map(([, list = '']) =>
    list.split(', ').map((word) => word.replace(/^'(.*)'$/, '$1')),
  );
  const ours = commands.filter(([name]) => name !== 'redis-server');
  assert.deepEqual(
    ours.map(([name]) => name),
    ['start', 'work', 'build'],
  );
  for (const [name = '', ...args] of ours) {
    const command = new Command(name);
    (await import(`../../src/cli/${name}.ts`)).define(command);
    const flags = command.options.map(({ long }) => long);
    for (const flag of args.filter((arg) => arg.startsWith('--'))) assert.ok(flags.includes(flag), `${name} ${flag}`);
  }
  const variables = Object.values(SETTINGS).map(environmentName);
  for (const [, name = ''] of text.matchAll(/^ {6}(HIDAMARI_\w+):/gm)) assert.ok(variables.includes(name), name);
});
