import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import type { Command } from 'commander';
import { commandLine } from '../../src/cli/commands.ts';
import { ROOT } from '../support/run.ts';
import { serverSettings } from '../support/settings.ts';

const PAGES = [
  'docs/settings.md',
  'docs/operating.md',
  'docs/renewing.md',
  'docs/monitoring.md',
  'docs/billing.md',
  'docs/api.md',
  'SECURITY.md',
];
const texts = PAGES.map((page) => ({ page, text: readFileSync(join(ROOT, page), 'utf8') }));

/** Flags of npm and of benches that the pages name. */
const OTHER_FLAGS = new Set(['--help', '--ignore-scripts', '--only', '--log-opt', '--max-semi-space-size']);

/** The long flags of commands, and of all below them. */
async function flagsOf(...names: string[]): Promise<Set<string>> {
  const below = (command: Command): Command[] => [command, ...command.commands.flatMap(below)];
  const defined = await Promise.all(
    names.map(async (name) => (await commandLine(name)).commands.filter((command) => command.name() === name)),
  );
  return new Set(
    defined
      .flat()
      .flatMap(below)
      .flatMap(({ options }) => options.flatMap(({ long, hidden }) => (hidden ? [] : (long ?? [])))),
  );
}

test('no page of theirs speaks of a flag or a variable that there is not', async () => {
  const flags = await flagsOf(
    'serve',
    'keys',
    'publish-bulk',
    'build',
    'verify',
    'mcp',
    'prune',
    'diff',
    'refresh',
    'withdraw',
    'export',
  );
  const settings = await serverSettings();
  const variables = new Set([
    ...settings.map(({ variable }) => variable),
    'HIDAMARI_DEBUG',
    'HIDAMARI_CONTACT',
    'HIDAMARI_REPORT',
    'HIDAMARI_WEBHOOK',
    'HIDAMARI_WEBHOOK_FILE',
    'HIDAMARI_KEY',
    'HIDAMARI_KEY_FILE',
    'HIDAMARI_STORE',
    'HIDAMARI_QUEUE',
    'HIDAMARI_STORE_KEY',
    'HIDAMARI_STORE_KEY_FILE',
    'HIDAMARI_QUEUE_PASSWORD',
    'HIDAMARI_QUEUE_PASSWORD_FILE',
    ...settings.filter(({ isSecret }) => isSecret).map(({ variable }) => `${variable}_FILE`),
  ]);
  for (const { page, text } of texts) {
    for (const [flag] of text.matchAll(/(?<![\w-])--[a-z][\w-]*/g)) {
      assert.ok(flags.has(flag) || OTHER_FLAGS.has(flag), `${page}: ${flag}`);
    }
    for (const [name] of text.matchAll(/\bHIDAMARI_[A-Z0-9_]+\b/g)) assert.ok(variables.has(name), `${page}: ${name}`);
  }
});
