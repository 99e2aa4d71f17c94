import assert from 'node:assert/strict';
import { describe, it, test } from 'node:test';
import { contours } from '../../src/geo/contours.ts';
import { polygonArea } from '../../src/geo/polygon.ts';
import { unionOf } from '../../src/geo/union.ts';
import { addCaster, type Casters, noCasters, shadowOfOneMetre } from '../../src/shadow/casters.ts';
import { type Study, studyShadow } from '../../src/shadow/study.ts';
import { dayPath } from '../../src/solar/day-path.ts';
import { minuteOfSolarHour, WINTER_SOLSTICE } from '../../src/sunlight/assessments.ts';
import { SceneBuilder } from '../../src/sunlight/scene.ts';

const PLACE = { lat: 35.68, lon: 139.76 };
const path = dayPath(WINTER_SOLSTICE, PLACE.lat, PLACE.lon);
const clock = [8, 9, 10, 11, 12, 13, 14, 15, 16].map((solarHour) => ({
  solarHour,
  minute: minuteOfSolarHour(path, solarHour),
}));
const [FROM, TO] = [clock[0]!.minute, clock.at(-1)!.minute];
const frame = { zone: 9, originX: 0, originY: 0 };

interface Box {
  west: number;
  south: number;
  width: number;
  depth: number;
  height: number;
}

function castersOf(boxes: readonly Box[], planeZ: number): Casters {
  const builder = new SceneBuilder(frame);
  for (const { west, south, width, depth, height } of boxes) {
    const [east, north] = [west + width, south + depth];
    builder.addProjected([[[west, south, east, south, east, north, west, north]]], 0, height);
  }
  const scene = builder.finish();
  const casters = noCasters();
  for (let i = 0; i < boxes.length; i++) addCaster(casters, scene, i, planeZ, frame);
  return casters;
}

const study = (studied: Casters, more: Partial<Parameters<typeof studyShadow>[0]> = {}): Study =>
  studyShadow({
    studied,
    outlines: studied.footprints.map(([outer]) => outer!),
    neighbours: noCasters(),
    site: null,
    hours: [2, 2.5, 3, 4, 5],
    stepM: 0.5,
    clock,
    shadowAt: (minute) => shadowOfOneMetre(path, 0, minute),
    ...more,
  });

/** Whether a box stands between a point of the plane and the sun: the ray to the sun passes the box below its top. */
function isShaded(x: number, y: number, planeZ: number, box: Box, minute: number): boolean {
  const { east, north } = shadowOfOneMetre(path, 0, minute);
  const reach = box.height - planeZ;
  // Of the way to the sun, x − s·east, the stretch from 0 to the height over the plane.
  let [low, high] = [0, reach];
  for (const [at, step, from, to] of [
    [x, -east, box.west, box.west + box.width],
    [y, -north, box.south, box.south + box.depth],
  ] as const) {
    const [a, b] = [(from - at) / step, (to - at) / step];
    low = Math.max(low, Math.min(a, b));
    high = Math.min(high, Math.max(a, b));
  }
  return low <= high;
}

/** Minutes of shadow of boxes: changes are looked for every half minute and found to a thousandth. */
function minutesByRay(x: number, y: number, planeZ: number, boxes: readonly Box[]): number {
  const at = (minute: number): boolean => boxes.some((box) => isShaded(x, y, planeZ, box, minute));
  let total = 0;
  const step = 0.5;
  for (let minute = FROM; minute < TO; minute += step) {
    const end = Math.min(TO, minute + step);
    const [was, is] = [at(minute), at(end)];
    if (was && is) total += end - minute;
    if (was === is) continue;
    let [low, high] = [minute, end];
    while (high - low > 1e-3) {
      const middle = (low + high) / 2;
      if (at(middle) === was) low = middle;
      else high = middle;
    }
    total += was ? low - minute : end - low;
  }
  return total;
}

describe('hours of shadow on a plane', () => {
  const cases: { name: string; boxes: Box[]; planeZ: number }[] = [
    { name: 'a block', boxes: [{ west: 0, south: 0, width: 24.3, depth: 12.7, height: 31 }], planeZ: 4 },
    { name: 'a tower', boxes: [{ west: 3.1, south: 2.2, width: 15, depth: 15, height: 90 }], planeZ: 6.5 },
    {
      name: 'two houses beside each other',
      boxes: [
        { west: 0, south: 0, width: 10, depth: 9, height: 10.5 },
        { west: 14, south: -3, width: 8, depth: 12, height: 13 },
      ],
      planeZ: 1.5,
    },
  ];
  for (const { name, boxes, planeZ } of cases) {
    it(`agree with rays within a minute and their lines within 0.1 m: ${name}`, () => {
      const { field, hourLines } = study(castersOf(boxes, planeZ));
      const { west, south, stepM, columns, rows } = field.grid;
      let compared = 0;
      for (let i = 0; i < columns * rows; i += 61) {
        const minutes = field.minutes[i]!;
        if (Number.isNaN(minutes)) continue;
        const [x, y] = [west + (i % columns) * stepM, south + Math.floor(i / columns) * stepM];
        const expected = minutesByRay(x, y, planeZ, boxes);
        assert.ok(Math.abs(minutes - expected) <= 1, `${x}, ${y}: ${minutes} min, by rays ${expected}`);
        compared++;
      }
      assert.ok(compared > 500, `${compared} points`);
      let lines = 0;
      for (const { hours, lines: found } of hourLines) {
        for (const line of found) {
          for (let i = 0; i < line.length; i += 10) {
            const [x, y] = [line[i]!, line[i + 1]!];
            const around = Array.from({ length: 8 }, (_, k) => [
              x + 0.1 * Math.cos((k * Math.PI) / 4),
              y + 0.1 * Math.sin((k * Math.PI) / 4),
            ]).map(([px, py]) => minutesByRay(px!, py!, planeZ, boxes));
            assert.ok(
              Math.min(...around) <= hours * 60 + 0.02 && Math.max(...around) >= hours * 60 - 0.02,
              `${hours} h at ${x.toFixed(2)}, ${y.toFixed(2)}: ${Math.min(...around)} to ${Math.max(...around)} min within 0.1 m`,
            );
            lines++;
          }
        }
      }
      assert.ok(lines > 25, `${lines} points of lines`);
    });
  }

  it('of a gabled roof are those of a ray under its surfaces', () => {
    const builder = new SceneBuilder(frame);
    const [eave, ridge] = [6, 10];
    builder.addProjected([[[0, 0, 12, 0, 12, 8, 0, 8]]], 0, ridge, [
      { rings: [[0, 0, eave, 12, 0, eave, 12, 4, ridge, 0, 4, ridge]] },
      { rings: [[0, 4, ridge, 12, 4, ridge, 12, 8, eave, 0, 8, eave]] },
    ]);
    const casters = noCasters();
    addCaster(casters, builder.finish(), 0, 1.5, frame);
    const { field } = study(casters);
    const { west, south, stepM, columns, rows } = field.grid;
    const roofAt = (x: number, y: number): number =>
      x < 0 || x > 12 || y < 0 || y > 8 ? -Infinity : eave + ((ridge - eave) * (4 - Math.abs(y - 4))) / 4;
    const isShadedByRoof = (x: number, y: number, minute: number): boolean => {
      const { east, north } = shadowOfOneMetre(path, 0, minute);
      for (let s = 0; s <= ridge - 1.5; s += 0.01) if (roofAt(x - s * east, y - s * north) >= 1.5 + s) return true;
      return false;
    };
    let compared = 0;
    for (let i = 0; i < columns * rows; i += 211) {
      const [x, y] = [west + (i % columns) * stepM, south + Math.floor(i / columns) * stepM];
      if (Number.isNaN(field.minutes[i])) continue;
      let expected = 0;
      for (let minute = FROM + 2; minute < TO; minute += 4) if (isShadedByRoof(x, y, minute)) expected += 4;
      assert.ok(
        Math.abs(field.minutes[i]! - expected) <= 5,
        `${x}, ${y}: ${field.minutes[i]} min, by rays ${expected}`,
      );
      if (expected > 0) compared++;
    }
    assert.ok(compared > 20, `${compared} points in the shade`);
  });

  it('count neighbours with their own, and a point in both shadows once', () => {
    const [own, other]: Box[] = [
      { west: 0, south: 0, width: 12, depth: 10, height: 15 },
      { west: 2, south: -30, width: 20, depth: 10, height: 25 },
    ];
    const { field } = study(castersOf([own!], 4), { neighbours: castersOf([other!], 4) });
    const { west, south, stepM, columns, rows } = field.grid;
    for (let i = 0; i < columns * rows; i += 331) {
      const [x, y] = [west + (i % columns) * stepM, south + Math.floor(i / columns) * stepM];
      const minutes = field.minutes[i]!;
      const expected = minutesByRay(x, y, 4, [own!, other!]);
      assert.ok(Number.isNaN(minutes) || Math.abs(minutes - expected) <= 1, `${x}, ${y}: ${minutes}, ${expected}`);
    }
  });

  it('tell the most beyond the lines of a site', () => {
    const box: Box = { west: 0, south: 0, width: 20, depth: 12, height: 20 };
    const site = [-3, -3, 23, -3, 23, 15, -3, 15];
    const { zones, siteLines } = study(castersOf([box], 4), { site });
    const distance = (x: number, y: number): number =>
      Math.hypot(Math.max(-3 - x, 0, x - 23), Math.max(-3 - y, 0, y - 15));
    for (const { fromM, toM, minutes, x, y } of zones!) {
      assert.ok(distance(x, y) > fromM && distance(x, y) <= (toM ?? Infinity), `${x}, ${y} lies beyond ${fromM} m`);
      assert.ok(Math.abs(minutes - minutesByRay(x, y, 4, [box])) <= 1);
    }
    assert.ok(zones![0]!.minutes > zones![1]!.minutes && zones![1]!.minutes > 60, 'farther away there is less');
    for (const { distanceM, lines } of siteLines) {
      assert.equal(lines.length, 1);
      const [line] = lines;
      for (let i = 0; i < line!.length; i += 2)
        assert.ok(Math.abs(distance(line![i]!, line![i + 1]!) - distanceM) < 0.05, `${line![i]}, ${line![i + 1]}`);
      assert.deepEqual(line!.slice(0, 2), line!.slice(-2), 'it closes');
    }
  });

  it('have no most in a zone that a building covers entirely', () => {
    const box = { west: 0, south: 0, width: 60, depth: 60, height: 24 };
    const site = [29, 29, 31, 29, 31, 31, 29, 31];
    const { zones } = study(castersOf([box], 4), { site });
    assert.deepEqual(
      zones!.map(({ fromM }) => fromM),
      [10],
    );
  });

  it('are drawn at full hours as one outline, that of a convex block', () => {
    const { timeShadows } = study(castersOf([{ west: 0, south: 0, width: 20, depth: 12, height: 20 }], 4));
    assert.equal(timeShadows.length, 9);
    for (const { minute, polygons, solarHour } of timeShadows) {
      assert.equal(polygons.length, 1, `${solarHour} h`);
      const { east, north } = shadowOfOneMetre(path, 0, minute);
      // The strip of a box: its area and what its two sides sweep.
      const area = 20 * 12 + 16 * (Math.abs(east) * 12 + Math.abs(north) * 20);
      assert.ok(
        Math.abs(polygonArea(polygons[0]!) - area) < 1e-3,
        `${solarHour} h: ${polygonArea(polygons[0]!)}, ${area}`,
      );
    }
  });
});

test('the union of polygons joins what overlaps or touches, keeps holes, and leaves apart what is apart', () => {
  const square = (x: number, y: number, size: number): number[] => [x, y, x + size, y, x + size, y + size, x, y + size];
  const areas = (polygons: readonly number[][][]): number[] =>
    polygons.map((rings) => polygonArea(rings)).sort((a, b) => a - b);
  assert.deepEqual(areas(unionOf([[square(0, 0, 2)], [square(1, 1, 2)]])), [7]);
  assert.deepEqual(areas(unionOf([[square(0, 0, 2)], [square(2, 0, 2)]])), [8]);
  assert.deepEqual(areas(unionOf([[square(0, 0, 1)], [square(3, 0, 2)]])), [1, 4]);
  const besides = unionOf([[square(0, 0, 5)], [square(5.002, 0, 5)]]);
  assert.deepEqual(areas(besides).map(Math.round), [25, 25], 'two millimetres apart');
  const hollow = (west: number, side: number, hole: number) => [
    square(west, west, side),
    square(west + (side - hole) / 2, west + (side - hole) / 2, hole),
  ];
  const inCourtyard = unionOf([hollow(0, 30, 20), hollow(10, 10, 4)]);
  assert.deepEqual(
    inCourtyard.map(([, ...holes]) => holes.length),
    [1, 1],
    'a courtyard in a courtyard',
  );
  const frameOfFour = [
    [[0, 0, 10, 0, 10, 1, 0, 1]],
    [[0, 9, 10, 9, 10, 10, 0, 10]],
    [[0, 0, 1, 0, 1, 10, 0, 10]],
    [[9, 0, 10, 0, 10, 10, 9, 10]],
  ];
  const [framed] = unionOf(frameOfFour);
  assert.equal(framed?.length, 2, 'an outer ring and a hole');
  assert.equal(polygonArea(framed!), 36);
});

// The parts of a shadow vanished whose corners were 0.01 to 1 mm apart.
test('the union of polygons joins those that share corners and sides with different roundings', () => {
  const area = (polygons: readonly number[][][]): number =>
    polygons.reduce((sum, rings) => sum + polygonArea(rings), 0);
  // A footprint rounded to 0.1 mm, and the strips of the shadows of its walls.
  const footprint = [84.9942, 214.647, 68.6742, 172.397, 75.1326, 169.9023, 91.4526, 212.1523];
  const strips = [
    [75.132618, 169.902308, 91.452566, 212.15228, 86.924842, 219.782325, 70.604894, 177.532353],
    [91.452566, 212.15228, 84.994204, 214.647014, 80.466479, 222.277059, 86.924842, 219.782325],
    [84.994204, 214.647014, 68.674232, 172.397052, 64.146507, 180.027097, 80.466479, 222.277059],
    [68.674232, 172.397052, 75.132618, 169.902308, 70.604894, 177.532353, 64.146507, 180.027097],
  ];
  // The footprint, and what it sweeps when it moves along the shadow.
  assert.ok(Math.abs(area(unionOf([[footprint], ...strips.map((strip) => [strip])])) - 667.4) < 0.1);
  // Houses at an angle, of which one stands at the middle of a side of the other, with corners rounded to a millimetre.
  for (let degrees = 1; degrees < 180; degrees++) {
    const [cos, sin] = [Math.cos((degrees * Math.PI) / 180), Math.sin((degrees * Math.PI) / 180)];
    const corner = (x: number, y: number): number[] =>
      [x * cos - y * sin, x * sin + y * cos].map((m) => Math.round(m * 1000) / 1000);
    const box = (west: number, south: number, east: number, north: number): number[] =>
      [corner(west, south), corner(east, south), corner(east, north), corner(west, north)].flat();
    const joined = area(unionOf([[box(0, 0, 13, 7)], [box(4.1, 7, 9.3, 12)]]));
    assert.ok(Math.abs(joined - 117) < 0.05, `${degrees}°: ${joined} m²`);
  }
});

test('a building that is no higher than the plane has a grid, and a site around it its zones', () => {
  const low = { west: 0, south: 0, width: 10, depth: 10, height: 3 };
  const outlines = [[0, 0, 10, 0, 10, 10, 0, 10]];
  const { field, zones, isCut } = study(castersOf([low], 4), { outlines, site: [-5, -5, 15, -5, 15, 15, -5, 15] });
  assert.equal(field.grid.stepM, 0.5);
  assert.equal(isCut, false);
  assert.deepEqual(
    zones?.map(({ fromM, minutes }) => [fromM, minutes]),
    [
      [5, 0],
      [10, 0],
    ],
  );
});

test('contours of a cone are circles; they end where values are missing', () => {
  const grid = { west: -10, south: -10, stepM: 0.5, columns: 41, rows: 41 };
  const place = (i: number): [number, number] => [-10 + (i % 41) * 0.5, -10 + Math.floor(i / 41) * 0.5];
  const cone = Float64Array.from({ length: 41 * 41 }, (_, i) => 10 - Math.hypot(...place(i)));
  const [circle, ...more] = contours(grid, cone, 4);
  assert.equal(more.length, 0);
  assert.deepEqual(circle!.slice(0, 2), circle!.slice(-2));
  for (let i = 0; i < circle!.length; i += 2) assert.ok(Math.abs(Math.hypot(circle![i]!, circle![i + 1]!) - 6) < 0.02);
  const halved = cone.map((value, i) => (place(i)[0] < 0 ? Number.NaN : value));
  const [arc] = contours(grid, halved, 4);
  assert.ok(Math.abs(Math.hypot(arc![0]!, arc![1]!) - 6) < 0.02 && arc![0]! < 0.5, 'it begins at the gap');
  assert.notDeepEqual(arc!.slice(0, 2), arc!.slice(-2));
});
