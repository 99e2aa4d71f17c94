import { readFileSync } from 'node:fs';
import { connect, type Socket } from 'node:net';
import { performance } from 'node:perf_hooks';
import { setTimeout as delay } from 'node:timers/promises';
import { RedisServer, skipWithoutRedis } from '../../test/support/redis-server.ts';
import { type RunningServer, startServer } from '../serving/server.ts';
import type { Fault } from './fault.ts';

const LIMIT = 20;
const WINDOW_MS = 60_000;
/** Redis counts whole milliseconds, so a time may be wrong by this much. */
const SLACK_MS = 3;
const PROXY = ['--trust-proxy', '127.0.0.0/8', '--rate-limit', String(LIMIT)];

interface Answer {
  status: number;
  /** The values of `RateLimit`: requests left, and seconds until one more is allowed. */
  remaining: number;
  resetSeconds: number;
  sent: number;
  received: number;
}

/** A connection of a proxy. It sends HEAD requests for the client addresses that it names. */
class ProxyConnection {
  readonly #socket: Socket;
  #text = '';
  #wake: () => void = () => {};

  constructor(port: number) {
    this.#socket = connect({ port, host: '127.0.0.1', noDelay: true });
    this.#socket.setEncoding('latin1').on('data', (chunk: string) => {
      this.#text += chunk;
      this.#wake();
    });
    this.#socket.on('close', () => this.#wake());
  }

  /** Sends a request for each address at once; returns the answers in the same order. */
  async ask(path: string, addresses: readonly string[]): Promise<Answer[]> {
    const sent = performance.now();
    const lines = addresses.map((it) => `HEAD ${path} HTTP/1.1\r\nHost: localhost\r\nX-Forwarded-For: ${it}\r\n\r\n`);
    this.#socket.write(lines.join(''));
    const answers: Answer[] = [];
    while (answers.length < addresses.length) {
      const end = this.#text.indexOf('\r\n\r\n');
      if (end < 0) {
        if (this.#socket.destroyed) throw new Error('the server has closed the connection');
        await new Promise<void>((resolve) => (this.#wake = resolve));
        continue;
      }
      const head = this.#text.slice(0, end);
      this.#text = this.#text.slice(end + 4);
      const [, remaining, resetSeconds] = /^ratelimit: "default";r=(\d+);t=(\d+)/im.exec(head) ?? [];
      const received = performance.now();
      const status = Number(head.slice(9, 12));
      answers.push({ status, remaining: Number(remaining), resetSeconds: Number(resetSeconds), sent, received });
    }
    return answers;
  }

  close(): void {
    this.#socket.destroy();
  }
}

/** The plan of a client: at which second it sends how many requests, one after another. */
const SCHEDULES: Record<string, readonly (readonly [number, number])[]> = {
  'bursts at the edges': [
    [0, 25],
    [59, 5],
    [59.9, 5],
    [60.1, 25],
    [119.8, 5],
    [120.3, 25],
  ],
  'half before, half after': [
    [0, 10],
    [30, 10],
    [58, 5],
    [60.5, 15],
    [89.5, 5],
    [90.5, 15],
    [121, 15],
  ],
  'every second': Array.from({ length: 125 }, (_, second) => [second, 1] as const),
};

/**
 * Checks the limiter in three setups: in memory, with three processes, and with two servers on one Redis. In any 60
 * seconds a client may send 20 requests and no more, and `RateLimit` must state the correct rest. The check uses the
 * times of sending and answering.
 */
export const slidingWindow: Fault = async (_folder, dataset) => {
  const ends: (() => Promise<unknown>)[] = [];
  const start = async (...args: string[]): Promise<RunningServer> => {
    const server = await startServer(['--data', dataset, ...PROXY, ...args]);
    ends.unshift(() => server.stop());
    return server;
  };
  const groups = [[await start()], [await start('--workers', '3')]];
  if (!skipWithoutRedis) {
    const redis = await RedisServer.start({ after: (end) => void ends.push(end) });
    groups.push([await start('--redis', redis.url), await start('--redis', redis.url)]);
  }
  const wrong: string[] = [];
  const begin = performance.now();
  const clients = groups.flatMap((servers, group) =>
    Object.values(SCHEDULES).map((schedule, i) => runClient(servers, `198.51.${group}.${i}`, schedule, begin)),
  );
  const runs = await Promise.all(clients);
  for (const [i, answers] of runs.entries())
    wrong.push(...problemsOf(answers).map((problem) => `client ${i}: ${problem}`));
  for (const end of ends) await end();
  if (wrong.length > 0) console.error(wrong.join('\n'));
  const all = runs.flat();
  const passed = all.filter(({ status }) => status !== 429).length;
  return {
    fault: `bursts at the edges of the 60 seconds, ${groups.length === 3 ? 'one process, --workers 3, two servers on one Redis' : 'one process, --workers 3 (no Redis here)'}`,
    tried: all.length,
    lost: wrong.length,
    outcome: `${passed} pass, ${all.length - passed} are refused: never a 21st within 60 s, none of the first 20; every \`RateLimit\` is true`,
    recoveryMs: null,
  };
};

async function runClient(
  servers: readonly RunningServer[],
  address: string,
  schedule: readonly (readonly [number, number])[],
  begin: number,
): Promise<Answer[]> {
  const answers: Answer[] = [];
  for (const [second, times] of schedule) {
    await delay(Math.max(0, begin + second * 1000 - performance.now()));
    // The server has closed the old connections. Several new ones go to each server, so that several of its processes
    // get some.
    const connections = [0, 1, 2].flatMap(() => servers.map(({ port }) => new ProxyConnection(port)));
    for (let i = 0; i < times; i++) {
      const connection = connections[answers.length % connections.length];
      answers.push(...((await connection?.ask('/api/v1/sunlight/near', [address])) ?? []));
    }
    for (const connection of connections) connection.close();
  }
  return answers;
}

/** The violations. The server counts each request at a moment between its sending and its answer. */
function problemsOf(answers: readonly Answer[]): string[] {
  const problems: string[] = [];
  const passed: Answer[] = [];
  for (const [i, answer] of answers.entries()) {
    const surely = passed.filter((it) => answer.received - it.sent < WINDOW_MS - SLACK_MS);
    const perhaps = passed.filter((it) => answer.sent - it.received < WINDOW_MS + SLACK_MS);
    const isPassed = answer.status !== 429;
    const say = (text: string): void => void problems.push(`request ${i + 1}: ${text}`);
    if (isPassed && surely.length >= LIMIT) say(`passes, after ${surely.length} in the same 60 s`);
    if (!isPassed && perhaps.length < LIMIT) say(`is refused, after ${perhaps.length} in the same 60 s`);
    if (isPassed) for (const list of [surely, perhaps, passed]) list.push(answer);
    const [least, most] = [Math.max(0, LIMIT - perhaps.length), LIMIT - surely.length];
    if (!(answer.remaining >= least && answer.remaining <= most)) say(`r=${answer.remaining}, not ${least} to ${most}`);
    const soonest = secondsUntilGone(perhaps[0], answer.received, 'sent');
    const latest = secondsUntilGone(surely[0], answer.sent, 'received');
    if (!(answer.resetSeconds >= soonest && answer.resetSeconds <= latest))
      say(`t=${answer.resetSeconds}, not ${soonest} to ${latest}`);
  }
  return problems;
}

/** Whole seconds from `now` until the next request is allowed, at least one. */
function secondsUntilGone(first: Answer | undefined, now: number, at: 'sent' | 'received'): number {
  const slack = at === 'sent' ? -SLACK_MS : SLACK_MS;
  const ms = first === undefined ? WINDOW_MS : first[at] + WINDOW_MS - now + slack;
  return Math.min(60, Math.max(1, Math.ceil(ms / 1000)));
}

/**
 * Number of clients that fill their table, except for the networks of one home and one more client; and number of
 * networks that fill theirs, except for both homes and a /24.
 */
const [CLIENTS, NETWORKS] = [100_000 - 257, 20_000 - 3];
const CONNECTIONS = 8;
const AT_ONCE = 100;
/** Entries without requests are dropped after twice the window. */
const MOST_SECONDS = 110;

/**
 * Fills the tables of clients and of networks with requests. New clients must then be counted by the next wider network
 * for which there is room.
 */
export const fullTable: Fault = async (_folder, dataset) => {
  const server = await startServer(['--data', dataset, ...PROXY]);
  const connections = Array.from({ length: CONNECTIONS }, () => new ProxyConnection(server.port));
  let asked = 0;
  /** Number of accepted requests when each address sends one. */
  const pass = async (addresses: readonly string[]): Promise<number> => {
    let [next, passed] = [0, 0];
    const work = connections.map(async (connection) => {
      while (next < addresses.length) {
        const some = addresses.slice(next, next + AT_ONCE);
        next += some.length;
        for (const { status } of await connection.ask('/api/v1/sunlight/near', some)) if (status !== 429) passed++;
        asked += some.length;
      }
    });
    await Promise.all(work);
    return passed;
  };
  const from = (count: number, address: (i: number) => string): string[] =>
    Array.from({ length: count }, (_, i) => address(i));
  const home = from(256, (i) => `2001:db8:1:${i.toString(16)}::1`);
  const addresses = from(CLIENTS, (i) => `10.${i >> 16}.${(i >> 8) & 255}.${i & 255}`);
  const last = addresses.splice(-1000);
  const begin = performance.now();
  const found: [string, number, number][] = [
    ['addresses fill the table', await pass(addresses), addresses.length],
    ['of the 256 networks of one /56, each once, pass', await pass(home), 4 * LIMIT],
    ['of one /64 pass', await pass(from(30, (i) => `2001:db8:2::${i + 1}`)), LIMIT],
    ['more addresses fill it', await pass(last), last.length],
    ['of a new /24 pass', await pass(from(200, (i) => `203.0.113.${i}`)), 4 * LIMIT],
    [
      'more of an address that was there pass',
      await pass(last.slice(-1).flatMap((it) => from(30, () => it))),
      LIMIT - 1,
    ],
    ['more of the /56 pass', await pass(home), 0],
    ['new /24 fill their table', await pass(from(NETWORKS, (i) => `11.${i >> 8}.${i & 255}.1`)), NETWORKS],
    ['of a new /16 pass', await pass(from(1000, (i) => `203.1.${i & 255}.${i >> 8}`)), 16 * LIMIT],
  ];
  const seconds = (performance.now() - begin) / 1000;
  if (seconds > MOST_SECONDS)
    throw new Error(`this machine is too busy: the tables were full after ${seconds.toFixed(0)} s`);
  for (const connection of connections) connection.close();
  const resident = Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${server.pid}/status`, 'utf8'))?.[1]) / 1024;
  if ((await server.stop()) !== 0) found.push(['ends with', 1, 0]);
  const wrong = found.filter(([, passed, expected]) => passed !== expected);
  for (const [what, passed, expected] of wrong) console.error(`${passed} ${what}, not ${expected}`);
  return {
    fault: 'the limiter filled through sockets: addresses, /24 of IPv4, a /56 and a /64 of IPv6',
    tried: asked,
    lost: wrong.length,
    outcome: `${found.map(([what, passed]) => `${passed} ${what}`).join('; ')}; ${resident.toFixed(0)} MB resident; ${seconds.toFixed(0)} s`,
    recoveryMs: null,
  };
};
