import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import { Command } from 'commander';
import { dayFlag, httpUrl, timeOfBuild } from '../../src/cli/setting.ts';
import { isDay } from '../../src/formats/day.ts';
import { dayInJapan } from '../../src/kaigo/price-list.ts';
import { hidamari, ROOT } from '../support/run.ts';
import { tempFolder } from '../support/temp-folder.ts';

test('days of the calendar', () => {
  for (const text of ['2026-02-28', '2024-02-29', '0001-01-01']) assert.ok(isDay(text), text);
  for (const text of ['2026-02-29', '2026-13-01', '2026-2-1', '2026-02-28 ', '', '2026-02-28T00:00']) {
    assert.ok(!isDay(text), text);
    assert.throws(() => dayFlag(text), /Expected a day as YYYY-MM-DD/);
  }
});

test('a server that listens on every address says localhost in its answers, which browsers open, too', () => {
  assert.equal(httpUrl('0.0.0.0', 8080), 'http://localhost:8080');
  assert.equal(httpUrl('::', 8080), 'http://localhost:8080');
  assert.equal(httpUrl('::1', 8080), 'http://[::1]:8080');
  assert.equal(httpUrl('192.0.2.1', 8080), 'http://192.0.2.1:8080');
});

test('the day changes with that of Japan', () => {
  assert.equal(dayInJapan(new Date('2026-07-31T14:59:59Z')), '2026-07-31');
  assert.equal(dayInJapan(new Date('2026-07-31T15:00:00Z')), '2026-08-01');
});

const NOW = new Date('2026-11-20T10:11:12.345Z');
const MALFORMED = ['yesterday', '-1', '1.5', '１', ' 1', '1e3', '253402300800', '9'.repeat(20)];

/** A command that throws in place of printing. */
const command = () => new Command().exitOverride().configureOutput({ writeErr: () => {} });

describe('the time of a build', () => {
  test('is now, to the second; an empty variable counts as none', () => {
    assert.equal(timeOfBuild(command(), undefined, NOW), '2026-11-20T10:11:12Z');
    assert.equal(timeOfBuild(command(), '', NOW), '2026-11-20T10:11:12Z');
  });

  test('is that of SOURCE_DATE_EPOCH', () => {
    assert.equal(timeOfBuild(command(), '1767225600', NOW), '2026-01-01T00:00:00Z');
    assert.equal(timeOfBuild(command(), '0', NOW), '1970-01-01T00:00:00Z');
    assert.equal(timeOfBuild(command(), '253402300799', NOW), '9999-12-31T23:59:59Z');
  });

  for (const epoch of MALFORMED) {
    test(`${JSON.stringify(epoch)} is wrong usage`, () => {
      assert.throws(() => timeOfBuild(command(), epoch, NOW), {
        code: 'commander.error',
        message: /^error: SOURCE_DATE_EPOCH is "/,
      });
    });
  }

  for (const name of ['build', 'start']) {
    test(`hidamari ${name} says so in one line and ends with 2`, async (t) => {
      const data = tempFolder(t);
      const flags = name === 'build' ? ['--out', data, '--citygml', data] : ['--data', data, '--port', '0'];
      const { code, stdout, stderr } = await hidamari([name, ...flags], { env: { SOURCE_DATE_EPOCH: 'today' } });
      const line = 'hidamari: SOURCE_DATE_EPOCH is "today": expected whole seconds since 1970, such as 1767225600\n';
      assert.deepEqual({ code, stdout, stderr }, { code: 2, stdout: '', stderr: line });
    });
  }
});

describe('a variable of the environment that nothing reads', () => {
  const NOTE = /^hidamari: HIDAMARI_/m;

  test('is named in one line, with the nearest that is read', async () => {
    const env = { HIDAMARI_RATELIMIT: '7', HIDAMARI_FOOBARBAZ: '7' };
    const { stderr } = await hidamari(['verify', '/nowhere'], { env });
    assert.deepEqual(stderr.split('\n').slice(0, 2), [
      'hidamari: HIDAMARI_FOOBARBAZ is not a variable that is read: docs/settings.md and `hidamari serve --help` list them',
      'hidamari: HIDAMARI_RATELIMIT is not a variable that is read: did you mean HIDAMARI_RATE_LIMIT?',
    ]);
  });

  test('is in the log of a server', async (t) => {
    const env = { HIDAMARI_PROT: '7', HIDAMARI_PORT: '0' };
    const { stderr } = await hidamari(['serve', '--data', tempFolder(t)], { env });
    const lines = stderr.split('\n').filter((line) => line.startsWith('{'));
    const [first = '{}'] = lines;
    const { msg, reason } = JSON.parse(first);
    assert.equal(msg, 'a variable of the environment is not read');
    assert.match(reason, /^HIDAMARI_PROT .*did you mean HIDAMARI_PORT\?$/);
  });

  test('is none of those that the pages name', async () => {
    const pages = [
      'docs/settings.md',
      'docs/operating.md',
      'docs/renewing.md',
      'docs/scale.md',
      'packaging/compose.yaml',
    ];
    const names = pages.flatMap(
      (page) => readFileSync(join(ROOT, page), 'utf8').match(/\bHIDAMARI_[A-Z0-9_]+\b/g) ?? [],
    );
    assert.ok(names.length > 20);
    const { stderr } = await hidamari(['verify', '/nowhere'], {
      env: Object.fromEntries(names.map((name) => [name, '1'])),
    });
    assert.doesNotMatch(stderr, NOTE);
  });
});
