import { parseArgs } from 'node:util';
import { squareSun } from '../src/city/square-sun.ts';
import type { SolarDay } from '../src/solar/solar-day.ts';
import { EXPOSURE_DAYS, exposureLevel, mayReachNextLevel, OTHER_EXPOSURE_DAYS } from '../src/sunlight/assessments.ts';
import { type Kernel, kernelOf } from '../src/sunlight/compute.ts';
import { computeFloor } from '../src/sunlight/floor.ts';
import { drawnMinutes, type RequestedFloor } from '../src/sunlight/interval.ts';
import { MODEL_ERROR } from '../src/sunlight/model-error.ts';
import type { ModelError } from '../src/sunlight/moves.ts';
import { floorHeight, MONTHS } from '../src/sunlight/result.ts';
import { hoursOfMinutes } from '../src/sunlight/summary.ts';
import { buildTree } from '../src/sunlight/tree.ts';
import { meanMinutes } from '../src/sunlight/windows.ts';
import { type City, readBlock, readTokyo, sunOver } from '../test/kernel/cities.ts';
import { sampleOf } from './kernel/threads.ts';
import { cell, print, quantile } from './serving/output.ts';

// Measures how much errors of the input change the hours of a floor, and whether eleven days of EN 17037 find the same
// level as all 49.
//
//   npm run bench:errors -- [--part noise|days] [--buildings 250]

/** Number of random draws of each error. */
const DRAWS = 10;
const [SOUTH, DECEMBER] = [4, 11];

const { values } = parseArgs({ options: { part: { type: 'string' }, buildings: { type: 'string', default: '250' } } });
const cities = [await readBlock('osaka'), await readBlock('sagamihara'), await readTokyo(null)];
if (values.part !== 'days') noise();
if (values.part !== 'noise') days();

/** Prints by how many minutes a day each error changes the hours of first floors. */
function noise(): void {
  const none = { positionsM: [0], heightsM: [0] };
  const errors: [string, ModelError][] = [
    ['heights, 0.66 m', { ...none, heightsM: MODEL_ERROR.heightsM.map(() => 0.66) }],
    ['heights, median roofs 1.0 m', { ...none, heightsM: MODEL_ERROR.heightsM }],
    ['positions, 1.75 m', { ...none, positionsM: MODEL_ERROR.positionsM }],
    ['both, as intervals have them', MODEL_ERROR],
  ];
  print(
    `${'first floors, minutes a day'.padEnd(50)}   December, south: median   p90  over 30 min %   mean of the year, all faces: median   p90`,
  );
  for (const city of cities) for (const [name, error] of errors) print(noiseRow(city, name, error));
}

function noiseRow(city: City, name: string, error: ModelError): string {
  const kernel = kernelOf(city.scene, buildTree(city.scene, { moves: city.moves }));
  const sun = sunOver(city);
  const [december, year]: number[][] = [[], []];
  for (const building of sampleOf(city, Number(values.buildings))) {
    const { curves } = sun(building);
    const storeys = city.storeys[building];
    const solidHeightM = city.scene.top[building] - city.scene.base[building];
    const asked: RequestedFloor = { floor: 1, storeys, solidHeightM, ownRiseM: 0, move: city.moves[building] };
    const published = new Map(
      computeFloor(kernel, curves, building, floorHeight(1, storeys, solidHeightM)).faces.map(({ face, receptors }) => [
        face,
        Array.from({ length: MONTHS }, (_, day) => meanOf(receptors, day)),
      ]),
    );
    for (let draw = 1; draw <= DRAWS; draw++) {
      const moves = { draw, error, ownRiseM: 0 };
      for (const [face, minutes] of drawnMinutes(kernel, curves, building, asked, moves)) {
        const before = published.get(face) ?? [];
        if (face === SOUTH) december.push(Math.abs(minutes[DECEMBER] - before[DECEMBER]));
        year.push(Math.abs(minutes.reduce((sum, one, day) => sum + one - before[day], 0) / MONTHS));
      }
    }
  }
  const over = (100 * december.filter((minutes) => minutes > 30).length) / december.length;
  const cells = [cell(quantile(december, 0.5), 27, 1), cell(quantile(december, 0.9), 6, 1), cell(over, 15, 1)];
  cells.push(cell(quantile(year, 0.5), 39, 1), cell(quantile(year, 0.9), 6, 1));
  return `${city.name}: ${name}`.padEnd(50) + cells.join('');
}

/** Prints the difference between the best of eleven days of EN 17037 and the best of all 49. */
function days(): void {
  const days = [...EXPOSURE_DAYS, ...OTHER_EXPOSURE_DAYS];
  print(
    `\n${'EN 17037'.padEnd(20)}   walls   most that 49 days add, h   levels the eleven miss   of them not looked for`,
  );
  for (const city of cities) {
    const kernel = kernelOf(city.scene);
    const suns = new Map<string, ReturnType<typeof squareSun>[]>();
    let [walls, missed, unseen, most] = [0, 0, 0, 0];
    for (const building of sampleOf(city, Number(values.buildings))) {
      const square = city.squares[building];
      const made = suns.get(square) ?? batches(days).map((batch) => squareSun(square, city.scene.zone, batch));
      suns.set(square, made);
      const height = city.scene.top[building] - city.scene.base[building];
      const storeys = city.storeys[building];
      for (const floor of new Set([1, Math.ceil(storeys / 2), storeys])) {
        const heightM = floorHeight(floor, storeys, height);
        for (const hours of hoursOf(kernel, made, building, heightM, days.length)) {
          const [eleven, all] = [Math.max(...hours.slice(0, EXPOSURE_DAYS.length)), Math.max(...hours)];
          walls++;
          most = Math.max(most, all - eleven);
          if (exposureLevel(all) === exposureLevel(eleven)) continue;
          missed++;
          if (!mayReachNextLevel(eleven)) unseen++;
        }
      }
    }
    print(city.name.padEnd(20) + cell(walls, 8) + cell(most, 27, 2) + cell(missed, 25) + cell(unseen, 24));
  }
}

/** Number of days that the kernel computes in one call. */
function batches(days: readonly SolarDay[]): SolarDay[][] {
  return Array.from({ length: Math.ceil(days.length / MONTHS) }, (_, i) => days.slice(MONTHS * i, MONTHS * (i + 1)));
}

/** The hours of each face of a floor on each of the days. */
function hoursOf(
  kernel: Kernel,
  suns: readonly ReturnType<typeof squareSun>[],
  building: number,
  heightM: number,
  count: number,
): number[][] {
  const faces: number[][] = [];
  for (const [batch, { curves }] of suns.entries()) {
    for (const [i, { receptors }] of computeFloor(kernel, curves, building, heightM).faces.entries()) {
      faces[i] ??= [];
      for (let day = 0; day < MONTHS && batch * MONTHS + day < count; day++)
        faces[i].push(hoursOfMinutes(meanOf(receptors, day)));
    }
  }
  return faces;
}

function meanOf(receptors: readonly { lit: number[][] }[], day: number): number {
  return meanMinutes(
    receptors.flatMap(({ lit }) => lit[day]),
    receptors.length,
  );
}
