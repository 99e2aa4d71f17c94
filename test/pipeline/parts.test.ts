import assert from 'node:assert/strict';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { openDataset } from '../../src/dataset/open.ts';
import { verifyDataset } from '../../src/dataset/verify.ts';
import type { BuildOutcome } from '../../src/pipeline/build.ts';
import { Part } from '../../src/pipeline/part.ts';
import { readManifest } from '../../src/snapshot/manifest.ts';
import { cityGml, LAT, LON, townsInSquares, writeFiles } from '../support/small-city.ts';
import { tempFolder } from '../support/temp-folder.ts';
import { built, fingerprints, runBuild } from './run-build.ts';

const folder = tempFolder({ after });
const at = (...names: string[]): string => join(folder, ...names);
let whole: BuildOutcome;
let parts: BuildOutcome[];
const SQUARES = ['53394611', '53394612', '53394613', '53394621', '53394622', '53394623'];

before(async () => {
  const towns = townsInSquares(6, 15);
  const files = Object.fromEntries(towns.map((houses, i) => [`${SQUARES[i]}_bldg_6697_op.gml`, cityGml(houses)]));
  await writeFiles(at('city'), files);
  await writeFiles(at('registry'), {
    'mt_rsdtdsp_blk_pref13.csv': `lg_code,machiaza_id,blk_id,city,ward,oaza_cho,chome,koaza,blk_num,ablt_date\n131016,0001003,005,千代田区,,飯田橋,三丁目,,5,\n`,
    'mt_rsdtdsp_blk_pos_pref13.csv': `lg_code,machiaza_id,blk_id,rep_lat,rep_lon,rep_srid\n131016,0001003,005,${LAT + 0.001},${LON + 0.002},EPSG:6668\n`,
  });
  whole = await built({ out: at('whole'), citygml: [at('city')] });
  const of = (codes: string[]): Promise<BuildOutcome> =>
    built({ out: at(codes.join('-')), citygml: [at('city')], addresses: [at('registry')], part: new Part(codes) });
  parts = [await of(['53394611', '53394612']), await of(['53394613', '53394621', '53394622', '53394623'])];
});

describe('a build of a part', () => {
  it('serves the buildings of its grid squares alone, shaded by those around', async () => {
    assert.deepEqual(
      parts.map(({ report }) => report.sunlight!.buildings),
      [30, 60].map((served) => ({ read: 90, merged: 0, left_out: 0, shading: 90, served })),
    );
    const [one, all] = await Promise.all([parts[0]!.dataset, whole.dataset].map((dataset) => openDataset(dataset)));
    const id = '13101-bldg-1001';
    assert.deepEqual(one!.sunlight!.full(id)!.toJSON(), all!.sunlight!.full(id)!.toJSON());
    assert.equal(one!.sunlight!.full('13101-bldg-2001'), null);
    await Promise.all([one!.close(), all!.close()]);
  });

  it('has nothing to do where no city model is near', async () => {
    const run = await runBuild(['--out', at('far'), '--citygml', at('city'), '--part', '5135']);
    assert.equal(run.code, 1);
    assert.match(run.stderr, /no city model lies within 20 km of 5135/);
  });
});

describe('parts that are joined', () => {
  it('give the store, the squares and the index of names that one build gives', async () => {
    const joined = await built({ out: at('joined'), citygml: [], parts: parts.map(({ dataset }) => dataset) });
    const [ours, theirs] = await Promise.all([fingerprints(joined.dataset), fingerprints(whole.dataset)]);
    assert.deepEqual(Object.keys(ours), Object.keys(theirs));
    // The others state the ID of the dataset, which tells what went in.
    const states = ['manifest.json', 'blocks.crc32', 'map.pmtiles', 'bulk/'];
    for (const [name, sha256] of Object.entries(ours)) {
      if (!states.some((start) => name.startsWith(start))) assert.equal(sha256, theirs[name], name);
    }
    assert.deepEqual((await verifyDataset(joined.dataset)).differences, []);
    const { halves } = await readManifest(joined.dataset);
    assert.doesNotMatch(halves.sunlight!.attribution, /デジタル庁/, 'addresses are not taken over');
    const { shading, served } = joined.report.sunlight!.buildings;
    assert.deepEqual([shading, served], [90, 90]);
  });

  it('are searched by the addresses that the join is given, credited once', async () => {
    const addresses = [at('registry')];
    const joined = await built({
      out: at('found'),
      citygml: [],
      addresses,
      parts: parts.map(({ dataset }) => dataset),
    });
    const opened = await openDataset(joined.dataset);
    assert.equal(opened.search!.find('飯田橋3-5', 'address', 5).places.length, 1);
    assert.equal(opened.manifest.halves.sunlight!.attribution.match(/デジタル庁/g)?.length, 1);
    await opened.close();
  });

  it('must not serve the same grid square', async () => {
    const twice = [parts[0]!.dataset, parts[0]!.dataset];
    await assert.rejects(built({ out: at('twice'), citygml: [], parts: twice }), /square 53394611 is served by both/);
  });
});

describe('a part', () => {
  it('reaches 20 km, whatever the order of its squares', () => {
    const part = new Part(['5339']);
    assert.ok(part.owns('53394611') && !part.owns('53404611'));
    assert.ok(part.isInReach('53400000') && !part.isInReach('53404400'));
    assert.ok(part.mayNeed('udx/bldg/53400000_bldg_6697_op.gml'));
    assert.ok(part.mayNeed('533900_bldg.gml') && part.mayNeed('city.gml'));
    assert.ok(!part.mayNeed('523500_bldg_6697_op.gml'));
    assert.throws(() => new Part(['53398']), RangeError);
  });
});
