import assert from 'node:assert/strict';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { test } from 'node:test';
import fc from 'fast-check';
import type { BuildingFull } from '../../src/contract/operations/sunlight-building.ts';
import type { BuildingSummary } from '../../src/contract/sunlight-shapes.ts';
import { openDataset } from '../../src/dataset/open.ts';
import { tempFolder } from '../support/temp-folder.ts';
import { publishRecords, town } from './support/dataset.ts';
import { fromGolden, type GoldenRecord } from './support/golden-record.ts';
import { records } from './support/records.ts';

/**
 * Each file: `record`, the kernel's result as the build hands it over, and the answers to it, `summary` and `full`.
 * `GOLDEN=write node --test test/dataset/answers.test.ts` writes the answers of now, to be looked at before they are kept.
 */
const GOLDEN = new URL('../golden/answers/', import.meta.url);
const TOWNS = [town('13101001001', '丸の内一丁目', null)];

interface Golden {
  record: GoldenRecord;
  summary: BuildingSummary;
  full: BuildingFull;
}

/** Indented, with each list of numbers and texts on one line. */
const layout = (value: unknown): string =>
  JSON.stringify(value, null, 1).replace(
    /\[\s+([^[\]{}]*?)\s*\]/g,
    (_, list: string) => `[${list.replace(/\s+/g, ' ')}]`,
  );

for (const file of readdirSync(GOLDEN)) {
  test(`answers of ${file}`, async (t) => {
    const golden: Golden = JSON.parse(readFileSync(new URL(file, GOLDEN), 'utf8'));
    const dataset = await openDataset(await publishRecords(tempFolder(t), [fromGolden(golden.record)], TOWNS));
    t.after(() => dataset.close());
    const { buildingId, lat, lon } = golden.record;
    if (process.env.GOLDEN === 'write') {
      golden.summary = dataset.sunlight!.summary(buildingId)!.toJSON();
      golden.full = dataset.sunlight!.full(buildingId)!.toJSON();
      writeFileSync(new URL(file, GOLDEN), `${layout(golden)}\n`);
    }
    // As text, so that the order of the keys counts.
    const same = (answer: unknown, expected: unknown): void =>
      assert.equal(JSON.stringify(answer, null, 1), JSON.stringify(expected, null, 1));
    same(dataset.sunlight!.summary(buildingId), golden.summary);
    same(dataset.sunlight!.full(buildingId), golden.full);
    same(dataset.sunlight!.near(lat, lon, 100, 50), {
      lat,
      lon,
      radius_m: 100,
      count: 1,
      truncated: false,
      buildings: [{ distance_m: 0, ...golden.summary }],
    });
  });
}

test('the summary can be made again from the full answer', async (t) => {
  const all = fc
    .sample(records, { numRuns: 100, seed: 2 })
    .filter(({ faces }) => faces.length > 0)
    .map((record, i) => ({ ...record, buildingId: `13101-bldg-${i}` }));
  const dataset = await openDataset(await publishRecords(tempFolder(t), all, []));
  t.after(() => dataset.close());
  for (const { buildingId } of all) {
    const {
      december_top_best,
      december_first_south,
      annual_mean_hours,
      faces: all,
    } = dataset.sunlight!.full(buildingId)!.toJSON();
    const faces = all.filter(({ headline }) => headline);
    const december = (floor: 'first' | 'top') => faces.map(({ floors }) => floors[floor].months[11]!.direct_sun_hours);
    const best = Math.max(...december('top'));
    assert.equal(december_top_best!.direct_sun_hours, best);
    assert.equal(december_top_best!.face, faces[december('top').indexOf(best)]!.face);
    const turns = faces.map(({ azimuth_deg }) => Math.abs(azimuth_deg - 180));
    const south = turns.indexOf(Math.min(...turns));
    assert.equal(december_first_south!.face, faces[south]!.face);
    assert.equal(december_first_south!.direct_sun_hours, december('first')[south]);
    const means = faces.map(
      ({ floors }) => floors.top.months.reduce((sum, { direct_sun_hours }) => sum + direct_sun_hours, 0) / 12,
    );
    assert.ok(Math.abs(annual_mean_hours! - Math.max(...means)) <= 0.005 + 1e-9);
  }
});
