import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { performance } from 'node:perf_hooks';
import { fileURLToPath } from 'node:url';
import { landingUrls } from '../../test/support/landing-urls.ts';

const CLI = fileURLToPath(new URL('../../src/cli/main.js', import.meta.url));

/** `hidamari serve` in its own process, ready. */
export interface RunningServer {
  url: string;
  port: number;
  pid: number;
  /** From the start of the process to its first answer, milliseconds. */
  startMs: number;
  /** Example URLs of its landing document, without the address. */
  targets: string[];
  child: ChildProcess;
  /** Its standard error so far. */
  log(): string;
  /** Sends SIGTERM and returns the exit code. */
  stop(): Promise<number | null>;
}

/**
 * Starts the server with these arguments on a free port. Rejects with its error output when it ends at once.
 * @param node arguments of Node.js, additional environment variables, and a command that runs Node.js with its
 * arguments in the same process
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
