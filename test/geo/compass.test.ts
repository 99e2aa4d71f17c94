import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type Direction, directionOf, faceTowards } from '../../src/geo/compass.ts';

const facesAt = (...azimuths: number[]) =>
  azimuths.map((azimuthDeg) => ({ face: directionOf(azimuthDeg), azimuthDeg }));

test('a face stands in for a direction in which none looks: the nearest within 67.5°', () => {
  const cases: [Direction, number[], number | null][] = [
    ['S', [20, 155, 185], 185],
    ['S', [155, 220], 155],
    ['S', [215, 148], 148],
    ['S', [112.5, 330], 112.5],
    ['S', [112, 249], null],
    ['N', [23, 336.9], 23],
    ['N', [60, 300], 60],
    ['N', [], null],
  ];
  for (const [direction, azimuths, expected] of cases) {
    const found = faceTowards(direction, facesAt(...azimuths));
    assert.equal(found?.azimuthDeg ?? null, expected, `${direction} of ${azimuths}`);
  }
});
