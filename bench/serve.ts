import { type ChildProcess, fork, spawn } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { type AddressInfo, connect } from 'node:net';
import { performance } from 'node:perf_hooks';
import { fileURLToPath } from 'node:url';

// Every operation of a running server beside bare node:http that sends the same bodies, turn about in one run.
//   node bench/serve.ts DATA_FOLDER [SECONDS]     (a folder with a dataset, as `hidamari build --out` makes it)
// Ratios are medians over the rounds, once of requests a second and once of the processor time that a request takes
// (Linux only, from /proc), which does not depend on what else the machine does.

const CONNECTIONS = 16;
const ROUNDS = 5;
const CLI = fileURLToPath(new URL('../src/cli/main.ts', import.meta.url));
const SELF = fileURLToPath(import.meta.url);

if (process.send === undefined) await main();
else bare();

/** In the child: sends the bodies that it is given, by path. */
function bare(): void {
  const bodies = new Map<string, string>();
  const server = createServer((request, response) => {
    const body = bodies.get(request.url!)!;
    response.writeHead(200, { 'Content-Type': 'application/json', 'Content-Length': Buffer.byteLength(body) });
    response.end(body);
  });
  process.on('message', ([path, body]: [string, string]) => {
    bodies.set(path, body);
    process.send!('kept');
  });
  server.listen(0, '127.0.0.1', () => process.send!((server.address() as AddressInfo).port));
}

async function main(): Promise<void> {
  const [data, seconds = '1'] = process.argv.slice(2);
  if (data === undefined) {
    process.stderr.write('usage: node bench/serve.ts DATA_FOLDER [SECONDS]\n');
    process.exit(2);
  }
  const args = [CLI, 'serve', '--data', data, '--port', '0', '--rate-limit', 'off'];
  const started = performance.now();
  const ours = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'ignore'] });
  const { url, paths } = await announced(ours);
  const startMs = performance.now() - started;
  const other = fork(SELF);
  const port = await new Promise<number>((resolve) => other.once('message', (message) => resolve(message as number)));
  process.stdout.write(`started in ${Math.round(startMs)} ms\n`);
  process.stdout.write(
    'operation                            bytes   req/s   p50 ms   p99 ms  of bare   CPU µs  of bare\n',
  );
  try {
    for (const path of paths)
      await compare(
        path,
        { port: Number(new URL(url).port), pid: ours.pid! },
        { port, pid: other.pid! },
        other,
        Number(seconds),
      );
  } finally {
    ours.kill();
    other.kill();
  }
}

async function announced(server: ChildProcess): Promise<{ url: string; paths: string[] }> {
  let text = '';
  for await (const chunk of server.stdout!) {
    text += chunk;
    const url = /at (http:\S+)/.exec(text)?.[1];
    if (url === undefined || !text.includes('openapi.json')) continue;
    const addresses = [...text.matchAll(/^ {2}(http:\S+)$/gm)].map(([, address]) => address!);
    return { url, paths: addresses.map((address) => address.slice(url.length)) };
  }
  throw new Error('the server has ended');
}

interface Target {
  port: number;
  pid: number;
}

async function compare(path: string, ours: Target, bare: Target, other: ChildProcess, seconds: number): Promise<void> {
  const body = await (await fetch(`http://127.0.0.1:${ours.port}${path}`)).text();
  await new Promise((resolve) => {
    other.once('message', resolve);
    other.send([path, body]);
  });
  for (const target of [ours, bare]) await load(target, path, 1500);
  const rounds: [Load, Load][] = [];
  for (let round = 0; round < ROUNDS; round++) {
    const share = (seconds * 1000) / ROUNDS;
    rounds.push([await load(ours, path, share), await load(bare, path, share)]);
  }
  const times = rounds.flatMap(([mine]) => mine.times).sort((a, b) => a - b);
  const name = path.replace('/api/v1/', '').split('?')[0]!.slice(0, 34);
  const cells = [
    String(Buffer.byteLength(body)).padStart(8),
    median(rounds.map(([mine]) => mine.rate))
      .toFixed(0)
      .padStart(8),
    times[Math.floor(times.length / 2)]!.toFixed(2).padStart(9),
    times[Math.floor(times.length * 0.99)]!.toFixed(2).padStart(9),
    median(rounds.map(([mine, theirs]) => mine.rate / theirs.rate))
      .toFixed(2)
      .padStart(9),
    median(rounds.map(([mine]) => mine.cpu))
      .toFixed(1)
      .padStart(9),
    median(rounds.map(([mine, theirs]) => theirs.cpu / mine.cpu))
      .toFixed(2)
      .padStart(9),
  ];
  process.stdout.write(`${name.padEnd(34)}${cells.join('')}\n`);
}

function median(values: number[]): number {
  return values.sort((a, b) => a - b)[Math.floor(values.length / 2)]!;
}

/** Processor time that a process has used, microseconds; NaN where there is no /proc. */
function cpuTime(pid: number): number {
  const file = `/proc/${pid}/stat`;
  if (!existsSync(file)) return Number.NaN;
  const fields = readFileSync(file, 'utf8').split(') ')[1]!.split(' ');
  return (Number(fields[11]) + Number(fields[12])) * 10_000; // ticks of 1/100 s
}

interface Load {
  /** Requests a second. */
  rate: number;
  /** Of each request, milliseconds. */
  times: number[];
  /** Processor time of a request, microseconds. */
  cpu: number;
}

/** Keeps every connection busy with one request after the other. */
async function load({ port, pid }: Target, path: string, ms: number): Promise<Load> {
  const request = `GET ${path} HTTP/1.1\r\nHost: x\r\n\r\n`;
  const times: number[] = [];
  const cpuBefore = cpuTime(pid);
  const begin = performance.now();
  const client = () =>
    new Promise<void>((resolve, reject) => {
      let sent = 0;
      let missing = -1;
      const socket = connect(port, '127.0.0.1', () => send());
      const send = (): void => {
        sent = performance.now();
        missing = -1;
        socket.write(request);
      };
      socket.on('error', reject);
      socket.on('data', (chunk) => {
        if (missing < 0) {
          const end = chunk.indexOf('\r\n\r\n');
          const head = chunk.toString('latin1', 0, end);
          if (!head.startsWith('HTTP/1.1 200')) reject(new Error(head));
          missing = Number(/content-length: (\d+)/i.exec(head)![1]) - (chunk.length - end - 4);
        } else missing -= chunk.length;
        if (missing > 0) return;
        const now = performance.now();
        times.push(now - sent);
        if (now - begin < ms) send();
        else {
          socket.destroy();
          resolve();
        }
      });
    });
  await Promise.all(Array.from({ length: CONNECTIONS }, client));
  const rate = (times.length / (performance.now() - begin)) * 1000;
  return { rate, times, cpu: (cpuTime(pid) - cpuBefore) / times.length };
}
