import assert from 'node:assert/strict';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { hidamari, ROOT } from './support/run.ts';

const README = readFileSync(join(ROOT, 'README.md'), 'utf8');
const scripts = Object.keys(JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')).scripts);

describe('README.md', () => {
  it('links to files that exist', () => {
    const links = [...README.matchAll(/\]\((?!https?:)([^)#]+)/g)].map(([, path]) => path!);
    assert.ok(links.length > 0);
    for (const path of links) assert.ok(existsSync(join(ROOT, path)), path);
  });

  it('names commands, options and scripts that exist', async () => {
    const help = (await hidamari(['--help'])).stdout;
    const code = [...README.matchAll(/```sh\n([\s\S]*?)```/g)]
      .map(([, text]) => text!.replaceAll('\\\n', ' '))
      .join('\n');
    for (const [, command, rest] of code.matchAll(/npx hidamari (\w+)(.*)/g)) {
      assert.match(help, new RegExp(`^  ${command}\\b`, 'm'));
      const { stdout } = await hidamari([command!, '--help']);
      for (const [option] of rest!.matchAll(/--[a-z-]+/g)) assert.ok(stdout.includes(option), `${command} ${option}`);
    }
    for (const [, script] of README.matchAll(/^npm (?:run )?(\S+)/gm)) assert.ok(scripts.includes(script!), script);
  });
});
