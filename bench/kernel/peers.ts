import { sunAt } from '../../src/solar/day-path.ts';
import { computeBuilding, kernelOf } from '../../src/sunlight/compute.ts';
import { makeReceptors, placeReceptors } from '../../src/sunlight/receptors.ts';
import { floorsOf, MONTHS } from '../../src/sunlight/result.ts';
import { type City, readTokyo, sunOver } from '../../test/kernel/cities.ts';
import { edgeGrid, enclosingBuilding } from '../../test/oracle/edge-grid.ts';
import { oracleSunlight } from '../../test/oracle/oracle.ts';
import { bvhPeer } from './bvh-peer.ts';
import { embreePeer } from './embree-peer.ts';
import type { Answer, Question, Suns } from './question.ts';
import { sampleOf, sharedTree } from './threads.ts';

/**
 * Compares the kernel, three-mesh-bvh and Embree on the same scene and receptors, with one thread each. Accuracy is
 * checked with one ray per minute.
 */
export async function peers(wanted: number): Promise<void> {
  const city = await readTokyo(['13101']);
  const buildings = sampleOf(city, wanted);
  const truth = byOracle(city, buildings);
  console.log(
    `\nPeers: ${city.squares.length} buildings in the scene, ${buildings.length} of them computed by all, one thread, full receptor rule, CPU time`,
  );
  const rows: Record<string, string>[] = [];
  rows.push(kernelRow(city, buildings, truth));
  for (const { name, every, ask } of [
    { name: 'three-mesh-bvh, a ray every 10 minutes', every: 10, ask: bvhPeer },
    { name: 'Embree, a ray a minute in packets of 8', every: 1, ask: embreePeer },
  ]) {
    const { question, places } = questionOf(city, buildings, every);
    const answer = await ask(question);
    if (typeof answer === 'string') rows.push({ engine: name, 'buildings/s': answer });
    else rows.push(peerRow(name, every, answer, places, buildings, truth));
  }
  console.table(rows);
}

/** Mean minutes by building, face, floor and month, under one key. */
type Minutes = Map<string, number>;

function byOracle(city: City, buildings: readonly number[]): Minutes {
  const grid = edgeGrid(city.scene);
  const sunOf = sunOver(city);
  return minutesOf(buildings, (i) => oracleSunlight(grid, i, city.storeys[i], sunOf(i).paths));
}

function minutesOf(
  buildings: readonly number[],
  compute: (building: number) => ReturnType<typeof computeBuilding>,
): Minutes {
  const minutes: Minutes = new Map();
  for (const building of buildings) {
    for (const { face, sunMinutes } of compute(building).faces) {
      for (const [day, value] of sunMinutes.entries()) minutes.set(`${building} ${face} ${day}`, value);
    }
  }
  return minutes;
}

function kernelRow(city: City, buildings: readonly number[], truth: Minutes): Record<string, string> {
  const tree = sharedTree(city);
  const kernel = kernelOf(city.scene, tree);
  const sunOf = sunOver(city);
  const compute = (i: number) => computeBuilding(kernel, sunOf(i).curves, i, city.storeys[i]);
  const minutes = minutesOf(buildings, compute);
  const start = process.threadCpuUsage();
  for (const building of buildings) compute(building);
  const { user, system } = process.threadCpuUsage(start);
  return row('Hidamari, skyline kernel', (user + system) / 1000, buildings.length, minutes, truth, tree.bytes.length);
}

/**
 * The eyes of the buildings, and the receptor of each. Eyes inside a taller building are left out, because they see
 * nothing.
 */
function questionOf(city: City, buildings: readonly number[], every: number) {
  const { scene, storeys } = city;
  const sunOf = sunOver(city);
  const grid = edgeGrid(scene);
  const receptors = makeReceptors();
  const eyes: number[] = [];
  const places: { key: (month: number) => string; receptors: number; eye: number }[] = [];
  const suns: Suns[] = [];
  for (const building of buildings) {
    placeReceptors(scene, building, receptors);
    const base = scene.base[building];
    const floors = floorsOf(storeys[building], scene.top[building] - base);
    // The suns of its grid square, turned by the grid north of the building.
    suns.push(sunsOf(sunOf(building).paths, receptors.convergenceDeg, every));
    for (let i = 0; i < receptors.count; i++) {
      const face = receptors.face[i];
      floors.forEach(({ heightM }, floor) => {
        const [x, y, z] = [receptors.x[i], receptors.y[i], base + heightM];
        const inside = enclosingBuilding(grid, x, y, z) >= 0;
        places.push({
          key: (month) => `${building} ${face} ${floor * MONTHS + month}`,
          receptors: receptors.faceStart[face + 1] - receptors.faceStart[face],
          eye: inside ? -1 : eyes.length / 6,
        });
        if (!inside) eyes.push(x, y, z, receptors.normalX[i], receptors.normalY[i], suns.length - 1);
      });
    }
  }
  return { question: { city, eyes: Float64Array.from(eyes), suns } satisfies Question, places };
}

/** The sun at a step of minutes, at the middle of each step, in the scene's plane. */
function sunsOf(paths: ReturnType<ReturnType<typeof sunOver>>['paths'], convergenceDeg: number, every: number): Suns {
  const directions: number[] = [];
  const month: number[] = [];
  paths.forEach((path, index) => {
    for (let minute = Math.floor(path.sunrise / every) * every + every / 2; minute < path.sunset; minute += every) {
      const { azimuthDeg, altitudeDeg } = sunAt(path, minute);
      if (altitudeDeg <= 0) continue;
      const azimuth = ((azimuthDeg - convergenceDeg) * Math.PI) / 180;
      const altitude = (altitudeDeg * Math.PI) / 180;
      directions.push(
        Math.sin(azimuth) * Math.cos(altitude),
        Math.cos(azimuth) * Math.cos(altitude),
        Math.sin(altitude),
      );
      month.push(index);
    }
  });
  return { directions: Float32Array.from(directions), month: Uint8Array.from(month) };
}

function peerRow(
  name: string,
  every: number,
  { seen, cpuMs, bytes }: Answer,
  places: ReturnType<typeof questionOf>['places'],
  buildings: readonly number[],
  truth: Minutes,
): Record<string, string> {
  const minutes: Minutes = new Map();
  for (const { key, receptors, eye } of places) {
    for (let month = 0; month < MONTHS; month++) {
      const found = eye < 0 ? 0 : (seen[eye * MONTHS + month] * every) / receptors;
      minutes.set(key(month), (minutes.get(key(month)) ?? 0) + found);
    }
  }
  return row(name, cpuMs, buildings.length, minutes, truth, bytes);
}

function row(engine: string, cpuMs: number, buildings: number, minutes: Minutes, truth: Minutes, bytes: number) {
  let equal = 0;
  let near = 0;
  let off = 0;
  for (const [key, value] of truth) {
    const difference = Math.abs(value - minutes.get(key)!);
    if (difference < 1e-6) equal++;
    if (difference <= 0.5) near++;
    off += difference;
  }
  return {
    engine,
    'buildings/s': ((1000 * buildings) / cpuMs).toFixed(1),
    'equal %': ((100 * equal) / truth.size).toFixed(2),
    'within half a minute %': ((100 * near) / truth.size).toFixed(2),
    'mean difference, min': (off / truth.size).toFixed(3),
    'index, MB': (bytes / 1e6).toFixed(1),
  };
}
