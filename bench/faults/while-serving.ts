import { spawnSync } from 'node:child_process';
import { createHash, randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { readdirSync, readFileSync, rmSync, truncateSync, writeFileSync } from 'node:fs';
import { type AddressInfo, connect, createServer } from 'node:net';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { readManifest } from '../../src/snapshot/manifest.ts';
import { Client } from '../serving/client.ts';
import { type RunningServer, startServer } from '../serving/server.ts';
import { memoryGroup } from './control-groups.ts';
import { hour, publishCopy } from './copies.ts';
import type { Fault } from './fault.ts';

const CLI = fileURLToPath(new URL('../../src/cli/main.js', import.meta.url));
/** Of a bulk file. */
const LARGE_BYTES = 64 << 20;
const OPEN = ['--rate-limit', 'off', '--page-limit', 'off', '--log-level', 'warn'];

/**
 * Requests paths in turn on some connections until `isOver`. Returns the number of answers, of those other than 200,
 * and of those with 503.
 */
async function load(
  { port }: RunningServer,
  paths: readonly string[],
  isOver: () => boolean,
): Promise<{ answers: number; lost: number; refused: number }> {
  const counts = { answers: 0, lost: 0, refused: 0 };
  const work = Array.from({ length: 8 }, async (_, i) => {
    let client = new Client(port);
    for (let n = i; !isOver(); n++) {
      try {
        await client.get(paths[n % paths.length] as string);
        counts.answers++;
      } catch (error) {
        counts.lost++;
        if ((error as Error).message.startsWith('HTTP/1.1 503')) counts.refused++;
        client = new Client(port);
      }
    }
    client.close();
  });
  await Promise.all(work);
  return counts;
}

/** Targets of the landing document that are answered from the dataset. */
const lookUps = (server: RunningServer): string[] => server.targets.filter((path) => path.startsWith('/api/v1/'));

/** Sends SIGHUP to switch to newer datasets while clients send requests. */
export const swapUnderLoad: Fault = async (folder, dataset) => {
  const data = join(folder, 'data');
  await publishCopy(data, dataset, 'swap-0', hour(0));
  const server = await startServer(['--data', data, ...OPEN, '--log-level', 'info']);
  const swaps = 10;
  let isOver = false;
  let longest = 0;
  const asked = load(server, lookUps(server), () => isOver);
  for (let i = 1; i <= swaps; i++) {
    await publishCopy(data, dataset, `swap-${i}`, hour(i));
    const start = performance.now();
    server.child.kill('SIGHUP');
    while (!server.log().includes(`"dataset_id":"swap-${i}","before"`)) await delay(5);
    longest = Math.max(longest, performance.now() - start);
  }
  isOver = true;
  const { answers, lost } = await asked;
  const code = await server.stop();
  return {
    fault: 'the dataset changes under load',
    tried: swaps,
    lost: lost + (code === 0 ? 0 : 1),
    outcome: `${answers} answers meanwhile, all 200`,
    recoveryMs: longest,
  };
};

/** Control groups of 200 and 300 MB, with requests of every kind on eight connections. */
export const memoryGroups: Fault = async (_folder, dataset) => {
  const found = { tried: 0, lost: 0, peaks: [] as string[] };
  for (const [limitMb, ...flags] of [['200'], ['300', '--workers', '2']] as const) {
    const group = memoryGroup(Number(limitMb) * 1e6);
    if (group === null) continue;
    const server = await startServer(['--data', dataset, ...OPEN, ...flags], { under: group.under });
    const until = performance.now() + 10_000;
    const { answers, lost } = await load(server, lookUps(server), () => performance.now() > until);
    const code = await server.stop();
    found.tried += answers + lost;
    found.lost += lost + (code === 0 ? 0 : 1);
    found.peaks.push(`${(group.peakBytes() / 1e6).toFixed(0)} MB of ${limitMb}`);
    group.remove();
  }
  return {
    fault: 'control groups of 200 MB, and of 300 MB with --workers 2, ten seconds of load',
    tried: found.tried,
    lost: found.lost,
    outcome:
      found.tried === 0
        ? 'not tried: no control group can be made here'
        : `all answered with 200; at most ${found.peaks.join(', ')}`,
    recoveryMs: null,
  };
};

/** A heap of 64 MB, with requests of every kind on eight connections. */
export const memoryLimit: Fault = async (_folder, dataset) => {
  const server = await startServer(['--data', dataset, ...OPEN], { args: ['--max-old-space-size=64'] });
  const until = performance.now() + 10_000;
  const { answers, lost } = await load(server, lookUps(server), () => performance.now() > until);
  const code = await server.stop();
  return {
    fault: 'a heap of 64 MB (`--max-old-space-size`), ten seconds of load',
    tried: answers + lost,
    lost: lost + (code === 0 ? 0 : 1),
    outcome: 'all answered with 200',
    recoveryMs: null,
  };
};

/** Closes the pipe of the log while requests are answered. */
export const closedLog: Fault = async (_folder, dataset) => {
  const server = await startServer(['--data', dataset, '--rate-limit', 'off', '--page-limit', 'off']);
  server.child.stderr?.destroy();
  const until = performance.now() + 3000;
  const { answers, lost } = await load(server, lookUps(server), () => performance.now() > until);
  const start = performance.now();
  const code = await server.stop();
  return {
    fault: 'the pipe of the log is closed under load',
    tried: answers + lost,
    lost: lost + (code === 0 ? 0 : 1),
    outcome: 'all answered, and SIGTERM ends it with 0',
    recoveryMs: performance.now() - start,
  };
};

/** Files are pruned and deleted while a server serves them and a client downloads them. */
export const deletedWhileServing: Fault = async (folder, dataset) => {
  const data = join(folder, 'data');
  const [file = ''] = readdirSync(join(dataset, 'bulk', 'sunlight'));
  const ward = file.slice(0, 5);
  // More bytes than the sockets between server and client can buffer.
  await publishCopy(data, dataset, 'older', hour(0), (draft) =>
    writeFileSync(join(draft, 'bulk', 'sunlight', file), randomBytes(LARGE_BYTES)),
  );
  const server = await startServer(['--data', data, ...OPEN, '--log-level', 'info']);
  const offer = await (await fetch(`${server.url}/api/v1/sunlight/bulk/${ward}`)).json();
  const { url, sha256, bytes } = (offer as { data: { url: string; sha256: string; bytes: number } }).data;
  const download = slowly(server.port, url.slice(server.url.length));
  await download.begun;
  await publishCopy(data, dataset, 'newer', hour(1));
  const prune = (): number | null => spawnSync(process.execPath, [CLI, 'prune', data, '--keep', '1']).status;
  let lost = prune() === 0 ? 0 : 1;
  const stays = readdirSync(data).includes('older');
  if (!stays) lost++;
  server.child.kill('SIGHUP');
  while (!server.log().includes('"dataset_id":"newer","before"')) await delay(5);
  rmSync(join(data, 'older'), { recursive: true });
  const got = await download.rest();
  if (got.length !== bytes || createHash('sha256').update(got).digest('hex') !== sha256) lost++;
  const paths = lookUps(server);
  for (const path of paths) if ((await fetch(server.url + path)).status !== 200) lost++;
  if ((await server.stop()) !== 0) lost++;
  return {
    fault: 'prune while serving; a dataset deleted under a download',
    tried: 3 + paths.length,
    lost,
    outcome: 'prune leaves what is served; the download ends whole, with its SHA-256',
    recoveryMs: null,
  };
};

/** A download that reads its head at once, and the rest on demand. */
function slowly(port: number, path: string): { begun: Promise<unknown>; rest(): Promise<Buffer> } {
  const socket = connect(port, '127.0.0.1');
  socket.write(`GET ${path} HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n`);
  return {
    begun: once(socket, 'readable'),
    async rest() {
      const all = Buffer.concat(await socket.toArray());
      return all.subarray(all.indexOf('\r\n\r\n') + 4);
    },
  };
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  server.close();
  return port;
}

/** Kills one of three workers again and again while clients send requests. */
export const killedWorkers: Fault = async (_folder, dataset) => {
  const admin = await freePort();
  const server = await startServer(['--data', dataset, ...OPEN, '--workers', '3', '--admin-port', String(admin)]);
  const serving = async (): Promise<number> => {
    const text = await (await fetch(`http://127.0.0.1:${admin}/metrics`, { headers: { connection: 'close' } })).text();
    return Number(/^hidamari_workers (\d+)$/m.exec(text)?.[1]);
  };
  const kills = 6;
  let isOver = false;
  let longest = 0;
  const asked = load(server, lookUps(server), () => isOver);
  const workers = (): number[] =>
    readFileSync(`/proc/${server.pid}/task/${server.pid}/children`, 'utf8').trim().split(' ').map(Number);
  for (let i = 0; i < kills; i++) {
    const [victim] = workers();
    const start = performance.now();
    process.kill(victim as number, 'SIGKILL');
    while (workers().includes(victim as number) || (await serving()) < 3) await delay(20);
    longest = Math.max(longest, performance.now() - start);
  }
  isOver = true;
  const { answers, lost: reset } = await asked;
  const code = await server.stop();
  // With eight connections, at most eight requests can be lost when a worker dies.
  const lost = Math.max(0, reset - 8 * kills) + (code === 0 ? 0 : 1);
  return {
    fault: 'a worker of three is killed under load',
    tried: kills,
    lost,
    outcome: `${answers} answers, ${reset} connections reset, none hangs; another process takes its place`,
    recoveryMs: longest,
  };
};

/**
 * Number of consecutive new connections, eight at a time, that must all get the older dataset. Then every process has
 * switched to it.
 */
const ROUNDS = 3;
const PATIENCE_MS = 60_000;

/**
 * Cuts one file of each kind to half of its length while it is served, in one dataset after the other, with one process
 * and with two.
 */
export const cutFiles: Fault = async (folder, dataset) => {
  const { files } = await readManifest(dataset);
  const kinds = [...new Map(Object.keys(files).map((name) => [name.replace(/\d{5,}/, ''), name])).values()];
  const sums = { tried: 0, answers: 0, refused: 0, lost: 0 };
  let longest = 0;
  for (const workers of ['1', '2']) {
    const data = join(folder, workers);
    for (let i = 0; i <= kinds.length; i++) await publishCopy(data, dataset, `cut-${i}`, hour(i));
    const server = await startServer(['--data', data, ...OPEN, '--workers', workers]);
    let isOver = false;
    const asked = load(server, lookUps(server), () => isOver);
    for (const [i, name] of [...kinds.entries()].reverse()) {
      sums.tried++;
      const start = performance.now();
      truncateSync(join(data, `cut-${i + 1}`, name), (files[name]?.bytes ?? 0) >> 1);
      let [rounds, recovered] = [0, PATIENCE_MS];
      while (rounds < ROUNDS && performance.now() - start < PATIENCE_MS) {
        const asked = performance.now() - start;
        rounds = (await isServed(server, `cut-${i}`)) ? rounds + 1 : 0;
        if (rounds === 0) await delay(5);
        else if (rounds === 1) recovered = asked;
      }
      longest = Math.max(longest, recovered);
      if (rounds < ROUNDS) sums.lost++;
    }
    isOver = true;
    const { answers, lost, refused } = await asked;
    sums.answers += answers;
    sums.refused += refused;
    sums.lost += lost - refused;
    if ((await server.stop()) !== 0) sums.lost++;
  }
  return {
    fault: `a file of each of ${kinds.length} kinds cut to half while it is served, by one process and by --workers 2`,
    tried: sums.tried,
    lost: sums.lost,
    outcome: `the older dataset takes over; ${sums.answers} answers meanwhile, ${sums.refused} times 503`,
    recoveryMs: longest,
  };
};

/** True when eight new connections all get answers from a dataset. */
async function isServed({ url }: RunningServer, id: string): Promise<boolean> {
  const ask = async (): Promise<boolean> => {
    const answer = await fetch(`${url}/api/v1/search?q=13`, { headers: { connection: 'close' } });
    return ((await answer.json()) as { meta?: { dataset_id: string } }).meta?.dataset_id === id;
  };
  const seen = await Promise.all(Array.from({ length: 8 }, ask));
  return seen.every((is) => is);
}
