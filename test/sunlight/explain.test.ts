import assert from 'node:assert/strict';
import { test } from 'node:test';
import { DIRECTIONS } from '../../src/geo/compass.ts';
import { convergenceDeg, planeOf } from '../../src/geo/plane.ts';
import { planeOrigin } from '../../src/geo/zones.ts';
import { dayPaths } from '../../src/solar/day-path.ts';
import { computeBuilding, kernelOf } from '../../src/sunlight/compute.ts';
import { explainBuilding } from '../../src/sunlight/explain.ts';
import { FLOOR_CLASSES } from '../../src/sunlight/result.ts';
import { sunCurves } from '../../src/sunlight/sun-curves.ts';
import { sunlitWindows } from '../../src/sunlight/windows.ts';
import { transverseMercator } from '../geo/transverse-mercator.ts';
import { box, sceneOf, type TestBuilding, TOKYO } from '../support/scenes.ts';
import { byTheRule } from './receptor-rule.ts';

/** An answer of `explain`, as far as it is read here. */
interface Explanation {
  building_id: string;
  plane: { zone: number; convergence_deg: number };
  base_m: number;
  floors: Record<string, { z_m: number }>;
  footprints: { rings: [number, number][][] }[];
  sun: { days: { sunrise: string; sunset: string; positions: [string, number, number, string][] }[] };
  receptors: ExplainedReceptor[];
}

interface ExplainedReceptor {
  face: (typeof DIRECTIONS)[number];
  wall_azimuth_deg: number;
  floor_class: string;
  lat: number;
  lon: number;
  z_m: number;
  windows: [string, string][][];
  inside: { building_id: string } | null;
  skyline: Stretch[];
}

interface Stretch {
  from_deg: number;
  to_deg: number;
  from_altitude_deg: number;
  to_altitude_deg: number;
  building_id: string;
}

/** A house with a courtyard that a lower house and a higher one touch, and a tower. Its rings run both ways. */
const HOUSE: TestBuilding = {
  rings: [
    [
      [0, 0],
      [0, 21],
      [33, 21],
      [33, 0],
    ],
    [
      [9, 7],
      [24, 7],
      [24, 15],
      [9, 15],
    ],
  ],
  base: 12,
  top: 24,
};
const SCENE = sceneOf([HOUSE, box(33, 0, 10, 20, 18, 11), box(-12, 3, 12, 9, 40, 12), box(-20, -60, 25, 15, 70, 10)]);
const PATHS = dayPaths(TOKYO.lat, TOKYO.lon);
const CURVES = sunCurves(PATHS, convergenceDeg(planeOf(SCENE.zone), TOKYO.lat, TOKYO.lon));
const kernel = () => kernelOf(SCENE);
const explained = JSON.parse(
  JSON.stringify(
    explainBuilding({
      kernel: kernel(),
      curves: CURVES,
      paths: PATHS,
      building: 0,
      storeys: 4,
      idOf: (building) => `13101-bldg-${building}`,
    }),
  ),
) as Explanation;

/** Metres east and north of the zone's origin, without the product's projection. */
function metres(lat: number, lon: number): [number, number] {
  const origin = planeOrigin(explained.plane.zone);
  const { x, y } = transverseMercator(lat, lon, origin.lat, origin.lon);
  return [x, y];
}
const receptorsAt = (face: string, floor: string) =>
  explained.receptors.filter((receptor) => receptor.face === face && receptor.floor_class === floor);
const minuteOf = (time: string): number => Number(time.slice(0, 2)) * 60 + Number(time.slice(3, 5));

test('from the rings of explain an outsider gets the same receptors, to a millimetre', () => {
  const footprints = explained.footprints.map(({ rings }) =>
    rings.map((ring) => ring.flatMap(([lat, lon]) => metres(lat, lon))),
  );
  const expected = byTheRule(footprints, explained.plane.convergence_deg);
  assert.equal(explained.building_id, '13101-bldg-0');
  assert.equal(explained.receptors.length, 3 * expected.length);
  explained.receptors.forEach(({ face, floor_class, lat, lon, z_m }, i) => {
    const { face: index, x: east, y: north } = expected[Math.floor(i / 3)]!;
    const [x, y] = metres(lat, lon);
    assert.deepEqual([face, floor_class], [DIRECTIONS[index], FLOOR_CLASSES[i % 3]]);
    assert.ok(Math.hypot(x - east, y - north) < 1e-3);
    assert.equal(z_m, explained.floors[floor_class]!.z_m);
  });
  // As published: the outer ring clockwise, from the first point.
  assert.equal(explained.footprints[0]!.rings[0]!.length, 4);
  const [first, second] =
    footprints[0]![0]!.length > 0 ? [footprints[0]![0]!.slice(0, 2), footprints[0]![0]!.slice(2, 4)] : [];
  assert.ok(Math.abs(second![1]! - first![1]! - 21) < 0.1, 'the first wall runs 21 m north');
});

test('the windows of a face are those of its receptors, where at least half of them have one', () => {
  const { faces } = computeBuilding(kernel(), CURVES, 0, 4);
  for (const face of faces) {
    FLOOR_CLASSES.forEach((floor, f) => {
      const receptors = receptorsAt(DIRECTIONS[face.face]!, floor);
      assert.equal(receptors.length, face.receptors);
      for (let month = 0; month < 12; month++) {
        const intervals = receptors.flatMap(({ windows }) => windows[month]!.flat().map(minuteOf));
        assert.deepEqual(sunlitWindows(intervals, receptors.length), face.windows[f * 12 + month]);
      }
    });
  }
});

test('the sun of explain over its skyline gives the windows of explain', () => {
  let compared = 0;
  let different = 0;
  for (const { wall_azimuth_deg, windows, skyline, inside } of explained.receptors) {
    explained.sun.days.forEach(({ positions }, month) => {
      for (const [time, azimuth, altitude] of positions) {
        const minute = minuteOf(time);
        const shining = windows[month]!.some(([start, end]) => minuteOf(start) <= minute && minute < minuteOf(end));
        const inFront = Math.cos(((azimuth - wall_azimuth_deg) * Math.PI) / 180) > 0;
        const stretch = skyline.find(({ from_deg, to_deg }) => from_deg <= azimuth && azimuth <= to_deg);
        const edge = stretch ? edgeAltitude(stretch, azimuth) : -1;
        compared++;
        if (shining !== (inFront && inside === null && altitude > edge)) different++;
      }
    });
  }
  // Between two stretches lies a bin's width (0.1°), and a window's end is a whole minute: few minutes hang on either.
  assert.ok(compared > 100_000 && different / compared < 0.005, `${different} of ${compared}`);
});

/** A straight edge between its ends: tan(altitude) is a · cos(azimuth) + b · sin(azimuth). */
function edgeAltitude(stretch: Stretch, azimuthDeg: number): number {
  const radians = Math.PI / 180;
  const [from, to, azimuth] = [stretch.from_deg * radians, stretch.to_deg * radians, azimuthDeg * radians];
  const [start, end] = [Math.tan(stretch.from_altitude_deg * radians), Math.tan(stretch.to_altitude_deg * radians)];
  const determinant = Math.sin(to - from);
  if (determinant < 1e-6) return stretch.from_altitude_deg;
  const slope = (start * Math.sin(to - azimuth) + end * Math.sin(azimuth - from)) / determinant;
  return Math.atan(slope) / radians;
}

test('receptors in a taller neighbour name it and have no windows', () => {
  // The one in the east ends at 18 m, under the top floor (22.5 m); it covers 20 of the wall's 21 m. The east face has
  // 21 + 8 m: six receptors, the last two in the courtyard.
  for (const floor of ['first', 'middle']) {
    const inEast = receptorsAt('E', floor).map(({ inside }) => inside?.building_id ?? null);
    assert.deepEqual(inEast, [...Array(4).fill('13101-bldg-1'), null, null]);
  }
  assert.ok(receptorsAt('E', 'top').every(({ inside }) => inside === null));
  // The one in the west, of 40 m, reaches over the top floor.
  const inWest = receptorsAt('W', 'top').filter(({ inside }) => inside !== null);
  assert.deepEqual(
    inWest.map(({ inside }) => inside!.building_id),
    inWest.map(() => '13101-bldg-2'),
  );
  assert.ok(inWest.length > 0);
  for (const { inside, windows } of explained.receptors) {
    if (inside !== null) assert.ok(windows.every((list) => list.length === 0));
  }
});

test('times and heights', () => {
  const december = explained.sun.days[11]!;
  assert.match(december.sunrise, /^06:44:\d\d$/);
  assert.match(december.sunset, /^16:27:\d\d$/);
  assert.deepEqual(
    Object.values(explained.floors).map(({ z_m }) => z_m),
    [13.5, 16.5, 22.5],
  );
});
