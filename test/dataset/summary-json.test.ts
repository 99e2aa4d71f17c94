import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { test } from 'node:test';
import fc from 'fast-check';
import { encodeEntry } from '../../src/dataset/cell.ts';
import { keptBuildingId, packSummary, writeSummary, writeSummaryMembers } from '../../src/dataset/sunlight-json.ts';
import { JsonWriter } from '../../src/formats/json-bytes.ts';
import { summaryAnswer } from '../../src/record/answers.ts';
import { type BuildingHead, boxOf } from '../../src/record/building-record.ts';
import { decodeHead, encodeRecord } from '../../src/record/codec.ts';
import { SCHEMA_VERSION } from '../../src/snapshot/manifest.ts';
import { attributesInTurn } from '../support/attributes.ts';
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
      assert.equal(json.copy().toString(), JSON.stringify(summary));
      json.begin();
      json.text('{"distance_m":1.5');
      writeSummaryMembers(json, Buffer.concat([Buffer.from('xx'), kept]), 2);
      assert.equal(json.copy().toString(), JSON.stringify({ distance_m: 1.5, ...summary }));
      assert.equal(keptBuildingId(kept), summary.building_id);
    }),
  );
});

test('hundredths are written as JSON writes the number', () => {
  const json = new JsonWriter();
  const written = (hundredths: number): string => {
    json.begin();
    json.hundredths(hundredths);
    return json.copy().toString();
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
  assert.equal(json.copy().toString(), JSON.stringify(['丸の内', ...all]));
});

test('what an error has left unfinished is not in the next answer', () => {
  const json = new JsonWriter();
  json.text('{"buildings":[');
  json.begin();
  json.text('{}');
  assert.equal(json.copy().toString(), '{}');
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
const LAYOUT = { schemaVersion: 20, digest: 'b3698e4f41fce0f1' };

test('the layout of a cell is that of its schema version', () => {
  const hash = createHash('sha256');
  const ring = Float64Array.of(35.68, 139.76, 35.68, 139.7601, 35.6801, 139.7601);
  const place = { lat: 35.68005, lon: 139.76005, footprints: [{ rings: [ring, ring] }, { rings: [ring] }] };
  const faceHours = (i: number) => ({ face: i % 8, azimuthDeg: 135.5 + i, directSunHours: i / 4 });
  for (let i = 0; i < 48; i++) {
    const hours = { decemberTopBest: faceHours(i), decemberFirstSouth: faceHours(2 * i), annualMeanHours: 3.25 };
    const head: BuildingHead = {
      ...place,
      ...attributesInTurn(i),
      buildingId: `13101-bldg-${i}`,
      wardCode: '13101',
      townCode: i % 3 === 0 ? null : '13101001001',
      baseM: 0,
      topM: i + 0.25,
      summary: i % 5 === 0 ? null : hours,
    };
    const summary = summaryAnswer(head, () => (i % 4 === 0 ? null : '丸の内一丁目'));
    hash.update(encodeEntry(35680, 139760 - (i % 2), boxOf(place), packSummary(summary), place.footprints));
  }
  assert.deepEqual({ schemaVersion: SCHEMA_VERSION, digest: hash.digest('hex').slice(0, 16) }, LAYOUT);
});
