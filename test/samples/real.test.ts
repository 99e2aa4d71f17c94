import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { trimShapefile } from '../../samples/real/trim-shapefile.ts';
import { readDbase } from '../../src/census/dbase.ts';
import { readShapes } from '../../src/census/shapefile.ts';
import { listZip, openZipEntry } from '../../src/formats/zip.ts';
import { ROOT } from '../support/run.ts';
import { sharedData, skipWithout } from '../support/shared-data.ts';

const FOLDER = join(ROOT, 'samples/real');

describe('the real sample', () => {
  it('is small, and each of its files is credited', async () => {
    const credits = readFileSync(join(FOLDER, 'CREDITS.md'), 'utf8');
    const limits = { 'plateau.zip': 1_600_000, 'census.zip': 100_000, 'postal.zip': 50_000, 'offices.zip': 400_000 };
    for (const [name, most] of Object.entries({ ...limits, 'details.zip': 100_000 })) {
      assert.ok(readFileSync(join(FOLDER, name)).length <= most, name);
      assert.ok((await listZip(join(FOLDER, name))).length > 0, name);
      assert.match(credits, new RegExp(`^\\| \`${name}\` \\|`, 'm'));
    }
  });

  it('has as many buildings as its credits, the README and `start` say', async () => {
    const path = join(FOLDER, 'plateau.zip');
    let buildings = 0;
    for (const entry of await listZip(path)) {
      const chunks: Uint8Array[] = [];
      for await (const chunk of openZipEntry(path, entry)) chunks.push(Buffer.from(chunk));
      buildings += Buffer.concat(chunks).toString('latin1').split('<bldg:Building ').length - 1;
    }
    const said = `${buildings.toLocaleString('en')} buildings`;
    for (const file of ['samples/real/CREDITS.md', 'README.md', 'CHANGELOG.md', 'src/cli/start.ts'])
      assert.ok(readFileSync(join(ROOT, file), 'utf8').includes(said), `${file}: ${said}`);
  });
});

describe('a trimmed shapefile', { skip: skipWithout('census') }, () => {
  const file = (extension: string) => readFileSync(sharedData(`census/r2ka13101.${extension}`)!);
  const published = { shp: file('shp'), dbf: file('dbf') };
  const shapes = readShapes(published.shp, 'published.shp');
  const rows = readDbase(published.dbf, 'published.dbf').rows;

  it('is the published one where the box covers everything', () => {
    const whole = trimShapefile(published, [139, 35, 140, 36]);
    assert.deepEqual(whole.shp, published.shp);
    assert.deepEqual(whole.shx, file('shx'));
    assert.deepEqual(readDbase(whole.dbf, 'whole.dbf').rows, rows);
  });

  it('keeps the records that meet the box, with their rows', () => {
    const east = 139.7625;
    const trimmed = trimShapefile(published, [east, 35.675, 139.7875, 35.7]);
    const kept = shapes.flatMap((rings, i) => {
      const xs = rings.flatMap((ring) => [...ring.filter((_, k) => k % 2 === 0)]);
      const ys = rings.flatMap((ring) => [...ring.filter((_, k) => k % 2 === 1)]);
      return Math.max(...xs) >= east && Math.max(...ys) >= 35.675 && Math.min(...ys) <= 35.7 ? [i] : [];
    });
    assert.ok(kept.length > 20 && kept.length < shapes.length);
    assert.deepEqual(
      readShapes(trimmed.shp, 'trimmed.shp'),
      kept.map((i) => shapes[i]),
    );
    assert.deepEqual(
      readDbase(trimmed.dbf, 'trimmed.dbf').rows,
      kept.map((i) => rows[i]),
    );
  });
});
