import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { Command } from 'commander';
import { define as build } from '../../src/cli/build.ts';
import { define as keys } from '../../src/cli/keys.ts';
import { define as mcp } from '../../src/cli/mcp.ts';
import { define as prune } from '../../src/cli/prune.ts';
import { define as publishBulk } from '../../src/cli/publish-bulk.ts';
import { define as serve } from '../../src/cli/serve.ts';
import { environmentName, type Setting } from '../../src/cli/setting.ts';
import { SETTINGS } from '../../src/cli/settings.ts';
import { define as verify } from '../../src/cli/verify.ts';
import { ROOT } from '../support/run.ts';

const PAGES = ['docs/settings.md', 'docs/operating.md', 'docs/billing.md', 'docs/api.md', 'SECURITY.md'];
const texts = PAGES.map((page) => ({ page, text: readFileSync(join(ROOT, page), 'utf8') }));

/** Flags of npm and of benches that the pages name. */
const OTHER_FLAGS = new Set(['--ignore-scripts', '--only']);

/** The long flags of commands as they are defined, and of all below them. */
function flagsOf(...defined: ((command: Command) => void)[]): Set<string> {
  const commands = defined.map((define) => {
    const command = new Command();
    define(command);
    return command;
  });
  const below = (command: Command): Command[] => [command, ...command.commands.flatMap(below)];
  return new Set(commands.flatMap(below).flatMap(({ options }) => options.flatMap(({ long }) => long ?? [])));
}

test('every flag that an operator may give is on a page of theirs', () => {
  for (const flag of flagsOf(serve, keys, publishBulk)) {
    assert.ok(
      texts.some(({ text }) => new RegExp(`${flag}(?![\\w-])`).test(text)),
      `${flag} is not documented`,
    );
  }
});

test('no page of theirs speaks of a flag or a variable that there is not', () => {
  const flags = flagsOf(serve, keys, publishBulk, build, verify, mcp, prune);
  const variables = new Set([
    ...Object.values<Setting>(SETTINGS).map(environmentName),
    'HIDAMARI_DEBUG',
    'HIDAMARI_CONTACT',
    'HIDAMARI_KEY',
    'HIDAMARI_S3_ACCESS_KEY_FILE',
    'HIDAMARI_S3_SECRET_KEY_FILE',
  ]);
  for (const { page, text } of texts) {
    for (const [flag] of text.matchAll(/(?<![\w-])--[a-z][\w-]*/g)) {
      assert.ok(flags.has(flag) || OTHER_FLAGS.has(flag), `${page}: ${flag}`);
    }
    for (const [name] of text.matchAll(/\bHIDAMARI_[A-Z0-9_]+\b/g)) assert.ok(variables.has(name), `${page}: ${name}`);
  }
});
