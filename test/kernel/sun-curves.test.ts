import assert from 'node:assert/strict';
import { test } from 'node:test';
import { dayPaths, sunAt } from '../../src/solar/day-path.ts';
import {
  axisOfBin,
  azimuthOfBin,
  binsOfPlanes,
  PLANE_BINS,
  positionOfAzimuth,
} from '../../src/sunlight/image-planes.ts';
import { layCurves, type SunCurves, sunCurves } from '../../src/sunlight/sun-curves.ts';
import { instantiateKernel } from '../../src/sunlight/wasm.ts';

const PLACES = { Tokyo: [35.68, 139.77], Ishigaki: [24.34, 124.16], Wakkanai: [45.4, 141.7] } as const;
const RADIANS = Math.PI / 180;

/** Curves as they lie in a kernel: by rank and bin, slopes with a row before and behind the days. */
function laid(curves: SunCurves) {
  const kernel = instantiateKernel(() => 0);
  layCurves(kernel, curves);
  const floats = (address: { value: number }, rows: number) =>
    new Float32Array(kernel.memory.buffer, address.value, rows * kernel.BINS.value);
  return {
    rankMonth: curves.rankMonth,
    slope: floats(kernel.SUN, 14),
    minute: floats(kernel.MINUTE, 12),
    elapsed: floats(kernel.ELAPSED, 13),
    lowest: floats(kernel.LOWEST_SUN, 1),
  };
}

test('a place among the bins and its azimuth are one', () => {
  for (let bin = 0; bin < binsOfPlanes(PLANE_BINS); bin++) {
    const azimuth = azimuthOfBin(bin, PLANE_BINS);
    assert.ok(Math.abs(positionOfAzimuth(azimuth, PLANE_BINS) - bin) < 1e-6);
  }
});

test('no direction is farther than 0.1° from the centre of a bin', () => {
  for (let bin = 0; bin + 1 < binsOfPlanes(PLANE_BINS); bin++) {
    assert.ok(azimuthOfBin(bin + 1, PLANE_BINS) - azimuthOfBin(bin, PLANE_BINS) < 0.2);
  }
});

for (const [name, [lat, lon]] of Object.entries(PLACES)) {
  const convergence = 1.7;
  const paths = dayPaths(lat, lon);
  const bins = binsOfPlanes(PLANE_BINS);
  const curves = laid(sunCurves(paths, convergence));

  test(`the curves over ${name} are the sun's`, () => {
    let checked = 0;
    for (let rank = 0; rank < 12; rank++) {
      const path = paths[curves.rankMonth[rank]!]!;
      for (let bin = 0; bin < bins; bin += 7) {
        const minute = curves.minute[rank * bins + bin]!;
        if (minute <= path.sunrise || minute >= path.sunset) continue;
        const { azimuthDeg, altitudeDeg } = sunAt(path, minute);
        // A minute is kept in single precision: 6·10⁻⁵ of it, in which the sun near the zenith turns by 10⁻³ degrees.
        assert.ok(Math.abs(azimuthDeg - convergence - azimuthOfBin(bin, PLANE_BINS)) < 2e-3);
        const fromAxis = (azimuthOfBin(bin, PLANE_BINS) - axisOfBin(bin, PLANE_BINS)) * RADIANS;
        const slope = Math.tan(altitudeDeg * RADIANS) / Math.cos(fromAxis);
        assert.ok(Math.abs(curves.slope[(rank + 1) * bins + bin]! - slope) < 1e-4 * Math.max(1, slope * slope));
        checked++;
      }
    }
    assert.ok(checked > 1000);
  });

  test(`over any bin the days over ${name} lie above one another`, () => {
    for (let bin = 0; bin < bins; bin++) {
      for (let rank = 0; rank < 11; rank++) {
        assert.ok(curves.slope[(rank + 1) * bins + bin]! <= curves.slope[(rank + 2) * bins + bin]!);
      }
    }
  });

  test(`the lowest curve over ${name} is that of the lowest sun that is up`, () => {
    for (let bin = 0; bin < bins; bin++) {
      const isUp = (rank: number, at: number): boolean => {
        const minute = curves.minute[rank * bins + at]!;
        const { sunrise, sunset } = paths[curves.rankMonth[rank]!]!;
        return minute > sunrise && minute < sunset;
      };
      const near = [bin - 1, bin, bin + 1].filter((at) => at >= 0 && at < bins);
      const up = Array.from({ length: 12 }, (_, rank) => rank).filter((rank) => near.some((at) => isUp(rank, at)));
      const lowest = Math.min(...up.map((rank) => curves.slope[(rank + 1) * bins + bin]!));
      assert.equal(curves.lowest[bin], lowest);
    }
  });

  test(`all of a day over ${name} passes: its last bin has its whole length`, () => {
    const all = paths.reduce((sum, { sunrise, sunset }) => sum + sunset - sunrise, 0);
    assert.ok(Math.abs(curves.elapsed[12 * bins + bins - 1]! - all) < 0.01);
  });
}

test('where the sun goes round through the north there are no curves', () => {
  assert.throws(() => sunCurves(dayPaths(20.5, 136.1), 0), /20\.5° N/);
});

test('days that repeat one another have the curves of days that are each followed', () => {
  const days = dayPaths(35.68, 139.77);
  const repeated = [5, 0, 5, 5, 5, 0, 5, 5, 5, 5, 5, 5].map((day) => days[day]!);
  const each = repeated.map((path) => ({ ...path }));
  assert.deepEqual(sunCurves(repeated, 1.7), sunCurves(each, 1.7));
});
