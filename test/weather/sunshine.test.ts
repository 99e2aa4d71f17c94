import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { sunAltitudeDeg, sunTable } from '../../src/solar/day-path.ts';
import {
  expectedSunshine,
  LEAST_ALTITUDE_DEG,
  type SunshineChances,
  type SunshineNormal,
  sunshineChances,
} from '../../src/weather/sunshine.ts';

/** Tokyo (47662), 1991–2020. */
const TOKYO = [192.6, 170.4, 175.3, 178.8, 179.6, 124.2, 151.4, 174.2, 126.7, 129.4, 149.8, 174.4];
const DAYS = [31, 28.25, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31];
const PATHS = sunTable('53394611');
/** Sunny mornings, dull afternoons. */
const MORNINGS = TOKYO.map(() => Array.from({ length: 24 }, (_, hour) => (hour < 12 ? 0.8 : 0.2)));

/** Hours a day of one month. */
const expectedHours = (lit: number[], receptors: number, month: SunshineChances): number =>
  expectedSunshine([lit], receptors, [month]).hours[0];

const normal = (shares: SunshineNormal['shares']): SunshineNormal => ({ hours: TOKYO, shares });

describe('the sunshine of a normal year', () => {
  for (const [name, shares] of [
    ['without shares by hour', null],
    ['with shares by hour', MORNINGS],
  ] as const) {
    it(`a place with nothing in its way gets the hours of the normal, ${name}`, () => {
      const open = PATHS.map(({ sunrise, sunset }) => [sunrise, sunset]);
      const { hours, year } = expectedSunshine(open, 1, sunshineChances(PATHS, normal(shares)));
      for (const [month, wanted] of TOKYO.entries()) {
        const found = hours[month] * DAYS[month];
        assert.ok(Math.abs(found - wanted) < 1e-6, `month ${month + 1}: ${found}`);
      }
      assert.ok(Math.abs(year - TOKYO.reduce((sum, value) => sum + value)) < 1e-6, `year: ${year}`);
    });
  }

  it('is the same for every hour where no shares are known, and follows them where they are', () => {
    const morning = [[8 * 60, 11 * 60]];
    const evening = [[13 * 60, 16 * 60]];
    for (const [shares, ratio] of [
      [null, 1],
      [MORNINGS, 4],
    ] as const) {
      const [, , march] = sunshineChances(PATHS, normal(shares));
      const [east, west] = [morning, evening].map((lit) => expectedHours(lit.flat(), 1, march));
      assert.ok(Math.abs(east / west - ratio) < 1e-9, `${east} : ${west}`);
    }
  });

  it('does not count sun that is lower than sunshine can be', () => {
    const chances = sunshineChances(PATHS, normal(null));
    for (const [month, { from, to }] of chances.entries()) {
      for (const minute of [from, to]) {
        assert.ok(Math.abs(sunAltitudeDeg(PATHS[month], minute) - LEAST_ALTITUDE_DEG) < 1e-6);
      }
      assert.equal(expectedHours([PATHS[month].sunrise, from, to, PATHS[month].sunset], 1, chances[month]), 0);
    }
  });

  it('is a mean over receptors', () => {
    const [january] = sunshineChances(PATHS, normal(null));
    const one = expectedHours([600, 720], 1, january);
    assert.ok(Math.abs(expectedHours([600, 720], 2, january) - one / 2) < 1e-12);
    assert.ok(Math.abs(expectedHours([600, 720, 600, 720], 2, january) - one) < 1e-12);
  });

  it('the hours of sunrise and sunset take the share of the next whole hour', () => {
    const shares = TOKYO.map(() => Array.from({ length: 24 }, (_, hour) => (hour >= 7 && hour < 16 ? 0.7 : 0)));
    const [january] = sunshineChances(PATHS, normal(shares));
    assert.equal(january.chances[16], january.chances[15]);
    assert.equal(january.chances[6], january.chances[7]);
  });
});
