import assert from 'node:assert/strict';
import { test } from 'node:test';
import { box, type TestBuilding } from '../support/scenes.ts';
import {
  APRIL,
  atAzimuth,
  DECEMBER,
  degrees,
  ENGINES,
  type Finder,
  faceOf,
  instant,
  JUNE,
  MARCH,
  minutesOf,
  PATHS,
  wholeMinutes,
  windowsOf,
} from './by-hand.ts';

/** One scene, for the oracle and for the kernel. */
function scene(name: string, check: (find: Finder) => void): void {
  for (const [engine, find] of Object.entries(ENGINES)) test(`${engine}: ${name}`, () => check(find));
}

const MONTHS = PATHS.map((_, month) => month);
const sunriseTo = (month: number, minute: number): number[] => [PATHS[month]!.sunrise, minute].map(Math.round);
const toSunset = (month: number, minute: number): number[] => [minute, PATHS[month]!.sunset].map(Math.round);
const allDay = (month: number): number[] => toSunset(month, PATHS[month]!.sunrise);

/**
 * One building alone. A wall sees the sun while it is up and in front: the south face between the azimuths 90° and
 * 270°, the east face until noon, the north face outside these, in two windows from April to September.
 */
scene('one wall: the sun as long as it is in front', (find) => {
  const alone = find(10, box(0, 0, 20, 10, 30));
  for (const month of MONTHS) {
    const { sunrise, noon, sunset } = PATHS[month]!;
    const east = Math.max(sunrise, atAzimuth(PATHS[month]!, 90));
    const west = Math.min(sunset, atAzimuth(PATHS[month]!, 270));
    for (const floor of ['first', 'middle', 'top'] as const) {
      assert.deepEqual(windowsOf(faceOf(alone, 'S'), floor, month), [east, west].map(Math.round));
      assert.deepEqual(windowsOf(faceOf(alone, 'E'), floor, month), sunriseTo(month, noon));
      assert.deepEqual(windowsOf(faceOf(alone, 'W'), floor, month), toSunset(month, noon));
      const north = east > sunrise ? [...sunriseTo(month, east), ...toSunset(month, west)] : [];
      assert.deepEqual(windowsOf(faceOf(alone, 'N'), floor, month), north);
      assert.equal(minutesOf(faceOf(alone, 'S'), floor, month), wholeMinutes(east, west));
    }
  }
  // To the letter once: 15 December in Tokyo, 6:44 to 16:27 (the sun's centre at an apparent altitude of 0).
  assert.deepEqual(windowsOf(faceOf(alone, 'S'), 'first', DECEMBER), [6 * 60 + 44, 16 * 60 + 27]);
  assert.equal(alone.blockedMinutes, 0);
  assert.deepEqual(alone.sources, []);
  assert.deepEqual(
    alone.faces.map(({ receptors }) => receptors),
    [4, 2, 4, 2],
  );
});

/**
 * A house with one receptor on its south wall (4 m), 5 cm in front of it at the origin. A tower of 60 m, 20 m wide,
 * whose north wall stands 40 m away: its half width is seen under atan(10 / 40) = 14.04°, and at an angle a from south it
 * rises (60 − z) / 40 · cos a over run; with z = 1.5 at most 1.4625, 55.6°.
 * The sun's noon altitude is 31° in December, 52° in mid-March (hidden) and 64° in April (over the top).
 */
scene('one tower due south: a gap of its width, until the sun stands above it', (find) => {
  const house = box(-2, 0.05, 4, 6, 3);
  const tower = box(-10, -60, 20, 20, 60);
  const sun = find(1, house, tower);
  const south = faceOf(sun, 'S');
  const halfWidth = degrees(10 / 40);
  assert.equal(south.receptors, 1);
  for (const month of [DECEMBER, MARCH]) {
    const from = atAzimuth(PATHS[month]!, 180 - halfWidth);
    const to = atAzimuth(PATHS[month]!, 180 + halfWidth);
    assert.deepEqual(windowsOf(south, 'first', month), [...sunriseTo(month, from), ...toSunset(month, to)]);
    const gap = wholeMinutes(from, to);
    assert.equal(minutesOf(south, 'first', month), south.unshadedMinutes[month]! - gap);
  }
  for (const month of [APRIL, JUNE]) assert.equal(minutesOf(south, 'first', month), south.unshadedMinutes[month]);
  // One storey: all three floors are the same floor, and each counts.
  assert.deepEqual(
    sun.floors.map(({ floor, heightM }) => [floor, heightM]),
    [
      [1, 1.5],
      [1, 1.5],
      [1, 1.5],
    ],
  );
  assert.equal(sun.sources.length, 1);
  assert.equal(sun.sources[0]!.building, 1);
  assert.equal(sun.sources[0]!.blockedMinutes, sun.blockedMinutes);
  assert.equal(sun.selfBlockedMinutes, 0);
});

/**
 * A wall of 21.5 m along the east, 40 m from the receptor of an east face: at an azimuth it rises (21.5 − 1.5) / 40 · sin(azimuth)
 * over run, and the sun comes over its top once, in the course of the morning; from then until noon the face is lit.
 */
scene('a wall to the east: the sun comes over its top', (find) => {
  const house = box(-6.05, -2, 6, 4, 3);
  const wall = box(40, -400, 10, 800, 21.5);
  const sun = find(1, house, wall);
  for (const month of MONTHS) {
    const path = PATHS[month]!;
    const over = instant(path, path.sunrise, path.noon, (azimuth, slope) => {
      return slope - (20 / 40) * Math.sin((azimuth * Math.PI) / 180);
    });
    assert.deepEqual(windowsOf(faceOf(sun, 'E'), 'first', month), [over, path.noon].map(Math.round));
  }
});

/**
 * A courtyard: 30 m square, 12 m high, a hole of 10 m in the middle. The south face is the outer wall (30 m) and the
 * court's north wall (10 m): 40 m, 8 receptors, 6 outside and 2 in the court, 9.95 m from the wall opposite. On the
 * first floor (z = 1.5) what stands around rises 10.5 m over at most the way to the far corner,
 * √(7.5² + 9.95²) = 12.46 m: 40° or more. In December the sun reaches 31°: the court is dark. Six of eight are at least
 * half, so the window is the whole day, and the hours are six eighths.
 */
scene('a courtyard: receptors in it count as those outside', (find) => {
  const ring = (x: number, side: number): [number, number][] => [
    [x, x],
    [x + side, x],
    [x + side, x + side],
    [x, x + side],
  ];
  const courtyard: TestBuilding = { rings: [ring(0, 30), ring(10, 10).reverse()], base: 0, top: 12 };
  const sun = find(4, courtyard);
  const south = faceOf(sun, 'S');
  assert.equal(south.receptors, 8);
  assert.ok(Math.abs(south.wallLengthM - 40) < 0.01);
  assert.equal(minutesOf(south, 'first', DECEMBER), (6 / 8) * south.unshadedMinutes[DECEMBER]!);
  assert.deepEqual(windowsOf(south, 'first', DECEMBER), allDay(DECEMBER));
  // Only its own walls shade it.
  assert.ok(sun.blockedMinutes > 0);
  assert.equal(sun.selfBlockedMinutes, sun.blockedMinutes);
  assert.deepEqual(sun.sources, []);
  // On the top floor (z = 10.5) the wall opposite rises only 1.5 m over 9.95 m, 8.6°: the winter noon comes in.
  assert.ok(minutesOf(south, 'top', DECEMBER) > minutesOf(south, 'first', DECEMBER) + 60);
});

/**
 * An L: 20 m square without its south-west quarter, 9 m high, 3 storeys. South walls: y = 0 (x 10–20, receptors at
 * 12.5 and 17.5) and y = 10 in the notch (x 0–10, receptors at 2.5 and 7.5, at y = 9.95). East of the notch stands the
 * wing's west wall, x = 10 from y = 0 to 10. From x = 7.5 it hides azimuths up to 180° − atan(2.5 / 9.95) = 165.9° and rises
 * 7.5 m over 2.5 m / sin(azimuth), from x = 2.5 up to 180° − atan(7.5 / 9.95) = 143.0° and 7.5 m over 7.5 m / sin(azimuth):
 * always over the December sun. Later in the day nothing is in the way.
 */
scene('an L-shaped house shades its own notch in the morning', (find) => {
  const house: TestBuilding = {
    rings: [
      [
        [10, 0],
        [20, 0],
        [20, 20],
        [0, 20],
        [0, 10],
        [10, 10],
      ],
    ],
    base: 0,
    top: 9,
  };
  const sun = find(3, house);
  const south = faceOf(sun, 'S');
  const path = PATHS[DECEMBER]!;
  const day = wholeMinutes(path.sunrise, path.sunset);
  const near = wholeMinutes(atAzimuth(path, 180 - degrees(2.5 / 9.95)), path.sunset);
  const far = wholeMinutes(atAzimuth(path, 180 - degrees(7.5 / 9.95)), path.sunset);
  assert.equal(south.receptors, 4);
  assert.equal(minutesOf(south, 'first', DECEMBER), (day + day + near + far) / 4);
  assert.deepEqual(windowsOf(south, 'first', DECEMBER), allDay(DECEMBER), 'two of four are half');
  assert.equal(sun.selfBlockedMinutes, sun.blockedMinutes);
});

/**
 * A low house (6 m, 2 storeys: z = 1.5, 1.5, 4.5) and a high one (9 m, 3 storeys: z = 1.5, 4.5, 7.5) share a wall of
 * 10 m. The low one's east receptors (2) stand in the high house: dark on all floors, and the high house is the source
 * of every minute. The high one's west receptors stand in the low house on two floors and above its roof on the top one.
 * The other walls lie in one line or look away: nothing else is shaded.
 */
scene('a party wall is dark as far as the neighbour reaches', (find) => {
  const low = box(0, 0, 10, 10, 6);
  const high = box(10, 0, 10, 10, 9);
  const ofLow = find(2, low, high);
  const east = faceOf(ofLow, 'E');
  assert.equal(
    east.sunMinutes.reduce((a, b) => a + b),
    0,
  );
  assert.ok(east.windows.every((windows) => windows.length === 0));
  const morning = MONTHS.reduce((sum, month) => sum + wholeMinutes(PATHS[month]!.sunrise, PATHS[month]!.noon), 0);
  assert.deepEqual(
    ofLow.sources.map(({ building }) => building),
    [1],
  );
  // The oracle counts whole minutes, the kernel adds up the exact ones.
  for (const minutes of [ofLow.sources[0]!.blockedMinutes, ofLow.blockedMinutes]) {
    assert.ok(Math.abs(minutes / (2 * 3 * morning) - 1) < 1e-3, `${minutes}`);
  }

  const ofHigh = find(3, high, low);
  const west = faceOf(ofHigh, 'W');
  for (const month of MONTHS) {
    const afternoon = wholeMinutes(PATHS[month]!.noon, PATHS[month]!.sunset);
    assert.equal(west.unshadedMinutes[month], afternoon);
    assert.equal(minutesOf(west, 'first', month), 0);
    assert.equal(minutesOf(west, 'middle', month), 0);
    assert.equal(minutesOf(west, 'top', month), afternoon);
  }
});

/**
 * On a slope falling to the north: the neighbour 30 m south stands 20 m higher, from z = 20 to 26. To the first floor
 * (z = 1.5) its roof rises 24.5 m over 30 m / cos a, 39.2° at a = 0; it is wide enough to cover every azimuth that has the
 * December sun (noon 31°, rise at 118°). There is no light below its base: the ground is there. Seen from the neighbour
 * the house below has no height at all.
 */
scene('a slope: what stands higher shades more, what lies lower not at all', (find) => {
  const house = box(-2, 0.05, 4, 6, 6);
  const above = box(-300, -60, 600, 30, 26, 20);
  const sun = find(2, house, above);
  const south = faceOf(sun, 'S');
  assert.equal(minutesOf(south, 'first', DECEMBER), 0);
  assert.deepEqual(windowsOf(south, 'first', DECEMBER), []);
  // In April it comes round to the front (azimuth 90°) at a slope of 0.3, where the roof, seen along its length, has
  // sunk to nothing, and climbs faster than the roof: 2.05 against 0.82 at noon.
  const path = PATHS[APRIL]!;
  const front = [atAzimuth(path, 90), atAzimuth(path, 270)];
  assert.deepEqual(windowsOf(south, 'first', APRIL), front.map(Math.round));

  const fromAbove = find(2, above, house);
  const north = faceOf(fromAbove, 'N');
  for (const month of MONTHS) assert.equal(minutesOf(north, 'first', month), north.unshadedMinutes[month]);
  assert.equal(fromAbove.blockedMinutes, 0);
});

/** A tower of 300 m and 200 m width, 3 km south: 5.7° high and 3.8° wide. There is no search radius up to 20 km. */
scene('a far tower counts up to 20 km', (find) => {
  const house = box(-2, 0.05, 4, 6, 3);
  const tower = (distance: number, height: number): TestBuilding => box(-100, -distance - 100, 200, 100, height);
  const blocked = (distance: number, height: number): number => find(1, house, tower(distance, height)).blockedMinutes;
  // In December the sun is at 31° in the south: it takes 1,900 m at 3 km to reach it.
  assert.equal(blocked(3000, 300), 0);
  const path = PATHS[DECEMBER]!;
  const wide = degrees(100 / 3000);
  const gap = wholeMinutes(atAzimuth(path, 180 - wide), atAzimuth(path, 180 + wide));
  const south = faceOf(find(1, house, tower(3000, 1900)), 'S');
  assert.equal(minutesOf(south, 'first', DECEMBER), south.unshadedMinutes[DECEMBER]! - gap);
  assert.ok(blocked(19_900, 15_000) > 0);
});
