import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Body, Equator, Horizon, Observer } from 'astronomy-engine';
import { dayPath, dayPaths, sunAt, sunTable, trueSolarTime } from '../../src/solar/day-path.ts';
import { REFERENCE_DAYS, solarDay, valueAt } from '../../src/solar/solar-day.ts';
import { SunSteps } from '../../src/solar/sun-steps.ts';
import { bennettRefraction, meeusSun } from './meeus.ts';

const DEGREES = 180 / Math.PI;
const JST = 9 * 3_600_000;

/** The corners of Japan and some of its cities. */
const PLACES: [name: string, lat: number, lon: number][] = [
  ['Tokyo', 35.6812, 139.7671],
  ['Osaka', 34.6937, 135.5023],
  ['Wakkanai', 45.4156, 141.6731],
  ['Ishigaki', 24.3448, 124.1572],
  ['Minamitorishima', 24.2867, 153.98],
  ['Okinotorishima', 20.4231, 136.0806],
];

/**
 * What is compared            with                                                    allowed
 * ---------------------------------------------------------------------------------------------------------
 * right ascension, declination the worked examples of Reda & Andreas and of Meeus      0.0005°
 * altitude, azimuth           astronomy-engine asked for every instant by itself      0.0001°
 * altitude, azimuth           Meeus' low-accuracy sun with Bennett's refraction       0.015°
 * sunrise and its azimuth     the National Astronomical Observatory, 1 January 2019   0.8 min, 0.1°
 */
const TOLERANCE = { published: 5e-4, engine: 1e-4, meeus: 0.015, sunriseMinutes: 0.8, sunriseAzimuth: 0.1 };

const near = (actual: number, expected: number, tolerance: number, what: string): void =>
  assert.ok(Math.abs(actual - expected) <= tolerance, `${what}: ${actual}, expected ${expected} ± ${tolerance}`);

/** UTC instant, then apparent right ascension and declination of the sun seen from the centre of the Earth. */
const PUBLISHED: [source: string, utc: number, rightAscension: number, declination: number][] = [
  // NREL/TP-560-34302 (revised 2008), appendix A.5: 17 October 2003, 12:30:30 at UTC−7.
  ['Reda & Andreas, Solar Position Algorithm', Date.UTC(2003, 9, 17, 19, 30, 30), 202.22741, -9.31434],
  // 13 October 1992, 0:00 dynamical time, which ran 59 s ahead of UTC; the values with VSOP87 in full.
  ['Meeus, Astronomical Algorithms, example 25.b', Date.UTC(1992, 9, 13) - 59_000, 198.378178, -7.783871],
];

for (const [source, utc, rightAscension, declination] of PUBLISHED) {
  test(`agrees with ${source}`, () => {
    const day = new Date(utc + JST);
    const share = ((utc + JST) % 86_400_000) / 86_400_000;
    const sun = solarDay(day.getUTCFullYear(), day.getUTCMonth() + 1, day.getUTCDate());
    near((valueAt(sun.rightAscension, share) * DEGREES) % 360, rightAscension, TOLERANCE.published, 'right ascension');
    near(valueAt(sun.declination, share) * DEGREES, declination, TOLERANCE.published, 'declination');
  });
}

for (const [name, lat, lon] of PLACES) {
  test(`${name}: every quarter of an hour as astronomy-engine and Meeus have it`, (t) => {
    const worst = { engine: 0, meeus: 0 };
    const observer = new Observer(lat, lon, 0);
    for (const [month, path] of dayPaths(lat, lon).entries()) {
      for (let minute = Math.ceil(path.sunrise); minute < path.sunset; minute += 15) {
        const utc = Date.UTC(2026, month, 15) - JST + minute * 60_000;
        const sun = sunAt(path, minute);
        const narrowing = Math.cos(sun.altitudeDeg / DEGREES);
        const what = `month ${month + 1}, minute ${minute}`;

        const equator = Equator(Body.Sun, new Date(utc), observer, true, true);
        const engine = Horizon(new Date(utc), observer, equator.ra, equator.dec, 'normal');
        const meeus = meeusSun(utc, lat, lon);
        const unrefracted = sun.altitudeDeg - bennettRefraction(sun.altitudeDeg);
        const off = {
          engine: Math.max(
            Math.abs(sun.altitudeDeg - engine.altitude),
            Math.abs(sun.azimuthDeg - engine.azimuth) * narrowing,
          ),
          meeus: Math.max(Math.abs(unrefracted - meeus.altitude), Math.abs(sun.azimuthDeg - meeus.azimuth) * narrowing),
        };
        near(off.engine, 0, TOLERANCE.engine, `astronomy-engine, ${what}`);
        near(off.meeus, 0, TOLERANCE.meeus, `Meeus, ${what}`);
        worst.engine = Math.max(worst.engine, off.engine);
        worst.meeus = Math.max(worst.meeus, off.meeus);
      }
    }
    t.diagnostic(
      `at most ${worst.engine.toExponential(1)}° from astronomy-engine, ${worst.meeus.toFixed(4)}° from Meeus`,
    );
  });
}

/**
 * Sunrise of 1 January 2019 with its azimuth, as published by the National Astronomical Observatory of Japan for the
 * seats of prefectures and two islands. It means the upper edge of the sun, with a refraction of 35′8″.
 */
const SUNRISES: [name: string, lat: number, lon: number, hour: number, minute: number, azimuth: number][] = [
  ['Sapporo', 43.06, 141.35, 7, 6, 121.5],
  ['Nemuro', 43.33, 145.58, 6, 50, 121.6],
  ['Aomori', 40.82, 140.74, 7, 1, 120.3],
  ['Sendai', 38.27, 140.87, 6, 53, 119.1],
  ['Niigata', 37.9, 139.02, 6, 59, 119.0],
  ['Tokyo', 35.6544, 139.7447, 6, 50, 118.1],
  ['Osaka', 34.69, 135.5, 7, 5, 117.8],
  ['Hiroshima', 34.4, 132.46, 7, 16, 117.7],
  ['Kochi', 33.56, 133.53, 7, 10, 117.4],
  ['Chichijima', 27.09, 142.19, 6, 20, 115.6],
];

for (const [name, lat, lon, hour, minute, azimuth] of SUNRISES) {
  test(`${name}: sunrise as the observatory published it`, () => {
    const path = dayPath(solarDay(2019, 1, 1), lat, lon);
    // At that moment the centre stands a radius (16′16″ in January) and the refraction under the horizon.
    const wanted = -(35 + 8 / 60 + 16 + 16 / 60) / 60;
    let [dark, light] = [path.noon - 720, path.noon];
    while (light - dark > 1e-4) {
      const middle = (dark + light) / 2;
      if (meeusSun(Date.UTC(2019, 0, 1) - JST + middle * 60_000, lat, lon).altitude > wanted) light = middle;
      else dark = middle;
    }
    near(dark, hour * 60 + minute, TOLERANCE.sunriseMinutes, 'the independent sun itself');
    near(sunAt(path, dark).azimuthDeg, azimuth, TOLERANCE.sunriseAzimuth, 'azimuth');
    // Ours is the centre's, refracted: later by the time the sun needs for what lies between.
    const climb = sunAt(path, dark + 1).altitudeDeg - sunAt(path, dark).altitudeDeg;
    const centreLater = -sunAt(path, dark).altitudeDeg / climb;
    near(path.sunrise - centreLater, hour * 60 + minute, TOLERANCE.sunriseMinutes, 'sunrise');
  });
}

test('sunrise and sunset are where the apparent altitude of the centre is 0, and the sun is up just between them', () => {
  for (const [name, lat, lon] of PLACES) {
    for (const path of dayPaths(lat, lon)) {
      near(sunAt(path, path.sunrise).altitudeDeg, 0, 1e-6, `${name} sunrise`);
      near(sunAt(path, path.sunset).altitudeDeg, 0, 1e-6, `${name} sunset`);
      assert.ok(path.sunrise > 0 && path.sunrise < path.noon && path.noon < path.sunset && path.sunset < 1440);
      for (let minute = 0; minute < 1440; minute++) {
        const up = minute > path.sunrise && minute < path.sunset;
        assert.equal(sunAt(path, minute).altitudeDeg > 0, up, `${name} month ${path.solarDay.month} minute ${minute}`);
      }
    }
  }
});

test('in steps the sun passes an azimuth when it is there, at the altitude that it has then', () => {
  const out = new Float64Array(2);
  for (const [name, lat, lon] of PLACES) {
    for (const path of dayPaths(lat, lon)) {
      for (let from = path.sunrise - 12; from < path.sunset; from += 9.7) {
        const steps = new SunSteps(path, from);
        steps.stepTo(from + 1);
        // At noon the sun of Okinotorishima goes through the zenith, and in its summer round by the north.
        if (!(steps.toAzimuth > steps.fromAzimuth) || steps.toAzimuth - steps.fromAzimuth > 10) continue;
        const azimuth = steps.fromAzimuth + 0.3 * (steps.toAzimuth - steps.fromAzimuth);
        steps.find(azimuth, Math.sin(azimuth / DEGREES), Math.cos(azimuth / DEGREES), out);
        const { azimuthDeg, altitudeDeg } = sunAt(path, out[0]!);
        near(azimuthDeg, azimuth, 1.1e-7, `${name}, azimuth at minute ${out[0]}`);
        near(out[1]!, altitudeDeg, 1e-11, `${name}, altitude at minute ${out[0]}`);
      }
    }
  }
});

test('true solar time is noon in the meridian and keeps the equation of time', () => {
  const tokyo = dayPaths(35.6812, 139.7671);
  for (const path of tokyo) {
    near(trueSolarTime(path, path.noon), 720, 1e-6, 'noon');
    near(sunAt(path, path.noon).azimuthDeg, 180, 1e-5, 'azimuth at noon');
    // A solar day is at most half a minute longer or shorter than 24 h.
    near(trueSolarTime(path, path.noon + 60) - 720, 60, 0.025, 'an hour later');
  }
  // Equation of time in minutes: −14.2 in mid-February and +15.4 at the start of November; on the 15th of these
  // months −14.1 and +15.4. Noon in Tokyo, 4.7671° east of the meridian of JST, is 19.07 minutes earlier.
  near(tokyo[1]!.noon, 720 - 19.07 + 14.1, 0.15, 'February');
  near(tokyo[10]!.noon, 720 - 19.07 - 15.4, 0.15, 'November');
});

test('a sun table is the day paths at the centre of its grid square', () => {
  const table = sunTable('53394611');
  assert.deepEqual(table, dayPaths(35.679166666666667, 139.76875));
  assert.deepEqual(
    table.map(({ solarDay }) => [solarDay.year, solarDay.month, solarDay.day]),
    REFERENCE_DAYS.map((_, month) => [2026, month + 1, 15]),
  );
});

test('places outside Japan have no path', () => {
  assert.throws(() => dayPaths(52.5, 13.4), /expected a place in Japan, 20–46° N and 122–154° E/);
  assert.throws(() => dayPaths(Number.NaN, 139), RangeError);
});
