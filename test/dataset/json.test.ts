import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import fc from 'fast-check';
import type { BuildingFull } from '../../src/contract/operations/sunlight-building.ts';
import type { Method, MonthSunlight } from '../../src/contract/sunlight-shapes.ts';
import { openDataset } from '../../src/dataset/open.ts';
import { JsonWriter } from '../../src/formats/json-bytes.ts';
import { DIRECTIONS } from '../../src/geo/compass.ts';
import { monthAnswer, multiPolygonOf, summaryAnswer, type TownNames } from '../../src/record/answers.ts';
import type { BuildingBody, BuildingHead, BuildingRecord } from '../../src/record/building-record.ts';
import { decodeRecord, encodeRecord } from '../../src/record/codec.ts';
import { SCHEMA_VERSION } from '../../src/snapshot/manifest.ts';
import { type FaceSunlight, FLOOR_CLASSES, MONTHS } from '../../src/sunlight/result.ts';
import { attributesInTurn } from '../support/attributes.ts';
import { tempFolder } from '../support/temp-folder.ts';
import { publishRecords, town } from './support/dataset.ts';
import { records } from './support/records.ts';

const METHOD: Method = { reference_year: 2026, day_of_month: 15, time_zone: 'Asia/Tokyo' };
const SEED = Number(process.env.SEED ?? Date.now() % 1_000_000);

test(`answers are written as JSON.stringify writes the objects, byte for byte, whatever their texts (SEED=${SEED})`, async (t) => {
  // Of one ward, since every ward has a file of its own.
  const all = fc.sample(records, { numRuns: 400, seed: SEED }).map((record) => {
    const [, number] = record.buildingId.split('-bldg-');
    return { ...record, wardCode: '13101', buildingId: `13101-bldg-${number}` };
  });
  const codes = [...new Set(all.flatMap(({ townCode }) => townCode ?? []))];
  const names = fc.sample(fc.option(fc.string({ unit: 'grapheme' })), { numRuns: codes.length, seed: SEED });
  const towns = codes.map((code, i) => town(code, names[i] ?? null, null));
  const townName: TownNames = (code) => names[codes.indexOf(code)] ?? null;
  const dataset = await openDataset(await publishRecords(tempFolder(t), all, towns));
  t.after(() => dataset.close());
  const sunlight = dataset.sunlight!;
  for (const record of new Map(all.map((one) => [one.buildingId, one])).values()) {
    const { buildingId, lat, lon } = record;
    const decoded = decodeRecord(buildingId, encodeRecord(record));
    const summary = JSON.stringify(summaryAnswer(decoded, townName));
    assert.equal(sunlight.summary(buildingId)?.bytes.toString(), summary);
    const full = JSON.stringify(fullAnswer(decoded, decoded, townName, METHOD));
    assert.equal(sunlight.full(buildingId)?.bytes.toString(), full);
    const near = sunlight.near(lat, lon, 300, 1000);
    const { distance_m } = near.toJSON().buildings.find(({ building_id }) => building_id === buildingId)!;
    assert.ok(near.bytes.toString().includes(`{"distance_m":${distance_m},${summary.slice(1)}`));
  }
  const { answer } = sunlight.summaries(all.map(({ buildingId }) => buildingId));
  const listed = all.map(({ buildingId }) => sunlight.summary(buildingId)?.toJSON());
  assert.deepEqual(answer.toJSON().buildings, listed, 'long answers are put together as short ones');
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

test('what an error has left unfinished is not in the next answer', () => {
  const json = new JsonWriter();
  json.text('{"buildings":[');
  json.begin();
  json.text('{}');
  assert.equal(json.copy().toString(), '{}');
});

/**
 * A digest of a store with all kinds of values. With another layout it changes, and then SCHEMA_VERSION must grow:
 * GOLDEN=write writes it for a newer version only.
 */
const LAYOUT = new URL('../golden/store-layout.json', import.meta.url);

test('the layout of the store is that of its schema version', async (t) => {
  const towns = [town('131010010', '丸の内', null), town('13101001001', '丸の内一丁目', 'まるのうち1ちょうめ')];
  const folder = await publishRecords(tempFolder(t), Array.from({ length: 48 }, everyKind), towns);
  const digest = createHash('sha256')
    .update(readFileSync(join(folder, 'sunlight.store')))
    .digest('hex');
  const layout = { schemaVersion: SCHEMA_VERSION, digest: digest.slice(0, 16) };
  const golden = JSON.parse(readFileSync(LAYOUT, 'utf8'));
  if (process.env.GOLDEN === 'write' && SCHEMA_VERSION > golden.schemaVersion)
    writeFileSync(LAYOUT, `${JSON.stringify(layout)}\n`);
  else assert.deepEqual(layout, golden);
});

/** Record `i` of a series in which every attribute takes all its values. */
function everyKind(_: unknown, i: number): BuildingRecord {
  const ring = Float64Array.of(35.68, 139.76, 35.68, 139.7601, 35.6801, 139.7601);
  const minutes = (count: number) => Array.from({ length: count }, (_, m) => ((i * 31 + m * 7) % 900) * 0.6);
  return {
    buildingId: `13101-bldg-${i}`,
    wardCode: '13101',
    townCode: [null, '131010010', '13101001001'][i % 3]!,
    lat: 35.68005,
    lon: 139.76005,
    footprints: i % 2 === 0 ? [{ rings: [ring] }] : [{ rings: [ring, ring] }, { rings: [ring] }],
    ...attributesInTurn(i),
    baseM: i - 3,
    topM: 4 * i + 1.25,
    floors: [1, Math.ceil((i + 1) / 2), i + 1].map((floor) => ({ floor, heightM: floor })),
    faces: [0, 2, 5].slice(0, i % 4).map((face) => ({
      face,
      azimuthDeg: face * 45 + 1.5,
      wallLengthM: 12.34 + i,
      receptors: 3,
      sunMinutes: minutes(36),
      unshadedMinutes: minutes(12),
      windows: Array.from({ length: 36 }, (_, m) => (m % 5 === 0 ? [] : [400 + m + i, 600 + m, 700, 800 + i])),
    })),
    shadingSources: [null, '13101-bldg-7'].slice(0, i % 3).map((buildingId) => ({
      kind: 'building' as const,
      buildingId,
      distanceM: 12.5,
      azimuthDeg: 123.4,
      heightM: 56.7,
      blockedHours: 1.25,
      share: 0.4321,
    })),
    selfShadedShare: i / 100,
  };
}

/** Everything about a building. */
function fullAnswer(head: BuildingHead, body: BuildingBody, townName: TownNames, method: Method): BuildingFull {
  return {
    ...summaryAnswer(head, townName),
    faces: body.faces.map((face) => faceAnswer(face, body)),
    shading_sources: body.shadingSources.map((source) => ({
      kind: source.kind,
      building_id: source.buildingId,
      distance_m: source.distanceM,
      azimuth_deg: source.azimuthDeg,
      height_m: source.heightM,
      blocked_hours: source.blockedHours,
      share: source.share,
    })),
    self_shaded_share: body.selfShadedShare,
    footprint: multiPolygonOf(head.footprints),
    method,
  };
}

function faceAnswer(face: FaceSunlight, { faces, floors }: BuildingBody): BuildingFull['faces'][number] {
  const all = faces.reduce((sum, { wallLengthM }) => sum + Math.round(wallLengthM * 100), 0);
  const isLong = ({ wallLengthM }: FaceSunlight): boolean =>
    wallLengthM >= 10 || (wallLengthM >= 2 && Math.round(wallLengthM * 100) >= all / 20);
  const floor = (index: number): BuildingFull['faces'][number]['floors']['first'] => {
    const months: MonthSunlight[] = [];
    for (let month = 0; month < MONTHS; month++) {
      const at = index * MONTHS + month;
      months.push(monthAnswer(month + 1, face.sunMinutes[at]!, face.unshadedMinutes[month]!, face.windows[at]!));
    }
    return { floor: floors[index]!.floor, height_m: floors[index]!.heightM, months };
  };
  return {
    face: DIRECTIONS[face.face]!,
    azimuth_deg: face.azimuthDeg,
    wall_length_m: face.wallLengthM,
    headline: isLong(face) || !faces.some(isLong),
    receptors: face.receptors,
    floors: {
      first: floor(FLOOR_CLASSES.indexOf('first')),
      middle: floor(FLOOR_CLASSES.indexOf('middle')),
      top: floor(FLOOR_CLASSES.indexOf('top')),
    },
  };
}
