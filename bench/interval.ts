import { parseArgs } from 'node:util';
import { kernelOf } from '../src/sunlight/compute.ts';
import { computeFloor } from '../src/sunlight/floor.ts';
import { drawnMinutes, floorIntervals, type RequestedFloor } from '../src/sunlight/interval.ts';
import { MODEL_ERROR } from '../src/sunlight/model-error.ts';
import { floorHeight } from '../src/sunlight/result.ts';
import { buildTree } from '../src/sunlight/tree.ts';
import { meanMinutes } from '../src/sunlight/windows.ts';
import { type City, readBlock, readTokyo, sunOver } from '../test/kernel/cities.ts';
import { sampleOf } from './kernel/threads.ts';
import { cell, print } from './serving/output.ts';

// Measures how often the intervals of floors contain hidden random draws of the model's error, how often they contain
// the result of the published city, and the cost of an interval beside its floor.
//
//   npm run bench:interval -- [--buildings 150] [--city osaka|sagamihara|tokyo]

/** Number of draws that no interval has used. */
const HIDDEN = Array.from({ length: 20 }, (_, i) => 1001 + i);
/** Hours are rounded to hundredths. This tolerance, in minutes, allows for it. */
const ROUNDING = 0.3;

const CITIES: Readonly<Record<string, () => Promise<City>>> = {
  osaka: () => readBlock('osaka'),
  sagamihara: () => readBlock('sagamihara'),
  tokyo: () => readTokyo(null),
};

/** Number of values, and number of those within their interval. */
interface Share {
  inside: number;
  count: number;
}

const { values } = parseArgs({ options: { buildings: { type: 'string', default: '150' }, city: { type: 'string' } } });
print(
  `${''.padEnd(18)}${'hidden draws inside %'.padStart(22)}${'of values that vary %'.padStart(24)}${'published city inside %'.padStart(26)}${'floor ms'.padStart(10)}${'interval ms'.padStart(13)}${'ratio'.padStart(7)}`,
);
for (const name of values.city === undefined ? Object.keys(CITIES) : [values.city]) measure(await CITIES[name]());

function measure(city: City): void {
  const kernel = kernelOf(city.scene, buildTree(city.scene, { moves: city.moves }));
  const sun = sunOver(city);
  const [all, varying, published]: Share[] = Array.from({ length: 3 }, () => ({ inside: 0, count: 0 }));
  let [floorMs, intervalMs] = [0, 0];
  for (const building of sampleOf(city, Number(values.buildings))) {
    const storeys = city.storeys[building];
    const solidHeightM = city.scene.top[building] - city.scene.base[building];
    const floor = 1 + (building % storeys);
    const asked: RequestedFloor = { floor, storeys, solidHeightM, ownRiseM: 0, move: city.moves[building] };
    const { curves } = sun(building);
    const heightM = floorHeight(floor, storeys, solidHeightM);
    computeFloor(kernel, curves, building, heightM);
    const bare = timed(() => computeFloor(kernel, curves, building, heightM));
    const { result: intervals, ms } = timed(() =>
      floorIntervals(kernel, curves, building, asked, MODEL_ERROR, bare.result),
    );
    floorMs += bare.ms;
    intervalMs += ms;
    for (const { face, receptors } of bare.result.faces) {
      for (const [day, [low, high]] of (intervals.get(face) ?? []).entries()) {
        const minutes = meanMinutes(
          receptors.flatMap(({ lit }) => lit[day]),
          receptors.length,
        );
        count(published, minutes >= low - ROUNDING && minutes <= high + ROUNDING);
      }
    }
    for (const draw of HIDDEN) {
      const moves = { draw, error: MODEL_ERROR, ownRiseM: 0 };
      for (const [face, minutes] of drawnMinutes(kernel, curves, building, asked, moves)) {
        for (const [day, [low, high]] of (intervals.get(face) ?? []).entries()) {
          const isInside = minutes[day] >= low && minutes[day] <= high;
          count(all, isInside);
          if (high > low) count(varying, isInside);
        }
      }
    }
  }
  const shares = [all, varying, published].map(({ inside, count }) => (100 * inside) / count);
  const cells = [cell(shares[0], 22, 1), cell(shares[1], 24, 1), cell(shares[2], 26, 2)];
  const buildings = Number(values.buildings);
  cells.push(cell(floorMs / buildings, 10, 2), cell(intervalMs / buildings, 13, 2), cell(intervalMs / floorMs, 7, 1));
  print(city.name.padEnd(18) + cells.join(''));
}

function count(share: Share, isInside: boolean): void {
  share.count++;
  if (isInside) share.inside++;
}

/** The result of a function and its processor time, milliseconds. */
function timed<T>(work: () => T): { result: T; ms: number } {
  const before = process.cpuUsage();
  const result = work();
  const { user, system } = process.cpuUsage(before);
  return { result, ms: (user + system) / 1000 };
}
