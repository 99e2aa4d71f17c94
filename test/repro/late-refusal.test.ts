import assert from 'node:assert/strict';
import { readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { generateSample } from '../../samples/generate.ts';
import type { BuildEvent } from '../../src/pipeline/progress.ts';
import { built, runBuild } from '../pipeline/run-build.ts';
import { tempFolder } from '../support/temp-folder.ts';

describe('what keeps the care half from being built is said before the sunlight half is computed', () => {
  const folder = tempFolder({ after });
  let sample: ReturnType<typeof generateSample>;
  before(() => {
    sample = generateSample(join(folder, 'sample'));
    writeFileSync(join(folder, 'fees.json'), '{}');
  });

  test('a day without a price list, paths that lead nowhere, a fee table that is none', async () => {
    const { citygml, offices } = sample;
    const cases: [object, RegExp][] = [
      [{ asOf: '2020-01-01' }, /no price list is in force on 2020-01-01.*choose another day/],
      [{ offices: [join(folder, 'nowhere')] }, /nowhere/],
      [{ details: [join(folder, 'absent.csv')] }, /absent\.csv/],
      [{ fees: join(folder, 'fees.json') }, /fees\.json/],
    ];
    for (const [i, [wrong, message]] of cases.entries()) {
      const out = join(folder, `out-${i}`);
      const events: BuildEvent[] = [];
      const listener = (event: BuildEvent): void => void events.push(event);
      const options = { out, citygml: [citygml], offices: [offices], listener, ...wrong };
      await assert.rejects(() => built(options), message);
      assert.deepEqual(events, [], 'nothing was begun');
      assert.throws(() => readdirSync(out), 'nothing was written');
    }
  });

  test('SOURCE_DATE_EPOCH before the first price list, without --as-of', async () => {
    const { citygml, offices } = sample;
    const out = join(folder, 'out');
    const run = await runBuild(['--out', out, '--citygml', citygml, '--offices', offices], undefined, {
      SOURCE_DATE_EPOCH: '1577836800',
    });
    assert.equal(run.code, 1);
    assert.match(run.stderr, /no price list is in force on 2020-01-01/);
    assert.ok(!run.stderr.includes('Read'), run.stderr);
  });
});
