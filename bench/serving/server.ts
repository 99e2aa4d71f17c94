import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { performance } from 'node:perf_hooks';
import { fileURLToPath } from 'node:url';
import { landingUrls } from '../../test/support/landing-urls.ts';

const CLI = fileURLToPath(new URL('../../src/cli/main.js', import.meta.url));

/** `hidamari serve` in a process of its own, ready. */
export interface RunningServer {
  url: string;
  port: number;
  pid: number;
  /** From the start of the process to its first answer, milliseconds. */
  startMs: number;
  /** URLs that can be tried, without the address: those of its landing document. */
  targets: string[];
  child: ChildProcess;
  /** What it has written to standard error so far. */
  log(): string;
  /** Sends SIGTERM and gives the exit code. */
  stop(): Promise<number | null>;
}

/**
 * Starts the server with these arguments besides a free port; rejects with what it says when it ends at once.
 * @param node arguments of Node.js itself, what is added to the environment, and a command that runs Node.js with the arguments it
 * is given, as the same process.
 */
export async function startServer(
  args: readonly string[],
  node: { args?: string[]; env?: Record<string, string>; under?: string[] } = {},
): Promise<RunningServer> {
  const begin = performance.now();
  const { args: ofNode = [], under = [] } = node;
  const [command = '', ...rest] = [...under, process.execPath, ...ofNode, CLI, 'serve', '--port', '0', ...args];
  const child = spawn(command, rest, {
    env: { ...process.env, ...node.env },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const ended = once(child, 'exit');
  let log = '';
  child.stderr.on('data', (chunk) => (log += chunk));
  let text = '';
  for await (const chunk of child.stdout) {
    text += chunk;
    if (text.includes('SIGHUP')) break;
  }
  const url = /at (http:\S+)/.exec(text)?.[1];
  if (url === undefined) throw new Error(log);
  await (await fetch(`${url}/readyz`)).text();
  const targets = (await landingUrls(url)).map((one) => one.slice(url.length));
  return {
    url,
    port: Number(new URL(url).port),
    pid: child.pid!,
    startMs: performance.now() - begin,
    targets,
    child,
    log: () => log,
    async stop() {
      child.kill('SIGTERM');
      return child.exitCode ?? ((await ended)[0] as number | null);
    },
  };
}
