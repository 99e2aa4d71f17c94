import { spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';

export const ROOT = fileURLToPath(new URL('../..', import.meta.url));
export const CLI = fileURLToPath(new URL('../../src/cli/main.js', import.meta.url));

interface Ended {
  code: number | null;
  stdout: string;
  stderr: string;
}

interface RunOptions {
  env?: Record<string, string | undefined>;
  cwd?: string;
  /** Sends the signal (by default SIGKILL) when it resolves. */
  killAt?: () => Promise<unknown>;
  signal?: NodeJS.Signals;
}

/** Runs a program to its end. `env` is added to the environment; undefined removes a variable. */
export function run(
  command: string,
  args: string[],
  { env = {}, cwd = ROOT, killAt, signal = 'SIGKILL' }: RunOptions = {},
): Promise<Ended> {
  const child = spawn(command, args, { cwd, env: { ...process.env, ...env }, stdio: ['ignore', 'pipe', 'pipe'] });
  void killAt?.().then(() => child.kill(signal));
  const [out, err]: [Buffer[], Buffer[]] = [[], []];
  child.stdout.on('data', (chunk) => out.push(chunk));
  child.stderr.on('data', (chunk) => err.push(chunk));
  return new Promise((resolve, reject) => {
    child.on('error', reject);
    child.on('close', (code) =>
      resolve({ code, stdout: Buffer.concat(out).toString(), stderr: Buffer.concat(err).toString() }),
    );
  });
}

/** Runs `hidamari` with these arguments in its own process. */
export const hidamari = (args: string[], options?: Parameters<typeof run>[2]): Promise<Ended> =>
  run(process.execPath, [CLI, ...args], options);
