import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it, test } from 'node:test';
import { randomFrom } from '../../samples/random.ts';
import { OnDemand } from '../../src/compute/on-demand/on-demand.ts';
import type { BuildingRoof } from '../../src/contract/operations/sunlight-building-roof.ts';
import { gridSquareOf } from '../../src/geo/grid-square.ts';
import { ringsFault, ringsOf } from '../../src/geo/ring-text.ts';
import { sunAt, sunTable } from '../../src/solar/day-path.ts';
import { windowsWithout } from '../../src/sunlight/windows.ts';
import { built } from '../pipeline/run-build.ts';
import { serveCity } from '../support/served-city.ts';
import { sharedData, skipWithout } from '../support/shared-data.ts';
import { cityGml, type House, LAT, LAT_M, LON, LON_M, rowsOfHouses, writeFiles } from '../support/small-city.ts';
import { tempFolder } from '../support/temp-folder.ts';

/** The corners of a house, degrees, as the city model has them. */
function ringOf({ east, north, width, depth }: House): number[] {
  const [south, west] = [LAT + north / LAT_M, LON + east / LON_M];
  const [top, right] = [south + depth / LAT_M, west + width / LON_M];
  return [south, west, south, right, top, right, top, west].map((degrees) => Number(degrees.toFixed(9)));
}

/** @param normals tables of sunshine in a normal year, by name */
async function openCity(
  folder: string,
  houses: readonly House[],
  normals: Record<string, string> = {},
): Promise<OnDemand> {
  await writeFiles(join(folder, 'city'), { 'houses.gml': cityGml(houses) });
  await writeFiles(join(folder, 'normals'), normals);
  const { dataset } = await built({
    out: join(folder, 'data'),
    citygml: [join(folder, 'city')],
    normals: Object.keys(normals).map((name) => join(folder, 'normals', name)),
  });
  return OnDemand.open(dataset);
}

test('planned buildings and replaced ones give the answers of a city that was built so', async (t) => {
  const folder = tempFolder(t);
  // The last row lies in the grid square to the south-east, so that a planned building of one shades the other.
  const houses = [
    ...rowsOfHouses(12, { east: 1050, north: 20 }),
    ...rowsOfHouses(6, { east: 1140, north: 60, first: 101 }),
  ];
  const planned: House[] = [
    { id: '13101-bldg-901', east: 1052, north: 2, width: 40, depth: 12, height: 31 },
    { id: '13101-bldg-902', east: 1200, north: 30, width: 12.5, depth: 30, height: 60, base: 1.5 },
  ];
  const gone = '13101-bldg-3';
  // The house that is gone takes its roof with it, and so stand those that stay.
  for (const house of houses) if (house.id === gone || house.id === '13101-bldg-4') house.ridge = 15;
  const before = await openCity(join(folder, 'before'), houses);
  const after = await openCity(join(folder, 'after'), [...houses.filter(({ id }) => id !== gone), ...planned]);
  t.after(() => [before, after].map((city) => city.close()));
  let changed = 0;
  for (const buildingId of ['13101-bldg-1', '13101-bldg-2', '13101-bldg-9', '13101-bldg-101', '13101-bldg-104']) {
    for (const floor of [1, 2]) {
      const asked = { kind: 'floor', buildingId, floor } as const;
      const answer = await before.answer({
        kind: 'what-if',
        buildingId,
        floor,
        replaces: [gone],
        planned: planned.map((house) => ({ ring: ringOf(house), heightM: house.height, baseM: house.base ?? 0 })),
      });
      const [was, is] = [await before.answer(asked), await after.answer(asked)];
      for (const [i, face] of answer.faces.entries()) {
        for (const [month, { before: one, after: other }] of face.months!.entries()) {
          const members = (floorAnswer: typeof was) => {
            const { direct_sun_hours, sunlit_windows } = floorAnswer.faces[i].months![month];
            return { direct_sun_hours, interval: null, sunlit_windows };
          };
          assert.deepEqual(
            one,
            members(was),
            `${buildingId}, floor ${floor}, ${face.face}, month ${month + 1}, before`,
          );
          assert.deepEqual(
            other,
            members(is),
            `${buildingId}, floor ${floor}, ${face.face}, month ${month + 1}, after`,
          );
          if (one.direct_sun_hours !== other.direct_sun_hours) changed++;
        }
      }
    }
  }
  assert.ok(changed > 100, `${changed} values changed`);

  // With its interval the hours of today are those of the floor with its interval.
  const withInterval = { buildingId: '13101-bldg-2', floor: 2, interval: true } as const;
  const drawn = await before.answer({ kind: 'what-if', ...withInterval, planned: [], replaces: [gone] });
  const floorDrawn = await before.answer({ kind: 'floor', ...withInterval });
  for (const [i, { months }] of drawn.faces.entries())
    for (const [month, { before: one, after: other }] of months!.entries()) {
      assert.deepEqual(one.interval, floorDrawn.faces[i]!.months![month]!.interval);
      assert.ok(other.interval!.p90_hours >= one.interval!.p90_hours, 'with a house less there is no less sun');
    }

  // Stated storeys and height give the floors that they give elsewhere.
  const stated = { buildingId: '13101-bldg-2', floor: 5, storeys: 6, heightM: 24 };
  const higher = await before.answer({ kind: 'what-if', ...stated, planned: [], replaces: [gone] });
  const alone = await before.answer({ kind: 'floor', ...stated });
  assert.equal(higher.height_m, alone.height_m);
  for (const [i, { months }] of higher.faces.entries())
    for (const [month, { before: one }] of months!.entries())
      assert.equal(one.direct_sun_hours, alone.faces[i]!.months![month]!.direct_sun_hours);

  // On chosen days, too, they are those of the two cities.
  const onDays = { buildingId: '13101-bldg-2', floor: 1, dates: ['2026-12-22', '2024-02-29'] };
  const ring = ringOf(planned[0]!);
  const days = await before.answer({
    kind: 'what-if',
    ...onDays,
    planned: [{ ring, heightM: 31, baseM: 0 }],
    replaces: [],
  });
  const today = await before.answer({ kind: 'floor', ...onDays });
  for (const [i, face] of days.faces.entries()) {
    assert.deepEqual([face.months, face.annual_mean_hours], [null, null]);
    for (const [k, day] of face.days!.entries()) {
      const { date, direct_sun_hours } = today.faces[i]!.days![k]!;
      assert.deepEqual([day.date, day.before.direct_sun_hours], [date, direct_sun_hours]);
      assert.ok(day.after.direct_sun_hours <= day.before.direct_sun_hours);
    }
  }

  // The shadow of a planned building is that of the city in which it stands, and neighbours add to it.
  const [block] = planned as [House];
  const study = { kind: 'shadow', heightM: null, planeM: 4, stepM: 1, replaces: [], neighbours: false } as const;
  const site = ringOf({
    ...block,
    east: block.east - 2,
    north: block.north - 2,
    width: block.width + 4,
    depth: block.depth + 4,
  });
  const [asPlanned, asBuilt] = [
    await before.answer({
      ...study,
      buildingId: null,
      site,
      planned: [{ ring: ringOf(block), heightM: block.height, baseM: 0 }],
    }),
    await after.answer({ ...study, buildingId: '13101-bldg-901', planned: [], site }),
  ];
  assert.deepEqual(
    asPlanned.features.map(({ id }) => id),
    asBuilt.features.map(({ id }) => id),
  );
  for (const [i, zone] of (asPlanned.zones ?? []).entries())
    assert.ok(Math.abs(zone.most_hours - (asBuilt.zones?.[i]?.most_hours ?? 0)) < 0.03, `${zone.from_m} m`);
  assert.deepEqual([asBuilt.true_solar_from, asBuilt.true_solar_to], ['08:00', '16:00']);
  const among = await after.answer({ ...study, buildingId: '13101-bldg-901', planned: [], site, neighbours: true });
  assert.ok(among.neighbours! > 5);
  assert.ok(among.zones!.every(({ most_hours }, i) => most_hours >= asBuilt.zones![i]!.most_hours - 0.04));
});

/** Between instants at which the sun is compared with a horizon, minutes. */
const STEP = 0.25;

test('the horizon rebuilds the hours of the measuring points; a gabled roof has two planes', async (t) => {
  const houses = rowsOfHouses(12, { east: 1050, north: 20 });
  const gabled = '13101-bldg-4';
  for (const house of houses) if (house.id === gabled) house.ridge = 15;
  const city = await openCity(tempFolder(t), houses);
  t.after(() => city.close());
  const paths = sunTable(gridSquareOf(LAT + 40 / LAT_M, LON + 1080 / LON_M));
  const balcony = { overhangM: 1.8, overhangHeightM: 2.2, sideM: 1.5, sideDistanceM: 2, setbackM: 0.3 };
  for (const before of [undefined, balcony]) {
    let compared = 0;
    let most = 0;
    for (const buildingId of ['13101-bldg-2', '13101-bldg-5', '13101-bldg-8']) {
      const floor = await city.answer({ kind: 'floor', buildingId, floor: 1, receptors: true, balcony: before });
      for (const { face, receptor_details } of floor.faces) {
        for (const { receptor, months } of receptor_details ?? []) {
          const asked = { kind: 'sky', buildingId, floor: 1, face, receptor, horizon: true } as const;
          const sky = await city.answer({ ...asked, balcony: before });
          const { horizon, wall_azimuth_deg, balcony_edge } = sky;
          const { altitudes_deg, step_deg, userhorizon } = horizon ?? assert.fail('no horizon');
          assert.equal(userhorizon.split(',').length, 360);
          assert.equal(altitudes_deg[Math.round(((wall_azimuth_deg + 180) % 360) / step_deg)], 90, 'behind the wall');
          assert.equal(balcony_edge?.length, before && 720);
          if (before !== undefined) {
            const bare = await city.answer(asked);
            assert.ok(sky.vertical_sky_component_percent < bare.vertical_sky_component_percent);
            assert.deepEqual(sky.skyline, bare.skyline, 'the neighbours are those of the bare wall');
          }
          /** The altitude below which the balcony leaves the sky free. */
          const edgeAt = (azimuthDeg: number): number => {
            const aside = ((azimuthDeg - wall_azimuth_deg + 540) % 360) - 180;
            return balcony_edge?.[Math.round((aside + 90) * 4 - 0.5)]?.[1] ?? 90;
          };
          for (const [month, path] of paths.entries()) {
            let minutes = 0;
            for (let minute = path.sunrise + STEP / 2; minute < path.sunset; minute += STEP) {
              const { azimuthDeg, altitudeDeg } = sunAt(path, minute);
              const top = altitudes_deg[Math.round(azimuthDeg / step_deg) % altitudes_deg.length]!;
              if (altitudeDeg > Math.max(0, top) && altitudeDeg < edgeAt(azimuthDeg)) minutes += STEP;
            }
            most = Math.max(most, Math.abs(minutes - months![month]!.direct_sun_hours * 60));
            compared++;
          }
        }
      }
    }
    assert.ok(compared > 200 && most <= (before ? 4 : 2), `${compared} compared, ${most.toFixed(1)} min apart`);
  }

  const roof = await city.answer({ kind: 'roof', buildingId: gabled });
  assert.equal(roof.roof, 'surfaces');
  const [north, south] = roof.planes!.toSorted(
    (a, b) => Math.abs(180 - b.azimuth_deg!) - Math.abs(180 - a.azimuth_deg!),
  );
  const tilt = (Math.atan2(15, 4) * 180) / Math.PI;
  for (const plane of [north!, south!]) assert.ok(Math.abs(plane.tilt_deg - tilt) < 0.5, `${plane.tilt_deg}°`);
  assert.ok(Math.abs(south!.azimuth_deg! - 180) < 1 && Math.abs(((north!.azimuth_deg! + 180) % 360) - 180) < 1);
  const inDecember = ({ months }: typeof roof): number => months[11]!.direct_sun_hours;
  assert.equal(inDecember({ ...roof, ...north! }), 0, 'the sun of December stands behind the northern plane');
  assert.ok(inDecember({ ...roof, ...south! }) > 5);
  const flat = await city.answer({ kind: 'roof', buildingId: '13101-bldg-2' });
  assert.equal(flat.planes, null);
  const { width, depth } = houses.find(({ id }) => id === '13101-bldg-2')!;
  assert.ok(Math.abs(flat.area_m2 - width * depth) < 0.02 * width * depth);
});

test('expected hours follow normals that are drawn at random; without normals the rest is the same', async (t) => {
  const seed = Number(process.env.SEED ?? Math.floor(Math.random() * 1e9));
  t.diagnostic(`seed ${seed}`);
  const random = randomFrom(seed);
  const normal = Array.from({ length: 12 }, () => Math.round((80 + 160 * random()) * 10) / 10);
  const shares = normal.map(() => Array.from({ length: 24 }, () => Math.round((0.05 + 0.9 * random()) * 100) / 100));
  const houses = rowsOfHouses(12, { east: 1050, north: 20 });
  const tower = { id: '13101-bldg-201', east: 1250, north: 60, width: 15, depth: 12, height: 120, storeys: 40 };
  houses.push(tower);
  const months = normal.map((hours, i) => `35.68,139.77,${i + 1},${hours}`);
  const byHour = shares.flatMap((row, i) => row.map((share, hour) => `${i + 1},${hour},${share}`));
  const folder = tempFolder(t);
  const [city, bare] = await Promise.all([
    openCity(join(folder, 'with'), houses, {
      'months.csv': ['lat,lon,month,hours', ...months].join('\n'),
      'hours.csv': ['month,hour,share', ...byHour].join('\n'),
    }),
    openCity(join(folder, 'without'), houses),
  ]);
  t.after(() => [city, bare].map((one) => one.close()));
  const days = [31, 28.25, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31];

  const roof = await city.answer({ kind: 'roof', buildingId: tower.id });
  for (const [month, { expected_hours }] of roof.months.entries()) {
    const found = expected_hours! * days[month]!;
    const said = `seed ${seed}, month ${month + 1}: ${found}, normal ${normal[month]}`;
    assert.ok(Math.abs(found - normal[month]!) < 0.01 * normal[month]!, said);
  }

  // A wall: the minutes of its windows weighted by the table, once more by hand.
  const paths = sunTable(gridSquareOf(LAT + 60 / LAT_M, LON + 1250 / LON_M));
  const { faces } = await city.answer({ kind: 'floor', buildingId: tower.id, floor: 39, receptors: true });
  for (const { face, receptor_details, months: answers } of faces) {
    for (const [month, path] of paths.entries()) {
      const table = shares[month]!;
      const sunny = Array.from({ length: 1440 }, (_, minute) => sunAt(path, minute + 0.5).altitudeDeg >= 2.6);
      const [first, last] = [sunny.indexOf(true), sunny.lastIndexOf(true)];
      // The hours of sunrise and sunset have the share of the next whole hour.
      const share = (minute: number): number =>
        table[Math.min(Math.max(Math.floor(minute / 60), Math.ceil(first / 60)), Math.floor((last + 1) / 60) - 1)]!;
      const all = sunny.reduce((sum, is, minute) => sum + (is ? share(minute) : 0), 0);
      let expected = 0;
      for (const { months: own } of receptor_details ?? [])
        for (const [from, to] of own![month]!.sunlit_windows)
          for (let minute = minutesOf(from); minute < minutesOf(to); minute++)
            if (sunny[minute]) expected += (share(minute) / all) * (normal[month]! / days[month]!);
      const found = answers![month]!.expected_hours!;
      const mean = expected / receptor_details!.length;
      assert.ok(Math.abs(found - mean) < 0.02, `seed ${seed}, ${face}, month ${month + 1}: ${found}, by hand ${mean}`);
    }
  }

  const asked = { kind: 'floor', buildingId: '13101-bldg-5', floor: 1, receptors: true } as const;
  const [withNormals, without] = [await city.answer(asked), await bare.answer(asked)];
  assert.ok(without.faces.every(({ expected_by_hour: by, expected_year_hours: year }) => by === null && year === null));
  assert.ok(withNormals.faces.every(({ expected_by_hour }) => expected_by_hour === true));
  const stripped = ({ faces: all, ...floor }: typeof without) => ({
    ...floor,
    method: null,
    faces: all.map(({ months: answers, expected_year_hours: _, expected_by_hour: ____, ...one }) => ({
      ...one,
      months: answers!.map((month) => ({ ...month, expected_hours: null })),
    })),
  });
  assert.deepEqual(stripped(withNormals), stripped(without));
  // A balcony without depth changes nothing.
  const flat = { overhangM: 0, overhangHeightM: null, sideM: 0, sideDistanceM: 3, setbackM: 0 };
  const { balcony: _, ...behind } = await bare.answer({ ...asked, balcony: flat });
  for (const face of behind.faces)
    for (const month of face.months ?? []) assert.equal(month.balcony_hours, 0, 'it takes nothing');
  const { balcony: __, ...open } = without;
  const hours = ({ faces: all }: typeof open) =>
    all.map(({ months: answers }) => answers!.map(({ balcony_hours: ___, ...month }) => month));
  assert.deepEqual(hours(behind), hours(open));
});

/** Minutes after midnight of `HH:MM`. */
const minutesOf = (time: string): number => Number(time.slice(0, 2)) * 60 + Number(time.slice(3));

/** A published file with LOD2. */
const PUBLISHED_ROOFS = 'plateau/lod2/49303425_bldg_tamana.gml';

/** A roof polygon by itself: its area as it slopes, its tilt, and where it slopes to, by the sum of cross products (Newell). */
function facetOf(degrees: readonly number[]): { areaM2: number; tiltDeg: number; azimuthDeg: number } {
  const [lat0, lon0] = degrees as [number, number];
  const radians = Math.PI / 180;
  // Metres of a degree on GRS 80.
  const w = Math.sqrt(1 - 0.00669438 * Math.sin(lat0 * radians) ** 2);
  const [northM, eastM] = [
    ((6378137 * (1 - 0.00669438)) / w ** 3) * radians,
    ((6378137 * Math.cos(lat0 * radians)) / w) * radians,
  ];
  const corners = Array.from({ length: degrees.length / 3 }, (_, i) => {
    const [lat, lon, z] = degrees.slice(3 * i, 3 * i + 3) as [number, number, number];
    return [(lon - lon0) * eastM, (lat - lat0) * northM, z] as const;
  });
  let [x, y, z] = [0, 0, 0];
  for (const [i, [ax, ay, az]] of corners.entries()) {
    const [bx, by, bz] = corners[(i + 1) % corners.length]!;
    x += (ay - by) * (az + bz);
    y += (az - bz) * (ax + bx);
    z += (ax - bx) * (ay + by);
  }
  const up = Math.sign(z);
  return {
    areaM2: Math.hypot(x, y, z) / 2,
    tiltDeg: Math.acos(Math.abs(z) / Math.hypot(x, y, z)) / radians,
    azimuthDeg: (Math.atan2(up * x, up * y) / radians + 360) % 360,
  };
}

test('planes of published roofs have the area, tilt and azimuth of their polygons in the file', {
  skip: skipWithout(PUBLISHED_ROOFS),
}, async (t) => {
  const [file, folder] = [sharedData(PUBLISHED_ROOFS)!, tempFolder(t)];
  await built({ out: folder, citygml: [file] });
  const { url } = await serveCity(t, ['--data', folder, '--rate-limit', 'off'], 'ignore');
  let planes = 0;
  for (const building of readFileSync(file, 'utf8').split('<bldg:Building ').slice(1)) {
    const surfaces = Array.from(building.matchAll(/<bldg:RoofSurface[\s\S]*?<\/bldg:RoofSurface>/g), ([text]) => text);
    if (surfaces.length === 0) continue;
    const id = /<uro:buildingID>([^<]+)</.exec(building)?.[1];
    const facets = surfaces
      .flatMap((text) =>
        Array.from(text.matchAll(/<gml:exterior>[\s\S]*?<gml:posList[^>]*>([^<]+)</g), ([, list]) => list!),
      )
      .map((list) => facetOf(list.trim().split(/\s+/).map(Number)));
    const answer = await fetch(`${url}/api/v1/sunlight/building/${id}/roof`);
    assert.equal(answer.headers.get('x-cost-units'), '3');
    const { data: roof } = (await answer.json()) as { data: BuildingRoof };
    assert.equal(roof.roof, 'surfaces');
    const areaOf = (some: typeof facets): number => some.reduce((sum, { areaM2 }) => sum + areaM2, 0);
    assert.ok(Math.abs(roof.area_m2 - areaOf(facets)) < 0.002 * areaOf(facets) + 0.1, `${id}: ${roof.area_m2}`);
    for (const { area_m2, tilt_deg, azimuth_deg } of roof.planes ?? []) {
      const same = facets.filter(
        ({ tiltDeg, azimuthDeg }) =>
          Math.abs(tiltDeg - tilt_deg) < 0.7 &&
          (azimuth_deg === null || Math.abs(((azimuthDeg - azimuth_deg + 540) % 360) - 180) < 2),
      );
      assert.ok(areaOf(same) > 0.98 * area_m2, `${id}: ${area_m2} m², ${tilt_deg}°, ${azimuth_deg}°`);
      planes++;
    }
  }
  assert.ok(planes >= 40, `${planes} planes`);
});

describe('windows without others', () => {
  for (const [windows, others, rest] of [
    [[60, 120], [], [60, 120]],
    [[60, 120], [60, 120], []],
    [
      [60, 120],
      [80, 90],
      [60, 80, 90, 120],
    ],
    [
      [60, 120, 180, 240],
      [100, 200],
      [60, 100, 200, 240],
    ],
    [
      [60, 120],
      [0, 60, 120, 130],
      [60, 120],
    ],
    [
      [60, 120],
      [0, 70, 75, 80, 110, 200],
      [70, 75, 80, 110],
    ],
  ]) {
    it(`${windows} without ${others} is ${rest}`, () => assert.deepEqual(windowsWithout(windows, others), rest));
  }
});

describe('rings in a URL', () => {
  const square = '35.68,139.76;35.68,139.7601;35.6801,139.7601;35.6801,139.76';
  const corners = [35.68, 139.76, 35.68, 139.7601, 35.6801, 139.7601, 35.6801, 139.76];

  it('are corners with semicolons, closed or not, or an encoded polyline', () => {
    assert.deepEqual(ringsOf(square, 3), [corners]);
    assert.deepEqual(ringsOf(`${square};35.68,139.76/${square}`, 3), [corners, corners]);
    assert.deepEqual(ringsOf(polyline(corners), 3), [corners]);
  });

  for (const [what, text, found] of [
    ['two corners', '35.68,139.76;35.68,139.7601', 'ring 1 has 2 corners'],
    [
      'degrees in the other order',
      square.replace(/(\d+\.\d+),(\d+\.\d+)/g, '$2,$1'),
      'ring 1 lies from 139.76, 35.68 to 139.7601, 35.6801 (latitude, longitude), not in Japan',
    ],
    ['no area', '35.68,139.76;35.68,139.7601;35.68,139.7602', 'ring 1 has an area of 0.0 m²'],
    // It had an area, but no building was made of it: answers had no distance, and a step without end.
    ['teeth of a millimetre', teeth(48, 0.001), 'ring 1 is narrower than 1 cm'],
    ['more than 500 m', `${square}/35.68,139.76;35.68,139.77;35.6801,139.77`, 'ring 2 is 903 m across'],
    [
      'a side that crosses another',
      '35.68,139.76;35.6803,139.7602;35.68,139.7602;35.6802,139.76',
      'ring 1 crosses itself',
    ],
    ['more rings than allowed', [square, square, square, square].join('/'), 'there are 4 rings'],
    [
      '101 corners',
      Array.from({ length: 101 }, (_, i) => `35.68,139.${i + 100}`).join(';'),
      'ring 1 has more than 100 corners',
    ],
    ['no numbers', '35.68,NaN;35.6801,139.7;35.6802,139.8', 'ring 1 is "35.68,NaN;35.6801,139.7;35.6802,139.8"'],
    ['a polyline that breaks off', polyline(corners).slice(0, -1), `ring 1 is "${polyline(corners).slice(0, -1)}"`],
    ['a polyline without end', '~'.repeat(5000), `ring 1 is "${'~'.repeat(60)}…"`],
    ['words', 'here', 'ring 1 is "here"'],
    ['nothing', '', 'ring 1 has 0 corners'],
  ] as const) {
    it(`are refused with ${what}, which is said`, () => {
      assert.equal(ringsOf(text, 3), null);
      assert.equal(ringsFault(text, 3), found);
    });
  }
});

/** A comb: so many teeth, each 480 m long and so wide, metres. */
function teeth(count: number, widthM: number): string {
  const corner = (north: number, east: number): string =>
    `${(35.68 + north / 111_000).toFixed(12)},${(139.76 + east / 90_000).toFixed(12)}`;
  return Array.from({ length: count }, (_, i) => `${corner(0, i * widthM)};${corner(480, (i + 0.5) * widthM)}`)
    .concat(corner(0, count * widthM))
    .join(';');
}

/** Google's encoded polyline of corners, five decimals. */
function polyline(corners: readonly number[]): string {
  let text = '';
  const last = [0, 0];
  for (const [i, degrees] of corners.entries()) {
    const value = Math.round(degrees * 1e5);
    let rest = value - last[i % 2];
    last[i % 2] = value;
    rest = rest < 0 ? -2 * rest - 1 : 2 * rest;
    for (; rest >= 32; rest = Math.floor(rest / 32)) text += String.fromCharCode((rest % 32) + 32 + 63);
    text += String.fromCharCode(rest + 63);
  }
  return text;
}
