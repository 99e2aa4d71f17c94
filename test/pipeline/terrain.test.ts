import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { cp, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { DatasetScenes } from '../../src/city/scenes-on-demand.ts';
import { TERRAIN_INDEX, type TerrainIndex } from '../../src/city/terrain-squares.ts';
import { OnDemand } from '../../src/compute/on-demand/on-demand.ts';
import { openDataset } from '../../src/dataset/open.ts';
import { verifyDataset } from '../../src/dataset/verify.ts';
import type { BuildOutcome } from '../../src/pipeline/build.ts';
import { Part } from '../../src/pipeline/part.ts';
import { dayPath, sunAt } from '../../src/solar/day-path.ts';
import { dayOf } from '../../src/solar/solar-day.ts';
import { DirectoryStore } from '../../src/store/object-store.ts';
import { byStore, byThisMachine } from '../../src/work/build-by-store.ts';
import { StepStore } from '../../src/work/step-store.ts';
import { writeTiles } from '../support/elevation.ts';
import { hidamari } from '../support/run.ts';
import { cityGml, type House, LAT, LAT_M, LON, LON_M, writeFiles } from '../support/small-city.ts';
import { tempFolder } from '../support/temp-folder.ts';
import { built, fingerprints } from './run-build.ts';

const folder = tempFolder({ after });
const at = (...names: string[]): string => join(folder, ...names);

/** A ridge from north to south in the west: where it is, how high, and how steeply it rises. */
const RIDGE = { east: -1500, height: 150, slope: 0.5 };
const ridge = (_: number, lon: number): number =>
  Math.max(0, RIDGE.height - RIDGE.slope * Math.abs((lon - LON) * LON_M - RIDGE.east));
const EXTENT = { south: LAT - 0.03, north: LAT + 0.03, west: LON - 0.025, east: LON + 0.001 };

/** Houses with a gabled roof, and one by itself on open ground. */
const houses = (east: number, first: number): House[] =>
  [0, 1, 2].map((i) => ({
    id: `13101-bldg-${first + i}`,
    east: east + 200 * i,
    north: 300,
    width: 10,
    depth: 9,
    height: 7,
    ridge: i === 1 ? 10 : undefined,
  }));
const FILES = { '53394611.gml': houses(100, 1), '53394614.gml': houses(3600, 11) };
const SQUARES = ['53394611', '53394614'];
let whole: BuildOutcome;

before(async () => {
  const files = Object.entries(FILES).map(([name, list]) => [name, cityGml(list)]);
  await writeFiles(at('city'), Object.fromEntries(files));
  await writeTiles(at('dem'), 14, EXTENT, ridge);
  whole = await built({ out: at('whole'), citygml: [at('city')], terrain: [at('dem')] });
});

/** Minutes after midnight. */
const minutesOf = (time: string): number => Number(time.slice(0, 2)) * 60 + Number(time.slice(3));

interface Explained {
  sun: { days: { positions: [string, number, number, string][] }[] };
  receptors: { face: string; z_m: number; lat: number; lon: number; windows: [string, string][][] }[];
}

describe('a city at the foot of a ridge', () => {
  it('loses the evening sun to the minute that the ridge tells', async () => {
    const { stdout } = await hidamari(['explain', '13101-bldg-1', '--dataset', whole.dataset]);
    const { sun, receptors }: Explained = JSON.parse(stdout);
    const west = receptors.filter(({ face }) => face === 'W');
    assert.equal(west.length > 0, true);
    let worst = 0;
    for (const { z_m, lon, windows } of west) {
      const away = (lon - LON) * LON_M - RIDGE.east;
      for (const [month, day] of sun.days.entries()) {
        const isHidden = ([, azimuth, altitude]: [string, number, number, string]): boolean => {
          const east = Math.sin((azimuth * Math.PI) / 180);
          if (east >= 0) return altitude <= 0;
          return Math.tan((altitude * Math.PI) / 180) < ((RIDGE.height - z_m) * -east) / away;
        };
        const noon = day.positions.findIndex(([time]) => minutesOf(time) > 720);
        const gone = day.positions.findIndex((position, i) => i > noon && isHidden(position));
        const end = windows[month]!.at(-1)?.[1];
        if (end === undefined || gone < 0) continue;
        worst = Math.max(worst, Math.abs(minutesOf(end) - minutesOf(day.positions[gone]![0])));
      }
    }
    assert.ok(worst <= 1.5, `${worst} minutes off`);
  });

  it('says so: terrain is a source of shade in the west, with its share and which terrain was there', async () => {
    const dataset = await openDataset(whole.dataset);
    const full = dataset.sunlight!.full('13101-bldg-1')!.toJSON();
    assert.equal(full.quality.terrain, 'near_and_far');
    assert.ok(full.quality.terrain_shaded_share > 0.5, String(full.quality.terrain_shaded_share));
    const [source] = full.shading_sources;
    assert.equal(source?.kind, 'terrain');
    assert.equal(source.building_id, null);
    assert.ok(source.azimuth_deg > 240 && source.azimuth_deg < 290, String(source.azimuth_deg));
    assert.equal(dataset.sunlight!.full('13101-bldg-11')!.toJSON().quality.terrain, 'far');
    await dataset.close();
    assert.deepEqual((await verifyDataset(whole.dataset)).differences, []);
  });

  it('counts buildings of which the base does not fit the ground, and names a likely cause', async () => {
    assert.deepEqual(whole.report.sunlight?.terrain?.bases, { compared: 2, ground_above: 0, ground_below: 0 });
    await writeTiles(at('elsewhere'), 14, { ...EXTENT, east: LON + 0.006 }, () => 100);
    const args = ['--out', at('unfit'), '--citygml', at('city'), '--terrain', at('elsewhere')];
    const { stdout, stderr } = await hidamari(['build', ...args]);
    assert.match(stdout + stderr, /of 3 buildings the ground is over 5 m above the base of 3, .*of another place/);
  });

  it('counts buildings and grid squares without elevation', async () => {
    assert.deepEqual(whole.report.sunlight?.terrain?.unknown, { buildings: 4, grid_squares_beyond_3_km: 0 });
    // One tile, narrower than 3 km.
    await writeTiles(at('narrow'), 14, { south: LAT, north: LAT + 0.001, west: LON, east: LON + 0.001 }, () => 0);
    const args = ['--out', at('without'), '--citygml', at('city'), '--terrain', at('narrow')];
    const { stdout, stderr } = await hidamari(['build', ...args]);
    assert.match(stdout + stderr, /not known at \d buildings, and nowhere beyond 3 km of \d grid squares/);
  });

  it('shows the shade of the ridge on the ground of the map', async () => {
    const city = await OnDemand.open(whole.dataset);
    const west = LON - 700 / LON_M;
    const box = { south: LAT, north: LAT + 0.001, west, east: LON };
    const { heights, sunny } = await city.answer({ kind: 'ground', ...box, cells: 1, shadeCells: 1 });
    city.close();
    assert.deepEqual(heights, [0, 0, 0, 0]);
    const path = dayPath(dayOf('2026-12-15'), LAT, LON);
    for (const [corner, away] of [800, 1500].entries()) {
      const end = sunny[11]?.[corner]?.at(-1) ?? 0;
      const over = (minute: number): number => {
        const { azimuthDeg, altitudeDeg } = sunAt(path, minute);
        const rise = (RIDGE.height * -Math.sin((azimuthDeg * Math.PI) / 180)) / away;
        return Math.tan((altitudeDeg * Math.PI) / 180) - rise;
      };
      assert.ok(over(end - 3) > 0 && over(end + 3) < 0, `${away} m from the ridge the sun goes at ${end}`);
    }
  });

  it('is shaded alike on demand: the view of a square has the ground and the horizon', () => {
    const scenes = DatasetScenes.open(whole.dataset, (name) => readFileSync(join(whole.dataset, name)));
    const { view } = scenes.ofSquare(SQUARES[0]!);
    assert.ok(view.parts.filter(({ tree }) => tree.buildings === 0).length > 2);
    // No building is served there, but the ground within 3 km is known; the mesh may be off by half a metre.
    const ground = scenes.groundAt(LAT + 0.002, LON - 1400 / LON_M);
    assert.ok(ground !== null && Math.abs(ground - 100) < 1, String(ground));
    assert.equal(scenes.groundAt(LAT + 0.002, LON + 0.2), null);
    // A point in a square without buildings sees the ground too.
    const empty = scenes.ofPoint(LAT + 0.002, LON - 0.002, 2);
    assert.ok(empty.view.parts.filter(({ tree }) => tree.buildings === 0).length > 2);
  });
});

describe('builds with terrain', () => {
  it('give the same by way of a store, with roofs', async () => {
    const store = new StepStore(new DirectoryStore(at('store')), null);
    const makeRunner = byStore(store, byThisMachine(store, 2));
    const other = await built({ out: at('by-store'), citygml: [at('city')], terrain: [at('dem')], makeRunner });
    assert.deepEqual(await fingerprints(other.dataset), await fingerprints(whole.dataset));
  });

  it('give the same in parts that are joined; parts with and without terrain are not', async () => {
    const part = (code: string, terrain: string[]): Promise<BuildOutcome> =>
      built({ out: at(`part-${code}-${terrain.length}`), citygml: [at('city')], terrain, part: new Part([code]) });
    const parts = [await part(SQUARES[0]!, [at('dem')]), await part(SQUARES[1]!, [at('dem')])];
    const joined = await built({ out: at('joined'), citygml: [], parts: parts.map(({ dataset }) => dataset) });
    const [ours, theirs] = await Promise.all([fingerprints(joined.dataset), fingerprints(whole.dataset)]);
    for (const name of Object.keys(theirs).filter((one) => /^(sunlight|squares|terrain)/.test(one))) {
      assert.equal(ours[name], theirs[name], name);
    }
    const without = await part(SQUARES[1]!, []);
    await assert.rejects(
      built({ out: at('mixed'), citygml: [], parts: [parts[0]!.dataset, without.dataset] }),
      /without --terrain/,
    );
  });

  it('compute again what can see a changed tile, and nothing else', async () => {
    // A rise of 3 m in the north-west: the town near it has it in its near terrain, for the other it is lower than 0.05°.
    await cp(at('dem'), at('changed'), { recursive: true });
    const rise = (lat: number, lon: number): number => {
      const [x, y] = [(lon - LON) * LON_M + 700, (lat - LAT) * LAT_M - 1500];
      return ridge(lat, lon) + (Math.hypot(x, y) < 100 ? 3 : 0);
    };
    await writeTiles(at('changed'), 14, EXTENT, rise);
    const changed = await built({
      out: at('base'),
      citygml: [at('city')],
      terrain: [at('changed')],
      base: whole.dataset,
    });
    assert.deepEqual(changed.squares, { computed: 1, resumed: 0, reused: 1 });
    const again = await built({
      out: at('again'),
      citygml: [at('city')],
      terrain: [at('changed')],
      base: changed.dataset,
    });
    assert.deepEqual(again.squares, { computed: 0, resumed: 0, reused: 2 });
    const index = ({ dataset }: BuildOutcome): TerrainIndex =>
      JSON.parse(readFileSync(join(dataset, TERRAIN_INDEX), 'utf8'));
    const far = (of: BuildOutcome): unknown => index(of).far.find(({ square }) => square === SQUARES[1]);
    assert.deepEqual(far(changed), far(whole));
    await rm(at('changed'), { recursive: true });
  });
});
