import { setTimeout as delay } from 'node:timers/promises';
import { Client } from '../serving/client.ts';
import { memory } from '../serving/process-figures.ts';
import { startServer } from '../serving/server.ts';
import type { Fault } from './fault.ts';

/** What other requests may wait longer at the 99th percentile while points and floors are computed, milliseconds. */
const MOST_MORE_MS = 20;
const SECONDS = 8;

/** Points and floors from ten clients while others look buildings up. */
export const othersWait: Fault = async (_folder, dataset) => {
  const proxy = ['--trust-proxy', '127.0.0.1', '--point', 'on'];
  const server = await startServer(['--data', dataset, '--rate-limit', 'off', '--log-level', 'warn', ...proxy]);
  const path = server.targets.find((target) => target.startsWith('/api/v1/sunlight/building/')) as string;
  const { data } = (await (await fetch(server.url + path)).json()) as { data: { lat: number; lon: number } };
  const client = new Client(server.port);
  const turn = async (): Promise<number> => {
    const times: number[] = [];
    const until = performance.now() + SECONDS * 1000;
    while (performance.now() < until) {
      const start = performance.now();
      await client.get(path);
      times.push(performance.now() - start);
      await delay(2);
    }
    return times.sort((a, b) => a - b)[Math.floor(times.length * 0.99)] as number;
  };
  await turn();
  const alone = await turn();
  let isOver = false;
  const counts: Record<number, number> = {};
  const computing = Array.from({ length: 30 }, async (_, i) => {
    for (let n = 0; !isOver; n++) {
      const height = 1 + ((i * 1000 + n) % 3990) / 10;
      const target = `/api/v1/sunlight/point?lat=${data.lat}&lon=${data.lon}&height_m=${height}`;
      const answer = await fetch(server.url + target, { headers: { 'x-forwarded-for': `192.0.2.${i % 10}` } });
      await answer.text();
      counts[answer.status] = (counts[answer.status] ?? 0) + 1;
      if (answer.status === 503) await delay(50);
    }
  });
  const beside = await turn();
  const { residentMb } = memory(server.pid);
  isOver = true;
  await Promise.all(computing);
  client.close();
  const more = beside - alone;
  const others = Object.entries(counts).filter(([status]) => status !== '200' && status !== '503');
  const code = await server.stop();
  return {
    fault: 'points from ten clients, thirty at once, beside look-ups of a building',
    tried: Object.values(counts).reduce((sum, count) => sum + count, 0),
    lost: (more <= MOST_MORE_MS ? 0 : 1) + others.length + (code === 0 ? 0 : 1),
    outcome: `p99 of the look-ups ${alone.toFixed(1)} ms alone, ${beside.toFixed(1)} ms beside; ${counts[200] ?? 0} points, ${counts[503] ?? 0} times 503; ${residentMb.toFixed(0)} MB resident`,
    recoveryMs: null,
  };
};
