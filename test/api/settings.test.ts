import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { commandLine } from '../../src/cli/commands.ts';
import type { ProxyList } from '../../src/http/client-address.ts';
import { assertDocumented } from '../support/documented.ts';
import { table } from '../support/reference-markdown.ts';
import { serverSettings, settingsFrom } from '../support/settings.ts';
import { tempFolder } from '../support/temp-folder.ts';

const ALL = await serverSettings();

test('serve --help has every setting with its variable; docs/settings.md has those without a flag', async () => {
  const serve = (await commandLine('serve')).commands.find((command) => command.name() === 'serve');
  const help = serve!.helpInformation().replace(/\s+/g, ' '); // `!`: the command was just made
  for (const { flags, variable, isSecret, description } of ALL) {
    if (!isSecret) assert.ok(help.includes(`${flags} ${description}`) && help.includes(`env: ${variable})`), variable);
  }
  const secrets = ALL.filter(({ isSecret }) => isSecret);
  const rows = secrets.map(({ variable, description }) => [`\`${variable}\``, description]);
  assertDocumented('docs/settings.md', 'secrets', table(['variable', 'meaning'], rows));
});

test('a flag wins over the environment, that over the default', async () => {
  assert.equal((await settingsFrom([])).port, 8080);
  assert.equal((await settingsFrom([], { HIDAMARI_PORT: '81' })).port, 81);
  assert.equal((await settingsFrom(['--port', '82'], { HIDAMARI_PORT: '81' })).port, 82);
  assert.equal((await settingsFrom(['--rate-limit', 'off'])).rateLimit, 'off');
  assert.equal((await settingsFrom([])).rateLimit, 20);
  assert.equal((await settingsFrom(['--point', 'on'])).point, true);
  assert.equal((await settingsFrom(['--site-url', 'https://example.org/x/'])).siteUrl, 'https://example.org/x');
  const { trustProxy } = await settingsFrom(['--trust-proxy', '10.0.0.0/8, ::1']);
  assert.ok((trustProxy as ProxyList).has('10.2.3.4'));
});

const WRONG: [string, string][] = [
  ['--port', 'x'],
  ['--port', '65536'],
  ['--port', '-1'],
  ['--port', '８０'],
  ['--rate-limit', '0'],
  ['--rate-limit', 'none'],
  ['--point', 'yes'],
  ['--trust-proxy', 'proxy.example'],
  ['--site-url', 'example.org'],
  ['--site-url', 'ftp://example.org'],
  ['--site-url', 'https://example.org/?x'],
  ['--site-url', 'https://name:password@example.org'],
  ['--log-level', 'loud'],
  ['--timeout', '0'],
  ['--billing', 'on'],
  ['--x402-facilitator', 'facilitator.example'],
  ['--x402-network', 'base'],
  ['--x402-network', 'solana:5eykt4UsFv8P8NJdTREpY1vzqKqZKvdp'],
  ['--x402-asset', '0x1234'],
  ['--x402-pay-to', `0x${'0'.repeat(40)}`],
  ['--x402-asset-name', 'ＵＳＤＣ'],
  ['--x402-asset-decimals', '-1'],
  ['--x402-unit-price', '0'],
  ['--x402-unit-price', '0.001'],
  ['--x402-unit-price', '1e3'],
  ['--x402-valid', '5'],
  ['--x402-timeout', '0'],
];
for (const [flag, value] of WRONG) {
  test(`${flag} ${value} is refused with what would be right`, async () => {
    await assert.rejects(settingsFrom([`${flag}=${value}`]), /must|is not an IP address/);
    const { variable = '' } = ALL.find(({ long }) => long === flag) ?? {};
    await assert.rejects(settingsFrom([], { [variable]: value }), new RegExp(variable));
  });
}

const SECRETS = [
  'HIDAMARI_REDIS_PASSWORD',
  'HIDAMARI_BULK_KEY',
  'HIDAMARI_BULK_KEY_PREVIOUS',
  'HIDAMARI_S3_ACCESS_KEY',
  'HIDAMARI_S3_SECRET_KEY',
  'HIDAMARI_S3_SESSION_TOKEN',
  'HIDAMARI_X402_FACILITATOR_KEY',
];
const SECRET = 'a-long-enough-secret';

test('secrets come from the environment or from files, never from the command line, and are not printed', async (t) => {
  const secrets = ALL.filter(({ isSecret }) => isSecret);
  assert.deepEqual(
    secrets.map(({ variable }) => variable),
    SECRETS,
  );
  const file = join(tempFolder(t), 'secret');
  writeFileSync(file, `${SECRET}\n`);
  for (const { name, long, variable } of secrets) {
    const value = async (env: Record<string, string>) => (await settingsFrom([], env))[name];
    assert.equal(await value({ [variable]: SECRET }), SECRET);
    assert.equal(await value({ [`${variable}_FILE`]: file, [variable]: 'another-long-enough-secret' }), SECRET);
    await assert.rejects(
      settingsFrom([], { [`${variable}_FILE`]: `${file}s` }),
      new RegExp(`${variable}_FILE: ENOENT`),
    );
    const where = `${long}: no secret on the command line: ${variable} holds it, or the file that ${variable}_FILE names`;
    await assert.rejects(settingsFrom([String(long), SECRET]), { code: 'commander.error', message: `error: ${where}` });
  }
  for (const password of ['redis://:hush@127.0.0.1', 'redis://127.0.0.1/0?password=hush']) {
    const refused = /error: --redis: no secret .*: HIDAMARI_REDIS_PASSWORD holds it/;
    await assert.rejects(settingsFrom(['--redis', password]), refused);
    assert.equal((await settingsFrom([], { HIDAMARI_REDIS: password })).redis, password);
  }
});

test('a secret that makes no sense is refused without being printed', async () => {
  for (const [name, text] of [
    ['HIDAMARI_BULK_KEY', 'hush'],
    ['HIDAMARI_X402_FACILITATOR_KEY', 'hush hush'],
  ] as const) {
    await assert.rejects(
      settingsFrom([], { [name]: text }),
      ({ message }: Error) => message.startsWith(`error: ${name}: It must`) && !message.includes('hush'),
    );
  }
});
