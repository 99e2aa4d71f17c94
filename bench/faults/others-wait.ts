import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { Client } from '../serving/client.ts';
import { memory, processorMicroseconds } from '../serving/process-figures.ts';
import { type RunningServer, startServer } from '../serving/server.ts';
import type { Fault } from './fault.ts';
import { forMs, lookUps, p99 } from './look-ups.ts';

/** Limit for the additional p99 of other requests while answers are computed, milliseconds. */
const MOST_MORE_MS = 20;
const ROUNDS = 3;
const ROUND_MS = 4000;
const CLIENTS = fileURLToPath(new URL('./computing-clients.ts', import.meta.url));
/** Uses the share of a processor given as its argument, until it is killed. */
const BURNER = `
const share = Number(process.argv[1]);
const turn = () => {
  for (const end = performance.now() + 5; performance.now() < end; );
  setTimeout(turn, (5 * (1 - share)) / share);
};
turn();
`;

/** Times of look-ups by the load beside them, milliseconds. */
type Times = Record<'alone' | 'beside' | 'burnt', number[]>;

/**
 * Times look-ups in rounds: alone; while ten clients have points and floors computed; and beside unrelated processes
 * that use the same processor time as that server and its clients. The difference of the last two is caused by the
 * server.
 */
export const othersWait: Fault = async (_folder, dataset) => {
  const proxy = ['--trust-proxy', '127.0.0.1', '--point', 'on'];
  const server = await startServer(['--data', dataset, '--rate-limit', 'off', '--log-level', 'warn', ...proxy]);
  const path = server.targets.find((target) => target.startsWith('/api/v1/sunlight/building/')) as string;
  const client = new Client(server.port);
  const turn = (): Promise<number[]> => lookUps(client, [path], forMs(ROUND_MS));
  await turn();
  const times: Times = { alone: [], beside: [], burnt: [] };
  const counts: Record<string, number> = {};
  for (let round = 0; round < ROUNDS; round++) {
    const before = processorMicroseconds(server.pid);
    times.alone.push(...(await turn()));
    const aloneTook = processorMicroseconds(server.pid) - before;
    const clients = await computingClients(server, path);
    const { pid } = clients as { pid: number };
    const [start, own] = [processorMicroseconds(server.pid), processorMicroseconds(pid)];
    times.beside.push(...(await turn()));
    const took = processorMicroseconds(server.pid) - start + processorMicroseconds(pid) - own - aloneTook;
    for (const [status, count] of Object.entries(await end(clients))) counts[status] = (counts[status] ?? 0) + count;
    times.burnt.push(...(await besideBurners(took / 1000 / ROUND_MS, turn)));
  }
  const { residentMb } = memory(server.pid);
  client.close();
  const [alone, beside, burnt] = [p99(times.alone), p99(times.beside), p99(times.burnt)];
  const others = Object.keys(counts).filter((status) => status !== '200' && status !== '503');
  const code = await server.stop();
  const isLate = beside - Math.max(alone, burnt) > MOST_MORE_MS;
  return {
    fault: 'points and floors for ten clients, thirty at once, beside look-ups of a building',
    tried: Object.values(counts).reduce((sum, count) => sum + count, 0),
    lost: (isLate ? 1 : 0) + others.length + (code === 0 ? 0 : 1),
    outcome:
      `p99 of the look-ups ${alone.toFixed(1)} ms alone, ${beside.toFixed(1)} ms beside, ${burnt.toFixed(1)} ms while others ` +
      `take as much processor; ${counts[200] ?? 0} answers, ${counts[503] ?? 0} times 503; ${residentMb.toFixed(0)} MB resident`,
    recoveryMs: null,
  };
};

async function computingClients({ url }: RunningServer, path: string): Promise<ChildProcess> {
  const { data } = (await (await fetch(`${url}${path}/full`)).json()) as {
    data: { building_id: string; lat: number; lon: number; faces: { face: string }[] };
  };
  const about = [data.building_id, String(data.lat), String(data.lon), data.faces[0]?.face ?? 'S'];
  return spawn(process.execPath, [CLIENTS, url, ...about], { stdio: ['ignore', 'pipe', 'inherit'] });
}

/** Ends the clients and returns their number of answers by status. */
async function end(clients: ChildProcess): Promise<Record<string, number>> {
  const said = clients.stdout === null ? '' : text(clients.stdout);
  clients.kill('SIGTERM');
  return JSON.parse(await said) as Record<string, number>;
}

/**
 * Runs a function beside processes that are unrelated to the server.
 * @param processors number of processors that they use
 */
export async function besideBurners<T>(processors: number, work: () => Promise<T>): Promise<T> {
  const count = Math.max(1, Math.ceil(processors));
  const share = Math.min(1, Math.max(0.01, processors / count));
  const burners = Array.from({ length: count }, () =>
    spawn(process.execPath, ['-e', BURNER, String(share)], { stdio: 'ignore' }),
  );
  try {
    return await work();
  } finally {
    await Promise.all(
      burners.map((burner) => {
        burner.kill('SIGKILL');
        return once(burner, 'exit');
      }),
    );
  }
}
