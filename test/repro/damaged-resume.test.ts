import assert from 'node:assert/strict';
import { closeSync, ftruncateSync, openSync, readdirSync, statSync, writeSync } from 'node:fs';
import { cp } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import type { BuildEvent } from '../../src/pipeline/progress.ts';
import { built, fingerprints, runBuild } from '../pipeline/run-build.ts';
import { cityGml, townsInSquares, writeFiles } from '../support/small-city.ts';
import { tempFolder } from '../support/temp-folder.ts';

/** What a power failure leaves of a file that was renamed before its bytes were on the disk. */
const DAMAGES: Record<string, (file: number, size: number) => void> = {
  'is empty': (file) => ftruncateSync(file, 0),
  'is cut': (file, size) => ftruncateSync(file, size >> 1),
  'holds zeros': (file, size) => void writeSync(file, new Uint8Array(size), 0, size, 0),
};

test('a damaged file of a build that was broken off is made again, whichever it is', async (t) => {
  const folder = tempFolder(t);
  const citygml = [join(folder, 'city')];
  const towns = townsInSquares(2, 4);
  await writeFiles(citygml[0]!, Object.fromEntries(towns.map((houses, i) => [`town${i}.gml`, cityGml(houses)])));
  const whole = await fingerprints((await built({ out: join(folder, 'whole'), citygml })).dataset);
  const broken = join(folder, 'broken');
  const atWriting = (event: BuildEvent): boolean => event.event === 'stage' && event.stage === 'write';
  await runBuild(['--out', broken, '--citygml', citygml[0]!], atWriting);
  const names = readdirSync(join(broken, '.build'), { recursive: true, encoding: 'utf8' })
    .filter((name) => statSync(join(broken, '.build', name)).isFile())
    .sort();
  assert.ok(names.some((name) => name.startsWith('portions')) && names.some((name) => name.startsWith('results')));
  for (const [i, name] of names.entries()) {
    const [damage, apply] = Object.entries(DAMAGES)[i % 3]!;
    const out = join(folder, `damaged-${i}`);
    await cp(broken, out, { recursive: true });
    const path = join(out, '.build', name);
    const file = openSync(path, 'r+');
    apply(file, statSync(path).size);
    closeSync(file);
    const resumed = await built({ out, citygml, resume: true });
    assert.deepEqual(await fingerprints(resumed.dataset), whole, `${name} ${damage}`);
  }
});
