import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { roundedAzimuth } from '../../src/geo/rounding.ts';
import { type FaceSunlight, ShadingTally } from '../../src/sunlight/result.ts';
import { hoursOfMinutes, summarise } from '../../src/sunlight/summary.ts';
import { meanMinutes, sunlitWindows } from '../../src/sunlight/windows.ts';

/** What is lit; lit intervals of all receptors; number of receptors; windows. */
const WINDOWS: [what: string, intervals: number[], receptors: number, windows: number[]][] = [
  ['nothing', [], 3, []],
  ['one receptor, to the nearest minute', [400.4, 500.6], 1, [400, 501]],
  ['one of two is half', [400, 500], 2, [400, 500]],
  ['one of three is not', [400, 500], 3, []],
  ['two of three where they overlap', [400, 500, 450, 550], 3, [450, 500]],
  ['two of four, in any order', [600, 700, 300, 400, 350, 450, 620, 640], 4, [350, 400, 620, 640]],
  ['a gap under a minute is closed', [400, 500, 500.9, 600], 1, [400, 600]],
  ['a gap of a minute is not', [400, 500, 501, 600], 1, [400, 500, 501, 600]],
  ['a window under a minute is dropped', [400, 400.9, 500, 600], 1, [500, 600]],
  ['gaps are closed first', [400, 400.6, 401, 401.4], 1, [400, 401]],
  ['one receptor takes over from the other', [400, 450, 450, 500], 2, [400, 500]],
];

for (const [what, intervals, receptors, windows] of WINDOWS) {
  test(`windows: ${what}`, () => assert.deepEqual(sunlitWindows(intervals, receptors), windows));
}

test('windows agree with counting receptors instant by instant', () => {
  const interval = fc.tuple(fc.integer({ min: 0, max: 60 }), fc.integer({ min: 2, max: 20 }));
  fc.assert(
    fc.property(fc.array(interval, { maxLength: 6 }), (starts) => {
      // One interval per receptor, on whole tens of minutes: neither gaps nor windows are short, nothing is rounded.
      const lit = starts.map(([start, length]) => [start * 10, (start + length) * 10] as const);
      const windows = sunlitWindows(lit.flat(), lit.length);
      for (let minute = 5; minute < 800; minute += 10) {
        const count = lit.filter(([start, end]) => start < minute && minute < end).length;
        const inside = windows.some((start, i) => i % 2 === 0 && start < minute && minute < windows[i + 1]!);
        assert.equal(inside, lit.length > 0 && count >= lit.length / 2, `minute ${minute}`);
      }
    }),
    { numRuns: 500, seed: 71 },
  );
});

test('mean minutes are those of one receptor, unrounded', () => {
  assert.equal(meanMinutes([400, 500.5, 420, 421], 4), 101.5 / 4);
  assert.equal(meanMinutes([], 4), 0);
});

test('shading sources: the five that block most, ties by index, the own walls apart', () => {
  const tally = new ShadingTally(7);
  for (const [building, minutes] of [
    [9, 10],
    [7, 500],
    [3, 20],
    [4, 20],
    [9, 15],
    [1, 5],
    [2, 1],
    [8, 2],
    [5, 0],
  ] as const) {
    tally.add(building, minutes, building === 3);
  }
  assert.deepEqual(tally.result(), {
    sources: [
      { building: 9, blockedMinutes: 25 },
      { building: 3, blockedMinutes: 20 },
      { building: 4, blockedMinutes: 20 },
      { building: 1, blockedMinutes: 5 },
      { building: 8, blockedMinutes: 2 },
    ],
    blockedMinutes: 573,
    selfBlockedMinutes: 500,
    roofBlockedMinutes: 20,
    terrain: null,
  });
  assert.deepEqual(new ShadingTally(0).result(), {
    sources: [],
    blockedMinutes: 0,
    selfBlockedMinutes: 0,
    roofBlockedMinutes: 0,
    terrain: null,
  });
});

test('hours to 0.01, azimuths to 0.1 and never 360', () => {
  assert.deepEqual([0, 59, 100, 582.5, 600.4].map(hoursOfMinutes), [0, 0.98, 1.67, 9.71, 10.01]);
  assert.deepEqual([0, 12.34, 359.94, 359.96, 180.05].map(roundedAzimuth), [0, 12.3, 359.9, 0, 180.1]);
});

/** A face with the same minutes on every floor of a month, but for December. */
function face(
  index: number,
  azimuthDeg: number,
  every: number,
  decemberFirst: number,
  decemberTop: number,
): FaceSunlight {
  const sunMinutes: number[] = new Array(36).fill(every);
  sunMinutes[11] = decemberFirst;
  sunMinutes[35] = decemberTop;
  return {
    face: index,
    azimuthDeg,
    wallLengthM: 10,
    receptors: 2,
    sunMinutes,
    unshadedMinutes: new Array(12).fill(700),
    windows: [],
  };
}

test('summary: most sun in December at the top, the face nearest to south, the best mean of the year', () => {
  const faces = [face(1, 40, 10, 0, 0), face(3, 140, 300, 60, 420), face(5, 219, 480, 120, 400)];
  assert.deepEqual(summarise(faces), {
    decemberTopBest: { face: 3, azimuthDeg: 140, directSunHours: 7 },
    decemberFirstSouth: { face: 5, azimuthDeg: 219, directSunHours: 2 },
    // (11 · 8 h + 6.67 h) / 12
    annualMeanHours: 7.89,
  });
});

test('summary: a face stands for its building from 10 m on, or from 2 m and 5 % of all walls; where none is so long all do', () => {
  const long = face(3, 140, 300, 60, 420);
  const sunny = face(4, 180, 480, 120, 500);
  const of = (wallLengthM: number, other = 30) =>
    summarise([
      { ...long, wallLengthM: other },
      { ...sunny, wallLengthM },
    ]).decemberTopBest.face;
  assert.deepEqual(
    [0.11, 1.99, 2, 30].map((length) => of(length)),
    [3, 3, 4, 4],
  );
  // 5 % of all walls: 5 of 100 m, and not 4.99 of 100.
  assert.deepEqual([of(4.99, 95.01), of(5, 95)], [3, 4]);
  // The end of a long hall.
  assert.deepEqual([of(9.99, 600), of(10, 600)], [3, 4]);
  // A shed of two short walls.
  assert.equal(of(0.5, 1.9), 4);
});

test('summary: ties go by face order, after rounding', () => {
  const faces = [face(3, 140, 300, 1, 300.1), face(5, 220, 300, 2, 300.2)];
  assert.equal(summarise(faces).decemberTopBest.face, 3, '300.1 and 300.2 minutes are both 5.00 h');
  assert.equal(summarise(faces).decemberFirstSouth.face, 3, 'both are 40° from south');
});
