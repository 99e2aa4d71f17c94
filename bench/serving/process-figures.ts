import type { ChildProcess } from 'node:child_process';
import { existsSync, readdirSync, readFileSync, readlinkSync, rmSync } from 'node:fs';
import { setTimeout as delay } from 'node:timers/promises';

/** Figures of a process, most from /proc; those are NaN on systems other than Linux. */

/** Processor time of all its threads since its start, microseconds. */
export function processorMicroseconds(pid: number): number {
  return orNaN(() => {
    let sum = 0;
    for (const task of readdirSync(`/proc/${pid}/task`)) {
      sum += Number(readFileSync(`/proc/${pid}/task/${task}/schedstat`, 'utf8').split(' ')[0]) / 1000;
    }
    return sum;
  });
}

/** Memory of a process. */
export interface Memory {
  /** Its own (anonymous) memory: heap, buffers, stacks, and free memory that the allocator keeps. MB. */
  ownMb: number;
  /** Pages of mapped files: the program and the dataset. The system can drop them at any time. MB. */
  fileMb: number;
  /** Both, MB. */
  residentMb: number;
}

export function memory(pid: number): Memory {
  const megabytes = (name: string): number =>
    orNaN(() =>
      Number(new RegExp(`^${name}:\\s+(\\d+) kB`, 'm').exec(readFileSync(`/proc/${pid}/status`, 'utf8'))![1]),
    ) *
    (1024 / 1e6);
  const [ownMb, fileMb] = [megabytes('RssAnon'), megabytes('RssFile') + megabytes('RssShmem')];
  return { ownMb, fileMb, residentMb: ownMb + fileMb };
}

/** Heap and buffers in use on the main thread of a server after a collection. */
export class LiveMemory {
  /** Arguments and environment of Node.js for the server. */
  readonly args = ['--import', new URL('live-memory.ts', import.meta.url).href];
  readonly env: { LIVE_MEMORY: string };

  /** @param file that the server writes, in an existing folder */
  constructor(file: string) {
    this.env = { LIVE_MEMORY: file };
  }

  /** Makes the server collect garbage and waits for the result, megabytes. */
  async of(server: ChildProcess): Promise<number> {
    const file = this.env.LIVE_MEMORY;
    rmSync(file, { force: true });
    server.kill('SIGUSR2');
    while (!existsSync(file)) await delay(5);
    return Number(readFileSync(file, 'utf8'));
  }
}

/** Number of its open descriptors, without sockets. */
export function openFiles(pid: number): number {
  return orNaN(() => {
    const folder = `/proc/${pid}/fd`;
    return readdirSync(folder).filter((fd) => !targetOf(`${folder}/${fd}`).startsWith('socket:')).length;
  });
}

/** Files with this ending that it has mapped or open, including deleted ones. */
export function filesHeld(pid: number, ending: string): string[] {
  const held = new Set<string>();
  const take = (path: string): void => {
    const name = path.replace(/ \(deleted\)$/, '');
    if (name.endsWith(ending)) held.add(name);
  };
  for (const line of readFileSync(`/proc/${pid}/maps`, 'utf8').split('\n')) take(line.slice(line.indexOf('/')));
  for (const fd of readdirSync(`/proc/${pid}/fd`)) take(targetOf(`/proc/${pid}/fd/${fd}`));
  return [...held].sort();
}

/** A descriptor may be closed between listing and reading it. */
function targetOf(link: string): string {
  try {
    return readlinkSync(link);
  } catch {
    return '';
  }
}

function orNaN(read: () => number): number {
  try {
    return read();
  } catch {
    return Number.NaN;
  }
}
