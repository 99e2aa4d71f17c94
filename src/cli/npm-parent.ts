import { execFileSync } from 'node:child_process';
import cluster from 'node:cluster';
import { readFileSync } from 'node:fs';

/** Interval of the checks for npm, milliseconds. */
const INTERVAL_MS = 500;

/**
 * Calls `ended` when the npm or npx that started this process is gone. npm passes signals only to its shell, which ends
 * without passing them on: a server would continue and keep its port, and a build would continue unseen. A server ends
 * its own child processes.
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

/** Process number of the npm that is the parent, or the parent of the parent's shell; otherwise null. */
function npmAbove(parent: number): number | null {
  for (let pid = parent, steps = 0; pid > 1 && steps < 3; steps++) {
    const found = processOf(pid);
    if (found === null) return null;
    if (/^(npm|npx)\b|\/(npm|npx)(-cli\.js)?(\s|$)/.test(found.command)) return pid;
    pid = found.parent;
  }
  return null;
}

const isWatcher = (pid: number): boolean => /\s--watch\b/.test(processOf(pid)?.command ?? '');

function processOf(pid: number): { parent: number; command: string } | null {
  try {
    if (process.platform === 'linux') {
      const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
      const command = readFileSync(`/proc/${pid}/cmdline`, 'utf8').replaceAll('\0', ' ');
      return { parent: Number(stat.slice(stat.lastIndexOf(')') + 2).split(' ')[1]), command };
    }
    const line = execFileSync('ps', ['-o', 'ppid=,command=', '-p', String(pid)], { encoding: 'utf8' }).trim();
    return { parent: Number.parseInt(line, 10), command: line.replace(/^\d+\s+/, '') };
  } catch {
    return null;
  }
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}
