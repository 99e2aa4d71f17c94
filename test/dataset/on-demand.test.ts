import assert from 'node:assert/strict';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { type Demand, OnDemand } from '../../src/compute/on-demand/on-demand.ts';
import type { BuildingFull } from '../../src/contract/operations/sunlight-building.ts';
import type { BuildingFloor } from '../../src/contract/operations/sunlight-building-floor.ts';
import type { Dataset } from '../../src/dataset/dataset.ts';
import { openNewest } from '../../src/dataset/open.ts';
import { SUNLIGHT_STORE, SunlightStore } from '../../src/dataset/sunlight-store.ts';
import { dayPath, sunTable, trueSolarTime } from '../../src/solar/day-path.ts';
import { solarDay } from '../../src/solar/solar-day.ts';
import {
  EXPOSURE_DAYS,
  exposureLevel,
  mayReachNextLevel,
  OTHER_EXPOSURE_DAYS,
} from '../../src/sunlight/assessments.ts';
import { FLOOR_CLASSES } from '../../src/sunlight/result.ts';
import { built } from '../pipeline/run-build.ts';
import { sharedData, skipWithout } from '../support/shared-data.ts';
import { cityGml, type House, writeFiles } from '../support/small-city.ts';
import { tempFolder } from '../support/temp-folder.ts';

/** A tower of ten storeys, a slab to its south and a low house between them, and a house all alone to the north. */
const HOUSES: House[] = [
  { id: '13101-bldg-1', east: 300, north: 300, width: 30, depth: 20, height: 30, storeys: 10 },
  { id: '13101-bldg-2', east: 260, north: 240, width: 120, depth: 12, height: 40 },
  { id: '13101-bldg-3', east: 310, north: 265, width: 10, depth: 10, height: 6, storeys: 2 },
  { id: '13101-bldg-4', east: 900, north: 900, width: 10, depth: 10, height: 6, storeys: 2 },
];

async function openBuilt(
  folder: string,
  citygml: string[],
): Promise<{ dataset: Dataset; onDemand: OnDemand; ids: string[] }> {
  const out = join(folder, 'data');
  await built({ out, citygml });
  const dataset = (await openNewest(out)).dataset!;
  const store = new SunlightStore(dataset.files.open(SUNLIGHT_STORE));
  return {
    dataset,
    onDemand: await OnDemand.open(dataset.folder),
    ids: [...store.records('')].map((one) => one.buildingId),
  };
}

const floorOf = (
  onDemand: OnDemand,
  buildingId: string,
  floor: number,
  more: Omit<Extract<Demand, { kind: 'floor' }>, 'kind' | 'buildingId' | 'floor'> = {},
): Promise<BuildingFloor> => onDemand.answer({ kind: 'floor', buildingId, floor, ...more });

/** The faces of a floor as the full answer gives them. */
const asInFull = ({ faces, height_m }: BuildingFloor) =>
  faces.map(({ face, azimuth_deg, wall_length_m, receptors, months }) => ({
    face,
    azimuth_deg,
    wall_length_m,
    receptors,
    height_m,
    months: months?.map(({ month, direct_sun_hours, unshaded_hours, sunlit_windows }) => ({
      month,
      direct_sun_hours,
      unshaded_hours,
      sunlit_windows,
    })),
  }));

const ofFull = ({ faces }: BuildingFull, floorClass: (typeof FLOOR_CLASSES)[number]) =>
  faces.map(({ face, azimuth_deg, wall_length_m, receptors, floors }) => ({
    face,
    azimuth_deg,
    wall_length_m,
    receptors,
    height_m: floors[floorClass].height_m,
    months: floors[floorClass].months,
  }));

/** First, middle and top floor of these buildings are those of the dataset; gives how many faces were compared. */
async function compareWithStored(dataset: Dataset, onDemand: OnDemand, ids: readonly string[]): Promise<number> {
  let compared = 0;
  for (const id of ids) {
    const full = dataset.sunlight!.full(id)!.toJSON();
    for (const floorClass of FLOOR_CLASSES) {
      const floor = full.faces[0]?.floors[floorClass].floor;
      if (floor === undefined) continue;
      const answer = await floorOf(onDemand, id, floor);
      assert.deepEqual(asInFull(answer), ofFull(full, floorClass), `${id}, ${floorClass}`);
      compared += full.faces.length;
    }
  }
  return compared;
}

describe('floors and skies on demand', () => {
  const folder = tempFolder({ after });
  let dataset: Dataset;
  let onDemand: OnDemand;
  let ids: string[];
  before(async () => {
    await writeFiles(folder, { 'city/53394611_bldg_6697_op.gml': cityGml(HOUSES) });
    ({ dataset, onDemand, ids } = await openBuilt(folder, [join(folder, 'city')]));
  });
  after(async () => {
    onDemand.close();
    await dataset.close();
  });

  test('first, middle and top floor equal the stored answers', async () => {
    assert.equal(await compareWithStored(dataset, onDemand, ids), 4 * 4 * 3);
  });

  test('the higher the floor, the more sun on the south front; the shares add up to the hours', async () => {
    const hours: number[] = [];
    for (let floor = 1; floor <= 10; floor++) {
      const { faces } = await floorOf(onDemand, '13101-bldg-1', floor, { face: 'S' });
      assert.deepEqual(
        faces.map(({ face }) => face),
        ['S'],
      );
      const { direct_sun_hours, lit_share } = faces[0]!.months![11]!;
      hours.push(direct_sun_hours);
      const minute = (time: string): number => Number(time.slice(0, 2)) * 60 + Number(time.slice(3));
      const area = lit_share.reduce((sum, [from, share], i) => {
        const to = lit_share[i + 1]?.[0] ?? from;
        return sum + (share * (minute(to) - minute(from))) / 60;
      }, 0);
      assert.ok(Math.abs(area - direct_sun_hours) < 0.05, `floor ${floor}: ${area} h by shares, ${direct_sun_hours} h`);
      if (lit_share.length > 0) assert.equal(lit_share.at(-1)![1], 0);
    }
    assert.deepEqual(
      hours,
      hours.toSorted((a, b) => a - b),
    );
    assert.ok(hours[9]! - hours[0]! > 2, hours.join());
  });

  test('one day: that of December is the December of the year; receptors one by one make the mean', async () => {
    const year = await floorOf(onDemand, '13101-bldg-1', 3);
    const day = await floorOf(onDemand, '13101-bldg-1', 3, { dates: ['2026-12-15'], receptors: true });
    for (const [i, face] of day.faces.entries()) {
      const { month: _, expected_hours: __, ...december } = year.faces[i]!.months![11]!;
      assert.deepEqual(face.day, { date: '2026-12-15', ...december });
      assert.equal(face.months, null);
      const all = face.receptor_details!.map((receptor) => receptor.day!.direct_sun_hours);
      assert.equal(all.length, face.receptors);
      const mean = all.reduce((sum, one) => sum + one, 0) / all.length;
      assert.ok(Math.abs(mean - face.day!.direct_sun_hours) < 0.011);
    }
    const far = await floorOf(onDemand, '13101-bldg-1', 3, { dates: ['2099-06-21'] });
    assert.ok(far.faces.every(({ day: one }) => one!.date === '2099-06-21'));
  });

  test('several days side by side, and who takes the sun on each: minutes and times of day', async () => {
    const dates = ['2026-06-21', '2026-12-15', '2026-12-22'];
    const [year, some] = [
      await floorOf(onDemand, '13101-bldg-1', 1, { month: 12 }),
      await floorOf(onDemand, '13101-bldg-1', 1, { dates }),
    ];
    for (const [i, face] of some.faces.entries()) {
      assert.deepEqual([face.months, face.day], [null, null]);
      assert.deepEqual(
        face.days!.map(({ date }) => date),
        dates,
      );
      const { month: _, expected_hours: __, ...december } = year.faces[i]!.months![11]!;
      assert.deepEqual(face.days![1], { date: '2026-12-15', ...december });
      assert.deepEqual(face.shade![1], year.faces[i]!.shade![0]);
    }
    const south = year.faces.find(({ face }) => face === 'S')!;
    const { shaded_hours, sources, other_hours } = south.shade![0]!;
    const { unshaded_hours, direct_sun_hours } = south.months![11]!;
    assert.ok(Math.abs(shaded_hours - (unshaded_hours - direct_sun_hours)) < 0.011);
    const sum = sources.reduce((hours, one) => hours + one.shaded_hours, other_hours);
    assert.ok(Math.abs(sum - shaded_hours) < 0.006 * (1 + sources.length), `${sum} of ${shaded_hours} h`);
    // The slab of 40 m stands before the tower in the south, with the low house between them.
    assert.equal(sources[0]!.building_id, '13101-bldg-2');
    assert.ok(sources[0]!.shaded_windows.length > 0 && !sources[0]!.is_own);
    assert.ok(year.faces.every(({ shade }) => shade!.length === 1 && shade![0]!.date === '2026-12-15'));
    assert.ok((await floorOf(onDemand, '13101-bldg-1', 1)).faces.every(({ shade }) => shade === null));
  });

  test('storeys and height that are given take the place of the model', async () => {
    const asPublished = await floorOf(onDemand, '13101-bldg-1', 4);
    const same = await floorOf(onDemand, '13101-bldg-1', 4, { storeys: 10, heightM: 30 });
    assert.deepEqual(same, { ...asPublished, assumed: { storeys: 10, height_m: 30 } });
    const higher = await floorOf(onDemand, '13101-bldg-1', 4, { heightM: 60 });
    assert.deepEqual([higher.storeys, higher.height_m, asPublished.height_m], [10, 19.5, 10.5]);
    // As high as floor 7 of the published building, whose storeys are half as high.
    const seventh = await floorOf(onDemand, '13101-bldg-1', 7, { heightM: 30 });
    assert.deepEqual(
      higher.faces.map(({ months }) => months),
      seventh.faces.map(({ months }) => months),
    );
    const more = await floorOf(onDemand, '13101-bldg-2', 20, { storeys: 20 });
    assert.deepEqual([more.storeys, more.storeys_estimated, more.height_m], [20, false, 39]);
    const { storeys, storeys_estimated } = await floorOf(onDemand, '13101-bldg-2', 15, { heightM: 48 });
    assert.deepEqual([storeys, storeys_estimated], [15, true]);
    const from = { buildingId: '13101-bldg-1', face: 'S', receptor: 1 } as const;
    const sky = await onDemand.answer({ kind: 'sky', ...from, floor: 4, heightM: 60 });
    assert.equal(sky.height_m, 19.5);
  });

  test('an interval is the same each time, around what is published, and wide where neighbours stand near', async () => {
    const [one, again] = [
      await floorOf(onDemand, '13101-bldg-1', 3, { interval: true }),
      await floorOf(onDemand, '13101-bldg-1', 3, { interval: true }),
    ];
    assert.deepEqual(one, again);
    const { source, ...error } = one.model_error!;
    assert.deepEqual(error, { position_sd_m: 1.75, height_sd_m: 0.66, draws: 15 });
    assert.match(source, /map level 2500; height: map level 2500/);
    const widest = one.faces.flatMap(({ months }) =>
      months!.map(({ direct_sun_hours, interval }) => {
        assert.ok(interval!.p10_hours - 0.5 <= direct_sun_hours && direct_sun_hours <= interval!.p90_hours + 0.5);
        return interval!.p90_hours - interval!.p10_hours;
      }),
    );
    assert.ok(Math.max(...widest) > 0.3 && Math.min(...widest) < 0.05, widest.join());
    const plain = await floorOf(onDemand, '13101-bldg-1', 3);
    assert.equal(plain.model_error, null);
    assert.deepEqual(
      plain.faces.map(({ azimuth_deg }) => azimuth_deg),
      one.faces.map(({ azimuth_deg }) => azimuth_deg),
    );
    assert.ok(plain.faces.every(({ months }) => months!.every(({ interval }) => interval === null)));
  });

  test('rules of the trade: hours of true solar time at the winter solstice, levels of EN 17037', async () => {
    const { assessments } = await floorOf(onDemand, '13101-bldg-4', 2);
    const { winter_solstice, sunlight_exposure } = assessments;
    const path = dayPath(solarDay(2026, 12, 22), sunTable('53394611')[0]!.lat, sunTable('53394611')[0]!.lon);
    const minutes = (time: string): number => Number(time.slice(0, 2)) * 60 + Number(time.slice(3));
    assert.ok(Math.abs(trueSolarTime(path, minutes(winter_solstice.from)) - 8 * 60) <= 0.5);
    assert.ok(Math.abs(trueSolarTime(path, minutes(winter_solstice.to)) - 16 * 60) <= 0.5);
    const south = winter_solstice.faces.find(({ face }) => face === 'S')!;
    // Nothing stands before this house: of the eight hours it has all in which the sun is in front of its wall.
    assert.equal(south.direct_sun_hours, 8);
    assert.deepEqual(south.sunlit_windows, [[winter_solstice.from, winter_solstice.to]]);
    assert.deepEqual(
      sunlight_exposure.faces.map(({ face, level }) => [face, level]),
      [
        ['N', 'none'],
        ['E', 'high'],
        ['S', 'high'],
        ['W', 'high'],
      ],
    );
  });

  test('the level of EN 17037 is that of the best of all 49 days', async () => {
    const days = Array.from({ length: 49 }, (_, i) => new Date(Date.UTC(2026, 1, 1 + i)).toISOString().slice(0, 10));
    for (const heightM of [24, 31, 38]) {
      const asked = { storeys: 10, heightM };
      const { assessments } = await floorOf(onDemand, '13101-bldg-1', 3, asked);
      const hours = new Map<string, Map<string, number>>();
      for (let from = 0; from < days.length; from += 12) {
        const dates = days.slice(from, from + 12);
        for (const { face, days: found } of (await floorOf(onDemand, '13101-bldg-1', 3, { ...asked, dates })).faces) {
          const known = hours.get(face) ?? new Map<string, number>();
          for (const { date, direct_sun_hours } of found!) known.set(date, direct_sun_hours);
          hours.set(face, known);
        }
      }
      for (const { face, level, date, direct_sun_hours } of assessments.sunlight_exposure.faces) {
        const known = hours.get(face)!;
        assert.equal(direct_sun_hours, known.get(date));
        assert.equal(level, exposureLevel(Math.max(...known.values())), `${face}, ${heightM} m`);
      }
    }
    // Each day is computed once: eleven always, the others where they could reach a higher level.
    const computed = [...EXPOSURE_DAYS, ...OTHER_EXPOSURE_DAYS];
    const names = computed.map(({ month, day }) => `2026-0${month}-${String(day).padStart(2, '0')}`);
    assert.deepEqual(names.sort(), days);
    assert.deepEqual([0, 0.9, 1.1, 1.5, 2.4, 2.6, 3.6, 4].map(mayReachNextLevel), [
      ...[false, false, true, false, false, true, true, false],
    ]);
  });

  test('the sky: nothing before the wall gives 39.6 %, a slab takes its part and is named', async () => {
    const open = await onDemand.answer({ kind: 'sky', buildingId: '13101-bldg-4', face: 'N', floor: 1, receptor: 1 });
    assert.equal(open.vertical_sky_component_percent, 39.6);
    assert.deepEqual([open.skyline.length, open.skyline[0]!.building_id], [1, null]);
    const sky = await onDemand.answer({ kind: 'sky', buildingId: '13101-bldg-1', face: 'S', floor: 1, receptor: 2 });
    assert.ok(sky.vertical_sky_component_percent > 5 && sky.vertical_sky_component_percent < 25);
    const named = new Set(sky.skyline.map(({ building_id }) => building_id));
    assert.ok(named.has('13101-bldg-2'));
    const points = sky.skyline.flatMap((part) => part.points);
    assert.equal(points.length, 720);
    // The slab stands 48 m before the wall and 38.5 m over the receptor.
    const ahead = points.reduce((best, one) => (Math.abs(one[0] - 180) < Math.abs(best[0] - 180) ? one : best));
    assert.ok(Math.abs(ahead[1] - (Math.atan(38.5 / 48) * 180) / Math.PI) < 0.5, String(ahead));
    assert.equal(sky.sun.length, 12);
    const noon = sky.sun[11]!.positions.find(([time]) => time === '11:45')!;
    assert.ok(Math.abs(noon[1] - 181) < 3 && Math.abs(noon[2] - 31) < 1, String(noon));
  });
});

const OSAKA = 'plateau/osaka';

test('over real buildings the floors equal the stored ones', { skip: skipWithout(OSAKA) }, async (t) => {
  const { dataset, onDemand, ids } = await openBuilt(tempFolder(t), [sharedData(OSAKA)!]);
  const every = Math.ceil(ids.length / 60);
  const compared = await compareWithStored(
    dataset,
    onDemand,
    ids.filter((_, i) => i % every === 0),
  );
  assert.ok(compared > 500, `${compared} faces`);
  onDemand.close();
  await dataset.close();
});
