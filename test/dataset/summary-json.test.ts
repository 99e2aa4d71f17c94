import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { test } from 'node:test';
import fc from 'fast-check';
import type { BuildingSummary } from '../../src/contract/sunlight-shapes.ts';
import { encodeEntry } from '../../src/dataset/cell.ts';
import { keptBuildingId, packSummary, writeSummary, writeSummaryMembers } from '../../src/dataset/sunlight-json.ts';
import { JsonWriter } from '../../src/formats/json-bytes.ts';
import { summaryAnswer, usageName } from '../../src/record/answers.ts';
import { boxOf } from '../../src/record/building-record.ts';
import { decodeHead, encodeRecord } from '../../src/record/codec.ts';
import { SCHEMA_VERSION } from '../../src/snapshot/manifest.ts';
import { records } from './support/records.ts';

const summaries = fc
  .tuple(records, fc.option(fc.string({ unit: 'grapheme' })))
  .map(([record, name]) => summaryAnswer(decodeHead(record.buildingId, encodeRecord(record)), () => name));

test('a kept summary gives the JSON of the summary, whatever its texts', () => {
  const json = new JsonWriter();
  fc.assert(
    fc.property(summaries, (summary) => {
      const kept = packSummary(summary);
      json.begin();
      writeSummary(json, kept);
      assert.equal(json.show(String), JSON.stringify(summary));
      json.begin();
      json.text('{"distance_m":1.5');
      writeSummaryMembers(json, Buffer.concat([Buffer.from('xx'), kept]), 2);
      assert.equal(json.show(String), JSON.stringify({ distance_m: 1.5, ...summary }));
      assert.equal(keptBuildingId(kept), summary.building_id);
    }),
  );
});

test('hundredths are written as JSON writes the number', () => {
  const json = new JsonWriter();
  const written = (hundredths: number): string => {
    json.begin();
    json.hundredths(hundredths);
    return json.show(String);
  };
  for (let i = 0; i < 2000; i++) assert.equal(written(i), JSON.stringify(i / 100));
  fc.assert(fc.property(fc.nat(), (hundredths) => assert.equal(written(hundredths), JSON.stringify(hundredths / 100))));
});

test('long answers are put together as short ones', () => {
  const json = new JsonWriter();
  const all = fc.sample(summaries, { numRuns: 300, seed: 5 });
  json.text('["丸の内"');
  for (const summary of all) {
    json.text(',');
    writeSummary(json, packSummary(summary));
  }
  json.text(']');
  assert.equal(json.show(String), JSON.stringify(['丸の内', ...all]));
});

test('what an error has left unfinished is not in the next answer', () => {
  const json = new JsonWriter();
  json.text('{"buildings":[');
  json.begin();
  json.text('{}');
  assert.equal(json.show(String), '{}');
});

test('kept summaries are ordered as their IDs', () => {
  fc.assert(
    fc.property(summaries, summaries, (one, other) => {
      const byId = one.building_id < other.building_id ? -1 : Number(one.building_id > other.building_id);
      if (byId !== 0) assert.equal(Buffer.compare(packSummary(one), packSummary(other)), byId);
    }),
  );
});

/** A digest of what a cell holds of some buildings. With another layout it changes, and then SCHEMA_VERSION must grow. */
const LAYOUT = { schemaVersion: 10, digest: 'b8dedfb726adc191' };

test('the layout of a cell is that of its schema version', () => {
  const hash = createHash('sha256');
  const ring = Float64Array.of(35.68, 139.76, 35.68, 139.7601, 35.6801, 139.7601);
  const place = { lat: 35.68005, lon: 139.76005, footprints: [{ rings: [ring, ring] }, { rings: [ring] }] };
  const codes = ['401', '402', '403', '411', '412', '413', '414', '415', '461', '999', null];
  const hours = (i: number) =>
    i % 5 === 0 ? null : { face: 'SE' as const, azimuth_deg: 135.5 + i, direct_sun_hours: i / 4 };
  for (let i = 0; i < 48; i++) {
    const summary: BuildingSummary = {
      building_id: `13101-bldg-${i}`,
      ward_code: '13101',
      town_code: i % 3 === 0 ? null : '13101001001',
      town_name: i % 3 === 0 ? null : '丸の内一丁目',
      lat: 35.68005,
      lon: 139.76005,
      usage: usageName(codes[i % codes.length]!),
      usage_code: codes[i % codes.length]!,
      height_m: i + 0.25,
      measured_height_m: i % 4 === 0 ? null : i + 0.5,
      storeys: i,
      storeys_estimated: i % 2 === 0,
      december_top_best: hours(i),
      december_first_south: hours(i),
      annual_mean_hours: hours(i) && 3.25,
      quality: {
        lod: i % 3,
        height_source: i % 4 === 0 ? 'measured_height' : 'solid',
        base_source: (['solid', 'solid', 'lod0', 'assumed_zero'] as const)[i % 4]!,
        surroundings: i % 5 === 1 ? 'open' : 'complete',
        surveyed_on: [null, '2016', '2020-04-01'][i % 3]!,
      },
    };
    hash.update(encodeEntry(35680, 139760 - (i % 2), boxOf(place), packSummary(summary), place.footprints));
  }
  assert.deepEqual({ schemaVersion: SCHEMA_VERSION, digest: hash.digest('hex').slice(0, 16) }, LAYOUT);
});
