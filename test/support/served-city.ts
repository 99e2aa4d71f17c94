import { type ChildProcess, type StdioOptions, spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { Client } from '../../bench/serving/client.ts';
import { built } from '../pipeline/run-build.ts';
import { CLI } from './run.ts';
import { cityGml, rowsOfHouses, writeFiles } from './small-city.ts';

/** A data folder below `folder` with a dataset of some houses. */
export async function smallDataset(folder: string, houses = 4): Promise<string> {
  await writeFiles(join(folder, 'city'), { 'houses.gml': cityGml(rowsOfHouses(houses)) });
  const data = join(folder, 'data');
  await built({ out: data, citygml: [join(folder, 'city')] });
  return data;
}

/** `hidamari serve` in its own process, ready, with its metrics. */
export interface ServedCity {
  child: ChildProcess;
  url: string;
  port: number;
  /** The metrics of its admin port. */
  admin: string;
  /** The value of a metric without labels. */
  metric(name: string): Promise<number>;
  /** Sends SIGTERM and returns the exit code, or `still there` after this number of seconds. */
  stop(seconds: number): Promise<number | null | string>;
}

/** @param log target of standard error, as for `child_process.spawn` */
export async function serveCity(
  test: { after(fn: () => void): unknown },
  args: readonly string[],
  log: 'pipe' | 'ignore' | number,
  env: Record<string, string> = {},
): Promise<ServedCity> {
  const stdio: StdioOptions = ['ignore', 'pipe', log];
  const child = spawn(process.execPath, [CLI, 'serve', '--port', '0', '--admin-port', '0', ...args], {
    stdio,
    env: { ...process.env, ...env },
  });
  test.after(() => void child.kill('SIGKILL'));
  const ended = once(child, 'exit');
  let said = '';
  for await (const line of createInterface(child.stdout!)) {
    said += `${line}\n`;
    if (line.startsWith('Metrics at')) break;
  }
  const url = /at (http:\S+)/.exec(said)?.[1];
  const metrics = /^Metrics at (http:\S+)/m.exec(said)?.[1];
  if (url === undefined || metrics === undefined) throw new Error(`it did not start: ${said}`);
  return {
    child,
    url,
    port: Number(new URL(url).port),
    admin: new URL(metrics).origin,
    async metric(name) {
      const text = await (await fetch(metrics, { headers: { connection: 'close' } })).text();
      return Number(new RegExp(`^${name} (.*)$`, 'm').exec(text)?.[1]);
    },
    async stop(seconds) {
      child.kill('SIGTERM');
      let timer: NodeJS.Timeout | undefined;
      const tooLate = new Promise<string>((resolve) => {
        timer = setTimeout(() => resolve('still there'), seconds * 1000);
      });
      const code = await Promise.race([ended.then(([exitCode]) => exitCode as number | null), tooLate]);
      clearTimeout(timer);
      return code;
    },
  };
}

/** Requests a path this number of times over eight connections. Every answer must be 200. */
export async function ask({ port }: ServedCity, path: string, times: number): Promise<void> {
  const clients = Array.from({ length: 8 }, () => new Client(port));
  const work = clients.map(async (client, i) => {
    for (let n = i; n < times; n += clients.length) await client.get(path);
  });
  try {
    await Promise.all(work);
  } finally {
    for (const client of clients) client.close();
  }
}
