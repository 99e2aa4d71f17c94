import assert from 'node:assert/strict';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { it } from 'node:test';
import { hidamari } from '../support/run.ts';
import { cityGml, rowsOfHouses } from '../support/small-city.ts';
import { tempFolder } from '../support/temp-folder.ts';

// The dataset of these inputs is in the folder, but servers open a newer one: the build said only that it had built it.
it('a build whose dataset is older than another of the folder says which one is served', async (t) => {
  const folder = tempFolder(t);
  const built: string[] = [];
  const said: string[] = [];
  for (const houses of [3, 4, 3]) {
    const inputs = join(folder, String(houses));
    mkdirSync(join(inputs, 'citygml'), { recursive: true });
    writeFileSync(join(inputs, 'citygml', '53394611_bldg_6697_op.gml'), cityGml(rowsOfHouses(houses)));
    const day = `2026-01-0${built.length + 1}`;
    const { code, stdout, stderr } = await hidamari(
      ['build', '--inputs', inputs, '--out', join(folder, 'data'), '--workers', '1', '--as-of', '2026-01-01'],
      { env: { SOURCE_DATE_EPOCH: String(Date.parse(day) / 1000) } },
    );
    assert.equal(code, 0, stderr);
    built.push(/[0-9a-f]{16}(?= in )/.exec(stdout)?.[0] ?? '');
    said.push(stderr);
  }
  const [older, newer] = built;
  assert.equal(built[2], older);
  assert.doesNotMatch(said[1] ?? '', /withdraw/);
  assert.match(said[2] ?? '', new RegExp(`Servers open ${newer}, .*: hidamari withdraw ${newer} --data `));
});
