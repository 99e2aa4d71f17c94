import assert from 'node:assert/strict';
import { copyFileSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it, type TestContext } from 'node:test';
import { generateSample } from '../../samples/generate.ts';
import { readTownPaths } from '../../src/pipeline/towns.ts';
import { tempFolder } from '../support/temp-folder.ts';
import { writeZip } from '../support/write-zip.ts';

function sample(t: TestContext) {
  const folder = tempFolder(t);
  return { folder, ...generateSample(folder) };
}

const codes = async (paths: string[], readings: string | null = null): Promise<string[]> =>
  (await readTownPaths(paths, readings)).towns.map(({ townCode }) => townCode);

describe('towns from paths', () => {
  it('a folder, its files and a zip of them give the same', async (t) => {
    const { folder, towns } = sample(t);
    const expected = await codes([towns]);
    assert.equal(expected.length, 8);
    const names = readdirSync(towns);
    assert.deepEqual(await codes(names.map((name) => join(towns, name))), expected);
    const zip = join(folder, 'towns.zip');
    writeZip(
      zip,
      names.map((name) => ({ name: `A002005212020DDSWC13/${name}`, data: readFileSync(join(towns, name)) })),
    );
    assert.deepEqual(await codes([zip]), expected);
    assert.deepEqual(await codes([zip, towns]), expected);
  });

  it('a .shp named alone brings the files beside it, whatever the case of their names', async (t) => {
    const { towns } = sample(t);
    const alone = await codes([join(towns, 'r2ka13122.shp')]);
    assert.deepEqual([...new Set(alone.map((code) => code.slice(0, 5)))], ['13122']);
    for (const extension of ['shp', 'dbf', 'prj']) {
      renameSync(join(towns, `r2ka13122.${extension}`), join(towns, `R2KA13122.${extension.toUpperCase()}`));
    }
    assert.deepEqual(await codes([join(towns, 'R2KA13122.SHP')]), alone);
  });

  it('readings may lie in a folder or a zip', async (t) => {
    const { folder, towns, readings } = sample(t);
    const zip = join(folder, 'ken_all.zip');
    writeZip(zip, [{ name: '13TOKYO.CSV', data: readFileSync(readings) }]);
    for (const path of [readings, join(folder, 'postal'), zip]) {
      const { report } = await readTownPaths([towns], path);
      assert.deepEqual(report.without_reading, { count: 1, examples: ['131229030 夕凪'] }, path);
    }
  });

  it('what is missing is named', async (t) => {
    const { folder, towns } = sample(t);
    const only = (name: string): string => {
      const to = join(folder, `only-${name}`);
      mkdirSync(to);
      copyFileSync(join(towns, name), join(to, name));
      return to;
    };
    await assert.rejects(codes([only('r2ka13122.shp')]), /r2ka13122\.dbf is missing/);
    await assert.rejects(
      codes([only('r2ka13122.dbf')]),
      /r2ka13122\.dbf: the \.shp file that belongs to it is missing/,
    );
    await assert.rejects(codes([join(folder, 'citygml')]), /found no file that is a shapefile/);
    rmSync(towns, { recursive: true });
    await assert.rejects(codes([towns]), /census: no such file or folder/);
  });
});
