import { spawn } from 'node:child_process';
import { text } from 'node:stream/consumers';
import { setTimeout as delay } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { memory, processorMicroseconds } from '../serving/process-figures.ts';
import { type RunningServer, startServer } from '../serving/server.ts';
import { SteadyLoad } from '../serving/steady.ts';
import type { Fault } from './fault.ts';
import { besideBurners } from './others-wait.ts';

const CLIENTS = fileURLToPath(new URL('./slow-clients.ts', import.meta.url));
/**
 * Number of simultaneous downloads, of one client and of as many clients; and number of connections that each send 250
 * requests.
 */
const ROUNDS = [
  ['one', 1000],
  ['many', 1000],
  ['pipelined', 4],
] as const;
const ROUND_MS = 10_000;
const LOOK_UPS_A_SECOND = 200;
const MOST_MORE_MB = 100;
const MOST_TIMES = 2;
/** A 99th percentile below this is noise of the machine, milliseconds. */
const NOISE_MS = 2.5;

/**
 * Runs a thousand slow downloads of the whole map beside look-ups. Measures their memory and the additional time of the
 * look-ups.
 */
export const slowDownloads: Fault = async (_folder, dataset) => {
  const open = ['--rate-limit', 'off', '--page-limit', 'off', '--log-level', 'silent', '--trust-proxy', '127.0.0.1'];
  const server = await startServer(['--data', dataset, ...open]);
  const { dataset_id } = (await (await fetch(`${server.url}/readyz`)).json()) as { dataset_id: string };
  const path = `/tiles/${dataset_id}.pmtiles`;
  const found: string[] = [];
  let [tried, lost] = [0, 0];
  await lookUps(server, ROUND_MS);
  for (const [kind, connections] of ROUNDS) {
    const alone = await lookUps(server, ROUND_MS);
    const before = memory(server.pid).residentMb;
    const clients = spawn(process.execPath, [CLIENTS, String(server.port), path, String(connections), kind], {
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    const said = text(clients.stdout);
    // All connect first, because the server is not responsible for that time.
    await delay(3000);
    const { pid } = clients as { pid: number };
    const clientsBegan = processorMicroseconds(pid);
    const beside = await lookUps(server, ROUND_MS);
    const clientsTook = processorMicroseconds(pid) - clientsBegan;
    clients.kill('SIGTERM');
    const counts = JSON.parse(await said) as Record<string, number>;
    const took = beside.serverTook - alone.serverTook + clientsTook;
    const burnt = await besideBurners(took / 1000 / ROUND_MS, () => lookUps(server, ROUND_MS));
    const moreMb = beside.mostMb - before;
    tried += Object.values(counts).reduce((sum, count) => sum + count, 0);
    lost += Object.keys(counts).filter((status) => !['200', '429', '503'].includes(status)).length;
    if (moreMb > MOST_MORE_MB) lost++;
    if (beside.p99 > MOST_TIMES * Math.max(NOISE_MS, alone.p99, burnt.p99)) lost++;
    const statuses = Object.entries(counts).map(([status, count]) => `${count} × ${status}`);
    found.push(
      `${connections} ${kind}: ${moreMb.toFixed(0)} MB more, p99 of look-ups ${alone.p99.toFixed(1)} ms alone, ${beside.p99.toFixed(1)} beside, ${burnt.p99.toFixed(1)} while others take as much processor; the server takes ${share(beside)} of a processor in place of ${share(alone)} (${statuses.join(', ')})`,
    );
    await delay(2000);
  }
  if ((await server.stop()) !== 0) lost++;
  return {
    fault:
      'a thousand slow downloads of the map by one client, by a thousand, and 250 requests at once on a connection',
    tried,
    lost,
    outcome: found.join('; '),
    recoveryMs: null,
  };
};

interface LookUps {
  /** 99th percentile, milliseconds. */
  p99: number;
  /** Peak memory of the server meanwhile, MB. */
  mostMb: number;
  /** Processor time of the server, microseconds. */
  serverTook: number;
}

const share = ({ serverTook }: LookUps): string => `${(serverTook / 10 / ROUND_MS).toFixed(0)} %`;

/** Look-ups at a constant rate for some time. */
async function lookUps({ port, pid, targets }: RunningServer, ms: number): Promise<LookUps> {
  const paths = targets.filter((target) => /^\/api\/v1\/sunlight\/building\/[^/?]+$/.test(target));
  const load = new SteadyLoad(port, paths, LOOK_UPS_A_SECOND);
  let mostMb = 0;
  const before = processorMicroseconds(pid);
  await load.beside(async () => {
    for (const end = performance.now() + ms; performance.now() < end; await delay(100))
      mostMb = Math.max(mostMb, memory(pid).residentMb);
  });
  const times = load.times.sort((a, b) => a - b);
  return {
    p99: times[Math.floor(times.length * 0.99)] as number,
    mostMb,
    serverTook: processorMicroseconds(pid) - before,
  };
}
