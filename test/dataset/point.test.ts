import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { OnDemand } from '../../src/compute/on-demand/on-demand.ts';
import type { PointSunlight } from '../../src/contract/operations/sunlight-position.ts';
import type { Dataset } from '../../src/dataset/dataset.ts';
import { openNewest } from '../../src/dataset/open.ts';
import { runBuild } from '../pipeline/run-build.ts';
import { cityGml, type House, writeFiles } from '../support/small-city.ts';

/** Metres east and north of the test city's corner, as degrees. */
const place = (east: number, north: number): [number, number] => [35.675 + north / 110_950, 139.7625 + east / 90_500];

/** A wide slab to the south of an empty yard, on ground at 20 m; a hut in the next grid square. */
const HOUSES: House[] = [
  { id: '13101-bldg-1', east: 300, north: 300, width: 200, depth: 10, height: 60, base: 20 },
  { id: '13101-bldg-2', east: 395, north: 420, width: 10, depth: 10, height: 4, base: 20 },
  { id: '13101-bldg-3', east: 1300, north: 500, width: 10, depth: 10, height: 4, base: 20 },
];

const folder = mkdtempSync(join(tmpdir(), 'hidamari-test-'));
let dataset: Dataset;
let onDemand: OnDemand;

before(async () => {
  await writeFiles(folder, { 'city/udx/bldg/53394611_bldg_6697_op.gml': cityGml(HOUSES) });
  const { code, stderr } = await runBuild(['--out', join(folder, 'data'), '--citygml', join(folder, 'city')]);
  assert.equal(code, 0, stderr);
  dataset = (await openNewest(join(folder, 'data'))).dataset!;
  onDemand = await OnDemand.open(dataset.folder);
});

after(async () => {
  onDemand.close();
  await dataset.close();
  rmSync(folder, { recursive: true });
});

const point = (east: number, north: number, heightM: number): Promise<PointSunlight> => {
  const [lat, lon] = place(east, north);
  return onDemand.answer({ kind: 'point', lat, lon, heightM });
};
const hours = (answer: PointSunlight): number[] => answer.months.map(({ direct_sun_hours }) => direct_sun_hours);
const unshaded = (answer: PointSunlight): number[] => answer.months.map(({ unshaded_hours }) => unshaded_hours);

test('above everything the sun shines from rise to set', async () => {
  const answer = await point(400, 350, 200);
  assert.deepEqual(hours(answer), unshaded(answer));
  assert.ok(hours(answer)[5]! > 14.3 && hours(answer)[11]! < 9.8);
  for (const { sunlit_windows } of answer.months) assert.equal(sunlit_windows.length, 1);
});

test('a point says in which building it is, and what is known around it', async () => {
  const [inside, above, yard, far] = await Promise.all([
    point(400, 305, 30),
    point(400, 305, 61),
    point(400, 350, 1),
    point(400, -2000, 1),
  ]);
  assert.deepEqual([inside.inside, inside.surroundings], ['13101-bldg-1', 'open']);
  assert.ok(hours(inside).every((day) => day === 0));
  assert.deepEqual([above.inside, yard.inside, yard.surroundings], [null, null, 'open']);
  assert.deepEqual([far.inside, far.surroundings], [null, 'open']);
  const nowhere = await onDemand.answer({ kind: 'point', lat: 35.5, lon: 139.5, heightM: 1 });
  assert.deepEqual([nowhere.inside, nowhere.surroundings], [null, 'none']);
  assert.deepEqual(hours(nowhere), unshaded(nowhere));
});

test('behind a slab the winter noon is dark; the height counts from the base of the nearest building', async () => {
  // 90 m behind the middle of a slab of 60 m: its edge stands 34° high, the sun of a December noon 31°.
  const [low, high] = await Promise.all([point(400, 400, 0), point(400, 400, 60.5)]);
  const [december, june] = [low.months[11]!, low.months[5]!];
  assert.ok(!december.sunlit_windows.some(([start, end]) => start < '11:45' && '11:45' < end));
  assert.ok(june.sunlit_windows.some(([start, end]) => start < '11:45' && '11:45' < end));
  assert.deepEqual(hours(high), unshaded(high));
  assert.deepEqual(Object.keys(low), [
    'lat',
    'lon',
    'height_m',
    'inside',
    'surroundings',
    'months',
    'expected_year_hours',
    'expected_by_hour',
    'method',
  ]);
});

test('inside a building there is no sun', async () => {
  assert.deepEqual(hours(await point(400, 305, 1)), new Array(12).fill(0));
});

test('points in several grid squares, asked at once and again, are the same', async () => {
  const places = [0, 1, 2, 3, 4, 5].flatMap((i) => [
    [i * 1100 - 800, 450],
    [i * 1100 - 800, 1500],
  ]);
  const all = (): Promise<PointSunlight[]> => Promise.all(places.map(([east, north]) => point(east!, north!, 2)));
  const first = await all();
  assert.deepEqual(await all(), first);
  const opened = await OnDemand.open(dataset.folder);
  for (const [i, [east, north]] of places.entries()) {
    const [lat, lon] = place(east!, north!);
    assert.deepEqual(await opened.answer({ kind: 'point', lat, lon, heightM: 2 }), first[i]);
  }
  opened.close();
});
