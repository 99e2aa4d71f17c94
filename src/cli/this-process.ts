import { execFileSync } from 'node:child_process';
import cluster from 'node:cluster';
import { readFileSync } from 'node:fs';
import { totalmem } from 'node:os';
import { format } from 'node:util';
import type { Logger } from 'pino';
import type { Unexpected } from '../api/errors.ts';

/** Bytes of memory that this process may use: a container may have less than its machine. */
export const totalMemory = (): number => Math.min(process.constrainedMemory() || totalmem(), totalmem());

/** The functions of `console` by which libraries print. */
const CONSOLE = ['debug', 'log', 'info', 'warn', 'error', 'trace'] as const;

/** From now on warnings of Node.js and output of libraries become lines of the log, which has only JSON. */
export function logWarnings(log: Logger): void {
  // The listener that prints is Node's own.
  process.removeAllListeners('warning').on('warning', ({ name, message }: Error) => {
    log.warn({ kind: name, warning: message }, 'a library warns');
  });
  for (const name of CONSOLE) {
    console[name] = (...printed: unknown[]) => log.warn({ kind: name, warning: format(...printed) }, 'a library warns');
  }
}

/**
 * Waits for a signal to stop. A second one ends the process at once.
 * @returns the first SIGTERM or SIGINT
 */
export function stopSignal(): Promise<string> {
  return new Promise((resolve) => {
    let isStopping = false;
    const stop = (signal: string) => {
      if (isStopping) process.exit(1);
      isStopping = true;
      resolve(signal);
    };
    process.on('SIGTERM', stop).on('SIGINT', stop);
  });
}

/** How long a command that has failed or was stopped waits at most for running work before it ends, milliseconds. */
const LONGEST_END_MS = 1000;

/**
 * Ends the process when no work is running, after a second at the latest. An immediate exit can hang: Node.js waits for
 * a thread that compiles code, and that thread waits for memory of the main thread (nodejs/node issue 54918).
 */
export function end(code: number): void {
  process.exitCode = code;
  setTimeout(() => process.exit(code), LONGEST_END_MS).unref();
}

/** From now on no exception and no rejected promise ends the process. */
export function outliveExceptions(unexpected: Unexpected): void {
  process.on('uncaughtException', (error, origin) => unexpected.note(error, { origin }));
}

/** Interval of the checks for npm, milliseconds. */
const INTERVAL_MS = 500;

/**
 * Calls `ended` when the npm or npx that started this process is gone. npm passes signals only to its shell, which ends
 * without passing them on: a server would continue and keep its port, and a build would continue unseen. A process of a
 * server (a cluster worker) does not look for npm, because its server ends it.
 */
export function whenNpmEnds(ended: () => void): void {
  const npm = process.env.npm_command === undefined || cluster.isWorker ? null : npmAbove(process.ppid);
  if (npm === null) return;
  const timer = setInterval(() => {
    if (isAlive(npm)) return;
    clearInterval(timer);
    // A watcher (`npm run dev`) would wait for a change of a file and start the process again.
    if (isWatcher(process.ppid)) process.kill(process.ppid, 'SIGTERM');
    ended();
  }, INTERVAL_MS);
  timer.unref();
}

/** How far up to look for npm: it may be the parent, or above a shell and a watcher. */
const MOST_GENERATIONS = 3;

/** Process number of the npm among a process and its ancestors; null when there is none. */
function npmAbove(start: number): number | null {
  let pid = start;
  for (let generation = 0; pid > 1 && generation < MOST_GENERATIONS; generation++) {
    const ancestor = processOf(pid);
    if (ancestor === null) return null;
    if (/^(npm|npx)\b|\/(npm|npx)(-cli\.js)?(\s|$)/.test(ancestor.command)) return pid;
    pid = ancestor.parent;
  }
  return null;
}

/** True for a Node.js that starts a program again after each change of its files. */
const isWatcher = (pid: number): boolean => /\s--watch\b/.test(processOf(pid)?.command ?? '');

/** The parent and the command line of a process; null when there is no such process. */
function processOf(pid: number): { parent: number; command: string } | null {
  try {
    if (process.platform === 'linux') {
      const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
      const command = readFileSync(`/proc/${pid}/cmdline`, 'utf8').replaceAll('\0', ' ');
      // `12 (name) S 11 …`: the state and the parent follow the name, which may contain any character.
      const [, parent] = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
      return { parent: Number(parent), command };
    }
    const line = execFileSync('ps', ['-o', 'ppid=,command=', '-p', String(pid)], { encoding: 'utf8' }).trim();
    return { parent: Number.parseInt(line, 10), command: line.replace(/^\d+\s+/, '') };
  } catch {
    return null;
  }
}

/** True when a process exists, of this user or another. */
function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}
