import assert from 'node:assert/strict';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { before, describe, it } from 'node:test';
import type { BuildEvent } from '../../src/pipeline/progress.ts';
import { built, fingerprints, runBuild } from '../pipeline/run-build.ts';
import { cityGml, townsInSquares, writeFiles } from '../support/small-city.ts';
import { tempFolder } from '../support/temp-folder.ts';

// Before, every build with --store and --resume failed after a kill: "did not come from the store".
describe('a build by way of a store that was killed', () => {
  let folder: string;
  let whole: Record<string, string>;
  before(async (t) => {
    folder = tempFolder(t as never);
    const towns = townsInSquares(2, 4);
    const files = Object.fromEntries(towns.map((houses, i) => [`town${i}.gml`, cityGml(houses)]));
    await writeFiles(join(folder, 'city'), files);
    whole = await fingerprints((await built({ out: join(folder, 'whole'), citygml: [join(folder, 'city')] })).dataset);
  });

  const kills: [string, (event: BuildEvent) => boolean][] = [
    ['while it merges', (event) => event.event === 'stage' && event.stage === 'merge'],
    ['while it computes', (event) => event.event === 'progress' && event.stage === 'compute'],
    ['while it writes', (event) => event.event === 'stage' && event.stage === 'write'],
  ];
  for (const [i, [when, killAt]] of kills.entries()) {
    for (const [what, store] of [
      ['the same store', 'same'],
      ['a store that was emptied', 'emptied'],
    ] as const) {
      it(`${when} is resumed to the same bytes, by way of ${what}`, async () => {
        const [out, place] = [join(folder, `${store}-${i}`), join(folder, `store-${store}-${i}`)];
        const args = ['--out', out, '--citygml', join(folder, 'city'), '--store', place, '--workers', '1'];
        assert.equal((await runBuild(args, killAt)).signal, 'SIGKILL');
        if (store === 'emptied') await rm(place, { recursive: true });
        const { code, stdout, stderr } = await runBuild([...args, '--resume', '--json']);
        assert.equal(code, 0, stderr);
        assert.deepEqual(await fingerprints(JSON.parse(stdout).dataset), whole);
      });
    }
  }
});
