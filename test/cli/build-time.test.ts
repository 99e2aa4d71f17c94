import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { Command } from 'commander';
import { buildTime } from '../../src/cli/build-time.ts';
import { hidamari } from '../support/run.ts';
import { tempFolder } from '../support/temp-folder.ts';

const NOW = new Date('2026-11-20T10:11:12.345Z');
const MALFORMED = ['yesterday', '-1', '1.5', '１', ' 1', '1e3', '253402300800', '9'.repeat(20)];

/** A command that throws in place of printing. */
const command = () => new Command().exitOverride().configureOutput({ writeErr: () => {} });

describe('the time of a build', () => {
  test('is now, to the second; an empty variable counts as none', () => {
    assert.equal(buildTime(command(), undefined, NOW), '2026-11-20T10:11:12Z');
    assert.equal(buildTime(command(), '', NOW), '2026-11-20T10:11:12Z');
  });

  test('is that of SOURCE_DATE_EPOCH', () => {
    assert.equal(buildTime(command(), '1767225600', NOW), '2026-01-01T00:00:00Z');
    assert.equal(buildTime(command(), '0', NOW), '1970-01-01T00:00:00Z');
    assert.equal(buildTime(command(), '253402300799', NOW), '9999-12-31T23:59:59Z');
  });

  for (const epoch of MALFORMED) {
    test(`${JSON.stringify(epoch)} is wrong usage`, () => {
      assert.throws(() => buildTime(command(), epoch, NOW), { exitCode: 2, message: /^error: SOURCE_DATE_EPOCH is "/ });
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
