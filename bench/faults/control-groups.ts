import { existsSync, mkdirSync, readFileSync, rmdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/** A control group of Linux with a limit of memory. */
interface MemoryGroup {
  /** A command that runs another in this group, as the same process. */
  under: string[];
  /** The most that its processes had at a time, bytes, files that the system may drop among them. */
  peakBytes(): number;
  /** Removes it; its processes have ended. */
  remove(): void;
}

/** Where the limit and the use of memory stand, in the second version of control groups and in the first. */
const VERSIONS = [
  { root: '/sys/fs/cgroup', line: /^0::(.*)$/m, limit: 'memory.max', peak: 'memory.peak' },
  {
    root: '/sys/fs/cgroup/memory',
    line: /^\d+:memory:(.*)$/m,
    limit: 'memory.limit_in_bytes',
    peak: 'memory.max_usage_in_bytes',
  },
];

/** A group below the one that this process is in; null where none can be made. */
export function memoryGroup(limitBytes: number): MemoryGroup | null {
  for (const { root, line, limit, peak } of VERSIONS) {
    const own = line.exec(readFileSync('/proc/self/cgroup', 'utf8'))?.[1];
    if (own === undefined) continue;
    const group = join(root, own, `hidamari-${process.pid}`);
    try {
      mkdirSync(group);
    } catch {
      continue;
    }
    try {
      if (!existsSync(join(group, limit))) throw new Error('memory is not counted here');
      writeFileSync(join(group, limit), String(limitBytes));
    } catch {
      rmdirSync(group);
      continue;
    }
    return {
      under: ['sh', '-c', 'echo $$ > "$0/cgroup.procs" && exec "$@"', group],
      peakBytes: () => Number(readFileSync(join(group, peak), 'utf8')),
      remove: () => rmdirSync(group),
    };
  }
  return null;
}
