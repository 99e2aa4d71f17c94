import { existsSync, mkdirSync, readFileSync, rmdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/** A Linux control group with a memory limit. */
interface MemoryGroup {
  /** A command that runs another command in this group, in the same process. */
  under: string[];
  /** Peak memory of its processes, bytes. Includes file pages that the system may drop. */
  peakBytes(): number;
  /** Removes the group after its processes have ended. */
  remove(): void;
}

/** Files of the limit and of the memory use, in versions 2 and 1 of control groups. */
const VERSIONS = [
  { root: '/sys/fs/cgroup', line: /^0::(.*)$/m, limit: 'memory.max', peak: 'memory.peak' },
  {
    root: '/sys/fs/cgroup/memory',
    line: /^\d+:memory:(.*)$/m,
    limit: 'memory.limit_in_bytes',
    peak: 'memory.max_usage_in_bytes',
  },
];

/** Creates a group below the group of this process; null when that is impossible. */
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
