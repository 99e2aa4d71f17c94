import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import type { BuildingFull } from '../../src/contract/operations/sunlight-building.ts';
import type { Method, MonthSunlight } from '../../src/contract/sunlight-shapes.ts';
import { packSummary, writeFull } from '../../src/dataset/sunlight-json.ts';
import { JsonWriter } from '../../src/formats/json-bytes.ts';
import { DIRECTIONS } from '../../src/geo/compass.ts';
import { monthAnswer, multiPolygonOf, summaryAnswer, type TownNames } from '../../src/record/answers.ts';
import type { BuildingBody, BuildingHead } from '../../src/record/building-record.ts';
import { decodeRecord, encodeRecord } from '../../src/record/codec.ts';
import { type FaceSunlight, FLOOR_CLASSES, MONTHS } from '../../src/sunlight/result.ts';
import { records } from './support/records.ts';

const METHOD: Method = { reference_year: 2026, day_of_month: 15, time_zone: 'Asia/Tokyo' };

test('the full answer is written as JSON.stringify writes the object, byte for byte', () => {
  const json = new JsonWriter();
  fc.assert(
    fc.property(records, (record) => {
      const decoded = decodeRecord(record.buildingId, encodeRecord(record));
      const townName = (code: string): string => `町${code}`;
      json.begin();
      writeFull(json, packSummary(summaryAnswer(decoded, townName)), decoded, Buffer.from(JSON.stringify(METHOD)));
      assert.equal(json.copy().toString(), JSON.stringify(fullAnswer(decoded, decoded, townName, METHOD)));
    }),
  );
});

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
