import assert from 'node:assert/strict';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import type { BuildEvent } from '../../src/pipeline/progress.ts';
import { built, fingerprints, runBuild } from '../pipeline/run-build.ts';
import { cityGml, townsInSquares, writeFiles } from '../support/small-city.ts';
import { tempFolder } from '../support/temp-folder.ts';

// Before, every build with --store and --resume failed after a kill: "did not come from the store".
describe('a build by way of a store that was killed', () => {
  const folder = tempFolder({ after });
  let whole: Record<string, string>;
  before(async () => {
    const towns = townsInSquares(2, 4);
    const files = Object.fromEntries(towns.map((houses, i) => [`town${i}.gml`, cityGml(houses)]));
    await writeFiles(join(folder, 'city'), files);
    whole = await fingerprints((await built({ out: join(folder, 'whole'), citygml: [join(folder, 'city')] })).dataset);
  });

  const kills: [string, string, (event: BuildEvent) => boolean][] = [
    ['merges', 'the same store', (event) => event.event === 'stage' && event.stage === 'merge'],
    ['computes', 'the same store', (event) => event.event === 'progress' && event.stage === 'compute'],
    ['writes', 'the same store', (event) => event.event === 'stage' && event.stage === 'write'],
    ['computes', 'an emptied store', (event) => event.event === 'progress' && event.stage === 'compute'],
  ];
  for (const [i, [when, store, killAt]] of kills.entries()) {
    it(`while it ${when} is resumed to the same bytes, by way of ${store}`, async () => {
      const [out, place] = [join(folder, `data-${i}`), join(folder, `store-${i}`)];
      const args = ['--out', out, '--citygml', join(folder, 'city'), '--store', place, '--workers', '1'];
      assert.equal((await runBuild(args, killAt)).signal, 'SIGKILL');
      if (store === 'an emptied store') await rm(place, { recursive: true });
      const { code, stdout, stderr } = await runBuild([...args, '--resume', '--json']);
      assert.equal(code, 0, stderr);
      assert.deepEqual(await fingerprints(JSON.parse(stdout).dataset), whole);
    });
  }
});
