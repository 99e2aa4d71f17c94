import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { setTimeout as delay } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { Client } from '../serving/client.ts';
import { LiveMemory, memory, openFiles, processorMicroseconds } from '../serving/process-figures.ts';
import { type RunningServer, startServer } from '../serving/server.ts';
import type { Fault } from './fault.ts';
import type { Orders } from './hostile/clients.ts';
import { learn } from './hostile/learn.ts';
import { emptyReport, type Report } from './hostile/report.ts';
import { forMs, lookUps, p99 } from './look-ups.ts';

const CLIENTS = fileURLToPath(new URL('./hostile/clients.ts', import.meta.url));
/** Most memory that the server may use after the attack above its use before it, MB. */
const MOST_MORE_MB = 100;
/** Most times that the p99 of look-ups may rise during the attack. */
const MOST_TIMES = 2;
/** Number of ordinary requests for one of the attack, in a mixed round. */
const ORDINARY_SHARE = 0.4;
/**
 * Number of ordinary requests for one of the attack that fill all caches before the memory of the server is measured.
 */
const WARM_SHARE = 0.2;
const SETTLE_TRIES = 10;

/** The environment variables that the systemd unit and the image set for a server. */
const UNIT = {
  NODE_OPTIONS: '--max-semi-space-size=8',
  MALLOC_ARENA_MAX: '1',
  MALLOC_MMAP_THRESHOLD_: '131072',
};
/** The first call of an agent loads the protocol, which stays in memory. */
const AGENT_CALL = {
  method: 'POST',
  headers: { 'content-type': 'application/json', accept: 'application/json, text/event-stream' },
  body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/list' }),
};

/** Heap in use after a collection on the main thread, and memory of the process, MB. */
interface OwnMemory {
  live: number;
  own: number;
}

/** The result of an attack. */
interface Attack {
  report: Report;
  /** Wrong answers, exceptions, log lines that are not JSON, files that stayed open, or an exit code other than 0. */
  wrong: string[];
  beforeMb: OwnMemory;
  /** Memory after the first round. Later growth is not caused by filling caches. */
  filledMb: OwnMemory;
  afterMb: OwnMemory;
  /** Times of look-ups in each round by the load beside them, milliseconds. */
  rounds: { alone: number; ordinary: number; hostile: number }[];
  /** Processor time of the server per request, microseconds. */
  cpu: { ordinary: number; hostile: number };
}

/**
 * Sends malicious and malformed requests while look-ups run. There must be no 500, no wrong answer, no invalid HTTP and
 * no lasting memory growth. Half of the attacking connections also send requests with known answers, so that a wrong
 * answer is detected.
 */
export const hostile: Fault = async (folder, dataset, seed, { requests, from }) => {
  const { report, wrong, beforeMb, filledMb, afterMb, rounds, cpu } = await attack(folder, dataset, {
    seed,
    requests,
    from,
  });
  for (const line of wrong) console.error(`seed ${seed}, ${line}`);
  const times = median(rounds.map((one) => one.hostile / Math.max(one.ordinary, one.alone)));
  const more = { live: afterMb.live - beforeMb.live, own: afterMb.own - beforeMb.own };
  const isLarge = more.live > MOST_MORE_MB || more.own > MOST_MORE_MB;
  const statuses = Object.entries(report.statuses).map(([status, count]) => `${count} times ${status}`);
  const slowest = Object.entries(report.slowest).map(
    ([kind, { shot, ms }]) => `${kind} ${ms.toFixed(0)} ms (shot ${shot})`,
  );
  console.error(`seed ${seed}: longest refusal ${report.longestRefusal} bytes; slowest: ${slowest.join(', ')}`);
  const middle = (of: (one: Attack['rounds'][number]) => number): string => median(rounds.map(of)).toFixed(1);
  return {
    fault: `hostile requests (seed ${seed}) on ${report.shots.toLocaleString('en-US')} connections, beside look-ups of buildings`,
    tried: report.requests,
    lost: wrong.length + (isLarge ? 1 : 0) + (times > MOST_TIMES ? 1 : 0),
    outcome:
      `${statuses.join(', ')}; ${signed(more.live)} MB in use after a collection (${afterMb.live.toFixed(0)}), ${signed(more.own)} MB of ` +
      `its own (${afterMb.own.toFixed(0)}), of which ${signed(afterMb.own - filledMb.own)} since the first round; p99 of the look-ups ${middle((one) => one.alone)} ms alone, ${middle((one) => one.ordinary)} ms beside ` +
      `as many ordinary requests, ${middle((one) => one.hostile)} ms beside these: ${times.toFixed(2)} times; ` +
      `${cpu.ordinary.toFixed(0)} and ${cpu.hostile.toFixed(0)} µs of processor time a request`,
    recoveryMs: null,
  };
};

const signed = (mb: number): string => `${mb < 0 ? '−' : '+'}${Math.abs(mb).toFixed(0)}`;

const median = (values: number[]): number => values.sort((a, b) => a - b)[Math.floor(values.length / 2)] as number;

interface AttackPlan {
  seed: number;
  requests: number;
  from: number;
  /** 0: each request follows the answer before it. */
  perSecond?: number;
  /** The attack is split into rounds. In each round look-ups run once alone and once beside ordinary requests. */
  rounds?: number;
  aloneMs?: number;
}

/** Attacks a server that serves a dataset. */
export async function attack(
  folder: string,
  dataset: string,
  { seed, requests, from, perSecond = 400, rounds: turns = 5, aloneMs = 5000 }: AttackPlan,
): Promise<Attack> {
  const live = new LiveMemory(join(folder, 'live-memory'));
  const open = ['--rate-limit', 'off', '--page-limit', 'off', '--point', 'on', '--trust-proxy', '127.0.0.1'];
  const env = { ...live.env, ...UNIT };
  const args = ['--data', dataset, ...open, '--log-level', 'warn', '--timeout', '5'];
  const server = await startServer(args, { args: live.args, env });
  const wrong: string[] = [];
  try {
    const known = await learn(server, dataset, seed, wrong);
    const paths = known.targets
      .map(({ target }) => target)
      .filter((target) => /^\/api\/v1\/sunlight\/building\/[\w-]+$/.test(target));
    const file = join(folder, 'known.json');
    writeFileSync(file, JSON.stringify(known));
    const orders: Orders = { port: server.port, known: file, seed, from, requests: 0, perSecond, isOrdinary: true };
    await (await fetch(`${server.url}/mcp`, AGENT_CALL)).text();
    await clients({ ...orders, requests: requests * WARM_SHARE, perSecond: 0 });
    const figures = new Figures(server, live);
    const beforeMb = await figures.settled();
    let filledMb = beforeMb;
    const filesBefore = openFiles(server.pid);
    const report = emptyReport();
    const rounds: Attack['rounds'] = [];
    const cpu = { ordinary: 0, hostile: 0 };
    const part = Math.ceil(requests / turns);
    for (let round = 0; round < turns; round++) {
      // A connection of its own: the server closes one that is idle while its memory is measured.
      const client = new Client(server.port);
      const alone = p99(await lookUps(client, paths, forMs(aloneMs)));
      const ordinary = await beside(client, paths, server, { ...orders, requests: part * ORDINARY_SHARE });
      const next = { ...orders, from: from + report.shots, requests: part, isOrdinary: false };
      const attacked = await beside(client, paths, server, next);
      client.close();
      add(report, attacked.report);
      cpu.ordinary += ordinary.cpu / turns;
      cpu.hostile += attacked.cpu / turns;
      rounds.push({ alone, ordinary: ordinary.p99, hostile: attacked.p99 });
      if (round === 0) filledMb = await figures.settled();
      wrong.push(...ordinary.report.wrong.map((line) => `ordinary requests: ${line}`));
    }
    wrong.push(...report.wrong);
    const afterMb = await figures.settled();
    const filesAfter = openFiles(server.pid);
    if (filesAfter > filesBefore + MOST_MORE_FILES) wrong.push(`${filesAfter} files are open, before ${filesBefore}`);
    if ((await fetch(`${server.url}/readyz`)).status !== 200) wrong.push('the server is not ready afterwards');
    wrong.push(...strangeLines(server.log()));
    const code = await server.stop();
    if (code !== 0) wrong.push(`the server ended with ${code}`);
    return { report, wrong, beforeMb, filledMb, afterMb, rounds, cpu };
  } finally {
    server.child.kill('SIGKILL');
  }
}

/**
 * Tolerance for the number of open files: a large dataset opens and closes files when it reads the trees of the city.
 */
const MOST_MORE_FILES = 100;

/** Adds the result of one part to the results before. */
function add(sum: Report, { kinds, statuses, slowest, wrong, ...part }: Report): void {
  sum.requests += part.requests;
  sum.shots += part.shots;
  sum.passing += part.passing;
  sum.longestRefusal = Math.max(sum.longestRefusal, part.longestRefusal);
  sum.wrong = [...sum.wrong, ...wrong];
  const counted = (own: Record<string, number>, more: Record<string, number>): Record<string, number> =>
    Object.fromEntries(
      [...Object.keys(own), ...Object.keys(more)].map((key) => [key, (own[key] ?? 0) + (more[key] ?? 0)]),
    );
  sum.kinds = counted(sum.kinds, kinds);
  sum.statuses = counted(sum.statuses, statuses);
  for (const [kind, one] of Object.entries(slowest)) {
    if (one.ms > (sum.slowest[kind]?.ms ?? 0)) sum.slowest = { ...sum.slowest, [kind]: one };
  }
}

/** Runs clients in their own process until they end. */
async function clients(orders: Orders): Promise<Report> {
  const child = spawn(process.execPath, [CLIENTS, JSON.stringify(orders)], { stdio: ['ignore', 'pipe', 'inherit'] });
  const [said] = await Promise.all([text(child.stdout), once(child, 'exit')]);
  return JSON.parse(said) as Report;
}

/**
 * Runs look-ups beside clients. Returns the p99 of the look-ups, the results of the clients, and the processor time of
 * the server per client request.
 */
async function beside(
  client: Client,
  paths: readonly string[],
  { pid }: RunningServer,
  orders: Orders,
): Promise<{ p99: number; report: Report; cpu: number }> {
  const before = processorMicroseconds(pid);
  let isOver = false;
  const work = clients(orders).finally(() => {
    isOver = true;
  });
  const times = await lookUps(client, paths, () => isOver);
  const report = await work;
  const cpu = (processorMicroseconds(pid) - before) / (report.requests + times.length);
  return { p99: p99(times), report, cpu };
}

/** Memory of a server when it no longer falls. */
class Figures {
  readonly #server: RunningServer;
  readonly #live: LiveMemory;

  constructor(server: RunningServer, live: LiveMemory) {
    this.#server = server;
    this.#live = live;
  }

  async settled(): Promise<OwnMemory> {
    let last = Number.POSITIVE_INFINITY;
    for (let i = 0; i < SETTLE_TRIES; i++) {
      const live = await this.#live.of(this.#server.child);
      const { ownMb: own } = memory(this.#server.pid);
      if (own > last - 1) return { live, own };
      last = own;
      await delay(1000);
    }
    return { live: await this.#live.of(this.#server.child), own: memory(this.#server.pid).ownMb };
  }
}

const ERROR = 50;

/** Log lines that are not JSON or report an unexpected failure. */
function strangeLines(log: string): string[] {
  return log.split('\n').flatMap((line) => {
    if (line === '') return [];
    try {
      const { level, msg } = JSON.parse(line) as { level: number; msg: string };
      return level >= ERROR ? [`the log says: ${msg}: ${line.slice(0, 600)}`] : [];
    } catch {
      return [`the log has a line that is no JSON: ${line.slice(0, 300)}`];
    }
  });
}
