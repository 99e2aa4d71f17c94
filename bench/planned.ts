import { loadavg } from 'node:os';
import { parseArgs } from 'node:util';
import { OnDemand } from '../src/compute/on-demand/on-demand.ts';
import { SUNLIGHT_STORE, SunlightStore } from '../src/dataset/sunlight-store.ts';
import { gridSquareOf } from '../src/geo/grid-square.ts';
import { decodeHead } from '../src/record/codec.ts';
import { openFiles } from '../src/snapshot/dataset-files.ts';
import { sunAt, sunTable } from '../src/solar/day-path.ts';
import { cell, print, quantile } from './serving/output.ts';

// Measures a planned building next door, hours of shadow on the ground, and horizons, for random buildings in one
// thread:
//
//   npm run bench:planned -- [--buildings 100] [--receptors 1000] [--seed 1] DATASET
//
// Each is requested twice. The processor time of the second answer counts, because the surroundings are then in memory.

const { values, positionals } = parseArgs({
  options: {
    buildings: { type: 'string', default: '100' },
    receptors: { type: 'string', default: '1000' },
    seed: { type: 'string', default: '1' },
  },
  allowPositionals: true,
});
const [folder] = positionals;
if (folder === undefined) throw new Error('give the folder of a dataset');

/** Half the side of the planned box, and how far south of the building it stands, degrees: about 10 and 35 m. */
const [HALF, SOUTH] = [0.0001, 0.0003];

const city = await OnDemand.open(folder);
const ids = await drawn(Number(values.buildings), Number(values.seed));
print(`${ids.length} buildings, seed ${values.seed}, load ${loadavg()[0]?.toFixed(1)}`);
const times = { 'what-if': [] as number[], 'shadow, own': [] as number[], 'shadow, neighbours': [] as number[] };
for (const { id, lat, lon } of ids) {
  const [south, north, west, east] = [lat - SOUTH - HALF, lat - SOUTH + HALF, lon - HALF, lon + HALF];
  const ring = [south, west, south, east, north, east, north, west];
  const planned = [{ ring, heightM: 30, baseM: null }];
  const study = {
    kind: 'shadow',
    buildingId: null,
    heightM: null,
    planned,
    site: ring,
    planeM: 4,
    replaces: [],
  } as const;
  await timed('what-if', () => city.answer({ kind: 'what-if', buildingId: id, floor: 1, planned, replaces: [] }));
  await timed('shadow, own', () => city.answer({ ...study, stepM: 0.5, neighbours: false }));
  await timed('shadow, neighbours', () => city.answer({ ...study, stepM: 0.5, neighbours: true }));
}
print('| processor time, ms, warm | p50 | p95 | most |\n|---|---|---|---|');
for (const [name, all] of Object.entries(times))
  print(`| ${name} | ${[0.5, 0.95, 1].map((share) => cell(quantile(all, share), 5)).join(' | ')} |`);

const apart = await horizonsApart(Number(values.receptors));
const within = apart.filter((minutes) => minutes <= 2).length;
print(
  `hours rebuilt from the horizon: ${apart.length} receptors, ${within} within 2 minutes on all twelve days, p99 ` +
    `${quantile(apart, 0.99).toFixed(1)}, most ${Math.max(...apart).toFixed(1)} minutes apart`,
);
city.close();

async function timed(name: keyof typeof times, ask: () => Promise<unknown>): Promise<void> {
  await ask();
  const start = process.threadCpuUsage();
  await ask();
  const { user, system } = process.threadCpuUsage(start);
  times[name].push((user + system) / 1000);
}

/** Random buildings with their places. */
async function drawn(count: number, seed: number): Promise<{ id: string; lat: number; lon: number }[]> {
  const files = await openFiles(String(folder), { cacheBytes: 1 << 20 });
  const store = new SunlightStore(files.open(SUNLIGHT_STORE));
  const all = Array.from(store.records(''), ({ buildingId }) => buildingId);
  let state = seed;
  const random = (): number => {
    state = (Math.imul(state, 1103515245) + 12345) & 0x7fffffff;
    return state / 0x80000000;
  };
  const found = Array.from({ length: count }, () => {
    const id = all[Math.floor(random() * all.length)] ?? '';
    const { lat, lon } = decodeHead(id, store.record(id) ?? new Uint8Array());
    return { id, lat, lon };
  });
  files.close();
  return found;
}

/**
 * Over the receptors, the largest difference in minutes between the hours of a day from the floor and from the horizon.
 */
async function horizonsApart(most: number): Promise<number[]> {
  const apart: number[] = [];
  for (const { id: buildingId, lat, lon } of await drawn(most, Number(values.seed) + 1)) {
    if (apart.length >= most) break;
    const paths = sunTable(gridSquareOf(lat, lon));
    const { faces } = await city.answer({ kind: 'floor', buildingId, floor: 1, receptors: true });
    for (const { face, receptor_details } of faces.slice(0, 2)) {
      for (const { receptor, months } of (receptor_details ?? []).slice(0, 2)) {
        const sky = await city.answer({ kind: 'sky', buildingId, floor: 1, face, receptor, horizon: true });
        const { altitudes_deg = [], step_deg = 1 } = sky.horizon ?? {};
        const differences = paths.map((path, month) => {
          const step = 0.25;
          let minutes = 0;
          for (let minute = path.sunrise + step / 2; minute < path.sunset; minute += step) {
            const { azimuthDeg, altitudeDeg } = sunAt(path, minute);
            const top = altitudes_deg[Math.round(azimuthDeg / step_deg) % altitudes_deg.length] ?? 90;
            if (altitudeDeg > Math.max(0, top)) minutes += step;
          }
          return Math.abs(minutes - (months?.[month]?.direct_sun_hours ?? 0) * 60);
        });
        apart.push(Math.max(...differences));
      }
    }
  }
  return apart;
}
