import assert from 'node:assert/strict';
import { it } from 'node:test';
import { randomFrom } from '../../samples/random.ts';
import { type DayPath, dayPath, sunAt } from '../../src/solar/day-path.ts';
import { REFERENCE_DAYS } from '../../src/solar/solar-day.ts';
import { type Balcony, behindBalcony } from '../../src/sunlight/balcony.ts';

/** `CASES=10000 npm test -- test/sunlight/balcony` runs more. */
const CASES = Number(process.env.CASES ?? 1000);
const SEED = 71;
const EYE_M = 1.5;
const RADIANS = Math.PI / 180;

/** A floor with one receptor that has all the sun of a day. */
const openFloor = ({ sunrise, sunset }: DayPath, azimuthDeg: number) => {
  const lit = [[Math.round(sunrise), Math.round(sunset)]];
  const receptor = { x: 0, y: 0, azimuthDeg, unshadedMinutes: [], lit, shade: [] };
  const face = { face: 0, azimuthDeg, wallLengthM: 5, receptors: [receptor] };
  return { faces: [face], sources: [], blockedMinutes: 0, selfBlockedMinutes: 0, roofBlockedMinutes: 0, terrain: null };
};

type Box = readonly [from: readonly number[], to: readonly number[]];

/** The balcony as boxes; axes: out of the wall, along it, up from the floor. */
function boxesOf({ overhangM, overhangHeightM, sideM, sideDistanceM, setbackM }: Balcony): Box[] {
  const boxes: Box[] = [];
  if (overhangM + setbackM > 0)
    boxes.push([
      [-setbackM, -1e4, overhangHeightM],
      [overhangM, 1e4, overhangHeightM + 0.2],
    ]);
  for (const side of [-1, 1]) {
    const along = [side * sideDistanceM, side * (sideDistanceM + 0.2)].sort((a, b) => a - b);
    if (sideM + setbackM > 0)
      boxes.push([
        [-setbackM, along[0], -1e4],
        [sideM, along[1], 1e4],
      ]);
  }
  return boxes;
}

/** Whether a ray meets a box: the parts of it between the planes of each pair of sides have a common part. */
function meets(from: readonly number[], direction: readonly number[], [low, high]: Box): boolean {
  let [enter, leave] = [0, Infinity];
  for (let axis = 0; axis < 3; axis++) {
    const [a, b] = [low, high].map((side) => (side[axis] - from[axis]) / direction[axis]);
    enter = Math.max(enter, Math.min(a, b));
    leave = Math.min(leave, Math.max(a, b));
  }
  return enter < leave;
}

/** The minutes of a day in which a ray from the window to the sun meets nothing; those with the sun behind the wall count. */
function litMinutes(path: DayPath, wallDeg: number, balcony: Balcony): Set<number> {
  const boxes = boxesOf(balcony);
  const eye = [0.05 - balcony.setbackM, 0, EYE_M];
  const lit = new Set<number>();
  for (let minute = Math.round(path.sunrise); minute < Math.round(path.sunset); minute++) {
    const { azimuthDeg, altitudeDeg } = sunAt(path, minute + 0.5);
    const [aside, up] = [(azimuthDeg - wallDeg) * RADIANS, altitudeDeg * RADIANS];
    const direction = [Math.cos(up) * Math.cos(aside), Math.cos(up) * Math.sin(aside), Math.sin(up)];
    if (direction[0] <= 0 || !boxes.some((box) => meets(eye, direction, box))) lit.add(minute);
  }
  return lit;
}

const minutesIn = (intervals: readonly number[]): Set<number> => {
  const minutes = new Set<number>();
  for (let i = 0; i < intervals.length; i += 2) for (let m = intervals[i]; m < intervals[i + 1]; m++) minutes.add(m);
  return minutes;
};

it(`a balcony shades as rays against boxes say: ${CASES} cases of seed ${SEED}`, () => {
  const random = randomFrom(SEED);
  const between = (low: number, high: number): number => low + random() * (high - low);
  const depth = (): number => (random() < 0.3 ? 0 : between(0.06, 5));
  let [shaded, worst] = [0, 0];
  for (let i = 0; i < CASES; i++) {
    const path = dayPath(REFERENCE_DAYS[i % 12], between(24, 45.5), between(123, 146));
    const wallDeg = between(0, 360);
    const balcony: Balcony = {
      overhangM: depth(),
      overhangHeightM: between(1.6, 6),
      sideM: depth(),
      sideDistanceM: between(0.3, 6),
      setbackM: depth(),
    };
    const { faces } = behindBalcony(openFloor(path, wallDeg), [path], balcony, EYE_M);
    const [found, expected] = [minutesIn(faces[0].receptors[0].lit[0]), litMinutes(path, wallDeg, balcony)];
    const apart = found.symmetricDifference(expected).size;
    worst = Math.max(worst, apart);
    assert.ok(apart <= 1, `case ${i}: ${apart} minutes apart, wall ${wallDeg}, ${JSON.stringify(balcony)}`);
    shaded += Math.round(path.sunset) - Math.round(path.sunrise) - expected.size;
  }
  assert.ok(shaded > 100 * CASES, `the cases have ${shaded} shaded minutes`);
});

it('a balcony without depth shades nothing', () => {
  const [path] = REFERENCE_DAYS.map((day) => dayPath(day, 35.7, 139.7));
  const balcony = { overhangM: 0, overhangHeightM: 2.4, sideM: 0, sideDistanceM: 3, setbackM: 0 };
  const open = openFloor(path, 180);
  assert.deepEqual(behindBalcony(open, [path], balcony, EYE_M), open);
});
