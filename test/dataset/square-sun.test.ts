import assert from 'node:assert/strict';
import { test } from 'node:test';
import { areCurvesOf, keptZone, madeCurves, packCurves, squareSun, unpackCurves } from '../../src/city/square-sun.ts';
import { solarDay } from '../../src/solar/solar-day.ts';
import { RULE_DAYS } from '../../src/sunlight/assessments.ts';

/** Tokyo, Ishigaki, Wakkanai, Minamitorishima. */
const SQUARES = ['53394611', '36245000', '68411500', '36535700'];

for (const square of SQUARES) {
  test(`the kept curves of grid square ${square} are bit for bit those that are computed`, () => {
    const packed = packCurves(madeCurves(square));
    assert.ok(packed.length < 44_000, `${packed.length} bytes`);
    const kept = unpackCurves(packed);
    const zone = keptZone(square);
    for (const days of [undefined, RULE_DAYS]) {
      const [computed, read] = [squareSun(square, zone, days), squareSun(square, zone, days, kept)];
      assert.deepEqual(read.curves, computed.curves);
      assert.deepEqual(read.paths, computed.paths);
    }
  });
}

test('a day that is not kept is computed', () => {
  const square = '53394611';
  const days = [solarDay(2026, 6, 3)];
  const kept = unpackCurves(packCurves(madeCurves(square)));
  assert.deepEqual(squareSun(square, 9, days, kept), squareSun(square, 9, days));
});

test('curves of another grid square are told from its own', () => {
  const kept = unpackCurves(packCurves(madeCurves('53394611')));
  assert.ok(areCurvesOf('53394611', kept));
  assert.ok(!areCurvesOf('53394612', kept));
});
