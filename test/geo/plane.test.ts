import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import geographiclib from 'geographiclib-geodesic';
import { azimuthDeg, convergenceDeg, planeOf, toDegrees, toPlane } from '../../src/geo/plane.ts';
import { planeOrigin } from '../../src/geo/zones.ts';
import { transverseMercator } from './transverse-mercator.ts';

const { Geodesic } = geographiclib;

const plane = (zone: number, lat: number, lon: number): [number, number] => {
  const at: [number, number] = [0, 0];
  toPlane(planeOf(zone), lat, lon, at);
  return at;
};

/** Zone, latitude, longitude, metres east, metres north: examples of the survey calculation of the GSI (測量計算サイト). */
const PUBLISHED: [number, number, number, number, number][] = [
  [9, 36.103774791666666, 140.08785504166664, 22916.2436, 11543.6883],
  [9, 35.69920294227422, 139.7577791159952, -6837.3391, -33369.3352],
];

test('agrees with the published examples to 0.1 mm', () => {
  for (const [zone, lat, lon, east, north] of PUBLISHED) {
    const [x, y] = plane(zone, lat, lon);
    assert.ok(Math.abs(x - east) < 1e-4 && Math.abs(y - north) < 1e-4, `${x} ${y}, expected ${east} ${north}`);
  }
});

/** A place within 6° of latitude and 2.5° of longitude of the origin of any zone. */
const place = fc
  .tuple(
    fc.integer({ min: 1, max: 19 }),
    fc.double({ min: -6, max: 6, noNaN: true }),
    fc.double({ min: -2.5, max: 2.5, noNaN: true }),
  )
  .map(([zone, dLat, dLon]) => {
    const origin = planeOrigin(zone);
    return { zone, lat: origin.lat + dLat, lon: origin.lon + dLon };
  });

test('agrees with an exact integration of the ellipsoid to 0.1 mm, and its convergence to 1e-7 degrees', () => {
  fc.assert(
    fc.property(place, ({ zone, lat, lon }) => {
      const origin = planeOrigin(zone);
      const exact = transverseMercator(lat, lon, origin.lat, origin.lon);
      const [x, y] = plane(zone, lat, lon);
      assert.ok(Math.abs(x - exact.x) < 1e-4, `x ${x} against ${exact.x}`);
      assert.ok(Math.abs(y - exact.y) < 1e-4, `y ${y} against ${exact.y}`);
      assert.ok(Math.abs(convergenceDeg(planeOf(zone), lat, lon) - exact.convergenceDeg) < 1e-7);
    }),
    { numRuns: 300, seed: 19 },
  );
});

test('comes back to the same degrees to 0.01 mm', () => {
  fc.assert(
    fc.property(place, ({ zone, lat, lon }) => {
      const back: [number, number] = [0, 0];
      toDegrees(planeOf(zone), ...plane(zone, lat, lon), back);
      assert.ok(Math.abs(back[0] - lat) < 1e-10 && Math.abs(back[1] - lon) < 1e-10);
    }),
    { numRuns: 1000, seed: 20 },
  );
});

test('lengths and azimuths from true north are those of the geodesic', () => {
  const side = fc.double({ min: -2e-4, max: 2e-4, noNaN: true });
  fc.assert(
    fc.property(place, side, side, ({ zone, lat, lon }, dLat, dLon) => {
      const geodesic = Geodesic.WGS84.Inverse(lat, lon, lat + dLat, lon + dLon);
      fc.pre(geodesic.s12! > 2);
      const [ax, ay] = plane(zone, lat, lon);
      const [bx, by] = plane(zone, lat + dLat, lon + dLon);
      const azimuth = azimuthDeg(bx - ax, by - ay) + convergenceDeg(planeOf(zone), lat, lon);
      const apart = Math.abs(((azimuth - geodesic.azi1! + 540) % 360) - 180);
      assert.ok(apart < 1e-4, `azimuth ${azimuth} against ${geodesic.azi1}`);
      // The scale is 0.9999 on the central meridian and grows with the distance from it.
      const scale = Math.hypot(bx - ax, by - ay) / geodesic.s12!;
      assert.ok(scale > 0.99989 && scale < 1.0008, `scale ${scale}`);
    }),
    { numRuns: 500, seed: 21 },
  );
});

test('writes at a given place of a longer array', () => {
  const at = new Float64Array(4);
  toPlane(planeOf(9), 36, 140, at, 2);
  assert.deepEqual([...at], [0, 0, ...plane(9, 36, 140)]);
});

test('azimuths run clockwise from north', () => {
  assert.deepEqual(
    [azimuthDeg(0, 1), azimuthDeg(1, 0), azimuthDeg(0, -1), azimuthDeg(-1, 0), azimuthDeg(-1, 1)],
    [0, 90, 180, 270, 315],
  );
});

test('there is no zone 0 or 20', () => {
  assert.throws(() => planeOf(0), /no plane coordinate zone 0: expected 1 to 19/);
  assert.throws(() => planeOf(20), RangeError);
});
