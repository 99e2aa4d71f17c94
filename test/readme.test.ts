import assert from 'node:assert/strict';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { hidamari, ROOT } from './support/run.ts';
import { startSample } from './support/start-sample.ts';

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

  it('shows what the sample really answers', async (t) => {
    const examples = [...README.matchAll(/^\$ curl -s '?(http:\S+?)'? \| jq (\S+)\n([\s\S]*?)\n```/gm)];
    assert.ok(examples.length >= 4);
    const { url } = await startSample(t);
    for (const [, target, path, shown] of examples) {
      const response = await fetch(target!.replace('http://127.0.0.1:8080', url));
      let value: unknown = await response.json();
      for (const key of path!.match(/\w+/g)!) value = (value as Record<string, unknown>)[key];
      assert.deepEqual(JSON.parse(shown!), value, `${target} ${path}`);
    }
  });
});
