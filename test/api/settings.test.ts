import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { Command } from 'commander';
import { environmentName, flagName, httpUrl, type Setting } from '../../src/cli/setting.ts';
import { addSettings, SETTINGS, type Settings } from '../../src/cli/settings.ts';
import { assertDocumented } from '../support/documented.ts';
import { table } from '../support/reference-markdown.ts';
import { tempFolder } from '../support/temp-folder.ts';

const ALL = Object.entries<Setting>(SETTINGS);

test('docs/settings.md has every setting, as the table states it', () => {
  const rows = ALL.map(([, setting]) => [
    setting.isSecret ? 'none' : `\`${setting.flag}\``,
    `\`${environmentName(setting)}\`${setting.isSecret ? ', `…_FILE`' : ''}`,
    setting.default ? `\`${setting.default}\`` : 'none',
    setting.description,
  ]);
  assertDocumented('docs/settings.md', 'settings', table(['flag', 'environment', 'default', 'meaning'], rows));
});

function parse(args: string[], env: Record<string, string> = {}): Settings {
  const command = addSettings(new Command('serve'))
    .exitOverride()
    .configureOutput({ writeErr: () => {} })
    .action(() => {});
  const before = { ...process.env };
  Object.assign(process.env, env);
  try {
    return command.parse(args, { from: 'user' }).opts();
  } finally {
    process.env = before;
  }
}

test('names of flags are those of the table', () => {
  for (const [name, { flag }] of ALL) {
    assert.equal(
      flagName(flag)
        .slice(2)
        .replace(/-(\w)/g, (_, letter: string) => letter.toUpperCase()),
      name,
    );
  }
});

test('a flag wins over the environment, that over the default', () => {
  assert.equal(parse([]).port, 8080);
  assert.equal(parse([], { HIDAMARI_PORT: '81' }).port, 81);
  assert.equal(parse(['--port', '82'], { HIDAMARI_PORT: '81' }).port, 82);
  assert.equal(parse(['--rate-limit', 'off']).rateLimit, 'off');
  assert.equal(parse([]).rateLimit, 20);
  assert.equal(parse(['--point', 'on']).point, true);
  assert.equal(parse(['--site-url', 'https://example.org/x/']).siteUrl, 'https://example.org/x');
  assert.ok(parse(['--trust-proxy', '10.0.0.0/8, ::1']).trustProxy.has('10.2.3.4'));
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
  test(`${flag} ${value} is refused with what would be right`, () => {
    assert.throws(() => parse([`${flag}=${value}`]), /must|is not an IP address/);
    const name = environmentName(ALL.find(([, setting]) => flagName(setting.flag) === flag)![1]);
    assert.throws(() => parse([], { [name]: value }), new RegExp(name));
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

test('secrets come from the environment or from files, never from the command line, and are not printed', (t) => {
  assert.deepEqual(
    ALL.filter(([, { isSecret }]) => isSecret).map(([, setting]) => environmentName(setting)),
    SECRETS,
  );
  const file = join(tempFolder(t), 'secret');
  writeFileSync(file, `${SECRET}\n`);
  for (const [name, setting] of ALL.filter(([, { isSecret }]) => isSecret)) {
    const variable = environmentName(setting);
    const value = (env: Record<string, string>) => parse([], env)[name as keyof Settings];
    assert.equal(value({ [variable]: SECRET }), SECRET);
    assert.equal(value({ [`${variable}_FILE`]: file, [variable]: 'another-long-enough-secret' }), SECRET);
    assert.throws(() => parse([], { [`${variable}_FILE`]: `${file}s` }), new RegExp(`${variable}_FILE: ENOENT`));
    const where = `${flagName(setting.flag)}: no secret on the command line: ${variable} holds it, or the file that ${variable}_FILE names`;
    assert.throws(() => parse([flagName(setting.flag), SECRET]), { exitCode: 2, message: `error: ${where}` });
  }
  for (const password of ['redis://:hush@127.0.0.1', 'redis://127.0.0.1/0?password=hush']) {
    assert.throws(() => parse(['--redis', password]), /error: --redis: no secret .*: HIDAMARI_REDIS_PASSWORD holds it/);
    assert.equal(parse([], { HIDAMARI_REDIS: password }).redis, password);
  }
});

test('a secret that makes no sense is refused without being printed', () => {
  for (const [name, text] of [
    ['HIDAMARI_BULK_KEY', 'hush'],
    ['HIDAMARI_X402_FACILITATOR_KEY', 'hush hush'],
  ] as const) {
    assert.throws(
      () => parse([], { [name]: text }),
      ({ message }: Error) => message.startsWith(`error: ${name}: It must`) && !message.includes('hush'),
    );
  }
});

test('a server that listens on every address says localhost in its answers, which browsers open, too', () => {
  assert.equal(httpUrl('0.0.0.0', 8080), 'http://localhost:8080');
  assert.equal(httpUrl('::', 8080), 'http://localhost:8080');
  assert.equal(httpUrl('::1', 8080), 'http://[::1]:8080');
  assert.equal(httpUrl('192.0.2.1', 8080), 'http://192.0.2.1:8080');
});
